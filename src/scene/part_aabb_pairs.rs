//! Which parts of two characters are near each other, pair after pair; all that is written on goes
//! along with it.

use super::entry::Entry;
use super::{Character, Snapshot};
use crate::broad_phase::{Aabb16List, MASK_BITS, OverlapMasks};
use crate::model::PartId;
use crate::num::{Scalar, SimdLevel, set_bits};

/// Pairs of parts, by where their boxes stand.
pub(super) struct PartAabbPairs<'a, T: Scalar> {
    boxes: (&'a Aabb16List, SimdLevel),
    characters: [(&'a Entry<T>, &'a Character<T>); 2],
    /// Whether they are one.
    itself: bool,
    /// The first of up to [`MASK_BITS`] boxes of each that have been compared.
    first: [usize; 2],
    /// A bit for each of those of the first character that is near any and was not looked at yet,
    /// and which those are.
    near: u64,
    masks: OverlapMasks,
    /// The one that is looked at, and a bit for each near it that is still to be told.
    one: usize,
    left: u64,
}

impl<'a, T: Scalar> PartAabbPairs<'a, T> {
    /// Of the characters at those places.
    #[inline]
    pub fn new(now: &Snapshot<'a, T>, a: u32, b: u32) -> Self {
        let mut all = PartAabbPairs {
            boxes: (&now.buffers.rows, now.buffers.level),
            characters: [now.character(a), now.character(b)],
            itself: a == b,
            first: [0; 2],
            near: 0,
            masks: [0; MASK_BITS],
            one: 0,
            left: 0,
        };
        all.compare();
        all
    }

    /// Compares boxes from the first of each on.
    #[inline]
    fn compare(&mut self) {
        let ([(one, character), (other, _)], (list, level)) = (self.characters, self.boxes);
        let ranges = [one.parts.piece(self.first[0]), other.parts.piece(self.first[1])];
        self.near = list.masks(level, ranges, [one.around, other.around], &mut self.masks);
        if self.itself {
            for place in set_bits(self.near) {
                let (at, word) = (self.first[0] + place, self.first[1] / MASK_BITS);
                let left = self.masks[place] & character.model.tested_behind(at, word);
                self.masks[place] = left;
                self.near &= !(u64::from(left == 0) << place);
            }
        }
    }

    /// Comes to the next part that is near any; `None` if there is none.
    #[inline]
    fn advance(&mut self) -> Option<()> {
        while self.near == 0 {
            let [many, others] = self.characters.map(|(entry, _)| entry.parts.len);
            let [first, second] = &mut self.first;
            *second += MASK_BITS;
            if *second >= others {
                *first += MASK_BITS;
                *second = if self.itself { *first } else { 0 };
            }
            if *first >= many {
                return None;
            }
            self.compare();
        }
        self.one = self.near.trailing_zeros() as usize;
        self.near &= self.near - 1;
        self.left = self.masks[self.one];
        Some(())
    }
}

impl<T: Scalar> Iterator for PartAabbPairs<'_, T> {
    type Item = (PartId, PartId);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.left == 0 {
            self.advance()?;
        }
        let places = [self.one, self.left.trailing_zeros() as usize];
        self.left &= self.left - 1;
        let part = |i: usize| self.characters[i].1.model.part_at(self.first[i] + places[i]);
        let (a, b) = (part(0), part(1));
        Some(if self.itself && b < a { (b, a) } else { (a, b) })
    }
}
