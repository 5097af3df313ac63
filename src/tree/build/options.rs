//! The options of a build.

/// The greatest depth of any tree: one less than [`LEVELS`](crate::tree::LEVELS).
const DEEPEST: u8 = 32;

/// How to build a tree. Every choice gives a tree that [validates](crate::tree::ObbTree::validate)
/// and never loses a contact; they differ in the number of false contacts and in cost.
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
    /// The greatest depth of a node; at most 32. Fewer levels: less memory, coarser answers.
    pub max_depth: u8,
    /// Nodes with no more primitives than this stay leaves; at least 1. More: less memory, looser
    /// boxes. Near the leaves cuts are moved so that leaves are full. No leaf has more, unless
    /// [`max_depth`](Build::max_depth) ends the tree before: primitives with equal centroids are
    /// split by index.
    pub leaf_primitives: usize,
    /// How primitives are partitioned.
    pub split: Split,
    /// How boxes are oriented.
    pub fit: Fit,
    /// How the distance from the boxes to their contents is bounded.
    pub bound: Bound,
    /// Nodes less deep than this get a convex hull beside their boxes; at most 8, 0 for none. More:
    /// fewer false positives at small depths, more memory, a longer build. There are none of single
    /// primitives, where the oriented box tells as much, nor of more than 8 hand-made boxes.
    pub hull_levels: u8,
}

/// How the primitives of a node are partitioned. The first three cut across the longest axis of the
/// node's own box, or the next on which the centroids differ. Where they differ on none, every
/// split halves by index; where a tree would get deeper than 32, at the median.
///
/// ```
/// use boxwood::{Build, tree::Split};
///
/// let build = Build::new().split(Split::BottomUp); // fewer tests, a longer build
/// assert_ne!(build.split, Build::default().split);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Split {
    /// At the median of the centroids: the flattest tree, and the quickest to build.
    Median,
    /// At the median of the surface area: halves of like size where the mesh is finer in places,
    /// and a deeper tree there.
    AreaMedian,
    /// At the mean of the centroids: follows gaps. On real characters a tenth fewer tests than the
    /// median, and fewer false positives at every depth.
    #[default]
    Mean,
    /// By the surface area heuristic (SAH): the least sum of box surface times number of primitives,
    /// over cuts along the axes of the node's box, those of the part's frame, and by where primitives
    /// face. On real characters a quarter to a half fewer tests than the mean, and fewer false
    /// positives below the root; three times as long to build.
    Sah,
    /// Bottom-up, by merging neighbours in pairs, those with small boxes first: follows the shape
    /// most closely. On real characters half the tests of the median on the way to the same leaves,
    /// and fewer nodes for a tolerance, but deeper trees and half as long again to build.
    /// Clusters that would lie too deep are halved in the order of their leaves.
    BottomUp,
}

/// How the oriented box of a node is oriented. A leaf with one hand-made box has that box, whatever
/// is chosen.
///
/// ```
/// use boxwood::{Build, tree::Fit};
///
/// let build = Build::new().fit(Fit::Aligned);
/// assert_ne!(build.fit, Build::default().fit);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fit {
    /// Along the frame of the part: nothing to compute, and loose where the geometry is slanted.
    Aligned,
    /// Along the principal axes of the surface: good for long parts, poor for stubby ones.
    Spread,
    /// The better of those and, for few primitives, one along the first of them.
    #[default]
    Best,
    /// The best, then rotated about each of its axes in turn to the smallest rectangle until
    /// nothing is gained: on real characters a tenth less surface than the best, and half as long
    /// again to build.
    Refined,
}

/// How [`Node::bound`](crate::tree::Node::bound) is found. Both are certain; one is close.
///
/// ```
/// use boxwood::{Build, tree::Bound};
///
/// assert_eq!(Build::new().bound, Bound::Certified); // meets a tolerance higher up in the tree
/// assert_eq!(Build::fast().bound, Bound::Corners); // builds faster
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// By the corners of the box and one primitive: exact for one, twice too much and more for
    /// several. Costs little.
    Corners,
    /// By cells of the box: within 15 % where the effort allows. Costs about as much as the rest of
    /// the build, and lets a tolerance be met higher up in the tree.
    #[default]
    Certified,
}

impl Build {
    /// The default: top-down across the longest axis, down to single primitives, with close bounds and
    /// convex hulls. For characters and robots that are loaded once.
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

    /// By the surface area heuristic, with refined boxes: a third fewer tests to the exact answer and
    /// fewer false positives, for some four times the time of [`Build::new`]. For models that are
    /// baked, or built once and asked millions of times.
    pub const fn tight() -> Self {
        Build { split: Split::Sah, fit: Fit::Refined, ..Build::new() }
    }

    /// Four primitives a leaf: a quarter of the nodes; bounds by corners, no convex hulls. For what is
    /// built while the user waits, and meshes of very many triangles.
    pub const fn fast() -> Self {
        Build { leaf_primitives: 4, bound: Bound::Corners, hull_levels: 0, ..Build::new() }
    }

    /// With [that depth](Build::max_depth) at most.
    pub const fn max_depth(mut self, max_depth: u8) -> Self {
        self.max_depth = max_depth;
        self
    }

    /// With [so many primitives](Build::leaf_primitives) a leaf.
    pub const fn leaf_primitives(mut self, leaf_primitives: usize) -> Self {
        self.leaf_primitives = leaf_primitives;
        self
    }

    /// With that [split rule](Split).
    pub const fn split(mut self, split: Split) -> Self {
        self.split = split;
        self
    }

    /// With boxes turned by that [fit](Fit).
    pub const fn fit(mut self, fit: Fit) -> Self {
        self.fit = fit;
        self
    }

    /// With [bounds](Bound) found that way.
    pub const fn bound(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }

    /// With convex hulls of the nodes of [so many levels](Build::hull_levels).
    pub const fn hull_levels(mut self, hull_levels: u8) -> Self {
        self.hull_levels = hull_levels;
        self
    }

    /// Whether a node must be a leaf, given its depth and its number of primitives.
    pub(super) fn stops(&self, depth: usize, primitives: usize) -> bool {
        depth >= usize::from(self.max_depth.min(DEEPEST))
            || primitives <= self.leaf_primitives.max(1)
    }

    /// Whether both halves of a node of that depth, given their numbers of primitives, can be
    /// halved down to full leaves before the tree is too deep for any build. True of even halves
    /// wherever it is of the node.
    pub(super) fn leaves_room(&self, depth: usize, halves: [usize; 2]) -> bool {
        let levels = usize::from(DEEPEST).saturating_sub(depth + 1);
        let leaves = halves.map(|half| half.div_ceil(self.leaf_primitives.max(1)));
        leaves.into_iter().all(|leaves| leaves as u64 <= 1 << levels)
    }
}

impl Default for Build {
    fn default() -> Self {
        Build::new()
    }
}
