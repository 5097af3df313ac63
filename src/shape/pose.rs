//! Poses of parts, and conversion from the conventions of other libraries and engines.
//!
//! A [`Pose`] maps the part's frame to the world's: `world = rotation * local + translation`, with
//! column vectors and right-handed frames. Any axis may be up. Mirror left-handed coordinates
//! (Unity, Unreal, Direct3D) first: with z negated, a translation is `[x, y, -z]` and a quaternion
//! `[-x, -y, z, w]`.
//!
//! | given | layout | how to make a pose |
//! |---|---|---|
//! | quaternion and translation as arrays | `[x, y, z, w]`, the real part last | [`from_parts`] |
//! | 16 numbers, as OpenGL, glTF and glam store them | column after column, the translation last | [`from_matrix`] of `Matrix4::from(columns)`, `columns: [[T; 4]; 4]` |
//! | 16 numbers row after row | the translation in every fourth | [`from_matrix`] of `Matrix4::from_row_slice(&numbers)` |
//! | a rotation matrix and a translation | columns are the part's axes in the world | [`from_axes`] |
//! | types of `glam` 0.30 to 0.33 (features `glam030` to `glam033`) | as above | `Pose::from((translation, rotation))`; of a `Mat4`, [`from_matrix`] of `Matrix4::from(mat)` |
//! | types of `mint` (feature `mint`) | as above | [`from_matrix`] of `Matrix4::from(column_matrix)`; [`from_parts`] of `q.into()`, `t.into()` |
//!
//! Scenes check every pose: they reject a pose that is not finite or whose quaternion is not of
//! length one. In the other direction, `pose.to_homogeneous()` is the matrix and
//! `pose.rotation.coords` is `x, y, z, w`.

use nalgebra::{
    Isometry3, Matrix3, Matrix4, Point3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3,
};

use super::{checked_axes, nearest_point, wide_matrix, wide_point};
use crate::error::Error;
use crate::num::linear::{self, Mat3, Vec3, add, length, quaternion_of, rotate, rotation_of};
use crate::num::scaling::{self, check_factor};
use crate::num::{Scalar, check_coordinates, tolerance};

/// The pose of a part or joint: local to world by a rotation `q / |q|`, then a translation `p`.
/// Right-handed; world units.
///
/// ```
/// use boxwood::Pose;
/// use boxwood::nalgebra::Point3;
///
/// let there = Pose::translation(1.0, 0.0, 0.0); // of nalgebra, with all it can do
/// assert_eq!(there * Point3::origin(), Point3::new(1.0, 0.0, 0.0)); // part to world
/// assert_eq!(there.inverse() * Point3::new(1.0, 0.0, 0.0), Point3::origin());
/// ```
pub type Pose<T> = Isometry3<T>;

/// The pose of a quaternion `[x, y, z, w]` (the real part last) and a translation, both kept bit
/// for bit.
///
/// ```
/// use boxwood::shape::pose;
/// use nalgebra::Point3;
///
/// // A quarter turn about z, then a step along x.
/// let half = std::f32::consts::FRAC_1_SQRT_2;
/// let there = pose::from_parts([0.0, 0.0, half, half], [1.0, 0.0, 0.0])?;
/// assert!((there * Point3::new(1.0, 0.0, 0.0) - Point3::new(1.0, 1.0, 0.0)).norm() < 1e-6);
/// # Ok::<(), boxwood::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotFinite`], [`Error::OutOfRange`]; [`Error::NotUnit`] if the quaternion's length is
/// off by more than [`tolerance::UNIT`].
pub fn from_parts<T: Scalar>(rotation: [T; 4], translation: [T; 3]) -> Result<Pose<T>, Error> {
    let [x, y, z, w] = rotation;
    let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
    let pose = Pose::from_parts(Translation3::from(translation), rotation);
    check_poses(std::slice::from_ref(&pose), "pose")?;
    Ok(pose)
}

/// Rounds a pose to another number type, to the nearest.
pub(crate) fn rounded_pose<T: Scalar>(pose: &Pose<f64>) -> Pose<T> {
    let rotation = UnitQuaternion::new_unchecked(pose.rotation.coords.map(T::nearest).into());
    Pose::from_parts(pose.translation.vector.map(T::nearest).into(), rotation)
}

/// The pose of a rotation matrix, whose columns are the part's axes in the world, and a
/// translation.
///
/// # Errors
/// [`Error::NotFinite`], [`Error::OutOfRange`]; [`Error::NotUnit`] for a scaled axis and
/// [`Error::NotOrthonormal`] for shear or a mirror, if off by more than [`tolerance::UNIT`].
///
/// ```
/// use boxwood::nalgebra::{Matrix3, Point3, Vector3};
/// use boxwood::shape::pose;
///
/// // Columns: where the part's axes point in the world.
/// let axes = Matrix3::from_columns(&[Vector3::y(), -Vector3::x(), Vector3::z()]);
/// let there = pose::from_axes(&axes, [5.0, 0.0, 0.0])?;
/// assert!((there * Point3::new(1.0, 0.0, 0.0) - Point3::new(5.0, 1.0, 0.0)).norm() < 1e-6);
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn from_axes<T: Scalar>(axes: &Matrix3<T>, translation: [T; 3]) -> Result<Pose<T>, Error> {
    let rotation = quaternion_of(&wide_matrix(&checked_axes(axes)?));
    from_parts(rotation.map(T::nearest), translation)
}

/// The pose of a rigid homogeneous matrix that multiplies column vectors: its columns are the axes,
/// then the translation.
///
/// # Errors
/// The errors of [`from_axes`], and [`Error::NotAffine`] unless the last row is 0, 0, 0, 1.
///
/// ```
/// use boxwood::nalgebra::Matrix4;
/// use boxwood::shape::pose;
///
/// // 16 numbers as OpenGL and glTF store them: column after column, the translation last.
/// let [x, y, z] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
/// let columns = [x, y, z, [5.0, 6.0, 7.0, 1.0]];
/// let there = pose::from_matrix(&Matrix4::from(columns))?;
/// assert_eq!(there.translation.vector.as_slice(), [5.0_f32, 6.0, 7.0]);
/// assert!(pose::from_matrix(&(Matrix4::from(columns) * 2.0)).is_err()); // scaled
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn from_matrix<T: Scalar>(matrix: &Matrix4<T>) -> Result<Pose<T>, Error> {
    check_coordinates(matrix.as_slice(), "matrix", 0)?;
    let last = matrix.row(3).map(|x| x.wide());
    if last.as_slice() != [0.0, 0.0, 0.0, 1.0] {
        return Err(Error::NotAffine { field: "matrix" });
    }
    let at = |i: usize| matrix[(i, 3)];
    from_axes(&matrix.fixed_view::<3, 3>(0, 0).into_owned(), [at(0), at(1), at(2)])
}

/// Multiplies the translations of poses by `factor`, each rounded once: fits the poses of a clip or
/// a mechanism to [the model scaled](crate::Model::scaled) by that factor.
///
/// # Errors
/// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor, [`Error::OutOfRange`] naming a
/// pose whose translation would overflow. No pose has changed then.
///
/// ```
/// use boxwood::Pose;
/// use boxwood::shape::pose;
///
/// let mut joints = [Pose::translation(0.0, 1.5, 0.0)]; // of a clip, say
/// pose::scale(&mut joints, 2.0)?; // of the same clip, played by a giant
/// assert_eq!(joints[0].translation.y, 3.0);
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn scale<T: Scalar>(poses: &mut [Pose<T>], factor: impl Into<f64>) -> Result<(), Error> {
    let factor = factor.into();
    check_factor(factor)?;
    let at = |index: usize, pose: &Pose<T>| {
        scaling::scale_checked(pose.translation.into(), factor, "pose", index)
    };
    poses.iter().enumerate().try_for_each(|(index, pose)| at(index, pose).map(|_| ()))?;
    for (index, pose) in poses.iter_mut().enumerate() {
        pose.translation = at(index, pose)?.into();
    }
    Ok(())
}

/// A pose as a matrix in double precision, computed from its stored bits by one fixed expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placement {
    /// Columns: the part's axes in the world.
    pub rotation: Mat3,
    /// The part's origin in the world.
    pub position: Vec3,
}

impl Placement {
    /// Converts a pose, dividing by the length of its quaternion.
    #[inline]
    pub fn new<T: Scalar>(pose: &Pose<T>) -> Self {
        let q = pose.rotation.coords;
        let p = pose.translation.vector;
        Placement {
            rotation: rotation_of([q.x.wide(), q.y.wide(), q.z.wide(), q.w.wide()]),
            position: [p.x.wide(), p.y.wide(), p.z.wide()],
        }
    }

    /// Rotates a direction in the part's frame to the world.
    #[inline]
    pub fn direction(&self, local: Vec3) -> Vec3 {
        rotate(&self.rotation, local)
    }

    /// Transforms a point in the part's frame to the world.
    #[inline]
    pub fn point(&self, local: Vec3) -> Vec3 {
        add(rotate(&self.rotation, local), self.position)
    }
}

/// Rejects poses that are not finite, out of range, or whose quaternion is not of length one
/// (within [`tolerance::UNIT`]), naming the index.
pub(crate) fn check_poses<T: Scalar>(poses: &[Pose<T>], field: &'static str) -> Result<(), Error> {
    // Fast path without roots and branches: nearly always all poses are valid.
    if poses.iter().fold(true, |right, pose| right & is_certainly_valid(pose)) {
        return Ok(());
    }
    for (index, pose) in poses.iter().enumerate() {
        check_coordinates(pose.translation.vector.as_slice(), field, index)?;
        check_coordinates(pose.rotation.coords.as_slice(), field, index)?;
        let length = pose.rotation.coords.map(|c| c.wide()).norm();
        if (length - 1.0).abs() > tolerance::UNIT {
            return Err(Error::NotUnit { field, index, length });
        }
    }
    Ok(())
}

/// Returns `true` if a root and joints pass a sufficient test: all are valid, and so are the
/// products of the root and each joint, computed in `T`.
///
/// Squares of lengths are within a quarter of [`tolerance::UNIT`] of one, so those of products are
/// within 0.51 of it, and rounding adds far less than the rest. Coordinates are at most an eighth
/// of the greatest, so a rotated position is no longer than 0.22 of it, and a sum below 0.35.
#[inline]
pub(crate) fn are_composable<T: Scalar>(root: &Pose<T>, joints: &[Pose<T>]) -> bool {
    let most = T::at_most(0.125 * T::MAX_COORDINATE);
    let unit = T::nearest(0.25 * tolerance::UNIT);
    joints.iter().fold(is_within(root, most, unit), |all, pose| all & is_within(pose, most, unit))
}

/// Returns `true` if a pose passes a sufficient test: it is finite, in range, and the squared
/// length of its quaternion differs from one by at most what the length may differ. The length then
/// differs by half of that, which covers the rounding of the square in `T`. `false` for NaN.
#[inline]
fn is_certainly_valid<T: Scalar>(pose: &Pose<T>) -> bool {
    is_within(pose, T::at_most(T::MAX_COORDINATE), T::nearest(tolerance::UNIT))
}

/// Returns `true` if no coordinate exceeds `most`, and the squared length of the quaternion differs
/// from one by at most `unit`.
#[inline(always)]
fn is_within<T: Scalar>(pose: &Pose<T>, most: T, unit: T) -> bool {
    let (q, p) = (&pose.rotation.coords, &pose.translation.vector);
    let square = (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
    let near = (p.x.abs() <= most) & (p.y.abs() <= most) & (p.z.abs() <= most);
    near & ((square - T::one()).abs() <= unit)
}

/// Transforms points by a pose, in double precision, rounded to `T`.
pub(crate) fn transformed_points<T: Scalar, const N: usize>(
    pose: &Pose<T>,
    points: [Point3<T>; N],
) -> Result<[Point3<T>; N], Error> {
    check_poses(std::slice::from_ref(pose), "pose")?;
    let placement = Placement::new(pose);
    Ok(points.map(|point| nearest_point(placement.point(wide_point(point)))))
}

/// Rotates a direction by a pose and normalises it.
pub(crate) fn rotated<T: Scalar>(
    pose: &Pose<T>,
    direction: Unit<Vector3<T>>,
) -> Result<Unit<Vector3<T>>, Error> {
    check_poses(std::slice::from_ref(pose), "pose")?;
    let image = rotate(&Placement::new(pose).rotation, wide_point(direction.into_inner().into()));
    let unit = nearest_point::<T>(linear::scale(image, 1.0 / length(image)));
    Ok(Unit::new_unchecked(unit.coords))
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::num::exact::Exact;

    fn pose<T: Scalar>(q: [f64; 4], p: [f64; 3]) -> Pose<T> {
        let [x, y, z, w] = q.map(T::nearest);
        let turn = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        Pose::from_parts(Translation3::from(p.map(T::nearest)), turn)
    }

    /// Returns `true` if the length of the stored quaternion differs from one by at most `most`,
    /// computed exactly.
    fn is_within<T: Scalar>(pose: &Pose<T>, most: f64) -> bool {
        let square = pose.rotation.coords.iter().fold(Exact::zero(), |sum, c| {
            let c = Exact::new(c.wide());
            &sum + &(&c * &c)
        });
        let (one, most) = (Exact::new(1.0), Exact::new(most));
        let ends = [&one - &most, &one + &most].map(|end| &end * &end);
        (&square - &ends[0]).sign() != Ordering::Less
            && (&ends[1] - &square).sign() != Ordering::Less
    }

    /// Directions of quaternions: one component, two alike, four of different sizes.
    const DIRECTIONS: [[f64; 4]; 4] = [
        [0.0, 0.0, 0.0, 1.0],
        [0.6, 0.0, -0.8, 0.0],
        [0.5, -0.5, 0.5, 0.5],
        [1e-3, 0.1, -0.3, 0.9],
    ];

    /// Poses with quaternions of about this length, one component off by a few units in the last
    /// place.
    fn poses_of_length<T: Scalar>(way: [f64; 4], length: f64) -> impl Iterator<Item = Pose<T>> {
        let size = way.iter().map(|x| x * x).sum::<f64>().sqrt();
        let unit: f64 = T::ROUNDING;
        (-40i32..=40).map(move |step| {
            let mut q = way.map(|x| x / size * length);
            q[3 - step.unsigned_abs() as usize % 4] *= 1.0 + f64::from(step) * unit;
            pose(q, [0.0; 3])
        })
    }

    fn test_edges<T: Scalar>() {
        let unit = tolerance::UNIT;
        let (mut sure, mut unsure, mut refused) = (0, 0, 0);
        // Lengths at which the sufficient test fails, and at which the length is too far off.
        let lengths = [(1.0 + unit).sqrt(), (1.0 - unit).sqrt(), 1.0 + unit, 1.0 - unit, 1.0];
        for (way, length) in DIRECTIONS.iter().flat_map(|way| lengths.map(|length| (*way, length)))
        {
            for pose in poses_of_length::<T>(way, length) {
                let accepted = check_poses(&[pose], "pose").is_ok();
                match is_certainly_valid(&pose) {
                    true => {
                        // Half the limit is far enough from it for any rounding.
                        assert!(accepted && is_within(&pose, 0.51 * unit), "{pose:?}");
                        sure += 1;
                    }
                    false if accepted => {
                        assert!(is_within(&pose, unit + 1e-15), "{pose:?}");
                        unsure += 1;
                    }
                    false => {
                        assert!(!is_within(&pose, unit - 1e-15), "{pose:?}");
                        refused += 1;
                    }
                }
            }
        }
        // Every edge has poses on both sides of it.
        assert!(sure > 400 && unsure > 400 && refused > 100, "{sure} {unsure} {refused}");
    }

    pub fn the_sufficient_test_is_right_at_its_very_edge() {
        test_edges::<f32>();
        test_edges::<f64>();
    }

    fn ranges<T: Scalar>() {
        let most = T::at_most(T::MAX_COORDINATE).wide();
        let identity = [0.0, 0.0, 0.0, 1.0];
        for i in 0..3 {
            for (x, right) in [
                (most, true),
                (-most, true),
                (most * (1.0 + 4.0 * T::ROUNDING), false),
                (-most * (1.0 + 4.0 * T::ROUNDING), false),
                (f64::INFINITY, false),
                (f64::NEG_INFINITY, false),
                (f64::NAN, false),
            ] {
                let mut p = [0.0; 3];
                p[i] = x;
                let pose = pose::<T>(identity, p);
                assert_eq!(
                    (is_certainly_valid(&pose), check_poses(&[pose], "pose").is_ok()),
                    (right, right)
                );
            }
        }
        for i in 0..4 {
            for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, T::MAX_COORDINATE] {
                let mut q = identity;
                q[i] = bad;
                let pose = pose::<T>(q, [0.0; 3]);
                assert!(!is_certainly_valid(&pose) && check_poses(&[pose], "pose").is_err());
                // The error names one bad pose among many.
                let all = [Pose::identity(), pose, Pose::identity()];
                let error = check_poses(&all, "pose").expect_err("one is wrong");
                assert!(format!("{error:?}").contains("index: 1"), "{error:?}");
            }
        }
    }

    pub fn the_sufficient_test_rejects_numbers_out_of_range_and_nan() {
        ranges::<f32>();
        ranges::<f64>();
    }
}
