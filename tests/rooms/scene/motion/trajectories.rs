//! Motion over several ticks: the same as its ticks one by one, whatever holds the states; a tick
//! split in two keeps its impacts; an arm along waypoints against dense samples by the angles of its
//! joints.

use std::collections::BTreeSet;
use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{
    CharacterKey, History, Impact, MotionBuffers, MotionPath, QueryScratch, Scene, SceneMotion,
    SceneTrajectory, Spawn, TickImpact,
};
use boxwood::shape::Pose;
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Error, PairQuery, PartId};

use super::samples::{Duel, rounding};
use support::moving_parts::{chain, distance, stored, tick, turn};
use support::prelude::*;
use support::random_parts::solid;

const PATHS: [MotionPath; 3] = [MotionPath::Joints, MotionPath::Parts, MotionPath::Jump];

/// Draws the states of some characters, of which one joins with state 1.
fn states<T: Scalar>(random: &mut Random, count: usize) -> (Vec<Scene<T>>, [CharacterKey; 4]) {
    let mut states = vec![Scene::new()];
    let models = [0, 1, 2, 3].map(|_| {
        let parts = 1 + random.below(3);
        chain::<T>(random, parts)
    });
    let spawn = |scene: &mut Scene<T>, side: usize| {
        let order = [7, 3, 5, 4][side];
        scene.insert(&models[side], Spawn::default().order(order)).expect("a chain")
    };
    let first = [0, 1, 2].map(|side| spawn(&mut states[0], side));
    states.push(states[0].clone());
    let joined = spawn(&mut states[1], 3);
    let keys = [first[0], first[1], first[2], joined];
    while states.len() < count {
        states.push(states[1].clone());
    }
    for (&key, model) in keys.iter().zip(&models) {
        for two in states.chunks_mut(2) {
            let root = Isometry3::from_parts(random.vector(1.2).into(), turn(random, 3.0));
            let ends = tick(random, model, root, (1.0, 1.0));
            for (state, poses) in
                two.iter_mut().zip(&ends).filter(|(state, _)| state.len() > 3 || key != joined)
            {
                state.set_parts(key, poses).expect("poses");
            }
        }
    }
    (states, keys)
}

/// Finds the impacts tick by tick, and keeps the first of each pair.
fn by_ticks<T: Scalar>(
    states: &[Scene<T>],
    paths: &[Vec<(CharacterKey, MotionPath)>],
    query: &PairQuery<'_>,
) -> Vec<(u64, Impact<T>)> {
    let (mut scratch, mut found) = (QueryScratch::new(), Vec::new());
    let (mut all, mut struck) = (Vec::new(), BTreeSet::new());
    for (tick, (two, paths)) in states.windows(2).zip(paths).enumerate() {
        let mut buffers = MotionBuffers::new();
        let motion = SceneMotion::with_paths(&two[0], &two[1], paths, &mut buffers);
        motion.expect("one scene").impacts(query, &mut scratch, &mut found).expect("a query");
        for impact in &found {
            let [a, b] = [impact.a, impact.b].map(|node| (node.character, node.part));
            if struck.insert(if a < b { [a, b] } else { [b, a] }) {
                all.push((tick as u64, *impact));
            }
        }
    }
    all
}

/// Finds the impacts of a trajectory, and checks the other queries against them.
fn find<T: Scalar>(
    trajectory: SceneTrajectory<'_, T>,
    query: &PairQuery<'_>,
    buffers: &mut MotionBuffers<T>,
) -> Vec<TickImpact<T>> {
    let (mut scratch, mut found) = (QueryScratch::new(), Vec::new());
    trajectory.impacts(query, buffers, &mut scratch, &mut found).expect("a query");
    let first = trajectory.first_impact(query, buffers, &mut scratch);
    assert_eq!(first, Ok(found.first().copied()));
    let is_any = trajectory.intersects(query, buffers, &mut scratch);
    assert_eq!(is_any, Ok(!found.is_empty()));
    found
}

fn one_by_one<T: Scalar>(seed: u64) {
    let (mut random, mut buffers) = (Random(seed), MotionBuffers::new());
    let (mut late, mut again, mut of_joined) = (0, 0, 0);
    for round in 0..at_least(200, 16) {
        let (states, keys) = states::<T>(&mut random, 2 + round % 6);
        let ticks = states.len() - 1;
        let query = match round % 4 {
            0 => PairQuery::all().margin(0.02),
            1 => PairQuery::of(keys[3]),
            2 => PairQuery::between(keys[1], keys[0]),
            _ => PairQuery::within(keys[2]),
        };
        let query = query.accuracy(Accuracy::Within(1e-3));
        let numbers = |list: &[TickImpact<T>]| -> Vec<_> {
            list.iter().map(|one| (one.tick, one.impact)).collect()
        };
        // Equal paths in every tick.
        let fixed = [(keys[0], PATHS[random.below(3)]), (keys[3], PATHS[random.below(3)])];
        let trajectory = SceneTrajectory::with_paths(&states, &fixed).expect("clones");
        let found = find(trajectory, &query, &mut buffers);
        let expected = by_ticks(&states, &vec![fixed.to_vec(); ticks], &query);
        assert_eq!(numbers(&found), expected, "{round}");
        let trajectory = SceneTrajectory::new(&states).expect("clones");
        let joints = find(trajectory, &query, &mut buffers);
        assert_eq!(numbers(&joints), by_ticks(&states, &vec![vec![]; ticks], &query), "{round}");
        // Paths that differ from tick to tick, and a part of a history.
        let paths: Vec<Vec<_>> =
            (0..ticks).map(|_| vec![(keys[random.below(3)], PATHS[random.below(3)])]).collect();
        let mut history = History::new(states.len());
        history.push(40, &states[0]).expect("a scene");
        for (tick, (state, paths)) in states[1..].iter().zip(&paths).enumerate() {
            history.push_with_paths(41 + tick as u64, state, paths).expect("a scene");
        }
        let from = random.below(ticks);
        let to = from + 1 + random.below(ticks - from);
        let replay = history.trajectory(40 + from as u64..=40 + to as u64).expect("ticks");
        let mut expected = by_ticks(&states[from..=to], &paths[from..to], &query);
        expected.iter_mut().for_each(|one| one.0 += 40 + from as u64);
        assert_eq!(numbers(&find(replay, &query, &mut buffers)), expected, "{round}");
        late += found.iter().filter(|one| one.tick > 0).count();
        let every: usize =
            states.windows(2).map(|two| by_ticks(two, &[vec![]], &query).len()).sum();
        again += every - joints.len();
        let is_joined = |one: &&TickImpact<T>| one.impact.a.character == keys[3];
        of_joined += found.iter().filter(is_joined).count();
    }
    println!("{late} impacts after the first tick, {again} again, {of_joined} of newcomers");
    assert!(late > 5 && again > 3 && of_joined > 3);
}

/// A tick that is split in two is the same motion, but for the rounding of the poses in between.
fn split<T: Scalar>(seed: u64) {
    let (mut random, mut buffers) = (Random(seed), MotionBuffers::new());
    let (mut hits, mut second) = (0, 0);
    let doubt = rounding::<T>(0.0);
    for round in 0..at_least(600, 60) {
        let duel = Duel::<T>::random(&mut random, [0.4, 2.5][round % 2], 0.0);
        let tolerance = 1e-3;
        // Any dyadic time: halves, quarters, and so on.
        let bits = 1 + random.below(16) as u32;
        let odd = 2 * random.below(1 << (bits - 1)) as u32 + 1;
        let fraction = odd << (16 - bits);
        let at = f64::from(fraction) / 65_536.0;
        let mut middle = Scene::new();
        let two = [duel.before.clone(), duel.after.clone()];
        let motion = SceneMotion::between(&duel.before, &duel.after, &mut buffers).expect("one");
        motion.write_scene(fraction as u16, &mut QueryScratch::new(), &mut middle);
        let three = [duel.before.clone(), middle, duel.after.clone()];
        let impacts = |states: &[Scene<T>], margin: f64, buffers: &mut MotionBuffers<T>| {
            let query = duel.query(tolerance).margin(margin);
            find(SceneTrajectory::new(states).expect("clones"), &query, buffers)
        };
        let time = |one: &TickImpact<T>, share: f64| match one.tick {
            0 => share * at,
            _ => at + share * (1.0 - at),
        };
        let parts = |one: &TickImpact<T>| [one.impact.a.part, one.impact.b.part];
        let split = impacts(&three, 0.0, &mut buffers);
        let wide = impacts(&three, tolerance + doubt, &mut buffers);
        for whole in impacts(&two, 0.0, &mut buffers) {
            let found = wide.iter().find(|one| parts(one) == parts(&whole));
            let found = found.unwrap_or_else(|| panic!("{round}: lost {whole:?}"));
            let until = time(found, found.impact.clear_until);
            assert!(until <= whole.impact.time + 1e-9, "{round}: {until} {whole:?}");
            hits += 1;
            second += usize::from(found.tick == 1);
        }
        let wide = impacts(&two, tolerance + doubt, &mut buffers);
        for half in split {
            let found = wide.iter().find(|one| parts(one) == parts(&half));
            let found = found.unwrap_or_else(|| panic!("{round}: new {half:?}"));
            let until = time(&half, half.impact.time);
            assert!(found.impact.clear_until <= until + 1e-9, "{round}: {found:?} {half:?}");
        }
    }
    println!("{hits} impacts, {second} in the second part");
    assert!(hits > 20 && second > 2);
}

/// An arm whose links turn about axes, one a link.
struct Arm<T: Scalar> {
    model: Arc<Model<T>>,
    /// Offset in the link before, and axis.
    joints: Vec<(Vector3<f64>, Unit<Vector3<f64>>)>,
}

impl<T: Scalar> Arm<T> {
    fn random(random: &mut Random, links: usize) -> Self {
        let mut builder = Model::builder();
        for link in 0..links {
            let parent = link.checked_sub(1).map(|link| link.to_string());
            let half = [0.3, random.between(0.03, 0.1), random.between(0.03, 0.1)];
            let upright = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            let geometry = Geometry::Boxes(vec![solid([0.3, 0.0, 0.0], &upright, half)]);
            builder = builder.part(link.to_string(), parent.as_deref(), geometry);
        }
        let joint = |link: usize| {
            let offset = Vector3::x() * if link == 0 { 0.0 } else { 0.6 };
            (offset, Unit::new_normalize(Vector3::from(random.direction())))
        };
        let joints = (0..links).map(joint).collect();
        Arm { model: builder.build(&Build::default()).expect("an arm"), joints }
    }

    /// Computes the poses of the links, given the angle of each joint.
    fn poses(&self, angles: &[f64]) -> Vec<Isometry3<f64>> {
        let mut at = Isometry3::identity();
        let joints = self.joints.iter().zip(angles);
        joints
            .map(|((offset, axis), &angle)| {
                let turn = UnitQuaternion::from_axis_angle(axis, angle);
                at *= Isometry3::from_parts((*offset).into(), turn);
                at
            })
            .collect()
    }
}

fn arms<T: Scalar>(seed: u64) {
    let (mut random, mut buffers) = (Random(seed), MotionBuffers::new());
    let (mut hits, mut clear) = (0, 0);
    let doubt = rounding::<T>(0.0);
    for round in 0..at_least(60, 12) {
        let arm = Arm::<T>::random(&mut random, 3 + round % 4);
        let links = arm.joints.len();
        let mut scene = Scene::new();
        let robot = scene.insert(&arm.model, Spawn::default()).expect("an arm");
        // Obstacles at rest: blocks around it.
        let blocks = (0..3).map(|_| {
            let half = [0; 3].map(|_| random.between(0.1, 0.4));
            let at = random.direction().map(|x| x * random.between(0.7, 2.0));
            solid::<T>(at, &random.rotation(), half)
        });
        let blocks: Vec<_> = blocks.collect();
        let mut world = Model::builder();
        for (name, block) in blocks.iter().enumerate() {
            world = world.part(name.to_string(), None, Geometry::Boxes(vec![*block]));
        }
        let world = world.build(&Build::level()).expect("a world");
        let level = scene.insert(&world, Spawn::default().at_rest(true)).expect("a world");
        // Waypoints: each joint turns by less than half a turn.
        let mut angles = vec![vec![0.0; links]];
        for _ in 0..6 {
            let turn = |angle: &f64| angle + random.between(-1.2, 1.2);
            angles.push(angles[angles.len() - 1].iter().map(turn).collect());
        }
        let states: Vec<Scene<T>> = angles
            .iter()
            .map(|angles| {
                let mut state = scene.clone();
                let poses: Vec<Pose<T>> = arm.poses(angles).iter().map(stored).collect();
                state.set_parts(robot, &poses).expect("poses");
                state
            })
            .collect();
        let tolerance = 1e-3;
        let query = PairQuery::between(robot, level);
        let query = query.accuracy(Accuracy::Within(tolerance)).margin(doubt);
        let trajectory = SceneTrajectory::new(&states).expect("clones");
        let found = find(trajectory, &query, &mut buffers);
        let apart = |link: usize, block: usize, time: f64| {
            let tick = (time as usize).min(angles.len() - 2);
            let share = time - tick as f64;
            let mixed: Vec<f64> = angles[tick]
                .iter()
                .zip(&angles[tick + 1])
                .map(|(a, b)| (1.0 - share) * a + share * b)
                .collect();
            let tree = |model: &Arc<Model<T>>, part| model[PartId::new(part)].tree().cloned();
            let [a, b] = [tree(&arm.model, link), tree(&world, block)].map(Option::unwrap);
            distance([(&a, &arm.poses(&mixed)[link]), (&b, &Isometry3::identity())], 1.0)
        };
        for (link, block) in (0..links).flat_map(|link| (0..3).map(move |block| (link, block))) {
            let is_pair = |one: &&TickImpact<T>| {
                [one.impact.a.part.index(), one.impact.b.part.index()] == [link, block]
            };
            let impact = found.iter().find(is_pair);
            let until = match impact {
                Some(one) => one.tick as f64 + one.impact.clear_until,
                None => 6.0,
            };
            let samples = (until * at_least(64, 16) as f64) as usize;
            for sample in 0..samples {
                let time = until * sample as f64 / samples as f64;
                assert!(apart(link, block, time) > 0.0, "{round}: {link} {block} at {time}");
            }
            match impact {
                Some(one) => {
                    let time = one.tick as f64 + one.impact.time;
                    let least = apart(link, block, time);
                    assert!(least <= one.impact.slack.wide() + 2.0 * doubt, "{round}: {one:?}");
                    hits += 1;
                }
                None => clear += 1,
            }
        }
    }
    println!("{hits} impacts, {clear} pairs clear");
    assert!(hits > 10 && clear > 40);
}

scalars! {
    a_trajectory_is_its_ticks_one_by_one => one_by_one(81);
    a_tick_split_at_any_dyadic_time_keeps_its_impacts => split(82);
    an_arm_along_waypoints_hits_what_its_joints_lead_it_to => arms(83);
}

#[test]
fn what_no_trajectory_can_be_is_refused() {
    let mut random = Random(84);
    let (states, keys) = states::<f32>(&mut random, 4);
    let refused = |states: &[Scene<f32>]| SceneTrajectory::new(states).err();
    for few in [0, 1] {
        assert!(matches!(refused(&states[..few]), Some(Error::BadQuery { .. })), "{few}");
    }
    let mut mixed = states.clone();
    mixed[2] = Duel::<f32>::random(&mut random, 1.0, 0.0).before;
    assert_eq!(refused(&mixed), Some(Error::ForeignState { index: 2 }));
    // Characters that a later state does not have, in paths and in queries; the last state, so that
    // the search would have stopped before it.
    let mut gone = states.clone();
    gone[3].remove(keys[0]).expect("a key");
    let jump = [(keys[0], MotionPath::Jump)];
    assert_eq!(SceneTrajectory::with_paths(&gone, &jump).err(), Some(Error::StaleKey));
    let (mut buffers, mut scratch, mut found) =
        (MotionBuffers::new(), QueryScratch::new(), Vec::new());
    let within = Accuracy::Within(1e-3);
    let trajectory = SceneTrajectory::new(&gone).expect("clones");
    let all = PairQuery::all().accuracy(within);
    trajectory.impacts(&all, &mut buffers, &mut scratch, &mut found).expect("a query");
    assert!(!found.is_empty());
    let query = PairQuery::of(keys[0]).accuracy(within).margin(9.0);
    assert_eq!(
        trajectory.first_impact(&query, &mut buffers, &mut scratch).err(),
        Some(Error::StaleKey)
    );
    assert_eq!(
        trajectory.intersects(&query, &mut buffers, &mut scratch).err(),
        Some(Error::StaleKey)
    );
    let refused = trajectory.impacts(&query, &mut buffers, &mut scratch, &mut found);
    assert_eq!((refused, found.len()), (Err(Error::StaleKey), 0));
    // Accuracies without a length.
    let exact = PairQuery::all().accuracy(Accuracy::Exact);
    let trajectory = SceneTrajectory::new(&states).expect("clones");
    let refused = trajectory.impacts(&exact, &mut buffers, &mut scratch, &mut found);
    assert!(matches!(refused, Err(Error::BadQuery { .. })));
    // Ticks that a history does not have, and too few of them.
    let mut history = History::new(4);
    for (tick, state) in states.iter().enumerate() {
        history.push(9 + tick as u64, state).expect("a scene");
    }
    let missing = |tick| Some(Error::NotInHistory { tick, first: 9, last: 12 });
    assert_eq!(history.trajectory(8..=10).err(), missing(8));
    assert_eq!(history.trajectory(10..=13).err(), missing(13));
    for (from, to) in [(10, 10), (11, 10)] {
        assert!(matches!(history.trajectory(from..=to).err(), Some(Error::BadQuery { .. })));
    }
    assert!(history.trajectory(9..=12).is_ok());
}
