//! Trees of boxes: the geometry of one part in nested boxes, and the queries of two placed trees.
//!
//! A part is rigid, so its tree is built once and a query brings only the poses. This module
//! answers for two trees: which nodes or primitives touch, how far apart they are, when a moving
//! one hits the other, and how far it has to move to separate. Characters and scenes build on it:
//! [`mod@crate::model`], [`mod@crate::scene`].
//!
//! # Types
//! | type | what it is |
//! |---|---|
//! | [`Geometry`] | the primitives of a part: triangles, boxes, convex shapes |
//! | [`ObbTree`], [`Node`], [`NodeId`] | the tree; each node has an aligned and an oriented box |
//! | [`PaddedHull`] | the convex hull of a node near the root |
//! | [`Build`] | the options of a build |
//! | [`TreePair`], [`TreeScratch`] | two trees with their poses, and the scratch memory of queries |
//! | [`Accuracy`], [`Report`], [`Counts`] | how fine an answer is, its slack, its cost |
//! | [`Separation`], [`Push`], [`Passage`] | answers about translations of one of the two |
//!
//! # What to read first
//! `geometry.rs`, this file and `pair.rs` for the data; then `descent.rs`, which defines an answer:
//! it tests one pair of nodes at a time. `traverse_wide.rs` is the fast form and finds the same
//! pairs: nodes of `wide_bvh.rs` have up to eight children, and eight of one tree are tested
//! against eight of the other in SIMD lanes. `build/` makes trees; `bound/` proves how far a box
//! reaches beyond its contents.
//!
//! # The descent
//! Pairs of nodes at equal depth descend together from the two roots; a leaf is paired with all
//! deeper nodes of the other tree. [`Accuracy`] sets the cut: one depth, or one for each pair.
//!
//! ```text
//! (a0, b0)                aligned boxes: 6 face axes          separated: prune
//!    |  children x children
//! (a1, b1) (a1, b1') ..   aligned boxes: 6 face axes          separated: prune
//!    |
//! (ak, bk) ..             the cut:
//!                         1. aligned boxes:  all 15 axes       separated: reject
//!                         2. oriented boxes: 15 axes           separated: reject
//!                         3. convex hulls, if both have one    separated: reject
//!                         4. primitives, exactly: always for `Exact`,
//!                            for `Within` where leaves are too coarse
//! ```
//!
//! A pair at the cut is reported unless one of these tests separates it or a pair of its ancestors.
//! If no pair is reported and the roots overlap, a point of each component of either part is tested
//! against the inside of the other.

mod accuracy;
mod ancestors;
mod bound;
mod budget;
mod build;
mod common_ball;
mod components;
mod contacts;
mod contains;
mod counts;
mod curve;
mod deepest;
mod descent;
mod distance;
mod enclosure;
mod first_contact;
mod geometry;
mod hulls;
mod inside;
mod margin;
mod memory;
mod node_pair_cache;
mod node_size_key;
mod ordered_pair;
mod pair;
mod passage;
mod primitive_test;
mod progress;
mod push;
mod root;
mod scratch;
mod separation;
mod shape_cast;
mod slack;
mod stack_entries;
mod sweep;
mod traverse_wide;
mod validate;
mod wide_bvh;
mod witness_cache;

use std::fmt;
use std::ops::Range;

pub use accuracy::{Accuracy, DecidedBy, NodePair, Report};
pub(crate) use budget::BudgetTraversal;
pub use build::{Bound, Build, Fit, Split};
#[cfg(feature = "bake")]
pub(crate) use build::{CompactNode, CompactTree};
pub(crate) use contacts::ContactBatch;
pub use counts::{Counts, LEVELS};
pub use curve::IntersectionCurve;
pub(crate) use distance::check_distance_query as check_distance;
pub(crate) use first_contact::ShiftContact;
pub use geometry::Geometry;
pub use hulls::PaddedHull;
pub(crate) use margin::check_margin;
pub(crate) use ordered_pair::{OrderedPair, PlacedTree, TieBreak};
pub use pair::TreePair;
pub(crate) use passage::TranslationQuery;
pub use passage::{Passage, ShiftedContact};
pub(crate) use progress::{BuildProgress, WatchedBuild, unwatched};
pub use progress::{Progress, Stage, Watch};
pub use push::Push;
pub(crate) use root::root_distance_exceeds;
pub use scratch::TreeScratch;
pub use separation::Separation;
pub(crate) use separation::{Incumbent, LastContact, SeparationPair, search_separation};
pub(crate) use shape_cast::{CastCore, MovingShape, ShapeCastQuery, ShapeContact};
pub(crate) use slack::{cut_slack, part_slack};
pub(crate) use wide_bvh::WideBvh;
pub(crate) use witness_cache::WitnessCache;

use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3};
use crate::shape::{Aabb, Obb, WideObb};

/// Index of a node: breadth-first in the binary tree, the root first.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::NodeId;
///
/// assert_eq!(tree.node(NodeId::ROOT).children(), None); // one box: the root is a leaf
/// assert_eq!(NodeId::new(7).index(), 7);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(u32);

impl NodeId {
    /// The root: the node of all primitives.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the id of an index; indices above `u32::MAX` saturate.
    pub fn new(index: usize) -> Self {
        NodeId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Returns the index of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A node of an OBB tree: two boxes around the same primitives, in the frame of the part, and two
/// children.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::NodeId;
///
/// let root = tree.node(NodeId::ROOT);
/// assert_eq!(root.oriented(), &cube); // a leaf of one hand-made box has that box
/// assert_eq!(root.bound(), 0.0);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Node<T: Scalar> {
    aligned: Aabb<T, 3>,
    oriented: Obb<T>,
    bound: T,
    /// Least bound of the boxes and hulls of all ancestors [part units]; infinite for the root.
    ancestor_bound: T,
    /// Index of the first of two consecutive children; 0 for a leaf.
    first_child: u32,
    start: u32,
    end: u32,
}

impl<T: Scalar> Node<T> {
    /// Creates a leaf of some primitives, without boxes and bound.
    fn leaf(range: Range<usize>) -> Self {
        Node {
            aligned: Aabb::empty(),
            oriented: WideObb { center: [0.0; 3], axes: IDENTITY, half_extents: [0.0; 3] }.narrow(),
            bound: T::zero(),
            ancestor_bound: T::nearest(f64::INFINITY),
            first_child: 0,
            start: range.start as u32,
            end: range.end as u32,
        }
    }

    /// Returns the primitives, as positions in the order of the leaves.
    fn primitive_range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the box aligned with the part's frame. It contains those of all descendants.
    pub fn aligned(&self) -> &Aabb<T, 3> {
        &self.aligned
    }

    /// Returns the box rotated to fit. It contains the primitives of its descendants, but not
    /// always their boxes.
    pub fn oriented(&self) -> &Obb<T> {
        &self.oriented
    }

    /// Returns an upper bound on the distance of any point of the oriented box from the geometry in
    /// the node, or from the inside of a solid part [part units].
    pub fn bound(&self) -> T {
        self.bound
    }

    /// Returns the two children; `None` for a leaf.
    pub fn children(&self) -> Option<[NodeId; 2]> {
        (self.first_child > 0).then_some([NodeId(self.first_child), NodeId(self.first_child + 1)])
    }
}

/// Immutable binary tree of boxes around the geometry of one part, in the part's frame.
///
/// Trees are built top-down unless [`Build`] says otherwise: a node is split across the longest
/// axis of its own oriented box at the mean of the primitives' centroids, across the second or
/// third axis where the centroids do not differ along the longer ones, and by index where they
/// differ along none. Every primitive is in exactly one leaf and inside both boxes of every node
/// above it. Equal input gives equal bits.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Build, Geometry, Obb, ObbTree};
///
/// let at = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
/// let tree = ObbTree::build(Geometry::Boxes(vec![at(0.0)?, at(3.0)?]), &Build::default())?;
/// assert_eq!((tree.len(), tree.depth()), (3, 1)); // a root and two leaves
/// assert_eq!((tree.cut(0).len(), tree.cut(1).len()), (1, 2));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ObbTree<T: Scalar> {
    geometry: Geometry<T>,
    nodes: Vec<Node<T>>,
    order: Vec<u32>,
    depth: u8,
    /// Largest bound and radius of the nodes of the cut at each depth.
    cut_bounds: Vec<CutBounds>,
    radius_about_origin: f64,
    root: root::RootBox,
    wide_bvh: WideBvh<T>,
    hulls: hulls::NodeHulls,
    /// A point of each connected component of the geometry [part units].
    components: Vec<Vec3>,
    fingerprint: u64,
}

/// Maxima over the nodes of a cut [part units].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct CutBounds {
    /// The largest bound.
    pub bound: f64,
    /// The largest half diagonal of an oriented box.
    pub radius: f64,
}

impl<T: Scalar> ObbTree<T> {
    /// Builds the tree of a geometry.
    ///
    /// # Errors
    /// [`Error::Empty`] without primitives; [`Error::Open`] names the edges of a solid that is not
    /// closed.
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Build, Geometry, Mesh, NodeId, ObbTree};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let mesh = Mesh::new(corners.map(Point3::from).to_vec(), sides)?;
    /// let tree = ObbTree::build(Geometry::Solid(mesh.clone()), &Build::default())?;
    /// assert_eq!(tree.primitives(NodeId::ROOT).len(), 4);
    /// assert!(tree.validate().is_ok());
    ///
    /// let open = Mesh::new(mesh.vertices().to_vec(), mesh.triangles()[1..].to_vec())?;
    /// assert!(ObbTree::build(Geometry::Solid(open), &Build::default()).is_err()); // no inside
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn build(geometry: Geometry<T>, build: &Build) -> Result<Self, Error> {
        ObbTree::build_watched(geometry, build, &mut unwatched)
    }

    /// Builds a tree like [`ObbTree::build`], and calls a progress function.
    ///
    /// # Errors
    /// The errors of [`ObbTree::build`], and [`Error::Cancelled`].
    pub fn build_watched(
        geometry: Geometry<T>,
        build: &Build,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let mut progress = WatchedBuild::new(watch, geometry.len())?;
        build::obb_tree(geometry, build, &mut progress)
    }

    /// Builds a tree like [`ObbTree::build`] as a share of more work.
    pub(crate) fn build_reporting(
        geometry: Geometry<T>,
        build: &Build,
        progress: &mut dyn BuildProgress,
    ) -> Result<Self, Error> {
        build::obb_tree(geometry, build, progress)
    }

    /// Returns the geometry in the boxes.
    pub fn geometry(&self) -> &Geometry<T> {
        &self.geometry
    }

    /// Returns the number of nodes; at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns one node.
    ///
    /// # Panics
    /// If there is no such node. Ids in answers about this tree are always valid.
    pub fn node(&self, id: NodeId) -> &Node<T> {
        &self.nodes[id.index()]
    }

    /// Returns the primitives of a node: indices of triangles, boxes or convex shapes, ascending in
    /// a leaf.
    /// # Panics
    /// If there is no such node.
    pub fn primitives(&self, id: NodeId) -> &[u32] {
        let node = self.node(id);
        &self.order[node.start as usize..node.end as usize]
    }

    /// Returns the length of the longest path from the root; 0 for a single node.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Returns the nodes of the cut at a depth: the nodes there, and the leaves above.
    pub fn cut(&self, depth: u8) -> Vec<NodeId> {
        let mut nodes = vec![NodeId::ROOT];
        for _ in 0..depth.min(self.depth) {
            let next_nodes = |&id: &NodeId| match self.node(id).children() {
                Some(children) => children.to_vec(),
                None => vec![id],
            };
            nodes = nodes.iter().flat_map(next_nodes).collect();
        }
        nodes
    }

    /// Returns the tree without the nodes below a depth: the nodes at that depth become leaves.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Build, Geometry, Obb, ObbTree};
    ///
    /// let at = |x| Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(0.5));
    /// let tree = ObbTree::build(Geometry::Boxes(vec![at(0.0)?, at(3.0)?]), &Build::default())?;
    /// assert_eq!((tree.len(), tree.cut_off(0).len()), (3, 1));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn cut_off(&self, depth: u8) -> Self {
        let node_count = self.cut(depth).iter().map(|node| node.index() + 1).max().unwrap_or(1);
        let mut tree = self.clone();
        // Nodes are breadth-first: all nodes below the cut follow its last node.
        tree.nodes.truncate(node_count);
        for node in &mut tree.nodes {
            if node.first_child as usize >= node_count {
                node.first_child = 0;
                tree.order[node.start as usize..node.end as usize].sort_unstable();
            }
        }
        tree.depth = depth.min(self.depth);
        tree.cut_bounds.truncate(usize::from(tree.depth) + 1);
        tree.hulls = self.hulls.for_nodes(&tree.geometry, (&tree.nodes, &tree.order));
        let digest = build::TreeDigest::from_nodes(&tree.geometry, &tree.nodes, &tree.hulls);
        (tree.radius_about_origin, tree.fingerprint) =
            (digest.radius_about_origin(), digest.fingerprint());
        let bounds = tree.hulls.least_bounds(&tree.nodes);
        build::store_ancestor_bounds(&mut tree.nodes, &bounds);
        tree.wide_bvh = WideBvh::new(&tree.geometry, (&tree.nodes, &tree.order), &bounds);
        tree
    }

    pub(crate) fn cut_bounds(&self, depth: u8) -> &CutBounds {
        &self.cut_bounds[usize::from(depth.min(self.depth))]
    }

    pub(crate) fn root_obb(&self) -> WideObb {
        self.nodes[0].oriented.wide()
    }

    pub(crate) fn wide_bvh(&self) -> &WideBvh<T> {
        &self.wide_bvh
    }

    /// Returns the inside test of a solid mesh; `None` for other geometry.
    fn enclosure(&self) -> Option<enclosure::Enclosure<'_, T>> {
        enclosure::Enclosure::new(&self.geometry, &self.nodes, &self.order)
    }

    /// Returns an upper bound on the distance of any point of any box from the origin of the part's
    /// frame [part units].
    pub fn radius_about_origin(&self) -> T {
        T::at_least(self.radius_about_origin)
    }

    /// Returns [`ObbTree::radius_about_origin`] in double precision.
    pub(crate) fn wide_radius_about_origin(&self) -> f64 {
        self.radius_about_origin
    }

    /// Returns a hash of the geometry and the shape of the tree, equal on every machine.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Checks exactly, without a tolerance, that every primitive lies inside both boxes of every
    /// node above it and in one leaf, and that aligned boxes nest.
    ///
    /// # Errors
    /// Describes the first fault found. A tree that [`ObbTree::build`] made has none.
    pub fn validate(&self) -> Result<(), String> {
        validate::check_tree(self)
    }
}
