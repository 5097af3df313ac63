//! Rays: where they first meet a shape.

mod boxes;
mod ellipsoid;
mod flat;
mod round;
mod slabs;

use nalgebra::Vector3;

use super::questions::rounded;
use crate::num::Scalar;
use crate::num::linear::{Vec3, length, scale};
use crate::shape::{Ray, wide_point};

/// A ray against a shape. [`Ray::cast`] asks; nobody need import this.
pub trait Cast<B: ?Sized> {
    /// The number type of the answer.
    type Scalar: Scalar;
    /// Where the ray first meets the shape; `None` if it never does.
    fn cast(&self, other: &B) -> Option<RayHit<Self::Scalar>>;
}

/// Where a ray first meets a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit<T: Scalar> {
    /// How far along the ray: a length. Zero if it starts in the shape. [`Ray::at`] gives the point.
    pub t: T,
    /// Unit: out of the shape where it is met, against the ray; of a triangle, on the side the ray comes from. For a
    /// ray that starts inside, back along the ray.
    pub normal: Vector3<T>,
    /// Whether the ray starts in the shape, its surface included.
    pub started_inside: bool,
}

/// A ray in double precision; the direction as stored, not quite unit.
#[derive(Debug, Clone, Copy)]
struct Line {
    origin: Vec3,
    along: Vec3,
}

impl Line {
    #[inline]
    fn of<T: Scalar>(ray: &Ray<T>) -> Self {
        let along = wide_point(ray.direction().into_inner().into());
        Line { origin: wide_point(ray.origin()), along }
    }
}

/// `t` and a unit normal; `None` instead for a start inside.
type Met = Option<(f64, Vec3)>;

#[inline]
fn hit<T: Scalar>(ray: &Ray<T>, met: Met) -> RayHit<T> {
    match met {
        Some((t, normal)) => {
            RayHit { t: T::nearest(t), normal: rounded(normal), started_inside: false }
        }
        None => {
            let normal = -ray.direction().into_inner();
            RayHit { t: T::zero(), normal, started_inside: true }
        }
    }
}

/// `v` at length one; if it has none, as of a ball without a radius, back along the ray.
#[inline]
fn unit(v: Vec3, line: &Line) -> Vec3 {
    let size = length(v);
    if size > 0.0 { scale(v, 1.0 / size) } else { scale(line.along, -1.0 / length(line.along)) }
}
