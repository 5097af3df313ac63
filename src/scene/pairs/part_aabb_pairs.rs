//! An iterator over the part pairs of two characters whose AABBs overlap; it owns all of its state.

use crate::broad_phase::{Aabb16List, MASK_BITS, OverlapMasks};
use crate::model::PartId;
use crate::num::{Scalar, SimdLevel, set_bits};
use crate::scene::Snapshot;
use crate::scene::snapshot::entry::CharacterEntry;
use crate::scene::state::character::Character;

/// Pairs of parts, in the order of their boxes.
pub(in crate::scene) struct PartAabbPairs<'a, T: Scalar> {
    boxes: (&'a Aabb16List, SimdLevel),
    characters: [(&'a CharacterEntry<T>, &'a Character<T>); 2],
    /// `true` if both characters are the same.
    is_same: bool,
    /// First box of each character in the current comparison of up to [`MASK_BITS`] boxes each.
    first: [usize; 2],
    /// Bits of the first character's boxes that overlap any and are still to be visited; `masks`
    /// has the overlapped boxes of each.
    near_mask: u64,
    masks: OverlapMasks,
    /// The visited box of the first character, and the bits of its pairs still to be returned.
    lane: usize,
    pending_mask: u64,
}

impl<'a, T: Scalar> PartAabbPairs<'a, T> {
    /// Starts with the characters of these indices.
    #[inline]
    pub fn new(now: &Snapshot<'a, T>, a: u32, b: u32) -> Self {
        let mut all = PartAabbPairs {
            boxes: (&now.buffers.part_aabbs, now.buffers.simd),
            characters: [now.character(a), now.character(b)],
            is_same: a == b,
            first: [0; 2],
            near_mask: 0,
            masks: [0; MASK_BITS],
            lane: 0,
            pending_mask: 0,
        };
        all.compare_blocks();
        all
    }

    /// Compares the blocks at `first`.
    #[inline]
    fn compare_blocks(&mut self) {
        let ([(one, character), (other, _)], (list, simd)) = (self.characters, self.boxes);
        let ranges = [one.range.chunk(self.first[0]), other.range.chunk(self.first[1])];
        self.near_mask =
            list.overlap_masks(simd, ranges, [one.bounds_f32, other.bounds_f32], &mut self.masks);
        if self.is_same {
            for lane in set_bits(self.near_mask) {
                let (at, word) = (self.first[0] + lane, self.first[1] / MASK_BITS);
                let mask = self.masks[lane] & character.model.tested_later_mask(at, word);
                self.masks[lane] = mask;
                self.near_mask &= !(u64::from(mask == 0) << lane);
            }
        }
    }

    /// Advances to the next box that overlaps any; `None` at the end.
    #[inline]
    fn advance(&mut self) -> Option<()> {
        while self.near_mask == 0 {
            let [many, others] = self.characters.map(|(entry, _)| entry.range.len);
            let [first, second] = &mut self.first;
            *second += MASK_BITS;
            if *second >= others {
                *first += MASK_BITS;
                *second = if self.is_same { *first } else { 0 };
            }
            if *first >= many {
                return None;
            }
            self.compare_blocks();
        }
        self.lane = self.near_mask.trailing_zeros() as usize;
        self.near_mask &= self.near_mask - 1;
        self.pending_mask = self.masks[self.lane];
        Some(())
    }
}

impl<T: Scalar> Iterator for PartAabbPairs<'_, T> {
    type Item = (PartId, PartId);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.pending_mask == 0 {
            self.advance()?;
        }
        let lanes = [self.lane, self.pending_mask.trailing_zeros() as usize];
        self.pending_mask &= self.pending_mask - 1;
        let part = |i: usize| self.characters[i].1.model.part_at(self.first[i] + lanes[i]);
        let (a, b) = (part(0), part(1));
        Some(if self.is_same && b < a { (b, a) } else { (a, b) })
    }
}
