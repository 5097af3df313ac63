//! The compact form of a tree: its partition of the primitives, and the axes of its boxes.
//!
//! Everything else is computed again by the code that builds trees. So no box can be too small and
//! no child misplaced, whatever the file; only the bounds are taken as they are.

use nalgebra::Matrix3;

use super::primitives::Primitives;
use super::{BuiltNodes, boxes, check_closed, finished, own_boxes};
use crate::error::Error;
use crate::num::linear::dot;
use crate::num::{Scalar, check_coordinates, check_size};
use crate::pair::ConvexShape;
use crate::shape::{Obb, wide_matrix};
use crate::tree::{Geometry, LEVELS, Node, ObbTree};

/// The data of a tree that only a search could find again.
#[derive(Debug, Clone)]
pub(crate) struct CompactTree<T: Scalar> {
    pub geometry: Geometry<T>,
    /// The primitives in the order of the leaves.
    pub order: Vec<u32>,
    pub nodes: Vec<CompactNode<T>>,
    pub hull_levels: u8,
}

/// A node; nodes are stored breadth-first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactNode<T: Scalar> {
    /// The number of primitives of its first child; 0 for a leaf.
    pub first: u32,
    pub axes: Matrix3<T>,
    pub bound: T,
}

impl<T: Scalar> ObbTree<T> {
    pub(crate) fn compact(&self) -> CompactTree<T> {
        let compact_node = |node: &Node<T>| CompactNode {
            first: match node.child {
                0 => 0,
                child => self.nodes[child as usize].last - node.first,
            },
            axes: node.oriented.axes(),
            bound: node.bound,
        };
        let (geometry, order) = (self.geometry.clone(), self.order.clone());
        let nodes = self.nodes.iter().map(compact_node).collect();
        CompactTree { geometry, order, nodes, hull_levels: self.hulls.levels() }
    }

    /// # Errors
    /// The errors of data that do not describe a tree.
    pub(crate) fn from_compact(compact: CompactTree<T>) -> Result<Self, Error> {
        let CompactTree { geometry, order, nodes, hull_levels } = compact;
        check_closed(&geometry)?;
        check_order(&order, geometry.len())?;
        let built = match &geometry {
            Geometry::None => return Err(Error::Empty { field: "geometry" }),
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                Rebuilder::rebuilt(&geometry, &nodes, Primitives::triangles(mesh).ordered(&order))
            }
            Geometry::Boxes(list) => {
                list.iter().enumerate().try_for_each(|(index, b)| check_box(b, index))?;
                Rebuilder::rebuilt(&geometry, &nodes, Primitives::boxes(list).ordered(&order))
            }
            Geometry::Convex(shapes) => {
                for (index, shape) in shapes.iter().enumerate() {
                    check_shape(shape, index)?;
                }
                let boxes = Primitives::boxes(&own_boxes(&geometry));
                Rebuilder::rebuilt(&geometry, &nodes, boxes.ordered(&order))
            }
        }?;
        let bounds: Vec<T> = nodes.iter().map(|compact_node| compact_node.bound).collect();
        Ok(finished(geometry, built, &bounds, hull_levels))
    }
}

/// Checks that the order is a permutation of the primitives.
fn check_order(order: &[u32], len: usize) -> Result<(), Error> {
    let field = "primitives in the order of a tree";
    if order.is_empty() {
        return Err(Error::Empty { field });
    }
    if order.len() != len {
        return Err(Error::WrongCount { field, expected: len, found: order.len() });
    }
    let mut found = vec![false; len];
    for (index, &primitive) in order.iter().enumerate() {
        match found.get_mut(primitive as usize) {
            None => {
                let target = primitive as usize;
                return Err(Error::IndexOutOfRange { field: "leaf", index, target, len });
            }
            Some(true) => return Err(Error::OutOfOrder { field: "primitive of a leaf", index }),
            Some(found) => *found = true,
        }
    }
    Ok(())
}

/// Checks that axes are orthonormal up to the rounding of `T`, as building leaves them.
fn check_axes<T: Scalar>(
    axes: &Matrix3<T>,
    field: &'static str,
    index: usize,
) -> Result<(), Error> {
    check_coordinates(axes.as_slice(), field, index)?;
    let frame = wide_matrix(axes);
    let off = |i: usize, j: usize| dot(frame[i], frame[j]) - if i == j { 1.0 } else { 0.0 };
    // `LEAF_SLACK` relies on this: `sqrt(3) u` of stored axes, and the rounding of these sums.
    let limit = 2.0 * T::ROUNDING + 16.0 * f64::EPSILON;
    let straight = (0..9).all(|k| off(k / 3, k % 3).abs() <= limit);
    match straight && axes.map(T::wide).determinant() > 0.0 {
        true => Ok(()),
        false => Err(Error::NotOrthonormal { field, index }),
    }
}

fn check_box<T: Scalar>(b: &Obb<T>, index: usize) -> Result<(), Error> {
    check_axes(&b.axes(), "box", index)?;
    check_coordinates(b.center().coords.as_slice(), "box", index)?;
    b.half_extents().iter().try_for_each(|&half| check_size(half, "half extent"))
}

/// Checks what rounding leaves of axes; all else was checked where the shape was made.
fn check_shape<T: Scalar>(shape: &ConvexShape<T>, index: usize) -> Result<(), Error> {
    match shape {
        ConvexShape::Box(b) => check_box(b, index),
        ConvexShape::Ellipsoid(b) => check_axes(&b.axes(), "ellipsoid", index),
        _ => Ok(()),
    }
}

struct Rebuilder<'a, T: Scalar, S, const N: usize> {
    geometry: &'a Geometry<T>,
    primitives: Primitives<S, N>,
    nodes: Vec<Node<T>>,
    depths: Vec<u8>,
}

impl<'a, T: Scalar, S: Scalar, const N: usize> Rebuilder<'a, T, S, N> {
    fn rebuilt(
        geometry: &'a Geometry<T>,
        compact_nodes: &[CompactNode<T>],
        primitives: Primitives<S, N>,
    ) -> Result<BuiltNodes<T>, Error> {
        let mut rebuilder =
            Rebuilder { geometry, primitives, nodes: Vec::new(), depths: Vec::new() };
        // The ranges and depths of the nodes so far; each node adds at most two.
        let mut ranges = vec![(0, rebuilder.primitives.len(), 0)];
        for (index, compact_node) in compact_nodes.iter().enumerate() {
            let Some(&(start, end, depth)) = ranges.get(index) else { break };
            rebuilder.add(index, compact_node, (start, end, depth))?;
            let first = compact_node.first as usize;
            if first > 0 {
                rebuilder.nodes[index].child = ranges.len() as u32;
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

    fn add(
        &mut self,
        index: usize,
        compact_node: &CompactNode<T>,
        (start, end, depth): (usize, usize, u8),
    ) -> Result<(), Error> {
        check_axes(&compact_node.axes, "node", index)?;
        check_size(compact_node.bound, "bound")?;
        if usize::from(depth) >= LEVELS || compact_node.first as usize >= end - start {
            return Err(Error::OutOfOrder { field: "node", index });
        }
        if compact_node.first == 0 && !self.primitives.index[start..end].is_sorted() {
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
