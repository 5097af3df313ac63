//! Straight path of a moving body.

use nalgebra::Vector3;

use crate::num::Scalar;
use crate::num::linear::{Vec3, length, scale};
use crate::shape::wide_point;

/// Straight path, in the frame of its displacement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    /// Direction of length 1; any, if the path has no length.
    pub direction: Vec3,
    pub length: f64,
}

impl Path {
    pub fn new<T: Scalar>(displacement: Vector3<T>) -> Self {
        let displacement = wide_point(displacement.into());
        let length = length(displacement);
        let direction =
            if length > 0.0 { scale(displacement, 1.0 / length) } else { [1.0, 0.0, 0.0] };
        Path { direction, length }
    }

    /// Returns the direction of the way back, in which the obstacle moves if the mover stands
    /// still.
    pub fn reversed_direction(&self) -> Vec3 {
        scale(self.direction, -1.0)
    }
}
