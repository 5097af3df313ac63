//! Earlier states: whole ticks are those that were pushed, bit for bit; between them parts are where
//! impacts and another kinematics put them; rollback, teleports, and ticks that are not there.

use boxwood::scene::{
    History, MotionBuffers, MotionPath, PastScene, QueryScratch, Scene, SceneMotion, Spawn,
};
use boxwood::shape::Pose;
use boxwood::{Accuracy, Error, PairQuery};

use super::samples::{Duel, rounding};
use support::moving_parts::widened;
use support::prelude::*;

fn bits<T: Scalar>(poses: &[Pose<T>]) -> Vec<u64> {
    let numbers = |pose: &Pose<T>| {
        let (q, p) = (pose.rotation.coords, pose.translation.vector);
        [q.x, q.y, q.z, q.w, p.x, p.y, p.z].map(|x| x.bits())
    };
    poses.iter().flat_map(numbers).collect()
}

fn between_ticks<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let mut agreed = 0;
    for _ in 0..at_least(200, 40) {
        let duel = Duel::<T>::random(&mut random, 2.0, 0.0);
        let mut history = History::new(4);
        history.push(7, &duel.before).expect("a scene");
        history.push(8, &duel.after).expect("a scene");
        let mut past = PastScene::new();
        for (tick, scene) in [(7, &duel.before), (8, &duel.after)] {
            let then = history.at(tick, 0, &mut past).expect("a tick");
            for key in duel.keys {
                let [stored, found] =
                    [scene, then].map(|scene| bits(scene.poses(key).expect("ok")));
                assert_eq!(stored, found);
            }
        }
        let fraction = 1 + random.below(65_535) as u16;
        let time = f64::from(fraction) / 65_536.0;
        let then = history.at(7, fraction, &mut past).expect("a fraction").clone();
        for side in [0, 1] {
            let expected = duel.poses(side, time);
            let found = then.poses(duel.keys[side]).expect("a key");
            for (expected, found) in expected.iter().zip(found) {
                let found = widened(found);
                let shift = (found.translation.vector - expected.translation.vector).norm();
                let turn = found.rotation.angle_to(&expected.rotation);
                assert!(shift + turn <= rounding::<T>(0.0), "{shift} {turn}");
            }
        }
        // One character; the others are as one tick later.
        let only = [duel.keys[1]];
        let one = history.at_only((7, fraction), &only, &mut past).expect("a fraction");
        assert_eq!(bits(one.poses(only[0]).expect("ok")), bits(then.poses(only[0]).expect("ok")));
        let other = duel.keys[0];
        assert_eq!(bits(one.poses(other).expect("ok")), bits(duel.after.poses(other).expect("ok")));
        // The pose in which an impact touches is that of the history, bit for bit: so is the exact
        // test there.
        let mut buffers = MotionBuffers::new();
        let motion = SceneMotion::between(&duel.before, &duel.after, &mut buffers).expect("one");
        let mut scratch = QueryScratch::new();
        let impact = motion.first_impact(&duel.query(1e-3), &mut scratch).expect("a query");
        if let Some(impact) = impact.filter(|impact| impact.time < 1.0) {
            let step = (impact.time * 65_536.0) as u16;
            let then = history.at(7, step, &mut past).expect("a fraction");
            let mut place = boxwood::scene::Buffers::new();
            let (a, b) = ([impact.a.part], [impact.b.part]);
            let pair = PairQuery::between(duel.keys[0], duel.keys[1]).parts(&a, &b);
            let now = then.snapshot(&mut place);
            let touch = now.intersects(&pair.clone().accuracy(Accuracy::Exact), &mut scratch);
            assert_eq!(touch, Ok(impact.slack.wide() == 0.0));
            let near = now.distance(&pair, &mut scratch).expect("a query").expect("near");
            assert!(near.distance <= impact.slack);
            agreed += 1;
        }
    }
    assert!(agreed > 10, "{agreed}");
}

fn ring<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let duel = Duel::<T>::random(&mut random, 1.0, 0.0);
    let mut scene = duel.before.clone();
    let (mut history, mut past) = (History::new(8), PastScene::new());
    assert_eq!(history.ticks(), None);
    let none = Error::NotInHistory { tick: 0, first: 1, last: 0 };
    assert_eq!(history.at(0, 0, &mut past).err(), Some(none));
    let mut pushed: Vec<(u64, Scene<T>)> = Vec::new();
    let mut tick: u64 = 100;
    for _ in 0..at_least(3_000, 300) {
        match random.below(12) {
            // Simulated again from some ticks ago.
            0 => tick = tick.saturating_sub(random.below(6) as u64).max(100),
            1 => tick += 5,
            _ => tick += 1,
        }
        let root = upright(random.vector(3.0).into());
        scene
            .set_parts(duel.keys[0], &vec![root; scene.poses(duel.keys[0]).expect("ok").len()])
            .expect("poses");
        history.push(tick, &scene).expect("a scene");
        pushed.retain(|one| one.0 < tick);
        if pushed.last().is_some_and(|one| one.0 + 1 != tick) {
            pushed.clear();
        }
        pushed.push((tick, scene.clone()));
        let kept = pushed.len().min(8);
        pushed.drain(..pushed.len() - kept);
        let [first, last] = [pushed[0].0, pushed[kept - 1].0];
        assert_eq!(history.ticks(), Some(first..=last));
        for (tick, scene) in &pushed {
            let then = history.at(*tick, 0, &mut past).expect("a tick");
            let of = |scene: &Scene<T>| bits(scene.poses(duel.keys[0]).expect("a key"));
            assert_eq!(of(then), of(scene));
        }
        for tick in [first.wrapping_sub(1), last + 1] {
            let error = history.at(tick, 0, &mut past).err();
            assert_eq!(error, Some(Error::NotInHistory { tick, first, last }));
        }
        assert!(history.at(last, 1, &mut past).is_err(), "the next tick is not there");
    }
    // Ticks up to the greatest number.
    let mut late = History::new(2);
    for tick in [u64::MAX - 2, u64::MAX - 1, u64::MAX] {
        late.push(tick, &scene).expect("a scene");
    }
    assert_eq!(late.ticks(), Some(u64::MAX - 1..=u64::MAX));
    assert!(late.at(u64::MAX - 1, 1, &mut past).is_ok());
    let error = Error::NotInHistory { tick: u64::MAX, first: u64::MAX - 1, last: u64::MAX };
    assert_eq!(late.at(u64::MAX, 1, &mut past).err(), Some(error));
    // Another scene, and stale keys.
    let other = Duel::<T>::random(&mut random, 1.0, 0.0).before;
    assert!(matches!(history.push(tick + 1, &other), Err(Error::BadQuery { .. })));
    let mut gone = scene.clone();
    gone.remove(duel.keys[1]).expect("a key");
    let jump = [(duel.keys[1], MotionPath::Jump)];
    assert_eq!(history.push_with_paths(tick + 1, &gone, &jump), Err(Error::StaleKey));
    history.push(tick + 1, &gone).expect("a scene");
    let gone = history.at_only((tick, 9), &[duel.keys[1]], &mut past).err();
    assert_eq!(gone, Some(Error::StaleKey));
}

fn teleports<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let duel = Duel::<T>::random(&mut random, 1.0, 0.0);
    let mut after = duel.after.clone();
    let model = after.model(duel.keys[0]).expect("a key").clone();
    let place = Isometry3::translation(5.0, 0.0, 0.0);
    let joined =
        after.insert(&model, Spawn::at(support::moving_parts::stored(&place))).expect("ok");
    let mut history = History::new(2);
    history.push(1, &duel.before).expect("a scene");
    history.push_with_paths(2, &after, &[(duel.keys[0], MotionPath::Jump)]).expect("a scene");
    let mut past = PastScene::new();
    let then = history.at(1, 0x4000, &mut past).expect("a fraction");
    for key in [duel.keys[0], joined] {
        assert_eq!(bits(then.poses(key).expect("ok")), bits(after.poses(key).expect("ok")));
    }
    let moving = duel.keys[1];
    assert_ne!(bits(then.poses(moving).expect("ok")), bits(after.poses(moving).expect("ok")));
    let then = history.at(1, 0, &mut past).expect("a tick");
    assert_eq!(then.poses(joined).err(), Some(Error::StaleKey), "it had not joined");
}

/// One memory for calls about any ticks and characters, as a server has it: no answer depends on
/// what it was used for before.
fn used_memory<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let duel = Duel::<T>::random(&mut random, 1.0, 0.0);
    let mut history = History::new(4);
    for (tick, scene) in [&duel.before, &duel.after, &duel.before, &duel.after].iter().enumerate() {
        let mut scene = (*scene).clone();
        // Every other character of some ticks is where it was.
        let key = duel.keys[tick % 2];
        let shift = boxwood::scene::Spawn::<T>::default().at;
        let poses: Vec<_> = scene.poses(key).expect("a key").iter().map(|at| shift * at).collect();
        scene.set_parts(key, &poses).expect("poses");
        history.push(tick as u64, &scene).expect("a scene");
    }
    let mut used = PastScene::new();
    for _ in 0..at_least(2_000, 300) {
        let (tick, fraction) = (random.below(3) as u64, random.below(4) as u16 * 0x3000);
        let only = match random.below(4) {
            0 => None,
            1 => Some(&duel.keys[..]),
            side => Some(&duel.keys[side - 2..side - 1]),
        };
        let mut fresh = PastScene::new();
        let [found, expected] = [&mut used, &mut fresh].map(|past| {
            let then = match only {
                None => history.at(tick, fraction, past),
                Some(keys) => history.at_only((tick, fraction), keys, past),
            };
            let then = then.expect("a tick");
            duel.keys.map(|key| bits(then.poses(key).expect("a key")))
        });
        assert_eq!(found, expected, "{tick} {fraction} {only:?}");
    }
}

scalars! {
    no_answer_depends_on_what_the_memory_was_used_for => used_memory(80);
    states_between_ticks_are_those_that_impacts_see => between_ticks(67);
    a_history_has_the_last_ticks_and_forgets_what_a_rollback_drops => ring(68);
    teleports_and_newcomers_are_where_the_next_tick_has_them => teleports(69);
}
