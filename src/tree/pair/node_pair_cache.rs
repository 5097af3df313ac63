//! Cache of the verdicts on pairs of nodes of two trees, for one query.

/// Number of nodes per tree whose pairs are cached for the whole query: the first four levels, if
/// those are full.
pub(in crate::tree) const CACHED_NODES: u32 = 16;

/// Cached verdicts on pairs of nodes of two placed trees.
#[derive(Debug, Clone)]
pub(crate) struct NodePairCache {
    /// Verdict on each pair of the first nodes, and the upper bound on the distance of their hulls
    /// if they overlap.
    overlaps: [Option<bool>; (CACHED_NODES * CACHED_NODES) as usize],
    hull_distances: [f64; (CACHED_NODES * CACHED_NODES) as usize],
    /// Ancestors of the last pair of nodes tested, by depth, and `true` for pairs that overlap.
    ancestors: Vec<((u32, u32), bool)>,
}

impl Default for NodePairCache {
    fn default() -> Self {
        NodePairCache {
            overlaps: [None; 256],
            hull_distances: [f64::INFINITY; 256],
            ancestors: Vec::new(),
        }
    }
}

impl NodePairCache {
    /// Clears the cache. Required before other trees or poses are tested.
    pub fn clear(&mut self) {
        self.overlaps.fill(None);
        self.ancestors.clear();
    }

    /// Returns the index of two nodes in the cache, if both are among the first.
    fn index((a, b): (u32, u32)) -> Option<usize> {
        (a < CACHED_NODES && b < CACHED_NODES).then_some((a * CACHED_NODES + b) as usize)
    }

    /// Returns an upper bound on the distance of the hulls of two nodes, `None` if they are
    /// separated: the cached one, or that of `gap`, which is cached if the nodes are among the
    /// first.
    pub fn hull_distance(
        &mut self,
        nodes: (u32, u32),
        gap: impl FnOnce() -> Option<f64>,
    ) -> Option<f64> {
        let Some(index) = Self::index(nodes) else { return gap() };
        if self.overlaps[index].is_none() {
            let gap = gap();
            (self.overlaps[index], self.hull_distances[index]) =
                (Some(gap.is_some()), gap.unwrap_or(0.0));
        }
        (self.overlaps[index] == Some(true)).then_some(self.hull_distances[index])
    }

    /// Like [`hull_distance`](Self::hull_distance), for two nodes that overlap: a `None` of `gap`
    /// is not cached.
    pub fn overlapping_hull_distance(
        &mut self,
        nodes: (u32, u32),
        gap: impl FnOnce() -> Option<f64>,
    ) -> Option<f64> {
        let Some(index) = Self::index(nodes) else { return gap() };
        if self.overlaps[index].is_none() {
            (self.overlaps[index], self.hull_distances[index]) = (Some(true), gap()?);
        }
        Some(self.hull_distances[index])
    }

    /// Returns the verdict on two ancestors at that depth, if they are those stored last.
    pub fn ancestors_overlap(&self, depth: usize, nodes: (u32, u32)) -> Option<bool> {
        self.ancestors.get(depth).filter(|known| known.0 == nodes).map(|known| known.1)
    }

    /// Stores the verdict on two ancestors at that depth and drops those below.
    pub fn store_ancestors(&mut self, depth: usize, nodes: (u32, u32), touch: bool) {
        self.ancestors.truncate(depth);
        self.ancestors.push((nodes, touch));
    }
}
