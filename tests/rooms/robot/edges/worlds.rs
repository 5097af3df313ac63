//! Edges of robots in a world of parts that stand still.

use std::sync::Arc;

use boxwood::f64::{Buffers, Model, Scene, Spawn};
use boxwood::robot::{Edge, EdgeChecker, EdgePart, EdgeScratch};
use boxwood::{Build, CharacterKey, CollisionGroups, Error, PartId};

use super::closed_forms::{Made, ball, block, made, turn, verdict};
use super::samples::Kind;
use boxwood::f64::Geometry;
use boxwood::motion::JointKind;
use support::closed_meshes::{cube, solid};
use support::prelude::*;

/// A ball of radius 0.1 on an arm of length 1 about z.
fn arm() -> Made {
    made(
        vec![
            (None, [0.0; 3], JointKind::Fixed, block([0.0, 0.0, -9.0], [0.1; 3])),
            (None, [0.0; 3], turn(0), ball([1.0, 0.0, 0.0], 0.1)),
        ],
        &[None],
    )
}

fn character(scene: &mut Scene, geometry: Geometry, at: [f64; 3]) -> (Arc<Model>, CharacterKey) {
    let builder = Model::builder().part("empty", None, Geometry::None);
    let model = builder.part("body", None, geometry).build(&Build::default()).expect("a model");
    let spawn = Spawn::at(Isometry3::translation(at[0], at[1], at[2]));
    let key = scene.insert(&model, spawn).expect("a character");
    (model, key)
}

/// A tip falls to a floor of the world at the ends of the edge.
#[test]
fn gaps_to_a_floor_are_decided() {
    let Made { mechanism, model } = arm();
    for angle in [0.1, 0.4_f64] {
        let lowest = (0.5 * angle).cos() - 0.1;
        for (gap, free) in [(2e-3, true), (-1e-9, false), (0.0, false), (-1e-3, false)] {
            let mut scene = Scene::new();
            let floor = block([0.0; 3], [0.5, 4.0, 4.0]);
            let (_, key) = character(&mut scene, floor, [lowest - gap - 0.5, 0.0, 0.0]);
            let mut buffers = Buffers::new();
            let now = scene.snapshot(&mut buffers);
            let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
            let checker = checker.world(&now).expect("a world");
            let found = verdict(&checker, &[-0.5 * angle], &[0.5 * angle]);
            assert_eq!(found == Kind::Free, free, "{gap}");
            if gap <= -1e-3 {
                let mut scratch = EdgeScratch::default();
                let edge = checker.check(&[-0.5 * angle], &[0.5 * angle], &mut scratch);
                let Ok(Edge::Collides { a, b, .. }) = edge else { panic!("they overlap") };
                let world = EdgePart::World { character: key, part: PartId::new(1) };
                assert_eq!((a, b), (PartId::new(1), world));
            }
        }
    }
}

/// Many balls of the world: the verdict is that of the one that is hit, wherever they are.
#[test]
fn one_of_many_obstacles_decides() {
    let Made { mechanism, model } = arm();
    let mut random = Random(5921);
    let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
    for _ in 0..60 {
        let direction = random.direction().map(|x| x * random.between(1.5, 6.0));
        // Not within reach of the arm.
        character(&mut scene, ball([0.0; 3], 0.2), direction);
    }
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    let angle = 0.7_f64;
    let free = checker.clone().world(&scene.snapshot(&mut buffers)).expect("a world");
    assert_eq!(verdict(&free, &[-1.0], &[1.0]), Kind::Free);
    drop(free);
    let (_, post) = character(&mut scene, ball([0.0; 3], 0.05), [angle.cos(), angle.sin(), 0.0]);
    let now = scene.snapshot(&mut buffers);
    let hit = checker.clone().world(&now).expect("a world");
    assert_eq!(verdict(&hit, &[-1.0], &[1.0]), Kind::Collides);
    assert_eq!(verdict(&hit, &[-1.0], &[0.5]), Kind::Free);
    let without = checker.clone().world_without(&now, &[post]).expect("a world");
    assert_eq!(verdict(&without, &[-1.0], &[1.0]), Kind::Free);
    // The margin counts for the world, too.
    let near = hit.clone().margin(0.2);
    assert_eq!(verdict(&near, &[-1.0], &[0.45]), Kind::Collides);
    let other = Scene::new();
    assert_eq!(
        EdgeChecker::new(&mechanism, &model)
            .expect("a robot")
            .world_without(&other.snapshot(&mut Buffers::new()), &[post])
            .map(|_| ()),
        Err(Error::ForeignKey)
    );
}

#[test]
fn a_part_inside_an_obstacle_collides() {
    let Made { mechanism, model } = arm();
    let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
    character(&mut scene, solid(cube([3.0; 3])), [0.0; 3]);
    let now = scene.snapshot(&mut buffers);
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    let checker = checker.world(&now).expect("a world");
    assert_eq!(verdict(&checker, &[-1.0], &[1.0]), Kind::Collides);
}

/// A robot with a base is decided as the same robot at the origin of a world that is moved the other
/// way; before the world is given, after it, and again.
#[test]
fn a_base_is_a_place_in_the_world() {
    let Made { mechanism, model } = arm();
    let (mut random, mut kinds) = (Random(5924), [0; 2]);
    for _ in 0..cases(300) {
        let base = Isometry3::new(
            random.direction().map(|x| 3.0 * x).into(),
            random.direction().map(|x| 2.0 * x).into(),
        );
        let (mut world, mut moved) = (Scene::new(), Scene::new());
        for _ in 0..3 {
            let at = random.direction().map(|x| x * random.between(0.9, 1.4));
            let at = Isometry3::new(at.into(), random.direction().into());
            for (scene, pose) in [(&mut world, base * at), (&mut moved, at)] {
                let (_, key) = character(scene, block([0.0; 3], [0.1, 0.2, 0.05]), [0.0; 3]);
                scene.set_root(key, &pose).expect("a pose");
            }
        }
        let (mut buffers, mut others) = (Buffers::new(), Buffers::new());
        let (now, other) = (world.snapshot(&mut buffers), moved.snapshot(&mut others));
        let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
        let elsewhere = Isometry3::translation(50.0, 0.0, 0.0);
        let after = checker.clone().world(&now).expect("a world");
        let after = after.base(&elsewhere).expect("a pose");
        assert_eq!(verdict(&after, &[-1.0], &[1.0]), Kind::Free);
        let after = after.base(&base).expect("a pose");
        let before = checker.clone().base(&base).expect("a pose").world(&now).expect("a world");
        let expected = verdict(&checker.world(&other).expect("a world"), &[-1.0], &[1.0]);
        for based in [after, before] {
            assert_eq!(verdict(&based, &[-1.0], &[1.0]), expected);
        }
        kinds[usize::from(expected == Kind::Free)] += 1;
    }
    assert!(kinds.iter().all(|&kind| kind > cases(300) / 8), "{kinds:?}");
}

/// Single precision rounds the world in the frame of a far base, by no more than is stated.
#[test]
fn a_far_base_in_single_precision() {
    let Made { mechanism, .. } = arm();
    let ball = boxwood::Sphere::new([1.0_f32, 0.0, 0.0].into(), 0.1).expect("a ball");
    let half = nalgebra::Vector3::repeat(1.0_f32);
    let wall = boxwood::Obb::from_pose(&Isometry3::identity(), half).expect("a box");
    let one = |name: &str, geometry| boxwood::Model::builder().part(name, None, geometry);
    let model = one("link 0", boxwood::Geometry::None);
    let model = model.part("link 1", None, boxwood::Geometry::Convex(vec![ball.into()]));
    let model = model.build(&Build::default()).expect("a model");
    let wall = one("wall", boxwood::Geometry::Boxes(vec![wall]));
    let wall = wall.build(&Build::default()).expect("a model");
    let far = 4096.0_f32;
    // The tip gets to 1.1 at an angle of 0. Two lengths of 4098 are rounded.
    let bound = 2.0 * 4098.0 / 2.0_f32.powi(22);
    for (gap, free) in [(0.0015 + bound, true), (-bound, false)] {
        let mut scene = boxwood::Scene::new();
        let at = Isometry3::translation(far + 1.1 + gap + 1.0, 0.0, 0.0);
        scene.insert(&wall, boxwood::Spawn::at(at)).expect("a character");
        let mut buffers = boxwood::Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
        let base = Isometry3::translation(far, 0.0, 0.0);
        let checker = checker.world(&now).expect("a world").base(&base).expect("a pose");
        let mut scratch = EdgeScratch::default();
        let edge = checker.check(&[-0.3], &[0.3], &mut scratch).expect("an edge");
        assert_eq!(edge.is_free(), free, "{gap}: {edge:?}");
    }
}

/// A robot of kilometres in single precision: a tolerance below the rounding of its poses ends in an
/// undecided edge, not in intervals without end.
#[test]
fn tolerances_below_the_rounding_of_poses_end() {
    let size = 4096.0;
    let links = vec![
        (None, [0.0; 3], JointKind::Fixed, Geometry::None),
        (None, [0.0; 3], turn(0), Geometry::None),
    ];
    let Made { mechanism, .. } = made(links, &[None]);
    let ball = boxwood::Sphere::new([size, 0.0, 0.0].into(), 1.0_f32).expect("a ball");
    let post = boxwood::Sphere::new([size + 2.0, 0.0, 0.0].into(), 1.0_f32).expect("a ball");
    let round = |ball: boxwood::Sphere| boxwood::Geometry::Convex(vec![ball.into()]);
    let model = boxwood::Model::builder()
        .part("link 0", None, round(post))
        .part("link 1", None, round(ball))
        .build(&Build::default())
        .expect("a model");
    // The tip touches the post at an angle of 0, and passes it by 0.1 mm at others.
    for (tolerance, from, to) in [(1e-3, -0.1, 0.1), (1e-6, -0.1, 0.2), (1e-9, 1e-4, 0.3)] {
        let checker = EdgeChecker::new(&mechanism, &model).expect("a robot").tolerance(tolerance);
        let mut scratch = EdgeScratch::default();
        let edge = checker.check(&[from], &[to], &mut scratch).expect("an edge");
        assert!(!edge.is_free() || from > 0.0, "{edge:?}");
        if let Edge::Undecided { slack, .. } = edge {
            assert!(slack <= 0.05, "{slack}");
        }
        assert!(scratch.samples() < 100_000, "{} samples", scratch.samples());
    }
}

#[test]
fn bases_that_are_no_poses_are_refused() {
    let Made { mechanism, model } = arm();
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    let refused = |base: Isometry3<f64>| checker.clone().base(&base).map(|_| ());
    let nan = Isometry3::translation(f64::NAN, 0.0, 0.0);
    assert_eq!(refused(nan), Err(Error::NotFinite { field: "base", index: 0 }));
    let long = nalgebra::Quaternion::new(2.0, 0.0, 0.0, 0.0);
    let long = nalgebra::UnitQuaternion::new_unchecked(long);
    let long = Isometry3::from_parts(Default::default(), long);
    assert_eq!(refused(long), Err(Error::NotUnit { field: "base", index: 0, length: 2.0 }));
}

/// Switched-off parts and groups that do not interact are not tested; nor is the robot against
/// itself on request.
#[test]
fn switches_and_groups_count() {
    let Made { mechanism, model } = arm();
    let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
    let (_, post) = character(&mut scene, ball([0.0; 3], 0.05), [1.0, 0.0, 0.0]);
    let body = PartId::new(1);
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    let mut found = |scene: &Scene| {
        let checker = checker.clone().world(&scene.snapshot(&mut buffers)).expect("a world");
        verdict(&checker, &[-1.0], &[1.0])
    };
    assert_eq!(found(&scene), Kind::Collides);
    scene.set_part_enabled(post, body, false).expect("a part");
    assert_eq!(found(&scene), Kind::Free);
    scene.set_part_enabled(post, body, true).expect("a part");
    let none = CollisionGroups { memberships: 2, filter: 0 };
    scene.set_groups(post, body, none).expect("a part");
    assert_eq!(found(&scene), Kind::Free);

    let Made { mechanism, model } = made(
        vec![
            (None, [0.0; 3], JointKind::Fixed, ball([1.0, 0.0, 0.0], 0.1)),
            (None, [0.0; 3], turn(0), ball([1.0, 0.0, 0.0], 0.1)),
        ],
        &[None],
    );
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
    assert_eq!(verdict(&checker, &[-1.0], &[1.0]), Kind::Collides);
    assert_eq!(verdict(&checker.self_collision(false), &[-1.0], &[1.0]), Kind::Free);
}

/// Whichever collision a query finds, nothing touches before the fraction up to which it calls the
/// edge free.
#[test]
fn nothing_touches_before_the_fraction_that_is_called_clear() {
    let Made { mechanism, model } = arm();
    let (mut random, mut scratch) = (Random(5922), EdgeScratch::default());
    let (mut collisions, mut later) = (0, 0);
    for _ in 0..60 {
        let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
        for _ in 0..4 {
            let angle = random.between(-2.5, 2.5);
            let at = [angle.cos(), angle.sin(), random.between(-0.2, 0.2)];
            character(&mut scene, ball([0.0; 3], random.between(0.02, 0.1)), at);
        }
        let now = scene.snapshot(&mut buffers);
        let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
        let checker = checker.world(&now).expect("a world");
        let ends = [[random.between(-3.0, 3.0)], [random.between(-3.0, 3.0)]];
        for first in [false, true] {
            let edge = match first {
                false => checker.check(&ends[0], &ends[1], &mut scratch),
                true => checker.first(&ends[0], &ends[1], &mut scratch),
            };
            let Ok(Edge::Collides { fraction, clear_until, .. }) = edge else { continue };
            assert!(clear_until <= fraction && (first || clear_until == 0.0), "{clear_until}");
            collisions += 1;
            later += usize::from(clear_until > 0.0);
            // A fraction of 0 states nothing.
            for sample in (0..200).filter(|_| clear_until > 0.0) {
                let at = clear_until * f64::from(sample) / 200.0;
                let value = [ends[0][0] + at * (ends[1][0] - ends[0][0])];
                let edge = checker.check(&value, &value, &mut scratch).expect("a configuration");
                let touches = matches!(edge, Edge::Collides { .. });
                assert!(!touches, "{at} before {clear_until}");
            }
        }
    }
    assert!(collisions > 40 && later > 10, "{collisions} {later}");
}
