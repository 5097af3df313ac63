//! Direction between the closest points of a triangle and a box: its error is at most that of the
//! two points over their distance.

use support::pair::any_shape::{Any, Kind, Plan, UPRIGHT};
use support::pair::random_pairs::{self, Regime};
use support::prelude::*;

const PAIRS: usize = 3_000;

/// Returns the unit direction from the first to the second, the distance, and the errors of the two
/// points.
fn direction<T: Scalar>(a: &Any<T>, b: &Any<T>) -> Option<(V, f64, f64)> {
    let closest = a.closest(b);
    let [on_a, on_b]: [V; 2] = [closest.on_a, closest.on_b].map(|p| [p.x, p.y, p.z].map(T::wide));
    let (way, far) = (minus(on_b, on_a), norm(on_a) + norm(on_b));
    (norm(way) > 0.0).then(|| (times(way, 1.0 / norm(way)), norm(way), far))
}

/// Permutes the coordinates: x becomes y. Nothing is rounded.
fn turned(plan: &Plan) -> Plan {
    let on = |[x, y, z]: V| [z, x, y];
    let points = plan.points.map(on);
    match plan.kind {
        Kind::Obb => Plan { points, axes: plan.axes.map(on), ..*plan },
        _ => Plan { points, half: on(plan.half), ..*plan },
    }
}

/// Draws a triangle and a box of f32 numbers, so that both precisions test the same shapes.
/// Axis-aligned boxes are rotated by permuting their axes.
fn pair(regime: Regime, kind: Kind, random: &mut Random) -> [Plan; 2] {
    let plans = random_pairs::pair(regime, [Kind::Triangle, kind], random);
    plans.map(|plan| {
        let axes = if plan.kind == Kind::Obb { random.quarter() } else { UPRIGHT };
        let single = |v: V| v.map(|x| f64::from(x as f32));
        Plan { points: plan.points.map(single), half: single(plan.half), axes, ..plan }
    })
}

fn each(mut ask: impl FnMut(Regime, &[Plan; 2])) {
    for (k, regime) in
        [Regime::Apart, Regime::Touching, Regime::Parallel, Regime::Far].into_iter().enumerate()
    {
        for kind in [Kind::Aabb, Kind::Obb] {
            let mut random = Random(7 + k as u64 * 2 + u64::from(kind == Kind::Obb));
            (0..PAIRS).for_each(|_| ask(regime, &pair(regime, kind, &mut random)));
        }
    }
}

#[test]
fn the_direction_in_f32_has_the_error_of_its_points() {
    let (mut apart, mut worst, mut large) = (0, (0.0f64, 0.0), 0);
    each(|_, plans| {
        let [a, b] = plans.map(|plan| plan.build::<f32>());
        let Some((rough, _, far)) = direction(&a, &b) else { return };
        let Some((fine, distance, _)) = direction::<f64>(&a.plan().build(), &b.plan().build())
        else {
            return;
        };
        // Half a unit in the last place of either point; a direction changes by twice the move of
        // its end.
        let allowed = 2.0 * f64::from(f32::EPSILON) * far / distance;
        let off = norm(minus(rough, fine));
        assert!(off <= allowed + 1e-9, "{off:e} {allowed:e} at {distance:e}: {a:?} {b:?}");
        apart += 1;
        large += usize::from(off > 3e-5);
        if far < 4.0 && off > worst.0 && distance > 1e-3 {
            worst = (off, distance);
        }
    });
    println!(
        "{apart} apart, {large} directions off by more than 3e-5; near the origin and further than 1e-3 apart {worst:?}"
    );
    assert!(apart > 12_000 && large > 10);
}

#[test]
fn the_direction_in_f64_has_the_error_of_its_points() {
    let (mut apart, mut worst) = (0, 0.0f64);
    each(|_, plans| {
        let [a, b] = plans.map(|plan| plan.build::<f64>());
        let [c, d] = plans.map(|plan| turned(&plan).build::<f64>());
        let (Some((way, distance, far)), Some((other, ..))) =
            (direction(&a, &b), direction(&c, &d))
        else {
            return;
        };
        let [x, y, z] = way;
        let size = plans[0].size() + plans[1].size() + far;
        let off = norm(minus([z, x, y], other)) * distance / (f64::EPSILON * size);
        assert!(off < 8.0, "{off} at {distance:e}: {a:?} {b:?}");
        (apart, worst) = (apart + 1, worst.max(off));
    });
    println!("{apart} apart, at most {worst} units of rounding of the sizes over the distance");
    assert!(apart > 12_000);
}
