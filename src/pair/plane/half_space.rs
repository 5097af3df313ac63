//! Solid side of a plane against every shape, by the lowest point of the shape.

use super::Bounded;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale};
use crate::pair::convex::{KdopBody, RoundedPoints, Support};
use crate::pair::queries::traits::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use crate::pair::results::{ClosestPoints, Contact};
use crate::pair::rounded::cores::CoreShape;
use crate::pair::rounded::rounded_shape::{RoundedShape, WideClosest, WideContact};
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Dop14, Dop18, Ellipsoid, Frustum, Kdop, Obb, Plane,
    Polygon3, Segment, Slabs, SpaceDop8, Sphere, Triangle, wide_point,
};

/// Shape with a lowest point.
trait LowestPoint<T: Scalar>: Bounded<T> {
    /// Returns the lowest point for the unit vector `up`; `None` if the shape is empty.
    fn lowest_point(&self, up: Vec3) -> Option<Vec3>;
}

macro_rules! lowest_of_round {
    ($($shape:ty),*) => {$(
        impl<T: Scalar> LowestPoint<T> for $shape {
            fn lowest_point(&self, up: Vec3) -> Option<Vec3> {
                let low = CoreShape::farthest(&RoundedShape::core(self)?, scale(up, -1.0));
                Some(add(low, scale(up, -RoundedShape::radius(self))))
            }
        }
    )*};
}

macro_rules! lowest_of_convex {
    ($($shape:ty),*) => {$(
        impl<T: Scalar> LowestPoint<T> for $shape {
            fn lowest_point(&self, up: Vec3) -> Option<Vec3> {
                Some(Support::farthest(self, scale(up, -1.0)))
            }
        }
    )*};
}

lowest_of_round!(Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>);
lowest_of_convex!(Cylinder<T>, Ellipsoid<T>, ConvexHull<T>);

macro_rules! lowest_of_points {
    ($($shape:ty, |$of:ident| $points:expr;)*) => {$(
        impl<T: Scalar> LowestPoint<T> for $shape {
            fn lowest_point(&self, up: Vec3) -> Option<Vec3> {
                let $of = self;
                Some(RoundedPoints { points: $points, radius: 0.0 }.farthest(scale(up, -1.0)))
            }
        }
    )*};
}

lowest_of_points! {
    Polygon3<T>, |polygon| polygon.feet();
    Frustum<T>, |frustum| &frustum.corners().map(wide_point);
}

impl<T: Scalar, const N: usize> LowestPoint<T> for Kdop<T, 3, N>
where
    Self: Slabs<3, N>,
{
    /// Clips infinite intervals beyond all coordinates.
    fn lowest_point(&self, up: Vec3) -> Option<Vec3> {
        let body = KdopBody::new(self, f64::INFINITY)?;
        Some(add(body.farthest(scale(up, -1.0)), scale(up, -body.radius())))
    }
}

/// Returns the lowest point of a shape above a plane, the unit normal, and the height of that
/// point.
fn lowest<T: Scalar>(plane: &Plane<T>, shape: &impl LowestPoint<T>) -> Option<(Vec3, Vec3, f64)> {
    let wide = plane.wide();
    let up = scale(wide.normal, 1.0 / wide.length);
    Some((shape.lowest_point(up)?, up, shape.heights(plane).least))
}

fn closest<T: Scalar>(plane: &Plane<T>, shape: &impl LowestPoint<T>) -> WideClosest {
    let Some((low, up, height)) = lowest(plane, shape) else {
        return ([f64::NAN; 3], [f64::NAN; 3], f64::INFINITY);
    };
    match height > 0.0 {
        true => (add(low, scale(up, -height)), low, height),
        false => (low, low, 0.0),
    }
}

fn contact<T: Scalar>(plane: &Plane<T>, shape: &impl LowestPoint<T>) -> Option<WideContact> {
    let (low, up, height) = lowest(plane, shape)?;
    (height <= 0.0).then(|| (add(low, scale(up, -0.5 * height)), up, -height))
}

macro_rules! half_space {
    ($($shape:ty),*) => {$(
        impl<T: Scalar> IntersectsQuery<$shape> for Plane<T> {
            #[inline]
            fn intersects(&self, other: &$shape) -> bool {
                other.heights(self).least <= 0.0
            }
        }
        impl<T: Scalar> IntersectsQuery<Plane<T>> for $shape {
            #[inline]
            fn intersects(&self, other: &Plane<T>) -> bool {
                other.intersects(self)
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$shape> for Plane<T> {
            type Scalar = T;
            fn closest_points(&self, other: &$shape) -> ClosestPoints<T> {
                ClosestPoints::from_wide(closest(self, other))
            }
        }
        impl<T: Scalar> ClosestPointsQuery<Plane<T>> for $shape {
            type Scalar = T;
            fn closest_points(&self, other: &Plane<T>) -> ClosestPoints<T> {
                ClosestPoints::from_wide(closest(other, self)).reversed()
            }
        }
        impl<T: Scalar> ContactQuery<$shape> for Plane<T> {
            type Answer = Contact<T>;
            fn contact(&self, other: &$shape) -> Option<Contact<T>> {
                contact(self, other).map(Contact::from_wide)
            }
        }
        impl<T: Scalar> ContactQuery<Plane<T>> for $shape {
            type Answer = Contact<T>;
            fn contact(&self, other: &Plane<T>) -> Option<Contact<T>> {
                contact(other, self).map(|touch| Contact::from_wide(touch).reversed())
            }
        }
    )*};
}

half_space!(Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>);
half_space!(Cylinder<T>, Ellipsoid<T>, ConvexHull<T>, Polygon3<T>, Frustum<T>);
half_space!(Dop14<T>, Dop18<T>, SpaceDop8<T>);
