//! Tests of groups, orders, bits, rest, predicates, and the selection of pairs.

use bevy_boxwood::boxwood::{Accuracy, CollisionGroups, Error};
use bevy_boxwood::{
    Boxwood, CharacterOptions, PartOf, Problem, TouchGroups, TouchLayer, TouchPairs, TouchSettings,
};
use bevy_ecs::prelude::*;

use crate::stage::{app, boxwood, cube, ended, problems, spawn_cube, step};

const RED: TouchGroups = TouchGroups { memberships: 1, filter: 2 };
const BLUE: TouchGroups = TouchGroups { memberships: 2, filter: 1 };

fn options(groups: TouchGroups) -> CharacterOptions {
    CharacterOptions { groups: Some(groups), ..CharacterOptions::default() }
}

#[test]
fn groups_decide_who_is_tested_and_may_change() {
    let mut app = app();
    let all: Vec<Entity> = (0..3).map(|i| spawn_cube(&mut app, 0.1 * i as f32)).collect();
    assert_eq!(step(&mut app).len(), 3);
    for (&entity, groups) in all.iter().zip([RED, BLUE, RED]) {
        app.world_mut().entity_mut(entity).insert(options(groups));
    }
    let pairs: Vec<_> = step(&mut app).iter().map(|hit| (hit.a, hit.b)).collect();
    assert_eq!(pairs, [(all[0], all[1]), (all[1], all[2])]);
    assert_eq!(ended(&mut app).len(), 1);
    app.world_mut().entity_mut(all[1]).insert(options(TouchGroups::NONE));
    assert_eq!(step(&mut app).len(), 0);
    app.world_mut().entity_mut(all[1]).insert(CharacterOptions::default());
    assert_eq!(step(&mut app).len(), 2);
    assert_eq!(problems(&mut app), []);
}

#[test]
fn a_part_has_groups_and_a_switch_of_its_own() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    app.update();
    let part = cube().part("cube").expect("a part");
    let of = PartOf { character: a, part };
    let mut boxwood = app.world_mut().resource_mut::<Boxwood>();
    boxwood.set_part_groups(of, CollisionGroups::NONE).expect("a part");
    let other = PartOf { character: Entity::PLACEHOLDER, part };
    assert_eq!(boxwood.set_part_groups(other, TouchGroups::ALL), Err(Error::StaleKey));
    assert_eq!(boxwood.set_part_enabled(other, true), Err(Error::StaleKey));
    assert_eq!((boxwood.part_name(of), boxwood.part_name(other)), ("cube", ""));
    assert_eq!((boxwood.joint(of), boxwood.joint(other)), (Some(a), None));
    app.world_mut().resource_mut::<bevy_ecs::message::Messages<bevy_boxwood::Touched>>().clear();
    assert_eq!(step(&mut app), []);
    let mut boxwood = app.world_mut().resource_mut::<Boxwood>();
    boxwood.set_part_groups(of, CollisionGroups::ALL).expect("a part");
    assert_eq!(step(&mut app).first().map(|hit| hit.b), Some(b));
}

#[test]
fn the_order_decides_who_is_first() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    assert_eq!(step(&mut app)[0].a, a);
    let order = |order| CharacterOptions { order: Some(order), user: 5, ..Default::default() };
    app.world_mut().entity_mut(a).insert(order(9));
    app.world_mut().entity_mut(b).insert(order(2));
    let hit = step(&mut app)[0];
    assert_eq!((hit.a, hit.b), (b, a));
    assert!(hit.normal.x < 0.0, "from b to a");
    let key = boxwood(&app).key(a).expect("a key");
    assert_eq!(boxwood(&app).scene().user(key), Ok(5));
}

#[test]
fn two_at_rest_are_not_tested() {
    let mut app = app();
    let both = [spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9)];
    let rest = |at_rest| CharacterOptions { at_rest, ..Default::default() };
    for one in both {
        app.world_mut().entity_mut(one).insert(rest(true));
    }
    assert_eq!(step(&mut app), []);
    app.world_mut().entity_mut(both[0]).insert(rest(false));
    assert_eq!(step(&mut app).len(), 1);
}

#[test]
fn memberships_put_the_attacker_first() {
    let mut app = app();
    let (body, blade) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    let of = |memberships| options(TouchGroups { memberships, filter: u64::MAX });
    app.world_mut().entity_mut(body).insert(of(2));
    app.world_mut().entity_mut(blade).insert(of(1));
    assert_eq!(step(&mut app)[0].a, body);
    let strikes = TouchPairs::Memberships { of_a: 1, of_b: 2 };
    app.world_mut().resource_mut::<TouchSettings>().pairs = strikes;
    let hit = step(&mut app)[0];
    assert_eq!((hit.a, hit.b), (blade, body));
    // The pair is the same, although its characters are swapped: the touch has not ended.
    assert_eq!((hit.phase, ended(&mut app)), (bevy_boxwood::TouchPhase::Stay, vec![]));
    let none = TouchPairs::Memberships { of_a: 4, of_b: 2 };
    app.world_mut().resource_mut::<TouchSettings>().pairs = none;
    assert_eq!((step(&mut app).len(), ended(&mut app).len()), (0, 1));
}

/// Layers of a game.
#[derive(Clone, Copy)]
enum Layer {
    Body,
    Blade,
    World,
}

impl TouchLayer for Layer {
    fn bit(self) -> u64 {
        1 << self as u64
    }
}

#[test]
fn layers_of_an_enum_are_groups() {
    let mut app = app();
    let all: Vec<Entity> = (0..3).map(|i| spawn_cube(&mut app, 0.1 * i as f32)).collect();
    let groups = [
        TouchGroups::layers([Layer::Body], [Layer::Blade, Layer::World]),
        TouchGroups::layers([Layer::Blade], [Layer::Body]),
        TouchGroups::layers([Layer::World], [Layer::Body, Layer::World]),
    ];
    for (&entity, groups) in all.iter().zip(groups) {
        app.world_mut().entity_mut(entity).insert(options(groups));
    }
    let [body, blade, world] = [all[0], all[1], all[2]];
    let pairs: Vec<_> = step(&mut app).iter().map(|hit| (hit.a, hit.b)).collect();
    assert_eq!(pairs, [(body, blade), (body, world)], "the blade passes through the world");
    app.world_mut().resource_mut::<TouchSettings>().pairs =
        TouchPairs::layers([Layer::Blade], [Layer::Body]);
    let pairs: Vec<_> = step(&mut app).iter().map(|hit| (hit.a, hit.b)).collect();
    assert_eq!(pairs, [(blade, body)]);
}

#[test]
fn nobody_is_asked_about_but_queries_go_on() {
    let mut app = app();
    spawn_cube(&mut app, 0.0);
    spawn_cube(&mut app, 0.9);
    assert_eq!(step(&mut app).len(), 1);
    app.world_mut().resource_mut::<TouchSettings>().pairs = TouchPairs::Nobody;
    assert_eq!((step(&mut app).len(), ended(&mut app).len()), (0, 1));
    assert_eq!(boxwood(&app).hits(), []);
    assert_eq!(boxwood(&app).snapshot().characters().count(), 2);
}

#[test]
fn a_predicate_sees_entities_in_their_order() {
    let mut app = app();
    let all: Vec<Entity> = (0..3).map(|i| spawn_cube(&mut app, 0.1 * i as f32)).collect();
    let (first, last) = (all[0], all[2]);
    let settings = TouchSettings::default()
        .predicate(move |a, b| a.character == first && b.character == last && a.part.index() == 0);
    app.insert_resource(settings);
    let pairs: Vec<_> = step(&mut app).iter().map(|hit| (hit.a, hit.b)).collect();
    assert_eq!(pairs, [(first, last)]);
}

#[test]
fn a_query_that_is_refused_is_said_once_and_mended() {
    let mut app = app();
    spawn_cube(&mut app, 0.0);
    spawn_cube(&mut app, 0.9);
    assert_eq!(step(&mut app).len(), 1);
    app.world_mut().resource_mut::<TouchSettings>().accuracy = Accuracy::Within(f64::NAN);
    assert_eq!((step(&mut app).len(), step(&mut app).len()), (0, 0));
    let said = problems(&mut app);
    assert!(matches!(said[..], [(None, Problem::Refused(_))]), "{said:?}");
    assert_eq!(ended(&mut app), []);
    app.world_mut().resource_mut::<TouchSettings>().accuracy = Accuracy::Exact;
    let hit = step(&mut app)[0];
    assert_eq!((hit.phase, hit.slack), (bevy_boxwood::TouchPhase::Stay, 0.0));
}

#[test]
fn contacts_are_of_parts_or_of_their_boxes() {
    use bevy_boxwood::Character;
    use bevy_boxwood::boxwood::Detail;
    use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
    use bevy_boxwood::boxwood::{Build, Geometry, Model, Obb};
    use bevy_transform::components::Transform;

    // A pillar of four boxes: out of each of them the way up or down is short, out of all of them
    // the way to the side.
    let mut app = app();
    let block = |y: f32| {
        let at = Isometry3::translation(0.0, y, 0.0);
        Obb::from_pose(&at, Vector3::new(0.5, 0.25, 0.5)).expect("a box")
    };
    let pillar = Geometry::Boxes([-0.75, -0.25, 0.25, 0.75].map(block).to_vec());
    let pillar = Model::builder().part("pillar", None, pillar).build(&Build::default());
    let pillar = Character::rigid(pillar.expect("a model"));
    app.world_mut().spawn((pillar, Transform::IDENTITY));
    spawn_cube(&mut app, 0.1);
    let mut found = |detail| {
        let mut settings = app.world_mut().resource_mut::<TouchSettings>();
        settings.accuracy = Accuracy::Exact;
        settings.detail = detail;
        step(&mut app)
    };
    let [bodies, deepest] = [Detail::Bodies, Detail::DeepestBoxes].map(|detail| found(detail)[0]);
    assert!((bodies.depth - 0.9).abs() < 1e-5, "{bodies:?}");
    assert!((deepest.depth - 0.5).abs() < 1e-5, "{deepest:?}");
    assert_eq!((bodies.a, bodies.b), (deepest.a, deepest.b));
    assert_eq!(bodies.phase, bevy_boxwood::TouchPhase::Begin);
}
