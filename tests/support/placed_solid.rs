//! Box and its pose, in nalgebra's double precision.

use nalgebra::{Isometry3, Point3, Vector3};

use crate::random::Random;

/// Box and its pose, in double precision.
pub struct PlacedSolid {
    pub pose: Isometry3<f64>,
    pub center: Point3<f64>,
    pub half: Vector3<f64>,
}

impl PlacedSolid {
    /// Computes the distance of a point; zero inside.
    pub fn away(&self, p: Point3<f64>) -> f64 {
        let from = self.pose.inverse_transform_point(&p) - self.center;
        from.zip_map(&self.half, |x, h| (x.abs() - h).max(0.0)).norm()
    }

    /// Draws a point at the given distance outside a face, an edge or a corner; inside if negative.
    pub fn beside(&self, random: &mut Random, off: f64) -> Point3<f64> {
        let mut local = self.half.map(|h| h * random.between(-1.0, 1.0));
        let (faces, mut out) = (1 + random.below(3), Vector3::zeros());
        let first = random.below(3);
        for i in (0..faces).map(|i| (first + i) % 3) {
            let side = if random.chance(0.5) { 1.0 } else { -1.0 };
            (local[i], out[i]) = (side * self.half[i], side);
        }
        self.pose * (self.center + local + out.normalize() * off)
    }
}
