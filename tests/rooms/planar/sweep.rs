//! Planar sweeps: time of impact against a search of the distance along the motion.

use super::distance_oracle::{distance, first_touch, nearest};
use support::pair_regime::{REGIMES, Regime, Tally};
use support::planar::any_shape::{
    P, RoundedCore, inner, intersects, minus, norm, plus, sweep, times, vector, wide,
};
use support::planar::moving_pairs::moving;
use support::planar::random_pairs::pair;
use support::prelude::*;

const CASES: usize = 8_000;

/// Shapes at a time, seen from where the first starts.
fn at(a: &RoundedCore, b: &RoundedCore, [p, q]: [P; 2], time: f64) -> (RoundedCore, RoundedCore) {
    (a.moved(times(p, time)), b.moved(times(q, time)))
}

fn finds_the_first_touch<T: Scalar>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let (mut hits, mut inside, mut earliest) = (0, 0, 0.0f64);
    for round in 0..cases(CASES) {
        let regime = REGIMES[round % 4];
        let (a, b, by) = moving::<T>(&mut random, regime, pair);
        let found = sweep(&a, &b, by);
        // By the outcome, checked below.
        tally.add(match found {
            _ if regime == Regime::Degenerate => regime,
            None => Regime::Apart,
            Some(hit) if hit.started_inside => Regime::Deep,
            Some(_) => Regime::Touching,
        });
        let same = format!("{a:?}") == format!("{b:?}");
        let answer = sweep(&b, &a, [by[1], by[0]]).map(|hit| hit.reversed());
        assert!(found == answer || same, "{found:?} {answer:?}: {a:?} {b:?}");
        // Relative to the first centre, so that the oracle is precise far from the origin.
        let home = times(a.seen().center(), -1.0);
        let (first, second) = (a.seen().moved(home), b.seen().moved(home));
        let relative = minus(by[0], by[1]);
        let size = first.size() + second.size() + norm(relative) + norm(second.center());
        let blur = 4e-15 * size + 4e-16 * norm(home);
        let (when, least) = nearest(&first, &second, relative);
        let Some(hit) = found else {
            // Shifted by the oracle's rounding, some direction separates them.
            let (p, q) = at(&first, &second, by, when);
            let shifts = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
            let mut shifted = shifts.iter().map(|&s| distance(&p.moved(times(s, blur)), &q));
            let missed = least == 0.0 && shifted.all(|gap| gap == 0.0);
            assert!(!missed, "missed at {when}: {a:?} {b:?} {by:?}");
            continue;
        };
        hits += 1;
        let (time, leave) = (hit.time_of_impact.wide(), hit.time_of_leaving.wide());
        let slack = hit.slack.wide();
        assert!((0.0..=1.0).contains(&time) && leave >= time);
        assert!(least <= slack + blur, "{least:e} {slack:e}: {a:?} {b:?} {by:?}");
        // No further apart than stated, and never later than the first contact.
        let (p, q) = at(&first, &second, by, time);
        let gap = distance(&p, &q);
        assert!(gap <= slack + blur, "{gap:e} {slack:e} {hit:?}: {a:?} {b:?} {by:?}");
        if least == 0.0 {
            let truth = first_touch(&first, &second, relative, when);
            assert!(
                time <= truth + blur / norm(relative).max(1e-300),
                "{time} {truth}: {a:?} {b:?} {by:?}"
            );
            earliest = earliest.max((truth - time) * norm(relative) / size);
        }
        // The point is on both; the normal points from the second to the first.
        let point = RoundedCore { corners: vec![plus(wide(&hit.point.coords), home)], round: 0.0 };
        let rounding = 4.0 * T::ROUNDING * (size + norm(home)) + blur;
        let normal = wide(&hit.normal);
        assert!((norm(normal) - 1.0).abs() < 4.0 * T::ROUNDING + 1e-14);
        // The first is the mover: it moves against the normal, unless it may be on its way out.
        let along = inner(normal, relative);
        assert!(time == 0.0 || along <= rounding, "{along:e} {hit:?}: {a:?} {b:?} {by:?}");
        let (length, full) = (hit.length(vector(by[0])).wide(), time * norm(by[0]));
        assert!(length <= full && length >= full * (1.0 - 2.0 * T::ROUNDING - 1e-14));
        assert_eq!(hit.started_inside, intersects(&a, &b));
        if hit.started_inside {
            assert_eq!(time, 0.0);
            inside += 1;
        } else {
            let off = distance(&point, &p).max(distance(&point, &q));
            // Edges that slope by less than a millionth count as flat.
            assert!(off <= slack + rounding + 4e-6 * size, "{off:e} {hit:?}: {a:?} {b:?} {by:?}");
            // Along the normal they only touch.
            let overlap = p.support(times(normal, -1.0)) + q.support(normal);
            assert!(overlap.abs() <= slack + rounding, "{overlap:e} {hit:?}: {a:?} {b:?} {by:?}");
        }
        // Up to the time of leaving they touch, and after it they do not.
        if leave.is_finite() && leave < 3.0 && norm(relative) > 1e-6 * size {
            let late = leave + 1e-6 * size / norm(relative);
            let (p, q) = at(&first, &second, by, late);
            assert!(distance(&p, &q) > 0.0, "{hit:?}: {a:?} {b:?} {by:?}");
            let (p, q) = at(&first, &second, by, 0.5 * (time + leave));
            assert!(distance(&p, &q) <= slack + rounding, "{hit:?}: {a:?} {b:?} {by:?}");
        }
    }
    tally.finish("sweeps");
    println!("  {hits} hits, {inside} started inside; early by at most {earliest:.1e} of the size");
    assert!(
        hits > cases(CASES) / 3 && hits < 9 * cases(CASES) / 10 && inside > cases(CASES) / 10,
        "{hits} {inside}"
    );
}

scalars! {
    sweeps_find_the_first_touch => finds_the_first_touch(21; 22);
}
