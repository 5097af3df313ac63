//! Planar shapes transformed by a pose.

use nalgebra::{Isometry2, Vector2};

use super::vector::{Vec2, add, length, nearest_point, nearest_vector, scale, wide_point};
use super::{ConvexPolygon, Obb2};
use crate::error::Error;
use crate::num::{Scalar, check_coordinates, tolerance};
use crate::shape::Sphere;

struct PlanarPlacement {
    rotation: Vec2,
    translation: Vec2,
}

impl PlanarPlacement {
    fn new<T: Scalar>(pose: &Isometry2<T>) -> Result<Self, Error> {
        let (turn, step) = (pose.rotation.into_inner(), pose.translation.vector);
        check_coordinates(step.as_slice(), "pose", 0)?;
        check_coordinates(&[turn.re, turn.im], "pose", 0)?;
        let turn = [turn.re.wide(), turn.im.wide()];
        let length = length(turn);
        if (length - 1.0).abs() > tolerance::UNIT {
            return Err(Error::NotUnit { field: "pose", index: 0, length });
        }
        Ok(PlanarPlacement {
            rotation: scale(turn, 1.0 / length),
            translation: [step.x.wide(), step.y.wide()],
        })
    }

    fn direction(&self, [x, y]: Vec2) -> Vec2 {
        let [c, s] = self.rotation;
        [c * x - s * y, s * x + c * y]
    }

    fn point(&self, p: Vec2) -> Vec2 {
        add(self.direction(p), self.translation)
    }
}

impl<T: Scalar> Obb2<T> {
    /// Returns the box transformed by `pose`, a rotation and then a translation; rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Isometry2<T>) -> Result<Self, Error> {
        let place = PlanarPlacement::new(pose)?;
        let axis: Vector2<T> = nearest_vector(place.direction(wide_point(self.axis().into())));
        Obb2::new(nearest_point(place.point(wide_point(self.center()))), axis, self.half_extents())
    }
}

impl<T: Scalar> ConvexPolygon<T> {
    /// Returns the polygon transformed by `pose`, a rotation and then a translation; its corners
    /// are rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`]; and
    /// [`Error::NotConvex`] where rounding makes a nearly straight corner reflex, for example one
    /// in the middle of an edge.
    pub fn transformed(&self, pose: &Isometry2<T>) -> Result<Self, Error> {
        let place = PlanarPlacement::new(pose)?;
        let corners = self.corners().iter().map(|&p| nearest_point(place.point(wide_point(p))));
        ConvexPolygon::new(corners.collect())
    }
}

impl<T: Scalar> Sphere<T, 2> {
    /// Returns the circle transformed by `pose`, its centre rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Isometry2<T>) -> Result<Self, Error> {
        let center = PlanarPlacement::new(pose)?.point(wide_point(self.center()));
        Sphere::new(nearest_point(center), self.radius())
    }
}
