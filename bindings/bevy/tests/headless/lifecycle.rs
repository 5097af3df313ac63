//! Tests of insertion and removal of characters; touches begin, stay and end.

use bevy_app::{App, PostUpdate, Update};
use bevy_boxwood::boxwood::{Error, QueryFilter};
use bevy_boxwood::{Boxwood, BoxwoodSystems, Character, Problem, TouchEnded, TouchPhase, Touched};
use bevy_ecs::prelude::*;
use bevy_transform::components::Transform;

use crate::stage::{
    app, boxwood, cube, ended, model, problems, spawn_cube, spawn_fighter, step, touched,
};
use bevy_boxwood::boxwood::Pose;

fn phases(touched: &[Touched]) -> Vec<TouchPhase> {
    touched.iter().map(|hit| hit.phase).collect()
}

fn move_to(app: &mut App, entity: Entity, x: f32) {
    app.world_mut().entity_mut(entity).insert(Transform::from_xyz(x, 0.0, 0.0));
}

#[test]
fn a_touch_begins_stays_and_ends() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 3.0));
    assert_eq!((step(&mut app).len(), ended(&mut app).len()), (0, 0));
    for round in 0..3 {
        move_to(&mut app, b, 0.9);
        let found = step(&mut app);
        assert_eq!(phases(&found), [TouchPhase::Begin], "round {round}");
        assert_eq!((found[0].a, found[0].b), (a, b));
        for _ in 0..2 {
            assert_eq!(phases(&step(&mut app)), [TouchPhase::Stay]);
            assert_eq!(ended(&mut app), []);
        }
        move_to(&mut app, b, 3.0);
        assert_eq!(step(&mut app), []);
        let parts = found[0].parts;
        assert_eq!(ended(&mut app), [TouchEnded { a, b, parts }]);
        assert_eq!((step(&mut app).len(), ended(&mut app).len()), (0, 0));
    }
}

#[test]
fn each_pair_of_parts_has_phases_of_its_own() {
    let mut app = app();
    let two = Character::rigid(model(&["one", "other"]));
    let a = app.world_mut().spawn((two.clone(), Transform::IDENTITY)).id();
    let b = spawn_cube(&mut app, 0.9);
    assert_eq!(phases(&step(&mut app)), [TouchPhase::Begin; 2]);
    let part = cube().part("cube").expect("a part");
    let off = bevy_boxwood::PartOf { character: a, part };
    app.world_mut().resource_mut::<Boxwood>().set_part_enabled(off, false).expect("a part");
    let found = step(&mut app);
    assert_eq!((phases(&found), found[0].parts[0].index()), (vec![TouchPhase::Stay], 1));
    assert_eq!(ended(&mut app), [TouchEnded { a, b, parts: [part, part] }]);
    app.world_mut().resource_mut::<Boxwood>().set_part_enabled(off, true).expect("a part");
    assert_eq!(phases(&step(&mut app)), [TouchPhase::Begin, TouchPhase::Stay]);
}

#[test]
fn despawning_empties_the_scene_and_ends_the_touch_in_the_same_frame() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    assert_eq!(step(&mut app).len(), 1);
    let key = boxwood(&app).key(b).expect("a character");
    app.world_mut().entity_mut(b).despawn();
    assert_eq!(step(&mut app), []);
    assert_eq!(ended(&mut app).first().map(|end| (end.a, end.b)), Some((a, b)));
    assert_eq!((boxwood(&app).scene().len(), boxwood(&app).key(b)), (1, None));
    assert_eq!(boxwood(&app).scene().model(key).err(), Some(Error::StaleKey));
    app.world_mut().entity_mut(a).despawn();
    app.update();
    assert!(boxwood(&app).scene().is_empty());
    assert!(boxwood(&app).moment().scene().is_empty());
    assert_eq!(problems(&mut app), []);
}

#[test]
fn the_last_two_despawned_together_end_their_touch() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    assert_eq!(step(&mut app).len(), 1);
    app.world_mut().entity_mut(a).despawn();
    app.world_mut().entity_mut(b).despawn();
    app.update();
    assert_eq!(ended(&mut app).len(), 1);
    app.update();
    assert_eq!(ended(&mut app), []);
}

#[test]
fn removing_and_replacing_the_component_is_heard() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    assert_eq!(step(&mut app).len(), 1);
    app.world_mut().entity_mut(a).remove::<Character>();
    assert_eq!((step(&mut app).len(), boxwood(&app).scene().len()), (0, 1));
    app.world_mut().entity_mut(a).insert(Character::rigid(cube()));
    assert_eq!((step(&mut app).len(), boxwood(&app).scene().len()), (1, 2));
    // Another model replaces the first.
    app.world_mut().entity_mut(a).insert(Character::rigid(model(&["one", "other"])));
    assert_eq!((step(&mut app).len(), boxwood(&app).scene().len()), (2, 2));
    // Removed and inserted within a frame.
    app.world_mut().entity_mut(b).remove::<Character>().insert(Character::rigid(cube()));
    assert_eq!((step(&mut app).len(), boxwood(&app).scene().len()), (2, 2));
    assert_eq!(problems(&mut app), []);
}

#[test]
fn despawning_a_puppet_takes_its_joints_along_without_a_word() {
    let mut app = app();
    let red = spawn_fighter(&mut app, &Pose::identity());
    app.update();
    assert_eq!(boxwood(&app).scene().len(), 1);
    app.world_mut().entity_mut(red.root).despawn();
    app.update();
    assert_eq!((boxwood(&app).scene().len(), problems(&mut app)), (0, vec![]));
}

#[test]
fn two_worlds_do_not_know_each_other() {
    let (mut one, mut other) = (app(), app());
    let a = spawn_cube(&mut one, 0.0);
    spawn_cube(&mut one, 0.9);
    let b = spawn_cube(&mut other, 0.0);
    assert_eq!((step(&mut one).len(), step(&mut other).len()), (1, 0));
    let (key, foreign) =
        (boxwood(&one).key(a).expect("a key"), boxwood(&other).key(b).expect("a key"));
    assert_eq!(boxwood(&one).scene().model(foreign).err(), Some(Error::ForeignKey));
    assert_eq!((boxwood(&one).entity(key), boxwood(&one).entity(foreign)), (Some(a), None));
    let mut hits = bevy_boxwood::boxwood::Overlaps::new();
    let point = bevy_boxwood::boxwood::nalgebra::Point3::origin();
    let found = boxwood(&one).snapshot().overlaps(point, &QueryFilter::of(foreign), &mut hits);
    assert_eq!(found.err(), Some(Error::ForeignKey));
}

#[derive(Resource, Default)]
struct Seen(Vec<&'static str>);

#[test]
fn systems_after_ask_see_this_frame_and_those_of_update_the_last() {
    let mut app = app();
    app.init_resource::<Seen>();
    let after = |mut touched: MessageReader<Touched>, mut seen: ResMut<Seen>| {
        touched.read().for_each(|_| seen.0.push("after"));
    };
    let update = |mut touched: MessageReader<Touched>, mut seen: ResMut<Seen>| {
        touched.read().for_each(|_| seen.0.push("update"));
    };
    app.add_systems(PostUpdate, after.after(BoxwoodSystems::Ask));
    app.add_systems(Update, update);
    spawn_cube(&mut app, 0.0);
    let b = spawn_cube(&mut app, 0.9);
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, ["after"]);
    move_to(&mut app, b, 3.0);
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, ["after", "update"]);
}

#[test]
fn a_character_that_the_library_refuses_is_said_once() {
    use bevy_boxwood::CharacterOptions;
    let mut app = app();
    let options = CharacterOptions { order: Some(7), ..Default::default() };
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    app.world_mut().entity_mut(a).insert(options);
    app.world_mut().entity_mut(b).insert(options);
    app.update();
    app.update();
    let refused = Problem::Refused(Error::DuplicateOrder { order: 7 });
    assert_eq!(problems(&mut app), [(Some(b), refused)]);
    // The order is free again without further steps.
    app.world_mut().entity_mut(a).despawn();
    app.update();
    assert!(boxwood(&app).key(b).is_some());
    assert_eq!(touched(&mut app), []);
}
