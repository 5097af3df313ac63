//! The shapes of overlap queries and shape casts.

use nalgebra::Point3;

use super::{Aabb, Capsule, Frustum, Obb, Plane, Sphere};
use crate::error::Error;
use crate::num::{Scalar, check_coordinates};

/// A shape for an overlap query or a shape cast: closed, solid, in the frame of the query (for
/// scenes the world). Shapes convert by `into`.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
/// use boxwood::{Overlaps, QueryFilter, QueryShape, Sphere};
///
/// let shape = QueryShape::from(Sphere::new(Point3::new(2.0, 0.0, 0.0), 1.0)?);
/// let mut inside = Overlaps::new();
/// now.overlaps(shape, &QueryFilter::all(), &mut inside)?;
/// assert_eq!(inside[0].character, blue); // which ends at x = 1.4
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum QueryShape<T: Scalar> {
    /// A point.
    Point(Point3<T>),
    /// A ball.
    Sphere(Sphere<T, 3>),
    /// A capsule.
    Capsule(Capsule<T>),
    /// An aligned box; an empty one overlaps nothing. NaN is refused, in an empty box too.
    Aabb(Aabb<T, 3>),
    /// An oriented box.
    Obb(Obb<T>),
    /// The solid side of a plane.
    HalfSpace(Plane<T>),
    /// The view volume of a camera.
    Frustum(Frustum<T>),
}

macro_rules! from_shapes {
    ($($shape:ty, $name:ident;)*) => {$(
        impl<T: Scalar> From<$shape> for QueryShape<T> {
            fn from(shape: $shape) -> Self {
                QueryShape::$name(shape)
            }
        }
    )*};
}

from_shapes! {
    Point3<T>, Point;
    Sphere<T, 3>, Sphere;
    Capsule<T>, Capsule;
    Aabb<T, 3>, Aabb;
    Obb<T>, Obb;
    Plane<T>, HalfSpace;
    Frustum<T>, Frustum;
}

impl<T: Scalar> QueryShape<T> {
    /// Checks the values that no constructor has checked.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self {
            QueryShape::Point(p) => check_coordinates(p.coords.as_slice(), "point", 0),
            QueryShape::Aabb(bounds) => bounds.check_ends([("corner", 0), ("corner", 1)]),
            _ => Ok(()),
        }
    }
}
