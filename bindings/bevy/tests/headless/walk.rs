//! Tests of levels and their walkers.

use bevy_app::App;
use bevy_boxwood::Level;
use bevy_boxwood::boxwood::brush::{BodyId, Brush, BrushWorld, WalkScratch, Walker, WalkerCrowd};
use bevy_boxwood::boxwood::nalgebra::{Isometry3, Point3, Vector3};
use bevy_boxwood::boxwood::{Aabb, CollisionGroups, Error, UpAxis, UprightCylinder};
use bevy_boxwood::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;

use crate::stage::{app, cube, problems, step};

/// Displacement of a tick: ahead, and down.
const WAY: Vec3 = Vec3::new(0.05, -0.1, 0.0);

fn brush(min: [f32; 3], max: [f32; 3]) -> Brush {
    Brush::from_aabb(&Aabb::new(min.into(), max.into())).expect("a brush")
}

/// A floor with its top at y = 0, a wall at x = 5, a step of 0.3 at z < -3, and a lift, whose body
/// is the second.
pub fn level() -> BrushWorld {
    let mut level = BrushWorld::builder();
    level.up(UpAxis::Y);
    level.push(brush([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), CollisionGroups::ALL);
    level.push(brush([5.0, 0.0, -9.0], [6.0, 3.0, 9.0]), CollisionGroups::ALL);
    level.push(brush([-9.0, 0.0, -9.0], [9.0, 0.3, -3.0]), CollisionGroups::ALL);
    let lift = level.body();
    level.push_to(lift, brush([-8.0, 0.0, 4.0], [-6.0, 0.2, 6.0]), CollisionGroups::ALL);
    level.build().expect("a level")
}

fn lift() -> BodyId {
    let level = level();
    let moving = |&id: &_| level.body(id) != Some(BodyId::STATIC);
    level.ids().find(moving).and_then(|id| level.body(id)).expect("a body")
}

fn walker() -> Walker<f32> {
    Walker::new(UprightCylinder::new(0.4, 0.9).expect("a cylinder")).step(0.45)
}

pub fn spawn_level(app: &mut App) -> Entity {
    app.world_mut().spawn(Level::new(level())).id()
}

pub fn spawn_walker(app: &mut App, level: Entity, order: u64, at: [f32; 3]) -> Entity {
    let mut one = LevelWalker::new(level, walker(), order);
    one.displacement = WAY;
    app.world_mut().spawn((one, Transform::from_translation(at.into()))).id()
}

fn at(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<Transform>(entity).expect("a transform").translation
}

fn walker_of(app: &App, entity: Entity) -> &LevelWalker {
    app.world().get::<LevelWalker>(entity).expect("a walker")
}

fn turn(app: &mut App, entity: Entity, way: Vec3) {
    app.world_mut().get_mut::<LevelWalker>(entity).expect("a walker").displacement = way;
}

/// Runs frames and returns their problems; messages live two frames.
fn run(app: &mut App, frames: usize) -> Vec<(Option<Entity>, Problem)> {
    let mut told = Vec::new();
    for _ in 0..frames {
        app.update();
        told.extend(problems(app));
    }
    told
}

#[test]
fn a_walker_walks_on_the_floor_up_to_the_wall() {
    let mut app = app();
    let level = spawn_level(&mut app);
    let one = spawn_walker(&mut app, level, 0, [0.0, 0.0, 0.0]);
    let facing = Quat::from_rotation_y(1.0);
    app.world_mut().get_mut::<Transform>(one).expect("a transform").rotation = facing;
    for tick in 1..=40 {
        app.update();
        let feet = at(&app, one);
        assert!((feet - Vec3::X * 0.05 * tick as f32).length() < 1e-3, "{feet}");
    }
    assert_eq!(walker_of(&app, one).ground().map(|id| id.0), Some(0));
    for _ in 0..100 {
        app.update();
    }
    let feet = at(&app, one);
    assert!(feet.x < 4.6 && feet.x > 4.59 && feet.y.abs() < 1e-3, "{feet}");
    let rotation = app.world().get::<Transform>(one).expect("a transform").rotation;
    assert_eq!(rotation, facing, "the game turns it");
    // Pressed against the wall, it stays to the bit, and its transform is not changed.
    app.update();
    assert_eq!(at(&app, one), feet);
    assert_eq!(problems(&mut app), []);
}

#[test]
fn the_character_of_a_walker_is_where_it_walked_to_in_the_same_frame() {
    let mut app = app();
    let level = spawn_level(&mut app);
    let one = spawn_walker(&mut app, level, 0, [0.0, 0.0, 0.0]);
    app.world_mut().entity_mut(one).insert(Character::rigid(cube()));
    // A cube that it reaches after ten ticks.
    let cube = Character::rigid(cube());
    app.world_mut().spawn((cube, Transform::from_xyz(1.0 + 0.05 * 9.5, 0.0, 0.0)));
    let found: Vec<usize> = (0..12).map(|_| step(&mut app).len()).collect();
    assert_eq!(found, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
}

#[test]
fn walkers_in_the_app_are_those_of_the_library() {
    let mut app = app();
    let entity = spawn_level(&mut app);
    let starts: Vec<[f32; 3]> =
        (0..12).map(|i| [0.9 * (i % 4) as f32, 0.0, 0.9 * (i / 4) as f32 - 4.0]).collect();
    let (mut world, mut crowd, mut scratch) = (level(), WalkerCrowd::new(), WalkScratch::new());
    let mut all = Vec::new();
    // Spawned in another order than that of the walkers.
    for (order, &start) in starts.iter().enumerate().rev() {
        all.push(spawn_walker(&mut app, entity, order as u64, start));
        let state = walker().stand_at_feet(&world, Point3::from(start), &mut scratch);
        crowd.insert(order as u64, walker(), state.expect("room")).expect("an order");
    }
    let way = |order: u64, tick: usize| {
        let back = if (order as usize + tick / 40).is_multiple_of(2) { 1.0 } else { -1.0 };
        Vec3::new(0.05 * back, -0.1, 0.03 * (order as f32 - 6.0) / 6.0)
    };
    for tick in 0..150 {
        let offset = Vec3::new(0.0, 0.002 * tick as f32, -0.05 * tick as f32);
        let mut of_app = app.world_mut().get_mut::<Level>(entity).expect("a level");
        of_app.set_body_offset(lift(), offset).expect("a pose");
        let pose = Isometry3::translation(offset.x, offset.y, offset.z);
        let before = world.set_pose(lift(), pose).expect("a pose");
        crowd.push(&world, lift(), &before).expect("a push");
        for &one in &all {
            let order = walker_of(&app, one).order;
            turn(&mut app, one, way(order, tick));
        }
        app.update();
        crowd.walk(&world, |one| Vector3::from(way(one.order, tick).to_array())).expect("a walk");
        for &one in &all {
            let one = walker_of(&app, one);
            let (known, state) = (crowd.get(one.order), one.state());
            assert_eq!(state.map(|state| state.state), known.map(|known| known.state), "{tick}");
            assert_eq!(state.map(|state| state.report), known.map(|known| known.report));
        }
    }
    let climbed = all.iter().filter(|&&one| at(&app, one).y > 0.25).count();
    assert!(climbed > 0, "somebody is on the step");
    assert_eq!(problems(&mut app), []);
}

#[test]
fn a_walker_is_put_where_the_game_puts_it() {
    let mut app = app();
    let level = spawn_level(&mut app);
    let one = spawn_walker(&mut app, level, 7, [0.0, 0.0, 0.0]);
    app.update();
    assert_eq!(app.world().get::<Level>(level).expect("a level").walker(7), Some(one));
    app.world_mut().get_mut::<Transform>(one).expect("it").translation = Vec3::new(-3.0, 0.0, 2.0);
    app.update();
    assert!((at(&app, one) - Vec3::new(-2.95, 0.0, 2.0)).length() < 1e-3);
    // Into the wall, where there is no room: it does not walk, and is told of once.
    app.world_mut().get_mut::<Transform>(one).expect("it").translation = Vec3::new(5.5, 0.0, 0.0);
    let told = run(&mut app, 5);
    assert!(matches!(told[..], [(Some(of), Problem::Refused(Error::NoRoom { .. }))] if of == one));
    assert_eq!((at(&app, one).x, walker_of(&app, one).state().is_some()), (5.5, false));
    app.world_mut().get_mut::<Transform>(one).expect("it").translation = Vec3::ZERO;
    app.update();
    assert!(walker_of(&app, one).state().is_some() && (at(&app, one).x - 0.05).abs() < 1e-3);
    // Despawned, it is in nobody's way.
    app.world_mut().entity_mut(one).despawn();
    app.update();
    let level = app.world().get::<Level>(level).expect("a level");
    assert!(level.crowd().is_empty() && level.walker(7).is_none());
    assert_eq!(problems(&mut app), []);
}

#[test]
fn a_size_without_room_is_not_taken() {
    let mut app = app();
    let mut low = BrushWorld::builder();
    low.up(UpAxis::Y);
    low.push(brush([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), CollisionGroups::ALL);
    low.push(brush([1.0, 1.2, -9.0], [3.0, 4.0, 9.0]), CollisionGroups::ALL);
    let low = Level::new(low.build().expect("a level"));
    let level = app.world_mut().spawn(low).id();
    let one = spawn_walker(&mut app, level, 0, [0.0, 0.0, 0.0]);
    let crouched = Walker::new(UprightCylinder::new(0.4, 0.5).expect("a cylinder"));
    app.world_mut().get_mut::<LevelWalker>(one).expect("a walker").walker = crouched;
    for _ in 0..40 {
        app.update();
    }
    assert!((at(&app, one).x - 2.0).abs() < 1e-3, "under the ceiling");
    app.world_mut().get_mut::<LevelWalker>(one).expect("a walker").walker = walker();
    let told = run(&mut app, 10);
    assert!(matches!(told[..], [(Some(_), Problem::Refused(Error::NoRoom { .. }))]), "{told:?}");
    let size = |app: &App| walker_of(app, one).state().expect("it").walker.cylinder().half_height();
    assert_eq!(size(&app), 0.5);
    assert!((at(&app, one).x - 2.5).abs() < 1e-3, "it walks on, crouched");
    for _ in 0..40 {
        app.update();
    }
    assert_eq!(size(&app), 0.9, "it rises where there is room");
    assert!(at(&app, one).y.abs() < 1e-3);
}

#[test]
fn orders_levels_and_displacements_that_are_wrong_are_told_once() {
    let mut app = app();
    let level = spawn_level(&mut app);
    let one = spawn_walker(&mut app, level, 3, [0.0, 0.0, 0.0]);
    app.update();
    let twin = spawn_walker(&mut app, level, 3, [-4.0, 0.0, 0.0]);
    let lost = spawn_walker(&mut app, one, 4, [-4.0, 0.0, 2.0]);
    let broken = spawn_walker(&mut app, level, 5, [0.0, 0.0, 2.0]);
    turn(&mut app, broken, Vec3::NAN);
    let mut told = run(&mut app, 3);
    told.sort_by_key(|(of, _)| *of);
    let not_finite = Error::NotFinite { field: "displacement", index: 0 };
    let mut expected = vec![
        (Some(twin), Problem::Refused(Error::DuplicateOrder { order: 3 })),
        (Some(lost), Problem::NoLevel(one)),
        (Some(broken), Problem::Refused(not_finite)),
    ];
    expected.sort_by_key(|(of, _)| *of);
    assert_eq!(told, expected);
    assert!((at(&app, one).x - 0.2).abs() < 1e-3, "the others walk");
    assert_eq!((at(&app, twin).x, at(&app, lost).x), (-4.0, -4.0));
    assert!(at(&app, broken).x.abs() < 1e-3);
    // Each is mended.
    app.world_mut().get_mut::<LevelWalker>(twin).expect("it").order = 9;
    app.world_mut().get_mut::<LevelWalker>(lost).expect("it").level = level;
    turn(&mut app, broken, WAY);
    app.update();
    for (one, x) in [(twin, -3.95), (lost, -3.95), (broken, 0.05)] {
        assert!((at(&app, one).x - x).abs() < 1e-3, "{}", at(&app, one));
    }
    assert_eq!(problems(&mut app), []);
}

#[test]
fn walkers_ride_on_bodies_and_are_pushed() {
    let mut app = app();
    let level = spawn_level(&mut app);
    let rider = spawn_walker(&mut app, level, 0, [-7.0, 0.2, 5.0]);
    let ahead = spawn_walker(&mut app, level, 1, [-5.3, 0.0, 5.0]);
    for one in [rider, ahead] {
        turn(&mut app, one, Vec3::NEG_Y * 0.1);
    }
    app.update();
    for tick in 1..=20 {
        let mut of_app = app.world_mut().get_mut::<Level>(level).expect("a level");
        let offset = Vec3::new(0.05 * tick as f32, 0.0, 0.0);
        of_app.set_body_offset(lift(), offset).expect("a pose");
        app.update();
    }
    assert!((at(&app, rider) - Vec3::new(-6.0, 0.2, 5.0)).length() < 1e-3, "{}", at(&app, rider));
    // The front of the lift is at -5 now.
    assert!(at(&app, ahead).x >= -4.6 && at(&app, ahead).x < -4.59, "{}", at(&app, ahead));
    let mut of_app = app.world_mut().get_mut::<Level>(level).expect("a level");
    assert!(of_app.set_body_offset(BodyId::STATIC, Vec3::X).is_err());
    assert!(of_app.set_body_offset(lift(), Vec3::NAN).is_err());
    let pose = of_app.world().pose::<f32>(lift()).expect("a pose");
    assert!((pose.translation.vector.x - 1.0).abs() < 1e-6, "an error moves nothing");
}

#[test]
fn clones_of_the_components_are_a_saved_state() {
    let mut app = app();
    let level = spawn_level(&mut app);
    let all: Vec<Entity> =
        (0..6).map(|i| spawn_walker(&mut app, level, i, [0.5 * i as f32, 0.0, -2.9])).collect();
    let ticks = |app: &mut App| {
        for tick in 0..40 {
            let mut of_app = app.world_mut().get_mut::<Level>(level).expect("a level");
            let offset = Vec3::new(0.0, 0.01 * tick as f32, 0.0);
            of_app.set_body_offset(lift(), offset).expect("a pose");
            for (index, &one) in all.iter().enumerate() {
                let side = if index % 2 == 0 { 1.0 } else { -1.0 };
                turn(app, one, Vec3::new(0.04 * side, -0.1, -0.02));
            }
            app.update();
        }
        all.iter().map(|&one| at(app, one).to_array().map(f32::to_bits)).collect::<Vec<_>>()
    };
    ticks(&mut app);
    let saved_level = app.world().get::<Level>(level).expect("a level").clone();
    let saved: Vec<_> = all
        .iter()
        .map(|&one| (walker_of(&app, one).clone(), Transform::from_translation(at(&app, one))))
        .collect();
    let then = ticks(&mut app);
    app.world_mut().entity_mut(level).insert(saved_level);
    for (&one, saved) in all.iter().zip(saved) {
        app.world_mut().entity_mut(one).insert(saved);
    }
    assert_eq!(ticks(&mut app), then);
    assert_eq!(problems(&mut app), []);
}
