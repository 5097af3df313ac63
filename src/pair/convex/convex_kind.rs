//! Trait of the kinds of convex primitives, and helpers to implement it.

use super::support::Support;
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Mat3, Vec3, cross, dot, least_axis, length, scale, skew, sub};
use crate::num::tolerance::AXES_ERROR;
use crate::shape::{Aabb, Obb, Pose, WideObb, wide_point};

/// Kind of convex primitive: one file with this trait and [`Support`], and a line in the table of
/// [`ConvexShape`](super::ConvexShape).
pub(crate) trait ConvexKind<T: Scalar>: Support + Sized {
    /// Returns the smallest aligned box, rounded outward.
    fn bounds(&self) -> Aabb<T, 3>;
    /// Returns an oriented box that fits the shape, up to rounding.
    fn fitted_box(&self) -> WideObb;
    /// Returns the shape moved by a pose.
    ///
    /// # Errors
    /// Same as for any pose.
    fn posed(&self, pose: &Pose<T>) -> Result<Self, Error>;
    /// Returns the volume; zero for a flat shape.
    fn wide_volume(&self) -> f64;
    /// Calls `each` with the stored bits, in order.
    fn for_each_bits(&self, each: &mut dyn FnMut(u64));
    /// Calls `line` with segments to be drawn, nearly all of them on the surface.
    #[cfg_attr(not(feature = "draw"), allow(dead_code))]
    fn outline(&self, line: &mut dyn FnMut([Vec3; 2]));
}

/// Rounds a fitted box to its stored type, padded for the rounding.
pub(super) fn stored_obb<T: Scalar>(fitted: &WideObb) -> Obb<T> {
    let WideObb { center, axes, half_extents } = *fitted;
    let far: f64 = center.iter().map(|x| x.abs()).sum();
    // Stored axes have an error of less than two roundings of each coordinate, the centre of one.
    // The extents come from products with the axes, which are coordinates only at right angles: an
    // error of `sqrt(3)` times the skew.
    let share = (16.0 * T::ROUNDING).max(4.0 * skew(&axes));
    let pad = share * (far + fitted.radius());
    let half = half_extents.map(|half| T::at_least(half + pad));
    let narrow: Obb<T> = WideObb { center, axes, half_extents }.narrow();
    Obb::from_parts(narrow.center(), narrow.axes(), half.into())
}

/// Returns right-handed axes, the last along `z`; those of the coordinates if the square of `z`
/// underflows.
pub(super) fn axes_along(z: Vec3) -> Mat3 {
    let size = length(z);
    if size.is_nan() || size <= 0.0 {
        return IDENTITY;
    }
    let z = scale(z, 1.0 / size);
    let least = least_axis(z);
    let across = sub(IDENTITY[least], scale(z, z[least]));
    let x = scale(across, 1.0 / length(across));
    let y = cross(z, x);
    let axes = [x, scale(y, 1.0 / length(y)), z];
    if skew(&axes) <= AXES_ERROR { axes } else { IDENTITY }
}

/// Returns the box of some points along axes.
pub(super) fn box_along(axes: Mat3, points: &[Vec3]) -> WideObb {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in points {
        for i in 0..3 {
            let along = dot(axes[i], *point);
            (low[i], high[i]) = (low[i].min(along), high[i].max(along));
        }
    }
    let mut center = [0.0; 3];
    for (axis, i) in axes.into_iter().zip(0..) {
        let middle = 0.5 * (low[i] + high[i]);
        (0..3).for_each(|k| center[k] += axis[k] * middle);
    }
    WideObb { center, axes, half_extents: [0, 1, 2].map(|i| 0.5 * (high[i] - low[i])) }
}

pub(super) fn for_each_number_bits<T: Scalar>(numbers: &[T], each: &mut dyn FnMut(u64)) {
    numbers.iter().for_each(|number| each(number.bits()));
}

/// Calls `line` with the segments of an elliptic ring, given its two radii as vectors.
#[cfg_attr(not(feature = "draw"), allow(dead_code))]
pub(super) fn for_each_ring_line(center: Vec3, x: Vec3, y: Vec3, line: &mut dyn FnMut([Vec3; 2])) {
    // Eight points a quarter, by halved angles.
    let mut directions = vec![[1.0f64, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]];
    for _ in 0..3 {
        let next = directions.iter().cycle().skip(1);
        let halved = directions.iter().zip(next).flat_map(|(a, b)| {
            let (u, v) = (a[0] + b[0], a[1] + b[1]);
            let size = (u * u + v * v).sqrt();
            [*a, [u / size, v / size]]
        });
        directions = halved.collect();
    }
    let at = |[c, s]: [f64; 2]| [0, 1, 2].map(|i| center[i] + c * x[i] + s * y[i]);
    for (a, b) in directions.iter().zip(directions.iter().cycle().skip(1)) {
        line([at(*a), at(*b)]);
    }
}

pub(super) fn wide<T: Scalar>(v: nalgebra::Vector3<T>) -> Vec3 {
    wide_point(v.into())
}
