//! Tests of the plugin in other schedules: fixed steps, and steps that are run again.

use bevy_app::{App, FixedPostUpdate};
use bevy_boxwood::SavedTouches;
use bevy_boxwood::boxwood::ContactChange;
use bevy_boxwood::prelude::*;
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

use crate::stage::{boxwood, cube, ended, problems, spawn_cube, touched};

/// The schedule of a rollback library.
#[derive(ScheduleLabel, Debug, Clone, PartialEq, Eq, Hash)]
struct Tick;

fn app_in(schedule: impl ScheduleLabel) -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, BoxwoodPlugin::in_schedule(schedule)));
    app
}

fn move_to(app: &mut App, entity: Entity, x: f32) {
    app.world_mut().entity_mut(entity).insert(Transform::from_xyz(x, 0.0, 0.0));
}

#[test]
fn a_fixed_step_sees_the_transforms_of_that_step() {
    let mut app = app_in(FixedPostUpdate);
    let (_, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 3.0));
    // A frame without a fixed step.
    app.update();
    assert!(boxwood(&app).scene().is_empty());
    let mut step = |x| {
        move_to(&mut app, b, x);
        app.world_mut().run_schedule(FixedPostUpdate);
        touched(&mut app).len()
    };
    // Several steps without a frame between them.
    assert_eq!([3.0, 0.9, 0.8, 3.0].map(&mut step), [0, 1, 1, 0]);
    assert_eq!(ended(&mut app).len(), 1);
    assert_eq!(problems(&mut app), []);
}

#[test]
fn joints_below_others_move_in_a_fixed_step() {
    let mut app = app_in(FixedPostUpdate);
    let world = app.world_mut();
    let root = world.spawn((Character::new(cube()), Transform::IDENTITY)).id();
    let middle = world.spawn((Transform::IDENTITY, ChildOf(root))).id();
    world.spawn((Name::new("cube"), Transform::IDENTITY, ChildOf(middle)));
    spawn_cube(&mut app, 3.0);
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(touched(&mut app), []);
    move_to(&mut app, middle, 2.1);
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(touched(&mut app).len(), 1);
}

#[test]
fn a_character_that_went_many_frames_ago_is_missed() {
    // Bevy's list of removed components has forgotten it.
    let mut app = app_in(FixedPostUpdate);
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!(touched(&mut app).len(), 1);
    app.world_mut().entity_mut(b).despawn();
    for _ in 0..5 {
        app.update();
    }
    app.world_mut().run_schedule(FixedPostUpdate);
    assert_eq!((boxwood(&app).scene().len(), boxwood(&app).key(b)), (1, None));
    assert_eq!(ended(&mut app).iter().map(|end| (end.a, end.b)).collect::<Vec<_>>(), [(a, b)]);
    app.world_mut().entity_mut(a).remove::<Character>();
    for _ in 0..5 {
        app.update();
    }
    app.world_mut().run_schedule(FixedPostUpdate);
    assert!(boxwood(&app).scene().is_empty());
}

/// Messages of a tick: phases and ends of touches, and contacts on the way with their ids.
type Said = (Vec<TouchPhase>, usize, Vec<(ContactChange, u64, u64)>);

/// Runs ticks; returns their messages, and the touches saved after each.
fn run(app: &mut App, moving: Entity, way: &[f32]) -> (Vec<Said>, Vec<SavedTouches>) {
    let mut said = (Vec::new(), Vec::new());
    for &x in way {
        move_to(app, moving, x);
        app.world_mut().run_schedule(Tick);
        let phases = touched(app).iter().map(|hit| hit.phase).collect();
        let mut swept = app.world_mut().resource_mut::<Messages<SweptContact>>();
        let swept = swept.drain();
        let swept = swept.map(|contact| (contact.change, contact.id, contact.since)).collect();
        said.0.push((phases, ended(app).len(), swept));
        said.1.push(boxwood(app).save_touches());
    }
    said
}

#[test]
fn a_tick_that_is_run_again_says_the_same() {
    let mut app = app_in(Tick);
    app.world_mut().resource_mut::<SweepSettings>().pairs = TouchPairs::All;
    spawn_cube(&mut app, 0.0);
    let moving = spawn_cube(&mut app, 3.0);
    // Touches begin, stay, end, and are passed through within a tick.
    let way = [3.0, 0.9, 0.8, 3.0, -3.0, -0.9, -3.0, 0.5];
    let (said, saved) = run(&mut app, moving, &way);
    let kinds = |change| said.iter().flat_map(|one| &one.2).filter(|one| one.0 == change).count();
    let (begun, over) = (kinds(ContactChange::Begin), kinds(ContactChange::End));
    assert!(begun >= 3 && over >= 2 && kinds(ContactChange::Persist) >= 1, "{said:?}");
    assert!(said.iter().any(|one| one.1 == 1) && said[2].0 == [TouchPhase::Stay]);
    for tick in 0..way.len() - 1 {
        move_to(&mut app, moving, way[tick]);
        app.world_mut().resource_mut::<Boxwood>().restore_touches(&saved[tick]);
        let (again, _) = run(&mut app, moving, &way[tick + 1..]);
        assert_eq!(again, said[tick + 1..], "from tick {tick}");
    }
    // Without the saved touches it is another story.
    let (other, _) = run(&mut app, moving, &way[2..]);
    assert_ne!(other, said[2..]);
}
