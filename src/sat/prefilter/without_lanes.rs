//! The prefilter of one pair where the feature `simd` is off.

use crate::num::Scalar;
use crate::shape::Obb;

/// Returns `None`: without lanes single precision is no faster.
pub(crate) fn intersects<T: Scalar>(_: &Obb<T>, _: &Obb<T>) -> Option<bool> {
    None
}
