//! Windows inside a tick: every window finds what the poses at its ends and between them touch, and
//! nothing that is clear in it.

use boxwood::scene::{Impact, MotionBuffers, QueryScratch, SceneMotion};
use boxwood::{Accuracy, Error};

use super::samples::{Duel, rounding};
use support::moving_parts::solid_parts;
use support::prelude::*;

fn windows<T: Scalar>(seed: u64) {
    let (mut random, mut hits, mut clear, mut armed) = (Random(seed), 0, 0, 0);
    for round in 0..at_least(300, 50) {
        let duel = Duel::<T>::random(&mut random, [0.5, 2.0][round % 2], 0.0);
        let mut buffers = MotionBuffers::new();
        let motion = SceneMotion::between(&duel.before, &duel.after, &mut buffers).expect("one");
        let (mut scratch, mut found, mut whole) = (QueryScratch::new(), Vec::new(), Vec::new());
        let query = duel.query(1e-3);
        motion.impacts(&query, &mut scratch, &mut whole).expect("a query");
        motion
            .window(0.0..=1.0)
            .expect("all")
            .impacts(&query, &mut scratch, &mut found)
            .expect("ok");
        assert_eq!(whole, found);
        // Whole steps, and ends between two, which are rounded outward.
        let mut ends = [0, 1].map(|_| match round % 3 {
            0 => f64::from(random.below(65_537) as u32) / 65_536.0,
            _ => random.share(),
        });
        ends.sort_by(f64::total_cmp);
        if round % 7 == 0 {
            ends[1] = ends[0];
        }
        let [from, to] =
            [(ends[0] * 65_536.0).floor(), (ends[1] * 65_536.0).ceil()].map(|step| step / 65_536.0);
        let part = motion.window(ends[0]..=ends[1]).expect("a window");
        part.impacts(&query, &mut scratch, &mut found).expect("a query");
        assert_eq!(part.first_impact(&query, &mut scratch), Ok(found.first().copied()));
        assert_eq!(part.intersects(&query, &mut scratch), Ok(!found.is_empty()));
        let doubt = rounding::<T>(0.0);
        let parts = duel.keys.map(|key| solid_parts(duel.after.model(key).expect("a key")));
        for pair in parts[0].iter().flat_map(|&a| parts[1].iter().map(move |&b| [a, b])) {
            let is_pair = |one: &&Impact<T>| [one.a.part, one.b.part] == pair;
            let impact = found.iter().find(is_pair);
            let until = impact.map_or(to, |impact| impact.clear_until);
            for sample in 0..=20 {
                let time = from + (until - from) * f64::from(sample) / 20.0;
                let apart = duel.distance(pair, time, 0.1);
                let all_but = apart + doubt > 0.0 && time == until;
                assert!(apart > 0.0 || impact.is_some() && time == until || all_but, "{round}");
            }
            let Some(impact) = impact else {
                clear += 1;
                continue;
            };
            assert!(from <= impact.clear_until && impact.clear_until <= impact.time);
            assert!(impact.time <= to && impact.met);
            assert!(duel.distance(pair, impact.time, 1.0) <= impact.slack.wide() + doubt);
            assert!(!impact.touching_at_start || impact.time == from);
            let first = whole.iter().find(is_pair).expect("in the whole tick too");
            assert!(first.clear_until <= impact.time);
            hits += 1;
            armed += usize::from(impact.touching_at_start && from > 0.0);
        }
    }
    println!("{hits} impacts, {armed} touching when armed, {clear} clear");
    assert!(hits > 20 && armed > 8 && clear > 50);
}

#[test]
fn windows_outside_the_tick_are_refused() {
    let duel = Duel::<f32>::random(&mut Random(1), 1.0, 0.0);
    let mut buffers = MotionBuffers::new();
    let motion = SceneMotion::between(&duel.before, &duel.after, &mut buffers).expect("one scene");
    for (from, to) in [(-0.1, 0.5), (0.5, 1.1), (0.6, 0.5)] {
        assert!(matches!(motion.window(from..=to), Err(Error::BadQuery { .. })), "{from} {to}");
    }
    for (from, to) in [(f64::NAN, 0.5), (0.5, f64::INFINITY)] {
        assert!(matches!(motion.window(from..=to), Err(Error::NotFinite { .. })), "{from} {to}");
    }
    let query = duel.query(1e-3).accuracy(Accuracy::Exact);
    let never = motion.window(0.0..=0.0).expect("a window");
    assert!(never.first_impact(&query, &mut QueryScratch::new()).is_err());
}

scalars! {
    a_window_finds_what_touches_in_it => windows(66);
}
