//! Cache of the verdicts on pairs of nodes of two trees, for one query.

/// Number of nodes per tree whose pairs are cached for the whole query: the first four levels, if
/// those are full.
pub(super) const FIRST: u32 = 16;

/// Cached verdicts on pairs of nodes of two placed trees.
#[derive(Debug, Clone)]
pub(crate) struct KnownPairs {
    /// Verdict on each pair of the first nodes, and the upper bound on the distance of their hulls
    /// if they overlap.
    first: [Option<bool>; (FIRST * FIRST) as usize],
    gaps: [f64; (FIRST * FIRST) as usize],
    /// Ancestors of the last pair of nodes tested, by depth, and `true` for pairs that overlap.
    ancestors: Vec<((u32, u32), bool)>,
}

impl Default for KnownPairs {
    fn default() -> Self {
        KnownPairs { first: [None; 256], gaps: [f64::INFINITY; 256], ancestors: Vec::new() }
    }
}

impl KnownPairs {
    /// Clears the cache. Required before other trees or poses are tested.
    pub fn clear(&mut self) {
        self.first.fill(None);
        self.ancestors.clear();
    }

    /// Returns the index of two nodes in the cache, if both are among the first.
    fn place((a, b): (u32, u32)) -> Option<usize> {
        (a < FIRST && b < FIRST).then_some((a * FIRST + b) as usize)
    }

    /// Returns an upper bound on the distance of the hulls of two nodes, `None` if they are
    /// separated: the cached one, or that of `gap`, which is cached if the nodes are among the
    /// first.
    pub fn gap(&mut self, nodes: (u32, u32), gap: impl FnOnce() -> Option<f64>) -> Option<f64> {
        let Some(place) = Self::place(nodes) else { return gap() };
        if self.first[place].is_none() {
            let gap = gap();
            (self.first[place], self.gaps[place]) = (Some(gap.is_some()), gap.unwrap_or(0.0));
        }
        (self.first[place] == Some(true)).then_some(self.gaps[place])
    }

    /// Like [`hull_distance`](Self::hull_distance), for two nodes that overlap: a `None` of `gap`
    /// is not cached.
    pub fn gap_of_touching(
        &mut self,
        nodes: (u32, u32),
        gap: impl FnOnce() -> Option<f64>,
    ) -> Option<f64> {
        let Some(place) = Self::place(nodes) else { return gap() };
        if self.first[place].is_none() {
            (self.first[place], self.gaps[place]) = (Some(true), gap()?);
        }
        Some(self.gaps[place])
    }

    /// Returns the verdict on two ancestors at that depth, if they are those stored last.
    pub fn ancestors(&self, depth: usize, nodes: (u32, u32)) -> Option<bool> {
        self.ancestors.get(depth).filter(|known| known.0 == nodes).map(|known| known.1)
    }

    /// Stores the verdict on two ancestors at that depth and drops those below.
    pub fn keep_ancestors(&mut self, depth: usize, nodes: (u32, u32), touch: bool) {
        self.ancestors.truncate(depth);
        self.ancestors.push((nodes, touch));
    }
}
