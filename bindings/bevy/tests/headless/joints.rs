//! Tests of joint entities: found, lost and scaled.

use bevy_app::App;
use bevy_boxwood::boxwood::nalgebra::{Isometry3, Vector3};
use bevy_boxwood::boxwood::{Build, Geometry, Model, Obb, Pose};
use bevy_boxwood::{
    Boxwood, Character, CharacterOptions, JointNode, PartOf, Problem, TouchSettings,
};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;

use crate::stage::{
    Puppet, app, boxwood, cube, fighter, model, problems, spawn_cube, spawn_fighter, step,
};

fn named(app: &mut App, name: &str, above: Entity, at: Vec3) -> Entity {
    let bundle = (Name::new(name.to_owned()), Transform::from_translation(at), ChildOf(above));
    app.world_mut().spawn(bundle).id()
}

fn root(app: &mut App, model: std::sync::Arc<Model>) -> Entity {
    app.world_mut().spawn((Character::new(model), Transform::IDENTITY)).id()
}

/// The entity of a part, by its index.
fn joint(app: &App, character: Entity, part: usize) -> Option<Entity> {
    let followed = boxwood(app).key(character)?;
    let model = boxwood(app).scene().model(followed).ok()?;
    let part = model.part(model.parts()[part].name()).ok()?;
    boxwood(app).joint(PartOf { character, part })
}

#[test]
fn joints_may_come_later_than_their_character() {
    let mut app = app();
    let root = root(&mut app, model(&["one", "other"]));
    let wall = spawn_cube(&mut app, 0.9);
    named(&mut app, "one", root, Vec3::ZERO);
    assert_eq!((step(&mut app).len(), boxwood(&app).key(root)), (0, None));
    // The joints are below an entity that is no joint, as in scenes.
    let between = named(&mut app, "scene", root, Vec3::ZERO);
    named(&mut app, "other", between, Vec3::ZERO);
    let found = step(&mut app);
    assert_eq!(found.len(), 2, "in the frame in which the last joint is spawned");
    assert_eq!((found[0].a == root, found[0].b == root), (false, true));
    assert_eq!(found[0].a, wall); // it was in the scene first
    assert_eq!(problems(&mut app), []);
}

#[test]
fn missing_joints_are_named_once_after_a_while() {
    let mut app = app();
    app.world_mut().resource_mut::<TouchSettings>().patience = 3;
    let root = root(&mut app, model(&["one", "other", "third"]));
    named(&mut app, "other", root, Vec3::ZERO);
    let mut said = Vec::new();
    for frame in 1..10 {
        app.update();
        said.extend(problems(&mut app).into_iter().map(|one| (frame, one)));
    }
    let missing = vec!["one".to_owned(), "third".to_owned()];
    assert_eq!(said, [(3, (Some(root), Problem::MissingJoints(missing)))]);
    named(&mut app, "one", root, Vec3::ZERO);
    named(&mut app, "third", root, Vec3::ZERO);
    app.update();
    assert!(boxwood(&app).key(root).is_some());
}

#[test]
fn a_part_without_geometry_needs_no_joint() {
    let mut app = app();
    let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5)).expect("a cube");
    let model = Model::builder().part("armature", None, Geometry::None).part(
        "hand",
        Some("armature"),
        Geometry::Boxes(vec![cube]),
    );
    let root = root(&mut app, model.build(&Build::default()).expect("a model"));
    named(&mut app, "hand", root, Vec3::ZERO);
    app.update();
    let key = boxwood(&app).key(root).expect("a key");
    app.world_mut().entity_mut(root).insert(Transform::from_xyz(3.0, 0.0, 0.0));
    for _ in 0..2 {
        app.update();
        let poses = boxwood(&app).scene().poses(key).expect("poses");
        assert_eq!([0, 1].map(|part| poses[part].translation.x), [3.0; 2], "it follows the root");
    }
}

#[test]
fn joints_that_do_not_move_are_read_once_they_are_joints() {
    let mut app = app();
    let root = app.world_mut().spawn(Transform::from_xyz(5.0, 0.0, 0.0)).id();
    named(&mut app, "one", root, Vec3::X);
    let wall = app.world_mut().spawn(Transform::from_xyz(6.9, 0.0, 0.0)).id();
    let unnamed = app.world_mut().spawn((Transform::from_xyz(1.0, 0.2, 0.0), ChildOf(root))).id();
    for _ in 0..3 {
        app.update();
    }
    app.world_mut().entity_mut(root).insert(Character::new(model(&["one", "other"])));
    app.world_mut().entity_mut(wall).insert(Character::rigid(cube()));
    assert_eq!((step(&mut app).len(), boxwood(&app).key(root)), (0, None));
    app.world_mut().entity_mut(unnamed).insert(Name::new("other"));
    assert_eq!(step(&mut app).len(), 2, "of the joints that were there, and of the wall");
    // Another entity becomes the joint, and the character is replaced.
    app.world_mut().entity_mut(unnamed).despawn();
    let unnamed = app.world_mut().spawn((Transform::from_xyz(0.95, 0.2, 0.0), ChildOf(root))).id();
    for _ in 0..2 {
        assert_eq!(step(&mut app).len(), 1);
    }
    app.world_mut().entity_mut(unnamed).insert(Name::new("other"));
    let found = step(&mut app);
    assert_eq!(found.len(), 2);
    // The first is 0.1 deep, as the one that is gone was.
    assert!(found.iter().any(|hit| (hit.depth - 0.05).abs() < 1e-5), "{found:?}");
    app.world_mut().entity_mut(root).insert(Character::new(model(&["one"])));
    assert_eq!(step(&mut app).len(), 1);
}

#[test]
fn a_character_that_is_accepted_later_is_where_its_entity_is() {
    let mut app = app();
    let options = CharacterOptions { order: Some(7), ..Default::default() };
    let first = (Character::rigid(cube()), options, Transform::IDENTITY);
    let first = app.world_mut().spawn(first).id();
    let second = (Character::rigid(cube()), options, Transform::from_xyz(5.0, 0.0, 0.0));
    let second = app.world_mut().spawn(second).id();
    spawn_cube(&mut app, 5.9);
    for _ in 0..3 {
        assert_eq!((step(&mut app).len(), boxwood(&app).key(second)), (0, None));
    }
    app.world_mut().entity_mut(first).despawn();
    assert_eq!(step(&mut app).len(), 1);
}

#[test]
fn a_lost_joint_switches_its_part_off_and_is_found_again() {
    let mut app = app();
    let root = root(&mut app, model(&["one", "other"]));
    let one = named(&mut app, "one", root, Vec3::ZERO);
    named(&mut app, "other", root, Vec3::ZERO);
    spawn_cube(&mut app, 0.9);
    assert_eq!(step(&mut app).len(), 2);
    app.world_mut().entity_mut(one).despawn();
    let found = step(&mut app);
    assert_eq!(found.len(), 1, "the other part goes on");
    assert_eq!(problems(&mut app), [(Some(root), Problem::JointGone("one".into()))]);
    for _ in 0..3 {
        assert_eq!((step(&mut app).len(), problems(&mut app)), (1, vec![]));
    }
    named(&mut app, "one", root, Vec3::ZERO);
    assert_eq!(step(&mut app).len(), 2);
    assert_eq!(problems(&mut app), []);
}

#[test]
fn a_part_switched_off_by_the_caller_stays_off_when_its_joint_comes_back() {
    let mut app = app();
    let root = root(&mut app, cube());
    let one = named(&mut app, "cube", root, Vec3::ZERO);
    spawn_cube(&mut app, 0.9);
    assert_eq!(step(&mut app).len(), 1);
    let of = PartOf { character: root, part: cube().part("cube").expect("a part") };
    app.world_mut().entity_mut(one).insert(Transform::from_scale(Vec3::ZERO));
    assert_eq!(step(&mut app).len(), 0);
    let mut boxwood = app.world_mut().resource_mut::<Boxwood>();
    boxwood.set_part_enabled(of, false).expect("a part");
    app.world_mut().entity_mut(one).insert(Transform::IDENTITY);
    assert_eq!(step(&mut app).len(), 0);
    let mut boxwood = app.world_mut().resource_mut::<Boxwood>();
    boxwood.set_part_enabled(of, true).expect("a part");
    assert_eq!(step(&mut app).len(), 1);
}

#[test]
fn flat_and_broken_transforms_switch_parts_off_and_are_said_once() {
    let mut app = app();
    let (a, _) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    assert_eq!(step(&mut app).len(), 1);
    let nowhere = Transform::from_translation(Vec3::NAN);
    let mut said = Vec::new();
    for broken in [Transform::from_scale(Vec3::new(1.0, 0.0, 1.0)), nowhere] {
        app.world_mut().entity_mut(a).insert(broken);
        for _ in 0..2 {
            assert_eq!(step(&mut app).len(), 0);
            // Messages live two frames.
            said.extend(problems(&mut app));
        }
        app.world_mut().entity_mut(a).insert(Transform::IDENTITY);
        assert_eq!(step(&mut app).len(), 1);
    }
    assert_eq!(said, [(Some(a), Problem::Flat("cube".into()))]);
}

#[test]
fn a_scale_of_its_own_is_divided_out_and_said_once() {
    let mut app = app();
    let (a, b) = (spawn_cube(&mut app, 0.0), spawn_cube(&mut app, 0.9));
    let scaled = Transform::from_scale(Vec3::splat(3.0)).with_rotation(Quat::from_rotation_x(0.7));
    app.world_mut().entity_mut(a).insert(scaled);
    let hit = step(&mut app)[0];
    assert!((hit.depth - 0.1).abs() < 1e-6, "the boxes are as large as before: {hit:?}");
    let key = boxwood(&app).key(a).expect("a key");
    let turned = boxwood(&app).scene().root(key).expect("a pose").rotation.angle();
    assert!((turned - 0.7).abs() < 1e-5, "and turned as far: {turned}");
    app.update();
    let said = problems(&mut app);
    assert_eq!(said, [(Some(a), Problem::Scaled { part: "cube".into(), factor: 3.0 })]);
    assert!(boxwood(&app).key(b).is_some());
}

#[test]
fn a_scaled_character_is_as_large_as_its_entity() {
    let mut app = app();
    let b = spawn_cube(&mut app, 0.9);
    let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5)).expect("a cube");
    let model = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    let model = model.build(&Build::default()).expect("a model");
    let giant = Character::rigid(model).scaled(3.0).expect("in range");
    let at = Transform::from_xyz(-1.0, 0.0, 0.0).with_scale(Vec3::splat(3.0));
    let a = app.world_mut().spawn((giant.clone(), at)).id();
    let hit = step(&mut app)[0];
    // The part extends from -2.5 to 0.5, the other begins at 0.4.
    assert!((hit.depth - 0.1).abs() < 1e-6, "{hit:?}");
    assert!(boxwood(&app).key(a).is_some() && boxwood(&app).key(b).is_some());
    app.update();
    assert_eq!(problems(&mut app), []);
    // Any other scale is reported.
    app.world_mut().entity_mut(a).insert(at.with_scale(Vec3::ONE));
    app.update();
    let factor = 1.0 / 3.0;
    let said = problems(&mut app);
    assert_eq!(said, [(Some(a), Problem::Scaled { part: "cube".into(), factor })]);
    assert!(giant.scaled(f32::NAN).is_err());
}

#[test]
fn names_repeat_and_paths_tell_them_apart() {
    let mut app = app();
    let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5)).expect("a cube");
    let hand = || Geometry::Boxes(vec![cube]);
    let model = Model::builder()
        .part("left", None, Geometry::None)
        .part("hand", Some("left"), hand())
        .part("right", None, Geometry::None)
        .part("hand (2)", Some("right"), hand());
    let root = root(&mut app, model.build(&Build::default()).expect("a model"));
    // Spawned in reverse order.
    let right = named(&mut app, "right", root, Vec3::ZERO);
    let right_hand = named(&mut app, "hand", right, Vec3::X);
    let left = named(&mut app, "left", root, Vec3::ZERO);
    let left_hand = named(&mut app, "hand", left, -Vec3::X);
    app.update();
    assert_eq!(joint(&app, root, 1), Some(left_hand));
    assert_eq!(joint(&app, root, 3), Some(right_hand));
}

#[test]
fn nodes_tell_joints_apart_where_names_lie() {
    let mut app = app();
    let puppet = Puppet::spawn(&mut app, &Pose::identity());
    let loaded = fighter();
    for (&entity, node) in puppet.joints.iter().zip(&loaded.nodes) {
        let node = JointNode(node.expect("a node"));
        app.world_mut().entity_mut(entity).insert((node, Name::new("bone")));
    }
    // A hat of another file, whose nodes have the same numbers.
    let hat = named(&mut app, "hat", puppet.root, Vec3::ZERO);
    app.world_mut().entity_mut(hat).insert(JointNode(9999));
    app.world_mut().entity_mut(puppet.root).insert(Character::from_loaded(loaded));
    app.update();
    for (part, &entity) in puppet.joints.iter().enumerate() {
        assert_eq!(joint(&app, puppet.root, part), Some(entity));
    }
}

#[test]
fn where_nodes_of_two_files_meet_the_name_decides() {
    let mut app = app();
    let puppet = Puppet::spawn(&mut app, &Pose::identity());
    for (&entity, node) in puppet.joints.iter().zip(&fighter().nodes) {
        app.world_mut().entity_mut(entity).insert(JointNode(node.expect("a node")));
    }
    let hand = fighter().model.part("left_hand").expect("a part").index();
    // A child of the root before the hand in the order of entities.
    let hat = named(&mut app, "hat", puppet.root, Vec3::ZERO);
    app.world_mut().entity_mut(hat).insert(JointNode(fighter().nodes[hand].expect("a node")));
    app.world_mut().entity_mut(puppet.root).insert_children(0, &[hat]);
    app.world_mut().entity_mut(puppet.root).insert(Character::from_loaded(fighter()));
    app.update();
    assert_eq!(joint(&app, puppet.root, hand), Some(puppet.joints[hand]));
}

#[test]
fn entities_below_another_character_are_that_one_s() {
    let mut app = app();
    let outer = root(&mut app, model(&["one"]));
    let one = named(&mut app, "one", outer, Vec3::ZERO);
    // A sword in the hand, first in the order, with a part of the same name.
    let sword = app.world_mut().spawn((
        Character::new(model(&["one"])),
        Transform::from_xyz(0.9, 0.0, 0.0),
        ChildOf(outer),
    ));
    let sword = sword.id();
    let blade = named(&mut app, "one", sword, Vec3::ZERO);
    app.world_mut().entity_mut(outer).insert_children(0, &[sword]);
    assert_eq!(step(&mut app).len(), 1, "the sword touches the hand: they are two characters");
    assert_eq!((joint(&app, outer, 0), joint(&app, sword, 0)), (Some(one), Some(blade)));
}

#[test]
fn the_root_of_a_puppet_moves_all_of_it() {
    let mut app = app();
    let red = spawn_fighter(&mut app, &Pose::identity());
    app.update();
    let key = boxwood(&app).key(red.root).expect("a key");
    let before = boxwood(&app).scene().poses(key).expect("poses").to_vec();
    let turn = Transform::from_xyz(1.0, 2.0, 3.0).with_rotation(Quat::from_rotation_y(1.0));
    app.world_mut().entity_mut(red.root).insert(turn);
    app.update();
    let moved = Isometry3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::y());
    for (now, before) in boxwood(&app).scene().poses(key).expect("poses").iter().zip(&before) {
        let expected = moved * before;
        assert!((now.translation.vector - expected.translation.vector).norm() < 1e-5);
        assert!(now.rotation.angle_to(&expected.rotation) < 2e-3);
    }
}
