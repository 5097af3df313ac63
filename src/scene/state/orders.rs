//! The characters by their order.

use std::collections::HashMap;
use std::collections::hash_map::{Entry, RandomState};
use std::hash::{BuildHasher, Hasher};

use slotmap::DefaultKey;

/// The slot of the character with each order. For lookups only, so that no answer depends on it.
#[derive(Debug)]
pub(in crate::scene) struct Orders {
    slots: HashMap<u64, DefaultKey, OrderHash>,
}

/// Hash function of orders, with random numbers of the process: orders may be ids from a network,
/// whose sender must not be able to choose ids with equal hashes.
///
/// Source: the product of the key, mixed with one secret, and another secret, both halves combined
/// (*folded multiply*, as in ahash and wyhash). The hash of the standard library takes four times
/// as long for one number.
#[derive(Debug, Clone)]
struct OrderHash {
    secret: [u64; 2],
}

/// The hash of one number.
#[derive(Debug, Clone)]
struct OrderHasher {
    secret: [u64; 2],
    hash: u64,
}

impl OrderHash {
    fn new() -> Self {
        let random = RandomState::new();
        // Odd: an even factor would drop the highest bit of every key.
        OrderHash { secret: [random.hash_one(0_u64), random.hash_one(1_u64) | 1] }
    }
}

impl BuildHasher for OrderHash {
    type Hasher = OrderHasher;

    #[inline]
    fn build_hasher(&self) -> OrderHasher {
        OrderHasher { secret: self.secret, hash: 0 }
    }
}

impl Hasher for OrderHasher {
    #[inline]
    fn write_u64(&mut self, number: u64) {
        let mixed = self.hash ^ number ^ self.secret[0];
        let product = u128::from(mixed) * u128::from(self.secret[1]);
        self.hash = product as u64 ^ (product >> 64) as u64;
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.hash
    }
}

impl Clone for Orders {
    fn clone(&self) -> Self {
        Orders { slots: self.slots.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.slots.clone_from(&source.slots);
    }
}

impl Orders {
    pub fn new() -> Self {
        Orders { slots: HashMap::with_hasher(OrderHash::new()) }
    }

    pub fn get(&self, order: u64) -> Option<DefaultKey> {
        self.slots.get(&order).copied()
    }

    /// Returns that order, or the next free number above.
    pub fn next_free(&self, mut order: u64) -> u64 {
        while self.slots.contains_key(&order) {
            order = order.wrapping_add(1);
        }
        order
    }

    /// Adds a character, unless its order is taken.
    pub fn insert(&mut self, order: u64, slot: impl FnOnce() -> DefaultKey) -> Option<DefaultKey> {
        match self.slots.entry(order) {
            Entry::Occupied(_) => None,
            Entry::Vacant(free) => Some(*free.insert(slot())),
        }
    }

    pub fn remove(&mut self, order: u64) {
        self.slots.remove(&order);
    }
}
