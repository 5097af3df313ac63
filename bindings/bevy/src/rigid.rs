//! Rigid poses of transforms with scale.

use bevy_math::{Affine3A, Mat3, Quat, Vec3};
use boxwood::Pose;
use boxwood::nalgebra::Vector3;
use boxwood::shape::pose;

/// Largest relative difference from the expected scale that counts as rounding.
const SCALE: f32 = 1e-3;

/// Pose of a transform without its scale, and the factor of that scale over the expected one that
/// is furthest from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rigid {
    pub pose: Pose,
    pub factor: f32,
}

impl Rigid {
    /// Returns `None` for transforms that are flat or not finite. `expected` is the scale with
    /// which the part was built, negative along mirrored axes.
    ///
    /// The axes are made orthonormal by Gram and Schmidt's method, the first axis first; this
    /// removes scales along the axes.
    pub fn of(transform: &Affine3A, expected: &Vector3<f32>) -> Option<Self> {
        let matrix = &transform.matrix3;
        let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3::from);
        let mut factor = 1.0_f32;
        for (column, expected) in columns.iter().zip(expected.iter()) {
            let now = column.length() / expected.abs();
            if (now - 1.0).abs() > (factor - 1.0).abs() {
                factor = now;
            }
        }
        let sign = |axis: usize| 1.0_f32.copysign(expected[axis]);
        let x = (columns[0] * sign(0)).try_normalize()?;
        let y = columns[1] * sign(1);
        let y = (y - x * x.dot(y)).try_normalize()?;
        let z = x.cross(y);
        match z.dot(columns[2] * sign(2)) {
            along if along > 0.0 => {}
            along if along < 0.0 => factor = -factor,
            _ => return None,
        }
        let turn = Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize();
        let pose = pose::from_parts(turn.to_array(), transform.translation.to_array()).ok()?;
        Some(Rigid { pose, factor })
    }

    /// Returns `true` if the transform is scaled beyond the expected scale.
    pub fn is_scaled(&self) -> bool {
        (self.factor - 1.0).abs() > SCALE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affine(scale: [f32; 3]) -> Affine3A {
        let turn = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
        Affine3A::from_scale_rotation_translation(scale.into(), turn, Vec3::new(1.0, 2.0, 3.0))
    }

    #[test]
    fn scale_is_divided_out() {
        let one = Vector3::repeat(1.0);
        let plain = Rigid::of(&affine([1.0; 3]), &one).expect("a pose");
        assert!(!plain.is_scaled());
        assert_eq!(plain.pose.translation.vector, Vector3::new(1.0, 2.0, 3.0));
        for scale in [[0.01; 3], [100.0; 3], [2.0, 0.5, 3.0]] {
            let scaled = Rigid::of(&affine(scale), &one).expect("a pose");
            assert!(plain.pose.rotation.angle_to(&scaled.pose.rotation) < 1e-3);
            assert!(scaled.is_scaled());
            let known = Rigid::of(&affine(scale), &Vector3::from(scale)).expect("a pose");
            assert!(!known.is_scaled(), "{scale:?} is what it was built with");
        }
        assert_eq!(Rigid::of(&affine([2.0, 1.0, 1.0]), &one).map(|r| r.factor.round()), Some(2.0));
    }

    #[test]
    fn a_mirror_that_was_built_in_is_none() {
        let plain = Rigid::of(&affine([1.0; 3]), &Vector3::repeat(1.0)).expect("a pose");
        for scale in [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -2.0], [-1.0; 3]] {
            let known = Rigid::of(&affine(scale), &Vector3::from(scale)).expect("a pose");
            assert!(!known.is_scaled(), "{scale:?}");
            assert!(plain.pose.rotation.angle_to(&known.pose.rotation) < 1e-3, "{scale:?}");
            let unknown = Rigid::of(&affine(scale), &Vector3::repeat(1.0)).expect("a pose");
            assert!(unknown.is_scaled() && unknown.factor < 0.0, "{scale:?}");
        }
    }

    #[test]
    fn flat_and_broken_transforms_have_no_pose() {
        let one = Vector3::repeat(1.0);
        for scale in [[0.0; 3], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]] {
            assert_eq!(Rigid::of(&affine(scale), &one), None, "{scale:?}");
        }
        assert_eq!(Rigid::of(&affine([f32::NAN; 3]), &one), None);
        let mut far = affine([1.0; 3]);
        far.translation.x = f32::INFINITY;
        assert_eq!(Rigid::of(&far, &one), None);
    }
}
