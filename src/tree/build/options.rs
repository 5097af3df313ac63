//! Options of a build.

/// Largest depth of any tree: one less than [`LEVELS`](crate::tree::LEVELS).
const MAX_DEPTH: u8 = 32;

/// Options of a build. Every choice gives a tree that [validates](crate::tree::ObbTree::validate)
/// and never misses a contact; choices differ in the number of false positives and in cost.
///
/// ```
/// use boxwood::tree::{Build, Split};
///
/// let build = Build::tight().max_depth(6); // few, close boxes
/// assert_eq!((build.split, build.leaf_primitives), (Split::Sah, 1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Build {
    /// Largest depth of a node; at most 32. Less: less memory, coarser answers.
    pub max_depth: u8,
    /// Largest number of primitives of a leaf; at least 1. More: less memory, looser boxes. Near
    /// the leaves splits are moved so that leaves are full. Leaves have more only where
    /// [`max_depth`](Build::max_depth) ends the tree: primitives with equal centroids are split by
    /// index.
    pub leaf_primitives: usize,
    /// Partition of the primitives.
    pub split: Split,
    /// Orientation of the boxes.
    pub fit: Fit,
    /// Bound on the distance of the boxes from their contents.
    pub bound: Bound,
    /// Number of depths whose nodes get a convex hull beside their boxes; at most 8, 0 for none.
    /// More: fewer false positives at small depths, more memory, a longer build. Single primitives
    /// have none, as the oriented box separates as much; nor have trees of more than 8 hand-made
    /// boxes.
    pub hull_levels: u8,
}

/// Partition of the primitives of a node. The first three cut across the longest axis of the node's
/// own box, or the next along which the centroids differ. Where they differ along none, every rule
/// halves by index; where a tree would exceed depth 32, it halves at the median.
///
/// ```
/// use boxwood::{Build, tree::Split};
///
/// let build = Build::new().split(Split::BottomUp); // fewer tests, a longer build
/// assert_ne!(build.split, Build::default().split);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Split {
    /// Median of the centroids: the flattest tree, and the fastest to build.
    Median,
    /// Median of the surface area: halves of equal area where the mesh is finer in places, and a
    /// deeper tree there.
    AreaMedian,
    /// Mean of the centroids: follows gaps. On real characters a tenth fewer tests than the median,
    /// and fewer false positives at every depth.
    #[default]
    Mean,
    /// Surface area heuristic (SAH): the least sum of box surface times number of primitives, over
    /// cuts along the axes of the node's box, those of the part's frame, and by the primitives'
    /// normals. On real characters a quarter to a half fewer tests than the mean, and fewer false
    /// positives below the root; three times as long to build.
    Sah,
    /// Bottom-up merging of neighbours in pairs, those with small boxes first: follows the shape
    /// most closely. On real characters half the tests of the median on the way to equal leaves,
    /// and fewer nodes for a tolerance, but deeper trees and half as long again to build. Clusters
    /// that would exceed the depth are halved in the order of their leaves.
    BottomUp,
}

/// Orientation of a node's oriented box. A leaf with one hand-made box has that box, at every
/// choice.
///
/// ```
/// use boxwood::{Build, tree::Fit};
///
/// let build = Build::new().fit(Fit::Aligned);
/// assert_ne!(build.fit, Build::default().fit);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Fit {
    /// Axes of the part's frame: nothing to compute, and loose around slanted geometry.
    Aligned,
    /// Principal axes of the surface: good for long parts, poor for stubby ones.
    Spread,
    /// Better of these two and, for few primitives, of the axes of the first of them.
    #[default]
    Best,
    /// Best, then rotated about each axis in turn to the smallest rectangle until nothing is
    /// gained: on real characters a tenth less surface than the best, and half as long again to
    /// build.
    Refined,
}

/// Method that computes [`Node::bound`](crate::tree::Node::bound). Both are certain; one is close.
///
/// ```
/// use boxwood::{Build, tree::Bound};
///
/// assert_eq!(Build::new().bound, Bound::Certified); // reaches a tolerance higher up in the tree
/// assert_eq!(Build::fast().bound, Bound::Corners); // builds faster
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Bound {
    /// Distance of the box's corners from one primitive: exact for one primitive, twice too much
    /// and more for several. Costs little.
    Corners,
    /// Search over cells of the box: within 15 % where the effort allows. Costs several times as
    /// much as the rest of the build, and lets a query reach a tolerance higher up in the tree.
    #[default]
    Certified,
}

impl Build {
    /// Returns the default: top-down across the longest axis, down to single primitives, with close
    /// bounds and convex hulls. For characters and robots that are loaded once.
    pub const fn new() -> Self {
        Build {
            max_depth: 32,
            leaf_primitives: 1,
            split: Split::Mean,
            fit: Fit::Best,
            bound: Bound::Certified,
            hull_levels: 4,
        }
    }

    /// Returns the options for the surface area heuristic with refined boxes: a third fewer tests
    /// to the exact answer and fewer false positives, for some four times the time of
    /// [`Build::new`]. For models that are baked, or built once and queried millions of times.
    pub const fn tight() -> Self {
        Build { split: Split::Sah, fit: Fit::Refined, ..Build::new() }
    }

    /// Returns the options for meshes of CAD programs, whose triangles differ in size by orders of
    /// magnitude: merged [bottom-up](Split::BottomUp). Robots that are loaded from files have them
    /// by default. On four robots an exact check takes from the same time as with [`Build::new`]
    /// to a twelfth of it, the build up to 1.9 times as long; boxes at small depths fit less.
    pub const fn robots() -> Self {
        Build { split: Split::BottomUp, ..Build::new() }
    }

    /// Returns the options for four primitives in each leaf: a quarter of the nodes; bounds by
    /// corners, no convex hulls. For builds while the user waits, where memory counts, and for
    /// rays. Exact queries of characters test all pairs of primitives of two leaves: against a
    /// level they take some 15 times as long as with [`Build::level`].
    pub const fn fast() -> Self {
        Build { leaf_primitives: 4, bound: Bound::Corners, hull_levels: 0, ..Build::new() }
    }

    /// Returns the options for levels and other static worlds: one primitive in each leaf, bounds
    /// by corners, no convex hulls. Queries at [`Accuracy::Exact`](crate::Accuracy::Exact) take as
    /// long as with [`Build::new`], whose closer bounds and hulls serve the other accuracies; the
    /// build takes a tenth to a twentieth. The example `world_builds` measures it beside the other
    /// options.
    ///
    /// ```
    /// use boxwood::Build;
    /// use boxwood::tree::Bound;
    ///
    /// assert_eq!((Build::level().leaf_primitives, Build::level().bound), (1, Bound::Corners));
    /// ```
    pub const fn level() -> Self {
        Build { leaf_primitives: 1, ..Build::fast() }
    }

    /// Returns the options with bounds by corners and without convex hulls: the same nodes and
    /// boxes, after a tenth of the time or less. [`ObbTree::complete`](crate::ObbTree::complete)
    /// adds the rest.
    ///
    /// ```
    /// use boxwood::Build;
    ///
    /// assert_eq!(Build::new().boxes_only(), Build::level());
    /// ```
    pub const fn boxes_only(mut self) -> Self {
        (self.bound, self.hull_levels) = (Bound::Corners, 0);
        self
    }

    /// Sets the [largest depth](Build::max_depth).
    pub const fn max_depth(mut self, max_depth: u8) -> Self {
        self.max_depth = max_depth;
        self
    }

    /// Sets the [number of primitives in a leaf](Build::leaf_primitives).
    pub const fn leaf_primitives(mut self, leaf_primitives: usize) -> Self {
        self.leaf_primitives = leaf_primitives;
        self
    }

    /// Sets the [split rule](Split).
    pub const fn split(mut self, split: Split) -> Self {
        self.split = split;
        self
    }

    /// Sets the [orientation of the boxes](Fit).
    pub const fn fit(mut self, fit: Fit) -> Self {
        self.fit = fit;
        self
    }

    /// Sets the [method of the bounds](Bound).
    pub const fn bound(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }

    /// Sets the [number of depths with convex hulls](Build::hull_levels).
    pub const fn hull_levels(mut self, hull_levels: u8) -> Self {
        self.hull_levels = hull_levels;
        self
    }

    /// Returns `true` if a node must be a leaf, given its depth and its number of primitives.
    pub(super) fn must_be_leaf(&self, depth: usize, primitives: usize) -> bool {
        depth >= usize::from(self.max_depth.min(MAX_DEPTH))
            || primitives <= self.leaf_primitives.max(1)
    }

    /// Returns `true` if both halves of a node of that depth, given their numbers of primitives,
    /// can be halved down to full leaves before the tree exceeds its largest depth. Always true of
    /// even halves if it is true of the node.
    pub(super) fn fits_depth(&self, depth: usize, halves: [usize; 2]) -> bool {
        let remaining_depth = usize::from(MAX_DEPTH).saturating_sub(depth + 1);
        let leaves = halves.map(|half| half.div_ceil(self.leaf_primitives.max(1)));
        leaves.into_iter().all(|leaves| leaves as u64 <= 1 << remaining_depth)
    }
}

impl Default for Build {
    fn default() -> Self {
        Build::new()
    }
}
