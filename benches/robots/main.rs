//! Robots against themselves, built with [`Build::robots`] and with the default build: whether they
//! touch themselves, which pairs of links touch, how far these are apart, and the time of building;
//! forward kinematics; verdicts of many configurations and the pairs that touch, row by row and by a
//! batch, alone and among five boxes, as parts and in one part, with the share of rows and pairs
//! that each stage of the batch decides; and edges, proved and by samples.
//!
//! Data: an arm of eight links of 2,176 triangles, made in code; a Panda and a Talos by their own
//! meshes and SRDF, from the folder that `BOXWOOD_DATA` names; a UR5 and a Unitree G1 from the
//! wheel `example-robot-data`, unpacked in the folder that `BOXWOOD_FLEET` names, of which only
//! verdicts by accuracy and pairs are timed. Each query has a new random configuration within the
//! limits of the joints, posed outside the clock; both builds get the same ones. Counts are
//! configurations, pairs or distances of a round.

#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::sync::Arc;

use boxwood::load::{Loader, Robot};
use boxwood::model::BatchCounts;
use boxwood::robot::{EdgeChecker, EdgeScratch};
use boxwood::{
    Accuracy, Buffers, Build, CharacterKey, CollisionBatch, CollisionBatchScratch, Geometry, Hits,
    Model, Obb, PairQuery, Pose, Scene, SelfQueryScratch, Spawn,
};
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

/// Five boxes around a robot that stands at the origin: centre and half extents [m].
const OBSTACLES: [([f32; 3], [f32; 3]); 5] = [
    ([0.6, 0.0, 0.2], [0.3, 0.6, 0.02]),    // a table
    ([0.5, 0.25, 0.3], [0.08, 0.08, 0.08]), // a box on it
    ([-0.6, 0.0, 0.6], [0.02, 0.8, 0.6]),   // a wall
    ([0.3, -0.7, 0.5], [0.05, 0.05, 0.5]),  // a post
    ([0.2, 0.6, 0.9], [0.4, 0.12, 0.02]),   // a shelf
];

/// Makes an obstacle of each box.
fn obstacles() -> Vec<(Arc<Model>, Pose)> {
    let obstacle = |(center, half): ([f32; 3], [f32; 3])| {
        let block = Obb::from_pose(&Pose::identity(), half.into()).expect("a box");
        let model = Model::builder().part("box", None, Geometry::Boxes(vec![block]));
        let [x, y, z] = center;
        (model.build(&Build::new()).expect("a model"), Pose::translation(x, y, z))
    };
    OBSTACLES.map(obstacle).to_vec()
}

/// Makes one obstacle of one part with all boxes.
fn obstacle_of_one_part() -> Vec<(Arc<Model>, Pose)> {
    let block = |([x, y, z], half): ([f32; 3], [f32; 3])| {
        Obb::from_pose(&Pose::translation(x, y, z), half.into()).expect("a box")
    };
    let boxes = Geometry::Boxes(OBSTACLES.map(block).to_vec());
    let model = Model::builder().part("boxes", None, boxes).build(&Build::new());
    vec![(model.expect("a model"), Pose::identity())]
}

/// A robot queried row by row, and among obstacles as a character of a scene.
struct Single<'a> {
    robot: &'a Robot<f32>,
    has_world: bool,
    scene: Scene,
    own: CharacterKey,
    buffers: Buffers,
    hits: Hits,
    poses: Vec<Pose>,
    scratch: SelfQueryScratch,
}

impl<'a> Single<'a> {
    fn new(robot: &'a Robot<f32>, world: &[(Arc<Model>, Pose)]) -> Self {
        let mut scene = Scene::new();
        for (model, at) in world {
            scene.insert(model, Spawn::at(*at).at_rest(true)).expect("an obstacle");
        }
        let own = scene.insert(&robot.model, Spawn::default()).expect("a robot");
        let (buffers, hits, has_world) = (Buffers::new(), Hits::new(), !world.is_empty());
        let (poses, scratch) = (Vec::new(), SelfQueryScratch::default());
        Single { robot, has_world, scene, own, buffers, hits, poses, scratch }
    }

    fn collides(&mut self, values: &[f32]) -> bool {
        let Single { robot, scene, own, buffers, hits, poses, scratch, .. } = self;
        robot.mechanism.poses(values, poses).expect("values within limits");
        let itself = robot.model.self_intersects(poses, Accuracy::Exact, scratch);
        let itself = itself.expect("sound poses");
        if itself || !self.has_world {
            return itself;
        }
        scene.set_parts(*own, poses).expect("sound poses");
        let query = PairQuery::of(*own).accuracy(Accuracy::Exact);
        scene.snapshot(buffers).intersects(&query, hits.scratch()).expect("a query")
    }

    /// Returns the number of pairs that touch.
    fn pairs(&mut self, values: &[f32]) -> usize {
        let Single { robot, scene, own, buffers, hits, poses, scratch, .. } = self;
        robot.mechanism.poses(values, poses).expect("values within limits");
        let itself = robot.model.self_pairs(poses, Accuracy::Exact, scratch);
        let itself = itself.expect("sound poses").len();
        if !self.has_world {
            return itself;
        }
        scene.set_parts(*own, poses).expect("sound poses");
        let query = PairQuery::of(*own).accuracy(Accuracy::Exact);
        scene.snapshot(buffers).pairs(&query, hits).expect("a query");
        itself + hits.pairs().len()
    }
}

/// Draws rows of values within the limits.
fn draw_rows(robot: &Robot<f32>, random: &mut Random) -> Vec<f32> {
    let (mut all, mut row) = (Vec::new(), Vec::<f32>::new());
    for _ in 0..ROWS {
        robot.mechanism.sample_values(|| random.share(), &mut row);
        all.extend_from_slice(&row);
    }
    all
}

/// Times verdicts of new configurations with their kinematics, and the pairs that touch, drawn
/// outside the clock: one query of poses after another, and a batch.
fn batches(
    criterion: &mut Criterion,
    name: &str,
    (robot, world): (&Robot<f32>, &[(Arc<Model>, Pose)]),
) {
    let width = robot.mechanism.actuators().len();
    let batch = CollisionBatch::new(&robot.mechanism, &robot.model, Accuracy::Exact);
    let batch = world.iter().fold(batch.expect("a part a link"), |batch, (model, at)| {
        batch.with_obstacle(model, &[*at]).expect("a pose")
    });
    let batch = &batch;
    let (mut random, mut single) = (Random(83), Single::new(robot, world));
    let one_by_one = way("one by one", move || {
        let values = draw_rows(robot, &mut random);
        clock(|| values.chunks_exact(width).filter(|row| single.collides(row)).count())
    });
    let (mut verdicts, mut scratch) = (vec![false; ROWS], CollisionBatchScratch::default());
    let mut random = Random(83);
    let batched = way("batch", move || {
        let values = draw_rows(robot, &mut random);
        clock(|| {
            batch.check(&values, &mut verdicts, &mut scratch).expect("values within limits");
            verdicts.iter().filter(|&&touches| touches).count()
        })
    });
    let queries = "kinematics and self_intersects, exactly";
    bench_group(criterion, &format!("{name}: {queries}"), ROWS, vec![one_by_one, batched]);

    let (mut random, mut single) = (Random(83), Single::new(robot, world));
    let one_by_one = way("one by one", move || {
        let values = draw_rows(robot, &mut random);
        clock(|| values.chunks_exact(width).map(|row| single.pairs(row)).sum::<usize>())
    });
    let (mut random, mut scratch) = (Random(83), CollisionBatchScratch::default());
    let batched = way("batch", move || {
        let values = draw_rows(robot, &mut random);
        clock(|| batch.pairs(&values, ROWS, &mut scratch).expect("values within limits").len())
    });
    let queries = "kinematics and self_pairs, exactly";
    bench_group(criterion, &format!("{name}: {queries}"), ROWS, vec![one_by_one, batched]);
    print_stages(name, robot, batch);
}

/// Rounds of rows of a table of stages.
const STAGE_ROUNDS: usize = 25;

/// Prints the share of rows and of pairs that each stage of a batch decides.
fn print_stages(name: &str, robot: &Robot<f32>, batch: &CollisionBatch) {
    let (mut random, mut verdicts) = (Random(85), vec![false; ROWS]);
    let (mut all, mut touching) = (BatchCounts::default(), 0);
    let mut scratch = CollisionBatchScratch::default();
    for _ in 0..if trying() { 1 } else { STAGE_ROUNDS } {
        let values = draw_rows(robot, &mut random);
        batch.check(&values, &mut verdicts, &mut scratch).expect("values within limits");
        touching += verdicts.iter().filter(|&&touches| touches).count() as u64;
        all += *scratch.counts();
    }
    let share = |some: u64, of: u64| match of {
        0 => "-".to_owned(),
        _ => format!("{:.2} %", 100.0 * some as f64 / of as f64),
    };
    let touching_exactly = touching - all.colliding_rows;
    let free = all.rows - all.exact_rows - all.colliding_rows;
    let rows = [free, all.colliding_rows, all.exact_rows - touching_exactly, touching_exactly];
    let [free, colliding, exactly_free, exactly] = rows.map(|some| share(some, all.rows));
    println!("{name}: {} rows: filter: free {free}, colliding {colliding}", all.rows);
    println!("{name}: exact queries: free {exactly_free}, colliding {exactly}");
    let own = [all.own_pairs, all.own_after_balls, all.own_after_capsules];
    let others = [all.obstacle_pairs, all.obstacles_after_balls, all.obstacles_after_capsules];
    for (kind, [pairs, near, open]) in [("own pairs", own), ("pairs with obstacles", others)] {
        let [balls, capsules, exact] =
            [pairs - near, near - open, open].map(|some| share(some, pairs));
        println!("{name}: {kind}: balls {balls}, capsules {capsules}, exact {exact}");
    }
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

/// Times a row of verdicts by each accuracy, and of the pairs that touch, in one group: their
/// ratios are what counts.
fn by_accuracy(criterion: &mut Criterion, name: &str, robot: &Robot<f32>) {
    type Ask = fn(&Robot<f32>, &[Pose], Accuracy, &mut SelfQueryScratch) -> usize;
    let verdict: Ask = |robot, poses, accuracy, scratch| {
        let touches = robot.model.self_intersects(poses, accuracy, scratch);
        usize::from(touches.expect("sound poses"))
    };
    let pairs: Ask = |robot, poses, accuracy, scratch| {
        robot.model.self_pairs(poses, accuracy, scratch).expect("sound poses").len()
    };
    let one = |label: String, ask: Ask, accuracy| {
        let (mut random, mut scratch) = (Random(81), SelfQueryScratch::default());
        way(label, move || {
            let poses = next_poses(robot, &mut random, ROUND);
            let mut of = |poses: &Vec<Pose>| ask(robot, poses, accuracy, &mut scratch);
            clock(|| poses.iter().map(&mut of).sum::<usize>())
        })
    };
    let verdicts = ACCURACIES.map(|(label, accuracy)| one(label.to_owned(), verdict, accuracy));
    let pairs = one("pairs, exactly".to_owned(), pairs, Accuracy::Exact);
    let name = format!("{name}: yes or no by accuracy, and pairs");
    bench_group(criterion, &name, ROUND, verdicts.into_iter().chain([pairs]).collect());
}

/// Robots of the wheel `example-robot-data`.
const FLEET: [(&str, &str); 2] = [
    ("UR5", "ur_description/urdf/ur5_robot.urdf"),
    ("G1", "g1_description/urdf/g1_29dof_rev_1_0.urdf"),
];

fn from_fleet(criterion: &mut Criterion) {
    let Some(folder) = std::env::var_os("BOXWOOD_FLEET") else {
        return println!("SKIPPED: UR5 and G1 against themselves: BOXWOOD_FLEET is not set");
    };
    let robots = Path::new(&folder).join("cmeel.prefix/share/example-robot-data/robots");
    for (name, file) in FLEET {
        let robot = Loader::new().build(Build::robots()).urdf(robots.join(file));
        by_accuracy(criterion, name, &robot.expect("a robot"));
    }
}

fn all_builds<'a>(load: impl Fn(&Build) -> Robot<f32> + 'a) -> Vec<(&'a str, Robot<f32>)> {
    BUILDS.iter().map(|(label, build)| (*label, load(build))).collect()
}

fn made(criterion: &mut Criterion) {
    builds(criterion, "made arm: building", made_arm);
    kinematics(criterion, "made arm", &made_arm(&Build::fast()));
    batches(criterion, "made arm", (&made_arm(&Build::robots()), &[]));
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
        let robot = load(&Build::robots());
        batches(criterion, name, (&robot, &[]));
        batches(criterion, &format!("{name} among five boxes"), (&robot, &obstacles()));
        let world = obstacle_of_one_part();
        batches(criterion, &format!("{name} among five boxes in one part"), (&robot, &world));
        edges(criterion, name, &robot);
        by_accuracy(criterion, name, &robot);
        queries(criterion, name, &all_builds(load));
    }
}

criterion_group! {
    name = benches;
    config = settings().sample_size(10);
    targets = made, from_files, from_fleet
}
criterion_main!(benches);
