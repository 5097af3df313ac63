//! Invariance of sweeps: the pair scaled, turned, moved.

use boxwood::pair::Sweep;
use boxwood::shape::{Obb, Sphere};

use support::pair_regime::Regime;
use support::prelude::*;
use support::random::{apply, compose};
use support::random_sweeps::{Moving, moving, point, stored, vector};

type Hit = Option<boxwood::pair::CastHit<f64>>;

fn boxes(m: &Moving) -> Hit {
    let (a, b): (Obb<f64>, Obb<f64>) = (stored(&m.a), stored(&m.b));
    let [p, q] = m.by.map(vector);
    a.sweep_both(p, &b, q)
}

fn ball(of: &PlainBox) -> Sphere<f64, 3> {
    Sphere::new(point(of.center), of.half[0]).expect("a ball")
}

fn ball_and_box(m: &Moving) -> Hit {
    let [p, q] = m.by.map(vector);
    ball(&m.a).sweep_both(p, &stored(&m.b), q)
}

fn balls(m: &Moving) -> Hit {
    let [p, q] = m.by.map(vector);
    ball(&m.a).sweep_both(p, &ball(&m.b), q)
}

#[test]
fn rigid_motions_and_scale_keep_time_and_normal() {
    kept("boxes", boxes);
    kept("ball and box", ball_and_box);
    kept("balls", balls);
}

fn kept(name: &str, hit: fn(&Moving) -> Hit) {
    let mut random = Random(41);
    let (mut hits, mut none, mut odd) = (0, 0, 0);
    for round in 0..cases(6_000) {
        let m = moving(&mut random, [Regime::Apart, Regime::Touching][round % 2]);
        let (turn, unit) = (random.rotation(), random.decade(-3.0, 3.0));
        let shift = times(random.direction(), 5.0);
        let place = |b: &PlainBox| PlainBox {
            center: times(plus(apply(&turn, b.center), shift), unit),
            axes: compose(&turn, &b.axes),
            half: times(b.half, unit),
        };
        let by = m.by.map(|v| times(apply(&turn, v), unit));
        let there = Moving { a: place(&m.a), b: place(&m.b), by };
        match (hit(&m), hit(&there)) {
            (None, None) => none += 1,
            (Some(here), Some(there)) => {
                hits += 1;
                let way = norm(minus(m.by[0], m.by[1]));
                assert!((here.time_of_impact - there.time_of_impact).abs() * way < 1e-9, "{m:?}");
                let turned = Vector3::from(apply(&turn, here.normal.into()));
                // If two axes are entered at once, either may be the normal.
                odd += usize::from((turned - there.normal).norm() > 1e-9);
            }
            (here, there) => panic!("{here:?} {there:?} {m:?}"),
        }
    }
    println!("{name}: {hits} hits, {none} none, {odd} with another normal");
    assert!(4 * hits > cases(6_000) && 7 * none > cases(6_000) && odd < 10, "{hits} {none} {odd}");
}
