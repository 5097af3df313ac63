//! Verdicts on edges of random robots of balls, against their distances at many samples: never free
//! where a sample touches, never a collision that does not touch, true clearances and slacks.

use boxwood::model::{PartId, SelfQueryScratch};
use boxwood::robot::{Edge, EdgeChecker, EdgePart, EdgeScratch};
use boxwood::{Accuracy, SelfQuery, SimdLevel};

use support::ball_robots::{BallRobot, mixed};
use support::prelude::*;

/// Samples of an edge.
const SAMPLES: usize = 10_000;

/// Rounding of poses and balls of the stored type, in robots of a few units.
pub fn rounding<T: Scalar>() -> f64 {
    200.0 * T::ROUNDING
}

/// Kinds of verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Free,
    Collides,
    Undecided,
}

pub fn kind<T: Scalar>(edge: &Edge<'_, T>) -> Kind {
    match edge {
        Edge::Free { .. } => Kind::Free,
        Edge::Collides { .. } => Kind::Collides,
        Edge::Undecided { .. } => Kind::Undecided,
        _ => unreachable!("there are three verdicts"),
    }
}

/// Checks what a verdict states at its own fraction; returns the lower bound on the distance of
/// parts, and the fraction up to which it is proved.
pub fn stated<T: Scalar>(
    robot: &BallRobot<T>,
    ends: [&[T]; 2],
    (edge, margin, tolerance): (&Edge<'_, T>, f64, f64),
) -> (f64, f64) {
    let pair_distance = |values: &[T], a: PartId, b: EdgePart| {
        let EdgePart::Robot(b) = b else { panic!("there is no world") };
        let values: Vec<f64> = values.iter().map(|value| value.wide()).collect();
        let pairs = vec![[a.index(), b.index()]];
        assert!(robot.pairs.contains(&pairs[0]), "{a:?} and {b:?} are not tested");
        robot.distance_of(&pairs, &values).0
    };
    let at = |fraction: f64, values: &[T]| {
        assert!((0.0..=1.0).contains(&fraction));
        for (value, expected) in values.iter().zip(mixed(ends, fraction)) {
            assert!((value.wide() - expected).abs() <= 4.0 * T::ROUNDING * expected.abs().max(1.0));
        }
    };
    match *edge {
        Edge::Free { clearance_at_least } => {
            assert!(clearance_at_least >= margin);
            (clearance_at_least, 1.0)
        }
        Edge::Collides { fraction, values, a, b, clear_until } => {
            at(fraction, values);
            assert!(pair_distance(values, a, b) <= margin + rounding::<T>());
            let (mut poses, mut scratch) = (Vec::new(), SelfQueryScratch::default());
            robot.mechanism.poses(values, &mut poses).expect("values within limits");
            let query = SelfQuery::new(Accuracy::Exact).margin(margin);
            assert_eq!(robot.model.self_intersects(&poses, query, &mut scratch), Ok(true));
            let pairs = robot.model.self_pairs(&poses, query, &mut scratch).expect("poses");
            let EdgePart::Robot(b) = b else { panic!("there is no world") };
            assert!(pairs.contains(&(a, b)));
            assert!(clear_until <= fraction);
            (margin, clear_until)
        }
        Edge::Undecided { fraction, values, a, b, slack } => {
            at(fraction, values);
            assert!((0.0..=tolerance).contains(&slack), "{slack}");
            assert!(pair_distance(values, a, b) <= margin + slack + rounding::<T>());
            (margin, 0.0)
        }
        _ => unreachable!("there are three verdicts"),
    }
}

fn against_samples<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let mut counts = [0; 3];
    for round in 0..at_least(3_000, 90) {
        let robot = BallRobot::<T>::random(&mut random);
        let mut ends = [0; 2].map(|_| robot.configuration(&mut random));
        let share = [1.0, 0.3, 0.05][round % 3];
        for i in 0..ends[0].len() {
            let (a, b) = (ends[0][i].wide(), ends[1][i].wide());
            ends[1][i] = T::nearest(a + share * (b - a));
        }
        let ends = [&ends[0][..], &ends[1][..]];
        let margin = if random.chance(0.3) { random.between(0.0, 0.05) } else { 0.0 };
        let tolerance = random.decade(-5.0, -2.0);
        let checker = EdgeChecker::new(&robot.mechanism, &robot.model).expect("a robot");
        let checker = checker.margin(margin).tolerance(tolerance);
        let mut scratch = EdgeScratch::default();

        let edge = checker.check(ends[0], ends[1], &mut scratch).expect("a verdict");
        let any = kind(&edge);
        let (bound, until_any) = stated(&robot, ends, (&edge, margin, tolerance));
        let free = any == Kind::Free;
        counts[any as usize] += 1;
        let first = checker.first(ends[0], ends[1], &mut scratch).expect("a verdict");
        let (_, until) = stated(&robot, ends, (&first, margin, tolerance));
        let until = until.max(until_any);
        assert_eq!(kind(&first) == Kind::Free, free);
        let first_hit = if let Edge::Collides { fraction, .. } = first { fraction } else { 2.0 };
        // A sample is computed unless the one before proves it, or nothing is stated of it.
        let (speed, mut proved_until) = (robot.speed(ends), 0.0);
        let stated_until = if free { 2.0 } else { until.max(first_hit) };
        for sample in 0..=SAMPLES {
            let fraction = sample as f64 / SAMPLES as f64;
            if fraction < proved_until || fraction >= stated_until {
                continue;
            }
            let distance = robot.distance_at(ends, fraction);
            proved_until = fraction + (distance - bound) / speed;
            if free {
                assert!(distance >= bound - 1e-9, "{distance} at {fraction}, not {bound}");
            }
            if fraction < until {
                assert!(distance > margin - 1e-9, "{distance} at {fraction} before {until}");
            }
            // Between the two, parts are near each other, or proved apart.
            if fraction < first_hit {
                let deepest = margin - 3.0 * tolerance - rounding::<T>();
                assert!(distance >= deepest, "{distance} at {fraction} before {first_hit}");
            }
        }

        let back = checker.check(ends[1], ends[0], &mut scratch).expect("a verdict");
        assert_eq!(kind(&back), any, "mirrored");
        for simd in SimdLevel::all() {
            let mut other = EdgeScratch::with_simd_level(simd);
            let again = checker.check(ends[0], ends[1], &mut other).expect("a verdict");
            let mut scratch = EdgeScratch::default();
            assert_eq!(Ok(again), checker.check(ends[0], ends[1], &mut scratch), "{simd:?}");
        }
    }
    println!("free, collides, undecided: {counts:?}");
    assert!(counts[0] >= 10 && counts[1] >= 10, "{counts:?}");
}

scalars! {
    verdicts_agree_with_samples => against_samples(5901; 5902);
}
