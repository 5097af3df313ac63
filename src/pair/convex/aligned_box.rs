//! Aligned boxes, which may be empty or have sides without end, against cylinders, ellipsoids and
//! convex hulls.

use super::gjk::ConvexPair;
use super::kind::ConvexKind;
use super::queries::closest;
use super::support::Support;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale};
use crate::pair::questions::{ClosestPointsQuery, IntersectsQuery};
use crate::pair::results::ClosestPoints;
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
}

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
    )*};
}

aligned!(Cylinder<T>, Ellipsoid<T>, ConvexHull<T>);
