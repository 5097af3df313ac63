//! A solid box against a box or a triangle, exactly.
//!
//! Two convex bodies, one of them with three independent directions, are apart iff they are apart along a face normal of one or
//! a cross product of their edges. A flat box counts as the limit of thinner and thinner ones: its stored axes
//! still give its directions. The verdict is taken in double precision where that is certain, and exactly elsewhere.

use std::cmp::Ordering;

use super::facing::Facing;
use super::relation::Relation;
use super::triangles::Corners;
use crate::num::exact::{
    Exact, ExactVec, add as plus, corners, cross as exact_cross, dot as exact_dot, scale as times,
    sub as minus,
};
use crate::num::linear::{Vec3, add, cross, dot, scale, sub, turn_back};
use crate::shape::WideObb;

/// Whether two boxes share a point, where rounding can not change that. `slack` is that of the verdict.
pub(crate) fn boxes(a: &WideObb, b: &WideObb, relation: &Relation, slack: f64) -> Option<bool> {
    let facing = Facing::across(a, b, &relation.rotation, relation.offset);
    if facing.apart(slack) {
        return Some(false);
    }
    // Boxes that pass are no further apart than the gap; so what passes after shrinking by that overlaps.
    let gap = facing.gap(slack, a.radius() + b.radius());
    facing.shrunk(2.0 * gap).filter(|facing| !facing.apart(slack)).map(|_| true)
}

/// Whether a box and a triangle, both in one frame, share a point, where rounding can not change that. `slack` covers
/// the error of the corners, and axes not quite at right angles.
pub(crate) fn box_triangle(solid: &WideObb, triangle: &Corners, slack: f64) -> Option<bool> {
    let local = triangle.map(|p| turn_back(&solid.axes, sub(p, solid.center)));
    if let Some(together) = by_axes(&local, solid.half_extents, slack) {
        return Some(together);
    }
    let inner = solid.half_extents.map(|h| h - slack);
    (inner.iter().all(|&h| h > 0.0) && reaches_into(&local, inner)).then_some(true)
}

/// Thirteen axes in the frame of the box; `None` where one of them comes near to telling the two apart.
/// Source: Akenine-Möller, Fast 3D Triangle-Box Overlap Testing (2001).
///
/// Two that no axis tells apart share a point, so where all overlap after shrinking the box by twice the slack, which is far
/// above the rounding along an axis, the answer is yes. Edges and their products with the box's axes are good to the last digit; the
/// normal is not where it is short for its edges, and then says nothing; a segment needs none.
fn by_axes(triangle: &Corners, half: Vec3, slack: f64) -> Option<bool> {
    let edges: [Vec3; 3] = std::array::from_fn(|i| sub(triangle[(i + 1) % 3], triangle[i]));
    let normal = cross(edges[0], edges[1]);
    let sound = || dot(normal, normal) > SHORT * dot(edges[0], edges[0]) * dot(edges[1], edges[1]);
    let mut deep = half.iter().all(|&h| h > 2.0 * slack);
    // Whether the interval from `low` to `high` is apart from the box, which reaches that far on an axis of that size.
    let mut apart = |low: f64, high: f64, reach: f64, size: f64| {
        let (out, inside) = (reach + slack * size, reach - 2.0 * slack * size);
        deep &= low <= inside && high >= -inside;
        low > out || high < -out
    };
    let [a, b, c] = triangle;
    for i in 0..3 {
        let (low, high) = (a[i].min(b[i]).min(c[i]), a[i].max(b[i]).max(c[i]));
        if apart(low, high, half[i], 1.0) {
            return Some(false);
        }
    }
    let flat = normal.map(f64::abs);
    let [p, q, r] = triangle.map(|corner| dot(normal, corner));
    let (low, high) = (p.min(q).min(r), p.max(q).max(r));
    if apart(low, high, dot(half, flat), flat[0] + flat[1] + flat[2]) {
        return Some(false);
    }
    for (k, edge) in edges.iter().enumerate() {
        for i in 0..3 {
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            // Both ends of the edge come to lie in one place.
            let along = |corner: &Vec3| edge[j] * corner[l] - edge[l] * corner[j];
            let (x, y) = (along(&triangle[k]), along(&triangle[(k + 2) % 3]));
            let (on_j, on_l) = (edge[l].abs(), edge[j].abs());
            if apart(x.min(y), x.max(y), half[j] * on_j + half[l] * on_l, on_j + on_l) {
                return Some(false);
            }
        }
    }
    (deep && (edges[1] == [0.0; 3] || sound())).then_some(true)
}

/// Normals shorter than the root of this, as a share of their edges, are not trusted to say yes.
const SHORT: f64 = 1e-8;

/// Whether something is left of the triangle after the six planes of the box have cut it.
fn reaches_into(triangle: &Corners, half: Vec3) -> bool {
    clipped(triangle, half.map(|h| -h), half).1 > 0
}

/// A point, rounded, of what the box leaves of the triangle, if anything: the mean of its corners.
pub(crate) fn cut(triangle: &Corners, low: Vec3, high: Vec3) -> Option<Vec3> {
    let (corners, count) = clipped(triangle, low, high);
    let sum = corners[..count].iter().fold([0.0; 3], |sum, &p| add(sum, p));
    (count > 0).then(|| scale(sum, 1.0 / count as f64))
}

/// Six planes leave a triangle nine corners at most; rounding, where the box is as good as flat, perhaps more.
const CORNERS: usize = 16;

/// The corners of what the six planes of the box leave of the triangle, and their number.
/// Source: Sutherland and Hodgman, Reentrant Polygon Clipping (1974).
fn clipped(triangle: &Corners, low: Vec3, high: Vec3) -> ([Vec3; CORNERS], usize) {
    let (mut from, mut count) = ([[0.0; 3]; CORNERS], 3);
    from[..3].copy_from_slice(triangle);
    for plane in 0..6 {
        let axis = plane / 2;
        let inside = |p: Vec3| match plane % 2 {
            0 => high[axis] - p[axis],
            _ => p[axis] - low[axis],
        };
        let (mut to, mut kept) = ([[0.0; 3]; CORNERS], 0);
        for index in 0..count {
            let (p, q) = (from[index], from[(index + 1) % count]);
            let (d, e) = (inside(p), inside(q));
            if d >= 0.0 {
                (to[kept], kept) = (p, kept + 1);
            }
            if (d >= 0.0) != (e >= 0.0) {
                (to[kept], kept) = (add(p, scale(sub(q, p), d / (d - e))), kept + 1);
            }
        }
        (from, count) = (to, kept);
    }
    (from, count)
}

/// The exact form of a primitive: corners, edge directions, face normals; over a common denominator.
/// A triangle repeats what it has fewer of, so that nothing is allocated.
pub(crate) struct Body {
    corners: [ExactVec; 8],
    edges: [ExactVec; 3],
    normals: [ExactVec; 3],
}

impl Body {
    pub fn triangle(corners: [ExactVec; 3]) -> Self {
        let edges = std::array::from_fn(|i| minus(&corners[(i + 1) % 3], &corners[i]));
        let normal = exact_cross(&edges[0], &edges[1]);
        Body {
            corners: std::array::from_fn(|i| corners[i % 3].clone()),
            normals: std::array::from_fn(|_| normal.clone()),
            edges,
        }
    }

    pub fn solid(center: &ExactVec, axes: [ExactVec; 3], half: Vec3) -> Self {
        let normal = |i: usize| exact_cross(&axes[(i + 1) % 3], &axes[(i + 2) % 3]);
        let corners = corners(center, &axes, half);
        Body { corners, normals: std::array::from_fn(normal), edges: axes }
    }

    /// All points `center + axes * s` with `low <= s <= high`.
    pub fn block(center: &ExactVec, axes: [ExactVec; 3], low: Vec3, high: Vec3) -> Self {
        let normal = |i: usize| exact_cross(&axes[(i + 1) % 3], &axes[(i + 2) % 3]);
        let corners = std::array::from_fn(|corner| {
            (0..3).fold(center.clone(), |p, k| {
                let end = if corner >> k & 1 == 1 { high[k] } else { low[k] };
                plus(&p, &times(&axes[k], &Exact::new(end)))
            })
        });
        Body { corners, normals: std::array::from_fn(normal), edges: axes }
    }

    /// Whether the closed bodies share a point. At least one of the two is a box.
    pub fn meets(&self, other: &Body) -> bool {
        let crossed = self.edges.iter().flat_map(|a| other.edges.iter().map(|b| exact_cross(a, b)));
        let mut axes = self.normals.iter().chain(&other.normals).cloned().chain(crossed);
        !axes.any(|axis| {
            let ((low_a, high_a), (low_b, high_b)) = (self.interval(&axis), other.interval(&axis));
            less(&high_a, &low_b) || less(&high_b, &low_a)
        })
    }

    fn interval(&self, axis: &ExactVec) -> (Exact, Exact) {
        let mut along = self.corners.iter().map(|corner| exact_dot(axis, corner));
        let first = along.next().unwrap_or_else(Exact::zero);
        along.fold((first.clone(), first), |(low, high), x| {
            (if less(&x, &low) { x.clone() } else { low }, if less(&high, &x) { x } else { high })
        })
    }
}

fn less(a: &Exact, b: &Exact) -> bool {
    (a - b).sign() == Ordering::Less
}
