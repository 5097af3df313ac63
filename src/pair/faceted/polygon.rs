//! Balls, segments and capsules against a flat convex polygon.

use crate::num::linear::{Vec3, add, dot, length, scale, sub};
use crate::num::{Scalar, tolerance};
use crate::pair::queries::traits::{ClosestPointsQuery, IntersectsQuery};
use crate::pair::results::ClosestPoints;
use crate::pair::rounded::cores::{ClosestOnCores, CorePair, CoreSegment};
use crate::pair::rounded::rounded_shape::surface_points;
use crate::shape::{
    Capsule, PlaneFrame, Polygon3, Segment, Sphere, clamp_to_unit, is_outside_edge, outline_edges,
    wide_point,
};

/// Returns the closest points of a segment and a polygon with these corners, in the plane of
/// `frame`, both relative to `origin`. No frame means that all corners are on one line.
///
/// They are the point where the segment pierces the polygon, else the closest of its edges and of
/// the feet of the two ends. Source: Ericson, Real-Time Collision Detection (2005), 5.1.10.
pub(in crate::pair) fn closest_on_outline(
    line: &CoreSegment,
    corners: &[Vec3],
    origin: Vec3,
    frame: Option<&PlaneFrame>,
) -> ClosestOnCores {
    let seen = |p: Vec3| sub(p, origin);
    let edges = || outline_edges(corners).map(|edge| edge.map(seen));
    let inside = |p: Vec3| {
        let outside = |frame: &PlaneFrame| edges().any(|e| is_outside_edge(frame, e, p));
        frame.is_some_and(|frame| !outside(frame))
    };
    let crossing = frame.and_then(|frame| plane_crossing(line, frame)).filter(|&p| inside(p));
    if let Some(point) = crossing {
        return ClosestOnCores::common(point);
    }
    let first = ClosestOnCores::new(line[0], sub(seen(corners[0]), line[0]));
    let mut best = edges().fold(first, |best, edge| best.nearer(line.closest(&edge)));
    for &end in line {
        if let Some(foot) = frame.map(|frame| frame.foot(end)).filter(|&foot| inside(foot)) {
            best = best.nearer(ClosestOnCores::new(end, sub(foot, end)));
        }
    }
    best
}

/// Returns the rounded point where a segment crosses the plane; `None` if the segment lies on one
/// side or in the plane.
fn plane_crossing(line: &CoreSegment, frame: &PlaneFrame) -> Option<Vec3> {
    let [from, to] = line.map(|p| frame.height(p));
    let aside = from > 0.0 && to > 0.0 || from < 0.0 && to < 0.0 || from == to;
    let share = clamp_to_unit(from / (from - to));
    (!aside).then(|| frame.foot(add(line[0], scale(sub(line[1], line[0]), share))))
}

/// Returns the closest points of a segment and a polygon, and `true` if the segment grown by
/// `radius` is disjoint from the polygon by more than rounding.
fn closest_on_polygon<T: Scalar>(
    line: &CoreSegment,
    radius: f64,
    polygon: &Polygon3<T>,
) -> (ClosestOnCores, bool) {
    // Relative to one end, so that a pair far from the origin loses no digits.
    let (local, corners) = (|p: Vec3| sub(p, line[0]), polygon.feet());
    let frame = PlaneFrame { origin: local(polygon.frame().origin), ..*polygon.frame() };
    let seen = closest_on_outline(&[[0.0; 3], local(line[1])], corners, line[0], Some(&frame));
    let size = length(local(line[1])) + length(local(corners[0])) + frame.length + radius;
    let padded_radius = radius + DISTANCE_ERROR * size;
    let near = ClosestOnCores { on_a: add(line[0], seen.on_a), ..seen };
    (near, dot(near.offset, near.offset) > padded_radius * padded_radius)
}

/// Error of a distance as a share of the sizes: `32 e`.
const DISTANCE_ERROR: f64 = tolerance::SWEEP_SLACK / 4.0;

macro_rules! against_polygon {
    ($($kind:ty, |$shape:ident| $line:expr, $radius:expr;)*) => {$(
        impl<T: Scalar> IntersectsQuery<Polygon3<T>> for $kind {
            fn intersects(&self, other: &Polygon3<T>) -> bool {
                let $shape = self;
                !closest_on_polygon(&$line, $radius, other).1
            }
        }
        impl<T: Scalar> IntersectsQuery<$kind> for Polygon3<T> {
            fn intersects(&self, other: &$kind) -> bool {
                other.intersects(self)
            }
        }
        impl<T: Scalar> ClosestPointsQuery<Polygon3<T>> for $kind {
            type Scalar = T;
            fn closest_points(&self, other: &Polygon3<T>) -> ClosestPoints<T> {
                let $shape = self;
                let radius = $radius;
                ClosestPoints::from_wide(surface_points(closest_on_polygon(&$line, radius, other), [radius, 0.0]))
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$kind> for Polygon3<T> {
            type Scalar = T;
            fn closest_points(&self, other: &$kind) -> ClosestPoints<T> {
                other.closest_points(self).reversed()
            }
        }
    )*};
}

against_polygon! {
    Sphere<T, 3>, |ball| [wide_point(ball.center()); 2], ball.radius().wide();
    Capsule<T>, |body| body.segment().wide(), body.radius().wide();
    Segment<T>, |line| line.wide(), 0.0;
}
