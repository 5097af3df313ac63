//! The world: four characters at rest, from four kinds of sources; or one, from a file.

use std::f32::consts::TAU;
use std::path::Path;
use std::sync::Arc;

use boxwood::brush::BodyId;
use boxwood::load::{self, MapOptions, map_bytes};
use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use boxwood::{
    Aabb, Accuracy, Buffers, Build, Capsule, CharacterKey, CollisionGroups, ConvexHull, Cylinder,
    Error, Geometry, HeightField, Loader, Model, NodeId, Obb, Plane, QueryFilter, Ray, RayHits,
    Scene, Segment, Spawn, Sphere, UpAxis,
};
use shared::any_file;

/// Memberships of all that is at rest, and of walkers.
pub const WORLD: u64 = 1 << 1;
pub const BODY: u64 = 1;

/// Number of heights along a side of the hill, and their spacing [m].
const SIDE: usize = 33;
const SPACING: f32 = 0.5;

/// A level in the text of an editor: two steps and a lintel. Quake's units, z up.
const LEVEL: &str = r#"{ "classname" "worldspawn"
    { ( -64 320 0 ) ( -64 321 0 ) ( -64 320 1 ) stone 0 0 0 1 1
      ( 64 320 0 ) ( 64 320 1 ) ( 64 321 0 ) stone 0 0 0 1 1
      ( 0 320 0 ) ( 0 320 1 ) ( 1 320 0 ) stone 0 0 0 1 1
      ( 0 448 0 ) ( 1 448 0 ) ( 0 448 1 ) stone 0 0 0 1 1
      ( 0 320 -8 ) ( 1 320 -8 ) ( 0 321 -8 ) stone 0 0 0 1 1
      ( 0 320 4 ) ( 0 321 4 ) ( 1 320 4 ) stone 0 0 0 1 1 }
    { ( -64 352 0 ) ( -64 353 0 ) ( -64 352 1 ) stone 0 0 0 1 1
      ( 64 352 0 ) ( 64 352 1 ) ( 64 353 0 ) stone 0 0 0 1 1
      ( 0 352 0 ) ( 0 352 1 ) ( 1 352 0 ) stone 0 0 0 1 1
      ( 0 448 0 ) ( 1 448 0 ) ( 0 448 1 ) stone 0 0 0 1 1
      ( 0 352 4 ) ( 1 352 4 ) ( 0 353 4 ) stone 0 0 0 1 1
      ( 0 352 8 ) ( 0 353 8 ) ( 1 352 8 ) stone 0 0 0 1 1 }
    { ( -64 384 0 ) ( -64 385 0 ) ( -64 384 1 ) wood 0 0 0 1 1
      ( 64 384 0 ) ( 64 384 1 ) ( 64 385 0 ) wood 0 0 0 1 1
      ( 0 384 0 ) ( 0 384 1 ) ( 1 384 0 ) wood 0 0 0 1 1
      ( 0 400 0 ) ( 1 400 0 ) ( 0 400 1 ) wood 0 0 0 1 1
      ( 0 384 58 ) ( 1 384 58 ) ( 0 385 58 ) wood 0 0 0 1 1
      ( 0 384 80 ) ( 0 385 80 ) ( 1 384 80 ) wood 0 0 0 1 1 } }"#;

/// A character of the world.
pub struct AtRest {
    pub name: &'static str,
    pub key: CharacterKey,
}

pub struct World {
    pub scene: Scene,
    pub characters: Vec<AtRest>,
    /// Pose at which the walk begins: feet at its origin, ahead is its z axis.
    pub start: Isometry3<f32>,
}

/// Number of directions of which the walk of a file takes the one with the longest view.
const VIEWS: usize = 16;

impl World {
    /// Loads a level or a mesh as the whole world. Players' starts of a level are known; in a mesh
    /// the walk begins on what is below its middle.
    pub fn of_file(file: &str) -> Result<Self, String> {
        let told = |error: Error| format!("{file}: {error}");
        let options = MapOptions::quake().scale(1.0 / 32.0).up(UpAxis::Y);
        let (model, feet) = match any_file::ending(Path::new(file)).as_str() {
            "map" => {
                let level = load::map(file, &options).map_err(|error| error.to_string())?;
                let feet = level.spawns().find_map(|start| start.feet);
                let feet = feet.ok_or(format!("{file}: no place where players start"))?;
                (level.world.model(BodyId::STATIC, &Build::level()).map_err(told)?, feet.cast())
            }
            "obj" | "stl" => {
                let loader = Loader::new().build(Build::level()).solid(false);
                let model = any_file::load(Path::new(file), &loader)?.model;
                let trees = model.parts().iter().filter_map(|part| part.tree());
                let boxes = trees.map(|tree| tree.node(NodeId::ROOT).aligned());
                let around = Aabb::from_points(boxes.flat_map(|one| [one.min, one.max]));
                let middle = around.center().ok_or(format!("{file}: empty"))?;
                (model, Point3::new(middle.x, around.max.y, middle.z))
            }
            _ => return Err(any_file::unknown_ending(Path::new(file), &["map", "obj", "stl"])),
        };
        let (scene, characters, start) = (Scene::new(), Vec::new(), Isometry3::identity());
        let mut world = World { scene, characters, start };
        world.add("level", &model, Isometry3::identity()).map_err(told)?;
        world.start = world.best_start(feet).map_err(told)?;
        Ok(world)
    }

    /// Returns the pose on the ground below a point, in the direction with the longest view.
    fn best_start(&self, above: Point3<f32>) -> Result<Isometry3<f32>, Error> {
        let (mut buffers, mut hits) = (Buffers::new(), RayHits::new());
        let now = self.scene.snapshot(&mut buffers);
        let exact = QueryFilter::all().accuracy(Accuracy::Exact);
        let up = Vector3::y_axis();
        let down = Ray::new(above + up.into_inner() * 0.1, -up)?;
        let ground = now.ray_cast(down, &exact, &mut hits)?;
        let feet = ground.map_or(above, |hit| hit.point);
        let mut best = (0.0, Isometry3::translation(feet.x, feet.y, feet.z));
        for view in 0..VIEWS {
            let turn = Vector3::y() * (TAU * view as f32 / VIEWS as f32);
            let place = Isometry3::new(feet.coords, turn);
            let ray = Ray::new(feet + up.into_inner(), place.rotation * Vector3::z_axis())?;
            let far = now.ray_cast(ray, &exact, &mut hits)?;
            let far = far.map_or(f32::INFINITY, |hit| hit.distance);
            if far > best.0 {
                best = (far, place);
            }
        }
        Ok(best.1)
    }

    pub fn new() -> Result<Self, Error> {
        let (scene, characters, start) = (Scene::new(), Vec::new(), Isometry3::identity());
        let mut world = World { scene, characters, start };
        // The world is inserted first, so characters that are inserted and removed later do not
        // move it.
        world.add("hill", &hill()?, Isometry3::translation(-8.0, 0.0, 3.0))?;
        world.add("floor", &floor()?, Isometry3::identity())?;
        world.add("things", &things()?, Isometry3::identity())?;
        let options = MapOptions::quake().scale(1.0 / 32.0).up(UpAxis::Y);
        let groups = CollisionGroups { memberships: WORLD, ..CollisionGroups::ALL };
        let level = map_bytes(LEVEL.as_bytes(), &options.groups(groups))?;
        let level = level.world.model(BodyId::STATIC, &Build::default())?;
        // A quarter turn about y after the change of the up axis: the map's y becomes z.
        let quarter = Vector3::y() * -std::f32::consts::FRAC_PI_2;
        world.add("level", &level, Isometry3::new(Vector3::zeros(), quarter))?;
        Ok(world)
    }

    fn add(
        &mut self,
        name: &'static str,
        model: &Arc<Model>,
        at: Isometry3<f32>,
    ) -> Result<(), Error> {
        let key = self.scene.insert(model, Spawn::at(at).at_rest(true))?;
        let groups = CollisionGroups { memberships: WORLD, ..CollisionGroups::ALL };
        self.scene.set_all_groups(key, groups)?;
        self.characters.push(AtRest { name, key });
        Ok(())
    }

    /// Returns the character of all obstacles: the things, or the file.
    pub fn things(&self) -> &AtRest {
        self.characters.get(2).unwrap_or(&self.characters[0])
    }

    pub fn name(&self, key: CharacterKey) -> &'static str {
        self.characters.iter().find(|one| one.key == key).map_or("fighter", |one| one.name)
    }

    /// Prints the contents of the world.
    pub fn print(&self) {
        for one in &self.characters {
            let Ok(model) = self.scene.model(one.key) else { continue };
            let trees = || model.parts().iter().filter_map(|part| part.tree());
            let primitives: usize = trees().map(|tree| tree.geometry().len()).sum();
            let boxes: usize = trees().map(|tree| tree.len()).sum();
            let (name, parts) = (one.name, model.len());
            println!("{name:<6} {parts:2} parts, {primitives:4} primitives, {boxes:4} boxes");
        }
    }
}

/// Builds a round hill of triangles, solid down to a metre below the floor.
fn hill() -> Result<Arc<Model>, Error> {
    let height = |place: usize| {
        let [x, z] = [place % SIDE, place / SIDE].map(|i| i as f32 / (SIDE - 1) as f32 - 0.5);
        let near = (1.0 - 5.0 * (x * x + z * z)).max(0.0);
        0.5 * near * near - 0.1
    };
    let field = HeightField::new(SIDE, (0..SIDE * SIDE).map(height).collect())?;
    let solid = field.spacing(0.5 * SPACING, SPACING)?.up(UpAxis::Y).solid(-1.0)?;
    Model::builder().part("hill", None, Geometry::Solid(solid)).build(&Build::default())
}

/// Builds the half-space below y = 0, a kilometre wide in each direction.
fn floor() -> Result<Arc<Model>, Error> {
    let within = Aabb::new(Point3::from([-1000.0; 3]), Point3::from([1000.0; 3]));
    let floor = ConvexHull::half_space(&Plane::new(Vector3::y_axis(), 0.0)?, &within)?;
    let geometry = Geometry::Convex(vec![floor.into()]);
    Model::builder().part("floor", None, geometry).build(&Build::default())
}

/// Builds obstacles of several shapes, beside the path and on it.
fn things() -> Result<Arc<Model>, Error> {
    let at = |x: f32, y: f32, z: f32| Point3::new(x, y, z);
    let ball = Sphere::new(at(0.5, 0.9, 2.0), 0.3)?;
    let pipe = Capsule::new(Segment::new(at(-1.5, 1.9, 3.0), at(1.5, 1.9, 3.2))?, 0.15)?;
    let drum = Cylinder::new(at(-0.6, 0.4, 4.2), Vector3::y_axis(), 0.4, 0.35)?;
    let crate_ = Obb::new(at(0.7, 0.3, 9.0), Matrix3::identity(), Vector3::repeat(0.3))?;
    Model::builder()
        .part("ball", None, Geometry::Convex(vec![ball.into()]))
        .part("pipe", None, Geometry::Convex(vec![pipe.into()]))
        .part("drum", None, Geometry::Convex(vec![drum.into()]))
        .part("crate", None, Geometry::Boxes(vec![crate_]))
        .build(&Build::default())
}
