//! The tree of one part: its fields, accessors and cut.

use nalgebra::Point3;

use super::store::enclosure::InsideProbe;
use super::{Node, NodeId, PaddedHull, WideBvh, WideChild};
use crate::hull::HullCorners;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, rotate_back, sub};
use crate::pair::ConvexShape;
use crate::shape::{ExactRelativePose, Placement, Pose, WideObb, nearest_point};
use crate::tree::Geometry;
use crate::tree::node::OrderedNodes;

/// Immutable binary tree of boxes around the geometry of one part, in the part's frame.
///
/// Trees are built top-down unless [`Build`](super::Build) says otherwise: a node is split across
/// the longest axis of its own oriented box at the mean of the primitives' centroids, across the
/// second or third axis where the centroids do not differ along the longer ones, and by index where
/// they differ along none. Every primitive is in exactly one leaf and inside both boxes of every
/// node above it. Equal input gives equal bits.
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
    pub(super) root: super::store::root_box::RootBox,
    pub(super) wide_bvh: WideBvh<T>,
    pub(super) hulls: super::store::hulls::NodeHulls,
    /// A point of each connected component of the geometry [part units].
    pub(super) components: Vec<Vec3>,
    pub(super) fingerprint: u64,
    /// `true` if some primitive is decided up to rounding only: see
    /// [`Geometry::has_inexact_shapes`].
    pub(super) has_inexact_shapes: bool,
}

/// Maxima over the nodes of a cut [part units].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct CutBounds {
    /// The largest bound.
    pub bound: f64,
    /// The largest half diagonal of an oriented box.
    pub radius: f64,
    /// The least of the largest bounds of this cut and of those at lesser depths.
    pub least_bound: f64,
}

impl<T: Scalar> ObbTree<T> {
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

    pub(crate) fn cut_bounds(&self, depth: u8) -> &CutBounds {
        &self.cut_bounds[usize::from(depth.min(self.depth))]
    }

    pub(crate) fn root_obb(&self) -> WideObb {
        self.nodes[0].oriented.wide()
    }

    pub(crate) fn wide_bvh(&self) -> &WideBvh<T> {
        &self.wide_bvh
    }

    /// Returns the primitives of a leaf of the wide BVH.
    #[inline(always)]
    pub(crate) fn leaf_primitives<'a>(&'a self, leaf: &'a WideChild) -> &'a [u32] {
        leaf.leaf_primitives(self.ordered_nodes())
    }

    /// Returns the inside test of a solid mesh; `None` for other geometry.
    pub(super) fn enclosure(&self) -> Option<super::store::enclosure::Enclosure<'_, T>> {
        super::store::enclosure::Enclosure::new(&self.geometry, self.ordered_nodes())
    }

    #[inline(always)]
    pub(super) fn ordered_nodes(&self) -> OrderedNodes<'_, T> {
        OrderedNodes { nodes: &self.nodes, order: &self.order }
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

    /// Returns `true` if some primitive is decided up to rounding only.
    pub(crate) fn has_inexact_shapes(&self) -> bool {
        self.has_inexact_shapes
    }

    /// Returns a hash of the geometry and the shape of the tree, equal on every machine.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Returns the convex hull of the primitives of a node, if it has one: see
    /// [`Build::hull_levels`](crate::tree::Build::hull_levels).
    ///
    /// # Panics
    /// If there is no such node.
    pub fn hull(&self, id: NodeId) -> Option<PaddedHull<T>> {
        let range = self.node(id).primitive_range();
        let hull = self.hulls.hull(id.0)?;
        assert!(range.len() > 1, "single primitives have none");
        let HullCorners { center, unit, .. } = hull.corners;
        let corner_point = |index: usize| nearest_point(add(center, hull.corners.corner(index)));
        let corners: Vec<Point3<T>> = (0..hull.corners.len).map(corner_point).collect();
        // Pad for the rounding of the corners to `T`.
        let extent = center.iter().fold(unit, |most, x| most.max(x.abs()));
        let rounding = 4.0 * T::ROUNDING * extent;
        let (pad, bound) = (T::at_least(hull.pad + rounding), T::at_least(hull.bound + rounding));
        Some(PaddedHull { corners, pad, bound })
    }

    /// Returns the corners of the root's convex hull, and the distance within which all corners of
    /// primitives are; `None` if the root has no hull.
    pub(crate) fn root_hull(&self) -> Option<(impl Iterator<Item = Vec3>, f64)> {
        let hull = self.hulls.hull(0)?;
        let corner = |index| add(hull.corners.center, hull.corners.corner(index));
        Some(((0..hull.corners.len).map(corner), hull.pad))
    }
}

impl<T: Scalar> ObbTree<T> {
    /// Returns the heap memory of the tree in bytes, geometry included, spare capacity excluded.
    pub fn bytes(&self) -> usize {
        let geometry = match &self.geometry {
            Geometry::None => 0,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                size_of_val(mesh.vertices()) + size_of_val(mesh.triangles())
            }
            Geometry::Boxes(boxes) => size_of_val(&boxes[..]),
            Geometry::Convex(shapes) => {
                let hull_bytes = shapes.iter().map(|shape| match shape {
                    ConvexShape::Hull(hull) => hull.heap_bytes(),
                    _ => 0,
                });
                size_of_val(&shapes[..]) + hull_bytes.sum::<usize>()
            }
        };
        geometry
            + size_of_val(&self.nodes[..])
            + size_of_val(&self.order[..])
            + size_of_val(&self.cut_bounds[..])
            + size_of_val(&self.components[..])
            + self.wide_bvh.bytes()
            + self.hulls.bytes()
    }
}

impl<T: Scalar> ObbTree<T> {
    /// Returns `true` if the part is a solid mesh and contains the world point, or has it on its
    /// surface. Exact.
    pub(crate) fn contains_point(
        &self,
        pose: &Pose<T>,
        placement: &Placement,
        point: Vec3,
        path: &mut Vec<u32>,
    ) -> bool {
        let Some(enclosure) = self.enclosure() else { return false };
        let local = rotate_back(&placement.rotation, sub(point, placement.position));
        // The error bound is that of a `RelativePose`.
        let error = (self.radius_about_origin + length(local)) / (1u64 << 45) as f64;
        let exact_point = || {
            let relation = ExactRelativePose::new(pose, &Pose::identity());
            (relation.second_point(point), relation.denominator())
        };
        enclosure.contains(&InsideProbe { point: local, error, exact_point }, path)
    }
}
