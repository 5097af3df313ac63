//! Local transform of a joint: translation, rotation and scale in its parent.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::error::Error;
use crate::num::{Scalar, check_coordinates, tolerance};

/// The transform from joint to parent: scale first, then rotation, then translation. Right-handed.
///
/// ```
/// use boxwood::motion::Transform;
/// use boxwood::nalgebra::Vector3;
///
/// let hip = Transform { translation: Vector3::new(0.0, 0.9_f32, 0.0), ..Transform::default() };
/// assert_eq!(hip.scale, Vector3::repeat(1.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform<T: Scalar> {
    /// The joint's origin in the parent's frame, in units.
    pub translation: Vector3<T>,
    /// The joint's axes in the parent's frame.
    pub rotation: UnitQuaternion<T>,
    /// Scale factors along the joint's own axes; 1 keeps lengths.
    pub scale: Vector3<T>,
}

impl<T: Scalar> Transform<T> {
    /// The linear part: rotation times scale.
    pub(crate) fn linear(&self) -> Matrix3<T> {
        self.rotation.to_rotation_matrix().into_inner() * Matrix3::from_diagonal(&self.scale)
    }

    /// Rejects numbers that are not finite or too large, and rotations whose quaternion is not of
    /// length one (within [`tolerance::UNIT`]).
    pub(crate) fn check(&self, field: &'static str, index: usize) -> Result<(), Error> {
        check_coordinates(self.translation.as_slice(), field, index)?;
        check_coordinates(self.scale.as_slice(), field, index)?;
        check_unit(self.rotation.coords.as_slice(), field, index)
    }
}

impl<T: Scalar> Default for Transform<T> {
    /// The identity.
    fn default() -> Self {
        Transform {
            translation: Vector3::zeros(),
            rotation: UnitQuaternion::identity(),
            scale: Vector3::repeat(T::one()),
        }
    }
}

/// Rejects a quaternion whose length is not 1, within [`tolerance::UNIT`].
pub(super) fn check_unit<T: Scalar>(
    coordinates: &[T],
    field: &'static str,
    index: usize,
) -> Result<(), Error> {
    check_coordinates(coordinates, field, index)?;
    let length = coordinates.iter().map(|c| c.wide() * c.wide()).sum::<f64>().sqrt();
    if (length - 1.0).abs() > tolerance::UNIT {
        return Err(Error::NotUnit { field, index, length });
    }
    Ok(())
}
