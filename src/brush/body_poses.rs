//! Where the bodies of a world are: asked and set.

use nalgebra::{Isometry3, Vector3};

use super::body::{BodyId, BodyPose};
use super::world::BrushWorld;
use crate::error::Error;
use crate::num::linear::Vec3;
use crate::num::{Scalar, check_coordinates};
use crate::shape::wide_point;

impl BrushWorld {
    /// Where a body is: the displacement of the point that was the origin when its brushes were
    /// inserted.
    pub fn offset<T: Scalar>(&self, body: BodyId) -> Option<Vector3<T>> {
        self.pose(body).map(|pose| pose.translation.vector)
    }

    /// Where a body is: from where its brushes were inserted to the world.
    pub fn pose<T: Scalar>(&self, body: BodyId) -> Option<Isometry3<T>> {
        Some(self.bodies.get(body.index())?.pose.to_isometry(self.up))
    }

    /// Moves a body: `offset` is its displacement from where its brushes were inserted, without a
    /// turn. As [`BrushWorld::set_pose`].
    ///
    /// # Errors
    /// As [`BrushWorld::set_pose`].
    pub fn set_offset<T: Scalar>(
        &mut self,
        body: BodyId,
        offset: Vector3<T>,
    ) -> Result<Isometry3<T>, Error> {
        check_coordinates(offset.as_slice(), "offset", 0)?;
        self.place(body, BodyPose::moved(self.up.to_z(wide_point(offset.into()))))
    }

    /// Moves and turns a body: its brushes are where they were inserted, moved by this pose, whose
    /// rotation is about the axis that is up. The pose it had before. Nobody is pushed by it; see
    /// [`Walker::push`](super::Walker::push). Who stands on it is carried by the next
    /// [`Walker::walk`](super::Walker::walk).
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`]; [`Error::BadQuery`] for the
    /// static body and for a turn about another axis, [`Error::IndexOutOfRange`] for a body of
    /// another world. Nothing has moved then.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushFilter, BrushWorld};
    /// use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// use boxwood::{Aabb, CollisionGroups};
    ///
    /// let mut level = BrushWorld::builder();
    /// let door = level.body();
    /// let leaf = Aabb::new(Point3::new(0.0, -0.1, 0.0), Point3::new(2.0, 0.1, 2.0));
    /// level.push_to(door, Brush::from_aabb(&leaf)?, CollisionGroups::ALL);
    /// let mut level = level.build()?;
    ///
    /// let quarter = Vector3::z() * std::f32::consts::FRAC_PI_2;
    /// level.set_pose(door, Isometry3::rotation(quarter))?;
    /// let (mut found, all) = (Vec::new(), BrushFilter::default());
    /// level.contents(Point3::new(0.0_f32, 1.5, 1.0), &all, &mut found)?;
    /// assert_eq!(found.len(), 1);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn set_pose<T: Scalar>(
        &mut self,
        body: BodyId,
        pose: Isometry3<T>,
    ) -> Result<Isometry3<T>, Error> {
        self.place(body, BodyPose::of(&pose, self.up)?)
    }

    fn place<T: Scalar>(&mut self, body: BodyId, pose: BodyPose) -> Result<Isometry3<T>, Error> {
        if body == BodyId::STATIC {
            return Err(Error::BadQuery { reason: "the static body does not move" });
        }
        let (target, len, up) = (body.index(), self.bodies.len(), self.up);
        let known = self.bodies.get_mut(target);
        let known = known.ok_or(Error::IndexOutOfRange { field: "body", index: 0, target, len })?;
        Ok(std::mem::replace(&mut known.pose, pose).to_isometry(up))
    }

    pub(super) fn body_pose(&self, body: BodyId) -> &BodyPose {
        &self.bodies[body.index()].pose
    }

    /// A point of a brush, as inserted, in the world.
    pub(super) fn placed(&self, body: BodyId, point: Vec3) -> Vec3 {
        self.up.undo_to_z(self.body_pose(body).point(self.up.to_z(point)))
    }

    /// Undoes [`BrushWorld::placed`].
    pub(super) fn unplaced(&self, body: BodyId, point: Vec3) -> Vec3 {
        self.up.undo_to_z(self.body_pose(body).local(self.up.to_z(point)))
    }

    /// A direction of a brush, as inserted, in the world.
    pub(super) fn placed_vector(&self, body: BodyId, vector: Vec3) -> Vec3 {
        self.up.undo_to_z(self.body_pose(body).vector(self.up.to_z(vector)))
    }
}
