//! Characters of the world: meshes, terrain and levels that rest.

use std::sync::Arc;

use bevy_math::Vec3;
#[cfg(feature = "levels")]
use boxwood::brush::{BodyId, BrushWorld};
use boxwood::nalgebra::Point3;
use boxwood::{Build, Error, Geometry, HeightField, Mesh, Model};

use crate::Character;

/// Geometry of the world. Its models are built by [`Build::level`], which is fast.
impl Character {
    /// Creates a character that rests: fixed characters are not tested against each other, and
    /// cost nothing while nothing moves near them. The entity may be moved all the same.
    pub fn fixed(model: Arc<Model>) -> Self {
        Character { is_fixed: true, ..Character::rigid(model) }
    }

    /// Creates a fixed character of the triangles of a mesh, as a surface without an inside: three
    /// corners each, counter-clockwise seen from outside [units of the entity].
    ///
    /// # Errors
    /// The errors of [`Mesh::new`] and of the build.
    ///
    /// ```
    /// use bevy_boxwood::Character;
    /// use bevy_math::Vec3;
    ///
    /// let corners = [Vec3::ZERO, Vec3::Z, Vec3::X];
    /// let ground = Character::mesh(corners, [[0, 1, 2]])?;
    /// # Ok::<(), bevy_boxwood::boxwood::Error>(())
    /// ```
    ///
    /// The corners of a Bevy `Mesh` are its attribute `ATTRIBUTE_POSITION`, the triangles its
    /// indices in threes.
    pub fn mesh(
        corners: impl IntoIterator<Item = Vec3>,
        triangles: impl IntoIterator<Item = [u32; 3]>,
    ) -> Result<Self, Error> {
        let corners = corners.into_iter().map(|corner| Point3::from(corner.to_array()));
        let mesh = Mesh::new(corners.collect(), triangles.into_iter().collect())?;
        Character::of_geometry("mesh", Geometry::Surface(mesh))
    }

    /// Creates a fixed character like [`Character::mesh`], but with the inside: what is wholly
    /// inside touches it. Holes of the mesh are [capped](Mesh::capped).
    ///
    /// # Errors
    /// The errors of [`Character::mesh`].
    pub fn solid_mesh(
        corners: impl IntoIterator<Item = Vec3>,
        triangles: impl IntoIterator<Item = [u32; 3]>,
    ) -> Result<Self, Error> {
        let corners = corners.into_iter().map(|corner| Point3::from(corner.to_array()));
        let mesh = Mesh::new(corners.collect(), triangles.into_iter().collect())?;
        Character::of_geometry("mesh", Geometry::Solid(mesh.capped()))
    }

    /// Creates a fixed character of terrain: solid from its heights down to `base`, so that nothing
    /// is lost below it. Bevy has y up: [`HeightField::up`].
    ///
    /// # Errors
    /// The errors of [`HeightField::solid`] and of the build.
    ///
    /// ```
    /// use bevy_boxwood::Character;
    /// use bevy_boxwood::boxwood::{HeightField, UpAxis};
    ///
    /// let heights = vec![0.0, 0.5, 0.0, 0.2, 1.0, 0.1]; // two rows of three, a metre apart
    /// let hill = Character::height_field(&HeightField::new(3, heights)?.up(UpAxis::Y), -1.0)?;
    /// # Ok::<(), bevy_boxwood::boxwood::Error>(())
    /// ```
    pub fn height_field(heights: &HeightField, base: f32) -> Result<Self, Error> {
        Character::of_geometry("terrain", Geometry::Solid(heights.solid(base)?))
    }

    /// Creates a fixed character of the brushes of a level that do not move: a solid part for each.
    /// Its entity belongs at the origin, where the level is.
    ///
    /// # Errors
    /// The errors of [`BrushWorld::model`].
    #[cfg(feature = "levels")]
    pub fn level(level: &BrushWorld) -> Result<Self, Error> {
        level.model(BodyId::STATIC, &Build::level()).map(Character::fixed)
    }

    /// Creates a fixed character of one part.
    fn of_geometry(name: &str, geometry: Geometry) -> Result<Self, Error> {
        let parts = Model::builder().part(name, None, geometry);
        parts.build(&Build::level()).map(Character::fixed)
    }
}
