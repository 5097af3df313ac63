//! The tree of one part: its fields, accessors and cut.

use super::{
    Build, BuildProgress, Geometry, Node, NodeId, Watch, WatchedBuild, WideBvh, unwatched,
};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::WideObb;

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
    pub(super) geometry: Geometry<T>,
    pub(super) nodes: Vec<Node<T>>,
    pub(super) order: Vec<u32>,
    pub(super) depth: u8,
    /// Largest bound and radius of the nodes of the cut at each depth.
    pub(super) cut_bounds: Vec<CutBounds>,
    pub(super) radius_about_origin: f64,
    pub(super) root: super::store::root::RootBox,
    pub(super) wide_bvh: WideBvh<T>,
    pub(super) hulls: super::store::hulls::NodeHulls,
    /// A point of each connected component of the geometry [part units].
    pub(super) components: Vec<Vec3>,
    pub(super) fingerprint: u64,
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
        super::build::obb_tree(geometry, build, &mut progress)
    }

    /// Builds a tree like [`ObbTree::build`] as a share of more work.
    pub(crate) fn build_reporting(
        geometry: Geometry<T>,
        build: &Build,
        progress: &mut dyn BuildProgress,
    ) -> Result<Self, Error> {
        super::build::obb_tree(geometry, build, progress)
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
        let digest = super::build::TreeDigest::from_nodes(&tree.geometry, &tree.nodes, &tree.hulls);
        (tree.radius_about_origin, tree.fingerprint) =
            (digest.radius_about_origin(), digest.fingerprint());
        let bounds = tree.hulls.least_bounds(&tree.nodes);
        super::build::store_ancestor_bounds(&mut tree.nodes, &bounds);
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
    pub(super) fn enclosure(&self) -> Option<super::store::enclosure::Enclosure<'_, T>> {
        super::store::enclosure::Enclosure::new(&self.geometry, &self.nodes, &self.order)
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
        super::store::validate::check_tree(self)
    }
}
