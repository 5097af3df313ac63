//! Where a part is: poses as handed in, and as the kernels use them.

use nalgebra::{Isometry3, Point3, Unit, Vector3};

use super::{nearest_point, wide_point};
use crate::error::Error;
use crate::num::linear::{Mat3, Vec3, add, length, rotation_of, scale, turn};
use crate::num::{Scalar, check_coordinates, tolerance};

/// Part or joint to world: a translation `p` after a rotation `q / |q|`. Right-handed; world units.
pub type Pose<T> = Isometry3<T>;

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
