//! SAT of an aligned box at the origin against a segment or a triangle, with a slack so that
//! rounding changes no verdict. The answer is `None` where an axis nearly separates the two and
//! clipping does not prove a common point.
//!
//! Two convex bodies that no axis separates share a point. So if all axes still overlap after the
//! box shrinks by twice the slack, which is far above the rounding along an axis, the answer is
//! yes.

use crate::num::linear::{Vec3, add, cross, dot, rotate_back, scale, sub};
use crate::shape::WideObb;

struct AxisVerdicts {
    slack: f64,
    /// Set if an axis separates the two.
    is_separated: bool,
    /// Set while all axes overlap by twice the slack.
    overlaps_deeply: bool,
}

impl AxisVerdicts {
    #[inline(always)]
    fn new(half: Vec3, slack: f64) -> Self {
        let thin = half.iter().any(|&h| h <= 2.0 * slack);
        AxisVerdicts { slack, is_separated: false, overlaps_deeply: !thin }
    }

    /// Adds an axis of length `size`, with the separation along it (negative: overlap).
    #[inline(always)]
    fn add_axis(&mut self, gap: f64, size: f64) {
        let slack = self.slack * size;
        self.is_separated |= gap > slack;
        self.overlaps_deeply &= gap <= -2.0 * slack;
    }

    fn verdict(&self) -> Option<bool> {
        if self.is_separated { Some(false) } else { self.overlaps_deeply.then_some(true) }
    }
}

/// Tests six axes: those of the box and their cross products with the segment. Source: Ericson,
/// Real-Time Collision Detection (2005), 5.3.3.
#[inline]
pub(crate) fn box_overlaps_segment([p, q]: &[Vec3; 2], half: Vec3, slack: f64) -> Option<bool> {
    let middle = [0, 1, 2].map(|i| 0.5 * (p[i] + q[i]));
    let along = scale(sub(*q, *p), 0.5);
    let reach = along.map(f64::abs);
    let mut verdicts = AxisVerdicts::new(half, slack);
    for i in 0..3 {
        verdicts.add_axis(middle[i].abs() - (half[i] + reach[i]), 1.0);
    }
    if verdicts.is_separated {
        return Some(false);
    }
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let aside = middle[j] * along[k] - middle[k] * along[j];
        verdicts
            .add_axis(aside.abs() - (half[j] * reach[k] + half[k] * reach[j]), reach[j] + reach[k]);
    }
    verdicts.verdict()
}

/// Tests thirteen axes, those first that separate most often. Edges and their products with the
/// box's axes are accurate to the last digit. The normal is not where it is short compared with its
/// edges, and then proves no overlap; a segment needs no normal. Source: Akenine-Möller, Fast 3D
/// Triangle-Box Overlap Testing (2001).
#[inline]
fn overlap_by_axes([a, b, c]: &[Vec3; 3], half: Vec3, slack: f64) -> Option<bool> {
    let mut verdicts = AxisVerdicts::new(half, slack);
    for i in 0..3 {
        verdicts.add_axis(
            interval_separation(min3(a[i], b[i], c[i]), max3(a[i], b[i], c[i]), half[i]),
            1.0,
        );
    }
    if verdicts.is_separated {
        return Some(false);
    }
    let edges = [sub(*b, *a), sub(*c, *b), sub(*a, *c)];
    let normal = cross(edges[0], edges[1]);
    let [p, q, r] = [a, b, c].map(|corner| dot(normal, *corner));
    let flat = normal.map(f64::abs);
    verdicts.add_axis(
        interval_separation(min3(p, q, r), max3(p, q, r), dot(half, flat)),
        flat[0] + flat[1] + flat[2],
    );
    if verdicts.is_separated {
        return Some(false);
    }
    // Both ends of an edge project to one point, so two corners suffice.
    for (edge, from, third) in [(edges[0], a, c), (edges[1], b, a), (edges[2], c, b)] {
        let reach = edge.map(f64::abs);
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let along = |corner: &Vec3| edge[j] * corner[k] - edge[k] * corner[j];
            let (x, y) = (along(from), along(third));
            let (low, high) = if y < x { (y, x) } else { (x, y) };
            let gap = interval_separation(low, high, half[j] * reach[k] + half[k] * reach[j]);
            verdicts.add_axis(gap, reach[j] + reach[k]);
        }
        if verdicts.is_separated {
            return Some(false);
        }
    }
    verdicts.overlaps_deeply &= edges[1] == [0.0; 3] || is_well_conditioned(normal, edges);
    verdicts.verdict()
}

/// Returns `true` if a box and a triangle in one frame share a point, `None` if rounding could
/// change that. `slack` covers the error of the corners, and axes not quite at right angles.
pub(crate) fn box_overlaps_triangle(
    solid: &WideObb,
    triangle: &[Vec3; 3],
    slack: f64,
) -> Option<bool> {
    let local = triangle.map(|p| rotate_back(&solid.axes, sub(p, solid.center)));
    centered_box_overlaps_triangle(&local, solid.half_extents, slack)
}

/// Like [`box_overlaps_triangle`], for a triangle in the frame of the box.
#[inline]
pub(crate) fn centered_box_overlaps_triangle(
    local: &[Vec3; 3],
    half: Vec3,
    slack: f64,
) -> Option<bool> {
    overlap_by_axes(local, half, slack).or_else(|| {
        let inner = half.map(|h| h - slack);
        (inner.iter().all(|&h| h > 0.0) && clip_is_nonempty(local, inner)).then_some(true)
    })
}

/// Capacity of a clipped triangle. Six planes leave nine corners at most; rounding may add some
/// where the box is nearly flat.
const MAX_CORNERS: usize = 16;

/// Returns `true` if clipping the triangle against the six planes of the box leaves something.
/// Source: Sutherland and Hodgman, Reentrant Polygon Clipping (1974).
#[cold]
fn clip_is_nonempty(triangle: &[Vec3; 3], half: Vec3) -> bool {
    let (mut from, mut count) = ([[0.0; 3]; MAX_CORNERS], 3);
    from[..3].copy_from_slice(triangle);
    for plane in 0..6 {
        let axis = plane / 2;
        let inside = |p: Vec3| half[axis] + if plane % 2 == 0 { -p[axis] } else { p[axis] };
        let (mut to, mut kept) = ([[0.0; 3]; MAX_CORNERS], 0);
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
    count > 0
}

/// Returns the distance of an interval from `-reach..=reach`; negative if they overlap.
#[inline(always)]
fn interval_separation(low: f64, high: f64, reach: f64) -> f64 {
    (if low > -high { low } else { -high }) - reach
}

#[inline(always)]
fn min3(a: f64, b: f64, c: f64) -> f64 {
    let lesser = if b < a { b } else { a };
    if c < lesser { c } else { lesser }
}

#[inline(always)]
fn max3(a: f64, b: f64, c: f64) -> f64 {
    let greater = if b > a { b } else { a };
    if c > greater { c } else { greater }
}

fn is_well_conditioned(normal: Vec3, edges: [Vec3; 3]) -> bool {
    dot(normal, normal) > MIN_SQUARED_NORMAL * dot(edges[0], edges[0]) * dot(edges[1], edges[1])
}

/// Least squared length of a normal, as a share of its edges' squared lengths, that may prove an
/// overlap.
const MIN_SQUARED_NORMAL: f64 = 1e-8;
