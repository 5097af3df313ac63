//! Box trees: one part's geometry in boxes within boxes, and the descent of two of them.

mod alike;
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
mod dial;
mod distance;
mod enclosure;
mod first_contact;
mod geometry;
mod hulls;
mod inside;
mod judge;
mod known_pairs;
mod known_touches;
mod margin;
mod memory;
mod pair;
mod passage;
mod pending;
mod progress;
mod push;
mod root;
mod scratch;
mod seats;
mod separation;
mod shape_cast;
mod slack;
mod sweep;
mod traverse_wide;
mod validate;
mod wide_bvh;

use std::fmt;
use std::ops::Range;

pub(crate) use budget::Spending;
pub use build::{Bound, Build, Fit, Split};
#[cfg(feature = "bake")]
pub(crate) use build::{CompactNode, CompactTree};
pub(crate) use contacts::Waiting;
pub use counts::{Counts, LEVELS};
pub use curve::IntersectionCurve;
pub use dial::{Accuracy, DecidedBy, NodePair, Report};
pub(crate) use distance::check as check_distance;
pub(crate) use first_contact::FirstTouch;
pub use geometry::Geometry;
pub use hulls::PaddedHull;
pub(crate) use known_touches::KnownTouches;
pub(crate) use margin::check_margin;
pub use pair::TreePair;
pub(crate) use passage::Shift;
pub use passage::{Passage, ShiftedContact};
pub(crate) use progress::{BuildProgress, unwatched};
pub use progress::{Progress, Stage, Watch};
pub use push::Push;
pub(crate) use root::roots_beyond;
pub use scratch::TreeScratch;
pub(crate) use seats::{Rank, Seat, Seats};
pub use separation::Separation;
pub(crate) use separation::{Best, Bodies, Exit, search as search_separation};
pub(crate) use shape_cast::{CastCore, MovingShape, ShapeContact, ShapeShift};
pub(crate) use slack::{cut_slack, part_slack};
pub(crate) use wide_bvh::WideBvh;

use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3};
use crate::shape::{Aabb, Obb, WideObb};

/// A node of a tree: breadth-first in the binary tree, the root first.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Vector3};
/// # use boxwood::{Build, Geometry, Obb, ObbTree};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
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
    /// The box around everything.
    pub const ROOT: NodeId = NodeId(0);

    /// The node with that number.
    pub fn new(index: usize) -> Self {
        NodeId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The number of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A node of an OBB tree: two boxes around the same primitives, and its children. In the frame of
/// the part.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Vector3};
/// # use boxwood::{Build, Geometry, Obb, ObbTree};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
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
    /// The least bound of the boxes and hulls of the nodes above; infinite for the root.
    above: T,
    /// The first of two children that follow each other; 0 for a leaf.
    child: u32,
    first: u32,
    last: u32,
}

impl<T: Scalar> Node<T> {
    /// One around those primitives without its boxes and their bound.
    fn leaf(range: Range<usize>) -> Self {
        Node {
            aligned: Aabb::empty(),
            oriented: WideObb { center: [0.0; 3], axes: IDENTITY, half_extents: [0.0; 3] }.narrow(),
            bound: T::zero(),
            above: T::nearest(f64::INFINITY),
            child: 0,
            first: range.start as u32,
            last: range.end as u32,
        }
    }

    /// Its primitives, as places in the order of the leaves.
    fn range(&self) -> Range<usize> {
        self.first as usize..self.last as usize
    }

    /// The box aligned with the part's frame: contains those of all descendants.
    pub fn aligned(&self) -> &Aabb<T, 3> {
        &self.aligned
    }

    /// The box turned to fit. Need not contain those of its descendants, only their primitives.
    pub fn oriented(&self) -> &Obb<T> {
        &self.oriented
    }

    /// No point of the oriented box is further from the geometry in it than this, or from the
    /// inside of a part that is solid. Part units.
    pub fn bound(&self) -> T {
        self.bound
    }

    /// The two halves; `None` for a leaf.
    pub fn children(&self) -> Option<[NodeId; 2]> {
        (self.child > 0).then_some([NodeId(self.child), NodeId(self.child + 1)])
    }
}

/// A binary tree of boxes around the geometry of one part; immutable. Coordinates are those of the
/// part's frame.
///
/// Built top-down unless [`Build`] says otherwise: a node is split across the longest axis of its
/// own oriented box at the mean of the primitives' centroids, across the second or third axis where
/// the longer ones do not separate them, by index where none does. Every primitive is in exactly one leaf and inside both
/// boxes of every node above it. The same input gives the same bits.
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
    /// The loosest of the nodes of the cut at each depth.
    coarsest: Vec<Coarsest>,
    reach: f64,
    root: root::Root,
    wide_bvh: WideBvh<T>,
    hulls: hulls::Hulls,
    /// A point of each connected piece of the geometry.
    components: Vec<Vec3>,
    fingerprint: u64,
}

/// What holds for every node of a cut. Part units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Coarsest {
    /// The largest bound.
    pub bound: f64,
    /// The largest half diagonal of an oriented box.
    pub radius: f64,
}

impl<T: Scalar> ObbTree<T> {
    /// Builds the tree of a mesh or of hand-made boxes.
    ///
    /// # Errors
    /// [`Error::Empty`] if there is nothing to put in boxes; [`Error::Open`] naming the edges of a
    /// solid that is not closed.
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

    /// As [`ObbTree::build`], calling a progress function.
    ///
    /// # Errors
    /// The same, and [`Error::Cancelled`].
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Build, Error, Geometry, Obb, ObbTree};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// use std::ops::ControlFlow;
    ///
    /// let (boxes, mut stop) = (Geometry::Boxes(vec![cube]), |_| ControlFlow::Break(()));
    /// let tree = ObbTree::build_watched(boxes, &Build::default(), &mut stop);
    /// assert_eq!(tree, Err(Error::Cancelled));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn build_watched(
        geometry: Geometry<T>,
        build: &Build,
        watch: &mut Watch<'_>,
    ) -> Result<Self, Error> {
        let mut progress = BuildProgress::new(watch, geometry.len())?;
        build::tree(geometry, build, &mut progress)
    }

    /// The same as a share of more work.
    pub(crate) fn build_reporting(
        geometry: Geometry<T>,
        build: &Build,
        progress: &mut BuildProgress<'_, '_>,
    ) -> Result<Self, Error> {
        build::tree(geometry, build, progress)
    }

    /// The geometry in the boxes.
    pub fn geometry(&self) -> &Geometry<T> {
        &self.geometry
    }

    /// The number of nodes; at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// One node.
    ///
    /// # Panics
    /// If there is no such node; ids of answers about this tree are always good.
    pub fn node(&self, id: NodeId) -> &Node<T> {
        &self.nodes[id.index()]
    }

    /// The primitives of a node: indices of triangles or of hand-made boxes, ascending in a leaf.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn primitives(&self, id: NodeId) -> &[u32] {
        let node = self.node(id);
        &self.order[node.first as usize..node.last as usize]
    }

    /// The length of the longest path from the root; 0 for a single box.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// The cut at that depth: the nodes there, and the leaves above.
    pub fn cut(&self, depth: u8) -> Vec<NodeId> {
        let mut level = vec![NodeId::ROOT];
        for _ in 0..depth.min(self.depth) {
            let finer = |&id: &NodeId| match self.node(id).children() {
                Some(children) => children.to_vec(),
                None => vec![id],
            };
            level = level.iter().flat_map(finer).collect();
        }
        level
    }

    /// The same tree without the nodes below that depth: those at it become leaves.
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
        let kept = self.cut(depth).iter().map(|node| node.index() + 1).max().unwrap_or(1);
        let mut tree = self.clone();
        // Breadth-first, so what lies deeper comes after the last node of the cut.
        tree.nodes.truncate(kept);
        for node in &mut tree.nodes {
            if node.child as usize >= kept {
                node.child = 0;
                tree.order[node.first as usize..node.last as usize].sort_unstable();
            }
        }
        tree.depth = depth.min(self.depth);
        tree.coarsest.truncate(usize::from(tree.depth) + 1);
        tree.hulls = self.hulls.anew(&tree.geometry, (&tree.nodes, &tree.order));
        let digest = build::TreeDigest::of(&tree.geometry, &tree.nodes, &tree.hulls);
        (tree.reach, tree.fingerprint) = (digest.reach(), digest.fingerprint());
        let bounds = tree.hulls.least_bounds(&tree.nodes);
        build::hand_down(&mut tree.nodes, &bounds);
        tree.wide_bvh = WideBvh::new(&tree.geometry, (&tree.nodes, &tree.order), &bounds);
        tree
    }

    pub(crate) fn coarsest(&self, depth: u8) -> &Coarsest {
        &self.coarsest[usize::from(depth.min(self.depth))]
    }

    /// The oriented box of the root.
    pub(crate) fn root_obb(&self) -> WideObb {
        self.nodes[0].oriented.wide()
    }

    /// The nodes with up to eight children.
    pub(crate) fn wide_bvh(&self) -> &WideBvh<T> {
        &self.wide_bvh
    }

    /// What decides inside from outside; `None` for what has no inside, or is made of boxes.
    fn enclosure(&self) -> Option<enclosure::Enclosure<'_, T>> {
        enclosure::Enclosure::new(&self.geometry, &self.nodes, &self.order)
    }

    /// No point of any box is further from the origin of the part's frame. Part units.
    pub fn reach(&self) -> T {
        T::at_least(self.reach)
    }

    /// The same, not rounded up.
    pub(crate) fn wide_reach(&self) -> f64 {
        self.reach
    }

    /// A hash of the geometry and the shape of the tree, the same on every machine.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Checks exactly, without a tolerance, that every primitive lies inside both boxes of every
    /// node above it and in one leaf, and that aligned boxes nest.
    ///
    /// # Errors
    /// The first thing found wrong, in words. A tree that [`ObbTree::build`] made has none.
    pub fn validate(&self) -> Result<(), String> {
        validate::tree(self)
    }
}
