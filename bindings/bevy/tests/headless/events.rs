//! Tests of observers of entities, and of the component with the touched characters.

use bevy_app::App;
use bevy_boxwood::boxwood::{Accuracy, Detail, PartId};
use bevy_boxwood::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;

use crate::stage::{app, ended, model, spawn_cube, step};

/// Events in the order in which observers ran: a name, the watched entity, the parts.
#[derive(Resource, Default)]
struct Heard(Vec<(&'static str, Entity, PartOf, PartOf)>);

/// Adds observers of all events of an entity.
fn observe(app: &mut App, entity: Entity) {
    app.init_resource::<Heard>();
    let begin = |event: On<TouchBegin>, mut heard: ResMut<Heard>| {
        heard.0.push(("begin", event.entity, event.part, event.other));
    };
    let end = |event: On<TouchEnd>, mut heard: ResMut<Heard>| {
        heard.0.push(("end", event.entity, event.part, event.other));
    };
    let swept = |event: On<SweptBegin>, mut heard: ResMut<Heard>| {
        heard.0.push(("swept", event.entity, event.part, event.other));
    };
    app.world_mut().entity_mut(entity).observe(begin).observe(end).observe(swept);
}

/// Runs a frame and returns its events.
fn hear(app: &mut App) -> Vec<(&'static str, Entity, PartOf, PartOf)> {
    app.update();
    std::mem::take(&mut app.world_mut().resource_mut::<Heard>().0)
}

/// Spawns a cube that comes after other characters in messages.
fn spawn_later(app: &mut App, x: f32) -> Entity {
    let cube = spawn_cube(app, x);
    let options = CharacterOptions { order: Some(200), ..Default::default() };
    app.world_mut().entity_mut(cube).insert(options);
    cube
}

fn part(character: Entity, index: usize) -> PartOf {
    PartOf { character, part: PartId::new(index) }
}

fn move_to(app: &mut App, entity: Entity, x: f32) {
    app.world_mut().entity_mut(entity).insert(Transform::from_xyz(x, 0.0, 0.0));
}

#[test]
fn both_characters_hear_of_a_touch_once() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 3.0));
    observe(&mut app, a);
    observe(&mut app, b);
    assert_eq!(hear(&mut app), []);
    let [of_a, of_b] = [part(a, 0), part(b, 0)];
    for round in 0..2 {
        move_to(&mut app, b, 0.9);
        let begun = [("begin", a, of_a, of_b), ("begin", b, of_b, of_a)];
        assert_eq!(hear(&mut app), begun, "round {round}");
        assert_eq!(hear(&mut app), [], "the touch stays");
        move_to(&mut app, b, 3.0);
        assert_eq!(hear(&mut app), [("end", a, of_a, of_b), ("end", b, of_b, of_a)]);
        assert_eq!(hear(&mut app), []);
    }
}

#[test]
fn each_event_has_the_normal_away_from_its_part() {
    #[derive(Resource, Default)]
    struct Seen(Vec<(Entity, Vec3, f32)>);
    let mut app = app();
    app.init_resource::<Seen>();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    app.add_observer(|event: On<TouchBegin>, mut seen: ResMut<Seen>| {
        seen.0.push((event.entity, event.normal, event.depth));
    });
    let hit = step(&mut app)[0];
    assert!(hit.normal.distance(Vec3::X) < 1e-6);
    let expected = [(a, hit.normal, hit.depth), (b, -hit.normal, hit.depth)];
    assert_eq!(app.world().resource::<Seen>().0, expected);
}

/// A character with two joints, the second below the first, and a parent of the character.
fn spawn_limb(app: &mut App) -> [Entity; 4] {
    let world = app.world_mut();
    let above = world.spawn(Transform::IDENTITY).id();
    let character = Character::new(model(&["upper", "lower"]));
    // Before later cubes in messages, whoever is found first.
    let options = CharacterOptions { order: Some(100), ..Default::default() };
    let root = world.spawn((character, options, Transform::IDENTITY, ChildOf(above))).id();
    let upper = (Name::new("upper"), Transform::IDENTITY, ChildOf(root));
    let upper = world.spawn(upper).id();
    // Away from the first by more than its size.
    let lower = (Name::new("lower"), Transform::from_xyz(5.0, 0.0, 0.0), ChildOf(upper));
    let lower = world.spawn(lower).id();
    [above, root, upper, lower]
}

#[test]
fn events_rise_from_the_joint_to_the_character_and_no_further() {
    let mut app = app();
    let [above, root, upper, lower] = spawn_limb(&mut app);
    for entity in [above, root, upper, lower] {
        observe(&mut app, entity);
    }
    let target = spawn_later(&mut app, 5.9);
    let (touched, by) = (part(root, 1), part(target, 0));
    let rise = |name| [lower, upper, root].map(|entity| (name, entity, touched, by));
    assert_eq!(hear(&mut app), rise("begin"));
    move_to(&mut app, target, 0.9);
    // Messages of touches that begin are sent first.
    let begun = [upper, root].map(|entity| ("begin", entity, part(root, 0), by));
    let all: Vec<_> = begun.into_iter().chain(rise("end")).collect();
    assert_eq!(hear(&mut app), all);
}

#[test]
fn a_global_observer_tells_the_character_by_the_entity() {
    let mut app = app();
    let [_, root, upper, lower] = spawn_limb(&mut app);
    app.init_resource::<Heard>();
    app.add_observer(|event: On<TouchBegin>, mut heard: ResMut<Heard>| {
        let name = if event.entity == event.part.character { "character" } else { "joint" };
        heard.0.push((name, event.entity, event.part, event.other));
    });
    let target = spawn_later(&mut app, 5.9);
    let heard: Vec<_> = hear(&mut app).iter().map(|one| (one.0, one.1)).collect();
    let of_limb = [("joint", lower), ("joint", upper), ("character", root)];
    assert_eq!(heard, [&of_limb[..], &[("character", target)]].concat());
}

#[test]
fn an_observer_may_stop_an_event_at_the_joint() {
    let mut app = app();
    let [_, root, upper, _] = spawn_limb(&mut app);
    observe(&mut app, root);
    app.world_mut().entity_mut(upper).observe(|mut event: On<TouchBegin>| event.propagate(false));
    spawn_cube(&mut app, 0.9);
    assert_eq!(hear(&mut app), [], "stopped at the upper joint");
    let target = spawn_cube(&mut app, 5.9);
    assert_eq!(hear(&mut app), [], "the lower joint is below it");
    app.world_mut().entity_mut(target).despawn();
    assert_eq!(hear(&mut app), [("end", root, part(root, 1), part(target, 0))]);
}

#[test]
fn a_touch_ends_for_those_who_are_left() {
    let mut app = app();
    let [_, root, upper, lower] = spawn_limb(&mut app);
    let target = spawn_later(&mut app, 5.9);
    for entity in [root, upper, target] {
        observe(&mut app, entity);
    }
    assert_eq!(hear(&mut app).len(), 3, "upper, root and the target");
    // The joint is gone, its part is disabled, the character is left.
    app.world_mut().entity_mut(lower).despawn();
    let [of_limb, of_target] = [part(root, 1), part(target, 0)];
    let ended = [("end", root, of_limb, of_target), ("end", target, of_target, of_limb)];
    assert_eq!(hear(&mut app), ended);
    // The next touch is ended by the other's despawn.
    move_to(&mut app, target, 0.9);
    assert_eq!(hear(&mut app).len(), 3);
    app.world_mut().entity_mut(target).despawn();
    let of_limb = part(root, 0);
    let ended = [upper, root].map(|entity| ("end", entity, of_limb, of_target));
    assert_eq!(hear(&mut app), ended);
}

#[test]
fn a_blow_between_two_frames_is_heard() {
    let mut app = app();
    app.world_mut().resource_mut::<SweepSettings>().pairs = TouchPairs::All;
    let (arrow, target) = (spawn_cube(&mut app, -5.0), spawn_cube(&mut app, 0.0));
    observe(&mut app, target);
    assert_eq!(hear(&mut app), []);
    move_to(&mut app, arrow, 5.0);
    let [of_arrow, of_target] = [part(arrow, 0), part(target, 0)];
    assert_eq!(hear(&mut app), [("swept", target, of_target, of_arrow)]);
    assert_eq!(hear(&mut app), []);
}

#[test]
fn a_pair_of_many_boxes_begins_and_ends_once() {
    use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
    use bevy_boxwood::boxwood::{Build, Geometry, Model, Obb};

    let mut app = app();
    let block = |y: f32| {
        let at = Isometry3::translation(0.0, y, 0.0);
        Obb::from_pose(&at, Vector3::new(0.5, 0.2, 0.5)).expect("a box")
    };
    let pillar = Geometry::Boxes([-0.5, 0.0, 0.5].map(block).to_vec());
    let pillar = Model::builder().part("pillar", None, pillar).build(&Build::default());
    let pillar = Character::rigid(pillar.expect("a model"));
    app.world_mut().spawn((pillar, Transform::IDENTITY));
    let mut settings = app.world_mut().resource_mut::<TouchSettings>();
    (settings.accuracy, settings.detail) = (Accuracy::Exact, Detail::Boxes);
    let cube = spawn_cube(&mut app, 0.9);
    observe(&mut app, cube);
    assert_eq!(step(&mut app).len(), 3, "a message for each box");
    assert_eq!(app.world().resource::<Heard>().0.len(), 1);
    move_to(&mut app, cube, 3.0);
    assert_eq!((step(&mut app).len(), ended(&mut app).len()), (0, 1));
    let names: Vec<_> = app.world().resource::<Heard>().0.iter().map(|one| one.0).collect();
    assert_eq!(names, ["begin", "end"]);
}

/// Returns the characters in the component of an entity.
fn colliding(app: &App, entity: Entity) -> Vec<Entity> {
    let all = app.world().get::<CollidingEntities>(entity).expect("the component");
    assert_eq!((all.len(), all.is_empty()), (all.iter().len(), all.iter().len() == 0));
    assert!(all.iter().all(|other| all.contains(other)) && !all.contains(entity));
    all.iter().collect()
}

#[test]
fn a_component_has_the_touched_characters() {
    let mut app = app();
    let [a, b, c] = [0.0, 0.9, -0.9].map(|x| spawn_cube(&mut app, x));
    app.world_mut().entity_mut(a).insert(CollidingEntities::default());
    app.update();
    let mut both = vec![b, c];
    both.sort_unstable();
    assert_eq!(colliding(&app, a), both);
    assert!(app.world().get::<CollidingEntities>(b).is_none(), "it is for those who want it");
    move_to(&mut app, b, 4.0);
    app.update();
    assert_eq!(colliding(&app, a), [c]);
    app.world_mut().entity_mut(c).despawn();
    app.update();
    assert!(colliding(&app, a).is_empty());
    // The component may stay when the character is gone.
    move_to(&mut app, b, 0.9);
    app.update();
    assert_eq!(colliding(&app, a), [b]);
    app.world_mut().entity_mut(a).remove::<Character>();
    app.update();
    assert!(colliding(&app, a).is_empty());
}

#[test]
fn the_component_changes_only_when_a_character_comes_or_goes() {
    #[derive(Resource, Default)]
    struct Changes(usize);
    let mut app = app();
    app.init_resource::<Changes>();
    let count = |all: Query<(), Changed<CollidingEntities>>, mut changes: ResMut<Changes>| {
        changes.0 += all.iter().count();
    };
    app.add_systems(bevy_app::PostUpdate, count.after(BoxwoodSystems::Ask));
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 3.0));
    app.world_mut().entity_mut(a).insert(CollidingEntities::default());
    let run = |app: &mut App, x: f32| {
        move_to(app, b, x);
        app.update();
        std::mem::take(&mut app.world_mut().resource_mut::<Changes>().0)
    };
    let changes = [3.0, 3.0, 0.9, 0.8, 0.7, 3.0, 3.0].map(|x| run(&mut app, x));
    assert_eq!(changes, [1, 0, 1, 0, 0, 1, 0], "the first is the insertion");
}
