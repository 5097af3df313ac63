//! Frusta: what a camera sees.

use nalgebra::{Matrix4, Point3};

use super::{Aabb, Placement, Pose, check_poses, nearest_point};
use crate::error::Error;
use crate::num::{Scalar, check_coordinates};

/// All points between eight corners: their convex hull. Closed, solid. Meant for what a camera sees; any box with six flat faces will do.
///
/// Bit 0 of a corner's index says left or right, bit 1 bottom or top, bit 2 near or far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum<T: Scalar> {
    corners: [Point3<T>; 8],
}

impl<T: Scalar> Frustum<T> {
    /// A frustum from its corners, in the order of the type.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], naming the corner.
    pub fn new(corners: [Point3<T>; 8]) -> Result<Self, Error> {
        for (index, corner) in corners.iter().enumerate() {
            check_coordinates(corner.coords.as_slice(), "corner", index)?;
        }
        Ok(Frustum { corners })
    }

    /// What an eye sees that looks along -Z of its pose, Y up, between two depths. `tangents`: of half the angle of view,
    /// across and up.
    ///
    /// # Errors
    /// As for any pose, [`Error::NotFinite`], [`Error::OutOfRange`], and [`Error::Negative`] for a tangent or depth;
    /// [`Error::OutOfOrder`] if the far depth is not beyond the near one.
    pub fn of_eye(eye: &Pose<T>, tangents: [T; 2], depths: [T; 2]) -> Result<Self, Error> {
        check_poses(std::slice::from_ref(eye), "eye")?;
        for (field, values) in [("tangent", tangents), ("depth", depths)] {
            check_coordinates(&values, field, 0)?;
            if let Some(index) = values.iter().position(|x| x.wide() < 0.0) {
                return Err(Error::Negative { field, index });
            }
        }
        if depths[1] <= depths[0] {
            return Err(Error::OutOfOrder { field: "depth", index: 1 });
        }
        let (place, [x, y]) = (Placement::new(eye), tangents.map(T::wide));
        Frustum::new(std::array::from_fn(|index| {
            let depth = depths[index >> 2].wide();
            let side = |bit: usize| if index >> bit & 1 == 1 { depth } else { -depth };
            nearest_point(place.point([x * side(0), y * side(1), -depth]))
        }))
    }

    /// What a matrix from the world to clip space lets through. `depths`: what it makes of the near and of the far plane after the
    /// division, `[-1, 1]` or `[0, 1]` mostly, `[1, 0]` where depth is reversed.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a matrix without an inverse, or if a corner lies at infinity; [`Error::OutOfRange`].
    pub fn of_projection(world_to_clip: &Matrix4<T>, depths: [T; 2]) -> Result<Self, Error> {
        check_coordinates(&depths, "depth", 0)?;
        check_coordinates(world_to_clip.as_slice(), "matrix", 0)?;
        let inverse = world_to_clip.map(T::wide).try_inverse();
        let inverse = inverse.ok_or(Error::NotFinite { field: "inverse of matrix", index: 0 })?;
        Frustum::new(std::array::from_fn(|index| {
            let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let clip = [side(0), side(1), depths[index >> 2].wide(), 1.0];
            let [x, y, z, w] = (inverse * nalgebra::Vector4::from(clip)).into();
            nearest_point([x / w, y / w, z / w])
        }))
    }

    /// The corners.
    pub fn corners(&self) -> [Point3<T>; 8] {
        self.corners
    }

    /// The smallest aligned box around it, exactly.
    pub fn aabb(&self) -> Aabb<T, 3> {
        Aabb::around(self.corners)
    }
}
