//! The thing that the robot takes: a mug, or a mesh of a file.

use std::path::Path;
use std::sync::Arc;

use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{Aabb, Build, Cylinder, Error, Geometry, Loader, Mesh, Model};
use shared::any_file;

use crate::robot;

/// Half the height of the mug, and its radius [m].
const HALF: f32 = 0.059;
const RADIUS: f32 = 0.04;
/// Largest length and height of a thing [m]: more would not fit under the arm.
const LONGEST: f32 = 0.2;
const HIGHEST: f32 = 0.2;
/// Gap between the thing and the table [m].
const GAP: f32 = 0.001;

/// A thing, its middle at the origin of its only part.
pub struct Thing {
    pub name: String,
    pub model: Arc<Model>,
    /// Height of its middle, on the table [m].
    pub middle: f32,
}

impl Thing {
    /// The mug, 12 cm high.
    pub fn mug() -> Result<Self, Error> {
        let mug = Cylinder::new(Point3::origin(), Vector3::z_axis(), HALF, RADIUS)?;
        let (name, model) = ("mug".to_owned(), robot::thing("mug", mug.into())?);
        Ok(Thing { name, model, middle: HALF + GAP })
    }

    /// The mesh of a file, as wide as the mug if it is then no longer and no higher than a hand.
    pub fn of_file(file: &str) -> Result<Self, String> {
        let path = Path::new(file);
        // Robots are not grasped.
        any_file::check_ending(path, &["obj", "stl", "urdf", "xml"])?;
        let loaded = any_file::load(path, &Loader::new())?;
        let tree = loaded.model.parts().iter().find_map(|part| part.tree());
        let mesh = tree.and_then(|tree| tree.geometry().mesh()).ok_or(format!("{file}: empty"))?;
        Thing::of_mesh(mesh)
            .map_err(|error| format!("{file}: {error}"))
            .map(|(model, middle)| Thing { name: file.to_owned(), model, middle })
    }

    /// Returns the model, and the height of its middle on the table.
    fn of_mesh(mesh: &Mesh) -> Result<(Arc<Model>, f32), Error> {
        let around = Aabb::from_points(mesh.vertices().iter().copied());
        let (middle, sizes) = (around.center().unwrap_or_default(), around.sizes());
        let [long, wide, high] = [LONGEST / sizes.x, 2.0 * RADIUS / sizes.y, HIGHEST / sizes.z];
        let factor = long.min(wide).min(high);
        let vertices =
            mesh.vertices().iter().map(|corner| Point3::from((corner - middle) * factor));
        let mesh = Mesh::new(vertices.collect(), mesh.triangles().to_vec())?;
        let model = Model::builder().part("mesh", None, Geometry::Solid(mesh));
        Ok((model.build(&Build::default())?, 0.5 * factor * sizes.z + GAP))
    }
}
