//! Brushes as closed meshes and as convex hulls: levels in a scene of characters.

use std::sync::Arc;

use nalgebra::Point3;

use super::body::BodyId;
use super::brush::Brush;
use super::world::{BrushId, BrushWorld};
use crate::error::Error;
use crate::model::Model;
use crate::num::Scalar;
use crate::shape::{ConvexHull, Mesh, nearest_point};
use crate::tree::{Build, Geometry};

impl Brush {
    /// Returns the surface as a closed mesh, counter-clockwise seen from outside: each face is a
    /// fan of triangles. The corners are rounded to `T`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for corners beyond the range of `T`.
    ///
    /// ```
    /// use boxwood::brush::Brush;
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Aabb, Mesh};
    ///
    /// let slab = Aabb::new(Point3::origin(), Point3::new(4.0, 2.0, 1.0));
    /// let mesh: Mesh = Brush::from_aabb(&slab)?.mesh()?;
    /// assert_eq!((mesh.triangles().len(), mesh.volume()), (12, 8.0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn mesh<T: Scalar>(&self) -> Result<Mesh<T>, Error> {
        let solid = self.polytope();
        let corners = self.rounded_corners();
        let mut triangles = Vec::with_capacity(2 * corners.len());
        for face in 0..solid.planes.len() {
            let outline = solid.face(face);
            triangles.extend(outline[1..].windows(2).map(|pair| [outline[0], pair[0], pair[1]]));
        }
        Mesh::new(corners, triangles)
    }

    /// Returns the convex hull of the corners, rounded to `T`. As a part of a model it is one
    /// primitive, where [`Brush::mesh`] is many triangles.
    ///
    /// # Errors
    /// The errors of [`ConvexHull::new`].
    ///
    /// ```
    /// use boxwood::brush::Brush;
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Aabb, ConvexHull};
    ///
    /// let slab = Aabb::new(Point3::origin(), Point3::new(4.0, 2.0, 1.0));
    /// let hull: ConvexHull = Brush::from_aabb(&slab)?.hull()?;
    /// assert_eq!((hull.corners().len(), hull.volume()), (8, 8.0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn hull<T: Scalar>(&self) -> Result<ConvexHull<T>, Error> {
        ConvexHull::new(&self.rounded_corners())
    }

    fn rounded_corners<T: Scalar>(&self) -> Vec<Point3<T>> {
        self.polytope().corners.iter().map(|&corner| nearest_point(corner)).collect()
    }
}

impl BrushWorld {
    /// Returns the brushes of a body, ascending.
    pub fn brushes_of(&self, body: BodyId) -> impl Iterator<Item = BrushId> + '_ {
        let indices = self.bodies.get(body.index()).map_or(&[][..], |body| &body.entries);
        indices.iter().map(|&index| self.entries[index as usize].id)
    }

    /// Creates a model of a body of the level for a [`Scene`](crate::scene::Scene), one solid part
    /// per brush. In a scene, characters touch it as they touch each other, at any
    /// [`Accuracy`](crate::Accuracy): feet on floors and swords in walls.
    ///
    /// Part `i` is the `i`-th of [`BrushWorld::brushes_of`], with its collision groups, named
    /// `brush` and its id, which is its [user number](crate::model::Part::user) as well; corners
    /// are rounded to `T`. Insert the model of a moving body with its [pose](BrushWorld::pose),
    /// that of the static one [at rest](crate::scene::Spawn::at_rest).
    ///
    /// # Errors
    /// The errors of [`Brush::mesh`] and
    /// [`ModelBuilder::build`](crate::model::ModelBuilder::build), naming the part;
    /// [`Error::Empty`] for a body without brushes.
    ///
    /// ```
    /// use boxwood::brush::{BodyId, Brush, BrushWorld};
    /// use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Vector3};
    /// use boxwood::{
    ///     Aabb, Buffers, Build, CollisionGroups, Geometry, Hits, Model, Obb, PairQuery, Scene,
    ///     Spawn,
    /// };
    ///
    /// let mut level = BrushWorld::builder();
    /// let slab = Aabb::new(Point3::new(-9.0, -9.0, -1.0), Point3::new(9.0, 9.0, 0.0));
    /// let floor = level.push(Brush::from_aabb(&slab)?, CollisionGroups::ALL);
    /// let level = level.build()?;
    ///
    /// let foot = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::new(0.1, 0.2, 0.05))?;
    /// let body = Model::builder().part("foot", None, Geometry::Boxes(vec![foot]));
    /// let mut scene = Scene::new();
    /// let ground = level.model(BodyId::STATIC, &Build::default())?;
    /// let ground = scene.insert(&ground, Spawn::default())?;
    /// let at = Isometry3::translation(3.0, 0.0, 0.04);
    /// let walker = scene.insert(&body.build(&Build::default())?, Spawn::at(at))?;
    ///
    /// let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    /// scene.snapshot(&mut buffers).contacts(&PairQuery::between(walker, ground), &mut hits)?;
    /// assert_eq!(hits.len(), 1);
    /// assert_eq!(level.brushes_of(BodyId::STATIC).nth(hits[0].b.part.index()), Some(floor));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn model<T: Scalar>(&self, body: BodyId, build: &Build) -> Result<Arc<Model<T>>, Error> {
        self.model_of(body, build, |brush| Ok(Geometry::Solid(brush.mesh()?)))
    }

    /// Like [`BrushWorld::model`], but each brush is the [convex hull](Brush::hull) of its corners:
    /// one primitive and one box per brush, so less to build and to store. Accuracies coarser than
    /// [`Accuracy::Exact`](crate::Accuracy::Exact) test a brush by that box alone, and contacts are
    /// those of the box: use axis-aligned brushes, or a mesh.
    ///
    /// # Errors
    /// The errors of [`BrushWorld::model`].
    pub fn hull_model<T: Scalar>(
        &self,
        body: BodyId,
        build: &Build,
    ) -> Result<Arc<Model<T>>, Error> {
        self.model_of(body, build, |brush| Ok(Geometry::Convex(vec![brush.hull()?.into()])))
    }

    fn model_of<T: Scalar>(
        &self,
        body: BodyId,
        build: &Build,
        geometry: impl Fn(&Brush) -> Result<Geometry<T>, Error>,
    ) -> Result<Arc<Model<T>>, Error> {
        let mut parts = Model::<T>::builder();
        for id in self.brushes_of(body) {
            let entry = self.entry(id).expect("a brush of the world");
            let name = format!("brush {}", id.0);
            let solid = geometry(&entry.brush).map_err(|error| error.in_part(&name))?;
            parts = parts.part(&name, None, solid).groups(entry.groups).user(u64::from(id.0));
        }
        parts.build(build)
    }
}
