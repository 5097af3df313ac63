//! Points and shapes: closest point, support, containment, bounds; by their defining properties.

use boxwood::shape::{Aabb, Pose};
use nalgebra::{Quaternion, Translation3};

use super::plain_models::{KINDS, Kind, plain, point};
use super::point_positions::{Case, case};
use super::regime_counts::Census;
use support::pair_regime::Regime;
use support::prelude::*;

const CASES: usize = 20_000;

/// Allowed rounding as a fraction of the coordinates: a few times that of `T`, or of sums in double
/// precision.
fn share<T: Scalar>() -> f64 {
    8.0 * T::ROUNDING + 1e-14
}

/// Asserts that `q` is nearest to `p`: it is in the shape, and no point of the shape is farther
/// along `p - q`.
fn check_nearest<T: Scalar>(case: &Case<T>, random: &mut Random) -> f64 {
    let (model, p) = (case.shape.model(), plain(case.point));
    let q = plain(case.shape.closest_point(case.point));
    let doubt = share::<T>() * (model.size() + norm(p));
    for _ in 0..20 {
        let d = random.direction();
        assert!(inner(q, d) <= model.reach(d) + doubt, "outside: {q:?} {:?} {p:?}", case.shape);
    }
    let way = minus(p, q);
    let gap = norm(way);
    if gap > doubt {
        let d = times(way, 1.0 / gap);
        // An error of `doubt / gap` in the direction changes the support by at most that times the
        // size.
        let excess = model.reach(d) - inner(q, d);
        let blur = doubt * (1.0 + 4.0 * case.size / gap);
        assert!(excess <= blur, "{excess:e} {gap:e}: {q:?} {:?} {p:?}", case.shape);
    }
    gap
}

fn check_support<T: Scalar>(case: &Case<T>, random: &mut Random) {
    let model = case.shape.model();
    let d: Vector3<T> =
        Vector3::from(random.direction()).map(T::nearest) * T::nearest(random.decade(-3.0, 3.0));
    let wide: V = d.map(T::wide).into();
    let end = plain(case.shape.support(d));
    let off = (inner(end, wide) - model.reach(wide)).abs();
    assert!(off <= share::<T>() * model.size() * norm(wide), "{off:e} {:?} {d:?}", case.shape);
    let other = random.direction();
    assert!(inner(end, other) <= model.reach(other) + share::<T>() * model.size());
}

fn check_bounds<T: Scalar>(case: &Case<T>) {
    let (model, bounds) = (case.shape.model(), case.shape.aabb());
    for i in 0..3 {
        let mut axis = [0.0; 3];
        axis[i] = 1.0;
        // Stored axes are unit up to rounding; the model uses them as they are, the crate as sums.
        let (rounding, loose) = (4e-16 * model.size(), 4.0 * share::<T>() * model.size());
        let (high, low) = (model.reach(axis), -model.reach(times(axis, -1.0)));
        let (max, min) = (bounds.max[i].wide(), bounds.min[i].wide());
        assert!(max >= high - rounding && max <= high + loose, "{max:e} {high:e} {:?}", case.shape);
        assert!(min <= low + rounding && min >= low - loose, "{min:e} {low:e} {:?}", case.shape);
    }
}

fn check_inside<T: Scalar>(case: &Case<T>, gap: f64) {
    let Some(inside) = case.shape.contains(case.point) else { return };
    // A point a hair outside may be its own closest point by rounding.
    assert!(!inside || gap == 0.0 && case.shape.closest_point(case.point) == case.point);
    match case.regime {
        Regime::Apart => assert!(!inside, "{:?} {:?}", case.shape, case.point),
        // A thin shape is thinner than the rounding of a point.
        Regime::Deep if thick(case) => assert!(inside, "{:?} {:?}", case.shape, case.point),
        _ => (),
    }
}

fn thick<T: Scalar>(case: &Case<T>) -> bool {
    let model = case.shape.model();
    1e-2 * case.size > 100.0 * share::<T>() * model.size()
}

/// Asserts that moving shape and point moves the answer.
fn check_moved<T: Scalar>(case: &Case<T>, gap: f64, random: &mut Random) {
    let shift = Vector3::from(times(random.direction(), 2.0 * case.size)).map(T::nearest);
    let q: [f64; 4] = std::array::from_fn(|_| random.between(-1.0, 1.0));
    let [x, y, z, w] = q.map(T::nearest);
    let two = T::nearest(2.0);
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(w + two, x, y, z));
    let turn = if matches!(case.shape, Kind::Aabb(_)) { UnitQuaternion::identity() } else { turn };
    let pose = Pose::from_parts(Translation3::from(shift), turn);
    let (shape, p) = (case.shape.transformed(&pose), pose * case.point);
    let moved = norm(minus(plain(p), plain(shape.closest_point(p))));
    let doubt = 4.0
        * share::<T>()
        * (case.shape.model().size() + norm(plain(case.point)) + 4.0 * case.size);
    assert!((moved - gap).abs() <= doubt, "{moved:e} {gap:e} {doubt:e}: {:?} {pose:?}", case.shape);
}

fn points_of<T: Scalar>(seed: u64) {
    for (kind, name) in KINDS.iter().enumerate() {
        let (mut census, mut random) = (Census::default(), Random(seed ^ kind as u64));
        for _ in 0..cases(CASES) {
            let case = case::<T>(kind, &mut random);
            let gap = check_nearest(&case, &mut random);
            check_support(&case, &mut random);
            check_bounds(&case);
            check_inside(&case, gap);
            check_moved(&case, gap, &mut random);
            census.add(case.regime);
        }
        census.check(name, 4);
    }
}

/// Shapes without interior contain points within a tolerance, and rays are half-lines.
#[test]
fn thin_shapes_contain_points_within_the_tolerance() {
    let (mut random, mut census) = (Random(33), Census::default());
    for _ in 0..cases(CASES) {
        let [a, b, p] =
            std::array::from_fn(|_| times(random.direction(), random.decade(-1.0, 1.0)));
        let ray =
            boxwood::shape::Ray::<f64>::through(point(a), point(b)).expect("sound").expect("a way");
        let d: V = ray.direction().into_inner().into();
        let t = inner(minus(p, a), d);
        // By Pythagoras, without the nearest point.
        let whole = inner(minus(p, a), minus(p, a));
        let distance = if t > 0.0 { (whole - t * t).max(0.0).sqrt() } else { whole.sqrt() };
        census.add(if t > 0.0 { "beside" } else { "behind" });
        assert!(ray.contains_within(point(p), distance + 1e-6));
        assert!(!ray.contains_within(point(p), distance - 1e-6));
        assert!(
            (plain(ray.closest_point(point(p)))
                .iter()
                .zip(p)
                .map(|(x, y)| (x - y).powi(2))
                .sum::<f64>()
                .sqrt()
                - distance)
                .abs()
                < 1e-6
        );
        let segment = boxwood::shape::Segment::<f64>::new(point(a), point(b)).expect("sound");
        let triangle =
            boxwood::shape::Triangle::<f64>::new(point(a), point(b), point(p)).expect("sound");
        let near = segment.closest_point(point(p));
        let gap = norm(minus(plain(near), p));
        assert!(segment.contains_within(point(p), gap * (1.0 + 1e-9)));
        assert!(!segment.contains_within(point(p), gap * (1.0 - 1e-9)));
        assert!(triangle.contains_within(point(p), 0.0));
        let normal = triangle.normal().expect("not on one line");
        assert!(inner(normal.into_inner().into(), minus(b, a)).abs() < 1e-12);
        let lifted = triangle.closest_point(near + normal.into_inner() * 0.5);
        assert!((lifted - near).norm() < 1e-9);
        // The area by base and height over the line.
        let height = if t > 0.0 { distance } else { (whole - t * t).max(0.0).sqrt() };
        assert!((triangle.area() - 0.5 * height * segment.length()).abs() < 1e-6 * (1.0 + norm(p)));
    }
    census.check("ray", 2);
}

#[test]
fn volumes_agree_with_samples() {
    let mut random = Random(34);
    for kind in [0, 1, 4, 5, 6] {
        let shape = Kind::<f64>::random(kind, 1.0, [0.3; 3], false, &mut random);
        let bounds = shape.aabb();
        let (count, mut hits) = (200_000, 0);
        for _ in 0..count {
            let p = std::array::from_fn(|i| random.between(bounds.min[i], bounds.max[i]));
            hits += usize::from(shape.contains(point(p)) == Some(true));
        }
        let volume = match shape {
            Kind::Sphere(s) => s.volume(),
            Kind::Capsule(s) => s.volume(),
            Kind::Obb(s) => s.volume(),
            Kind::Ellipsoid(s) => s.volume(),
            Kind::Aabb(s) => s.volume(),
            _ => unreachable!("it has none"),
        };
        let share = volume / bounds.volume();
        // Four standard deviations of the sample count.
        let doubt = 4.0 * (share * (1.0 - share).max(0.0) / count as f64).sqrt() + 1e-9;
        let found = hits as f64 / count as f64;
        println!("{}: {share:.4} of its bounds, sampled {found:.4}", KINDS[kind]);
        assert!((found - share).abs() <= doubt, "{} {found} {share}", KINDS[kind]);
    }
}

#[test]
fn non_finite_points_and_directions_do_not_panic() {
    let mut random = Random(111);
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e300, 1e-300];
    for _ in 0..cases(2_000) {
        for kind in 0..KINDS.len() {
            let flat = random.chance(0.5);
            let shape = Kind::<f64>::random(kind, 1.0, [0.0; 3], flat, &mut random);
            let any: [f64; 3] = std::array::from_fn(|_| odd[random.below(6)]);
            shape.closest_point(any.into());
            shape.support(any.into());
            let nowhere = any.iter().any(|x| !x.is_finite());
            assert!(!(nowhere && shape.contains(any.into()) == Some(true)), "{shape:?} {any:?}");
        }
    }
    let empty = Aabb::<f32, 3>::empty();
    assert_eq!(empty.closest_point(Point3::origin()), None);
    assert_eq!(empty.support(Vector3::x()), None);
}

scalars! {
    nearest_farthest_and_bounds_are_right => points_of(31; 32);
}
