//! Storage of poses for reuse.

use crate::num::Scalar;
use crate::shape::Pose;

/// Storage of the poses of removed characters, for new ones with as many parts. No state: no answer
/// depends on it.
#[derive(Debug)]
pub(in crate::scene) struct PosePool<T: Scalar> {
    /// Capacities, ascending, each with the empty lists that have it.
    spare: Vec<(usize, Vec<Vec<Pose<T>>>)>,
}

impl<T: Scalar> PosePool<T> {
    pub fn new() -> Self {
        PosePool { spare: Vec::new() }
    }

    /// Returns an empty list for that number of poses.
    pub fn acquire(&mut self, len: usize) -> Vec<Pose<T>> {
        let index = self.spare.binary_search_by_key(&len, |(capacity, _)| *capacity);
        let spare = index.ok().and_then(|index| self.spare[index].1.pop());
        spare.unwrap_or_else(|| Vec::with_capacity(len))
    }

    /// Keeps the storage of a list.
    pub fn release(&mut self, mut poses: Vec<Pose<T>>) {
        let len = poses.capacity();
        if len == 0 {
            return;
        }
        poses.clear();
        match self.spare.binary_search_by_key(&len, |(capacity, _)| *capacity) {
            Ok(index) => self.spare[index].1.push(poses),
            Err(index) => self.spare.insert(index, (len, vec![poses])),
        }
    }
}
