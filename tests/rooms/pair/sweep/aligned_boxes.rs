//! Sweeps of aligned boxes in whole numbers: the time of impact is a fraction, found by trying all
//! candidates.

use boxwood::pair::Sweep;
use boxwood::shape::Aabb;
use nalgebra::{Point, SVector};

use support::prelude::*;

const CASES: usize = 20_000;

/// Two boxes by their ends, and the relative displacement of the first.
struct Whole<const D: usize> {
    a: [[i64; D]; 2],
    b: [[i64; D]; 2],
    by: [i64; D],
}

impl<const D: usize> Whole<D> {
    fn any(random: &mut Random) -> Self {
        let mut ends = |spread: usize| {
            let low: [i64; D] = std::array::from_fn(|_| random.below(spread) as i64);
            [low, low.map(|x| x + random.below(5) as i64)]
        };
        let (a, b) = (ends(12), ends(12));
        Whole { a, b, by: std::array::from_fn(|_| random.below(19) as i64 - 9) }
    }

    /// Returns `true` if they share a point at the time `n / d`, `d > 0`.
    fn share(&self, (n, d): (i64, i64)) -> bool {
        (0..D).all(|i| {
            let shift = self.by[i] * n;
            self.a[0][i] * d + shift <= self.b[1][i] * d
                && self.b[0][i] * d <= self.a[1][i] * d + shift
        })
    }

    /// Returns all times at which some face passes another.
    fn times(&self) -> Vec<(i64, i64)> {
        let mut times = vec![(0, 1)];
        for i in (0..D).filter(|&i| self.by[i] != 0) {
            let sign = self.by[i].signum();
            for gap in [self.b[0][i] - self.a[1][i], self.b[1][i] - self.a[0][i]] {
                times.push((gap * sign, self.by[i] * sign));
            }
        }
        times.sort_by(|p, q| (p.0 * q.1).cmp(&(q.0 * p.1)));
        times
    }
}

fn stored<T: Scalar, const D: usize>(ends: [[i64; D]; 2]) -> Aabb<T, D> {
    let [min, max] = ends.map(|end| Point::from(end.map(|x| T::nearest(x as f64))));
    Aabb::new(min, max)
}

/// Regimes: separate all the way; touching at one time; overlapping on the way; overlapping and
/// flat or at rest along some axis.
const REGIMES: usize = 4;

impl<const D: usize> Whole<D> {
    /// Returns the first and the last time at which they share a point, if any is in 0..=1, and the
    /// regime.
    fn truth(&self) -> (Option<[(i64, i64); 2]>, usize) {
        let all = self.times().into_iter().filter(|&time| self.share(time));
        let touching: Vec<(i64, i64)> = all.collect();
        let inside = |&&(n, d): &&(i64, i64)| n >= 0 && n <= d;
        let Some(&first) = touching.iter().find(inside) else { return (None, 0) };
        let last = *touching.last().expect("one");
        let flat = self.by.contains(&0) || (0..D).any(|i| self.a[0][i] == self.a[1][i]);
        let moment = first.0 * last.1 == last.0 * first.1 && self.by != [0; D];
        let regime = if moment {
            1
        } else if flat {
            3
        } else {
            2
        };
        (Some([first, last]), regime)
    }
}

fn agrees_with_fractions<T: Scalar, const D: usize>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), [0; REGIMES]);
    while tally.iter().any(|&count| count < cases(CASES) / REGIMES) {
        let case = Whole::<D>::any(&mut random);
        let (truth, regime) = case.truth();
        if tally[regime] < cases(CASES) / REGIMES {
            tally[regime] += 1;
            let drift: SVector<T, D> =
                SVector::from_fn(|_, _| T::nearest(random.below(9) as f64 - 4.0));
            check(&case, truth, drift);
        }
    }
    let [apart, touching, deep, odd] = tally;
    println!("{D} dimensions: {apart} apart, {touching} touching, {deep} deep, {odd} degenerate");
}

/// Checks one case while the second moves by `drift`.
fn check<T: Scalar, const D: usize>(
    case: &Whole<D>,
    truth: Option<[(i64, i64); 2]>,
    drift: SVector<T, D>,
) {
    let (a, b) = (stored::<T, D>(case.a), stored::<T, D>(case.b));
    let by = SVector::from_fn(|i, _| T::nearest(case.by[i] as f64)) + drift;
    let found = a.sweep_both(by, &b, drift);
    let answer = b.sweep_both(drift, &a, by).map(|hit| hit.reversed());
    assert!(found == answer || a == b, "{found:?} {answer:?}");
    let Some([first, last]) = truth else {
        assert_eq!(found, None, "{a:?} {b:?} {by:?}");
        return;
    };
    let hit = found.unwrap_or_else(|| panic!("missed: {a:?} {b:?} {by:?}"));
    let fraction = |(n, d): (i64, i64)| n as f64 / d as f64;
    let (time, leave) = (hit.time_of_impact.wide(), hit.time_of_leaving.wide());
    let (enter, part) = (fraction(first), fraction(last));
    assert!(time <= enter && time >= enter * (1.0 - 4.0 * T::ROUNDING), "{time} {enter}");
    assert_eq!(hit.started_inside, case.share((0, 1)));
    if case.by == [0; D] {
        assert!(leave.is_infinite());
    } else {
        assert!(leave >= part && leave <= part + part.abs() * 4.0 * T::ROUNDING, "{leave} {part}");
    }
    if hit.started_inside {
        return;
    }
    // The point is then in both; the normal is an axis against which the first moves.
    for i in 0..D {
        let (p, rounding) = (hit.point[i].wide(), 1e2 * T::ROUNDING);
        for (of, moves) in [(&a, by[i]), (&b, drift[i])] {
            let at = p - moves.wide() * time;
            assert!(at >= of.min[i].wide() - rounding && at <= of.max[i].wide() + rounding);
        }
    }
    assert_eq!(hit.normal.iter().filter(|x| **x != T::zero()).count(), 1);
    assert!((0..D).map(|i| hit.normal[i].wide() * case.by[i] as f64).sum::<f64>() < 0.0);
}

#[test]
fn boxes_on_a_lattice_hit_at_exact_fractions_f32() {
    agrees_with_fractions::<f32, 2>(1);
    agrees_with_fractions::<f32, 3>(2);
}

#[test]
fn boxes_on_a_lattice_hit_at_exact_fractions_f64() {
    agrees_with_fractions::<f64, 2>(3);
    agrees_with_fractions::<f64, 3>(4);
    agrees_with_fractions::<f64, 1>(5);
}

#[test]
fn the_worked_example_of_a_box_sweep() {
    let cube = Aabb::from_points([Point::from([-1.0, -1.0, -1.0]), Point::from([1.0, 1.0, 1.0])]);
    let quarter = nalgebra::Matrix3::new(0.0, 0.0, 0.5, 0.0, 0.5, 0.0, -0.5, 0.0, 0.0);
    let still = nalgebra::Matrix3::from_diagonal_element(0.5);
    let a: Aabb<f64, 3> = cube.transformed(&quarter, &SVector::from([1.0, 0.0, 0.0]));
    let b = cube.transformed(&still, &SVector::from([-0.5, 0.0, 0.0]));
    assert_eq!((a.min.x, a.max.x, b.min.x, b.max.x), (0.5, 1.5, -1.0, 0.0));
    // Either moves by 3, or both by a part of it.
    let [all, some, rest] = [-3.0, -1.0, 2.0].map(|x| SVector::from([x, 0.0, 0.0]));
    for hit in [a.sweep(all, &b), a.sweep_both(some, &b, rest), b.sweep(-all, &a)] {
        let hit = hit.expect("in the way");
        assert!((hit.time_of_impact - 1.0 / 6.0).abs() < 1e-15 && !hit.started_inside);
        assert!((hit.time_of_leaving - 5.0 / 6.0).abs() < 1e-15);
    }
    assert!(a.sweep(all * 0.1, &b).is_none());
    assert!(b.sweep(SVector::zeros(), &b).is_some_and(|hit| hit.started_inside));
}
