//! The compact form of a tree: its partition of the primitives, and the axes of its boxes.
//!
//! Everything else is computed again by the code that builds trees. So no box can be too small and
//! no child misplaced, whatever the file; only the bounds are taken as they are.

use nalgebra::Matrix3;

use super::primitives::Primitives;
use super::{Grown, boxes, check_closed, finished};
use crate::error::Error;
use crate::num::linear::dot;
use crate::num::{Scalar, check_coordinates, check_size};
use crate::shape::{Obb, wide_matrix};
use crate::tree::{Geometry, LEVELS, Node, ObbTree};

/// The data of a tree that only a search could find again.
#[derive(Debug, Clone)]
pub(crate) struct Seedling<T: Scalar> {
    pub geometry: Geometry<T>,
    /// The primitives in the order of the leaves.
    pub order: Vec<u32>,
    pub nodes: Vec<Sprout<T>>,
}

/// A node; nodes are stored breadth-first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sprout<T: Scalar> {
    /// The number of primitives of its first child; 0 for a leaf.
    pub first: u32,
    pub axes: Matrix3<T>,
    pub bound: T,
}

impl<T: Scalar> ObbTree<T> {
    pub(crate) fn seedling(&self) -> Seedling<T> {
        let sprout = |node: &Node<T>| Sprout {
            first: match node.child {
                0 => 0,
                child => self.nodes[child as usize].last - node.first,
            },
            axes: node.oriented.axes(),
            bound: node.bound,
        };
        let (geometry, order) = (self.geometry.clone(), self.order.clone());
        Seedling { geometry, order, nodes: self.nodes.iter().map(sprout).collect() }
    }

    /// # Errors
    /// The errors of data that do not describe a tree.
    pub(crate) fn regrown(seedling: Seedling<T>) -> Result<Self, Error> {
        let Seedling { geometry, order, nodes } = seedling;
        check_closed(&geometry)?;
        check_order(&order, geometry.len())?;
        let grown = match &geometry {
            Geometry::None => return Err(Error::Empty { field: "geometry" }),
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                Regrowing::grown(&geometry, &nodes, Primitives::triangles(mesh).ordered(&order))
            }
            Geometry::Boxes(list) => {
                list.iter().enumerate().try_for_each(|(index, b)| check_box(b, index))?;
                Regrowing::grown(&geometry, &nodes, Primitives::boxes(list).ordered(&order))
            }
        }?;
        let bounds: Vec<T> = nodes.iter().map(|sprout| sprout.bound).collect();
        Ok(finished(geometry, grown, &bounds))
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
    let mut seen = vec![false; len];
    for (index, &primitive) in order.iter().enumerate() {
        match seen.get_mut(primitive as usize) {
            None => {
                let target = primitive as usize;
                return Err(Error::IndexOutOfRange { field: "leaf", index, target, len });
            }
            Some(true) => return Err(Error::OutOfOrder { field: "primitive of a leaf", index }),
            Some(seen) => *seen = true,
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

struct Regrowing<'a, T: Scalar, S, const N: usize> {
    geometry: &'a Geometry<T>,
    primitives: Primitives<S, N>,
    nodes: Vec<Node<T>>,
    depths: Vec<u8>,
}

impl<'a, T: Scalar, S: Scalar, const N: usize> Regrowing<'a, T, S, N> {
    fn grown(
        geometry: &'a Geometry<T>,
        sprouts: &[Sprout<T>],
        primitives: Primitives<S, N>,
    ) -> Result<Grown<T>, Error> {
        let mut growing = Regrowing { geometry, primitives, nodes: Vec::new(), depths: Vec::new() };
        // The ranges and depths of the nodes so far; each node adds at most two.
        let mut ranges = vec![(0, growing.primitives.len(), 0)];
        for (index, sprout) in sprouts.iter().enumerate() {
            let Some(&(start, end, depth)) = ranges.get(index) else { break };
            growing.add(index, sprout, (start, end, depth))?;
            let first = sprout.first as usize;
            if first > 0 {
                growing.nodes[index].child = ranges.len() as u32;
                ranges.push((start, start + first, depth + 1));
                ranges.push((start + first, end, depth + 1));
            }
        }
        if ranges.len() != sprouts.len() {
            let (expected, found) = (ranges.len(), sprouts.len());
            return Err(Error::WrongCount { field: "nodes", expected, found });
        }
        let order = growing.primitives.index;
        Ok(Grown { nodes: growing.nodes, depths: growing.depths, order })
    }

    fn add(
        &mut self,
        index: usize,
        sprout: &Sprout<T>,
        (start, end, depth): (usize, usize, u8),
    ) -> Result<(), Error> {
        check_axes(&sprout.axes, "node", index)?;
        check_size(sprout.bound, "bound")?;
        if usize::from(depth) >= LEVELS || sprout.first as usize >= end - start {
            return Err(Error::OutOfOrder { field: "node", index });
        }
        if sprout.first == 0 && !self.primitives.index[start..end].is_sorted() {
            return Err(Error::OutOfOrder { field: "leaf", index });
        }
        let mut node = Node::leaf(start..end);
        boxes::turn(self.geometry, &self.primitives, &wide_matrix(&sprout.axes), &mut node);
        self.nodes.push(node);
        self.depths.push(depth);
        Ok(())
    }
}
