//! Pairs of ancestors at equal depths. A test that separates an ancestor pair separates all its
//! descendants, and the least slack of a chain holds for all below it: so descending further yields
//! neither more pairs nor a larger slack.

use super::node_pair_cache::{CACHED_NODES, NodePairCache};
use super::ordered_pair::OrderedPair;
use crate::num::{Scalar, SimdLevel};
use crate::tree::{Accuracy, Counts, LEVELS, Node, NodeId, ObbTree, TreePair, TreeScratch};

/// Tests of a pair of nodes still to run; the others surely would not separate it.
#[derive(Debug, Clone, Copy)]
pub(in crate::tree) enum PendingTests {
    All,
    /// The part-aligned boxes overlap by far more than rounding, and so do all boxes around them.
    OrientedAndHulls,
    /// Aligned and oriented boxes overlap.
    Hulls,
}

impl<T: Scalar> ObbTree<T> {
    /// Returns the child of `from` on the path down to `to`, or `to` itself once it is reached.
    fn child_towards(&self, from: u32, to: u32) -> u32 {
        let child = self.nodes[from as usize].first_child;
        if from == to {
            return from;
        }
        // The second child's primitives follow those of the first.
        let second = self.nodes[child as usize + 1].start;
        child + u32::from(self.nodes[to as usize].start >= second)
    }
}

impl<T: Scalar> TreePair<'_, T> {
    /// Iterates over the pairs of ancestors of two nodes at equal depths, from the roots down to
    /// the two nodes themselves. Below the end of the shallower path, its last node is repeated.
    fn ancestor_pairs(&self, (a, b): (u32, u32)) -> impl Iterator<Item = (u32, u32)> + '_ {
        let [first, second] = [self.ordered_pair().first.tree, self.ordered_pair().second.tree];
        let mut next = Some((0, 0));
        std::iter::from_fn(move || {
            let now = next?;
            let below = || (first.child_towards(now.0, a), second.child_towards(now.1, b));
            next = (now != (a, b)).then(below);
            Some(now)
        })
    }

    /// Returns an upper bound on the distance of the convex hulls of two nodes, infinite unless
    /// both have one; `None` if a test separates the hulls or the boxes. Ignores ancestors; counts
    /// its tests. [world units]
    pub(in crate::tree) fn max_hull_distance(
        &self,
        (a, b): (u32, u32),
        left: PendingTests,
        simd: SimdLevel,
        counts: &mut Counts,
    ) -> Option<f64> {
        let boxes = match left {
            PendingTests::All => self.boxes_overlap(a, b, counts),
            PendingTests::OrientedAndHulls => self.oriented_overlap(a, b, counts),
            PendingTests::Hulls => true,
        };
        match boxes.then(|| self.hull_pair(a, b))? {
            None => Some(f64::INFINITY),
            Some(hulls) => {
                counts.hulls += 1;
                self.hull_pair_distance(hulls, simd)
            }
        }
    }

    /// Like [`max_hull_distance`](Self::max_hull_distance), but cached for the rest of the query if
    /// the nodes are among the first.
    pub(in crate::tree) fn cached_hull_distance(
        &self,
        nodes: (u32, u32),
        left: PendingTests,
        scratch: &mut TreeScratch,
    ) -> Option<f64> {
        let TreeScratch { node_pair_cache, counts, simd, .. } = scratch;
        node_pair_cache.hull_distance(nodes, || self.max_hull_distance(nodes, left, *simd, counts))
    }

    /// Returns `true` if no test separates two nodes; ignores ancestors, uses the cache.
    pub(in crate::tree) fn cached_overlap(
        &self,
        nodes: (u32, u32),
        left: PendingTests,
        scratch: &mut TreeScratch,
    ) -> bool {
        self.cached_hull_distance(nodes, left, scratch).is_some()
    }

    /// Returns `true` if no test separates two nodes or any pair of their ancestors at equal
    /// depths.
    pub(in crate::tree) fn chain_overlaps(&self, nodes: (u32, u32), simd: SimdLevel) -> bool {
        let mut counts = Counts::default();
        self.ancestor_pairs(nodes)
            .all(|now| self.max_hull_distance(now, PendingTests::All, simd, &mut counts).is_some())
    }

    /// Returns `true` if no test separates a pair of ancestors of two nodes whose own boxes
    /// overlap. Caches the verdict of each ancestor pair: the next pair of nodes shares most of
    /// them.
    pub(in crate::tree) fn ancestors_overlap(
        &self,
        nodes: (u32, u32),
        above: PendingTests,
        scratch: &mut TreeScratch,
    ) -> bool {
        for (depth, now) in self.ancestor_pairs(nodes).enumerate() {
            let touch =
                scratch.node_pair_cache.ancestors_overlap(depth, now).unwrap_or_else(|| {
                    let left = if now == nodes { PendingTests::Hulls } else { above };
                    let touch = self.cached_overlap(now, left, scratch);
                    scratch.node_pair_cache.store_ancestors(depth, now, touch);
                    touch
                });
            if !touch {
                return false;
            }
        }
        true
    }

    /// Returns `true` if no test separates two nodes or any pair of their ancestors, of the pairs
    /// that may have hulls and are cached.
    pub(in crate::tree) fn first_nodes_overlap(
        &self,
        nodes: (u32, u32),
        scratch: &mut TreeScratch,
    ) -> bool {
        let [first, second] = [self.ordered_pair().first.tree, self.ordered_pair().second.tree];
        let limits = self.hull_counts().map(|hulls| hulls.min(CACHED_NODES));
        let mut nodes_here = (0, 0);
        while nodes_here.0 < limits[0] && nodes_here.1 < limits[1] {
            if !self.cached_overlap(nodes_here, PendingTests::All, scratch) {
                return false;
            }
            let next = (
                first.child_towards(nodes_here.0, nodes.0),
                second.child_towards(nodes_here.1, nodes.1),
            );
            // A node is not at equal depth with one that still has to be opened.
            let must_open = |tree: &ObbTree<T>, now: u32, next: u32| {
                now == next && tree.nodes[now as usize].first_child > 0
            };
            if next == nodes_here
                || must_open(first, nodes_here.0, next.0)
                || must_open(second, nodes_here.1, next.1)
            {
                return true;
            }
            nodes_here = next;
        }
        true
    }

    /// Returns `true` if the slack of two nodes at equal depths, whose boxes overlap, is at most
    /// `tolerance` [world units], or if a test separates them. Ignores their ancestors' slack.
    pub(in crate::tree) fn within_tolerance(
        &self,
        (a, b): (u32, u32),
        tolerance: f64,
        scratch: &mut TreeScratch,
    ) -> bool {
        let (first, second) = self.canonical_nodes(a, b);
        let fits = |slack: f64| T::at_least(slack).wide() <= tolerance;
        self.beyond_margin(first.bound.wide() + second.bound.wide()) <= tolerance
            && fits(self.node_slack(first, second))
            || self.hull_pair(a, b).is_some_and(|[x, y]| {
                let fits = |gap: f64| fits(self.beyond_margin(x.bound + y.bound + gap));
                fits(0.0)
                    && self
                        .cached_hull_distance((a, b), PendingTests::All, scratch)
                        .is_none_or(fits)
            })
    }

    /// Returns the slack of two parts that are reported at that accuracy: [`cut_slack`] or, if it
    /// is less, that of the hulls of the two roots, whose gap is measured in this pose. Like that
    /// of the cuts it never rises with depth, because the roots are above every cut. Uses what the
    /// last query of these trees cached about the roots. [world units]
    ///
    /// [`cut_slack`]: crate::tree::cut_slack
    pub(crate) fn report_slack(&self, accuracy: Accuracy, scratch: &mut TreeScratch) -> T {
        let slack = self.part_slack(accuracy);
        match (accuracy, self.hull_pair(0, 0)) {
            (Accuracy::Depth(_), Some([x, y]))
                if self.beyond_margin(x.bound + y.bound) < slack.wide() =>
            {
                let gap = || self.hull_pair_distance([x, y], scratch.simd);
                let gap = scratch.node_pair_cache.overlapping_hull_distance((0, 0), gap);
                // No less than at `Exact`, where primitives alone decide.
                let of_primitives = self.primitive_slack().wide();
                let excess = |gap| self.beyond_margin(x.bound + y.bound + gap).max(of_primitives);
                let of_hulls = T::at_least(gap.map_or(f64::INFINITY, excess));
                if of_hulls < slack { of_hulls } else { slack }
            }
            _ => slack,
        }
    }

    /// Returns the least slack of two overlapping nodes and their ancestors at equal depths. [world
    /// units]
    pub(in crate::tree) fn least_slack(&self, nodes: (u32, u32), simd: SimdLevel) -> f64 {
        let (first, second) = self.canonical_nodes(nodes.0, nodes.1);
        self.least_chain_slack(nodes, self.node_slack(first, second), simd, None)
    }

    /// Like [`least_slack`](Self::least_slack), given an upper bound on it and, optionally, a
    /// cache.
    fn least_chain_slack(
        &self,
        nodes: (u32, u32),
        mut least: f64,
        simd: SimdLevel,
        mut cache: Option<&mut NodePairCache>,
    ) -> f64 {
        if self.beyond_margin(self.ordered_pair().least_ancestor_bounds(nodes)) >= least {
            return least;
        }
        // Walks from the nodes up to the roots: bounds grow upwards, so the first prune the rest.
        let (mut chain, mut len) = ([(0, 0); LEVELS], 0);
        for (entry, now) in chain.iter_mut().zip(self.ancestor_pairs(nodes)) {
            (*entry, len) = (now, len + 1);
        }
        for &(a, b) in chain[..len].iter().rev() {
            let (first, second) = self.canonical_nodes(a, b);
            if self.beyond_margin(first.bound.wide() + second.bound.wide()) < least {
                least = least.min(self.node_slack(first, second));
            }
            if let Some([x, y]) = self.hull_pair(a, b)
                && self.beyond_margin(x.bound + y.bound) < least
            {
                let gap = || self.hull_pair_distance([x, y], simd);
                let gap = match &mut cache {
                    Some(known) => known.overlapping_hull_distance((a, b), gap),
                    None => gap(),
                };
                least =
                    gap.map_or(least, |gap| least.min(self.beyond_margin(x.bound + y.bound + gap)));
            }
        }
        least
    }
}

impl<T: Scalar> OrderedPair<'_, T> {
    /// Returns the least slack of the ancestors of two nodes, or of their hulls, if that may be
    /// less than the slack of the nodes' boxes; otherwise a value no less than that. `cache` must
    /// be the cache of these trees. [world units]
    #[inline]
    pub(in crate::tree) fn ancestor_slack(
        &self,
        a: NodeId,
        b: NodeId,
        simd: SimdLevel,
        cache: Option<&mut NodePairCache>,
    ) -> f64 {
        let (a, b) = self.canonical_ids(a, b);
        let (first, second) = (self.first.tree.node(a), self.second.tree.node(b));
        let own = first.bound.wide() + second.bound.wide() + self.gap_upper_bound(first, second);
        match own <= self.least_ancestor_bounds((a.0, b.0)) {
            true => f64::INFINITY,
            false => TreePair::from_ordered(*self).least_chain_slack((a.0, b.0), own, simd, cache),
        }
    }

    /// Returns a lower bound on the sum of bounds of two ancestors at equal depths, where one of
    /// them may be the node itself, and of the hulls of the two nodes. [part units]
    fn least_ancestor_bounds(&self, (a, b): (u32, u32)) -> f64 {
        let [first, second] = [(self.first.tree, a), (self.second.tree, b)].map(|(tree, id)| {
            let (node, hull) = (&tree.nodes[id as usize], tree.hulls.hull(id));
            let (own, above) = (node.bound.wide(), node.ancestor_bound.wide());
            let of_hull = hull.map_or(f64::INFINITY, |hull| hull.bound);
            [of_hull, own.min(of_hull).min(above), above]
        });
        let above = (first[1] + second[2]).min(first[2] + second[1]);
        above.min(first[0] + second[0])
    }

    /// Returns an upper bound on [`gap`](crate::num::tolerance::gap) without a root or a quotient:
    /// the mean of two numbers is no less than the root of their product.
    fn gap_upper_bound(&self, first: &Node<T>, second: &Node<T>) -> f64 {
        let half = |node: &Node<T>| node.oriented.half_extents().sum().wide();
        let size = (1.0 + 4.0 * T::ROUNDING) * (half(first) + half(second));
        size / 128.0 + 1024.0 * T::LEAF_SLACK * (size + self.size_pad())
    }
}
