//! Nodes rebuilt from what only a search could find: the partition of the primitives, and the axes
//! of the boxes. All else is computed by the code that builds trees.

use nalgebra::Matrix3;

use super::boxes;
use super::primitives::Primitives;
use crate::error::Error;
use crate::num::linear::skew;
use crate::num::tolerance::AXES_ERROR;
use crate::num::{Scalar, check_coordinates, check_size};
use crate::shape::wide_matrix;
use crate::tree::build::build_tree::own_boxes;
use crate::tree::build::node_builder::BuiltNodes;
use crate::tree::{Geometry, LEVELS, Node, ObbTree};

/// Compact form of a node; nodes are stored breadth-first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactNode<T: Scalar> {
    /// Number of primitives of the first child; 0 for a leaf.
    pub first_child_len: u32,
    pub axes: Matrix3<T>,
    pub bound: T,
}

impl<T: Scalar> ObbTree<T> {
    pub(super) fn compact_nodes(&self) -> Vec<CompactNode<T>> {
        let compact_node = |node: &Node<T>| CompactNode {
            first_child_len: match node.first_child {
                0 => 0,
                child => self.nodes[child as usize].end - node.start,
            },
            axes: node.oriented.axes(),
            bound: node.bound,
        };
        self.nodes.iter().map(compact_node).collect()
    }
}

/// Rebuilds the nodes of a geometry, given its primitives in the order of the leaves.
///
/// # Errors
/// The errors of nodes that do not form a tree.
pub(super) fn rebuild_nodes<T: Scalar>(
    geometry: &Geometry<T>,
    order: &[u32],
    nodes: &[CompactNode<T>],
) -> Result<BuiltNodes<T>, Error> {
    match geometry {
        Geometry::None => Err(Error::Empty { field: "geometry" }),
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            Rebuilder::rebuild_nodes(geometry, nodes, Primitives::triangles(mesh).permuted(order))
        }
        Geometry::Boxes(list) => {
            Rebuilder::rebuild_nodes(geometry, nodes, Primitives::boxes(list).permuted(order))
        }
        Geometry::Convex(_) => {
            let boxes = Primitives::boxes(&own_boxes(geometry));
            Rebuilder::rebuild_nodes(geometry, nodes, boxes.permuted(order))
        }
    }
}

/// Checks that axes are orthonormal up to the rounding of `T`, as building leaves them.
pub(super) fn check_axes<T: Scalar>(
    axes: &Matrix3<T>,
    field: &'static str,
    index: usize,
) -> Result<(), Error> {
    check_coordinates(axes.as_slice(), field, index)?;
    // `LEAF_SLACK` relies on this; all boxes are built so.
    let straight = skew(&wide_matrix(axes)) <= 2.0 * T::ROUNDING + AXES_ERROR;
    match straight && axes.map(T::wide).determinant() > 0.0 {
        true => Ok(()),
        false => Err(Error::NotOrthonormal { field, index }),
    }
}

struct Rebuilder<'a, T: Scalar, S, const N: usize> {
    geometry: &'a Geometry<T>,
    primitives: Primitives<S, N>,
    nodes: Vec<Node<T>>,
    depths: Vec<u8>,
}

impl<'a, T: Scalar, S: Scalar, const N: usize> Rebuilder<'a, T, S, N> {
    fn rebuild_nodes(
        geometry: &'a Geometry<T>,
        compact_nodes: &[CompactNode<T>],
        primitives: Primitives<S, N>,
    ) -> Result<BuiltNodes<T>, Error> {
        let mut rebuilder =
            Rebuilder { geometry, primitives, nodes: Vec::new(), depths: Vec::new() };
        // Ranges and depths of the nodes so far; each node adds at most two.
        let mut ranges = vec![(0, rebuilder.primitives.len(), 0)];
        for (index, compact_node) in compact_nodes.iter().enumerate() {
            let Some(&(start, end, depth)) = ranges.get(index) else { break };
            rebuilder.add_node(index, compact_node, (start, end, depth))?;
            let first = compact_node.first_child_len as usize;
            if first > 0 {
                rebuilder.nodes[index].first_child = ranges.len() as u32;
                ranges.push((start, start + first, depth + 1));
                ranges.push((start + first, end, depth + 1));
            }
        }
        if ranges.len() != compact_nodes.len() {
            let (expected, found) = (ranges.len(), compact_nodes.len());
            return Err(Error::WrongCount { field: "nodes", expected, found });
        }
        let order = rebuilder.primitives.index;
        Ok(BuiltNodes { nodes: rebuilder.nodes, depths: rebuilder.depths, order })
    }

    fn add_node(
        &mut self,
        index: usize,
        compact_node: &CompactNode<T>,
        (start, end, depth): (usize, usize, u8),
    ) -> Result<(), Error> {
        check_axes(&compact_node.axes, "node", index)?;
        check_size(compact_node.bound, "bound")?;
        if usize::from(depth) >= LEVELS || compact_node.first_child_len as usize >= end - start {
            return Err(Error::OutOfOrder { field: "node", index });
        }
        if compact_node.first_child_len == 0 && !self.primitives.index[start..end].is_sorted() {
            return Err(Error::OutOfOrder { field: "leaf", index });
        }
        let mut node = Node::leaf(start..end);
        boxes::fit_along(
            self.geometry,
            &self.primitives,
            &wide_matrix(&compact_node.axes),
            &mut node,
        );
        self.nodes.push(node);
        self.depths.push(depth);
        Ok(())
    }
}
