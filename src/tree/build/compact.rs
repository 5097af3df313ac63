//! Compact form of a tree: its partition of the primitives, and the axes of its boxes.
//!
//! Everything else is [computed again](super::rebuild), so whatever the file, no box is too small
//! and no child misplaced. Only the bounds are trusted.

use super::rebuild::{CompactNode, check_axes, rebuild_nodes};
use crate::error::Error;
use crate::num::{Scalar, check_coordinates, check_size};
use crate::pair::ConvexShape;
use crate::shape::Obb;
use crate::tree::build::build_tree::check_closed;
use crate::tree::build::build_tree::finish_tree;
use crate::tree::store::hulls::NodeHulls;
use crate::tree::{Geometry, ObbTree};

/// Data of a tree that only a search could find again.
#[derive(Debug, Clone)]
pub(crate) struct CompactTree<T: Scalar> {
    pub geometry: Geometry<T>,
    /// Primitives in the order of the leaves.
    pub order: Vec<u32>,
    pub nodes: Vec<CompactNode<T>>,
    pub hull_levels: u8,
}

impl<T: Scalar> ObbTree<T> {
    pub(crate) fn to_compact(&self) -> CompactTree<T> {
        let (geometry, order) = (self.geometry.clone(), self.order.clone());
        let (nodes, hull_levels) = (self.compact_nodes(), self.hulls.depth_count);
        CompactTree { geometry, order, nodes, hull_levels }
    }

    /// Builds the tree of the compact form.
    ///
    /// # Errors
    /// The errors of data that do not describe a tree.
    pub(crate) fn from_compact(compact: CompactTree<T>) -> Result<Self, Error> {
        let CompactTree { geometry, order, nodes, hull_levels } = compact;
        check_closed(&geometry)?;
        check_order(&order, geometry.len())?;
        match &geometry {
            Geometry::Boxes(list) => {
                list.iter().enumerate().try_for_each(|(index, b)| check_box(b, index))?;
            }
            Geometry::Convex(shapes) => {
                for (index, shape) in shapes.iter().enumerate() {
                    check_shape(shape, index)?;
                }
            }
            _ => {}
        }
        let built = rebuild_nodes(&geometry, &order, &nodes)?;
        let bounds: Vec<T> = nodes.iter().map(|compact_node| compact_node.bound).collect();
        Ok(finish_tree(geometry, built, &bounds, |geometry, ordered| {
            NodeHulls::new(geometry, ordered, hull_levels)
        }))
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

fn check_box<T: Scalar>(b: &Obb<T>, index: usize) -> Result<(), Error> {
    check_axes(&b.axes(), "box", index)?;
    check_coordinates(b.center().coords.as_slice(), "box", index)?;
    b.half_extents().iter().try_for_each(|&half| check_size(half, "half extent"))
}

/// Checks the rounding of axes; all else was checked where the shape was made.
fn check_shape<T: Scalar>(shape: &ConvexShape<T>, index: usize) -> Result<(), Error> {
    match shape {
        ConvexShape::Box(b) => check_box(b, index),
        ConvexShape::Ellipsoid(b) => check_axes(&b.axes(), "ellipsoid", index),
        _ => Ok(()),
    }
}
