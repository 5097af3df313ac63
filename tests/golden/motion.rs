//! Motion between two poses, from tick to tick: impacts, trajectories, events of contacts, attacks,
//! and states of a history.

use boxwood::nalgebra::Vector3;
use boxwood::scene::{
    Attack, CharacterKey, ContactChange, ContactEvents, History, Impact, MotionPath, OncePer,
    PairQuery, PastScene, Scene, SceneMotion, SceneTrajectory, TickImpact,
};
use boxwood::shape::Pose;
use boxwood::{Accuracy, Detail};

use crate::answers::{AsText, Number};
use crate::buffers::Tools;
use crate::digest::Row;
use crate::random::{Random, V, compose, plus, pose, times, unit};
use crate::scene_queries::questions;
use crate::test_scenes::TestScene;

/// Returns the scene a tick later: every character moves, and every part of it turns.
fn tick_after<T: Number>(stage: &TestScene<T>, before: &Scene<T>, random: &mut Random) -> Scene<T> {
    let mut after = before.clone();
    for &key in &stage.keys {
        let way = times(random.direction(), random.between(0.0, 0.3 * stage.length));
        let poses: Vec<Pose<T>> = before
            .poses(key)
            .expect("a key")
            .iter()
            .map(|from| {
                let turn =
                    compose(random.small_turn(0.4), from.rotation.coords.map(|x| x.wide()).into());
                let at: V = from.translation.vector.map(|x| x.wide()).into();
                pose(unit(turn), plus(at, way))
            })
            .collect();
        after.set_parts(key, &poses).expect("sound poses");
    }
    after
}

/// Returns the states before and after each of four ticks.
fn states<T: Number>(stage: &TestScene<T>, random: &mut Random) -> Vec<Scene<T>> {
    let mut states = vec![stage.scene.clone()];
    for tick in 0..4 {
        states.push(tick_after(stage, &states[tick], random));
    }
    states
}

fn impact_text<T: Number>(stage: &TestScene<T>, one: &Impact<T>) -> String {
    let times = [one.clear_until, one.time].map(f64::to_bits);
    let touches = (one.met, one.touching_at_start, one.touching_at_end);
    let nodes = (stage.node(&one.a), stage.node(&one.b));
    (nodes, (times[0], times[1], one.slack), touches, (one.on_a, one.on_b, one.normal)).said()
}

fn bits_of<T: Number>(pose: &Pose<T>) -> (Vector3<T>, Vector3<T>, T) {
    let q = pose.rotation.coords;
    (pose.translation.vector, Vector3::new(q.x, q.y, q.z), q.w)
}

fn poses_text<T: Number>(scene: &Scene<T>, key: CharacterKey) -> String {
    scene.poses(key).expect("a key").iter().map(bits_of).collect::<Vec<_>>().said()
}

/// Returns the impacts of a tick in which every part moves and turns, of parts, joints and windows,
/// and a state within it.
pub fn impacts<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "impacts");
    tools.renew();
    let mut random = Random::named(stage.name, 17);
    let (before, after) = (&stage.scene, tick_after(stage, &stage.scene, &mut random));
    let Tools { motion, hits, .. } = tools;
    let kinds = [(stage.keys[0], MotionPath::Parts)];
    let motion = SceneMotion::with_paths(before, &after, &kinds, motion).expect("one scene");
    let tolerance = 1e-3 * stage.length;
    let mut found = Vec::new();
    for (at, (name, query)) in questions(stage).into_iter().enumerate() {
        let query = query.accuracy(Accuracy::Within(tolerance)).margin([0.0, tolerance][at % 2]);
        let window = [0.0..=1.0, 0.25..=0.8][at / 2 % 2].clone();
        let part = motion.window(window).expect("a window");
        let done = part.impacts(&query, hits.scratch(), &mut found);
        let first = part.first_impact(&query, hits.scratch()).map(|first| first.is_some());
        let any = part.intersects(&query, hits.scratch());
        let all: Vec<_> = found.iter().map(|one| impact_text(stage, one)).collect();
        row.ask(name, (done.is_ok(), first, any, all).said());
    }
    let mut past = after.clone();
    motion.write_scene(0x5a3c, hits.scratch(), &mut past);
    for (at, &key) in stage.keys.iter().enumerate() {
        row.ask(format!("poses of {at}"), poses_text(&past, key));
    }
    row
}

/// Returns the impacts of trajectories through five states, with and without a character that
/// jumps, and states of their history between the ticks.
pub fn trajectories<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "trajectories");
    tools.renew();
    let states = states(stage, &mut Random::named(stage.name, 18));
    let (first, second) = (stage.keys[0], stage.keys[1]);
    let (mut history, mut past) = (History::new(4), PastScene::new());
    for (tick, state) in states.iter().enumerate() {
        // The second jumps in one tick; the first tick is overwritten.
        let jump = [(second, MotionPath::Jump)];
        let paths = if tick == 3 { &jump[..] } else { &[] };
        history.push_with_paths(tick as u64, state, paths).expect("one scene");
    }
    let kinds = [(first, MotionPath::Parts)];
    let trajectories = [
        ("slice", SceneTrajectory::with_paths(&states, &kinds).expect("states")),
        ("history", history.trajectory(1..=4).expect("its ticks")),
    ];
    let Tools { motion, hits, .. } = tools;
    let (tolerance, mut found) = (1e-3 * stage.length, Vec::new());
    let text = |one: &TickImpact<T>| (one.tick, impact_text(stage, &one.impact)).said();
    for (from, trajectory) in trajectories {
        for (name, query) in questions(stage) {
            let query = query.accuracy(Accuracy::Within(tolerance));
            let done = trajectory.impacts(&query, motion, hits.scratch(), &mut found).is_ok();
            let any = trajectory.intersects(&query, motion, hits.scratch());
            let earliest = trajectory.first_impact(&query, motion, hits.scratch());
            let earliest = earliest.map(|one| one.as_ref().map(text));
            let all: Vec<_> = found.iter().map(text).collect();
            row.ask(format!("{name}, {from}"), (done, any, earliest, all).said());
        }
    }
    for (tick, fraction) in [(1, 0x1234), (2, 0x8001), (3, 0xffff), (4, 0)] {
        let then = history.at(tick, fraction, &mut past).expect("its ticks");
        for key in [first, second] {
            row.ask(format!("poses at {tick} and {fraction}"), poses_text(then, key));
        }
        let then = history.at_only((tick, fraction), &[second], &mut past).expect("its ticks");
        row.ask(format!("one of these at {tick} and {fraction}"), poses_text(then, second));
    }
    row
}

/// Returns the events of four ticks, by impacts and by pairs, and what attacks hit in them; before
/// the last tick a character is removed.
pub fn events<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "events");
    tools.renew();
    let mut states = states(stage, &mut Random::named(stage.name, 19));
    let removed = stage.keys[1];
    states[4].remove(removed).expect("a key");
    let Tools { motion, buffers, hits, .. } = tools;
    let query = |one: PairQuery<'static>| one.accuracy(Accuracy::Within(1e-3 * stage.length));
    let (mut swept, mut sampled) = (ContactEvents::new(), ContactEvents::new());
    let mut attacks =
        [OncePer::Character, OncePer::Part, OncePer::Group, OncePer::Attack].map(Attack::new);
    let (mut found, mut list) = (Vec::new(), Vec::new());
    for (tick, ends) in states.windows(2).enumerate() {
        let change = SceneMotion::between(&ends[0], &ends[1], motion).expect("one scene");
        change.impacts(&query(PairQuery::all()), hits.scratch(), &mut found).expect("a query");
        for by_pairs in [false, true] {
            match by_pairs {
                false => swept.advance(tick as u64, &ends[1], &found, &mut list).expect("its own"),
                true => {
                    let now = ends[1].snapshot(buffers);
                    let query = PairQuery::all().detail(Detail::DeepestBoxes);
                    now.pairs(&query.accuracy(Accuracy::Exact), hits).expect("a query");
                    let pairs = hits.pairs();
                    sampled
                        .advance_by_pairs(tick as u64, &ends[1], pairs, &mut list)
                        .expect("its own");
                }
            }
            let all = list.iter().map(|event| {
                let change = match event.change {
                    ContactChange::Begin => "begin",
                    ContactChange::Persist => "persist",
                    ContactChange::End => "end",
                };
                let parts = event.parts.map(|one| (one.order, one.part.index()));
                (change, (parts[0], parts[1]), event.time.to_bits(), (event.since, event.id))
            });
            let touching = if by_pairs { sampled.len() } else { swept.len() };
            row.ask(
                format!("tick {tick}, by pairs: {by_pairs}"),
                (touching, all.collect::<Vec<_>>()).said(),
            );
        }
        let query = query(PairQuery::of(stage.keys[0]));
        for (at, attack) in attacks.iter_mut().enumerate() {
            change.impacts(&query, hits.scratch(), &mut found).expect("a query");
            attack.strike(&ends[1], &mut found).expect("its own");
            let all: Vec<_> = found.iter().map(|one| stage.node(&one.b)).collect();
            row.ask(format!("tick {tick}, attack {at}"), all.said());
        }
    }
    row
}
