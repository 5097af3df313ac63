//! Refinement of box axes: a box rotates about its own axes until no rotation makes it smaller.

use crate::num::linear::{Mat3, Vec3, add, cross, dot, orthonormalised, scale};
use crate::num::sorting::sort_points;

/// A point of a plane.
type PlanePoint = [f64; 2];

/// Largest number of rounds over the three axes; two or three are usual.
const MAX_ROUNDS: usize = 8;

/// Least gain for which the search continues, as a share of the surface: less is rounding, or soon
/// will be.
const MIN_GAIN: f64 = 1e-6;

/// Returns better axes for a box around the points: for each axis in turn, the smallest rectangle
/// around the points projected along it. The surface of the box never grows. The result is best for
/// every single rotation, not for all together. Source: Ericson, Real-Time Collision Detection
/// (2005), 4.4.3 and 4.4.4; after O'Rourke (1985).
pub(crate) fn refined_axes(axes: &Mat3, points: &[Vec3]) -> Mat3 {
    let mut axes = orthonormalised(axes);
    let mut flat = Vec::with_capacity(points.len());
    let mut since = 0;
    for axis in (0..3 * MAX_ROUNDS).map(|round| round % 3) {
        let [up, x, y] = [0, 1, 2].map(|i| axes[(axis + i) % 3]);
        flat.clear();
        flat.extend(points.iter().map(|&p| [dot(x, p), dot(y, p)]));
        let height = extent(points.iter().map(|&p| dot(up, p)));
        let now = half_surface(&flat, [1.0, 0.0], height);
        since += 1;
        if let Some((direction, best)) = least_rectangle(&plane_hull(&mut flat), height)
            && best < now * (1.0 - MIN_GAIN)
        {
            let along = add(scale(x, direction[0]), scale(y, direction[1]));
            let turned = orthonormalised(&[up, along, cross(up, along)]);
            (0..3).for_each(|i| axes[(axis + i) % 3] = turned[i]);
            since = 0;
        }
        if since >= 3 {
            break;
        }
    }
    axes
}

/// Returns the direction of the hull edge along a side of the smallest box, and half the surface of
/// that box; `None` without an edge.
///
/// A rectangle around points has its least area, and its least perimeter, with a side along an edge
/// of their hull; the sum of both is least there or nearly.
fn least_rectangle(hull: &[PlanePoint], height: f64) -> Option<(PlanePoint, f64)> {
    let mut best: Option<(PlanePoint, f64)> = None;
    for (i, &from) in hull.iter().enumerate() {
        let to = hull[(i + 1) % hull.len()];
        let edge = [to[0] - from[0], to[1] - from[1]];
        let long = (edge[0] * edge[0] + edge[1] * edge[1]).sqrt();
        if long > 0.0 {
            let direction = [edge[0] / long, edge[1] / long];
            let cost = half_surface(hull, direction, height);
            if best.is_none_or(|(_, least)| cost < least) {
                best = Some((direction, cost));
            }
        }
    }
    best
}

/// Half the surface of the box of this height around the points with a side along `direction`.
fn half_surface(points: &[PlanePoint], direction: PlanePoint, height: f64) -> f64 {
    let [c, s] = direction;
    let along = extent(points.iter().map(|p| c * p[0] + s * p[1]));
    let across = extent(points.iter().map(|p| c * p[1] - s * p[0]));
    along * across + height * (along + across)
}

/// The extent of the values.
fn extent(values: impl Iterator<Item = f64>) -> f64 {
    let ends = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.fold(ends, |(low, high), x| (low.min(x), high.max(x)));
    high - low
}

/// Returns the convex hull, counter-clockwise. Source: Andrew's monotone chain (1979).
fn plane_hull(points: &mut Vec<PlanePoint>) -> Vec<PlanePoint> {
    sort_points(points);
    points.dedup();
    let mut hull = hull_chain(points.iter());
    hull.pop();
    let mut upper = hull_chain(points.iter().rev());
    upper.pop();
    hull.append(&mut upper);
    hull
}

/// Returns a chain of the hull from the first point to the last, with left turns only.
fn hull_chain<'a>(points: impl Iterator<Item = &'a PlanePoint>) -> Vec<PlanePoint> {
    let mut chain: Vec<PlanePoint> = Vec::new();
    for &p in points {
        while let [.., a, b] = chain[..] {
            let left = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
            if left > 0.0 {
                break;
            }
            chain.pop();
        }
        chain.push(p);
    }
    chain
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::linear::{matrix_product, rotate, rotation_of};

    fn corners(frame: &Mat3) -> Vec<Vec3> {
        let sign = |corner: usize, i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
        let corner = |c: usize| [3.0 * sign(c, 0), 2.0 * sign(c, 1), sign(c, 2)];
        (0..8).map(|c| rotate(frame, corner(c))).collect()
    }

    pub fn finds_the_box_its_points_are_the_corners_of() {
        let frame = rotation_of([0.3, -0.4, 0.2, 0.7]);
        let points = corners(&frame);
        let slightly = rotation_of([0.1, 0.05, -0.1, 1.0]);
        let found = refined_axes(&matrix_product(&frame, &slightly), &points);
        let volume: f64 =
            found.map(|axis| extent(points.iter().map(|&p| dot(axis, p)))).iter().product();
        assert!((volume - 48.0).abs() < 1e-9, "{volume}");
    }

    pub fn points_without_a_plane_leave_the_axes_alone() {
        let frame = rotation_of([0.3, -0.4, 0.2, 0.7]);
        for points in [vec![], vec![[1.0; 3]], vec![[1.0; 3]; 5]] {
            let found = refined_axes(&frame, &points);
            assert!(std::iter::zip(found, frame).all(|(a, b)| dot(a, b) > 1.0 - 1e-12));
        }
    }
}
