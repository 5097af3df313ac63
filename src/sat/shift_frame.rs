//! Coordinates in which one of two parts is shifted along an axis, and the primitives tested there.

use crate::num::linear::{
    Mat3, Vec3, cross, dot, length, matrix_product, rotate, scale, transposed, unit_perpendicular,
};
use crate::num::scaling::power_of_two;
use crate::shape::WideObb;

/// Pad of a shift frame, as a share of its unit: `2^9 e`. Coordinates are off by `2^8 e`, see
/// [`RelativePose`](crate::shape::RelativePose), and by `40 e` for rotating and shifting them.
const COORDINATE_PAD: f64 = 1.0 / (1u64 << 44) as f64;

/// Coordinates of two parts in which the second is shifted along the third axis. The unit is a
/// power of two that no coordinate exceeds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShiftFrame {
    /// Matrix (columns) and origin of either part.
    pub(super) parts: [(Mat3, Vec3); 2],
    /// Row `i` is the axis of coordinate `i` in the frame of the first part.
    rows: Mat3,
    /// Length of one unit [world units].
    pub unit: f64,
    /// Pad that covers the error of the coordinates [units of this frame].
    pub(super) pad: f64,
}

impl ShiftFrame {
    /// Creates a frame. `direction` is in the frame of the first part, its length near 1. No point
    /// of either part is further than `size` from the origin of the first, and no shift at which
    /// they touch is longer [length units].
    pub fn new(direction: Vec3, rotation: &Mat3, offset: Vec3, size: f64) -> Self {
        let squared = dot(direction, direction);
        let across = unit_perpendicular(direction);
        let third = cross(direction, across);
        let third = scale(third, 1.0 / length(third));
        // A power of two scales without rounding.
        let unit = power_of_two(size) * 2.0;
        let unit = if unit.is_normal() { unit } else { 1.0 };
        let rows =
            [across, third, scale(direction, 1.0 / squared)].map(|row| scale(row, 1.0 / unit));
        let columns = transposed(&rows);
        let parts =
            [(columns, [0.0; 3]), (matrix_product(&columns, rotation), rotate(&columns, offset))];
        ShiftFrame { parts, rows, unit, pad: COORDINATE_PAD }
    }

    /// Returns the normal, in the frame of the first part, that belongs to an axis of this frame.
    pub fn normal(&self, axis: Vec3) -> Vec3 {
        rotate(&self.rows, axis)
    }
}

/// Triangle or box, in the frame of its part.
#[derive(Debug, Clone, Copy)]
pub(crate) enum BoxOrTriangle {
    Triangle([Vec3; 3]),
    Obb(WideObb),
}

impl BoxOrTriangle {
    /// Returns three points, and axes and lengths by which their hull is thickened.
    #[inline(always)]
    pub(super) fn points_and_axes(&self) -> ([Vec3; 3], [Vec3; 3], Vec3) {
        match self {
            BoxOrTriangle::Triangle(corners) => (*corners, [[0.0; 3]; 3], [0.0; 3]),
            BoxOrTriangle::Obb(solid) => ([solid.center; 3], solid.axes, solid.half_extents),
        }
    }
}
