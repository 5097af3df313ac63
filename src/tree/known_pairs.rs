//! What a query has found out about pairs of nodes of two trees in their poses.

/// What is found out about pairs of the first so many nodes of either tree is kept for all of a
/// query: the first four levels, if those are full.
pub(super) const FIRST: u32 = 16;

/// What was found out about pairs of nodes of two trees.
#[derive(Debug, Clone)]
pub(crate) struct KnownPairs {
    /// Of the first nodes of either tree: whether they touch, and if they do, how far apart their
    /// convex hulls are at most.
    first: [Option<bool>; (FIRST * FIRST) as usize],
    gaps: [f64; (FIRST * FIRST) as usize],
    /// The pairs of ancestors of the pair of nodes that was asked about last, by depth, and whether
    /// they touch.
    ancestors: Vec<((u32, u32), bool)>,
}

impl Default for KnownPairs {
    fn default() -> Self {
        KnownPairs { first: [None; 256], gaps: [f64::INFINITY; 256], ancestors: Vec::new() }
    }
}

impl KnownPairs {
    /// Forgets all, before other trees or poses are asked about.
    pub fn clear(&mut self) {
        self.first.fill(None);
        self.ancestors.clear();
    }

    /// Where that of two nodes is kept, if they are among the first.
    fn place((a, b): (u32, u32)) -> Option<usize> {
        (a < FIRST && b < FIRST).then_some((a * FIRST + b) as usize)
    }

    /// The gap of the hulls of two nodes, `None` if they are apart, given how to find it. It is kept
    /// if the nodes are among the first.
    pub fn gap(&mut self, nodes: (u32, u32), gap: impl FnOnce() -> Option<f64>) -> Option<f64> {
        let Some(place) = Self::place(nodes) else { return gap() };
        if self.first[place].is_none() {
            let gap = gap();
            (self.first[place], self.gaps[place]) = (Some(gap.is_some()), gap.unwrap_or(0.0));
        }
        (self.first[place] == Some(true)).then_some(self.gaps[place])
    }

    /// The same of two nodes that touch, so that without an answer nothing is kept.
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

    /// Whether two ancestors at that depth touch, if they are those asked about last.
    pub fn ancestors(&self, depth: usize, nodes: (u32, u32)) -> Option<bool> {
        self.ancestors.get(depth).filter(|known| known.0 == nodes).map(|known| known.1)
    }

    /// Keeps that of two ancestors at that depth, and forgets those below.
    pub fn keep_ancestors(&mut self, depth: usize, nodes: (u32, u32), touch: bool) {
        self.ancestors.truncate(depth);
        self.ancestors.push((nodes, touch));
    }
}
