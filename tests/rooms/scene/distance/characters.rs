//! Distances of fighters, real characters and robots, and of solids inside solids.

use boxwood::load::Loader;
use std::collections::HashMap;
use std::sync::Arc;

use boxwood::model::Model;
use boxwood::motion::Joints;
use boxwood::pair::ClosestPoints;
use boxwood::scene::{Buffers, CharacterKey, Hits, NodeRef, Scene, Spawn};
use boxwood::shape::Pose;
use boxwood::tree::Geometry;
use boxwood::{Accuracy, PairQuery, PartId};

use support::part_distance::{self, Placed};
use support::prelude::*;

const DIAL: [Accuracy; 4] =
    [Accuracy::Depth(1), Accuracy::Depth(4), Accuracy::Within(0.01), Accuracy::Exact];

/// Computes the least distance over all pairs of parts, by brute force over all triangles; bounding
/// balls skip far pairs of parts.
fn truth<T: Scalar>(
    scene: &Scene<T>,
    keys: [CharacterKey; 2],
    chosen: impl Fn(usize, usize) -> bool,
) -> f64 {
    let mut placed: HashMap<(usize, usize), (Placed, [f64; 3], f64)> = HashMap::new();
    for (side, &key) in keys.iter().enumerate() {
        let poses = scene.poses(key).expect("a key");
        for (i, part) in scene.model(key).expect("a key").parts().iter().enumerate() {
            let Some(tree) = part.tree() else { continue };
            let centre = [0, 1, 2].map(|k| poses[i].translation.vector[k].wide());
            let one = (Placed::new(tree, &poses[i]), centre, tree.radius_about_origin().wide());
            placed.insert((side, i), one);
        }
    }
    let mut pairs = Vec::new();
    for (&(_, i), (a, at, reach)) in placed.iter().filter(|((side, _), _)| *side == 0) {
        for (&(_, j), (b, to, other)) in placed.iter().filter(|((side, _), _)| *side == 1) {
            let apart =
                support::plain_box::norm(support::plain_box::minus(*at, *to)) - reach - other;
            if chosen(i, j) {
                pairs.push((apart, a, b));
            }
        }
    }
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut least = f64::MAX;
    for (apart, a, b) in pairs {
        if apart < least {
            least = part_distance::below(a, b, least);
        }
    }
    least
}

/// Runs the query at every accuracy, in both orders; `inside` if a solid may contain another, which
/// brute force does not detect.
fn check<T: Scalar>(
    scene: &Scene<T>,
    keys: [CharacterKey; 2],
    truth: f64,
) -> [Option<ClosestPoints<T, NodeRef>>; 4] {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let [a, b] = keys;
    DIAL.map(|accuracy| {
        let found = now.distance(&PairQuery::between(a, b).accuracy(accuracy), hits.scratch());
        let found = found.expect("a question");
        let back = now.distance(&PairQuery::between(b, a).accuracy(accuracy), hits.scratch());
        assert_eq!(found, back.expect("a question").map(|found| found.reversed()));
        let touch = now.intersects(&PairQuery::between(a, b).accuracy(accuracy), hits.scratch());
        let touch = touch.expect("a question");
        let one = found.expect("something of both");
        assert!(!touch || one.distance == T::zero(), "{accuracy:?}");
        assert!(accuracy != Accuracy::Exact || touch == (one.distance == T::zero()));
        let (distance, slack) = (one.distance.wide(), one.slack.wide());
        let own = if T::ROUNDING > 1e-10 { 1e-5 } else { 1e-9 };
        assert!(distance <= truth * (1.0 + own) + own, "{accuracy:?}: {distance} above {truth}");
        if distance > 0.0 || !touch {
            let most = distance + slack + own;
            assert!(truth <= most, "{accuracy:?}: {truth} above {distance} + {slack}");
        }
        found
    })
}

fn meet(
    model: &Arc<Model<f32>>,
    at: [Pose<f32>; 2],
    joints: [&[Pose<f32>]; 2],
) -> (Scene<f32>, [CharacterKey; 2]) {
    let mut scene = Scene::new();
    let keys = [0, 1].map(|_| scene.insert(model, Spawn::default()).expect("a character"));
    for i in 0..2 {
        scene.set_joints(keys[i], &at[i], joints[i]).expect("poses");
    }
    (scene, keys)
}

#[test]
fn fighters_in_their_clips_against_brute_force() {
    let body = support::fighter::fighter();
    let (mut random, mut apart, mut asked) = (Random(91), 0, 0);
    for (a, b) in [("walk", "idle"), ("jab", "guard"), ("kick", "jab")] {
        for step in 0..4 {
            let sample = |name: &str| {
                let clip = body.clips.get(name).expect("a clip");
                let t = clip.duration() * step as f32 / 4.0;
                clip.sample(t, &mut Joints::new()).expect("a sample").to_vec()
            };
            let joints = [sample(a), sample(b)];
            let far = [0.2, 0.5, 1.0, 2.0][step];
            let at = [upright([0.0; 3]), turned(&mut random, [0.3, 0.1, far])];
            let (scene, keys) = meet(&body.model, at, [&joints[0], &joints[1]]);
            let found = check(&scene, keys, truth(&scene, keys, |_, _| true));
            apart += usize::from(found[3].is_some_and(|found| found.distance > 0.0));
            asked += 1;
        }
    }
    println!("{apart} of {asked} apart");
    assert!(3 * apart > asked && apart < asked);
}

#[test]
fn chosen_parts_and_largest_distances() {
    let body = support::fighter::fighter();
    let joints = body.model.bind_poses();
    let (mut random, mut refused, mut asked) = (Random(92), 0, 0);
    let count = body.model.len();
    for _ in 0..12 {
        let at = [0.0, 1.2].map(|z| turned(&mut random, [0.0, 0.0, z]));
        let (scene, keys) = meet(&body.model, at, [&joints, &joints]);
        let mut choose =
            || -> Vec<PartId> { (0..4).map(|_| PartId::new(random.below(count))).collect() };
        let (of_a, of_b) = (choose(), choose());
        let chosen =
            |i: usize, j: usize| of_a.contains(&PartId::new(i)) && of_b.contains(&PartId::new(j));
        let least = truth(&scene, keys, chosen);
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let now = scene.snapshot(&mut buffers);
        let apart = PairQuery::between(keys[0], keys[1]).parts(&of_a, &of_b);
        let all = now.distance(&apart, hits.scratch()).expect("a question").expect("parts");
        let distance = f64::from(all.distance);
        assert!((distance - least).abs() < 1e-5 || distance == 0.0, "{distance}, not {least}");
        for share in [0.5, 0.9, 1.1, 3.0] {
            let cut = apart.clone().max_distance(distance * share);
            let found = now.distance(&cut, hits.scratch()).expect("a question");
            let expected = (share > 1.0 || distance == 0.0).then_some(all);
            assert_eq!(found, expected);
            (refused, asked) = (refused + usize::from(found.is_none()), asked + 1);
        }
    }
    println!("{refused} of {asked} beyond the cut-off");
    assert!(10 * refused > asked && 2 * refused <= asked);
}

#[test]
fn real_characters_against_brute_force() {
    let Some(data) = support::data::data() else { return };
    let mut random = Random(93);
    for name in
        ["kaykit-knight/Knight", "fox/Fox", "robot-expressive/robot", "quaternius-snake/Snake"]
    {
        let path = data.join(format!("characters/{name}.glb"));
        let loaded: boxwood::load::Loaded<f32> = boxwood::load::gltf(path).expect("a character");
        let joints = loaded.model.bind_poses();
        let (mut buffers, mut size) = (Buffers::new(), 0.0);
        let mut apart = 0;
        for round in 0..3 {
            let far = [0.0, 1.3, 1.05][round] * size;
            let at = [upright([0.0; 3]), turned(&mut random, [far, 0.1 * far, 0.0])];
            let (scene, keys) = meet(&loaded.model, at, [&joints, &joints]);
            size = f64::from(
                scene.snapshot(&mut buffers).character_aabb(keys[0]).expect("a key").diagonal(),
            );
            let found = check(&scene, keys, truth(&scene, keys, |_, _| true));
            apart += usize::from(found[3].is_some_and(|found| found.distance > 0.0));
        }
        println!("{name}: {apart} of 3 apart");
        assert!((1..3).contains(&apart), "{name}");
    }
}

#[test]
fn self_distance_of_a_robot_in_a_scene() {
    let Some(data) = support::data::data() else { return };
    let file = data.join("robots/panda/urdf/panda.urdf");
    let options = Loader::new();
    let robot: boxwood::load::Robot<f64> = options.urdf(file).expect("a robot");
    let (mut scene, mut random, mut apart) = (Scene::new(), Random(94), 0);
    let key = scene.insert(&robot.model, Spawn::default()).expect("a character");
    let (mut buffers, mut hits, mut poses) = (Buffers::new(), Hits::new(), Vec::new());
    for _ in 0..4 {
        let value = |limits: Option<[f64; 2]>, random: &mut Random| {
            let [least, most] = limits.unwrap_or([-3.0, 3.0]);
            random.between(least, most)
        };
        let actuators = robot.mechanism.actuators();
        let values: Vec<f64> = actuators.iter().map(|d| value(d.limits, &mut random)).collect();
        robot.mechanism.poses_unlimited(&values, &mut poses).expect("finite");
        scene.set_parts(key, &poses).expect("poses");
        let now = scene.snapshot(&mut buffers);
        let found = now.distance(&PairQuery::within(key), hits.scratch()).expect("a question");
        let found = found.expect("links");
        let model = &robot.model;
        let counts = |i, j| i < j && !model.ignores(PartId::new(i), PartId::new(j));
        let least = truth(&scene, [key, key], counts);
        assert!(found.a.part < found.b.part);
        let distance = found.distance;
        assert!((distance - least).abs() < 1e-9 || distance == 0.0, "{distance}, not {least}");
        let touch =
            now.intersects(&PairQuery::within(key).accuracy(Accuracy::Exact), hits.scratch());
        assert_eq!(touch, Ok(distance == 0.0));
        apart += usize::from(distance > 0.0);
    }
    println!("{apart} of 4 clear");
    assert!(apart > 0);
}

/// Checks that a solid in the hollow of a surface has a distance, and one inside a solid has
/// distance zero, however far from its surface.
#[test]
fn geometry_inside_a_solid_has_distance_zero() {
    let box_of = |half: f32, solid: bool| -> Geometry<f32> {
        let corner = |i: usize| {
            nalgebra::Point3::from([0, 1, 2].map(|k| if i >> k & 1 == 1 { half } else { -half }))
        };
        let faces = [
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        let mesh = boxwood::Mesh::new((0..8).map(corner).collect(), faces.to_vec());
        let mesh = mesh.expect("a mesh");
        if solid { Geometry::Solid(mesh) } else { Geometry::Surface(mesh) }
    };
    let tree = |half, solid| default_tree(box_of(half, solid));
    let (small, hollow, full) = (tree(0.5, false), tree(4.0, false), tree(4.0, true));
    let (here, mut random) = (Isometry3::identity(), Random(95));
    for _ in 0..20 {
        let x = random.between(-1.0, 1.0);
        let there = turned(&mut random, [x, 0.3, 0.2]);
        let mut scratch = boxwood::tree::TreeScratch::default();
        for accuracy in DIAL {
            let mut ask = |outer: &boxwood::ObbTree, max_distance| {
                let pair = boxwood::tree::TreePair::new(&small, &there, outer, &here);
                pair.expect("poses")
                    .distance(accuracy, max_distance, &mut scratch)
                    .expect("a question")
            };
            let held = ask(&full, 0.1).expect("it is inside");
            assert_eq!((held.distance, held.slack >= 0.0), (0.0, true));
            assert!(held.on_a == held.on_b);
            if accuracy == Accuracy::Exact {
                let apart = ask(&hollow, f64::INFINITY).expect("no cut-off");
                assert!(apart.distance > 2.0, "{}", apart.distance);
                assert_eq!(ask(&hollow, 0.1), None);
                assert!(held.on_a.coords.amax() < 4.0);
            }
        }
    }
}
