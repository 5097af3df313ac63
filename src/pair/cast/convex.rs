//! Rays against cylinders, convex hulls and convex primitives of any kind.

use super::{RayCastQuery, RayLine, ray_hit};
use crate::num::Scalar;
use crate::num::linear::scale;
use crate::pair::convex::{ConvexPair, Support};
use crate::pair::{ConvexShape, RayHit};
use crate::shape::{ConvexHull, Cylinder, Ray};

/// Casts the ray as a point that moves along it. Source: van den Bergen, Ray Casting against
/// General Convex Objects with Application to Continuous Collision Detection (2004).
fn cast<T: Scalar>(ray: &Ray<T>, body: &dyn Support) -> Option<RayHit<T>> {
    let line = RayLine::from_ray(ray);
    let bodies: [&dyn Support; 2] = [body, &line.origin];
    let (t, axis) = ConvexPair::in_one_frame(bodies).first_shift(line.along, 0.0)?;
    let met = (axis != [0.0; 3]).then(|| (t, scale(axis, -1.0)));
    Some(ray_hit(ray, met))
}

impl<T: Scalar> RayCastQuery<Cylinder<T>> for Ray<T> {
    type Scalar = T;
    fn cast(&self, other: &Cylinder<T>) -> Option<RayHit<T>> {
        cast(self, other)
    }
}

impl<T: Scalar> RayCastQuery<ConvexHull<T>> for Ray<T> {
    type Scalar = T;
    fn cast(&self, other: &ConvexHull<T>) -> Option<RayHit<T>> {
        cast(self, other)
    }
}

impl<T: Scalar> RayCastQuery<ConvexShape<T>> for Ray<T> {
    type Scalar = T;
    fn cast(&self, other: &ConvexShape<T>) -> Option<RayHit<T>> {
        cast(self, other.body())
    }
}
