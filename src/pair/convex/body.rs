//! Shapes as convex bodies, clipped to what matters against a partner.

use super::gjk::ConvexPair;
use super::support::{RoundedPoints, Support};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale};
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Ellipsoid, Frustum, Obb, Polygon3, Segment, Sphere,
    Triangle, wide_point,
};

/// Bounds of a shape along the axes.
#[derive(Debug, Clone, Copy)]
pub(in crate::pair) struct BodyBounds {
    pub low: Vec3,
    pub high: Vec3,
    /// Largest absolute value of its finite coordinates.
    pub max_coordinate: f64,
}

impl BodyBounds {
    pub fn from_aabb<T: Scalar>(ends: &Aabb<T, 3>) -> Self {
        BodyBounds::from_corners(wide_point(ends.min), wide_point(ends.max))
    }

    fn from_corners(low: Vec3, high: Vec3) -> Self {
        let finite = low.into_iter().chain(high).filter(|x| x.is_finite());
        BodyBounds { low, high, max_coordinate: finite.fold(0.0, |most: f64, x| most.max(x.abs())) }
    }

    fn from_points(points: &[Vec3]) -> Self {
        let end = |pick: fn(f64, f64) -> f64| {
            points.iter().fold(points[0], |end, p| [0, 1, 2].map(|i| pick(end[i], p[i])))
        };
        BodyBounds::from_corners(end(f64::min), end(f64::max))
    }
}

/// Shape with a convex body that depends on a partner.
pub(in crate::pair) trait ConvexBody {
    fn body_bounds(&self) -> BodyBounds;

    /// Calls `ask` with a body that has the same common points with `other` and the same closest
    /// points; `None` if the shape is empty.
    fn with_support<A>(
        &self,
        other: &impl ConvexBody,
        ask: impl FnOnce(&dyn Support) -> A,
    ) -> Option<A>;

    /// Like [`ConvexBody::with_support`], with a body of the same penetration depth against
    /// `other`.
    fn with_whole_support<A>(
        &self,
        other: &impl ConvexBody,
        ask: impl FnOnce(&dyn Support) -> A,
    ) -> Option<A> {
        self.with_support(other, ask)
    }
}

/// Calls `ask` with the bodies of two shapes, each clipped to the other; `None` if one is empty.
pub(in crate::pair) fn with_pair<A>(
    first: &impl ConvexBody,
    second: &impl ConvexBody,
    ask: impl FnOnce(&ConvexPair<'_>) -> A,
) -> Option<A> {
    first
        .with_support(second, |a| {
            second.with_support(first, |b| ask(&ConvexPair::in_one_frame([a, b])))
        })
        .flatten()
}

/// Calls `ask` with the whole bodies of two shapes; `None` if one is empty.
pub(super) fn with_whole_pair<A>(
    first: &impl ConvexBody,
    second: &impl ConvexBody,
    ask: impl FnOnce(&ConvexPair<'_>) -> A,
) -> Option<A> {
    first
        .with_whole_support(second, |a| {
            second.with_whole_support(first, |b| ask(&ConvexPair::in_one_frame([a, b])))
        })
        .flatten()
}

/// Implements [`ConvexBody`] for shapes that are bodies themselves.
macro_rules! themselves {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> ConvexBody for $kind {
            fn body_bounds(&self) -> BodyBounds {
                BodyBounds::from_aabb(&self.aabb())
            }
            fn with_support<A>(
                &self,
                _: &impl ConvexBody,
                ask: impl FnOnce(&dyn Support) -> A,
            ) -> Option<A> {
                Some(ask(self))
            }
        }
    )*};
}

themselves!(Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Obb<T>);
themselves!(Cylinder<T>, Ellipsoid<T>, ConvexHull<T>);

/// Body of a polygon: the hull of its corners in their plane.
impl<T: Scalar> ConvexBody for Polygon3<T> {
    fn body_bounds(&self) -> BodyBounds {
        BodyBounds::from_points(self.feet())
    }
    fn with_support<A>(
        &self,
        _: &impl ConvexBody,
        ask: impl FnOnce(&dyn Support) -> A,
    ) -> Option<A> {
        Some(ask(&RoundedPoints { points: self.feet(), radius: 0.0 }))
    }
}

/// Body of a frustum: the hull of its corners, whether or not its faces are flat.
impl<T: Scalar> ConvexBody for Frustum<T> {
    fn body_bounds(&self) -> BodyBounds {
        BodyBounds::from_aabb(&self.aabb())
    }
    fn with_support<A>(
        &self,
        _: &impl ConvexBody,
        ask: impl FnOnce(&dyn Support) -> A,
    ) -> Option<A> {
        let corners = self.corners().map(wide_point);
        Some(ask(&RoundedPoints { points: &corners, radius: 0.0 }))
    }
}

/// Distance at which infinite sides are clipped, as a multiple of the largest coordinate of two
/// shapes.
///
/// A point of a k-DOP is at most as far from the vertex of some of its 13 planes as that vertex is
/// from the origin, times an entry of an inverse matrix with numbers 1, 0 and -1, which is at most
/// 2. Closest points and common points are thus within 64 times the largest coordinate.
pub(super) const CLIP_FACTOR: f64 = 256.0;

/// Clip distance beyond every sum of coordinates.
pub(super) const CLIP_LIMIT: f64 = 16.0 * f64::MAX_COORDINATE;

/// Like [`CLIP_FACTOR`], for penetration depths of boxes: the way out across a finite side is at
/// most twice the largest coordinate.
const EXIT_CLIP_FACTOR: f64 = 8.0;

/// Aligned box clipped to a partner, between two corners.
struct ClippedAabb {
    low: Vec3,
    high: Vec3,
}

impl ClippedAabb {
    /// Clips infinite sides at the distance `far`.
    fn clip(low: Vec3, high: Vec3, far: f64) -> Self {
        let far = far.min(CLIP_LIMIT);
        ClippedAabb { low: low.map(|x| x.clamp(-far, far)), high: high.map(|x| x.clamp(-far, far)) }
    }
}

impl Support for ClippedAabb {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        [0, 1, 2].map(|i| if direction[i] > 0.0 { self.high[i] } else { self.low[i] })
    }
    fn core_point(&self) -> Vec3 {
        scale(add(self.low, self.high), 0.5)
    }
}

impl<T: Scalar> ConvexBody for Aabb<T, 3> {
    fn body_bounds(&self) -> BodyBounds {
        BodyBounds::from_aabb(self)
    }

    /// Clips the box to the bounds of the partner: along every axis the closest points lie between
    /// the points closest to the two ends of the partner.
    fn with_support<A>(
        &self,
        other: &impl ConvexBody,
        ask: impl FnOnce(&dyn Support) -> A,
    ) -> Option<A> {
        if self.is_empty() {
            return None;
        }
        let (own, others) = (self.body_bounds(), other.body_bounds());
        let within = |p: Vec3| [0, 1, 2].map(|i| p[i].max(own.low[i]).min(own.high[i]));
        let far = CLIP_FACTOR * own.max_coordinate.max(others.max_coordinate);
        Some(ask(&ClippedAabb::clip(within(others.low), within(others.high), far)))
    }

    fn with_whole_support<A>(
        &self,
        other: &impl ConvexBody,
        ask: impl FnOnce(&dyn Support) -> A,
    ) -> Option<A> {
        if self.is_empty() {
            return None;
        }
        let own = self.body_bounds();
        let far = EXIT_CLIP_FACTOR * own.max_coordinate.max(other.body_bounds().max_coordinate);
        Some(ask(&ClippedAabb::clip(own.low, own.high, far)))
    }
}
