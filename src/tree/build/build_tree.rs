//! The build of a tree, from primitives to bounds.

use super::node_builder::{BuiltNodes, NodeBuilder, PrimitiveBuffers};
use super::primitives::Primitives;
use super::split::Splitter;
use super::summary::TreeSummary;
use super::{Build, Split};
use crate::error::Error;
use crate::num::{Scalar, precompiled};
use crate::shape::Obb;
use crate::tree::bound::NodeBounds;
use crate::tree::store::components;
use crate::tree::store::enclosure::Enclosure;
use crate::tree::store::hulls::NodeHulls;
use crate::tree::store::root::RootBox;
use crate::tree::store::wide_bvh::WideBvh;
use crate::tree::{BuildProgress, Geometry, Node, ObbTree};

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
    let BuiltNodes { nodes, order, .. } = &built;
    let inside = Enclosure::new(&geometry, nodes, order);
    let bounds =
        NodeBounds::new(&geometry, order, build.bound, inside).node_bounds(nodes, progress)?;
    let hulls =
        |geometry: &_, nodes: (&[_], &[_])| NodeHulls::new(geometry, nodes, build.hull_levels);
    Ok(finish_tree(geometry, built, &bounds, hulls))
}

pub(super) fn own_boxes<T: Scalar>(geometry: &Geometry<T>) -> Vec<Obb<T>> {
    (0..geometry.len() as u32).filter_map(|index| geometry.own_box(index)).collect()
}

/// Completes a tree from its nodes and their bounds; `hulls` builds the hulls.
pub(super) fn finish_tree<T: Scalar>(
    geometry: Geometry<T>,
    built: BuiltNodes<T>,
    bounds: &[T],
    hulls: impl FnOnce(&Geometry<T>, (&[Node<T>], &[u32])) -> NodeHulls,
) -> ObbTree<T> {
    let BuiltNodes { mut nodes, depths, order } = built;
    assert_eq!([bounds.len(), depths.len()], [nodes.len(); 2], "one for each node");
    let depth = depths.iter().copied().max().unwrap_or(0);
    nodes.iter_mut().zip(bounds).for_each(|(node, &bound)| node.bound = bound);
    let hulls = hulls(&geometry, (&nodes, &order));
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
    let wide_bvh = WideBvh::new(&geometry, (&nodes, &order), &bounds);
    let (coarsest, digest) = (summary.coarsest(), summary.digest(&hulls));
    let (reach, fingerprint) = (digest.radius_about_origin(), digest.fingerprint());
    ObbTree {
        geometry,
        nodes,
        order,
        depth,
        cut_bounds: coarsest,
        radius_about_origin: reach,
        root,
        wide_bvh,
        hulls,
        components,
        fingerprint,
    }
}

/// Stores in each node the least bound of its ancestors.
pub(in crate::tree) fn store_ancestor_bounds<T: Scalar>(nodes: &mut [Node<T>], bounds: &[T]) {
    for (index, &bound) in bounds.iter().enumerate() {
        let Node { ancestor_bound: above, first_child: child, .. } = nodes[index];
        let least = if bound < above { bound } else { above };
        let below = if child > 0 { child as usize..child as usize + 2 } else { 0..0 };
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
