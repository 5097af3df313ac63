//! Common point of two touching boxes, from the faces, edges or corners that touch.

use crate::num::linear::{Vec3, add, dot, scale, sub};
use crate::shape::WideObb;

/// Sine to the plane of contact below which an edge counts as lying in it.
const FEATURE_SINE: f64 = 1e-6;

/// Face, edge or corner: all points `middle + sum s_i spans_i`, `|s_i| <= 1`.
struct Feature {
    middle: Vec3,
    spans: [Vec3; 2],
    count: usize,
}

/// Returns the middle of the shared part of the outermost features of two boxes that touch across
/// the unit `normal` from `a` to `b`.
#[inline(always)]
pub(super) fn common_point(a: &WideObb, b: &WideObb, normal: Vec3) -> Vec3 {
    let (a, b) = (outermost_feature(a, normal), outermost_feature(b, scale(normal, -1.0)));
    match (a.count, b.count) {
        (0, _) => a.middle,
        (_, 0) => b.middle,
        (1, 1) => edges_middle(&a, &b),
        (2, _) => clipped_middle(&a, &b),
        _ => clipped_middle(&b, &a),
    }
}

#[inline(always)]
fn outermost_feature(solid: &WideObb, normal: Vec3) -> Feature {
    let (mut middle, mut spans, mut count) = (solid.center, [[0.0; 3]; 2], 0);
    for i in 0..3 {
        let lean = dot(solid.axes[i], normal);
        let edge = scale(solid.axes[i], solid.half_extents[i]);
        if lean.abs() <= FEATURE_SINE && solid.half_extents[i] > 0.0 && count < 2 {
            spans[count] = edge;
            count += 1;
        } else {
            middle = add(middle, scale(edge, 1.0f64.copysign(lean)));
        }
    }
    Feature { middle, spans, count }
}

/// Returns the midpoint of the closest points of two edges; for parallel ones, the middle of their
/// shared part.
#[inline(never)]
fn edges_middle(a: &Feature, b: &Feature) -> Vec3 {
    let (u, v) = (a.spans[0], b.spans[0]);
    let between = sub(b.middle, a.middle);
    let (uu, vv, uv) = (dot(u, u), dot(v, v), dot(u, v));
    let (bu, bv) = (dot(between, u), dot(between, v));
    let square = uu * vv - uv * uv;
    let s = if square > FEATURE_SINE * FEATURE_SINE * uu * vv {
        ((bu * vv - bv * uv) / square).clamp(-1.0, 1.0)
    } else {
        let reach = uv.abs() / uu;
        let (low, high) = ((bu / uu - reach).max(-1.0), (bu / uu + reach).min(1.0));
        (0.5 * (low + high)).clamp(-1.0, 1.0)
    };
    let r = ((s * uv - bv) / vv).clamp(-1.0, 1.0);
    let (p, q) = (add(a.middle, scale(u, s)), add(b.middle, scale(v, r)));
    scale(add(p, q), 0.5)
}

/// Polygon of up to eight corners: four, and one more for each of four clips.
struct ClippedPolygon {
    list: [[f64; 2]; 8],
    count: usize,
}

impl ClippedPolygon {
    fn push(&mut self, corner: [f64; 2]) {
        if self.count < self.list.len() {
            self.list[self.count] = corner;
            self.count += 1;
        }
    }

    /// Clips to `sign * coordinate <= 1` (Sutherland, Hodgman 1974).
    fn clip(&self, coordinate: usize, sign: f64) -> ClippedPolygon {
        let mut kept = ClippedPolygon { list: [[0.0; 2]; 8], count: 0 };
        let over = |p: [f64; 2]| sign * p[coordinate] - 1.0;
        for i in 0..self.count {
            let (p, q) = (self.list[i], self.list[(i + 1) % self.count]);
            let (at, next) = (over(p), over(q));
            if at <= 0.0 {
                kept.push(p);
            }
            if (at < 0.0 && next > 0.0) || (at > 0.0 && next < 0.0) {
                let share = at / (at - next);
                kept.push([p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share]);
            }
        }
        kept
    }

    fn mean(&self) -> [f64; 2] {
        let corners = &self.list[..self.count];
        let sum = corners.iter().fold([0.0; 2], |s, c| [s[0] + c[0], s[1] + c[1]]);
        sum.map(|x| x / self.count as f64)
    }
}

/// Returns the mean of the corners of the shared part of a face and another feature.
#[inline(never)]
fn clipped_middle(face: &Feature, other: &Feature) -> Vec3 {
    let [u, v] = face.spans;
    let seen = |p: Vec3| {
        let from = sub(p, face.middle);
        [dot(from, u) / dot(u, u), dot(from, v) / dot(v, v)]
    };
    let [x, y] = other.spans;
    let mut all = ClippedPolygon { list: [[0.0; 2]; 8], count: 0 };
    let signs: &[[f64; 2]] = match other.count {
        1 => &[[-1.0, 0.0], [1.0, 0.0]],
        _ => &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]],
    };
    for &[p, q] in signs {
        all.push(seen(add(other.middle, add(scale(x, p), scale(y, q)))));
    }
    let left = all.clip(0, 1.0).clip(0, -1.0).clip(1, 1.0).clip(1, -1.0);
    let [p, q] = if left.count > 0 { left.mean() } else { all.mean() };
    let inside = |x: f64| x.clamp(-1.0, 1.0);
    add(face.middle, add(scale(u, inside(p)), scale(v, inside(q))))
}
