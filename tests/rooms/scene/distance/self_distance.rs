//! Self-distance of a model from poses alone: against brute force over all triangles, and against
//! the scene.

use boxwood::load::Loader;
use boxwood::model::{Model, SelfQueryScratch};
use boxwood::motion::Joints;
use boxwood::scene::{Buffers, Hits, Scene};
use boxwood::shape::{Obb, Pose};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, CollisionGroups, Error, PairQuery, PartId};

use support::part_distance::{self, Placed};
use support::prelude::*;

/// Computes the least distance over all triangles of all pairs of parts that are tested.
fn truth<T: Scalar>(model: &Model<T>, poses: &[Pose<T>]) -> f64 {
    let placed: Vec<Option<Placed>> = model
        .parts()
        .iter()
        .zip(poses)
        .map(|(part, pose)| part.tree().map(|tree| Placed::new(tree, pose)))
        .collect();
    let mut least = f64::MAX;
    for (i, a) in placed.iter().enumerate() {
        for (j, b) in placed.iter().enumerate().skip(i + 1) {
            let (p, q) = (PartId::new(i), PartId::new(j));
            let groups = [i, j].map(|k| model.parts()[k].groups());
            if let (Some(a), Some(b)) = (a, b)
                && !model.ignores(p, q)
                && groups[0].interacts_with(groups[1])
            {
                least = part_distance::below(a, b, least);
            }
        }
    }
    least
}

/// Runs the query at every accuracy; returns `true` if the parts are separate.
fn check<T: Scalar>(model: &std::sync::Arc<Model<T>>, poses: &[Pose<T>]) -> bool {
    let (mut scratch, least) = (SelfQueryScratch::default(), truth(model, poses));
    let own = if T::ROUNDING > 1e-10 { 1e-5 } else { 1e-9 };
    let mut scene = Scene::new();
    let key = insert_posed(&mut scene, model, poses);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let mut apart = false;
    for accuracy in
        [Accuracy::Depth(1), Accuracy::Depth(4), Accuracy::Within(0.01), Accuracy::Exact]
    {
        let mut ask =
            |max_distance| model.self_distance(poses, accuracy, max_distance, &mut scratch);
        let found = ask(f64::INFINITY).expect("a question").expect("parts");
        let (distance, slack) = (found.distance.wide(), found.slack.wide());
        let (a, b) = (found.a.part, found.b.part);
        assert!(a < b && !model.ignores(a, b));
        assert!(distance <= least * (1.0 + own) + own, "{accuracy:?}: {distance} above {least}");
        let touch = model.self_intersects(poses, accuracy, &mut SelfQueryScratch::default());
        let touch = touch.expect("a question");
        assert!(!touch || distance == 0.0);
        if accuracy == Accuracy::Exact {
            assert_eq!(touch, distance == 0.0);
            apart = !touch;
        }
        if distance > 0.0 {
            assert!(least <= distance + slack + own, "{accuracy:?}: {least}, {distance} + {slack}");
            assert_eq!(ask(0.9 * distance).expect("a question"), None);
        }
        let again = ask(distance + slack + own).expect("a question");
        assert!(again.is_some_and(|again| again.distance <= found.distance));
        assert!(accuracy != Accuracy::Exact || again == Some(found));
        // The scene gives the same answer.
        let there = now.distance(&PairQuery::within(key).accuracy(accuracy), hits.scratch());
        let there = there.expect("a question").expect("parts");
        assert_eq!((there.a.part, there.b.part), (a, b));
        assert_eq!((there.a.node, there.b.node), (found.a.node, found.b.node));
        assert_eq!(there.distance.bits(), found.distance.bits());
        assert_eq!((there.on_a, there.on_b), (found.on_a, found.on_b));
    }
    apart
}

#[test]
fn fighters_in_their_clips() {
    let body = support::fighter::fighter();
    let (mut asked, mut apart) = (0, 0);
    for name in ["walk", "jab", "kick", "guard"] {
        let clip = body.clips.get(name).expect("a clip");
        for step in 0..3 {
            let t = clip.duration() * step as f32 / 3.0;
            let joints = clip.sample(t, &mut Joints::new()).expect("a sample").to_vec();
            let at = turned(&mut Random(17 + step as u64), [3.0, -2.0, 1.0]);
            let poses: Vec<Pose<f32>> = joints.iter().map(|joint| at * joint).collect();
            apart += usize::from(check(&body.model, &poses));
            asked += 1;
        }
    }
    println!("{apart} of {asked} apart");
    assert!(apart > 0);
}

#[test]
fn self_distance_of_a_robot() {
    let Some(data) = support::data::data() else { return };
    let file = data.join("robots/panda/urdf/panda.urdf");
    let options = Loader::new();
    let robot: boxwood::load::Robot<f64> = options.urdf(file).expect("a robot");
    let (mut random, mut poses, mut apart) = (Random(18), Vec::new(), 0);
    for _ in 0..8 {
        let actuators = robot.mechanism.actuators();
        let values: Vec<f64> = actuators
            .iter()
            .map(|actuator| {
                let [least, most] = actuator.limits.unwrap_or([-3.0, 3.0]);
                random.between(least, most)
            })
            .collect();
        robot.mechanism.poses_unlimited(&values, &mut poses).expect("finite");
        apart += usize::from(check(&robot.model, &poses));
    }
    println!("{apart} of 8 clear");
    assert!(apart > 2);
}

/// Model of four cubes in a row, half a unit apart, each the parent of the next.
fn row(groups: [CollisionGroups; 4]) -> std::sync::Arc<Model<f64>> {
    let cube = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::repeat(0.25)).expect("one");
    let mut builder = Model::builder();
    for (i, groups) in groups.into_iter().enumerate() {
        let parent = i.checked_sub(1).map(|i| i.to_string());
        let geometry = Geometry::Boxes(vec![cube]);
        builder = builder.part(i.to_string(), parent.as_deref(), geometry).groups(groups);
    }
    builder.build(&Build::default()).expect("a model")
}

fn places() -> Vec<Pose<f64>> {
    (0..4).map(|i| upright([i as f64, 0.0, 0.0])).collect()
}

#[test]
fn neighbours_and_parts_excluded_by_groups_are_not_tested() {
    let mut scratch = SelfQueryScratch::default();
    let mut ask = |model: &Model<f64>, poses: &[Pose<f64>]| {
        let found = model.self_distance(poses, Accuracy::Exact, f64::INFINITY, &mut scratch);
        found.expect("a question").map(|found| {
            (found.a.part.index(), found.b.part.index(), (found.distance * 1e6).round() / 1e6)
        })
    };
    let all = row([CollisionGroups::ALL; 4]);
    let mut ends = places();
    ends[3] = upright([3.5, 0.0, 0.0]);
    assert_eq!(ask(&all, &ends), Some((0, 2, 1.5)));
    let mut none_first = [CollisionGroups::ALL; 4];
    none_first[0] = CollisionGroups::NONE;
    assert_eq!(ask(&row(none_first), &places()), Some((1, 3, 1.5)));
    assert_eq!(ask(&row([CollisionGroups::NONE; 4]), &places()), None);
    let mut bent = places();
    bent[3] = upright([1.0, 0.5, 0.0]);
    assert_eq!(ask(&all, &bent), Some((1, 3, 0.0)), "touching");
    bent[3] = upright([1.0, 0.625, 0.0]);
    assert_eq!(ask(&all, &bent), Some((1, 3, 0.125)));
    assert_eq!(ask(&row([CollisionGroups::ALL; 4]), &[bent[0], bent[0], bent[3], bent[3]]), {
        Some((0, 2, ask_gap([0.0; 3], [1.0, 0.625, 0.0])))
    });
}

/// Computes the distance of axis-aligned cubes of half extent one half.
fn ask_gap(a: [f64; 3], b: [f64; 3]) -> f64 {
    let along = [0, 1, 2].map(|i: usize| ((a[i] - b[i]).abs() - 0.5).max(0.0));
    let square: f64 = along.iter().map(|x| x * x).sum();
    (square.sqrt() * 1e6).round() / 1e6
}

#[test]
fn invalid_queries_are_refused() {
    let (model, mut scratch, poses) =
        (row([CollisionGroups::ALL; 4]), SelfQueryScratch::default(), places());
    let mut ask = |poses: &[Pose<f64>], accuracy, max_distance| {
        model.self_distance(poses, accuracy, max_distance, &mut scratch).map(|_| ())
    };
    let far = f64::INFINITY;
    assert!(matches!(ask(&poses[1..], Accuracy::Exact, far), Err(Error::WrongCount { .. })));
    assert!(matches!(ask(&poses, Accuracy::Budget(9), far), Err(Error::BadQuery { .. })));
    assert!(matches!(ask(&poses, Accuracy::Within(-1.0), far), Err(Error::Negative { .. })));
    let max_distance = ask(&poses, Accuracy::Exact, f64::NAN);
    assert_eq!(max_distance, Err(Error::NotFinite { field: "largest distance", index: 0 }));
    let max_distance = ask(&poses, Accuracy::Exact, -1.0);
    assert_eq!(max_distance, Err(Error::Negative { field: "largest distance", index: 0 }));
    let mut lost = poses.clone();
    lost[2] = Isometry3::translation(f64::NAN, 0.0, 0.0);
    assert!(matches!(
        ask(&lost, Accuracy::Exact, far),
        Err(Error::NotFinite { field: "pose", index: 2 })
    ));
    assert_eq!(ask(&poses, Accuracy::Exact, 0.0), Ok(()));
}

#[test]
fn pairs_of_primitives_are_counted_once() {
    let (model, mut scratch) = (row([CollisionGroups::ALL; 4]), SelfQueryScratch::default());
    let mut poses = places();
    // Only one pair remains, and distance and overlap are both tested on it.
    poses[1] = upright([0.0, 0.0, 9.0]);
    poses[2] = upright([0.5, 0.0, 0.0]);
    poses[3] = upright([0.0, 9.0, 0.0]);
    let found = model.self_distance(&poses, Accuracy::Exact, 0.25, &mut scratch);
    assert_eq!(found.expect("a question").expect("they touch").distance, 0.0);
    assert_eq!(scratch.counts().primitives, 1);
}
