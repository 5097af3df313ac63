//! Pseudorandom numbers, points and rotations for unit tests.

use super::linear::{Mat3, Vec3, length, rotation_of, scale};
use super::split_mix::SplitMix64;

impl SplitMix64 {
    /// Returns an integer below `count`, which is at most `2^44`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() >> 20) as usize % count
    }

    /// Returns a number in `0..1`.
    pub fn share(&mut self) -> f64 {
        self.below(1 << 40) as f64 / (1u64 << 40) as f64
    }

    /// Returns a number in `low..high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// Returns `10^x` for an `x` between `low` and `high`.
    pub fn decade(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(self.between(low, high))
    }

    /// Returns a point in the cube of half size `size` around the origin.
    pub fn point(&mut self, size: f64) -> Vec3 {
        [0; 3].map(|_| self.between(-size, size))
    }

    /// Returns a unit vector.
    pub fn unit(&mut self) -> Vec3 {
        let v = self.point(1.0);
        scale(v, 1.0 / length(v))
    }

    /// Returns a rotation matrix.
    pub fn rotation(&mut self) -> Mat3 {
        let ([x, y, z], w) = (self.unit(), self.between(-1.0, 1.0));
        let size = (1.0 + w * w).sqrt();
        rotation_of([x / size, y / size, z / size, w / size])
    }
}
