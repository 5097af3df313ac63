//! Robots: URDF and MJCF.

use std::path::Path;

#[cfg(feature = "mjcf")]
use super::BodyOptions;
use super::{Robot, RobotOptions, Watch};
use crate::error::Error;
use crate::num::Scalar;
use crate::tree::unwatched;

/// A robot from a URDF file: one part a link, metres, Z up.
///
/// Meshes are read from STL, OBJ and DAE (COLLADA) files, found by a [`Resolver`](super::Resolver), with any scale; mirrored ones are turned back.
/// Boxes are boxes; cylinders, spheres and capsules are hulls of triangles that contain the true shape and reach out of it by at most
/// 0.5 % (cylinders) or 2 % of the radius. A link may have several. Joints are fixed, revolute, continuous or prismatic, with limits, and may
/// mimic others; those of any other type are fixed, with a warning. Links within a joint of each other are not tested
/// against each other. A link without `<collision>` is a part without geometry; where it has a `<visual>`,
/// [`Warning::NoCollision`](super::Warning::NoCollision) says so, and [`RobotOptions::shapes`] takes that instead.
///
/// # Errors
/// [`Error::File`] naming the file and the element: missing files, XML that can not be read, links without or with two parents or
/// that go round, unknown names, values that are not numbers or not finite.
pub fn urdf(path: impl AsRef<Path>) -> Result<Robot<f32>, Error> {
    urdf_with(path, &RobotOptions::default())
}

/// The same as [`urdf`](urdf()) in the number type and with the options of your choice.
///
/// # Errors
/// The same, also of the SRDF file.
pub fn urdf_with<T: Scalar>(
    path: impl AsRef<Path>,
    options: &RobotOptions,
) -> Result<Robot<T>, Error> {
    urdf_watched(path, options, &mut unwatched)
}

/// The same as [`urdf_with`], telling how far it has come.
///
/// # Errors
/// The same, and [`Error::Cancelled`].
pub fn urdf_watched<T: Scalar>(
    path: impl AsRef<Path>,
    options: &RobotOptions,
    watch: &mut Watch<'_>,
) -> Result<Robot<T>, Error> {
    T::apiece(super::urdf::Reading, (path.as_ref(), options, watch))
}

/// A robot from an MJCF file, MuJoCo's: one part a body, and an empty one for each of a body's joints but the last.
///
/// Boxes are boxes; spheres, capsules, cylinders and ellipsoids are hulls of triangles that contain the true shape and reach out of it by
/// at most 0.5 % (cylinders) or 2 % of the radius. Shapes that touch nothing (`contype` and `conaffinity` zero) are left out, planes,
/// height fields and skins with a warning. Else the two numbers say which parts are tested against which, see
/// [`BodyOptions::groups`]. Hinges and slides move, within their ranges; what floats or rolls in a ball is fixed, with a
/// warning. Pairs that the file excludes are not tested, nor are bodies within a joint of each other, where bodies without a joint
/// are of one piece with what they hang on. Lengths are the file's, Z up as a rule.
///
/// # Errors
/// [`Error::File`] naming the file and the element: missing, XML that can not be read, meshes, included files, frames and copies,
/// which are not read, values that are not numbers or not finite, more than 2,048 bodies with shapes.
#[cfg(feature = "mjcf")]
pub fn mjcf(path: impl AsRef<Path>) -> Result<Robot<f32>, Error> {
    mjcf_with(path, &BodyOptions::default())
}

/// The same as [`mjcf`](mjcf()) in the number type and with the options of your choice.
///
/// # Errors
/// The same.
#[cfg(feature = "mjcf")]
pub fn mjcf_with<T: Scalar>(
    path: impl AsRef<Path>,
    options: &BodyOptions,
) -> Result<Robot<T>, Error> {
    mjcf_watched(path, options, &mut unwatched)
}

/// The same as [`mjcf_with`], telling how far it has come.
///
/// # Errors
/// The same, and [`Error::Cancelled`].
#[cfg(feature = "mjcf")]
pub fn mjcf_watched<T: Scalar>(
    path: impl AsRef<Path>,
    options: &BodyOptions,
    watch: &mut Watch<'_>,
) -> Result<Robot<T>, Error> {
    T::apiece(super::mjcf::Reading, (path.as_ref(), options, watch))
}
