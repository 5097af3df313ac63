//! Ray casts at shapes: the trait, and the checks of rays.

use crate::num::Scalar;
use crate::num::linear::{Vec3, length, scale};
use crate::pair::results::{RayHit, rounded_vector};
use crate::shape::{Ray, wide_point};

/// Ray cast against one kind of shape. Only generic code imports it: [`Ray::cast`] needs no trait.
///
/// ```
/// use boxwood::pair::RayCastQuery;
/// use boxwood::{Ray, Sphere, nalgebra::Point3};
///
/// fn first<B>(ray: &Ray, shapes: &[B]) -> Option<usize>
/// where
///     Ray: RayCastQuery<B, Scalar = f32>,
/// {
///     let hits = shapes.iter().map(|shape| ray.cast(shape).map(|hit| hit.distance));
///     let hits = hits.enumerate().filter_map(|(index, distance)| Some((index, distance?)));
///     hits.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
/// }
/// let ball = |x| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0);
/// let ray = Ray::through(Point3::origin(), Point3::new(1.0, 0.0, 0.0))?.expect("two points");
/// assert_eq!(first(&ray, &[ball(9.0)?, ball(5.0)?, ball(-5.0)?]), Some(1));
/// # Ok::<(), boxwood::Error>(())
/// ```
pub trait RayCastQuery<B: ?Sized> {
    /// Number type of the result.
    type Scalar: Scalar;
    /// Returns the first contact; `None` if the ray misses. Touching counts, up to the rounding of
    /// `f64`.
    fn cast(&self, other: &B) -> Option<RayHit<Self::Scalar>>;
}

/// Ray in double precision, with the direction as stored: not quite unit.
#[derive(Debug, Clone, Copy)]
pub(super) struct RayLine {
    pub(super) origin: Vec3,
    pub(super) along: Vec3,
}

impl RayLine {
    #[inline]
    pub(super) fn from_ray<T: Scalar>(ray: &Ray<T>) -> Self {
        let along = wide_point(ray.direction().into_inner().into());
        RayLine { origin: wide_point(ray.origin()), along }
    }
}

/// Parameter and unit normal of the entry; `None` for a start inside.
pub(super) type RayEntry = Option<(f64, Vec3)>;

#[inline]
pub(super) fn ray_hit<T: Scalar>(ray: &Ray<T>, met: RayEntry) -> RayHit<T> {
    let (distance, normal) = match met {
        Some((t, normal)) => (T::nearest(t), rounded_vector(normal)),
        None => (T::zero(), -ray.direction().into_inner()),
    };
    RayHit {
        target: (),
        distance,
        point: ray.at(distance.wide()),
        normal,
        started_inside: met.is_none(),
        slack: T::zero(),
    }
}

/// Normalizes `v`. A zero vector, as for a ball of radius zero, gives the direction back along the
/// ray.
#[inline]
pub(super) fn unit_or_back(v: Vec3, line: &RayLine) -> Vec3 {
    let size = length(v);
    if size > 0.0 { scale(v, 1.0 / size) } else { scale(line.along, -1.0 / length(line.along)) }
}
