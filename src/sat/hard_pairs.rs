//! Pairs of boxes that are hard to separate, for the tests of the kernels.

use nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use crate::num::Scalar;
use crate::num::SplitMix64;
use crate::shape::Obb;

impl SplitMix64 {
    fn vector(&mut self) -> Vector3<f64> {
        Vector3::from(self.point(1.0))
    }

    fn scaled_rotation(&mut self, by: f64) -> UnitQuaternion<f64> {
        UnitQuaternion::from_scaled_axis(self.vector() * by)
    }

    /// Half extents: some thin, some flat, some zero.
    fn hard_half_extents(&mut self, size: f64) -> Vector3<f64> {
        Vector3::from_fn(|_, _| match self.below(8) {
            0 => 0.0,
            1 | 2 => size * self.decade(-7.0, 0.0),
            _ => size * self.share(),
        })
    }

    /// Boxes that touch along one of the 15 axes, up to a mostly tiny gap or overlap.
    pub fn hard_boxes<T: Scalar>(&mut self, size: f64, far: f64) -> [Obb<T>; 2] {
        let turn = self.scaled_rotation(3.0);
        let other = match self.below(3) {
            0 => turn * self.scaled_rotation(3.0),
            1 => {
                let by = self.decade(-9.0, 0.0);
                turn * self.scaled_rotation(by)
            }
            _ => turn,
        };
        let [a, b] = [turn, other].map(|turn| turn.to_rotation_matrix().into_inner());
        let smaller = size * self.decade(-3.0, 0.0);
        let (half_a, half_b) = (self.hard_half_extents(size), self.hard_half_extents(smaller));
        let axis = match self.below(3) {
            0 => a.column(self.below(3)).into_owned(),
            1 => b.column(self.below(3)).into_owned(),
            _ => a.column(self.below(3)).cross(&b.column(self.below(3))),
        };
        let axis = axis.try_normalize(1e-12).unwrap_or(Vector3::x());
        let reach =
            |axes: &Matrix3<f64>, half: &Vector3<f64>| (axes.transpose() * axis).abs().dot(half);
        let gap = smaller * self.decade(-9.0, 0.0) * (2.0 * self.share() - 1.2);
        let beside = self.vector() * smaller * self.decade(-3.0, 0.0);
        let beside = beside - axis * axis.dot(&beside);
        let from = self.vector() * far;
        let to = from + axis * (reach(&a, &half_a) + reach(&b, &half_b) + gap) + beside;
        let solid = |center: Vector3<f64>, axes: Matrix3<f64>, half: Vector3<f64>| {
            Obb::new(
                Point3::from(center.map(T::nearest)),
                axes.map(T::nearest),
                half.map(T::nearest),
            )
        };
        [solid(from, a, half_a), solid(to, b, half_b)].map(|solid| solid.expect("a sound box"))
    }
}
