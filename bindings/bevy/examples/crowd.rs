//! Frame times of the plugin: 200 characters of 22 joints that all move every frame, the same with
//! an observer and the touched characters of each, and an app without characters. Medians of many
//! frames; `cargo run --release --example crowd`.

use std::time::{Duration, Instant};

use bevy_app::{App, PostUpdate};
use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
use bevy_boxwood::boxwood::{Build, Error, Geometry, Model, Obb};
use bevy_boxwood::{
    Boxwood, BoxwoodPlugin, BoxwoodSystems, Character, CollidingEntities, TouchBegin,
};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use bevy_transform::{TransformPlugin, TransformSystems};

const CHARACTERS: usize = 200;
const JOINTS: usize = 22;
const FRAMES: usize = 300;

/// Begin and end of the plugin's steps.
#[derive(Resource)]
struct Clock {
    begun: Instant,
    bound: Duration,
    followed: Duration,
    all: Duration,
}

/// Number of events that observers got.
#[derive(Resource, Default)]
struct Events(usize);

fn main() -> Result<(), Error> {
    let empty = measure(&mut app());
    println!("no characters: {:.2} us", empty[3]);
    run(false)?;
    run(true)
}

/// Runs the crowd, and prints the times of a frame [us].
fn run(is_observed: bool) -> Result<(), Error> {
    let mut app = app();
    let joints = crowd(&mut app)?;
    if is_observed {
        observe(&mut app);
    }
    let mut rows = Vec::new();
    let mut hits = 0;
    for frame in 0..FRAMES {
        pose(&mut app, &joints, frame);
        app.update();
        hits += app.world().resource::<Boxwood>().hits().len();
        rows.push(times(&app));
    }
    let [bind, follow, ask, all] = medians(&rows);
    println!("{CHARACTERS} characters of {JOINTS} joints, {} hits a frame", hits / FRAMES);
    println!("bind {bind:.1} us, follow {follow:.1} us, ask {ask:.1} us, all {all:.1} us");
    assert!(hits > CHARACTERS * FRAMES, "they hardly touch");
    if let Some(events) = app.world().get_resource::<Events>() {
        println!("with observers: {} events a frame", events.0 / FRAMES);
        assert!(events.0 > FRAMES, "hardly anything begins");
    }
    Ok(())
}

/// Adds an observer and the component of touched characters to each.
fn observe(app: &mut App) {
    app.init_resource::<Events>();
    let world = app.world_mut();
    let characters: Vec<Entity> =
        world.query_filtered::<Entity, With<Character>>().iter(world).collect();
    for character in characters {
        let count = |_: On<TouchBegin>, mut events: ResMut<Events>| events.0 += 1;
        world.entity_mut(character).insert(CollidingEntities::default()).observe(count);
    }
}

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, BoxwoodPlugin::default()));
    let none = Duration::ZERO;
    app.insert_resource(Clock { begun: Instant::now(), bound: none, followed: none, all: none });
    let begin = |mut clock: ResMut<Clock>| clock.begun = Instant::now();
    let bound = |mut clock: ResMut<Clock>| clock.bound = clock.begun.elapsed();
    let followed = |mut clock: ResMut<Clock>| clock.followed = clock.begun.elapsed();
    let end = |mut clock: ResMut<Clock>| clock.all = clock.begun.elapsed();
    use BoxwoodSystems::{Ask, Bind, Follow};
    app.add_systems(
        PostUpdate,
        (
            begin.after(TransformSystems::Propagate).before(Bind),
            bound.after(Bind).before(Follow),
            followed.after(Follow).before(Ask),
            end.after(Ask),
        ),
    );
    app
}

fn measure(app: &mut App) -> [f64; 4] {
    let rows: Vec<_> = (0..FRAMES)
        .map(|_| {
            app.update();
            times(app)
        })
        .collect();
    medians(&rows)
}

/// Times of binding, following, querying, and all [us].
fn times(app: &App) -> [f64; 4] {
    let Clock { bound, followed, all, .. } = *app.world().resource::<Clock>();
    [bound, followed - bound, all - followed, all].map(|time| time.as_secs_f64() * 1e6)
}

fn medians(rows: &[[f64; 4]]) -> [f64; 4] {
    std::array::from_fn(|column| {
        let mut values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    })
}

/// Spawns a square of characters, each a chain of boxes, near enough to touch; returns all joints.
fn crowd(app: &mut App) -> Result<Vec<Entity>, Error> {
    let bone = Obb::from_pose(&Isometry3::identity(), Vector3::new(0.06, 0.04, 0.06))?;
    let names: Vec<String> = (0..JOINTS).map(|joint| format!("joint {joint}")).collect();
    let mut model = Model::builder();
    for (joint, name) in names.iter().enumerate() {
        let parent = joint.checked_sub(1).map(|parent| names[parent].as_str());
        model = model.part(name.as_str(), parent, Geometry::Boxes(vec![bone]));
    }
    let character = Character::new(model.build(&Build::default())?);
    let (mut joints, world) = (Vec::new(), app.world_mut());
    for index in 0..CHARACTERS {
        let (row, column) = (index / 15, index % 15);
        let at = Vec3::new(0.5 * column as f32, 0.0, 0.5 * row as f32);
        let mut above = world.spawn((character.clone(), Transform::from_translation(at))).id();
        for name in &names {
            let bundle = (Name::new(name.clone()), Transform::IDENTITY, ChildOf(above));
            above = world.spawn(bundle).id();
            joints.push(above);
        }
    }
    Ok(joints)
}

/// Rotates every joint, each at its own rate.
fn pose(app: &mut App, joints: &[Entity], frame: usize) {
    for (index, &joint) in joints.iter().enumerate() {
        let angle = 0.12 * ((frame + 7 * index) as f32 * 0.05).sin();
        let up = Vec3::Y * if index % JOINTS == 0 { 0.0 } else { 0.08 };
        let turned = Transform::from_translation(up).with_rotation(Quat::from_rotation_z(angle));
        if let Some(mut transform) = app.world_mut().get_mut::<Transform>(joint) {
            *transform = turned;
        }
    }
}
