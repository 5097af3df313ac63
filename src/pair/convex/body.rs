//! Every shape as a convex body beside another: what of it counts there.

use super::gjk::ConvexPair;
use super::support::{RoundedPoints, Support};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale};
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Ellipsoid, Frustum, Obb, Polygon3, Segment, Sphere,
    Triangle, wide_point,
};

/// Where a shape ends along the axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub low: Vec3,
    pub high: Vec3,
    /// The farthest of its finite numbers.
    pub reach: f64,
}

impl Extent {
    pub fn of<T: Scalar>(ends: &Aabb<T, 3>) -> Self {
        Extent::between(wide_point(ends.min), wide_point(ends.max))
    }

    fn between(low: Vec3, high: Vec3) -> Self {
        let finite = low.into_iter().chain(high).filter(|x| x.is_finite());
        Extent { low, high, reach: finite.fold(0.0, |most: f64, x| most.max(x.abs())) }
    }

    fn around(points: &[Vec3]) -> Self {
        let end = |pick: fn(f64, f64) -> f64| {
            points.iter().fold(points[0], |end, p| [0, 1, 2].map(|i| pick(end[i], p[i])))
        };
        Extent::between(end(f64::min), end(f64::max))
    }
}

/// A shape that is a convex body, or what of it counts beside another one is.
pub(super) trait ConvexBody {
    fn extent(&self) -> Extent;

    /// Calls `ask` with a body that has the same points in common with the other, and the same
    /// closest to it; `None` of an empty shape.
    fn beside<A>(&self, other: &impl ConvexBody, ask: impl FnOnce(&dyn Support) -> A) -> Option<A>;

    /// The same with a body that has to go as far to part from the other.
    fn whole<A>(&self, other: &impl ConvexBody, ask: impl FnOnce(&dyn Support) -> A) -> Option<A> {
        self.beside(other, ask)
    }
}

/// Asks about two shapes as they are beside each other; `None` if one is empty.
pub(super) fn beside<A>(
    first: &impl ConvexBody,
    second: &impl ConvexBody,
    ask: impl FnOnce(&ConvexPair<'_>) -> A,
) -> Option<A> {
    first.beside(second, |a| second.beside(first, |b| ask(&ConvexPair::here([a, b])))).flatten()
}

/// Asks about all of two shapes; `None` if one is empty.
pub(super) fn whole<A>(
    first: &impl ConvexBody,
    second: &impl ConvexBody,
    ask: impl FnOnce(&ConvexPair<'_>) -> A,
) -> Option<A> {
    first.whole(second, |a| second.whole(first, |b| ask(&ConvexPair::here([a, b])))).flatten()
}

/// Shapes that are bodies themselves.
macro_rules! themselves {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> ConvexBody for $kind {
            fn extent(&self) -> Extent {
                Extent::of(&self.aabb())
            }
            fn beside<A>(
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

/// All between its corners in their plane.
impl<T: Scalar> ConvexBody for Polygon3<T> {
    fn extent(&self) -> Extent {
        Extent::around(self.feet())
    }
    fn beside<A>(&self, _: &impl ConvexBody, ask: impl FnOnce(&dyn Support) -> A) -> Option<A> {
        Some(ask(&RoundedPoints { points: self.feet(), radius: 0.0 }))
    }
}

/// All between its corners, whether or not its faces are flat.
impl<T: Scalar> ConvexBody for Frustum<T> {
    fn extent(&self) -> Extent {
        Extent::of(&self.aabb())
    }
    fn beside<A>(&self, _: &impl ConvexBody, ask: impl FnOnce(&dyn Support) -> A) -> Option<A> {
        let corners = self.corners().map(wide_point);
        Some(ask(&RoundedPoints { points: &corners, radius: 0.0 }))
    }
}

/// Where sides without end are cut, as a multiple of the farthest number of two shapes.
///
/// Points are as far from where some of 13 planes of a k-DOP meet as those are from the origin at
/// most, times the entries of inverse matrices: of numbers 1, 0 and -1, no larger than 2. Closest
/// points, and common ones, are thus within 64 times the farthest number.
pub(super) const FAR: f64 = 256.0;

/// Beyond any sum of coordinates.
pub(super) const END: f64 = 16.0 * f64::MAX_COORDINATE;

/// The same as [`FAR`] for how far boxes have to go: the way out across a side with an end is at
/// most twice the farthest coordinate.
const FAR_OUT: f64 = 8.0;

/// What of an aligned box counts: between two corners.
struct Sides {
    low: Vec3,
    high: Vec3,
}

impl Sides {
    /// Cut far away, where it has no end.
    fn cut(low: Vec3, high: Vec3, far: f64) -> Self {
        let far = far.min(END);
        Sides { low: low.map(|x| x.clamp(-far, far)), high: high.map(|x| x.clamp(-far, far)) }
    }
}

impl Support for Sides {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        [0, 1, 2].map(|i| if direction[i] > 0.0 { self.high[i] } else { self.low[i] })
    }
    fn middle(&self) -> Vec3 {
        scale(add(self.low, self.high), 0.5)
    }
}

impl<T: Scalar> ConvexBody for Aabb<T, 3> {
    fn extent(&self) -> Extent {
        Extent::of(self)
    }

    /// Its closest points to those of the other lie, along every axis, between its closest points
    /// to the ends of the other.
    fn beside<A>(&self, other: &impl ConvexBody, ask: impl FnOnce(&dyn Support) -> A) -> Option<A> {
        if self.is_empty() {
            return None;
        }
        let (own, others) = (self.extent(), other.extent());
        let within = |p: Vec3| [0, 1, 2].map(|i| p[i].max(own.low[i]).min(own.high[i]));
        let far = FAR * own.reach.max(others.reach);
        Some(ask(&Sides::cut(within(others.low), within(others.high), far)))
    }

    fn whole<A>(&self, other: &impl ConvexBody, ask: impl FnOnce(&dyn Support) -> A) -> Option<A> {
        if self.is_empty() {
            return None;
        }
        let own = self.extent();
        let far = FAR_OUT * own.reach.max(other.extent().reach);
        Some(ask(&Sides::cut(own.low, own.high, far)))
    }
}
