//! Where a part is: poses from what other libraries and engines have.
//!
//! A [`Pose`] maps the part's frame to the world's: `world = rotation * local + translation`, column vectors, both frames
//! right-handed. Any two axes may be up; left-handed coordinates (those of Unity, Unreal, Direct3D) have to be mirrored first:
//! with z negated, a translation is `[x, y, -z]` and a quaternion `[-x, -y, z, w]`.
//!
//! | what there is | layout | how it becomes a pose |
//! |---|---|---|
//! | quaternion and translation as arrays | `[x, y, z, w]`, the real part last | [`from_parts`] |
//! | 16 numbers, as OpenGL, glTF and glam store them | column after column, the translation last | [`from_matrix`] of `Matrix4::from(columns)`, `columns: [[T; 4]; 4]` |
//! | 16 numbers row after row | the translation in every fourth | [`from_matrix`] of `Matrix4::from_row_slice(&numbers)` |
//! | a rotation matrix and a translation | columns are the part's axes in the world | [`from_axes`] |
//! | types of `glam` 0.33 (feature `glam033`) | as above | `Pose::from((translation, rotation))`; of a `Mat4`, [`from_matrix`] of `Matrix4::from(mat)` |
//! | types of `mint` (feature `mint`) | as above | [`from_matrix`] of `Matrix4::from(column_matrix)`; [`from_parts`] of `q.into()`, `t.into()` |
//!
//! What is not checked here is where it is handed in: no scene takes a pose that is not finite or whose quaternion is not of
//! length one. Back: `pose.to_homogeneous()` is the matrix, `pose.rotation.coords` is `x, y, z, w`.

use nalgebra::{
    Isometry3, Matrix3, Matrix4, Point3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3,
};

use super::{checked_axes, nearest_point, wide_matrix, wide_point};
use crate::error::Error;
use crate::num::linear::{Mat3, Vec3, add, length, quaternion_of, rotation_of, scale, turn};
use crate::num::{Scalar, check_coordinates, tolerance};

/// Part or joint to world: a translation `p` after a rotation `q / |q|`. Right-handed; world units.
pub type Pose<T> = Isometry3<T>;

/// The pose of a quaternion `[x, y, z, w]` (the real part last) and a translation. Both are kept bit for bit.
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
/// [`Error::NotFinite`], [`Error::OutOfRange`]; [`Error::NotUnit`] if the quaternion's length is off by more than
/// [`tolerance::UNIT`].
pub fn from_parts<T: Scalar>(rotation: [T; 4], translation: [T; 3]) -> Result<Pose<T>, Error> {
    let [x, y, z, w] = rotation;
    let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
    let pose = Pose::from_parts(Translation3::from(translation), rotation);
    check_poses(std::slice::from_ref(&pose), "pose")?;
    Ok(pose)
}

/// The pose of a rotation matrix, whose columns are the part's axes in the world, and a translation.
///
/// # Errors
/// [`Error::NotFinite`], [`Error::OutOfRange`]; [`Error::NotUnit`] for a scaled axis and [`Error::NotOrthonormal`] for shear or a
/// mirror, if off by more than [`tolerance::UNIT`].
pub fn from_axes<T: Scalar>(axes: &Matrix3<T>, translation: [T; 3]) -> Result<Pose<T>, Error> {
    let rotation = quaternion_of(&wide_matrix(&checked_axes(axes)?));
    from_parts(rotation.map(T::nearest), translation)
}

/// The pose of a rigid matrix in homogeneous coordinates that multiplies columns: the axes, then the translation, are its columns.
///
/// # Errors
/// As [`from_axes`], and [`Error::NotAffine`] unless the last row is 0, 0, 0, 1.
pub fn from_matrix<T: Scalar>(matrix: &Matrix4<T>) -> Result<Pose<T>, Error> {
    check_coordinates(matrix.as_slice(), "matrix", 0)?;
    let last = matrix.row(3).map(|x| x.wide());
    if last.as_slice() != [0.0, 0.0, 0.0, 1.0] {
        return Err(Error::NotAffine { field: "matrix" });
    }
    let at = |i: usize| matrix[(i, 3)];
    from_axes(&matrix.fixed_view::<3, 3>(0, 0).into_owned(), [at(0), at(1), at(2)])
}

/// A pose as a matrix in double precision, computed from its stored bits in one fixed way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placement {
    /// Columns: the part's axes in the world.
    pub rotation: Mat3,
    /// The part's origin in the world.
    pub position: Vec3,
}

impl Placement {
    #[inline]
    pub fn new<T: Scalar>(pose: &Pose<T>) -> Self {
        let q = pose.rotation.coords;
        let p = pose.translation.vector;
        Placement {
            rotation: rotation_of([q.x.wide(), q.y.wide(), q.z.wide(), q.w.wide()]),
            position: [p.x.wide(), p.y.wide(), p.z.wide()],
        }
    }

    /// A point of the part, in the world.
    #[inline]
    pub fn point(&self, local: Vec3) -> Vec3 {
        add(turn(&self.rotation, local), self.position)
    }
}

/// Refuses poses that are not finite, too far out, or not of unit length (within
/// [`tolerance::UNIT`]), naming the index.
pub(crate) fn check_poses<T: Scalar>(poses: &[Pose<T>], field: &'static str) -> Result<(), Error> {
    // Nearly always all are right, which takes neither roots nor branches to see.
    if poses.iter().fold(true, |right, pose| right & is_surely_right(pose)) {
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

/// Whether a pose is finite, not too far out, and the square of its quaternion's length no further off one than the length may be: then that is
/// half as far off. No NaN is within anything.
#[inline]
fn is_surely_right<T: Scalar>(pose: &Pose<T>) -> bool {
    let (q, p) = (&pose.rotation.coords, &pose.translation.vector);
    let ([i, j, k], [x, y, z, w]) =
        ([p.x, p.y, p.z].map(T::wide), [q.x, q.y, q.z, q.w].map(T::wide));
    let near = |x: f64| x.abs() <= T::MAX_COORDINATE;
    let square = (x * x + y * y) + (z * z + w * w);
    near(i) & near(j) & near(k) & ((square - 1.0).abs() <= tolerance::UNIT)
}

/// Points moved by a pose, computed in double precision and rounded to `T`.
pub(super) fn moved<T: Scalar, const N: usize>(
    pose: &Pose<T>,
    points: [Point3<T>; N],
) -> Result<[Point3<T>; N], Error> {
    check_poses(std::slice::from_ref(pose), "pose")?;
    let place = Placement::new(pose);
    Ok(points.map(|point| nearest_point(place.point(wide_point(point)))))
}

/// A direction turned by a pose, unit again.
pub(super) fn turned<T: Scalar>(
    pose: &Pose<T>,
    direction: Unit<Vector3<T>>,
) -> Result<Unit<Vector3<T>>, Error> {
    check_poses(std::slice::from_ref(pose), "pose")?;
    let image = turn(&Placement::new(pose).rotation, wide_point(direction.into_inner().into()));
    let unit = nearest_point::<T>(scale(image, 1.0 / length(image)));
    Ok(Unit::new_unchecked(unit.coords))
}
