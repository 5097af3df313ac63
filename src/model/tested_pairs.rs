//! Pairs of parts of one character that are tested against each other, as bit masks for the broad
//! phase.

use super::PartId;
use super::pair_rules::PairRules;
use crate::broad_phase::{MASK_BITS, part_at_slot};
use crate::num::set_bits;

/// A bit for every pair of parts that is tested, by the slots of their world boxes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TestedPairs {
    /// Bits of every later slot, for each slot, word by word.
    bits: Vec<u64>,
    words: usize,
}

impl TestedPairs {
    /// Collects all pairs that the rules do not ignore; `order`: see [`part_at_slot`].
    pub fn new(rules: &PairRules, parts: usize, order: &[u32]) -> Self {
        let words = parts.div_ceil(MASK_BITS);
        let mut bits = vec![0; parts * words];
        let part = |slot: usize| PartId::new(part_at_slot(order, slot));
        for (a, b) in (0..parts).flat_map(|a| (a + 1..parts).map(move |b| (a, b))) {
            if !rules.ignores(part(a), part(b)) {
                bits[a * words + b / MASK_BITS] |= 1 << (b % MASK_BITS);
            }
        }
        TestedPairs { bits, words }
    }

    /// The heap memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.bits[..])
    }

    /// Mask of 64 slots, from `word * 64` on: those after `slot` that are tested against it.
    #[inline]
    pub fn later_mask(&self, slot: usize, word: usize) -> u64 {
        self.bits[slot * self.words + word]
    }

    /// All slots after `slot` that are tested against it, ascending.
    pub fn later_slots(&self, slot: usize) -> impl Iterator<Item = usize> + '_ {
        let words = slot / MASK_BITS..self.words;
        words.flat_map(move |word| {
            set_bits(self.later_mask(slot, word)).map(move |bit| word * MASK_BITS + bit)
        })
    }
}
