//! Aligned boxes, which may be empty or have sides without end, against cylinders, ellipsoids and
//! convex hulls.

use super::gjk::ConvexPair;
use super::kind::ConvexKind;
use super::penetration::overlap;
use super::queries::closest;
use super::support::Support;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale};
use crate::pair::questions::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use crate::pair::results::{ClosestPoints, Contact};
use crate::pair::round::NOWHERE;
use crate::shape::{Aabb, ConvexHull, Cylinder, Ellipsoid, wide_point};

/// What of an aligned box counts beside a body: the closest points of the box to those of the body
/// lie, along every axis, between its closest points to the ends of the body.
struct NearSides {
    low: Vec3,
    high: Vec3,
}

impl NearSides {
    /// `None` of an empty box.
    fn new<T: Scalar>(all: &Aabb<T, 3>, body: &impl ConvexKind<T>) -> Option<Self> {
        if all.is_empty() {
            return None;
        }
        let (low, high, ends) = (wide_point(all.min), wide_point(all.max), body.bounds());
        let within = |p: Vec3| [0, 1, 2].map(|i| p[i].max(low[i]).min(high[i]));
        Some(NearSides { low: within(wide_point(ends.min)), high: within(wide_point(ends.max)) })
    }

    /// All of a box that is not empty; sides without end are cut so far from the body that no least
    /// way out of an overlap leads there, if there is another.
    fn whole<T: Scalar>(all: &Aabb<T, 3>, body: &impl ConvexKind<T>) -> Self {
        let (low, high, ends) = (wide_point(all.min), wide_point(all.max), body.bounds());
        let bodys = [ends.min, ends.max].map(wide_point);
        let finite = [low, high].into_iter().chain(bodys).flatten().filter(|x| x.is_finite());
        let far = FAR * finite.fold(0.0, |most: f64, x| most.max(x.abs()));
        NearSides { low: low.map(|x| x.max(-far)), high: high.map(|x| x.min(far)) }
    }
}

/// Where sides without end are cut, as a multiple of the farthest coordinate of box and body: the
/// way out across any other side is at most twice that.
const FAR: f64 = 8.0;

impl Support for NearSides {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        [0, 1, 2].map(|i| if direction[i] > 0.0 { self.high[i] } else { self.low[i] })
    }
    fn middle(&self) -> Vec3 {
        scale(add(self.low, self.high), 0.5)
    }
}

macro_rules! aligned {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> IntersectsQuery<Aabb<T, 3>> for $kind {
            fn intersects(&self, other: &Aabb<T, 3>) -> bool {
                let sides = NearSides::new(other, self);
                sides.is_some_and(|sides| ConvexPair::here([self, &sides]).touches(0.0))
            }
        }
        impl<T: Scalar> IntersectsQuery<$kind> for Aabb<T, 3> {
            fn intersects(&self, other: &$kind) -> bool {
                other.intersects(self)
            }
        }
        impl<T: Scalar> ClosestPointsQuery<Aabb<T, 3>> for $kind {
            type Scalar = T;
            fn closest_points(&self, other: &Aabb<T, 3>) -> ClosestPoints<T> {
                let sides = NearSides::new(other, self);
                ClosestPoints::of(sides.map_or(NOWHERE, |sides| closest(self, &sides)))
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$kind> for Aabb<T, 3> {
            type Scalar = T;
            fn closest_points(&self, other: &$kind) -> ClosestPoints<T> {
                ClosestPointsQuery::closest_points(other, self).reversed()
            }
        }
        impl<T: Scalar> ContactQuery<Aabb<T, 3>> for $kind {
            type Answer = Contact<T>;
            fn contact(&self, other: &Aabb<T, 3>) -> Option<Contact<T>> {
                let touches = IntersectsQuery::intersects(self, other);
                touches.then(|| {
                    let whole = NearSides::whole(other, self);
                    Contact::of(overlap(&ConvexPair::here([self, &whole])))
                })
            }
        }
        impl<T: Scalar> ContactQuery<$kind> for Aabb<T, 3> {
            type Answer = Contact<T>;
            fn contact(&self, other: &$kind) -> Option<Contact<T>> {
                ContactQuery::contact(other, self).map(|touch| touch.reversed())
            }
        }
    )*};
}

aligned!(Cylinder<T>, Ellipsoid<T>, ConvexHull<T>);
