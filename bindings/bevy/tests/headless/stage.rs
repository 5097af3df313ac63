//! Test apps with puppets: an entity for every joint, as Bevy's scenes spawn them.

use std::sync::{Arc, OnceLock};

use bevy_app::App;
use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
use bevy_boxwood::boxwood::{Build, Geometry, Loaded, Model, Obb, Pose, load};
use bevy_boxwood::{
    Boxwood, BoxwoodPlugin, Character, CharacterProblem, Problem, TouchEnded, Touched,
};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

pub fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, BoxwoodPlugin::default()));
    app
}

/// Returns the fighter of the examples.
pub fn fighter() -> &'static Loaded {
    static FIGHTER: OnceLock<Loaded> = OnceLock::new();
    FIGHTER.get_or_init(|| {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../examples/fighter/fighter.glb");
        load::gltf(file).expect("the fighter")
    })
}

/// Builds a model of one unit cube.
pub fn cube() -> Arc<Model> {
    model(&["cube"])
}

/// Builds a model of unit cubes without parents, all about the origin.
pub fn model(names: &[&str]) -> Arc<Model> {
    let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5)).expect("a cube");
    let parts = names
        .iter()
        .fold(Model::builder(), |parts, &name| parts.part(name, None, Geometry::Boxes(vec![cube])));
    parts.build(&Build::default()).expect("a model")
}

/// Spawns a cube that moves with its entity.
pub fn spawn_cube(app: &mut App, x: f32) -> Entity {
    app.world_mut().spawn((Character::rigid(cube()), Transform::from_xyz(x, 0.0, 0.0))).id()
}

pub fn transform(pose: &Pose) -> Transform {
    Transform {
        translation: Vec3::from_array(pose.translation.vector.into()),
        rotation: Quat::from_array(pose.rotation.coords.into()),
        scale: Vec3::ONE,
    }
}

/// The root of a character and the entities of its joints.
pub struct Puppet {
    pub root: Entity,
    pub joints: Vec<Entity>,
}

impl Puppet {
    /// Spawns the joints of the fighter below a new root, without a character.
    pub fn spawn(app: &mut App, at: &Pose) -> Puppet {
        let world = app.world_mut();
        let root = world.spawn(transform(at)).id();
        let mut joints: Vec<Entity> = Vec::new();
        for joint in fighter().skeleton.joints() {
            let above = joint.parent.map_or(root, |parent| joints[parent]);
            let name = Name::new(joint.name.clone());
            joints.push(world.spawn((name, Transform::IDENTITY, ChildOf(above))).id());
        }
        let mut puppet = Puppet { root, joints };
        puppet.pose(app, &fighter().skeleton.rest_poses());
        puppet
    }

    /// Sets the transforms of the joints, relative to their parents.
    pub fn pose(&mut self, app: &mut App, poses: &[Pose]) {
        for (index, joint) in fighter().skeleton.joints().iter().enumerate() {
            let local = match joint.parent {
                Some(parent) => poses[parent].inverse() * poses[index],
                None => poses[index],
            };
            app.world_mut().entity_mut(self.joints[index]).insert(transform(&local));
        }
    }
}

/// Spawns a fighter at a pose.
pub fn spawn_fighter(app: &mut App, at: &Pose) -> Puppet {
    let puppet = Puppet::spawn(app, at);
    app.world_mut().entity_mut(puppet.root).insert(Character::from_loaded(fighter()));
    puppet
}

/// Poses of the two in the example `duel` when one kicks the other.
pub fn places() -> [Pose; 2] {
    let turned = Vector3::y() * std::f32::consts::PI;
    [Isometry3::identity(), Isometry3::new(Vector3::new(0.0, 0.0, 1.12), turned)]
}

pub fn boxwood(app: &App) -> &Boxwood {
    app.world().resource::<Boxwood>()
}

/// Returns the messages of this frame.
pub fn touched(app: &mut App) -> Vec<Touched> {
    app.world_mut().resource_mut::<Messages<Touched>>().drain().collect()
}

pub fn ended(app: &mut App) -> Vec<TouchEnded> {
    app.world_mut().resource_mut::<Messages<TouchEnded>>().drain().collect()
}

pub fn problems(app: &mut App) -> Vec<(Option<Entity>, Problem)> {
    let mut messages = app.world_mut().resource_mut::<Messages<CharacterProblem>>();
    messages.drain().map(|one| (one.character, one.problem)).collect()
}

/// Runs a frame and returns its touches.
pub fn step(app: &mut App) -> Vec<Touched> {
    app.update();
    touched(app)
}
