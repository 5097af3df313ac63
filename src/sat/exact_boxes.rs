//! SAT of boxes and triangles as stored, exact where rounding could change the verdict.
//!
//! Two convex bodies, one of them with three independent directions, are disjoint iff a face normal
//! of one or a cross product of their edges separates them. A flat box counts as the limit of ever
//! thinner ones: its stored axes still give its directions. The verdict is computed in double
//! precision where that is certain, and exactly elsewhere.

use std::cmp::Ordering;

use super::BoxPair;
use super::polytope::box_separation;
use crate::num::exact::{
    Exact, ExactVec, add as plus, corners, cross as exact_cross, dot as exact_dot, scale as times,
    sub as minus,
};
use crate::num::linear::{Vec3, cross, matrix_product, sub};
use crate::shape::{RelativePose, WideObb};

/// Returns `true` if two boxes share a point, `None` if rounding could change that. `slack` is that
/// of the deciding test.
pub(crate) fn boxes_overlap(
    a: &WideObb,
    b: &WideObb,
    relation: &RelativePose,
    slack: f64,
) -> Option<bool> {
    let pair = BoxPair::from_frames(a, b, &relation.rotation, relation.offset);
    if pair.apart(slack) {
        return Some(false);
    }
    // Boxes that the test does not separate are no further apart than the stated slack, so boxes
    // that pass after shrinking by twice that overlap.
    let gap = pair.max_gap(slack, a.radius() + b.radius());
    let deep = pair.shrunk(2.0 * gap).filter(|pair| !pair.apart(slack));
    deep.map_or_else(|| overlap_by_stored_axes(a, b, relation), |_| Some(true))
}

/// Decides by the 15 axes of the boxes as stored: with true face normals, not axes only nearly at
/// right angles. So the pad covers nothing but the rounding of double precision.
#[cold]
fn overlap_by_stored_axes(a: &WideObb, b: &WideObb, relation: &RelativePose) -> Option<bool> {
    let stored = StoredBoxes {
        boxes: [*a, WideObb { axes: matrix_product(&relation.rotation, &b.axes), ..*b }],
        offset: sub(relation.to_first(b.center), a.center),
        pad: 16.0 * relation.error,
    };
    stored.verdict()
}

/// Two boxes as stored, in one frame; their centres are in the offset.
///
/// [`RelativePose::error`](crate::shape::RelativePose) is `256 e R`, where `R` bounds the distances
/// of both boxes from their origins. Along an axis of the test the rounding is at most `290 e`
/// times `2.8 R` from the axis, whose coordinates are off by `80 e`, and less from everything else:
/// under `1300 e R` in all, about five times that error. The pad is 16 times it.
struct StoredBoxes {
    boxes: [WideObb; 2],
    /// Vector from the centre of the first to that of the second.
    offset: Vec3,
    pad: f64,
}

impl StoredBoxes {
    fn verdict(&self) -> Option<bool> {
        let mut surely = true;
        for axis in [0, 1].into_iter().flat_map(|of| [0, 1, 2].map(|i| self.normal(of, i))) {
            let excess = box_separation(&self.boxes, self.offset, axis);
            if excess > self.pad {
                return Some(false);
            }
            surely &= excess < -self.pad;
        }
        for (i, j) in (0..9).map(|pair| (pair / 3, pair % 3)) {
            let excess = box_separation(&self.boxes, self.offset, self.edge_axis(i, j));
            if excess > self.pad {
                return Some(false);
            }
            surely &= excess < -self.pad || self.overlap_without_edge(i, j);
        }
        surely.then_some(true)
    }

    /// Returns `true` if the axis of two edges that may be parallel certainly does not separate the
    /// boxes: it is perpendicular to the first edge, and in the projection along that edge the
    /// first box and the second without its edge are two parallelograms that overlap.
    fn overlap_without_edge(&self, i: usize, j: usize) -> bool {
        let next = |i: usize| [(i + 1) % 3, (i + 2) % 3];
        let mut boxes = self.boxes;
        boxes[1].half_extents[j] = 0.0;
        let sides = next(i).map(|k| self.normal(0, k)).into_iter();
        let mut axes = sides.chain(next(j).map(|k| self.edge_axis(i, k)));
        axes.all(|axis| box_separation(&boxes, self.offset, axis) < -self.pad)
    }

    fn normal(&self, of: usize, face: usize) -> Vec3 {
        let axes = &self.boxes[of].axes;
        cross(axes[(face + 1) % 3], axes[(face + 2) % 3])
    }

    fn edge_axis(&self, i: usize, j: usize) -> Vec3 {
        cross(self.boxes[0].axes[i], self.boxes[1].axes[j])
    }
}

/// Exact form of a primitive: corners, edge directions, face normals, over a common denominator. A
/// triangle repeats its corners and its normal, so that nothing is allocated.
pub(crate) struct ExactBody {
    corners: [ExactVec; 8],
    edges: [ExactVec; 3],
    normals: [ExactVec; 3],
}

impl ExactBody {
    pub fn from_triangle(corners: [ExactVec; 3]) -> Self {
        let edges = std::array::from_fn(|i| minus(&corners[(i + 1) % 3], &corners[i]));
        let normal = exact_cross(&edges[0], &edges[1]);
        ExactBody {
            corners: std::array::from_fn(|i| corners[i % 3].clone()),
            normals: std::array::from_fn(|_| normal.clone()),
            edges,
        }
    }

    pub fn from_box(center: &ExactVec, axes: [ExactVec; 3], half: Vec3) -> Self {
        let normal = |i: usize| exact_cross(&axes[(i + 1) % 3], &axes[(i + 2) % 3]);
        let corners = corners(center, &axes, half);
        ExactBody { corners, normals: std::array::from_fn(normal), edges: axes }
    }

    /// Creates the body of all points `center + axes * s` with `low <= s <= high`.
    pub fn from_ranges(center: &ExactVec, axes: [ExactVec; 3], low: Vec3, high: Vec3) -> Self {
        let normal = |i: usize| exact_cross(&axes[(i + 1) % 3], &axes[(i + 2) % 3]);
        let corners = std::array::from_fn(|corner| {
            (0..3).fold(center.clone(), |p, k| {
                let end = if corner >> k & 1 == 1 { high[k] } else { low[k] };
                plus(&p, &times(&axes[k], &Exact::new(end)))
            })
        });
        ExactBody { corners, normals: std::array::from_fn(normal), edges: axes }
    }

    /// Returns `true` if the closed bodies share a point. At least one of the two must be a box.
    pub fn overlaps(&self, other: &ExactBody) -> bool {
        let crossed = self.edges.iter().flat_map(|a| other.edges.iter().map(|b| exact_cross(a, b)));
        let mut axes = self.normals.iter().chain(&other.normals).cloned().chain(crossed);
        !axes.any(|axis| {
            let ((low_a, high_a), (low_b, high_b)) = (self.interval(&axis), other.interval(&axis));
            is_less(&high_a, &low_b) || is_less(&high_b, &low_a)
        })
    }

    fn interval(&self, axis: &ExactVec) -> (Exact, Exact) {
        let mut along = self.corners.iter().map(|corner| exact_dot(axis, corner));
        let first = along.next().unwrap_or_else(Exact::zero);
        along.fold((first.clone(), first), |(low, high), x| {
            (
                if is_less(&x, &low) { x.clone() } else { low },
                if is_less(&high, &x) { x } else { high },
            )
        })
    }
}

fn is_less(a: &Exact, b: &Exact) -> bool {
    (a - b).sign() == Ordering::Less
}
