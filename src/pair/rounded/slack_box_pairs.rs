//! Boxes against points, segments and triangles: closest points and overlap.

use super::cores::{ClosestOnCores, CorePair, CoreSegment};
use super::point::Face;
use super::slack_box::{SlackBox, clamp_to_box, nearest_parameter};
use super::triangle_exact::TriangleCorners;
use crate::num::exact::exact;
use crate::num::linear::{Vec3, add, dot, scale, sub};
use crate::sat::box_triangle::{box_overlaps_segment, centered_box_overlaps_triangle};
use crate::sat::exact_boxes::ExactBody;
use crate::shape::clamp_to_unit;

impl CorePair<SlackBox> for Vec3 {
    #[inline]
    fn closest(&self, block: &SlackBox) -> ClosestOnCores {
        block.closest_from(*self, block.to_local(*self))
    }
    fn overlaps(&self, block: &SlackBox) -> bool {
        let near = self.closest(block);
        !self.is_surely_disjoint(block, &near) && overlaps_box(&[*self; 3], block)
    }
}

impl CorePair<SlackBox> for CoreSegment {
    #[inline]
    fn closest(&self, block: &SlackBox) -> ClosestOnCores {
        let home = block.recentered();
        let along = sub(self[1], self[0]);
        let (p, d) = (home.to_local(self[0]), home.to_local_direction(along));
        let t = nearest_parameter(p, d, home.low, home.high);
        home.closest_from(add(self[0], scale(along, t)), add(p, scale(d, t)))
    }

    #[inline]
    fn overlaps(&self, block: &SlackBox) -> bool {
        let (local, half, slack) = box_frame(self, block);
        box_overlaps_segment(&local, half, slack)
            .unwrap_or_else(|| overlaps_box(&[self[0], self[1], self[1]], block))
    }

    #[inline]
    fn closest_if_disjoint(&self, block: &SlackBox) -> Option<ClosestOnCores> {
        (!self.overlaps(block)).then(|| self.closest(block))
    }
}

impl CorePair<SlackBox> for TriangleCorners {
    /// Tests three features: an edge of the triangle against the box, a corner of the box against
    /// the inside of the triangle, and the box piercing the inside.
    fn closest(&self, block: &SlackBox) -> ClosestOnCores {
        let home = block.recentered();
        if self[1] == self[0] && self[2] == self[0] {
            // A point. Zero is added as an edge of no length would be, which fixes its sign.
            let point = add(self[0], [0.0; 3]);
            return home.closest_from(point, add(home.to_local(self[0]), [0.0; 3]));
        }
        let face = Face::new(self);
        let local = self.map(|p| home.to_local(p));
        let best = nearest_edge(self, &local, &home);
        if best.squared == 0.0 {
            return best;
        }
        let normal = home.to_local_direction(face.normal);
        let height = |corner: Vec3| dot(normal, sub(corner, local[0]));
        let pick = |up: bool| {
            [0, 1, 2].map(|i| if (normal[i] > 0.0) == up { home.high[i] } else { home.low[i] })
        };
        let placed = |local: Vec3| add(home.center, home.to_outer_direction(local));
        let ends = [pick(false), pick(true)];
        let [lowest, highest] = ends.map(height);
        if lowest <= 0.0 && highest >= 0.0 {
            // No edge is in the box, so the section of the plane with the box lies wholly inside or
            // wholly outside the triangle.
            let share = clamp_to_unit(lowest / (lowest - highest));
            let point = placed(add(ends[0], scale(sub(ends[1], ends[0]), share)));
            let outside = face.outer_edges(point).contains(&true);
            return if outside { best } else { ClosestOnCores::common(point) };
        }
        let corner = placed(if lowest > 0.0 { ends[0] } else { ends[1] });
        face.foot(corner).map_or(best, |near| best.nearer(near.reversed()))
    }

    #[inline]
    fn overlaps(&self, block: &SlackBox) -> bool {
        overlaps_box(self, block)
    }

    #[inline]
    fn closest_if_disjoint(&self, block: &SlackBox) -> Option<ClosestOnCores> {
        (!self.overlaps(block)).then(|| self.closest(block))
    }
}

/// Returns points in the frame of the box centre, the half extents, and a bound on the error of
/// both from rounding and axes that are not quite orthogonal.
#[inline]
fn box_frame<const N: usize>(points: &[Vec3; N], block: &SlackBox) -> ([Vec3; N], Vec3, f64) {
    let (local, half, off) = if block.is_aligned {
        let middle = scale(add(block.low, block.high), 0.5);
        let (down, up) = (sub(middle, block.low), sub(block.high, middle));
        let half = [0, 1, 2].map(|i| if up[i] > down[i] { up[i] } else { down[i] });
        (points.map(|p| sub(p, middle)), half, abs_sum(sub(up, down)))
    } else {
        (points.map(|p| block.to_local(p)), block.high, 0.0)
    };
    let far =
        local.iter().map(|&p| abs_sum(p)).fold(0.0, |most, x| if x > most { x } else { most });
    (local, half, block.slack_share * (abs_sum(half) + far) + off)
}

/// Returns the sum of the absolute coordinates, an upper bound on the length.
#[inline]
fn abs_sum(v: Vec3) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

/// Returns `true` if a box shares a point with a triangle, segment or point, given by three
/// corners. Separating axes decide first, exact arithmetic what rounding leaves open.
pub(in crate::pair) fn overlaps_box(corners: &TriangleCorners, block: &SlackBox) -> bool {
    let (local, half, slack) = box_frame(corners, block);
    centered_box_overlaps_triangle(&local, half, slack)
        .unwrap_or_else(|| overlaps_box_exactly(corners, block))
}

#[cold]
fn overlaps_box_exactly(corners: &TriangleCorners, block: &SlackBox) -> bool {
    let SlackBox { center, low, high, .. } = *block;
    let solid = ExactBody::from_ranges(&exact(center), block.axes().map(exact), low, high);
    solid.overlaps(&ExactBody::from_triangle(corners.map(exact)))
}

/// Returns the closest points of the triangle edges and the box; `local` are the corners in the
/// frame of the box.
#[inline]
fn nearest_edge(
    corners: &TriangleCorners,
    local: &TriangleCorners,
    block: &SlackBox,
) -> ClosestOnCores {
    let (low, high) = (block.low, block.high);
    let (mut best, mut least) = ((0, 0.0, [0.0; 3]), f64::INFINITY);
    for i in 0..3 {
        let (p, q) = (local[i], local[(i + 1) % 3]);
        let aside = [0, 1, 2].map(|n| {
            let (from, to) = if p[n] < q[n] { (p[n], q[n]) } else { (q[n], p[n]) };
            let out = if from > high[n] { from - high[n] } else { low[n] - to };
            if out > 0.0 { out } else { 0.0 }
        });
        if dot(aside, aside) >= least {
            continue;
        }
        let d = sub(q, p);
        let t = nearest_parameter(p, d, low, high);
        let at = add(p, scale(d, t));
        let way = sub(clamp_to_box(at, low, high), at);
        if dot(way, way) < least {
            (best, least) = ((i, t, way), dot(way, way));
        }
    }
    let (i, t, way) = best;
    let along = sub(corners[(i + 1) % 3], corners[i]);
    ClosestOnCores::new(add(corners[i], scale(along, t)), block.to_outer_direction(way))
}
