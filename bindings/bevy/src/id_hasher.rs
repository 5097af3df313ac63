//! Hasher of entities, keys and indices: numbers that the app itself hands out.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use bevy_ecs::entity::Entity;
use boxwood::CharacterKey;

/// Odd constant whose multiples differ in their high bits: 2^64 over the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// State of the hash. The standard hasher withstands numbers that an attacker chooses, and takes
/// half of the time in which touches are looked up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct IdHasher(u64);

pub(crate) type BuildIdHasher = BuildHasherDefault<IdHasher>;

/// Entities of the characters in the scene.
pub(crate) type EntitiesByKey = HashMap<CharacterKey, Entity, BuildIdHasher>;

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        // Tables use the low bits as well, into which a product carries nothing.
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(FACTOR);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher, Hash};

    use super::BuildIdHasher;

    /// Largest number of values that share the low bits, and of those that share the high bits.
    fn crowding(values: impl Iterator<Item = impl Hash>) -> [usize; 2] {
        let mut counts = [[0; 128]; 2];
        for value in values {
            let hash = BuildIdHasher::default().hash_one(value);
            for (row, bits) in [hash, hash >> 57].into_iter().enumerate() {
                counts[row][bits as usize % 128] += 1;
            }
        }
        counts.map(|row| row.into_iter().max().unwrap_or(0))
    }

    #[test]
    fn neighbouring_numbers_spread_in_the_bits_that_tables_use() {
        let pairs = || (0..100_u32).flat_map(|a| (0..100).map(move |b| (1_u64 << 32 | 7, a, a, b)));
        let hashes: HashSet<u64> =
            pairs().map(|pair| BuildIdHasher::default().hash_one(pair)).collect();
        assert!(hashes.len() == 10_000, "hashes collide");
        // 78 is the mean.
        assert!(crowding(pairs()).into_iter().all(|most| most < 160), "{:?}", crowding(pairs()));
        let entities = crowding((0..10_000_u64).map(|index| 1 << 32 | index));
        assert!(entities.into_iter().all(|most| most < 160), "{entities:?}");
    }
}
