//! Coordinates in which one of two parts is shifted along an axis, and the primitives that are.

use crate::num::linear::{Mat3, Vec3, cross, dot, length, product, scale, transposed, turn};
use crate::num::scaling::power_of_two;
use crate::shape::WideObb;

/// The pad of a shift frame, as a share of the unit of its coordinates: `2^9 e`. Those are off by
/// `2^8 e`, see [`Relation`](crate::shape::Relation), and by `40 e` for turning and shifting them.
const PAD: f64 = 1.0 / (1u64 << 44) as f64;

/// Coordinates of two parts in which the second is shifted along the third axis, in units of a power
/// of two that no coordinate exceeds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShiftFrame {
    /// For either part: columns, and where its origin is.
    pub(super) parts: [(Mat3, Vec3); 2],
    /// Row `i`: the axis of coordinate `i` in the frame of the first part.
    rows: Mat3,
    /// What one unit is. Units of the world.
    pub unit: f64,
    /// More than coordinates are off by.
    pub(super) pad: f64,
}

impl ShiftFrame {
    /// `direction`: in the frame of the first part, its length near 1; `size`: no point of either
    /// part is further from the origin of the first, and no shift at which they touch is longer.
    pub fn new(direction: Vec3, (rotation, offset): (&Mat3, Vec3), size: f64) -> Self {
        let squared = dot(direction, direction);
        let least =
            (1..3).fold(
                0,
                |least, i| {
                    if direction[i].abs() < direction[least].abs() { i } else { least }
                },
            );
        let mut axis = [0.0; 3];
        axis[least] = 1.0;
        let across = cross(direction, axis);
        let across = scale(across, 1.0 / length(across));
        let third = cross(direction, across);
        let third = scale(third, 1.0 / length(third));
        // A power of two: nothing is rounded.
        let unit = power_of_two(size) * 2.0;
        let unit = if unit.is_normal() { unit } else { 1.0 };
        let rows =
            [across, third, scale(direction, 1.0 / squared)].map(|row| scale(row, 1.0 / unit));
        let columns = transposed(&rows);
        let parts = [(columns, [0.0; 3]), (product(&columns, rotation), turn(&columns, offset))];
        ShiftFrame { parts, rows, unit, pad: PAD }
    }

    /// The vector in the frame of the first part whose product with a point is that of the axis with
    /// the point's coordinates.
    pub fn normal(&self, axis: Vec3) -> Vec3 {
        turn(&self.rows, axis)
    }
}

/// A triangle, or a box; in the frame of its part.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Primitive {
    Triangle([Vec3; 3]),
    Solid(WideObb),
}

impl Primitive {
    /// Three points, and how far their hull is thickened along three axes.
    #[inline(always)]
    pub(super) fn rows(&self) -> ([Vec3; 3], [Vec3; 3], Vec3) {
        match self {
            Primitive::Triangle(corners) => (*corners, [[0.0; 3]; 3], [0.0; 3]),
            Primitive::Solid(solid) => ([solid.center; 3], solid.axes, solid.half_extents),
        }
    }
}
