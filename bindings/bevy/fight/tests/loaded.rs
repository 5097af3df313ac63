//! Characters as assets beside Bevy's own loader of the same file: joints are found by their nodes,
//! and the hits are those of the library in the same poses.

use bevy::ecs::message::Messages;
use bevy::prelude::*;
use bevy_boxwood::boxwood::nalgebra::Isometry3;
use bevy_boxwood::boxwood::{Buffers, Hits, Loaded, PairQuery, Pose, Scene, Spawn, load};
use bevy_boxwood::prelude::*;
use bevy_boxwood::{CharacterProblem, JointNode};
use fight::{folder, headless, loaded};

/// Largest difference of two depths [m].
const DEPTH: f32 = 1e-4;

/// Events that observers got, in their order.
#[derive(Resource, Default)]
struct Begun(Vec<(Entity, PartOf)>);

/// Names of the touching parts and their depths, of fighters at rest at these places.
fn by_hand(fighter: &Loaded, places: &[Pose]) -> Vec<([String; 2], f32)> {
    let mut scene = Scene::new();
    let rest = fighter.skeleton.rest_poses();
    for (order, place) in places.iter().enumerate() {
        let spawn = Spawn::default().order(order as u64);
        let key = scene.insert(&fighter.model, spawn).expect("a character");
        scene.set_joints(key, place, &rest).expect("poses");
    }
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    now.contacts(&PairQuery::all(), &mut hits).expect("a query");
    let name = |part| fighter.model[part].name().to_owned();
    hits.iter().map(|hit| ([name(hit.a.part), name(hit.b.part)], hit.depth)).collect()
}

#[test]
fn characters_are_assets_of_the_file_that_bevy_draws() {
    let mut app = headless::app(loaded::fighters);
    app.init_resource::<Begun>();
    app.add_observer(|touch: On<TouchBegin>, mut begun: ResMut<Begun>| {
        begun.0.push((touch.entity, touch.part));
    });
    let frames = headless::wait(&mut app).expect("two fighters");
    println!("both fighters were there after {frames} frames");
    app.world_mut().resource_mut::<Messages<Touched>>().clear();
    app.update();

    let fighter = load::gltf(folder().join("fighter.glb")).expect("the fighter");
    let world = app.world_mut();
    let mut roots = world.query::<(Entity, &CharacterRoot, &Transform)>();
    let roots: Vec<(Entity, Transform)> =
        roots.iter(world).map(|(entity, _, &place)| (entity, place)).collect();
    assert_eq!(roots.len(), 2);
    let touched: Vec<Touched> = world.resource_mut::<Messages<Touched>>().drain().collect();
    let problems: Vec<CharacterProblem> =
        world.resource_mut::<Messages<CharacterProblem>>().drain().collect();
    assert_eq!(problems, []);

    // Every joint is the entity that Bevy's loader made from the node of the same number.
    let boxwood = world.resource::<Boxwood>();
    for &(character, _) in &roots {
        for (part, node) in fighter.model.parts().iter().zip(&fighter.nodes) {
            let part = fighter.model.part(part.name()).expect("a part");
            let joint = boxwood.joint(PartOf { character, part }).expect("a joint");
            assert_eq!(world.get::<JointNode>(joint).map(|node| node.0), *node);
        }
    }

    // In the order of answers, in which the first to arrive is the first.
    let first = touched.first().expect("a touch").a;
    let place = |of: Entity| {
        let (_, place) = roots.iter().find(|(entity, _)| *entity == of).expect("a root");
        let [x, y, z] = place.translation.to_array();
        Isometry3::translation(x, y, z)
    };
    let second = touched[0].b;
    let expected = by_hand(&fighter, &[place(first), place(second)]);
    let name = |character, part| boxwood.part_name(PartOf { character, part }).to_owned();
    let pairs = touched.iter().map(|hit| [name(hit.a, hit.parts[0]), name(hit.b, hit.parts[1])]);
    let names: Vec<_> = expected.iter().map(|(names, _)| names.clone()).collect();
    assert_eq!(pairs.collect::<Vec<_>>(), names);
    println!("{} pairs touch", names.len());
    assert!(names.len() > 3, "they hardly touch: {names:?}");
    for (hit, (names, depth)) in touched.iter().zip(&expected) {
        assert!((hit.depth - depth).abs() < DEPTH, "{names:?}: {} and {depth}", hit.depth);
        assert!(hit.phase == TouchPhase::Stay && [hit.a, hit.b] == [first, second]);
    }

    // The events of both sides went from the joint up to the character.
    let begun = &world.resource::<Begun>().0;
    let at_characters = begun.iter().filter(|(entity, part)| *entity == part.character).count();
    assert_eq!(at_characters, 2 * touched.len());
    assert!(begun.iter().any(|&(entity, part)| boxwood.joint(part) == Some(entity)));
}
