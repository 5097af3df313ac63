//! Boxes that fly and turn at constant rates.

use boxwood::nalgebra::{Isometry3, UnitQuaternion, Vector3};

use super::random::Random;

/// Pose of a box before a tick, and its velocities: constant, about its centre.
#[derive(Debug, Clone, Copy)]
pub struct Flight {
    pub start: Isometry3<f32>,
    pub linear: Vector3<f32>,
    pub angular: Vector3<f32>,
}

impl Flight {
    pub fn random(random: &mut Random, side: f32) -> Self {
        let vector = |random: &mut Random, size: f64| random.vector(size).cast::<f32>();
        let place = vector(random, 1.0) + Vector3::x() * side;
        let start = Isometry3::new(place, vector(random, 2.0));
        let linear = vector(random, 1.0) - Vector3::x() * side;
        Flight { start, linear, angular: vector(random, 1.7) }
    }

    /// Returns the pose at a time.
    pub fn at(&self, time: f32) -> Isometry3<f32> {
        let turn = UnitQuaternion::new(self.angular * time);
        let place = self.start.translation.vector + self.linear * time;
        Isometry3::from_parts(place.into(), turn * self.start.rotation)
    }
}

/// Half extents of the two boxes.
pub const HALF: [[f32; 3]; 2] = [[0.5, 0.05, 0.02], [0.1, 0.4, 0.15]];
