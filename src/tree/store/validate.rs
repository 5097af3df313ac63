//! Exact validation of a tree.

use std::cmp::Ordering;

use crate::num::Scalar;
use crate::num::exact::{Exact, ExactVec, corners as box_corners, cross, dot, exact};
use crate::shape::{Aabb, Obb, WideObb};
use crate::tree::{Geometry, NodeId, ObbTree};

impl<T: Scalar> ObbTree<T> {
    /// Checks exactly, without a tolerance, that every primitive lies inside both boxes of every
    /// node above it and in one leaf, and that aligned boxes nest.
    ///
    /// # Errors
    /// Describes the first fault found. A tree that [`ObbTree::build`] made has none.
    pub fn validate(&self) -> Result<(), String> {
        check_tree(self)
    }
}

pub(in crate::tree) fn check_tree<T: Scalar>(tree: &ObbTree<T>) -> Result<(), String> {
    let mut leaf_of = vec![None; tree.geometry.len()];
    let mut next_child = 1;
    for index in 0..tree.nodes.len() {
        let id = NodeId::new(index);
        check_primitives(tree, id)?;
        match tree.node(id).children() {
            Some(children) => {
                check_children(tree, id, children, next_child)?;
                next_child += 2;
            }
            None => {
                for &primitive in tree.primitives(id) {
                    if let Some(other) = leaf_of[primitive as usize].replace(id) {
                        return Err(format!("primitive {primitive} is in leaves {other} and {id}"));
                    }
                }
            }
        }
    }
    match leaf_of.iter().position(Option::is_none) {
        Some(primitive) => Err(format!("primitive {primitive} is in no leaf")),
        None => Ok(()),
    }
}

/// Checks that children follow breadth-first, partition the primitives, and have their aligned
/// boxes inside the parent's.
fn check_children<T: Scalar>(
    tree: &ObbTree<T>,
    id: NodeId,
    children: [NodeId; 2],
    next_child: usize,
) -> Result<(), String> {
    let [left, right] = children.map(|child| tree.node(child));
    let node = tree.node(id);
    if children[0].index() != next_child {
        return Err(format!("the children of node {id} are not breadth-first"));
    }
    if (left.start, left.end, right.end) != (node.start, right.start, node.end) {
        return Err(format!("the children of node {id} do not partition its primitives"));
    }
    let nested = |b: &Aabb<T, 3>| node.aligned.contains(b.min) && node.aligned.contains(b.max);
    match nested(&left.aligned) && nested(&right.aligned) {
        true => Ok(()),
        false => Err(format!("the aligned box of a child extends beyond that of node {id}")),
    }
}

fn check_primitives<T: Scalar>(tree: &ObbTree<T>, id: NodeId) -> Result<(), String> {
    let node = tree.node(id);
    let exact_box = ExactBox::new(&node.oriented.wide());
    for &primitive in tree.primitives(id) {
        let bounds = tree.geometry.aabb(primitive);
        if !node.aligned.contains(bounds.min) || !node.aligned.contains(bounds.max) {
            return Err(format!(
                "primitive {primitive} extends beyond the aligned box of node {id}"
            ));
        }
        let round = tree.geometry.convex_shapes().is_some();
        for corner in primitive_corners(&tree.geometry, primitive) {
            if !round && !aabb_contains(&node.aligned, &corner) {
                return Err(format!(
                    "primitive {primitive} extends beyond the aligned box of node {id}"
                ));
            }
            if !exact_box.contains(&corner) {
                return Err(format!(
                    "primitive {primitive} extends beyond the oriented box of node {id}"
                ));
            }
        }
    }
    Ok(())
}

/// Returns the exact corners of a primitive: those of boxes are sums of products of stored numbers.
fn primitive_corners<T: Scalar>(geometry: &Geometry<T>, primitive: u32) -> Vec<ExactVec> {
    match geometry {
        Geometry::None => Vec::new(),
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            mesh.corners(primitive as usize).map(|p| exact(crate::shape::wide_point(p))).to_vec()
        }
        Geometry::Boxes(boxes) => exact_box_corners(&boxes[primitive as usize]),
        // Round shapes have no corners: the node contains the corners of their boxes.
        Geometry::Convex(_) => {
            geometry.own_box(primitive).map_or(Vec::new(), |b| exact_box_corners(&b))
        }
    }
}

fn exact_box_corners<T: Scalar>(b: &Obb<T>) -> Vec<ExactVec> {
    let wide = b.wide();
    box_corners(&exact(wide.center), &wide.axes.map(exact), wide.half_extents).to_vec()
}

fn aabb_contains<T: Scalar>(b: &Aabb<T, 3>, point: &ExactVec) -> bool {
    (0..3).all(|i| {
        let (min, max) = (Exact::new(b.min[i].wide()), Exact::new(b.max[i].wide()));
        (&point[i] - &min).sign() != Ordering::Less && (&max - &point[i]).sign() != Ordering::Less
    })
}

/// An oriented box as the parallelepiped of its stored axes, by Cramer's rule: `x` is inside iff
/// `|(u_j x u_k) . (x - c)| <= h_i |det U|` for all three `i`.
struct ExactBox {
    center: ExactVec,
    normals: [ExactVec; 3],
    limits: [Exact; 3],
}

impl ExactBox {
    fn new(b: &WideObb) -> Self {
        let axes = b.axes.map(exact);
        let normals: [ExactVec; 3] =
            std::array::from_fn(|i| cross(&axes[(i + 1) % 3], &axes[(i + 2) % 3]));
        let volume = dot(&normals[0], &axes[0]).abs();
        ExactBox {
            center: exact(b.center),
            normals,
            limits: b.half_extents.map(|h| &Exact::new(h) * &volume),
        }
    }

    fn contains(&self, point: &ExactVec) -> bool {
        let from_center: ExactVec = std::array::from_fn(|i| &point[i] - &self.center[i]);
        (0..3).all(|i| {
            let along = dot(&self.normals[i], &from_center).abs();
            (&self.limits[i] - &along).sign() != Ordering::Less
        })
    }
}
