//! Times of impact against parry3d in double precision.

use boxwood::pair::Sweep;
use boxwood::shape::{Obb, Sphere};

use support::pair_regime::Regime;
use support::parry::Peer;
use support::prelude::*;
use support::random_sweeps::{moving, point, stored, vector};

const CASES: usize = 6_000;

#[test]
fn times_of_impact_agree_with_parry() {
    let mut random = Random(31);
    let (mut both, mut neither, mut differ, mut worst) = (0, 0, 0, 0.0f64);
    for round in 0..cases(CASES) {
        let regime = [Regime::Apart, Regime::Touching, Regime::Deep][round % 3];
        let m = moving(&mut random, regime);
        let (a, b): (Obb<f64>, Obb<f64>) = (stored(&m.a), stored(&m.b));
        let [p, q] = m.by.map(vector);
        let second = Peer::solid(&PlainBox::of(&b));
        let (mine, first) = if round % 2 == 0 {
            (a.sweep_both(p, &b, q), Peer::solid(&PlainBox::of(&a)))
        } else {
            let ball = Sphere::new(point(m.a.center), m.a.half[0]).expect("a ball");
            (ball.sweep_both(p, &b, q), Peer::ball(m.a.center, m.a.half[0]))
        };
        let other = first.sweep(&second, m.by);
        match (mine, other) {
            (None, None) => neither += 1,
            (Some(hit), Some(time)) => {
                both += 1;
                let off = (hit.time_of_impact - time).abs() * norm(minus(m.by[0], m.by[1]));
                worst = worst.max(off);
            }
            _ => differ += 1,
        }
    }
    println!(
        "{both} both hit, {neither} neither, {differ} differ; first touches {worst:.1e} apart at most"
    );
    assert!(
        2 * both > cases(CASES) && 6 * neither > cases(CASES) && differ == 0,
        "{both} {neither} {differ}"
    );
    assert!(worst < 1e-4, "{worst:e}");
}
