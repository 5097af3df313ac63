//! A robot arm of a URDF file in an app without a window: it lowers its gripper until a link
//! touches the table, an observer of the table stops it. `cargo run --example robot`.
//!
//! The mechanism of the library computes the poses of links from the values of actuators. Each link
//! is an entity, as a scene of a robot has them, and the plugin finds it by its name.

use bevy_app::{App, Update};
use bevy_boxwood::boxwood::motion::Mechanism;
use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
use bevy_boxwood::boxwood::{
    Accuracy, Build, Error, Geometry, Model, Obb, Pose, SelfQueryScratch, load,
};
use bevy_boxwood::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

use std::sync::Arc;

/// The robot: base, two arms, two fingers.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/examples/arm.urdf");

/// Change of the shoulder each frame [rad].
const SPEED: f32 = 0.01;

const FRAMES: usize = 300;

/// State of the arm.
#[derive(Component)]
struct Arm {
    mechanism: Arc<Mechanism>,
    /// Values of the actuators [rad, m].
    values: Vec<f32>,
    poses: Vec<Pose>,
    /// Entities of the links.
    links: Vec<Entity>,
    /// Name of the link that touches the table.
    stopped_by: Option<String>,
}

fn main() -> Result<(), Error> {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, BoxwoodPlugin::default()));
    app.world_mut().resource_mut::<TouchSettings>().accuracy = Accuracy::Exact;
    let robot = spawn_arm(&mut app)?;
    spawn_table(&mut app)?;
    app.add_systems(Update, lower);
    for frame in 0..FRAMES {
        app.update();
        let arm = app.world().get::<Arm>(robot);
        let Some((arm, link)) = arm.and_then(|arm| Some((arm, arm.stopped_by.as_deref()?))) else {
            continue;
        };
        println!(
            "frame {frame}: link '{link}' touches the table, shoulder at {:.2}",
            arm.values[0]
        );
        // The robot against itself, at the same pose: a query of its model, without a scene.
        let character = app.world().get::<Character>(robot).expect("the robot");
        let (model, mut scratch) = (character.model(), SelfQueryScratch::default());
        let touches_itself = model.self_intersects(&arm.poses, Accuracy::Exact, &mut scratch)?;
        assert!(!touches_itself, "the arm is free of itself");
        return Ok(());
    }
    panic!("nothing was touched in {FRAMES} frames");
}

/// Lowers the arm by its shoulder while nothing touches the table.
fn lower(mut arms: Query<&mut Arm>, mut transforms: Query<&mut Transform>) -> Result {
    for mut arm in &mut arms {
        let arm = &mut *arm;
        if arm.stopped_by.is_none() {
            arm.values[0] += SPEED;
        }
        arm.mechanism.poses(&arm.values, &mut arm.poses)?;
        for (pose, &link) in arm.poses.iter().zip(&arm.links) {
            *transforms.get_mut(link)? = transform(pose);
        }
    }
    Ok(())
}

fn transform(pose: &Pose) -> Transform {
    Transform::from_translation(Vec3::from_array(pose.translation.vector.into()))
        .with_rotation(Quat::from_array(pose.rotation.coords.into()))
}

/// Spawns the robot, with an entity for each link.
fn spawn_arm(app: &mut App) -> Result<Entity, Error> {
    let robot = load::urdf(FILE)?;
    let mechanism = Arc::clone(&robot.mechanism);
    let values = mechanism.rest().iter().map(|&value| value as f32).collect();
    let world = app.world_mut();
    let root = world.spawn((Character::new(robot.model), Transform::IDENTITY)).id();
    // Poses of links are relative to the robot, so that all are its children.
    let names = mechanism.links().iter().map(|link| Name::new(link.name.clone()));
    let links = names.map(|name| world.spawn((name, Transform::IDENTITY, ChildOf(root))).id());
    let links = links.collect();
    let arm = Arm { mechanism, values, poses: Vec::new(), links, stopped_by: None };
    world.entity_mut(root).insert(arm);
    Ok(root)
}

/// Spawns a table beside the robot, which observes the first touch.
fn spawn_table(app: &mut App) -> Result<(), Error> {
    let top = Obb::from_pose(&Isometry3::identity(), Vector3::new(0.5, 0.5, 0.05))?;
    let table = Model::builder().part("table", None, Geometry::Boxes(vec![top]));
    let table = Character::fixed(table.build(&Build::default())?);
    let mut entity = app.world_mut().spawn((table, Transform::from_xyz(1.2, 0.0, 0.3)));
    entity.observe(|touch: On<TouchBegin>, boxwood: Res<Boxwood>, mut arms: Query<&mut Arm>| {
        if let Ok(mut arm) = arms.get_mut(touch.other.character) {
            arm.stopped_by.get_or_insert_with(|| boxwood.part_name(touch.other).to_owned());
        }
    });
    Ok(())
}
