//! Boxes around points.

mod frame;
mod refined;
mod spread;

pub(crate) use frame::triangle_frame;
pub(crate) use refined::refined;
pub(crate) use spread::Spread;

use nalgebra::{Matrix3, Vector3};

use crate::num::linear::{Mat3, Vec3, add, cross, dot, scale, sub};
use crate::num::{Scalar, tolerance};
use crate::shape::{Obb, nearest_matrix, nearest_point, wide_matrix, wide_point};

/// The smallest box with (nearly) those axes that holds all points, surely: its extents are rounded
/// outward. The points may be none; then the box is the origin.
pub(crate) fn around<T, P>(axes: &Mat3, points: P) -> Obb<T>
where
    T: Scalar,
    P: Iterator<Item = Vec3> + Clone,
{
    let stored: Matrix3<T> = nearest_matrix(axes);
    let axes = wide_matrix(&stored);
    let dual = dual(&axes);
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let mut farthest = 0.0f64;
    for point in points.clone() {
        farthest = farthest.max(point[0].abs() + point[1].abs() + point[2].abs());
        for i in 0..3 {
            let along = dot(dual[i], point);
            low[i] = low[i].min(along);
            high[i] = high[i].max(along);
        }
    }
    if low[0] > high[0] {
        return Obb::from_parts(nearest_point([0.0; 3]), stored, Vector3::zeros());
    }
    let middle =
        (0..3).fold([0.0; 3], |sum, i| add(sum, scale(axes[i], 0.5 * low[i] + 0.5 * high[i])));
    let center = nearest_point::<T>(middle);
    let pad =
        tolerance::FIT_PAD * (farthest + 3.0 * crate::num::linear::length(wide_point(center)));
    let half = half_extents(&dual, wide_point(center), points);
    Obb::from_parts(center, stored, Vector3::from(half.map(|h| T::at_least(h + pad))))
}

fn half_extents(dual: &Mat3, center: Vec3, points: impl Iterator<Item = Vec3>) -> Vec3 {
    let mut half = [0.0f64; 3];
    for point in points {
        let from_center = sub(point, center);
        for i in 0..3 {
            half[i] = half[i].max(dot(dual[i], from_center).abs());
        }
    }
    half
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
