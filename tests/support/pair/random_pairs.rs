//! Pairs of every kind: separate, touching up to rounding, deep in each other, degenerate, far from
//! the origin.

use crate::pair::any_shape::{Kind, Plan, UPRIGHT};
use crate::plain_box::{V, minus, norm, outer, plus, times};
use crate::random::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    Apart,
    Touching,
    Deep,
    Degenerate,
    Parallel,
    Far,
}

impl Regime {
    pub const ALL: [Regime; 6] = [
        Regime::Apart,
        Regime::Touching,
        Regime::Deep,
        Regime::Degenerate,
        Regime::Parallel,
        Regime::Far,
    ];
}

/// Draws a shape around the origin, with sizes from a hundredth to one.
pub fn shape(kind: Kind, random: &mut Random) -> Plan {
    let size = random.decade(-1.0, 0.0);
    let mut point = || -> V { std::array::from_fn(|_| random.between(-size, size)) };
    let points = if matches!(kind, Kind::Aabb | Kind::Obb) {
        [point(); 3]
    } else {
        [point(), point(), point()]
    };
    let half = std::array::from_fn(|_| size * random.decade(-2.0, 0.0));
    let axes = if kind == Kind::Obb { random.rotation() } else { UPRIGHT };
    Plan { kind, points, axes, half, radius: size * random.decade(-1.5, 0.0) }
}

/// Returns a degenerate copy: without an end, a corner, a side or the radius.
fn degenerate(mut plan: Plan, random: &mut Random) -> Plan {
    let way = random.below(3);
    match plan.kind {
        Kind::Sphere => plan.radius = 0.0,
        Kind::Capsule => {
            if way != 0 {
                plan.points[1] = plan.points[0];
            }
            if way != 1 {
                plan.radius = 0.0;
            }
        }
        Kind::Segment => plan.points[1] = plan.points[0],
        Kind::Triangle => match way {
            0 => plan.points[2] = plan.points[0],
            1 => plan.points = [plan.points[0]; 3],
            // On one line, up to rounding.
            _ => plan.points[2] = times(plus(plan.points[0], plan.points[1]), 0.5),
        },
        Kind::Aabb | Kind::Obb => (0..=way).for_each(|i| plan.half[i] = 0.0),
    }
    plan
}

/// Makes edges of both parallel.
fn parallel(a: &Plan, mut b: Plan, random: &mut Random) -> Plan {
    let along = match a.kind {
        Kind::Aabb | Kind::Obb => a.axes[random.below(3)],
        _ => minus(a.points[1], a.points[0]),
    };
    match b.kind {
        Kind::Obb if matches!(a.kind, Kind::Aabb | Kind::Obb) => b.axes = a.axes,
        // A face in the plane of the triangle, or along the segment.
        Kind::Obb => b.axes = frame(a),
        // In one plane, up to rounding and a little more.
        Kind::Triangle if a.kind == Kind::Triangle => {
            let off = [0.0, 0.0, 1e-15, 1e-12, 1e-9][random.below(5)];
            for p in &mut b.points {
                let share = |k: usize, by: f64| times(minus(a.points[k], a.points[0]), by);
                let flat =
                    plus(share(1, random.between(-1.0, 1.5)), share(2, random.between(-1.0, 1.5)));
                *p = plus(plus(a.points[0], flat), times(random.direction(), off));
            }
        }
        _ => b.points[1] = plus(b.points[0], times(along, random.between(-1.0, 1.0))),
    }
    b
}

/// Returns axes of which the first is along the first edge and the third is a normal.
fn frame(plan: &Plan) -> [V; 3] {
    let [p, q, r] = plan.points;
    let unit = |v: V| times(v, 1.0 / norm(v));
    let x = unit(minus(q, p));
    let z = unit(outer(x, minus(r, p)));
    if norm(z).is_finite() { [x, outer(z, x), z] } else { UPRIGHT }
}

/// Draws a point in the shape.
pub fn inside(plan: &Plan, random: &mut Random) -> V {
    let hull = plan.hull();
    let shares: Vec<f64> = hull.iter().map(|_| random.share()).collect();
    let sum: f64 = shares.iter().sum();
    hull.iter().zip(shares).fold([0.0; 3], |p, (&q, share)| plus(p, times(q, share / sum)))
}

pub fn pair(regime: Regime, kinds: [Kind; 2], random: &mut Random) -> [Plan; 2] {
    let [mut a, mut b] = kinds.map(|kind| shape(kind, random));
    let aside = |random: &mut Random| times(random.direction(), random.between(0.5, 3.0));
    match regime {
        Regime::Apart => b = b.moved(times(random.direction(), random.between(1.0, 6.0))),
        Regime::Touching => {
            b = b.moved(times(random.direction(), random.between(2.0, 6.0)));
            let closest = a.build::<f64>().closest(&b.build::<f64>());
            let way: V = (closest.on_a - closest.on_b).into();
            let off =
                [0.0, 1e-15, -1e-15, 1e-13, -1e-13, 1e-10, -1e-10, 1e-7, -1e-7][random.below(9)];
            b = b.moved(times(way, 1.0 + off));
        }
        Regime::Deep => {
            let (here, there) = (inside(&a, random), inside(&b, random));
            b = b.moved(minus(here, there));
        }
        Regime::Degenerate => {
            a = degenerate(a, random);
            if random.chance(0.7) {
                b = degenerate(b, random);
            }
            match random.below(3) {
                0 => b = b.moved(aside(random)),
                1 => b = b.moved(minus(inside(&a, random), inside(&b, random))),
                _ => b = b.moved(minus(a.hull()[0], b.hull()[0])),
            }
        }
        Regime::Parallel => {
            b = parallel(&a, b, random);
            let flat = [a.kind, b.kind] == [Kind::Triangle; 2];
            b = match random.chance(0.5) {
                _ if flat && random.chance(0.5) => b,
                true => b.moved(times(aside(random), random.share())),
                false => b.moved(minus(inside(&a, random), inside(&b, random))),
            };
        }
        Regime::Far => {
            let far = times(random.direction(), random.decade(3.0, 7.0));
            b = b.moved(aside(random)).moved(far);
            a = a.moved(far);
        }
    }
    [a, b]
}

/// Returns the largest distance of the two from the origin.
pub fn reach(pair: &[Plan; 2]) -> f64 {
    pair.iter().flat_map(Plan::hull).map(norm).fold(0.0, f64::max)
}
