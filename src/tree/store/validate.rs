//! Exact validation of a tree.

use std::cmp::Ordering;

use crate::num::Scalar;
use crate::num::exact::{Exact, ExactVec, corners as box_corners, cross, dot, exact};
use crate::num::linear::{self, Vec3};
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
    let oriented = node.oriented.wide();
    let (rounded_box, mut exact_box) = (RoundedBox::new(&oriented), None);
    // The test of the bounds is exact for triangles, and round shapes have no corners.
    let is_of_boxes = matches!(tree.geometry, Geometry::Boxes(_));
    for &primitive in tree.primitives(id) {
        let bounds = tree.geometry.aabb(primitive);
        if !node.aligned.contains(bounds.min) || !node.aligned.contains(bounds.max) {
            return Err(format!(
                "primitive {primitive} extends beyond the aligned box of node {id}"
            ));
        }
        if let Some(mesh) = tree.geometry.mesh() {
            let corners = mesh.corners(primitive as usize).map(crate::shape::wide_point);
            if corners.iter().all(|&corner| rounded_box.surely_contains(corner)) {
                continue;
            }
        }
        for corner in primitive_corners(&tree.geometry, primitive) {
            if is_of_boxes && !aabb_contains(&node.aligned, &corner) {
                return Err(format!(
                    "primitive {primitive} extends beyond the aligned box of node {id}"
                ));
            }
            if !exact_box.get_or_insert_with(|| ExactBox::new(&oriented)).contains(&corner) {
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

/// [`ExactBox`] in double precision, with a bound on its rounding. Most corners of a part are far
/// inside the boxes of most nodes above them.
struct RoundedBox {
    center: Vec3,
    normals: [Vec3; 3],
    /// The normals with the absolute values of all products.
    magnitudes: [Vec3; 3],
    /// The limits, less a bound on their rounding.
    limits: [f64; 3],
}

/// Share of the sum of magnitudes that bounds the rounding of some twenty operations.
const ROUNDING_SHARE: f64 = 64.0 * f64::EPSILON;

/// Limit below which products may underflow.
const MIN_LIMIT: f64 = 1e-250;

impl RoundedBox {
    fn new(b: &WideObb) -> Self {
        let sides = |i: usize| [b.axes[(i + 1) % 3], b.axes[(i + 2) % 3]];
        let normals = std::array::from_fn(|i| {
            let [u, v] = sides(i);
            linear::cross(u, v)
        });
        let magnitudes: [Vec3; 3] = std::array::from_fn(|i| {
            let [u, v] = sides(i).map(|side| side.map(f64::abs));
            std::array::from_fn(|k| {
                let (l, m) = ((k + 1) % 3, (k + 2) % 3);
                u[l] * v[m] + u[m] * v[l]
            })
        });
        let volume = linear::dot(normals[0], b.axes[0]).abs();
        let error = ROUNDING_SHARE * linear::dot(magnitudes[0], b.axes[0].map(f64::abs));
        let limits = b.half_extents.map(|h| h * (volume - error));
        RoundedBox { center: b.center, normals, magnitudes, limits }
    }

    /// Returns `true` only if the box contains a point.
    fn surely_contains(&self, point: Vec3) -> bool {
        let from_center = linear::sub(point, self.center);
        let reach = std::array::from_fn(|k| point[k].abs() + self.center[k].abs());
        (0..3).all(|i| {
            let along = linear::dot(self.normals[i], from_center).abs();
            let error = ROUNDING_SHARE * linear::dot(self.magnitudes[i], reach);
            self.limits[i] > MIN_LIMIT && along + error < self.limits[i] * (1.0 - ROUNDING_SHARE)
        })
    }
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
