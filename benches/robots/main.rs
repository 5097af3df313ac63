//! Robots against themselves, built with [`Build::robots`] and with the default build: whether they
//! touch themselves, which pairs of links touch, how far these are apart, and the time of building;
//! forward kinematics; verdicts of many configurations, row by row and by a batch; and edges, proved
//! and by samples.
//!
//! Data: an arm of eight links of 2,176 triangles, made in code; a Panda and a Talos by their own
//! meshes and SRDF, from the folder that `BOXWOOD_DATA` names. Each query has a new random
//! configuration within the limits of the joints, posed outside the clock; both builds get the same
//! ones. Counts are configurations, pairs or distances of a round.

#[path = "../support/mod.rs"]
mod support;

use std::path::Path;

use boxwood::load::{Loader, Robot};
use boxwood::robot::{EdgeChecker, EdgeScratch};
use boxwood::{Accuracy, Build, CollisionBatch, CollisionBatchScratch, Pose, SelfQueryScratch};
use criterion::{Criterion, criterion_group, criterion_main};

use support::measure::{Found, Way, bench_group, clock, settings, trying, way};
use support::random::Random;
use support::robots::{data, made_arm, next_poses};

/// Configurations of a round.
const ROUND: usize = 64;

/// Configurations of a round of kinematics.
const ROWS: usize = 4096;

/// Edges of a round.
const EDGES: usize = 256;

const BUILDS: [(&str, Build); 2] = [("robots", Build::robots()), ("default", Build::new())];

const ACCURACIES: [(&str, Accuracy); 3] = [
    ("exactly", Accuracy::Exact),
    ("within 0.1 mm", Accuracy::Within(1e-4)),
    ("within 1 cm", Accuracy::Within(1e-2)),
];

/// Times one query of each configuration.
fn row(
    criterion: &mut Criterion,
    name: &str,
    robots: &[(&str, Robot<f32>)],
    ask: impl Fn(&Robot<f32>, &[Pose], &mut SelfQueryScratch) -> Found,
) {
    let ask = &ask;
    let ways = robots.iter().map(|(build, robot)| {
        let (mut random, mut scratch) = (Random(81), SelfQueryScratch::default());
        way(*build, move || {
            let poses = next_poses(robot, &mut random, ROUND);
            clock(|| {
                poses.iter().fold(Found::default(), |all, poses| {
                    let found = ask(robot, poses, &mut scratch);
                    Found { count: all.count + found.count, sum: all.sum + found.sum }
                })
            })
        })
    });
    bench_group(criterion, name, ROUND, ways.collect());
}

fn queries(criterion: &mut Criterion, name: &str, robots: &[(&str, Robot<f32>)]) {
    for (label, accuracy) in ACCURACIES {
        row(criterion, &format!("{name}: self_intersects, {label}"), robots, |robot, poses, s| {
            let touches = robot.model.self_intersects(poses, accuracy, s).expect("sound poses");
            usize::from(touches).into()
        });
        row(criterion, &format!("{name}: self_pairs, {label}"), robots, |robot, poses, s| {
            robot.model.self_pairs(poses, accuracy, s).expect("sound poses").len().into()
        });
        row(criterion, &format!("{name}: self_distance, {label}"), robots, |robot, poses, s| {
            let found = robot.model.self_distance(poses, accuracy, f64::INFINITY, s);
            found.expect("sound poses").map(|found| found.distance).into_iter().collect()
        });
    }
}

/// Times forward kinematics of new configurations, drawn outside the clock.
fn kinematics(criterion: &mut Criterion, name: &str, robot: &Robot<f32>) {
    let (mut random, mut poses) = (Random(82), Vec::new());
    let ways = vec![way("boxwood", || {
        let mut values = vec![Vec::new(); ROWS];
        for row in &mut values {
            robot.mechanism.sample_values(|| random.share(), row);
        }
        clock(|| {
            let last = values.iter().map(|row: &Vec<f32>| {
                robot.mechanism.poses(row, &mut poses).expect("values within limits");
                poses.last().map_or(0.0, |pose| pose.translation.x)
            });
            last.collect::<Found>()
        })
    })];
    bench_group(criterion, &format!("{name}: kinematics"), ROWS, ways);
}

/// Times verdicts of new configurations with their kinematics, drawn outside the clock: one query
/// of poses after another, and a batch.
fn batches(criterion: &mut Criterion, name: &str, robot: &Robot<f32>) {
    let draw = |random: &mut Random| {
        let (mut all, mut row) = (Vec::new(), Vec::<f32>::new());
        for _ in 0..ROWS {
            robot.mechanism.sample_values(|| random.share(), &mut row);
            all.extend_from_slice(&row);
        }
        all
    };
    let (draw, width) = (&draw, robot.mechanism.actuators().len());
    let (mut random, mut poses, mut scratch) =
        (Random(83), Vec::new(), SelfQueryScratch::default());
    let one_by_one = way("one by one", move || {
        let values = draw(&mut random);
        clock(|| {
            let touching = values.chunks_exact(width).filter(|row| {
                robot.mechanism.poses(row, &mut poses).expect("values within limits");
                let model = &robot.model;
                model.self_intersects(&poses, Accuracy::Exact, &mut scratch).expect("sound poses")
            });
            touching.count()
        })
    });
    let batch = CollisionBatch::new(&robot.mechanism, &robot.model, Accuracy::Exact);
    let (batch, mut random) = (batch.expect("a part a link"), Random(83));
    let (mut verdicts, mut scratch) = (vec![false; ROWS], CollisionBatchScratch::default());
    let batched = way("batch", move || {
        let values = draw(&mut random);
        clock(|| {
            batch.check(&values, &mut verdicts, &mut scratch).expect("values within limits");
            verdicts.iter().filter(|&&touches| touches).count()
        })
    });
    bench_group(
        criterion,
        &format!("{name}: kinematics and self_intersects, exactly"),
        ROWS,
        vec![one_by_one, batched],
    );
}

/// Samples of edges are that far apart [rad], as joint angles together.
const SAMPLE_STEP: f32 = 0.02;

/// Draws an edge of that length within the limits.
fn edge(robot: &Robot<f32>, random: &mut Random, length: f32) -> [Vec<f32>; 2] {
    let (mut from, mut to) = (Vec::<f32>::new(), Vec::<f32>::new());
    loop {
        robot.mechanism.sample_values(|| random.share(), &mut from);
        robot.mechanism.sample_values(|| random.share(), &mut to);
        let way: Vec<f32> = from.iter().zip(&to).map(|(from, to)| to - from).collect();
        let share = length / way.iter().map(|x| x * x).sum::<f32>().sqrt();
        if share <= 1.0 {
            to.clear();
            to.extend(from.iter().zip(way).map(|(from, way)| from + share * way));
            return [from, to];
        }
    }
}

/// Times the verdicts on new edges, drawn outside the clock: proved whole, and by samples, which
/// may miss. Counts the free ones.
fn edges(criterion: &mut Criterion, name: &str, robot: &Robot<f32>) {
    let checker = EdgeChecker::new(&robot.mechanism, &robot.model).expect("a part a link");
    let count = if trying() { 4 } else { EDGES };
    for (label, length, only_free) in [("3.5 rad", 3.5, false), ("0.5 rad and free", 0.5, true)] {
        let draw = |random: &mut Random| {
            let (mut edges, mut scratch) = (Vec::new(), EdgeScratch::default());
            while edges.len() < count {
                let [from, to] = edge(robot, random, length);
                let verdict = checker.check(&from, &to, &mut scratch).expect("within limits");
                if !only_free || verdict.is_free() {
                    edges.push([from, to]);
                }
            }
            edges
        };
        let (draw, checker) = (&draw, &checker);
        let (mut random, mut scratch) = (Random(84), EdgeScratch::default());
        let proved = way("proved", move || {
            let edges = draw(&mut random);
            clock(|| {
                let free = edges.iter().filter(|[from, to]| {
                    checker.check(from, to, &mut scratch).expect("within limits").is_free()
                });
                free.count()
            })
        });
        let (mut random, mut scratch) = (Random(84), SelfQueryScratch::default());
        let (mut values, mut poses) = (Vec::<f32>::new(), Vec::new());
        let mut touches = move |[from, to]: &[Vec<f32>; 2], share: f32| {
            values.clear();
            values.extend(from.iter().zip(to).map(|(from, to)| from + share * (to - from)));
            robot.mechanism.poses(&values, &mut poses).expect("values within limits");
            let model = &robot.model;
            model.self_intersects(&poses, Accuracy::Exact, &mut scratch).expect("sound poses")
        };
        let steps = (length / SAMPLE_STEP).ceil() as u32;
        let sampled = way("every 0.02 rad", move || {
            let edges = draw(&mut random);
            clock(|| {
                let free = edges.iter().filter(|edge| {
                    !(0..=steps).any(|step| touches(edge, step as f32 / steps as f32))
                });
                free.count()
            })
        });
        bench_group(criterion, &format!("{name}: edges of {label}"), count, vec![proved, sampled]);
    }
}

/// Times the building of a robot, with the loading of its files if it has any; counts its parts.
fn builds(criterion: &mut Criterion, name: &str, load: impl Fn(&Build) -> Robot<f32>) {
    let load = &load;
    let ways: Vec<Way<'_>> = BUILDS
        .iter()
        .map(|(label, build)| way(*label, move || clock(|| load(build).model.parts().len())))
        .collect();
    bench_group(criterion, name, 1, ways);
}

fn all_builds<'a>(load: impl Fn(&Build) -> Robot<f32> + 'a) -> Vec<(&'a str, Robot<f32>)> {
    BUILDS.iter().map(|(label, build)| (*label, load(build))).collect()
}

fn made(criterion: &mut Criterion) {
    builds(criterion, "made arm: building", made_arm);
    kinematics(criterion, "made arm", &made_arm(&Build::fast()));
    batches(criterion, "made arm", &made_arm(&Build::robots()));
    edges(criterion, "made arm", &made_arm(&Build::robots()));
    queries(criterion, "made arm", &all_builds(made_arm));
}

fn from_files(criterion: &mut Criterion) {
    let Some(data) = data("Panda and Talos against themselves") else { return };
    let robots = [
        ("Panda", "panda", "urdf/panda.urdf", "srdf/panda.srdf"),
        ("Talos", "talos", "robots/talos_full_v2.urdf", "srdf/talos.srdf"),
    ];
    for (name, folder, urdf, srdf) in &robots[..if trying() { 1 } else { robots.len() }] {
        let folder: &Path = &data.join("robots").join(folder);
        let load = |build: &Build| {
            let loader = Loader::new().build(*build).srdf(folder.join(srdf));
            loader.urdf(folder.join(urdf)).expect("a robot")
        };
        builds(criterion, &format!("{name}: loading and building"), load);
        kinematics(criterion, name, &load(&Build::fast()));
        batches(criterion, name, &load(&Build::robots()));
        edges(criterion, name, &load(&Build::robots()));
        queries(criterion, name, &all_builds(load));
    }
}

criterion_group! {
    name = benches;
    config = settings().sample_size(10);
    targets = made, from_files
}
criterion_main!(benches);
