//! Sweeps of boxes and balls against a search of the distance along the motion.

use boxwood::pair::{CastHit, Sweep};
use boxwood::shape::{Aabb, Obb, Sphere};

use support::box_distance::distance;
use support::f64_sat;
use support::pair_regime::{REGIMES, Regime, Tally};
use support::plain_box::UPRIGHT;
use support::prelude::*;
use support::random_sweeps::{Moving, moving, point, stored, vector, wide};

const CASES: usize = 4_000;

/// A pair of kinds: its sweep, and the distance of the pair at a time, which checks it.
struct Family<T: Scalar> {
    name: &'static str,
    ask: fn(&Moving, bool) -> Option<CastHit<T, 3>>,
    gap: fn(&PlainBox, &PlainBox) -> f64,
}

fn boxes_gap(a: &PlainBox, b: &PlainBox) -> f64 {
    if f64_sat::separation(a, b) <= 0.0 { 0.0 } else { distance(a, b) }
}

fn ball_gap(a: &PlainBox, b: &PlainBox) -> f64 {
    (b.distance(a.center) - a.half[0]).max(0.0)
}

fn balls_gap(a: &PlainBox, b: &PlainBox) -> f64 {
    (norm(minus(b.center, a.center)) - a.half[0] - b.half[0]).max(0.0)
}

const WORLD: [V; 3] = UPRIGHT;

fn aligned_gap(a: &PlainBox, b: &PlainBox) -> f64 {
    ball_gap(a, &PlainBox { axes: WORLD, ..*b })
}

fn ball<T: Scalar>(block: &PlainBox) -> Sphere<T, 3> {
    Sphere::new(point(block.center), T::nearest(block.half[0])).expect("a ball")
}

fn aligned<T: Scalar>(block: &PlainBox) -> Aabb<T, 3> {
    Aabb::new(point(minus(block.center, block.half)), point(plus(block.center, block.half)))
}

fn asked<T: Scalar, A: Sweep<T, 3, B>, B: Sweep<T, 3, A>>(
    (a, b): (A, B),
    m: &Moving,
    back: bool,
) -> Option<CastHit<T, 3>> {
    let [p, q] = m.by.map(vector);
    if back { b.sweep_both(q, &a, p).map(|hit| hit.reversed()) } else { a.sweep_both(p, &b, q) }
}

fn families<T: Scalar>() -> [Family<T>; 4] {
    [
        Family {
            name: "box, box",
            ask: |m, back| asked::<T, _, _>((stored::<T>(&m.a), stored::<T>(&m.b)), m, back),
            gap: boxes_gap,
        },
        Family {
            name: "ball, box",
            ask: |m, back| asked::<T, _, _>((ball::<T>(&m.a), stored::<T>(&m.b)), m, back),
            gap: ball_gap,
        },
        Family {
            name: "ball, ball",
            ask: |m, back| asked::<T, _, _>((ball::<T>(&m.a), ball::<T>(&m.b)), m, back),
            gap: balls_gap,
        },
        Family {
            name: "ball, aligned box",
            ask: |m, back| asked::<T, _, _>((ball::<T>(&m.a), aligned::<T>(&m.b)), m, back),
            gap: aligned_gap,
        },
    ]
}

/// Rounds the numbers as stored, so that the oracle has the same shapes.
fn rounded<T: Scalar>(m: &Moving, world: bool) -> Moving {
    let round = |b: &PlainBox| PlainBox::of::<T>(&stored::<T>(b));
    let by = m.by.map(|v| wide::<T>(&vector(v)));
    let mut b = round(&m.b);
    if world {
        let ends: Aabb<T, 3> = aligned(&b);
        let (min, max) = (wide(&ends.min.coords), wide(&ends.max.coords));
        (b.center, b.half) = (times(plus(min, max), 0.5), times(minus(max, min), 0.5));
    }
    Moving { a: round(&m.a), b, by }
}

fn check<T: Scalar>(family: &Family<T>, seed: u64) {
    let mut random = Random(seed);
    let (mut tally, mut hits, mut inside, mut early) = (Tally::default(), 0, 0, 0.0f64);
    for round in 0..cases(CASES) {
        let regime = REGIMES[round % 4];
        let drawn = moving(&mut random, regime);
        let m = rounded::<T>(&drawn, family.name.contains("aligned"));
        let (found, answer) = ((family.ask)(&m, false), (family.ask)(&m, true));
        // Two shapes of the same bits have no order; here those are points.
        let alike = m.a.center == m.b.center && m.a.half == m.b.half;
        assert!(found == answer || alike, "{}: {found:?} {answer:?} {m:?}", family.name);
        let relative = minus(m.by[0], m.by[1]);
        let size = m.a.radius() + m.b.radius();
        let reach = size + norm(relative) + norm(minus(m.b.center, m.a.center));
        // Stored axes have the rounding of T; the oracle uses them as they are.
        let blur = 1e-14 * (reach + norm(m.a.center)) + 8.0 * T::ROUNDING * size;
        let gap = |time: f64| {
            let (a, b) = support::random_sweeps::at(&m, time);
            (family.gap)(&a, &b)
        };
        // By the outcome, checked below.
        tally.add(match found {
            _ if regime == Regime::Degenerate => regime,
            None => Regime::Apart,
            Some(hit) if hit.started_inside => Regime::Deep,
            Some(_) => Regime::Touching,
        });
        let (when, least) = support::random_sweeps::least(gap);
        let Some(hit) = found else {
            let clear = least > 0.0 || gap_shrunk(family, &m, when, blur) > 0.0;
            assert!(clear, "{} missed at {when}: {m:?}", family.name);
            continue;
        };
        hits += 1;
        let (time, slack) = (hit.time_of_impact.wide(), hit.slack.wide());
        assert!((0.0..=1.0).contains(&time) && hit.time_of_leaving.wide() >= time);
        assert!(gap(time) <= slack + blur, "{}: {:e} {hit:?} {m:?}", family.name, gap(time));
        if least == 0.0 {
            let truth = support::random_sweeps::first(gap, when);
            let late = (time - truth) * norm(relative);
            assert!(late <= blur, "{}: {late:e} {time} {truth} {hit:?} {m:?}", family.name);
            early = early.max(-late / reach);
        }
        let (a, b) = support::random_sweeps::at(&m, time);
        assert!((norm(wide(&hit.normal)) - 1.0).abs() < 1e-5);
        if hit.started_inside {
            assert_eq!(time, 0.0);
            inside += 1;
            continue;
        }
        // The point relative to the first's start, without the displacement of the second.
        let home = plus(m.a.center, times(m.by[1], time));
        let p = minus(wide(&hit.point.coords), home);
        let room = slack + blur + 4.0 * T::ROUNDING * (reach + norm(m.a.center)) + 4e-6 * size;
        let dot = PlainBox { center: p, axes: WORLD, half: [0.0; 3] };
        let off = [(family.gap)(&dot, &b), of_first(family, &dot, &a)];
        assert!(off[0] <= room && off[1] <= room, "{}: {off:?} {hit:?} {m:?}", family.name);
    }
    tally.finish(family.name);
    println!("{hits} hits, {inside} started inside; early by at most {early:.1e} of the way");
    assert!(
        hits > cases(CASES) / 3 && hits < 19 * cases(CASES) / 20 && inside > cases(CASES) / 10,
        "{hits} {inside}"
    );
}

/// Computes the gap with both shapes shrunk by the rounding of the oracle.
fn gap_shrunk<T: Scalar>(family: &Family<T>, m: &Moving, time: f64, by: f64) -> f64 {
    let (a, b) = support::random_sweeps::at(m, time);
    let smaller = |x: PlainBox| PlainBox { half: x.half.map(|h| h - by), ..x };
    // An empty shrunk shape cannot be missed.
    let gone = [a, b].iter().any(|x| x.half.iter().any(|&h| h < by));
    if gone { 1.0 } else { (family.gap)(&smaller(a), &smaller(b)) }
}

/// Distance from a point to the first shape.
fn of_first<T: Scalar>(family: &Family<T>, dot: &PlainBox, a: &PlainBox) -> f64 {
    if family.name.starts_with("ball") {
        (norm(minus(dot.center, a.center)) - a.half[0]).max(0.0)
    } else {
        a.distance(dot.center)
    }
}

#[test]
fn a_sweep_without_displacement_is_the_intersection_test() {
    let mut random = Random(5);
    for round in 0..cases(CASES) {
        let m = moving(&mut random, REGIMES[round % 4]);
        let (a, b): (Obb<f64>, Obb<f64>) = (stored(&m.a), stored(&m.b));
        let hit = a.sweep(vector([0.0; 3]), &b);
        assert_eq!(hit.is_some_and(|hit| hit.started_inside), a.intersects(&b));
        if let (Some(hit), Some(contact)) = (hit, a.contact(&b)) {
            assert!(hit.time_of_leaving.is_infinite());
            assert_eq!(hit.time_of_impact, 0.0);
            assert!(
                (hit.normal + contact.normal).norm() < 1e-12
                    && (hit.point - contact.point).norm()
                        <= 1e-12 * (1.0 + hit.point.coords.norm())
            );
        }
    }
}

/// Checks tiny speeds, whose quotients are infinite: no impact.
#[test]
fn tiny_motion_along_an_axis_does_not_hide_a_gap() {
    let cube =
        |at: V| -> Obb<f64> { stored(&PlainBox { center: at, half: [1.0; 3], axes: UPRIGHT }) };
    let aligned = |at: V| Aabb::<f64, 3>::new(point(at), point(plus(at, [1.0; 3])));
    for least in [5e-324, 1e-310, 1e-289, 1e-231, 1e-200] {
        for far in [3.0, 1e18, 4e20] {
            let by = vector([6.0, least, 0.0]);
            assert!(cube([0.0; 3]).sweep(by, &cube([3.0, far, 0.0])).is_none(), "{least} {far}");
            assert!(cube([0.0; 3]).sweep(by, &cube([3.0, -far, 0.0])).is_none(), "{least} {far}");
            let (a, b) = (aligned([0.0; 3]), aligned([3.0, far, 0.0]));
            assert!(a.sweep(by, &b).is_none() && b.sweep(-by, &a).is_none(), "{least} {far}");
        }
        let hit = cube([0.0; 3]).sweep(vector([6.0, least, 0.0]), &cube([3.0, 0.5, 0.0]));
        assert!(hit.is_some_and(|hit| (hit.time_of_impact - 1.0 / 6.0).abs() < 1e-12));
    }
}

fn every_family<T: Scalar>(first_seed: u64) {
    families::<T>().iter().zip(first_seed..).for_each(|(family, seed)| check(family, seed));
}

scalars! {
    sweeps_find_the_first_touch => every_family(1; 11);
}
