//! A set of parts, without allocation for models of up to 256 parts.

use crate::error::Error;
use crate::model::{Model, PartId};
use crate::num::Scalar;

const WORD_COUNT: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::scene) struct PartSet {
    bits: [u64; WORD_COUNT],
    /// Parts beyond the bits.
    overflow: Vec<PartId>,
}

impl PartSet {
    pub fn new(parts: &[PartId]) -> Self {
        let mut set = PartSet::default();
        for &part in parts {
            match set.bits.get_mut(part.index() / 64) {
                Some(word) => *word |= 1 << (part.index() % 64),
                None => set.overflow.push(part),
            }
        }
        set
    }

    /// Returns the part of a set that has only one.
    #[inline]
    pub fn only_part(&self) -> Option<PartId> {
        let word = self.bits.iter().position(|&word| word != 0)?;
        let first = self.bits[word];
        let is_one = first.is_power_of_two()
            && self.bits[word + 1..].iter().all(|&word| word == 0)
            && self.overflow.is_empty();
        is_one.then(|| PartId::new(word * 64 + first.trailing_zeros() as usize))
    }

    pub fn contains(&self, part: PartId) -> bool {
        match self.bits.get(part.index() / 64) {
            Some(word) => word >> (part.index() % 64) & 1 == 1,
            None => self.overflow.contains(&part),
        }
    }

    /// Returns a mask of the parts `64 * word..`.
    #[inline]
    pub fn mask(&self, word: usize) -> u64 {
        self.bits.get(word).copied().unwrap_or_else(|| {
            let there = self.overflow.iter().filter(|part| part.index() / 64 == word);
            there.fold(0, |bits, part| bits | 1 << (part.index() % 64))
        })
    }

    /// Returns an error for parts that the model does not have.
    pub fn check<T: Scalar>(&self, model: &Model<T>) -> Result<(), Error> {
        self.max_part().map_or(Ok(()), |part| model.check_part(part))
    }

    /// Returns the part of the highest number.
    fn max_part(&self) -> Option<PartId> {
        let highest = |(word, bits): (usize, &u64)| {
            bits.checked_ilog2().map(|bit| PartId::new(word * 64 + bit as usize))
        };
        let in_bits = self.bits.iter().enumerate().rev().find_map(highest);
        self.overflow.iter().copied().max().or(in_bits)
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn holds_near_and_far_parts() {
        let parts = [0, 63, 64, 255, 256, 1000].map(PartId::new);
        let set = PartSet::new(&parts);
        assert!(parts.iter().all(|&part| set.contains(part)));
        assert!(![1, 65, 257].iter().any(|&part| set.contains(PartId::new(part))));
        let words = (0..16).flat_map(|word| (0..64).map(move |bit| (word, bit)));
        let held = words.filter(|&(word, bit)| set.mask(word) >> bit & 1 == 1);
        let held: Vec<_> = held.map(|(word, bit)| PartId::new(word * 64 + bit)).collect();
        assert_eq!(held, parts);
        assert_eq!(set.max_part(), Some(PartId::new(1000)));
        assert_eq!(PartSet::new(&parts[..3]).max_part(), Some(PartId::new(64)));
        assert_eq!(PartSet::new(&[]).max_part(), None);
    }

    pub fn names_its_only_part() {
        for part in [0, 63, 64, 255].map(PartId::new) {
            assert_eq!(PartSet::new(&[part, part]).only_part(), Some(part));
            assert_eq!(PartSet::new(&[part, PartId::new(70)]).only_part(), None);
            assert_eq!(PartSet::new(&[part, PartId::new(256)]).only_part(), None);
        }
        // Not in the bits: rare, and found by the search of all pairs.
        assert_eq!(PartSet::new(&[PartId::new(256)]).only_part(), None);
        assert_eq!(PartSet::new(&[]).only_part(), None);
    }
}
