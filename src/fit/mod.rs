//! Boxes and balls around points.

mod ball;
mod frame;
mod oriented;
mod refined;
mod spread;

pub(crate) use frame::triangle_frame;
pub(crate) use refined::refined;
pub(crate) use spread::Spread;

use nalgebra::{Matrix3, Vector3};

use crate::num::linear::{Mat3, Vec3, add, cross, dot, length, scale, turn};
use crate::num::{Scalar, tolerance};
use crate::shape::{Obb, nearest_matrix, nearest_point, wide_matrix, wide_point};

/// The least and the greatest coordinates of some points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    pub low: Vec3,
    pub high: Vec3,
}

impl Ends {
    pub const NONE: Ends = Ends { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut ends = Ends::NONE;
        points.into_iter().for_each(|point| ends.add(point));
        ends
    }

    #[inline]
    pub fn add(&mut self, point: Vec3) {
        for (i, x) in point.into_iter().enumerate() {
            self.low[i] = if x < self.low[i] { x } else { self.low[i] };
            self.high[i] = if x > self.high[i] { x } else { self.high[i] };
        }
    }
}

/// Axes of a box as they are stored, and what measures along them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<T: Scalar> {
    stored: Matrix3<T>,
    axes: Mat3,
    /// The inverse, by columns.
    inverse: Mat3,
}

impl<T: Scalar> Frame<T> {
    pub fn new(axes: &Mat3) -> Self {
        let stored: Matrix3<T> = nearest_matrix(axes);
        let axes = wide_matrix(&stored);
        let dual = dual(&axes);
        let inverse = std::array::from_fn(|j| std::array::from_fn(|i| dual[i][j]));
        Frame { stored, axes, inverse }
    }

    /// The coordinates of a point along the axes.
    #[inline]
    pub fn along(&self, point: Vec3) -> Vec3 {
        turn(&self.inverse, point)
    }

    /// The smallest box along the axes that holds all points, surely: its extents are rounded outward. Given how far the
    /// points go in the frame of the part and along these axes. Of no points it is the origin.
    pub fn around(&self, plain: &Ends, along: &Ends) -> Obb<T> {
        let Ends { low, high } = along;
        if low[0] > high[0] {
            return Obb::from_parts(nearest_point([0.0; 3]), self.stored, Vector3::zeros());
        }
        let middle = (0..3)
            .fold([0.0; 3], |sum, i| add(sum, scale(self.axes[i], 0.5 * low[i] + 0.5 * high[i])));
        let center = nearest_point::<T>(middle);
        let wide = wide_point(center);
        let farthest: f64 = (0..3).map(|i| plain.low[i].abs().max(plain.high[i].abs())).sum();
        let pad = tolerance::FIT_PAD * (farthest + 3.0 * length(wide));
        let at = self.along(wide);
        let half = |i: usize| T::at_least((high[i] - at[i]).max(at[i] - low[i]) + pad);
        Obb::from_parts(center, self.stored, Vector3::new(half(0), half(1), half(2)))
    }
}

/// The rows of the inverse: stored axes are not quite at right angles, so coordinates along them are
/// not quite dot products with them.
fn dual(axes: &Mat3) -> Mat3 {
    let volume = dot(axes[0], cross(axes[1], axes[2]));
    std::array::from_fn(|i| scale(cross(axes[(i + 1) % 3], axes[(i + 2) % 3]), 1.0 / volume))
}

/// What fits minimise: the surface of the box, which also tells flat boxes apart.
pub(crate) fn surface<T: Scalar>(b: &Obb<T>) -> f64 {
    let h = b.half_extents().map(T::wide);
    h.x * h.y + h.y * h.z + h.z * h.x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::linear::rotation_of;

    fn around<T: Scalar>(axes: &Mat3, points: impl Iterator<Item = Vec3>) -> Obb<T> {
        let frame = Frame::new(axes);
        let (mut plain, mut along) = (Ends::NONE, Ends::NONE);
        for point in points {
            plain.add(point);
            along.add(frame.along(point));
        }
        frame.around(&plain, &along)
    }

    #[test]
    fn holds_its_points_and_is_tight() {
        let axes = rotation_of([0.3, -0.4, 0.2, 0.7]);
        let corner = |i: usize| {
            let s = [1.0, 2.0, 3.0].map(|h| h * 0.1);
            let sign = |k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
            add(
                [5.0, 6.0, 7.0],
                crate::num::linear::turn(&axes, [s[0] * sign(0), s[1] * sign(1), s[2] * sign(2)]),
            )
        };
        let b: Obb<f32> = around(&axes, (0..8).map(corner));
        let h = b.half_extents();
        assert!((h.x - 0.1).abs() < 1e-6 && (h.y - 0.2).abs() < 1e-6 && (h.z - 0.3).abs() < 1e-6);
    }

    #[test]
    fn a_single_point_is_a_box_without_size() {
        let b: Obb<f64> =
            around(&rotation_of([0.0, 0.0, 0.0, 1.0]), std::iter::once([1.0, 2.0, 3.0]));
        assert!(b.half_extents().max() < 1e-13);
    }
}
