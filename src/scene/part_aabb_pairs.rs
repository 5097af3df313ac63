//! An iterator over the part pairs of two characters whose AABBs overlap; it owns all of its state.

use super::entry::Entry;
use super::{Character, Snapshot};
use crate::broad_phase::{Aabb16List, MASK_BITS, OverlapMasks};
use crate::model::PartId;
use crate::num::{Scalar, SimdLevel, set_bits};

/// Pairs of parts, in the order of their boxes.
pub(super) struct PartAabbPairs<'a, T: Scalar> {
    boxes: (&'a Aabb16List, SimdLevel),
    characters: [(&'a Entry<T>, &'a Character<T>); 2],
    /// `true` if both characters are the same.
    itself: bool,
    /// First box of each character in the current comparison of up to [`MASK_BITS`] boxes each.
    first: [usize; 2],
    /// Bits of the first character's boxes that overlap any and are still to be visited; `masks`
    /// has the overlapped boxes of each.
    near: u64,
    masks: OverlapMasks,
    /// The visited box of the first character, and the bits of its pairs still to be returned.
    one: usize,
    left: u64,
}

impl<'a, T: Scalar> PartAabbPairs<'a, T> {
    /// Starts with the characters of these indices.
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

    /// Compares the blocks at `first`.
    #[inline]
    fn compare(&mut self) {
        let ([(one, character), (other, _)], (list, level)) = (self.characters, self.boxes);
        let ranges = [one.parts.chunk(self.first[0]), other.parts.chunk(self.first[1])];
        self.near =
            list.overlap_masks(level, ranges, [one.bounds_f32, other.bounds_f32], &mut self.masks);
        if self.itself {
            for place in set_bits(self.near) {
                let (at, word) = (self.first[0] + place, self.first[1] / MASK_BITS);
                let left = self.masks[place] & character.model.tested_behind(at, word);
                self.masks[place] = left;
                self.near &= !(u64::from(left == 0) << place);
            }
        }
    }

    /// Advances to the next box that overlaps any; `None` at the end.
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
