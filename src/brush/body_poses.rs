//! Getters and setters of the poses of a world's bodies.

use nalgebra::{Isometry3, Vector3};

use super::body::{BodyId, BodyPose};
use super::world::BrushWorld;
use crate::error::Error;
use crate::num::linear::Vec3;
use crate::num::{Scalar, check_coordinates};
use crate::shape::wide_point;

impl BrushWorld {
    /// Returns the displacement of a body since its brushes were inserted [length units].
    pub fn offset<T: Scalar>(&self, body: BodyId) -> Option<Vector3<T>> {
        self.pose(body).map(|pose| pose.translation.vector)
    }

    /// Returns the pose of a body, from the frame its brushes were inserted in to the world.
    pub fn pose<T: Scalar>(&self, body: BodyId) -> Option<Isometry3<T>> {
        Some(self.bodies.get(body.index())?.pose.to_isometry(self.up))
    }

    /// Moves a body by a displacement from where its brushes were inserted, without rotation. Like
    /// [`BrushWorld::set_pose`].
    ///
    /// # Errors
    /// The errors of [`BrushWorld::set_pose`].
    pub fn set_offset<T: Scalar>(
        &mut self,
        body: BodyId,
        offset: Vector3<T>,
    ) -> Result<Isometry3<T>, Error> {
        check_coordinates(offset.as_slice(), "offset", 0)?;
        self.replace_pose(body, BodyPose::from_offset(self.up.to_z(wide_point(offset.into()))))
    }

    /// Sets the pose of a body, from the frame its brushes were inserted in to the world, and
    /// returns the pose before. Its rotation must be about the up axis. The call pushes nobody, see
    /// [`Walker::push`](super::Walker::push); the next [`Walker::walk`](super::Walker::walk)
    /// carries those who stand on the body.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`]; [`Error::BadQuery`] for the
    /// static body and for a rotation about another axis, [`Error::IndexOutOfRange`] for a body of
    /// another world. Nothing has moved then.
    pub fn set_pose<T: Scalar>(
        &mut self,
        body: BodyId,
        pose: Isometry3<T>,
    ) -> Result<Isometry3<T>, Error> {
        self.replace_pose(body, BodyPose::from_isometry(&pose, self.up)?)
    }

    fn replace_pose<T: Scalar>(
        &mut self,
        body: BodyId,
        pose: BodyPose,
    ) -> Result<Isometry3<T>, Error> {
        if body == BodyId::STATIC {
            return Err(Error::BadQuery { reason: "the static body cannot move" });
        }
        let (target, len, up) = (body.index(), self.bodies.len(), self.up);
        let known = self.bodies.get_mut(target);
        let known = known.ok_or(Error::IndexOutOfRange { field: "body", index: 0, target, len })?;
        Ok(std::mem::replace(&mut known.pose, pose).to_isometry(up))
    }

    pub(super) fn body_pose(&self, body: BodyId) -> &BodyPose {
        &self.bodies[body.index()].pose
    }

    /// Transforms a point from the frame of an inserted brush into the world.
    pub(super) fn to_world_point(&self, body: BodyId, point: Vec3) -> Vec3 {
        self.up.undo_to_z(self.body_pose(body).to_world_point(self.up.to_z(point)))
    }

    /// Inverse of [`BrushWorld::to_world_point`].
    pub(super) fn to_brush_point(&self, body: BodyId, point: Vec3) -> Vec3 {
        self.up.undo_to_z(self.body_pose(body).to_local_point(self.up.to_z(point)))
    }

    /// Transforms a direction from the frame of an inserted brush into the world.
    pub(super) fn to_world_vector(&self, body: BodyId, vector: Vec3) -> Vec3 {
        self.up.undo_to_z(self.body_pose(body).to_world_vector(self.up.to_z(vector)))
    }
}
