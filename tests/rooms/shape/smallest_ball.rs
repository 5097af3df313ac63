//! The smallest enclosing ball: contains every point exactly; as small as brute force over all sets
//! of points.

use boxwood::Error;
use boxwood::shape::Sphere;
use nalgebra::{Point, SVector};

use super::regime_counts::Census;
use support::enclosing_ball::{holds_exactly, least_radius};
use support::prelude::*;

#[derive(Debug, Clone, Copy)]
enum Regime {
    /// Random points of a cube.
    Plain,
    /// All on one sphere, so that many sets are equally good.
    OnOneBall,
    /// Points on one line or in one plane, some repeated.
    Degenerate,
    /// Points on a small lattice: right angles, squares, repeated ones.
    Lattice,
    /// A thousand sizes from the origin.
    Far,
}

const REGIMES: [Regime; 5] =
    [Regime::Plain, Regime::OnOneBall, Regime::Degenerate, Regime::Lattice, Regime::Far];

fn points<T: Scalar, const D: usize>(regime: Regime, random: &mut Random) -> Vec<Point<T, D>> {
    let count = 1 + random.below(7);
    let size = random.decade(-6.0, 6.0);
    let mut any = || -> SVector<f64, D> { SVector::from_fn(|_, _| random.between(-1.0, 1.0)) };
    let (from, along) = (any(), any());
    let mut all: Vec<SVector<f64, D>> = (0..count).map(|_| any()).collect();
    for p in &mut all {
        match regime {
            Regime::Plain => (),
            Regime::OnOneBall => *p = p.normalize(),
            Regime::Degenerate => *p = from + along * p[0],
            Regime::Lattice => *p = p.map(|x| (x * 2.5).trunc()),
            Regime::Far => *p += from.normalize() * 1e3,
        }
    }
    if matches!(regime, Regime::Degenerate) {
        all.push(all[0]);
    }
    let unit = if matches!(regime, Regime::Lattice) { 1.0 } else { size };
    all.iter().map(|p| Point::from(p.map(|x| T::nearest(x * unit)))).collect()
}

fn smallest<T: Scalar, const D: usize>(seed: u64) {
    let (mut random, mut census) = (Random(seed), Census::default());
    let mut worst = 0.0f64;
    for _ in 0..cases(5_000) {
        let regime = REGIMES[random.below(5)];
        let points = points::<T, D>(regime, &mut random);
        let ball = Sphere::from_points(&points).expect("points");
        assert!(holds_exactly(&ball, &points), "{ball:?} {points:?}");
        let reach = points.iter().map(|p| p.coords.map(T::wide).norm()).fold(0.0, f64::max);
        let excess = ball.radius().wide() - least_radius(&points);
        // Rounding of the centre to `T`, and of the sums.
        let share = excess / (4.0 * T::ROUNDING * reach + 1e-12 * ball.radius().wide() + 1e-300);
        assert!(share <= 1.0, "{excess:e} of {:e}: {regime:?} {points:?}", ball.radius().wide());
        worst = worst.max(share);
        census.add(regime);
    }
    println!("{D}-D: at most {worst:.2} of what rounding may add");
    census.check("balls", 5);
}

#[test]
fn the_smallest_ball_equals_brute_force_in_the_plane() {
    smallest::<f32, 2>(71);
    smallest::<f64, 2>(72);
}

#[test]
fn the_smallest_ball_equals_brute_force_in_space() {
    smallest::<f32, 3>(73);
    smallest::<f64, 3>(74);
}

/// Checks many points: known balls are recovered.
#[test]
fn known_balls_of_many_points_are_recovered() {
    let mut random = Random(75);
    for _ in 0..50 {
        let center = random.direction();
        let mut all: Vec<Point<f64, 3>> = (0..2_000)
            .map(|_| {
                Point::from(
                    SVector::from(random.direction()) * random.share() + SVector::from(center),
                )
            })
            .collect();
        let d = SVector::from(random.direction());
        all.push(Point::from(SVector::from(center) + d));
        all.push(Point::from(SVector::from(center) - d));
        let ball = Sphere::from_points(&all).expect("points");
        assert!(
            (ball.radius() - 1.0).abs() < 1e-12
                && (ball.center().coords - SVector::from(center)).norm() < 1e-7
        );
        assert!(holds_exactly(&ball, &all));
        let shell: Vec<Point<f64, 3>> =
            (0..2_000).map(|_| Point::from(SVector::from(random.direction()))).collect();
        let ball = Sphere::from_points(&shell).expect("points");
        assert!(
            holds_exactly(&ball, &shell) && ball.radius() <= 1.0 + 1e-12 && ball.radius() > 0.9
        );
    }
}

/// Checks points so close that the squares of their distances underflow.
#[test]
fn points_whose_squares_underflow_are_contained() {
    let mut random = Random(76);
    for exponent in [-400, -500, -520, -560, -700, -1000] {
        for _ in 0..100 {
            let size = 2f64.powi(exponent);
            let points: Vec<Point<f64, 3>> =
                (0..5).map(|_| Point::from(SVector::from(random.direction()) * size)).collect();
            let ball = Sphere::from_points(&points).expect("points");
            // A power of two rounds nothing.
            let scaled = |x: f64| x * 2f64.powi(-exponent);
            let radius = scaled(ball.radius());
            for p in &points {
                let far = (p - ball.center()).map(scaled).norm();
                assert!(far <= radius * (1.0 + 1e-14), "{exponent}: {far} beyond {radius}");
            }
            assert!(radius <= 1.0 + 1e-12, "{exponent}: {radius} for points on a unit ball");
        }
    }
}

#[test]
fn invalid_point_sets_are_refused() {
    assert_eq!(Sphere::<f32, 3>::from_points(&[]), Err(Error::Empty { field: "points" }));
    let bad = [Point::from([0.0, 0.0]), Point::from([0.0, f64::NAN])];
    assert_eq!(Sphere::from_points(&bad), Err(Error::NotFinite { field: "point", index: 1 }));
}
