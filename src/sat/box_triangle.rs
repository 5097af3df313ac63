//! SAT of an aligned box at the origin against a segment or a triangle, with a slack so that
//! rounding changes no verdict. The answer is `None` where an axis nearly separates the two and
//! clipping does not prove a common point.
//!
//! Two convex bodies that no axis separates share a point. So if all axes still overlap after the
//! box shrinks by twice the slack, which is far above the rounding along an axis, the answer is
//! yes.

use crate::num::linear::{Vec3, add, cross, dot, scale, sub, turn_back};
use crate::shape::WideObb;

struct Asked {
    slack: f64,
    /// Set if an axis separates the two.
    apart: bool,
    /// Set while all axes overlap by twice the slack.
    deep: bool,
}

impl Asked {
    #[inline(always)]
    fn new(half: Vec3, slack: f64) -> Self {
        let thin = half.iter().any(|&h| h <= 2.0 * slack);
        Asked { slack, apart: false, deep: !thin }
    }

    /// Adds an axis of length `size`, with the separation along it (negative: overlap).
    #[inline(always)]
    fn ask(&mut self, gap: f64, size: f64) {
        let slack = self.slack * size;
        self.apart |= gap > slack;
        self.deep &= gap <= -2.0 * slack;
    }

    fn verdict(&self) -> Option<bool> {
        if self.apart { Some(false) } else { self.deep.then_some(true) }
    }
}

/// Tests six axes: those of the box and their cross products with the segment. Source: Ericson,
/// Real-Time Collision Detection (2005), 5.3.3.
#[inline]
pub(crate) fn box_segment([p, q]: &[Vec3; 2], half: Vec3, slack: f64) -> Option<bool> {
    let middle = [0, 1, 2].map(|i| 0.5 * (p[i] + q[i]));
    let along = scale(sub(*q, *p), 0.5);
    let reach = along.map(f64::abs);
    let mut asked = Asked::new(half, slack);
    for i in 0..3 {
        asked.ask(middle[i].abs() - (half[i] + reach[i]), 1.0);
    }
    if asked.apart {
        return Some(false);
    }
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let aside = middle[j] * along[k] - middle[k] * along[j];
        asked.ask(aside.abs() - (half[j] * reach[k] + half[k] * reach[j]), reach[j] + reach[k]);
    }
    asked.verdict()
}

/// Tests thirteen axes, those first that separate most often. Edges and their products with the
/// box's axes are accurate to the last digit. The normal is not where it is short compared with its
/// edges, and then proves no overlap; a segment needs no normal. Source: Akenine-Möller, Fast 3D
/// Triangle-Box Overlap Testing (2001).
#[inline]
fn triangle([a, b, c]: &[Vec3; 3], half: Vec3, slack: f64) -> Option<bool> {
    let mut asked = Asked::new(half, slack);
    for i in 0..3 {
        asked.ask(beyond(least(a[i], b[i], c[i]), most(a[i], b[i], c[i]), half[i]), 1.0);
    }
    if asked.apart {
        return Some(false);
    }
    let edges = [sub(*b, *a), sub(*c, *b), sub(*a, *c)];
    let normal = cross(edges[0], edges[1]);
    let [p, q, r] = [a, b, c].map(|corner| dot(normal, *corner));
    let flat = normal.map(f64::abs);
    asked.ask(beyond(least(p, q, r), most(p, q, r), dot(half, flat)), flat[0] + flat[1] + flat[2]);
    if asked.apart {
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
            let gap = beyond(low, high, half[j] * reach[k] + half[k] * reach[j]);
            asked.ask(gap, reach[j] + reach[k]);
        }
        if asked.apart {
            return Some(false);
        }
    }
    asked.deep &= edges[1] == [0.0; 3] || sound(normal, edges);
    asked.verdict()
}

/// Returns `true` if a box and a triangle in one frame share a point, `None` if rounding could
/// change that. `slack` covers the error of the corners, and axes not quite at right angles.
pub(crate) fn box_triangle(solid: &WideObb, triangle: &[Vec3; 3], slack: f64) -> Option<bool> {
    let local = triangle.map(|p| turn_back(&solid.axes, sub(p, solid.center)));
    local_triangle(&local, solid.half_extents, slack)
}

/// Like [`box_overlaps_triangle`], for a triangle in the frame of the box.
#[inline]
pub(crate) fn local_triangle(local: &[Vec3; 3], half: Vec3, slack: f64) -> Option<bool> {
    triangle(local, half, slack).or_else(|| {
        let inner = half.map(|h| h - slack);
        (inner.iter().all(|&h| h > 0.0) && reaches_into(local, inner)).then_some(true)
    })
}

/// Capacity of a clipped triangle. Six planes leave nine corners at most; rounding may add some
/// where the box is nearly flat.
const CORNERS: usize = 16;

/// Returns `true` if clipping the triangle against the six planes of the box leaves something.
/// Source: Sutherland and Hodgman, Reentrant Polygon Clipping (1974).
#[cold]
fn reaches_into(triangle: &[Vec3; 3], half: Vec3) -> bool {
    let (mut from, mut count) = ([[0.0; 3]; CORNERS], 3);
    from[..3].copy_from_slice(triangle);
    for plane in 0..6 {
        let axis = plane / 2;
        let inside = |p: Vec3| half[axis] + if plane % 2 == 0 { -p[axis] } else { p[axis] };
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
    count > 0
}

/// Returns the distance of an interval from `-reach..=reach`; negative if they overlap.
#[inline(always)]
fn beyond(low: f64, high: f64, reach: f64) -> f64 {
    (if low > -high { low } else { -high }) - reach
}

#[inline(always)]
fn least(a: f64, b: f64, c: f64) -> f64 {
    let lesser = if b < a { b } else { a };
    if c < lesser { c } else { lesser }
}

#[inline(always)]
fn most(a: f64, b: f64, c: f64) -> f64 {
    let greater = if b > a { b } else { a };
    if c > greater { c } else { greater }
}

fn sound(normal: Vec3, edges: [Vec3; 3]) -> bool {
    dot(normal, normal) > SHORT * dot(edges[0], edges[0]) * dot(edges[1], edges[1])
}

/// Least squared length of a normal, as a share of its edges' squared lengths, that may prove an
/// overlap.
const SHORT: f64 = 1e-8;
