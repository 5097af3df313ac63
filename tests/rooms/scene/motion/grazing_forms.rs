//! Motions that graze, in numbers: primitives whose distance is a formula, placed by a factor of
//! `1 +- 10^-k` about the distance at which they all but touch, or come within a margin. Four counts
//! are zero:
//!
//! - *missed*: the least distance of the tick is below zero, and there is no impact;
//! - *late*: the two touch before [`Impact::clear_until`], or `time - clear_until` is longer than
//!   one final interval, the longest in which they approach by no more than the tolerance;
//! - *spurious*: there is an impact although the least distance is above the tolerance, or they are
//!   further apart than the slack at its time;
//! - *misstated*: they touch at the start or at the end of the tick, and the impact says otherwise.
//!
//! Undecided impacts ([`Impact::met`] is `false`) are counted by themselves.

use boxwood::model::Model;
use boxwood::scene::{
    CharacterKey, Impact, MotionBuffers, QueryScratch, Scene, SceneMotion, Spawn,
};
use boxwood::{Accuracy, Build, PairQuery};

use super::samples::rounding;
use support::grazing_forms::{FORMULA_ERROR, Graze, KINDS};
use support::prelude::*;

/// Storage of the motions, and of two characters of one part.
struct Arena<T: Scalar> {
    buffers: MotionBuffers<T>,
    scratch: QueryScratch<T>,
}

impl<T: Scalar> Arena<T> {
    fn first_impact(&mut self, graze: &Graze, tolerance: f64) -> Option<Impact<T>> {
        let mut before = Scene::new();
        let keys: [CharacterKey; 2] = graze.movers.map(|mover| {
            let geometry = mover.form.geometry::<T>();
            let model = Model::builder().part("only", None, geometry).build(&Build::level());
            before.insert(&model.expect("a model"), Spawn::default()).expect("a part")
        });
        let mut after = before.clone();
        for (key, mover) in keys.into_iter().zip(&graze.movers) {
            let [first, last] = mover.poses();
            before.set_parts(key, &[first]).expect("a pose");
            after.set_parts(key, &[last]).expect("a pose");
        }
        let motion = SceneMotion::between(&before, &after, &mut self.buffers).expect("one scene");
        let query = PairQuery::between(keys[0], keys[1]).accuracy(Accuracy::Within(tolerance));
        let query = query.margin(graze.margin);
        motion.first_impact(&query, &mut self.scratch).expect("a query")
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Faults {
    missed: usize,
    late: usize,
    spurious: usize,
    misstated: usize,
}

fn in_numbers<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let mut arena = Arena::<T> { buffers: MotionBuffers::new(), scratch: QueryScratch::new() };
    let mut faults = Faults::default();
    let (mut overlapping, mut clear, mut within, mut undecided) = (0, 0, 0, 0);
    let doubt = rounding::<T>(0.0);
    // A factor of the distance that is no more than rounding proves nothing.
    let digits = (-T::ROUNDING.log10() as usize - 1).min(8);
    let mut round = 0;
    while round < at_least(50_000, 1_000) {
        let digit = 1 + random.below(digits) as i32;
        let share = random.sign() * 10f64.powi(-digit);
        let Some(graze) = Graze::random::<T>(&mut random, round % KINDS, share) else { continue };
        round += 1;
        let (least, time) = graze.least(1.0, 96);
        // Clear ones beside a lesser and a greater tolerance. Those that cross need one of some
        // share of their way in the shortest interval.
        let tolerance = match random.below(3) {
            0 if least > 0.0 => 0.5 * least,
            1 if least > 0.0 => 2.0 * least,
            _ => random.decade(-3.5, -2.0),
        };
        let tolerance = tolerance.max(4.0 * doubt);
        let found = arena.first_impact(&graze, tolerance);
        let case = || format!("{round}: least {least:e} at {time}, {tolerance:e}: {found:?}");
        overlapping += usize::from(least < 0.0);
        let Some(impact) = found else {
            if least < -FORMULA_ERROR {
                println!("missed {} {graze:?}", case());
                faults.missed += 1;
            }
            clear += 1;
            continue;
        };
        let is_late = {
            let (before, _) = graze.least(impact.clear_until, 48);
            let half = (tolerance + doubt) / graze.closing(impact.time);
            let until = impact.time - impact.clear_until;
            before < -FORMULA_ERROR && impact.clear_until > 0.0
                || until > 2.0 * half + 2f64.powi(-15)
        };
        if is_late {
            println!("late {} {graze:?}", case());
            faults.late += 1;
        }
        let apart = graze.distance(impact.time);
        let is_within = least <= tolerance + doubt || !impact.met;
        if !is_within || apart > impact.slack.wide() + doubt {
            println!("spurious {} {apart:e} {graze:?}", case());
            faults.spurious += 1;
        }
        let ends = [(0.0, impact.touching_at_start), (1.0, impact.touching_at_end)];
        for (end, is_touching) in ends {
            let apart = graze.distance(end);
            if apart.abs() > doubt && is_touching != (apart < 0.0) {
                println!("misstated at {end} {} {graze:?}", case());
                faults.misstated += 1;
            }
        }
        within += usize::from(least > 0.0);
        undecided += usize::from(!impact.met);
    }
    println!(
        "{round} motions: {overlapping} overlap, {within} within the tolerance, {clear} clear, \
         {undecided} undecided; {faults:?}"
    );
    assert_eq!(faults, Faults::default());
    assert!(4 * overlapping > round && 8 * clear > round && 20 * within > round);
}

scalars! {
    primitives_that_graze_are_neither_missed_nor_late_nor_spurious => in_numbers(85);
}
