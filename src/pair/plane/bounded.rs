//! Extent of shapes along the normal of a plane.

use nalgebra::Point3;

use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, rotate_back, scale};
use crate::pair::convex::{KdopBody, Support};
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Ellipsoid, Frustum, Kdop, Obb, Plane, Polygon3, Segment,
    Slabs, Sphere, Triangle, WidePlane, wide_point,
};

/// Side of a plane that a shape is on. Sets are closed: a shape that touches the plane straddles
/// it.
///
/// ```
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Plane, Sphere, pair::plane::Side};
///
/// let ground = Plane::new(Vector3::y_axis(), 0.0)?; // solid below y = 0
/// let ball = |y| Sphere::new(Point3::new(0.0, y, 0.0), 1.0);
/// assert_eq!(ground.side(&ball(2.0)?), Side::Front);
/// assert_eq!(ground.side(&ball(1.0)?), Side::Straddling); // touches
/// assert_eq!(ground.side(&ball(-2.0)?), Side::Behind);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// Wholly out of the solid, where the normal points, without touching it. An empty box is here
    /// too.
    Front,
    /// Shares a point with the plane.
    Straddling,
    /// Wholly in the solid, without touching its surface.
    Behind,
}

mod sealed {
    pub trait Sealed {}
}

/// Shape with an extent along the normal of a plane. Sealed.
///
/// ```
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Plane, Sphere, pair::plane::Bounded};
///
/// fn all_in<S: Bounded<f32>>(solid: &Plane, shapes: &[S]) -> bool {
///     shapes.iter().all(|shape| solid.contains_shape(shape))
/// }
/// let sea = Plane::new(Vector3::y_axis(), 0.0)?; // solid below y = 0
/// assert!(all_in(&sea, &[Sphere::new(Point3::new(0.0, -3.0, 0.0), 1.0)?]));
/// # Ok::<(), boxwood::Error>(())
/// ```
pub trait Bounded<T: Scalar>: sealed::Sealed {
    /// Returns the extent: see [`Plane::heights`].
    fn heights(&self, plane: &Plane<T>) -> Heights;
}

/// Interval of signed distances of a shape from a plane [units, double precision]; negative is
/// behind, in the solid.
///
/// ```
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Plane, Sphere};
///
/// let ground = Plane::new(Vector3::y_axis(), 0.0)?;
/// let heights = ground.heights(&Sphere::new(Point3::new(0.0, 0.5, 0.0), 1.0)?);
/// assert_eq!((heights.least, heights.greatest), (-0.5, 1.5)); // negative: in the solid
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heights {
    /// Height of the lowest point along the normal.
    pub least: f64,
    /// Height of the highest point.
    pub greatest: f64,
}

impl Heights {
    fn about_center(middle: f64, half: f64) -> Self {
        Heights { least: middle - half, greatest: middle + half }
    }

    fn from_points(plane: WidePlane, points: impl IntoIterator<Item = Vec3>) -> Self {
        let none = Heights { least: f64::INFINITY, greatest: f64::NEG_INFINITY };
        points.into_iter().map(|p| plane.height(p)).fold(none, |ends, height| Heights {
            least: if height < ends.least { height } else { ends.least },
            greatest: if height > ends.greatest { height } else { ends.greatest },
        })
    }

    pub(super) fn side(&self) -> Side {
        if self.least <= 0.0 && self.greatest >= 0.0 {
            Side::Straddling
        } else if self.least <= 0.0 && self.greatest < 0.0 {
            Side::Behind
        } else {
            Side::Front
        }
    }
}

macro_rules! bounded {
    ($($shape:ty),*) => { $(impl<T: Scalar> sealed::Sealed for $shape {})* };
}

bounded!(Point3<T>, Segment<T>, Triangle<T>, Sphere<T, 3>, Capsule<T>);
bounded!(Ellipsoid<T>, Cylinder<T>, ConvexHull<T>, Aabb<T, 3>, Obb<T>);
bounded!(Polygon3<T>, Frustum<T>);

impl<T: Scalar, const N: usize> sealed::Sealed for Kdop<T, 3, N> where Self: Slabs<3, N> {}

impl<T: Scalar> Bounded<T> for Point3<T> {
    fn heights(&self, plane: &Plane<T>) -> Heights {
        Heights::about_center(plane.wide().height(wide_point(*self)), 0.0)
    }
}

impl<T: Scalar> Bounded<T> for Segment<T> {
    fn heights(&self, plane: &Plane<T>) -> Heights {
        Heights::from_points(plane.wide(), self.wide())
    }
}

impl<T: Scalar> Bounded<T> for Triangle<T> {
    fn heights(&self, plane: &Plane<T>) -> Heights {
        Heights::from_points(plane.wide(), self.wide().corners)
    }
}

impl<T: Scalar> Bounded<T> for Sphere<T, 3> {
    fn heights(&self, plane: &Plane<T>) -> Heights {
        Heights::about_center(plane.wide().height(wide_point(self.center())), self.radius().wide())
    }
}

impl<T: Scalar> Bounded<T> for Capsule<T> {
    fn heights(&self, plane: &Plane<T>) -> Heights {
        let (line, radius) = (self.segment().heights(plane), self.radius().wide());
        Heights { least: line.least - radius, greatest: line.greatest + radius }
    }
}

impl<T: Scalar> Bounded<T> for Ellipsoid<T> {
    /// Adds `K = sqrt((a n_x)^2 + (b n_y)^2 + (c n_z)^2)` along its axes on either side of the
    /// centre.
    fn heights(&self, plane: &Plane<T>) -> Heights {
        let (wide, plane) = (self.wide(), plane.wide());
        Heights::about_center(
            plane.height(wide.center),
            wide.projected_radius(plane.normal) / plane.length,
        )
    }
}

impl<T: Scalar> Bounded<T> for Cylinder<T> {
    /// Takes the support points along the normal and against it.
    fn heights(&self, plane: &Plane<T>) -> Heights {
        let (wide, plane) = (self.wide(), plane.wide());
        let ends = [1.0, -1.0].map(|sign| wide.support(scale(plane.normal, sign)));
        Heights::from_points(plane, ends)
    }
}

impl<T: Scalar> Bounded<T> for ConvexHull<T> {
    fn heights(&self, plane: &Plane<T>) -> Heights {
        Heights::from_points(plane.wide(), self.corners().iter().map(|&corner| wide_point(corner)))
    }
}

impl<T: Scalar> Bounded<T> for Polygon3<T> {
    /// Takes the corners in their plane.
    fn heights(&self, plane: &Plane<T>) -> Heights {
        Heights::from_points(plane.wide(), self.feet().iter().copied())
    }
}

impl<T: Scalar> Bounded<T> for Frustum<T> {
    fn heights(&self, plane: &Plane<T>) -> Heights {
        Heights::from_points(plane.wide(), self.corners().map(wide_point))
    }
}

impl<T: Scalar, const N: usize> Bounded<T> for Kdop<T, 3, N>
where
    Self: Slabs<3, N>,
{
    /// Takes the support corners along the normal and against it, padded for rounding. A k-DOP with
    /// an infinite interval has an infinite extent.
    fn heights(&self, plane: &Plane<T>) -> Heights {
        let (wide, far) = (plane.wide(), f64::INFINITY);
        match KdopBody::new(self, far) {
            None => Heights { least: far, greatest: -far },
            Some(_) if !self.is_finite() => Heights { least: -far, greatest: far },
            Some(body) => {
                let ends = [1.0, -1.0].map(|sign| body.farthest(scale(wide.normal, sign)));
                let Heights { least, greatest } = Heights::from_points(wide, ends);
                Heights { least: least - body.radius(), greatest: greatest + body.radius() }
            }
        }
    }
}

impl<T: Scalar> Bounded<T> for Aabb<T, 3> {
    /// Takes only the nearest and the farthest corner along the normal.
    fn heights(&self, plane: &Plane<T>) -> Heights {
        if self.is_empty() {
            return Heights { least: f64::INFINITY, greatest: f64::NEG_INFINITY };
        }
        let (low, high) = (self.min.map(T::wide), self.max.map(T::wide));
        let wide = plane.wide();
        let corner = |up: bool| {
            let term = |i: usize| match wide.normal[i] {
                // An infinite side along the plane adds no height, and `0 * inf` would be NaN.
                0.0 => 0.0,
                n => n * if (n > 0.0) == up { high[i] } else { low[i] },
            };
            (term(0) + term(1) + term(2) - wide.offset) / wide.length
        };
        Heights { least: corner(false), greatest: corner(true) }
    }
}

impl<T: Scalar> Bounded<T> for Obb<T> {
    fn heights(&self, plane: &Plane<T>) -> Heights {
        let (wide, plane) = (self.wide(), plane.wide());
        let half = dot(wide.half_extents, rotate_back(&wide.axes, plane.normal).map(f64::abs));
        Heights::about_center(plane.height(wide.center), half / plane.length)
    }
}
