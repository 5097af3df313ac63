//! Reach of a shape along a direction, rounded up.
//!
//! The reach is the greatest product of the direction with an offset from an origin to a point of
//! the shape. Two shapes are disjoint if the reaches of both towards each other sum to less than
//! zero. The origin is a point of one of the two, so that errors are shares of the distance and the
//! sizes, wherever the shapes are.
//!
//! # Errors
//! With `u = 2^-53`: a difference of stored coordinates is off by `u` of itself, a sum of three
//! products by `4 u` of its terms, a length by `4 u` of itself. Each reach is padded by
//! [`REACH_ERROR`], `16 u`, of the sum of all its terms. Cylinders, ellipsoids and k-DOPs have the
//! error of their support points, [`SUPPORT_ERROR`].

use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, length, sub};
use crate::pair::convex::{ConvexShape, KdopBody, Support};
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Ellipsoid, Frustum, Kdop, Obb, Polygon3, Segment, Slabs,
    Sphere, Triangle, WideObb, wide_point,
};

/// Error of a reach, as a share of the terms: `16 u`.
const REACH_ERROR: f64 = 8.0 * f64::EPSILON;

/// Error of a support point, as a share of its coordinates: `2^6 u`.
const SUPPORT_ERROR: f64 = 1.0 / (1u64 << 47) as f64;

/// Pad against underflow.
const UNDERFLOW_PAD: f64 = 1e-300;

/// Shape with a certified reach.
pub(in crate::pair) trait ReachBound {
    /// Returns a point of the shape or near it; finite.
    fn anchor(&self) -> Vec3;
    /// Returns an upper bound on the reach along `direction` from `origin`: infinite for an empty
    /// shape and along an infinite side.
    fn reach_bound(&self, direction: Vec3, origin: Vec3) -> f64;
}

/// Returns a lower bound on the gap of two shapes along a direction of any length, from the first
/// towards the second; `None` if it is not certainly positive.
pub(in crate::pair) fn gap_along<T: Scalar>(
    first: &impl ReachBound,
    second: &impl ReachBound,
    direction: Vec3,
) -> Option<T> {
    let origin = first.anchor();
    let back = direction.map(|x| -x);
    let gap = -(first.reach_bound(direction, origin) + second.reach_bound(back, origin));
    scaled_gap(gap, direction)
}

/// Returns a lower bound on the gap of two aligned boxes along a direction. Exact but for the
/// rounding of the result along an axis of the coordinates.
pub(in crate::pair) fn gap_of_aligned<T: Scalar>(
    first: &Aabb<T, 3>,
    second: &Aabb<T, 3>,
    direction: Vec3,
) -> Option<T> {
    if !is_filled(first) || !is_filled(second) {
        return None;
    }
    let (mut gap, mut terms) = (0.0, 0.0);
    for (i, x) in direction.into_iter().enumerate().filter(|(_, x)| *x != 0.0) {
        let between = match x > 0.0 {
            true => second.min[i].wide() - first.max[i].wide(),
            false => second.max[i].wide() - first.min[i].wide(),
        };
        (gap, terms) = (gap + x * between, terms + (x * between).abs());
    }
    scaled_gap(gap - REACH_ERROR * terms, direction)
}

/// Returns `true` if a box is neither empty nor NaN.
fn is_filled<T: Scalar>(bounds: &Aabb<T, 3>) -> bool {
    // Written so that NaN fails.
    (0..3).all(|i| bounds.min[i] <= bounds.max[i])
}

/// Divides a gap by the length of its direction, rounding down; `None` unless it is positive.
fn scaled_gap<T: Scalar>(gap: f64, direction: Vec3) -> Option<T> {
    let gap = T::at_most(gap / length(direction) * (1.0 - REACH_ERROR));
    // Written so that NaN fails.
    (gap > T::zero()).then_some(gap)
}

fn abs_sum(v: Vec3) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

/// Returns the reach of the hull of some points, grown by a radius.
#[inline]
fn reach_of_points(
    points: impl Iterator<Item = Vec3>,
    radius: f64,
    (direction, origin): (Vec3, Vec3),
) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for point in points {
        let from = sub(point, origin);
        let terms = [0, 1, 2].map(|i| direction[i] * from[i]);
        let reach = terms[0] + terms[1] + terms[2] + REACH_ERROR * abs_sum(terms);
        // NaN stays.
        most = if reach <= most { most } else { reach };
    }
    let around = radius * length(direction);
    most + around * (1.0 + REACH_ERROR) + UNDERFLOW_PAD
}

/// Returns the reach of a body by its support point.
fn reach_of_support(body: &dyn Support, (direction, origin): (Vec3, Vec3)) -> f64 {
    let point = body.farthest(direction);
    let size = abs_sum(point) + abs_sum(origin) + body.radius();
    let pad = SUPPORT_ERROR * size * length(direction);
    reach_of_points([point].into_iter(), body.radius(), (direction, origin)) + pad
}

/// Implements [`ReachBound`] for the hull of points, grown by a radius.
macro_rules! reach_by_points {
    ($($kind:ty, |$shape:ident| $points:expr, $radius:expr;)*) => {$(
        impl<T: Scalar> ReachBound for $kind {
            #[inline]
            fn anchor(&self) -> Vec3 {
                let $shape = self;
                let mut points = $points;
                points.next().unwrap_or([0.0; 3])
            }
            #[inline]
            fn reach_bound(&self, direction: Vec3, origin: Vec3) -> f64 {
                let $shape = self;
                reach_of_points($points, $radius, (direction, origin))
            }
        }
    )*};
}

reach_by_points! {
    Sphere<T, 3>, |shape| [wide_point(shape.center())].into_iter(), shape.radius().wide();
    Capsule<T>, |shape| shape.segment().wide().into_iter(), shape.radius().wide();
    Segment<T>, |shape| shape.wide().into_iter(), 0.0;
    Triangle<T>, |shape| shape.wide().corners.into_iter(), 0.0;
    Polygon3<T>, |shape| shape.feet().iter().copied(), 0.0;
    Frustum<T>, |shape| shape.corners().into_iter().map(wide_point), 0.0;
    ConvexHull<T>, |shape| shape.corners().iter().copied().map(wide_point), 0.0;
}

impl<T: Scalar> ReachBound for Obb<T> {
    #[inline]
    fn anchor(&self) -> Vec3 {
        wide_point(self.center())
    }
    #[inline]
    fn reach_bound(&self, direction: Vec3, origin: Vec3) -> f64 {
        let WideObb { center, axes, half_extents: h } = self.wide();
        let from = sub(center, origin);
        let middle = [0, 1, 2].map(|i| direction[i] * from[i]);
        let [x, y, z] = axes.map(|axis| dot(axis, direction).abs());
        let around = h[0] * x + h[1] * y + h[2] * z;
        // Axes are of length 1 up to a thousandth, so no product exceeds twice these terms.
        let terms = abs_sum(middle) + 2.0 * abs_sum(h) * abs_sum(direction);
        middle[0] + middle[1] + middle[2] + around + REACH_ERROR * terms + UNDERFLOW_PAD
    }
}

impl<T: Scalar> ReachBound for Aabb<T, 3> {
    #[inline]
    fn anchor(&self) -> Vec3 {
        wide_point(self.min).map(|x| if x.is_finite() { x } else { 0.0 })
    }
    #[inline]
    fn reach_bound(&self, direction: Vec3, origin: Vec3) -> f64 {
        let (low, high) = (wide_point(self.min), wide_point(self.max));
        if !is_filled(self) {
            return f64::INFINITY;
        }
        // An infinite side does not count across a direction.
        let terms = [0, 1, 2].map(|i| match direction[i] {
            x if x > 0.0 => x * (high[i] - origin[i]),
            x if x < 0.0 => x * (low[i] - origin[i]),
            x => x * 0.0,
        });
        terms[0] + terms[1] + terms[2] + REACH_ERROR * abs_sum(terms) + UNDERFLOW_PAD
    }
}

/// Implements [`ReachBound`] by support points.
macro_rules! reach_by_support {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> ReachBound for $kind {
            fn anchor(&self) -> Vec3 {
                wide_point(self.center())
            }
            fn reach_bound(&self, direction: Vec3, origin: Vec3) -> f64 {
                reach_of_support(self, (direction, origin))
            }
        }
    )*};
}

reach_by_support!(Cylinder<T>, Ellipsoid<T>);

impl<T: Scalar, const N: usize> ReachBound for Kdop<T, 3, N>
where
    Self: Slabs<3, N>,
{
    fn anchor(&self) -> Vec3 {
        self.finite_body().map_or([0.0; 3], |body| body.core_point())
    }
    fn reach_bound(&self, direction: Vec3, origin: Vec3) -> f64 {
        let reach = |body: KdopBody<N>| reach_of_support(&body, (direction, origin));
        self.finite_body().map_or(f64::INFINITY, reach)
    }
}

impl<T: Scalar, const N: usize> Kdop<T, 3, N>
where
    Self: Slabs<3, N>,
{
    /// Returns the k-DOP as a convex body; `None` if it is empty or infinite.
    fn finite_body(&self) -> Option<KdopBody<N>> {
        if self.is_finite() { KdopBody::new(self, f64::INFINITY) } else { None }
    }
}

/// Evaluates an expression for the shape of any kind.
macro_rules! for_kind {
    ($any:expr, $shape:ident => $value:expr) => {
        match $any {
            ConvexShape::Sphere($shape) => $value,
            ConvexShape::Capsule($shape) => $value,
            ConvexShape::Cylinder($shape) => $value,
            ConvexShape::Ellipsoid($shape) => $value,
            ConvexShape::Box($shape) => $value,
            ConvexShape::Hull($shape) => $value,
            ConvexShape::Triangle($shape) => $value,
        }
    };
}

impl<T: Scalar> ReachBound for ConvexShape<T> {
    fn anchor(&self) -> Vec3 {
        for_kind!(self, shape => shape.anchor())
    }
    fn reach_bound(&self, direction: Vec3, origin: Vec3) -> f64 {
        for_kind!(self, shape => shape.reach_bound(direction, origin))
    }
}
