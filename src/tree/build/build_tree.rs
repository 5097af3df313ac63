//! The build of a tree, from primitives to bounds.

use super::node_builder::{BuiltNodes, NodeBuilder, PrimitiveBuffers};
use super::primitives::Primitives;
use super::split::Splitter;
use super::summary::TreeSummary;
use super::{Build, Split, TreeDigest};
use crate::error::Error;
use crate::num::{Scalar, precompiled};
use crate::shape::Obb;
use crate::tree::bound::NodeBounds;
use crate::tree::node::OrderedNodes;
use crate::tree::store::components;
use crate::tree::store::enclosure::Enclosure;
use crate::tree::store::hulls::NodeHulls;
use crate::tree::store::root_box::RootBox;
use crate::tree::store::wide_bvh::WideBvh;
use crate::tree::{BuildProgress, Geometry, Node, ObbTree};
use crate::tree::{Watch, WatchedBuild, unwatched};

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
        obb_tree(geometry, build, &mut progress)
    }

    /// Builds a tree like [`ObbTree::build`] as a share of more work.
    pub(crate) fn build_reporting(
        geometry: Geometry<T>,
        build: &Build,
        progress: &mut dyn BuildProgress,
    ) -> Result<Self, Error> {
        obb_tree(geometry, build, progress)
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
        tree.hulls = self.hulls.for_nodes(&tree.geometry, tree.ordered_nodes());
        let digest = TreeDigest::from_nodes(&tree.geometry, &tree.nodes, &tree.hulls);
        (tree.radius_about_origin, tree.fingerprint) =
            (digest.radius_about_origin(), digest.fingerprint());
        let bounds = tree.hulls.least_bounds(&tree.nodes);
        store_ancestor_bounds(&mut tree.nodes, &bounds);
        tree.wide_bvh = WideBvh::new(&tree.geometry, tree.ordered_nodes(), &bounds);
        tree
    }
}

precompiled! {
    /// Builds a tree: no other function takes longer to compile.
    pub(in crate::tree) fn obb_tree<'a, T>(
        geometry: Geometry<T>,
        build: &'a Build,
        progress: &'a mut dyn BuildProgress,
    ) -> Result<ObbTree<T>, Error> {
        build_tree(geometry, build, progress)
    }
}

pub(super) fn build_tree<T: Scalar>(
    geometry: Geometry<T>,
    build: &Build,
    progress: &mut dyn BuildProgress,
) -> Result<ObbTree<T>, Error> {
    check_closed(&geometry)?;
    let built = match &geometry {
        _ if geometry.is_empty() => return Err(Error::Empty { field: "geometry" }),
        Geometry::None => return Err(Error::Empty { field: "geometry" }),
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            build_nodes(&geometry, build, Primitives::triangles(mesh), progress)?
        }
        Geometry::Boxes(boxes) => {
            build_nodes(&geometry, build, Primitives::boxes(boxes), progress)?
        }
        Geometry::Convex(_) => {
            build_nodes(&geometry, build, Primitives::boxes(&own_boxes(&geometry)), progress)?
        }
    };
    let ordered = built.ordered_nodes();
    let inside = Enclosure::new(&geometry, ordered);
    let bounds = NodeBounds::new(&geometry, ordered, build.bound, inside).node_bounds(progress)?;
    Ok(finish_tree(geometry, built, &bounds, |geometry, ordered| {
        NodeHulls::new(geometry, ordered, build.hull_levels)
    }))
}

pub(super) fn own_boxes<T: Scalar>(geometry: &Geometry<T>) -> Vec<Obb<T>> {
    (0..geometry.len() as u32).filter_map(|index| geometry.own_box(index)).collect()
}

/// Completes a tree from its nodes and their bounds; `hulls` builds the hulls.
pub(super) fn finish_tree<T: Scalar>(
    geometry: Geometry<T>,
    built: BuiltNodes<T>,
    bounds: &[T],
    hulls: impl FnOnce(&Geometry<T>, OrderedNodes<'_, T>) -> NodeHulls,
) -> ObbTree<T> {
    let BuiltNodes { mut nodes, depths, order } = built;
    assert_eq!([bounds.len(), depths.len()], [nodes.len(); 2], "one for each node");
    let depth = depths.iter().copied().max().unwrap_or(0);
    nodes.iter_mut().zip(bounds).for_each(|(node, &bound)| node.bound = bound);
    let hulls = hulls(&geometry, OrderedNodes { nodes: &nodes, order: &order });
    let bounds = hulls.least_bounds(&nodes);
    let mut summary = TreeSummary::new(&geometry, depth);
    for (index, (&bound, &depth)) in bounds.iter().zip(&depths).enumerate() {
        let node = &nodes[index];
        summary.add(node, depth);
        let least = if bound < node.ancestor_bound { bound } else { node.ancestor_bound };
        let below = if node.first_child > 0 {
            node.first_child as usize..node.first_child as usize + 2
        } else {
            0..0
        };
        nodes[below].iter_mut().for_each(|child| child.ancestor_bound = least);
    }
    let (root, components) = (RootBox::new(&nodes[0]), components::component_points(&geometry));
    let wide_bvh = WideBvh::new(&geometry, OrderedNodes { nodes: &nodes, order: &order }, &bounds);
    let (cut_bounds, digest) = (summary.coarsest(), summary.digest(&hulls));
    let has_inexact_shapes = geometry.has_inexact_shapes();
    let (radius_about_origin, fingerprint) = (digest.radius_about_origin(), digest.fingerprint());
    ObbTree {
        geometry,
        nodes,
        order,
        depth,
        cut_bounds,
        radius_about_origin,
        root,
        wide_bvh,
        hulls,
        components,
        fingerprint,
        has_inexact_shapes,
    }
}

/// Stores in each node the least bound of its ancestors.
pub(in crate::tree) fn store_ancestor_bounds<T: Scalar>(nodes: &mut [Node<T>], bounds: &[T]) {
    for (index, &bound) in bounds.iter().enumerate() {
        let Node { ancestor_bound, first_child, .. } = nodes[index];
        let least = if bound < ancestor_bound { bound } else { ancestor_bound };
        let below =
            if first_child > 0 { first_child as usize..first_child as usize + 2 } else { 0..0 };
        nodes[below].iter_mut().for_each(|child| child.ancestor_bound = least);
    }
}

pub(super) fn build_nodes<T: Scalar, S: Scalar, const N: usize>(
    geometry: &Geometry<T>,
    build: &Build,
    primitives: Primitives<S, N>,
    progress: &mut dyn BuildProgress,
) -> Result<BuiltNodes<T>, Error> {
    match build.split {
        Split::BottomUp => super::cluster::build_bottom_up(geometry, build, primitives, progress),
        _ => build_top_down(geometry, build, primitives, progress),
    }
}

/// Checks that a solid is closed: only a closed mesh has an inside.
pub(super) fn check_closed<T: Scalar>(geometry: &Geometry<T>) -> Result<(), Error> {
    let Geometry::Solid(mesh) = geometry else { return Ok(()) };
    let mut edges = mesh.open_edges();
    let count = edges.len();
    edges.truncate(8);
    if count == 0 { Ok(()) } else { Err(Error::Open { edges, count }) }
}

pub(super) fn build_top_down<T: Scalar, S: Scalar, const N: usize>(
    geometry: &Geometry<T>,
    build: &Build,
    primitives: Primitives<S, N>,
    progress: &mut dyn BuildProgress,
) -> Result<BuiltNodes<T>, Error> {
    let mut splitter = Splitter::new(build);
    let cut = |(_, depth): (usize, usize), node: &Node<T>, buffers: &mut PrimitiveBuffers<S, N>| {
        match build.must_be_leaf(depth, node.primitive_range().len()) {
            true => None,
            false => Some(splitter.split_node(depth, node, buffers)),
        }
    };
    NodeBuilder::new(geometry, build.fit, primitives, cut).build(progress)
}
