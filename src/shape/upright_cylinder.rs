//! Upright cylinders: the collision shape of walkers.

use nalgebra::{Unit, Vector3};

use super::{Sphere, wide_point};
use crate::error::Error;
use crate::num::linear::Vec3;
use crate::num::{Scalar, check_size};

/// The coordinate axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UpAxis {
    /// x is up.
    X,
    /// y is up, as in most engines and in glTF.
    Y,
    /// z is up, as in Quake's levels and in robotics.
    #[default]
    Z,
}

impl UpAxis {
    /// The unit vector.
    pub fn vector<T: Scalar>(self) -> Unit<Vector3<T>> {
        match self {
            UpAxis::X => Vector3::x_axis(),
            UpAxis::Y => Vector3::y_axis(),
            UpAxis::Z => Vector3::z_axis(),
        }
    }

    /// Permutes coordinates to a right-handed frame in which z is up.
    #[inline(always)]
    pub(crate) fn to_z(self, [x, y, z]: Vec3) -> Vec3 {
        match self {
            UpAxis::X => [y, z, x],
            UpAxis::Y => [z, x, y],
            UpAxis::Z => [x, y, z],
        }
    }

    /// Undoes [`UpAxis::to_z`].
    #[inline(always)]
    pub(crate) fn undo_to_z(self, [x, y, z]: Vec3) -> Vec3 {
        match self {
            UpAxis::X => [z, x, y],
            UpAxis::Y => [y, z, x],
            UpAxis::Z => [x, y, z],
        }
    }
}

/// An upright cylinder without a position: a vertical axis, a radius and half a height.
///
/// The up axis is an argument of each use; a world of brushes has a setting for it. A cylinder of
/// radius and half height zero is a point.
///
/// Source: CN105488851 (2016): walkers are cylinders, as they slide around corners more easily than
/// boxes.
///
/// ```
/// use boxwood::UprightCylinder;
/// use boxwood::nalgebra::Vector3;
/// use boxwood::shape::UpAxis;
///
/// let body = UprightCylinder::new(0.4, 0.9)?; // 1.8 tall
/// assert_eq!(body.support_distance(Vector3::x_axis(), UpAxis::Z), 0.4);
/// assert_eq!(body.support_distance(-Vector3::z_axis(), UpAxis::Z), 0.9);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UprightCylinder<T: Scalar> {
    radius: T,
    half_height: T,
}

impl<T: Scalar> UprightCylinder<T> {
    /// A cylinder from its radius and half its height.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`].
    pub fn new(radius: T, half_height: T) -> Result<Self, Error> {
        check_size(radius, "radius")?;
        check_size(half_height, "half height")?;
        Ok(UprightCylinder { radius, half_height })
    }

    /// The radius.
    pub fn radius(&self) -> T {
        self.radius
    }

    /// Half the height.
    pub fn half_height(&self) -> T {
        self.half_height
    }

    /// The smallest upright cylinder around a ball: its height is the ball's diameter.
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Sphere, UprightCylinder};
    ///
    /// let ball = Sphere::new(Point3::new(3.0, 0.0, 1.0), 0.5)?;
    /// assert_eq!(UprightCylinder::around_ball(&ball), UprightCylinder::new(0.5, 0.5)?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn around_ball(ball: &Sphere<T, 3>) -> Self {
        UprightCylinder { radius: ball.radius(), half_height: ball.radius() }
    }

    /// The distance from the centre to the support plane along a unit normal: `R sqrt(x^2 + y^2) +
    /// H |z|` where z is up. Rounded to `T`.
    ///
    /// Source: CN105488851 (2016).
    pub fn support_distance(&self, normal: Unit<Vector3<T>>, up: UpAxis) -> T {
        let [x, y, z] = up.to_z(wide_point(normal.into_inner().into()));
        T::nearest(self.radius.wide() * (x * x + y * y).sqrt() + self.half_height.wide() * z.abs())
    }
}
