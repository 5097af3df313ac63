//! Memory use of models.

use super::{Model, Part, RootBoxes};
use crate::num::Scalar;
use crate::tree::ObbTree;

impl<T: Scalar> Model<T> {
    /// The heap memory of the model in bytes: trees, geometry, names and rules, without spare
    /// capacity of vectors. All characters of the model share it.
    pub fn bytes(&self) -> usize {
        let part = |part: &Part<T>| part.name.len() + part.tree.as_ref().map_or(0, ObbTree::bytes);
        let held: usize = self.parts.iter().map(part).sum();
        let roots = self.roots.as_ref().map_or(0, RootBoxes::bytes);
        let rules = self.rules.words().count() * size_of::<u64>() + self.tested_pairs.bytes();
        // The shared list of parts begins with two counters.
        let parts = 2 * size_of::<usize>() + size_of_val(&self.parts[..]);
        held + roots + rules + parts + size_of_val(&self.order[..])
    }
}
