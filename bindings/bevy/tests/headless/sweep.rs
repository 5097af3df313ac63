//! Tests of contacts along the way between two frames.

use bevy_app::App;
use bevy_boxwood::boxwood::motion::Joints;
use bevy_boxwood::boxwood::{
    Accuracy, ContactChange, ContactEvents, MotionBuffers, MotionPath, PairQuery, QueryScratch,
    Scene, SceneMotion, Spawn,
};
use bevy_boxwood::{
    CharacterMotion, CharacterOptions, Problem, SweepSettings, SweptContact, Teleported,
    TouchGroups, TouchPairs,
};
use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;

use crate::stage::{
    app, boxwood, cube, fighter, places, problems, spawn_cube, spawn_fighter, step, touched,
};
use ContactChange::{Begin, End, Persist};

fn swept_app() -> App {
    let mut app = app();
    app.world_mut().resource_mut::<SweepSettings>().pairs = TouchPairs::All;
    app
}

/// Runs a frame and returns its contacts along the way.
fn sweep(app: &mut App) -> Vec<SweptContact> {
    app.update();
    app.world_mut().resource_mut::<Messages<SweptContact>>().drain().collect()
}

fn changes(contacts: &[SweptContact]) -> Vec<ContactChange> {
    contacts.iter().map(|contact| contact.change).collect()
}

fn move_to(app: &mut App, entity: Entity, x: f32) {
    app.world_mut().entity_mut(entity).insert(Transform::from_xyz(x, 0.0, 0.0));
}

#[test]
fn what_flies_through_within_a_frame_begins_and_ends() {
    let mut app = swept_app();
    let (arrow, target) = (spawn_cube(&mut app, -5.0), spawn_cube(&mut app, 0.0));
    assert_eq!(sweep(&mut app), []);
    move_to(&mut app, arrow, 5.0);
    let found = sweep(&mut app);
    assert_eq!(touched(&mut app), [], "no frame shows it");
    assert_eq!(changes(&found), [Begin, End]);
    assert!(found.iter().all(|contact| (contact.a, contact.b) == (arrow, target)));
    assert_eq!((found[0].id, found[0].since), (found[1].id, found[1].since));
    assert_eq!((found[0].time, found[1].time), (found[0].impact.expect("one").time, 1.0));
    // Faces meet after four of ten units, at x = -0.5.
    let impact = found[0].impact.expect("an impact");
    assert!((impact.time - 0.4).abs() < 1e-3 && impact.clear_until <= 0.4, "{impact:?}");
    assert!((impact.point.x + 0.5).abs() < 2e-3 && impact.slack <= 1e-3, "{impact:?}");
    assert!((impact.normal.expect("apart") - Vec3::X).length() < 1e-3, "{impact:?}");
    // It stands still now.
    assert_eq!(sweep(&mut app), []);
    assert!(boxwood(&app).contacts().is_empty());
    // The way back is another contact.
    move_to(&mut app, arrow, -5.0);
    let back = sweep(&mut app);
    assert_eq!(changes(&back), [Begin, End]);
    assert!(back[0].id != found[0].id && back[0].since > found[0].since);
}

#[test]
fn a_contact_begins_persists_and_ends_with_one_number() {
    let mut app = swept_app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 3.0));
    assert_eq!(sweep(&mut app), []);
    let mut all = Vec::new();
    for x in [0.9, 0.8, 0.7, 3.0, 3.0] {
        move_to(&mut app, b, x);
        all.extend(sweep(&mut app));
    }
    assert_eq!(changes(&all), [Begin, Persist, Persist, End]);
    assert!(all.iter().all(|contact| contact.id == all[0].id && contact.since == all[0].since));
    // From 3 to 0.9; faces meet at 1.
    assert!((all[0].time - 2.0 / 2.1).abs() < 1e-3, "{:?}", all[0]);
    assert_eq!((all[0].a, all[0].b, all[3].time), (a, b, 1.0));
}

#[test]
fn there_are_none_by_default_and_a_change_of_mind_ends_them() {
    let mut app = app();
    let (_, arrow) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, -5.0));
    app.update();
    move_to(&mut app, arrow, 5.0);
    assert_eq!(sweep(&mut app), []);
    // Switched on: what was before is not made up for.
    app.world_mut().resource_mut::<SweepSettings>().pairs = TouchPairs::All;
    assert_eq!(sweep(&mut app), []);
    move_to(&mut app, arrow, 0.5);
    assert_eq!(changes(&sweep(&mut app)), [Begin]);
    app.world_mut().resource_mut::<SweepSettings>().pairs = TouchPairs::Nobody;
    let ended = sweep(&mut app);
    assert_eq!((changes(&ended), ended[0].time, ended[0].impact), (vec![End], 0.0, None));
    assert_eq!(sweep(&mut app), []);
}

#[test]
fn a_spawned_character_touches_from_the_start_and_crosses_nothing() {
    let mut app = swept_app();
    spawn_cube(&mut app, 0.0);
    assert_eq!(sweep(&mut app), []);
    spawn_cube(&mut app, 0.9);
    let found = sweep(&mut app);
    assert_eq!((changes(&found), found[0].time), (vec![Begin], 0.0));
}

#[test]
fn a_teleported_character_crosses_nothing() {
    let mut app = swept_app();
    let (a, wall) = (spawn_cube(&mut app, -5.0), spawn_cube(&mut app, 0.0));
    sweep(&mut app);
    let jump = |app: &mut App, x| {
        let there = (Transform::from_xyz(x, 0.0, 0.0), Teleported);
        app.world_mut().entity_mut(a).insert(there);
    };
    jump(&mut app, 5.0);
    assert_eq!(sweep(&mut app), []);
    // The component stays; only its insertion counts.
    move_to(&mut app, a, -5.0);
    assert_eq!(changes(&sweep(&mut app)), [Begin, End]);
    // Inserted again, into the wall: it touches from the start.
    jump(&mut app, 0.5);
    let found = sweep(&mut app);
    assert_eq!((changes(&found), found[0].time), (vec![Begin], 0.0));
    // And out of it, without an impact: both entities are known all the same.
    jump(&mut app, 9.0);
    let ended = sweep(&mut app);
    assert_eq!((changes(&ended), ended[0].time, ended[0].impact), (vec![End], 0.0, None));
    assert_eq!((ended[0].a, ended[0].b), (a, wall));
}

#[test]
fn a_path_is_an_option_of_the_character() {
    let mut app = swept_app();
    let (a, _) = (spawn_cube(&mut app, -5.0), spawn_cube(&mut app, 0.0));
    app.world_mut().entity_mut(a).insert(CharacterMotion(MotionPath::Jump));
    sweep(&mut app);
    for x in [5.0, -5.0] {
        move_to(&mut app, a, x);
        assert_eq!(sweep(&mut app), []);
    }
    app.world_mut().entity_mut(a).insert(CharacterMotion::default());
    move_to(&mut app, a, 5.0);
    assert_eq!(changes(&sweep(&mut app)), [Begin, End]);
}

#[test]
fn a_turning_blade_strikes_on_its_way() {
    let mut app = swept_app();
    let blade = spawn_cube(&mut app, 0.0);
    let turned =
        |angle| Transform::from_rotation(Quat::from_rotation_z(angle)).with_translation(Vec3::ZERO);
    // Corners reach 0.707 from the centre, sides 0.5: only on the way is it near enough.
    let post = app
        .world_mut()
        .spawn((bevy_boxwood::Character::rigid(cube()), Transform::from_xyz(1.1, 0.0, 0.0)));
    let post = post.id();
    sweep(&mut app);
    app.world_mut().entity_mut(blade).insert(turned(std::f32::consts::FRAC_PI_2));
    let found = sweep(&mut app);
    assert_eq!((changes(&found), found[0].b), (vec![Begin, End], post));
    // Its corner, at 45 degrees, comes to x = 0.6 at atan2 of the two.
    let angle = (0.6_f64 / 0.5_f64.sqrt()).acos();
    let expected = (std::f64::consts::FRAC_PI_4 - angle) / std::f64::consts::FRAC_PI_2;
    assert!((found[0].time - expected).abs() < 2e-3, "{} {expected}", found[0].time);
}

#[test]
fn despawning_ends_a_contact_and_names_both() {
    let mut app = swept_app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    assert_eq!(changes(&sweep(&mut app)), [Begin]);
    app.world_mut().entity_mut(a).despawn();
    let ended = sweep(&mut app);
    assert_eq!((changes(&ended), ended[0].a, ended[0].b), (vec![End], a, b));
    assert_eq!(sweep(&mut app), []);
}

#[test]
fn memberships_put_the_attacker_first_and_a_predicate_decides() {
    let mut app = app();
    let (body, blade) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 5.0));
    for (entity, memberships) in [(body, 2), (blade, 1)] {
        let groups = Some(TouchGroups { memberships, filter: u64::MAX });
        app.world_mut()
            .entity_mut(entity)
            .insert(CharacterOptions { groups, ..Default::default() });
    }
    let strikes = TouchPairs::Memberships { of_a: 1, of_b: 2 };
    app.world_mut().resource_mut::<SweepSettings>().pairs = strikes;
    sweep(&mut app);
    move_to(&mut app, blade, 0.9);
    let found = sweep(&mut app);
    assert_eq!((changes(&found), found[0].a, found[0].b), (vec![Begin], blade, body));
    assert!(
        found[0].impact.and_then(|one| one.normal).expect("apart").x < -0.9,
        "from the blade to the body"
    );
    let mut settings = SweepSettings::default();
    settings.pairs = strikes;
    app.insert_resource(settings.predicate(move |a, _| a.character != body));
    assert_eq!(changes(&sweep(&mut app)), [End], "the body is of lower order, so it is `a`");
}

#[test]
fn a_tolerance_of_zero_is_said_once_and_mended() {
    let mut app = swept_app();
    let (_, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 5.0));
    sweep(&mut app);
    app.world_mut().resource_mut::<SweepSettings>().tolerance = 0.0;
    move_to(&mut app, b, 0.9);
    assert_eq!((sweep(&mut app), sweep(&mut app)), (vec![], vec![]));
    let said = problems(&mut app);
    assert!(matches!(said[..], [(None, Problem::Refused(_))]), "{said:?}");
    app.world_mut().resource_mut::<SweepSettings>().tolerance = 0.001;
    // The way here was not tested; they touch from the start.
    let found = sweep(&mut app);
    assert_eq!((changes(&found), found[0].time), (vec![Begin], 0.0));
}

#[test]
fn a_fight_at_twelve_frames_a_second_is_that_of_the_library() {
    let mut app = swept_app();
    let [red_at, blue_at] = places();
    let mut red = spawn_fighter(&mut app, &red_at);
    let mut blue = spawn_fighter(&mut app, &blue_at);
    let (mut of_red, mut of_blue) = (Joints::new(), Joints::new());
    let mut scene = Scene::new();
    let keys = [0, 1].map(|order| {
        scene.insert(&fighter().model, Spawn::default().order(order)).expect("a character")
    });
    let mut before = scene.clone();
    let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    let (mut events, mut contacts, mut impacts) = (Vec::new(), ContactEvents::new(), Vec::new());
    let query = PairQuery::all().accuracy(Accuracy::Within(0.001));
    let mut count = 0;
    for frame in 0..24 {
        let time = frame as f32 / 12.0;
        let kick = fighter().clips.get("kick").expect("a clip");
        let kick = kick.sample_looped(time, &mut of_red).expect("a sample");
        let guard = fighter().clips.get("guard").expect("a clip");
        let guard = guard.sample_looped(time, &mut of_blue).expect("a sample");
        red.pose(&mut app, kick);
        blue.pose(&mut app, guard);
        let found = sweep(&mut app);
        for (key, (at, joints)) in keys.iter().zip([(&red_at, kick), (&blue_at, guard)]) {
            scene.set_joints(*key, at, joints).expect("poses");
        }
        if frame == 0 {
            before.clone_from(&scene);
        }
        let motion = SceneMotion::between(&before, &scene, &mut buffers).expect("one scene");
        motion.impacts(&query, &mut scratch, &mut impacts).expect("a query");
        contacts.advance(frame + 1, &scene, &impacts, &mut events).expect("its own");
        before.clone_from(&scene);
        let theirs: Vec<_> =
            events.iter().map(|event| (event.change, event.since, event.id)).collect();
        let ours: Vec<_> = found.iter().map(|one| (one.change, one.since, one.id)).collect();
        // Transforms of Bevy are products of single precision: times differ a little.
        let sorted = |mut list: Vec<(ContactChange, u64, u64)>| {
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(ours), sorted(theirs), "frame {frame}");
        for one in &found {
            let same = |event: &&bevy_boxwood::boxwood::ContactEvent| {
                event.id == one.id && event.change == one.change
            };
            let event = events.iter().find(same).expect("the same event");
            assert!((event.time - one.time).abs() < 1e-2, "frame {frame}: {one:?} {event:?}");
            assert_eq!([one.a, one.b], [red.root, blue.root]);
            assert_eq!(one.parts, event.parts.map(|part| part.part));
        }
        count += found.len();
    }
    assert!(count > 10, "{count} messages");
    assert_eq!(problems(&mut app), []);
}

#[test]
fn both_kinds_of_messages_go_together() {
    let mut app = swept_app();
    let (_, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 3.0));
    assert_eq!(step(&mut app), []);
    move_to(&mut app, b, 0.9);
    app.update();
    assert_eq!(touched(&mut app).len(), 1);
    let swept: Vec<SweptContact> =
        app.world_mut().resource_mut::<Messages<SweptContact>>().drain().collect();
    assert_eq!(changes(&swept), [Begin]);
}
