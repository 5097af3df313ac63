//! Recorded motion: BVH, and ASF with AMC.

use std::path::Path;

use super::{Motion, MotionOptions, mocap};
use crate::error::Error;
use crate::num::Scalar;

/// A recorded motion from a BVH file: a joint for every `ROOT` and `JOINT`, and one clip, called as the file is.
///
/// Channels turn and shift in the order each joint lists them. The positions of a root are added to its offset; those of any other
/// joint stand in for it. Rows after the last declared frame are left out, and [`Warning::ExtraRows`](super::Warning::ExtraRows) says so. Lengths are
/// the file's, which names no unit: see [`MotionOptions::scale`], and [`MotionOptions::CMU`] for CMU's files.
///
/// # Errors
/// [`Error::File`] naming the file, the line and the word or the joint: missing, cut short, not numbers, unknown channels.
pub fn bvh(path: impl AsRef<Path>) -> Result<Motion<f32>, Error> {
    bvh_with(path, &MotionOptions::default())
}

/// The same as [`bvh`] in the number type and with the options of your choice.
///
/// # Errors
/// The same.
pub fn bvh_with<T: Scalar>(
    path: impl AsRef<Path>,
    options: &MotionOptions,
) -> Result<Motion<T>, Error> {
    T::apiece(mocap::Bvh, (path.as_ref(), options))
}

/// A recorded motion from an AMC file and the ASF file of its skeleton: a joint where each bone begins, `root` first, and one clip,
/// called as the AMC file is.
///
/// All joints have the axes of the whole where nothing moves them. Lengths are those of the files: see [`MotionOptions::scale`], and
/// [`MotionOptions::CMU`] for CMU's.
///
/// # Errors
/// [`Error::File`] naming the file, the line and the bone: missing, cut short, not numbers, a bone that is missing, twice, or
/// not in the hierarchy.
pub fn amc(asf: impl AsRef<Path>, amc: impl AsRef<Path>) -> Result<Motion<f32>, Error> {
    amc_with(asf, amc, &MotionOptions::default())
}

/// The same as [`amc`] in the number type and with the options of your choice.
///
/// # Errors
/// The same.
pub fn amc_with<T: Scalar>(
    asf: impl AsRef<Path>,
    amc: impl AsRef<Path>,
    options: &MotionOptions,
) -> Result<Motion<T>, Error> {
    T::apiece(mocap::Amc, ([asf.as_ref(), amc.as_ref()], options))
}
