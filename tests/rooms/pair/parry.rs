//! All pairs of shapes against parry3d in double precision: verdicts, distances, contacts and rays,
//! where its answers do not depend on rounding.

use support::pair::any_shape::Kind;
use support::pair::random_pairs::{self, Regime};
use support::parry::Peer;
use support::prelude::*;

const CASES: usize = 300;

#[test]
fn verdicts_and_distances_agree_with_parry() {
    for regime in [Regime::Apart, Regime::Touching, Regime::Deep, Regime::Parallel] {
        let (mut apart, mut together, mut close, mut worst) = (0, 0, 0, 0.0f64);
        let (mut farther, mut other) = (0, 0);
        for first in Kind::ALL {
            for second in Kind::ALL {
                let mut random = Random(77 + regime as u64 * 64 + first as u64 * 8 + second as u64);
                for _ in 0..cases(CASES) {
                    let plans = random_pairs::pair(regime, [first, second], &mut random);
                    let [a, b] = plans.map(|plan| plan.build::<f64>());
                    let [other_a, other_b] = plans.each_ref().map(Peer::plan);
                    let size = plans[0].size() + plans[1].size();
                    let mine = a.distance(&b);
                    let distance = other_a.distance(&other_b);
                    // Both are distances of true points, so the smaller one is better.
                    let off = (mine - distance).abs() / (size + mine);
                    if off > 1e-6 {
                        farther += 1;
                        assert!(mine < distance, "{mine:e} {distance:e} {a:?} {b:?}");
                    } else {
                        worst = worst.max(off);
                    }
                    if mine > 0.0 && mine < 1e-6 * size || mine == 0.0 && distance > 0.0 {
                        close += 1;
                        continue;
                    }
                    let verdict = other_a.intersects(&other_b);
                    if mine > 0.0 {
                        apart += 1
                    } else {
                        together += 1
                    }
                    other += usize::from(verdict != a.intersects(&b));
                }
            }
        }
        println!(
            "{regime:?}: {apart} apart, {together} together, {close} close; distances differ by at most {worst:.1e}, but theirs is greater in {farther}; {other} other verdicts"
        );
        assert!(farther + other < 36 * cases(CASES) / 100);
    }
}
