//! Capsules around points: they contain every point exactly; at most as large as the plain capsule
//! along the principal axis; against a dense search of axes.

use boxwood::Error;
use boxwood::shape::{Capsule, Segment};
use nalgebra::SymmetricEigen;
use num_bigint::BigInt;

use super::regime_counts::Census;
use support::exact_boxes::{range, whole};
use support::prelude::*;
use support::random::apply;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Regime {
    Plain,
    /// Long along one direction, or flat along two, by up to a million.
    Thin,
    InOneLine,
    InOnePlane,
    /// Small integers: right angles, many ties, repeated points.
    Lattice,
    /// A thousand sizes from the origin, or a million.
    Far,
}

const REGIMES: [Regime; 6] = [
    Regime::Plain,
    Regime::Thin,
    Regime::InOneLine,
    Regime::InOnePlane,
    Regime::Lattice,
    Regime::Far,
];

fn cloud(regime: Regime, random: &mut Random, count: usize) -> Vec<V> {
    let axes = random.rotation();
    let (away, along) = (random.direction(), random.direction());
    let far = random.decade(3.0, 6.0);
    let thin = [0.0, 1.0, 1.0].map(|x: f64| x * random.between(-6.0, 0.0)).map(|x| 10f64.powf(x));
    let any = |random: &mut Random| -> V {
        let p: V = std::array::from_fn(|_| random.between(-1.0, 1.0));
        match regime {
            Regime::Plain => p,
            Regime::Thin => apply(&axes, std::array::from_fn(|i| p[i] * thin[i])),
            Regime::InOneLine => plus(times(along, p[0]), away),
            Regime::InOnePlane => plus(times(along, p[0]), times(away, p[1])),
            Regime::Lattice => p.map(|x| (x * 2.5).trunc()),
            Regime::Far => plus(p, times(away, far)),
        }
    };
    (0..count).map(|_| any(random)).collect()
}

fn stored<T: Scalar>(points: &[V], unit: f64) -> Vec<Point3<T>> {
    points.iter().map(|p| Point3::from(p.map(|x| T::nearest(x * unit)))).collect()
}

fn wide<T: Scalar>(p: Point3<T>) -> V {
    [p.x, p.y, p.z].map(T::wide)
}

fn ends<T: Scalar>(segment: &Segment<T>) -> [V; 2] {
    [wide(segment.a()), wide(segment.b())]
}

/// Returns `true` if a point is within the radius of the segment, in whole numbers.
fn holds_exactly<T: Scalar>(capsule: &Capsule<T>, point: Point3<T>) -> bool {
    let ([a, b], p, radius) = (ends(&capsule.segment()), wide(point), capsule.radius().wide());
    let low = range(a.iter().chain(&b).chain(&p).chain([&radius])).0;
    let of = |v: V| v.map(|x| whole::<BigInt>(x, low));
    let less = |a: &[BigInt; 3], b: &[BigInt; 3]| -> [BigInt; 3] {
        std::array::from_fn(|i| &a[i] - &b[i])
    };
    let dot = |a: &[BigInt; 3], b: &[BigInt; 3]| -> BigInt { (0..3).map(|i| &a[i] * &b[i]).sum() };
    let (a, b, p, radius) = (of(a), of(b), of(p), whole::<BigInt>(radius, low));
    let (v, w, u) = (less(&b, &a), less(&p, &a), less(&p, &b));
    let (along, length, limit) = (dot(&w, &v), dot(&v, &v), &radius * &radius);
    if along <= BigInt::ZERO {
        dot(&w, &w) <= limit
    } else if along >= length {
        dot(&u, &u) <= limit
    } else {
        dot(&w, &w) * &length - &along * &along <= limit * length
    }
}

fn volume(radius: f64, length: f64) -> f64 {
    std::f64::consts::PI * radius * radius * (length + 4.0 / 3.0 * radius)
}

fn volume_of<T: Scalar>(capsule: &Capsule<T>) -> f64 {
    let [a, b] = ends(&capsule.segment());
    volume(capsule.radius().wide(), norm(minus(b, a)))
}

/// Computes the volume of the least capsule around a line with the given radius, or with the least
/// radius.
fn about(points: &[V], (foot, along): (V, V), growth: f64) -> f64 {
    let places: Vec<(f64, f64)> = points
        .iter()
        .map(|&p| {
            let w = minus(p, foot);
            (inner(w, along), norm(outer(w, along)))
        })
        .collect();
    let radius = growth * places.iter().map(|place| place.1).fold(0.0, f64::max);
    let reach = |off: f64| (radius * radius - off * off).max(0.0).sqrt();
    let low = places.iter().map(|&(t, off)| t + reach(off)).fold(f64::INFINITY, f64::min);
    let high = places.iter().map(|&(t, off)| t - reach(off)).fold(f64::NEG_INFINITY, f64::max);
    volume(radius, (high - low).max(0.0))
}

fn mean(points: &[V]) -> V {
    points.iter().fold([0.0; 3], |sum, &p| plus(sum, times(p, 1.0 / points.len() as f64)))
}

/// Returns the first principal axis by nalgebra, through the mean.
fn principal(points: &[V]) -> (V, V) {
    let foot = mean(points);
    let offsets = points.iter().map(|&p| Vector3::from(minus(p, foot)));
    let spread: Matrix3<f64> = offsets.map(|v| v * v.transpose()).sum();
    let eigen = SymmetricEigen::new(spread);
    (foot, eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned().into())
}

fn held<T: Scalar>(seed: u64, exponents: (f64, f64)) {
    let (mut random, mut census) = (Random(seed), Census::default());
    for case in 0..cases(6_000) {
        let regime = REGIMES[case % 6];
        let count = 1 + random.below(if case % 10 == 0 { 60 } else { 9 });
        let cloud = cloud(regime, &mut random, count);
        let unit = match random.below(3) {
            0 => random.decade(exponents.0, exponents.1),
            _ => 1.0,
        };
        let points = stored::<T>(&cloud, unit);
        let capsule = Capsule::from_points(&points).expect("points");
        for &point in &points {
            assert!(holds_exactly(&capsule, point), "{regime:?} {capsule:?} {points:?}");
        }
        // Neither order nor repeats matter.
        let mut others = points.clone();
        others.rotate_left(random.below(count));
        others.reverse();
        others.push(points[random.below(count)]);
        assert_eq!(Capsule::from_points(&others), Ok(capsule), "{regime:?} {points:?}");
        // Little larger than the extent of the points.
        let wide: Vec<V> = points.iter().map(|&p| self::wide(p)).collect();
        let reach = wide.iter().map(|&p| norm(p)).fold(0.0, f64::max);
        let size = wide.iter().map(|&p| norm(minus(p, wide[0]))).fold(0.0, f64::max);
        let rounding = 4.0 * T::ROUNDING * reach + 1e-12 * size + 4.0 * T::at_least(1e-310).wide();
        assert!(capsule.radius().wide() <= size + rounding, "{regime:?} {capsule:?} {points:?}");
        if regime == Regime::InOneLine {
            assert!(capsule.radius().wide() <= 2.0 * rounding, "{capsule:?} {points:?}");
        }
        census.add(regime);
    }
    census.check("capsules", 6);
}

#[test]
fn no_larger_than_the_plain_capsule_about_the_principal_axis() {
    let (mut random, mut gain, mut tried) = (Random(913), 0.0, 0);
    for case in 0..cases(3_000) {
        let regime = [Regime::Plain, Regime::Thin, Regime::Lattice][case % 3];
        let count = 4 + random.below(60);
        let cloud = cloud(regime, &mut random, count);
        let plain = about(&cloud, principal(&cloud), 1.0);
        if plain < 1e-12 {
            continue;
        }
        let found = volume_of(&Capsule::from_points(&stored::<f64>(&cloud, 1.0)).expect("points"));
        assert!(found <= plain * (1.0 + 1e-6), "{regime:?}: {found} {plain} {cloud:?}");
        (gain, tried) = (gain + found / plain, tried + 1);
    }
    println!("{:.3} of the plain capsule's volume on average, {tried} clouds", gain / tried as f64);
}

/// Computes the least volume of many axes: directions over half a sphere; through the centre of the
/// smallest circle around the projected points, by all pairs and triples; several radii. The best
/// few are refined by axes near them.
fn dense(points: &[V], directions: usize) -> f64 {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let tried = (0..directions).map(|k| {
        let z = (k as f64 + 0.5) / directions as f64;
        let (s, c) = (golden * k as f64).sin_cos();
        let side = (1.0 - z * z).sqrt();
        let along = [side * c, side * s, z];
        let line = (smallest_circle(points, along), along);
        (least_growth(points, line), line)
    });
    let mut lines: Vec<(f64, (V, V))> = tried.collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best = lines[0].0;
    let mut random = Random(directions as u64);
    for (mut least, mut line) in lines.into_iter().take(4) {
        let mut step = 0.1;
        for round in 0..600 {
            step = if round % 100 == 99 { step * 0.3 } else { step };
            let along = plus(line.1, times(random.direction(), step * random.share()));
            let foot = plus(line.0, times(random.direction(), step * random.share()));
            let near = (foot, times(along, 1.0 / norm(along)));
            let volume = least_growth(points, near);
            (least, line) = if volume < least { (volume, near) } else { (least, line) };
        }
        best = best.min(least);
    }
    best
}

fn least_growth(points: &[V], line: (V, V)) -> f64 {
    let growths = (0..24).map(|k| 1.0 + 0.015 * f64::from(k));
    growths.map(|growth| about(points, line, growth)).fold(f64::INFINITY, f64::min)
}

/// Returns the centre of the smallest circle around the points projected along a direction, in the
/// plane through the origin.
fn smallest_circle(points: &[V], along: V) -> V {
    let flat: Vec<V> = points.iter().map(|&p| minus(p, times(along, inner(p, along)))).collect();
    let mut best = (f64::INFINITY, flat[0]);
    let mut attempt = |center: V| {
        let radius = flat.iter().map(|&p| norm(minus(p, center))).fold(0.0, f64::max);
        best = if radius < best.0 { (radius, center) } else { best };
    };
    for (i, &a) in flat.iter().enumerate() {
        for (j, &b) in flat.iter().enumerate().skip(i + 1) {
            attempt(times(plus(a, b), 0.5));
            for &c in flat.iter().skip(j + 1) {
                let (u, v) = (minus(b, a), minus(c, a));
                let n = outer(u, v);
                let twice = 2.0 * inner(n, n);
                if twice > 1e-12 {
                    let w = minus(times(v, inner(u, u)), times(u, inner(v, v)));
                    attempt(plus(a, times(outer(w, n), 1.0 / twice)));
                }
            }
        }
    }
    best.1
}

#[test]
fn capsules_are_near_the_best_of_a_dense_search_of_axes() {
    let mut random = Random(914);
    let (mut sum, mut worst, mut tried) = (0.0, 0.0f64, 0);
    for case in 0..at_least(150, 8) {
        let count = 4 + random.below(6);
        let stretch = [random.between(0.2, 1.0), random.between(0.2, 1.0), 1.0];
        let mut cloud = cloud(Regime::Plain, &mut random, count);
        if case % 3 == 0 {
            // The corners of a box.
            let corner = |bits: usize| [0, 1, 2].map(|i| f64::from((bits >> i & 1) as u8));
            cloud = (0..8).map(corner).collect();
        }
        cloud.iter_mut().for_each(|p| *p = std::array::from_fn(|i| p[i] * stretch[i]));
        let least = dense(&cloud, 1_500);
        let found = volume_of(&Capsule::from_points(&stored::<f64>(&cloud, 1.0)).expect("points"));
        let share = found / least;
        (sum, worst, tried) = (sum + share, worst.max(share), tried + 1);
        assert!(share < 1.10, "{share} of the dense search: {cloud:?}");
    }
    println!("{:.4} of a dense search on average, {worst:.4} at most", sum / tried as f64);
    assert!(sum / (tried as f64) < 1.01);
}

#[test]
fn known_capsules_are_recovered() {
    let mut random = Random(915);
    for _ in 0..at_least(100, 10) {
        let (axes, radius, half) =
            (random.rotation(), random.between(0.1, 0.5), random.between(0.5, 3.0));
        let at = random.direction();
        let mut points = Vec::new();
        for _ in 0..1_500 {
            let d = times(random.direction(), radius);
            let end = if d[2] >= 0.0 { half } else { -half };
            let along = if random.chance(0.3) { random.between(-half, half) } else { end };
            points.push(plus(at, apply(&axes, [d[0], d[1], d[2] + along])));
        }
        let found = Capsule::from_points(&stored::<f32>(&points, 1.0)).expect("points");
        let share = volume_of(&found) / volume(radius, 2.0 * half);
        assert!(share > 0.9 && share < 1.001, "{share}");
    }
}

#[test]
fn capsules_around_few_points() {
    let p = |x: f32, y: f32, z: f32| Point3::new(x, y, z);
    let one = Capsule::from_points(&[p(1.0, 2.0, 3.0); 4]).expect("a point");
    assert_eq!((one.segment().a(), one.segment().b()), (p(1.0, 2.0, 3.0), p(1.0, 2.0, 3.0)));
    assert_eq!(one.radius(), 0.0);
    let two = Capsule::from_points(&[p(1.0, 2.0, 3.0), p(4.0, 6.0, 3.0)]).expect("points");
    assert!(two.radius() < 1e-6 && (two.segment().length() - 5.0).abs() < 1e-6);
    let zeros = [p(0.0, -0.0, 0.0), p(-0.0, 0.0, 0.0)];
    assert_eq!(Capsule::from_points(&zeros).map(|capsule| capsule.radius()), Ok(0.0));
    let least = f32::from_bits(1);
    let tiny = [p(0.0, 0.0, 0.0), p(least, 0.0, 0.0), p(0.0, least, 0.0), p(0.0, 0.0, least)];
    let capsule = Capsule::from_points(&tiny).expect("points");
    assert!(tiny.iter().all(|&point| holds_exactly(&capsule, point)));
    let least = f64::from_bits(1);
    let tiny = [[0.0; 3], [least, 0.0, 0.0], [0.0, least, 0.0]].map(Point3::from);
    let capsule = Capsule::from_points(&tiny).expect("points");
    assert!(tiny.iter().all(|&point| holds_exactly(&capsule, point)));
}

#[test]
fn invalid_point_sets_are_refused() {
    assert_eq!(Capsule::<f32>::from_points(&[]), Err(Error::Empty { field: "points" }));
    let bad = [[0.0; 3], [0.0, f64::NAN, 0.0]].map(Point3::from);
    assert_eq!(Capsule::from_points(&bad), Err(Error::NotFinite { field: "point", index: 1 }));
    let far = [Point3::new(0.0_f32, 0.0, 2e30)];
    let expected = Error::OutOfRange { field: "point", index: 0, limit: 1e30 };
    assert_eq!(Capsule::from_points(&far), Err(expected));
    // At the limit: a capsule, or a refused radius; no panic.
    let mut random = Random(916);
    for _ in 0..cases(500) {
        let corner = |random: &mut Random| [0; 3].map(|_| 9.99e74 * random.sign());
        let points: Vec<Point3<f64>> = (0..6).map(|_| Point3::from(corner(&mut random))).collect();
        match Capsule::from_points(&points) {
            Ok(capsule) => assert!(points.iter().all(|&p| holds_exactly(&capsule, p))),
            Err(error) => assert!(matches!(error, Error::OutOfRange { .. }), "{error:?}"),
        }
    }
}

scalars! {
    every_point_is_held_exactly => held(911, (-40.0, 23.0); 912, (-140.0, 68.0));
}
