//! Signed distances of all pairs of parts, beside single pairs, parry3d and differences along the
//! joints.

use std::sync::Arc;

use boxwood::f64::{Geometry, Model, Obb, Pose, Push, SelfQueryScratch};
use boxwood::load::Loader;
use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use boxwood::tree::{TreePair, TreeScratch};
use boxwood::{Accuracy, Build, Error, PartId, SimdLevel};

use support::parry::Peer;
use support::plain_box::UPRIGHT;
use support::prelude::*;

fn cube(half: Vector3<f64>) -> Geometry {
    Geometry::Boxes(vec![Obb::from_pose(&Isometry3::identity(), half).expect("a box")])
}

fn random_pose(random: &mut Random, size: f64) -> Pose {
    let turn = Vector3::from(random.direction()) * random.between(0.0, 3.0);
    Isometry3::new(Vector3::from(random.vector(size)), turn)
}

/// A model of boxes, of which the first two are ignored, and their half extents.
fn boxes(random: &mut Random, count: usize) -> (Arc<Model>, Vec<Vector3<f64>>) {
    let halves: Vec<Vector3<f64>> =
        (0..count).map(|_| Vector3::from_fn(|_, _| random.between(0.1, 0.6))).collect();
    let mut builder = Model::builder();
    for (index, half) in halves.iter().enumerate() {
        builder = builder.part(index.to_string(), None, cube(*half));
    }
    (builder.ignore("0", "1").build(&Build::robots()).expect("a model"), halves)
}

#[test]
fn every_pair_has_the_distance_or_the_separation_of_the_two() {
    let mut random = Random(0xd157_a4ce);
    let (mut scratch, mut tree) = (SelfQueryScratch::default(), TreeScratch::default());
    let mut tally = [0; 3];
    for case in 0..cases(600) {
        let (model, halves) = boxes(&mut random, 2 + case % 6);
        let poses: Vec<Pose> = halves.iter().map(|_| random_pose(&mut random, 1.2)).collect();
        let limit = if case % 3 == 0 { f64::INFINITY } else { random.between(0.0, 1.0) };
        let all = model.self_distances(&poses, limit, &mut scratch).expect("poses");
        let keys: Vec<_> = all.iter().map(|found| (found.a.part, found.b.part)).collect();
        assert!(keys.is_sorted() && keys.iter().all(|(a, b)| a < b));
        for a in (0..halves.len()).map(PartId::new) {
            for b in (a.index() + 1..halves.len()).map(PartId::new) {
                let found = keys.binary_search(&(a, b)).ok().map(|at| &all[at]);
                if model.ignores(a, b) {
                    assert_eq!(found, None);
                    continue;
                }
                let [one, other] = [a, b].map(|part| &poses[part.index()]);
                let trees = [a, b].map(|part| model[part].tree().expect("a box"));
                let pair = TreePair::new(trees[0], one, trees[1], other).expect("poses");
                let distance = pair.distance(Accuracy::Exact, f64::INFINITY, &mut tree);
                let distance = distance.expect("a pair").expect("no limit").distance;
                let [first, second] = [a, b].map(|part| {
                    let half = halves[part.index()].into();
                    Peer::solid(&PlainBox { center: [0.0; 3], axes: UPRIGHT, half })
                        .placed(&poses[part.index()])
                });
                let peer = first.distance(&second);
                assert!((distance - peer).abs() < 1e-6, "{case}: {distance} {peer}");
                let Some(found) = found else {
                    assert!(distance > limit * (1.0 - 1e-12), "{case}: {distance} {limit}");
                    tally[0] += 1;
                    continue;
                };
                if distance > 0.0 {
                    assert_eq!(found.distance, distance);
                    let normal = found.normal.expect("they are apart");
                    let gap = found.on_b - found.on_a;
                    assert!((gap - normal.into_inner() * distance).norm() < 1e-9, "{case}");
                    tally[1] += 1;
                } else {
                    let way = pair.separation(&Push::least(), &mut tree).expect("a push");
                    let way = way.expect("they share a point");
                    assert_eq!((found.distance, found.normal), (-way.depth, Some(way.normal)));
                    assert_eq!((found.on_a, found.on_b, found.slack), (way.on_a, way.on_b, 0.0));
                    tally[2] += 1;
                }
            }
        }
    }
    assert!(tally.iter().all(|&count| count > 10), "{tally:?}");
}

/// A chain of boxes with a joint each, one of which slides and one that follows another.
fn chain(random: &mut Random, count: usize) -> (Mechanism, Arc<Model>) {
    let (model, halves) = boxes(random, count);
    let links = (0..count).map(|index| {
        let axis = Vector3::from(random.direction()).normalize();
        let mimic = match index {
            3 => Mimic { multiplier: -0.7, offset: 0.2, ..Mimic::direct(1) },
            _ => Mimic::direct(index),
        };
        let joint = match index {
            0 => JointKind::Fixed,
            2 => JointKind::Prismatic { axis, mimic },
            _ => JointKind::Revolute { axis, mimic },
        };
        let parent = (index > 0).then(|| if index == 4 { 1 } else { index - 1 });
        let origin = random_pose(random, 0.8);
        Link { name: index.to_string(), parent, origin, joint }
    });
    let links: Vec<Link> = links.collect();
    let actuators =
        (0..halves.len()).map(|index| Actuator { name: index.to_string(), limits: None });
    (Mechanism::new(links, actuators.collect()).expect("a chain"), model)
}

/// Distances of all pairs, by configuration.
fn distances(
    (robot, model): (&Mechanism, &Model),
    values: &[f64],
    scratch: &mut SelfQueryScratch,
) -> Vec<f64> {
    let mut poses = Vec::new();
    robot.poses_unlimited(values, &mut poses).expect("numbers");
    let all = model.self_distances(&poses, f64::INFINITY, scratch).expect("poses");
    all.iter().map(|found| found.distance).collect()
}

/// Compares gradients with differences, where those of both sides agree: of pairs that are apart,
/// and with `overlaps` of those that overlap. Counts both, those without a derivative, and the
/// depths that have another.
fn compare_gradients(
    (robot, model): (&Mechanism, &Model),
    values: &[f64],
    (overlaps, tolerance): (bool, f64),
    tally: &mut [usize; 4],
) {
    let step = 1e-6;
    let (mut poses, mut gradient) = (Vec::new(), vec![9.0; 3]);
    let (mut scratch, mut other) = (SelfQueryScratch::default(), SelfQueryScratch::default());
    robot.poses_unlimited(values, &mut poses).expect("numbers");
    let all = model.self_distances(&poses, f64::INFINITY, &mut scratch).expect("poses");
    let moved: Vec<[Vec<f64>; 2]> = (0..values.len())
        .map(|actuator| {
            [-step, step].map(|by| {
                let mut values = values.to_vec();
                values[actuator] += by;
                distances((robot, model), &values, &mut other)
            })
        })
        .collect();
    for (index, found) in all.iter().enumerate() {
        if found.distance <= 0.0 && !overlaps {
            continue;
        }
        if !found.gradient(robot, &poses, &mut gradient).expect("poses") {
            assert!(found.normal.is_none() && gradient.iter().all(|&by| by == 0.0));
            continue;
        }
        assert_eq!(gradient.len(), values.len());
        for (actuator, [before, after]) in moved.iter().enumerate() {
            let sides = [found.distance - before[index], after[index] - found.distance];
            let [left, right] = sides.map(|side| side / step);
            if (left - right).abs() > tolerance {
                tally[2] += 1;
                continue;
            }
            let error = (0.5 * (left + right) - gradient[actuator]).abs();
            // More than two points may stop the way out of an overlap.
            if found.distance <= 0.0 && error >= 2.0 * tolerance {
                tally[3] += 1;
                continue;
            }
            assert!(
                error < 2.0 * tolerance,
                "{found:?} by {actuator}: {gradient:?} {left} {right}"
            );
            tally[usize::from(found.distance <= 0.0)] += 1;
        }
    }
}

#[test]
fn gradients_are_the_differences_of_distances() {
    let (mut random, mut tally) = (Random(0x009a_d1e7), [0; 4]);
    for case in 0..cases(300) {
        let (robot, model) = chain(&mut random, 3 + case % 4);
        let values: Vec<f64> =
            (0..robot.actuators().len()).map(|_| random.between(-2.0, 2.0)).collect();
        compare_gradients((&robot, &model), &values, (true, 1e-4), &mut tally);
    }
    let [apart, overlapping, without, other] = tally;
    println!(
        "{apart} apart, {overlapping} overlapping and {other} with another derivative, {without} \
         without"
    );
    assert!(apart > 20 && overlapping > 20 && without * 5 < apart + overlapping, "{tally:?}");
    assert!(other * 20 < overlapping, "{tally:?}");
}

#[test]
fn gradients_of_the_panda_are_differences() {
    let Some(data) = support::data::data() else { return };
    let panda = data.join("robots/panda");
    let (file, srdf) = (panda.join("urdf/panda.urdf"), panda.join("srdf/panda.srdf"));
    let robot = Loader::<f64>::new().srdf(srdf).urdf(file).expect("the Panda");
    let (mut random, mut tally, mut values) = (Random(0x000f_a4da), [0; 4], Vec::new());
    for _ in 0..cases(100) {
        robot.mechanism.sample_values(|| random.share(), &mut values);
        let pair = (&*robot.mechanism, &*robot.model);
        compare_gradients(pair, &values, (false, 1e-3), &mut tally);
    }
    println!("{} apart, {} without a derivative", tally[0], tally[2]);
    assert!(tally[0] > 100 && tally[2] * 5 < tally[0], "{tally:?}");
}

/// Joints that move both parts change nothing, to the bit; ancestors need not be asked.
#[test]
fn joints_that_move_both_parts_have_no_derivative() {
    let (mut random, mut zeros) = (Random(0x00c0_4404), 0);
    for _ in 0..cases(100) {
        let (robot, model) = chain(&mut random, 6);
        let values: Vec<f64> = (0..6).map(|_| random.between(-2.0, 2.0)).collect();
        let (mut poses, mut gradient) = (Vec::new(), Vec::new());
        robot.poses_unlimited(&values, &mut poses).expect("numbers");
        let mut scratch = SelfQueryScratch::default();
        for found in model.self_distances(&poses, 5.0, &mut scratch).expect("poses") {
            found.gradient(&robot, &poses, &mut gradient).expect("poses");
            // Links 4 and 5 hang on 1; 3 follows the actuator of 1, but hangs on 2.
            if found.a.part.index() >= 4 {
                assert_eq!(gradient[..4], [0.0; 4]);
                zeros += 1;
            }
            assert_eq!((gradient[0], gradient[3]), (0.0, 0.0), "fixed, and without a joint");
        }
    }
    assert!(zeros > 0);
}

#[test]
fn wrong_questions_are_refused_and_warm_ones_do_not_allocate() {
    let mut random = Random(77);
    let (robot, model) = chain(&mut random, 5);
    let (mut poses, mut scratch) = (Vec::new(), SelfQueryScratch::default());
    robot.poses_unlimited(&[0.3; 5], &mut poses).expect("numbers");
    let mut refused = |poses: &[Pose], limit: f64, expected: Error| {
        assert_eq!(model.self_distances(poses, limit, &mut scratch).err(), Some(expected));
    };
    let count = Error::WrongCount { field: "poses", expected: 5, found: 4 };
    refused(&poses[..4], 1.0, count);
    refused(&poses, f64::NAN, Error::NotFinite { field: "largest distance", index: 0 });
    refused(&poses, -1.0, Error::Negative { field: "largest distance", index: 0 });
    let mut broken = poses.clone();
    broken[3].translation.vector.z = f64::NAN;
    refused(&broken, 1.0, Error::NotFinite { field: "pose", index: 3 });

    let all = model.self_distances(&poses, 9.0, &mut scratch).expect("poses").to_vec();
    let mut gradient = vec![1.0; 2];
    let few = Mechanism::new(robot.links()[..2].to_vec(), robot.actuators().to_vec()).expect("two");
    let last = all.iter().find(|found| found.b.part.index() > 1).expect("a later part");
    let expected = Err(Error::WrongCount { field: "poses", expected: 2, found: 5 });
    assert_eq!(last.gradient(&few, &poses, &mut gradient), expected);
    let target = last.a.part.index().max(2);
    let target = if last.a.part.index() > 1 { target } else { last.b.part.index() };
    let expected = Err(Error::IndexOutOfRange { field: "link", index: 0, target, len: 2 });
    assert_eq!(last.gradient(&few, &poses[..2], &mut gradient), expected);
    assert_eq!(gradient, [1.0; 2]);

    gradient.reserve(8);
    let counted = allocation_counter::measure(|| {
        let again = model.self_distances(&poses, 9.0, &mut scratch).expect("poses");
        assert_eq!(again, all);
        again[0].gradient(&robot, &poses, &mut gradient).expect("poses");
    });
    assert_eq!(counted.count_total, 0);
    for simd in SimdLevel::all() {
        let mut scratch = SelfQueryScratch::with_simd_level(simd);
        assert_eq!(model.self_distances(&poses, 9.0, &mut scratch).expect("poses"), all);
    }
    // A part without geometry is in no pair.
    let bare = Model::builder().part("bare", None, Geometry::None);
    let bare = bare.part("block", None, cube(Vector3::repeat(0.5)));
    let bare = bare.build(&Build::robots()).expect("a model");
    let none = bare.self_distances(&bare.bind_poses(), f64::INFINITY, &mut scratch);
    assert_eq!(none, Ok(&[][..]));
}
