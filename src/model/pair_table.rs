//! Symmetric table of pairs of parts.

use std::collections::VecDeque;

/// Symmetric table of pairs, one bit per pair, that always contains each index with itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PairTable {
    len: usize,
    bits: Vec<u64>,
}

impl PairTable {
    /// Creates the table of `len` indices that contains each index with itself and no other pair.
    pub fn new(len: usize) -> Self {
        let mut table = PairTable { len, bits: vec![0; (len * len).div_ceil(64)] };
        (0..len).for_each(|index| table.insert(index, index));
        table
    }

    /// Restores a table from its [words](PairTable::words); `None` unless they have the right
    /// count, are symmetric, contain each index with itself and no bit beyond the last pair.
    #[cfg(feature = "bake")]
    pub fn from_words(len: usize, bits: Vec<u64>) -> Option<Self> {
        let pairs = len.checked_mul(len)?;
        if bits.len() != pairs.div_ceil(64) {
            return None;
        }
        let table = PairTable { len, bits };
        let bit = |bit: usize| table.bits[bit / 64] >> (bit % 64) & 1 == 1;
        let symmetric = |a: usize| (0..a).all(|b| bit(a * len + b) == bit(b * len + a));
        let sound = (0..len).all(|a| bit(a * len + a) && symmetric(a));
        let beyond = (pairs..64 * table.bits.len()).any(bit);
        (sound && !beyond).then_some(table)
    }

    /// Adds a pair, in either order.
    pub fn insert(&mut self, a: usize, b: usize) {
        for bit in [a * self.len + b, b * self.len + a] {
            self.bits[bit / 64] |= 1 << (bit % 64);
        }
    }

    /// Removes a pair, in either order; never an index with itself.
    pub fn remove(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        for bit in [a * self.len + b, b * self.len + a] {
            self.bits[bit / 64] &= !(1 << (bit % 64));
        }
    }

    /// Returns `true` if the table contains the pair; `false` for indices past the end.
    pub fn contains(&self, a: usize, b: usize) -> bool {
        if a >= self.len || b >= self.len {
            return false;
        }
        let bit = a * self.len + b;
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Adds all pairs of another table of the same count.
    #[cfg(feature = "urdf")]
    pub fn insert_all(&mut self, other: &PairTable) {
        self.bits.iter_mut().zip(&other.bits).for_each(|(own, other)| *own |= other);
    }

    /// Returns the bits, row by row.
    pub fn words(&self) -> &[u64] {
        &self.bits
    }
}

/// Calls `visit` with each node of a graph within `hops` edges of `start`, `start` included, by a
/// breadth-first search. `visited` has an entry per node, none equal to `start` before the call.
pub(crate) fn visit_neighbourhood(
    neighbours: &[Vec<usize>],
    start: usize,
    hops: usize,
    visited: &mut [usize],
    mut visit: impl FnMut(usize),
) {
    let mut queue = VecDeque::from([(start, 0)]);
    visited[start] = start;
    while let Some((node, distance)) = queue.pop_front() {
        visit(node);
        if distance == hops {
            continue;
        }
        for &next in &neighbours[node] {
            if visited[next] != start {
                visited[next] = start;
                queue.push_back((next, distance + 1));
            }
        }
    }
}
