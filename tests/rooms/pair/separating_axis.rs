//! Separating axes: each is a proof in integers that the shapes as stored are disjoint, kept axes of
//! moved shapes too; none for shapes that touch; gaps against brute force and parry3d.

use boxwood::pair::{SeparatingAxis, SeparatingAxisQuery};
use boxwood::shape::{
    Aabb, ConvexHull, Dop14, Dop18, Frustum, Obb, Polygon3, Segment, SpaceDop8, Sphere, Triangle,
};

use support::box_distance::distance;
use support::convex_bodies::{Body, BodyKind};
use support::each;
use support::exact_gap::has_gap;
use support::pair::any_shape::{Any, Kind};
use support::pair::random_pairs::{self, Regime};
use support::parry::Peer;
use support::prelude::*;
use support::random_parts::wide;

fn axis_of<T: Scalar>(a: &Any<T>, b: &Any<T>) -> Option<SeparatingAxis<T>> {
    each!(a, a => each!(b, b => a.separating_axis(b)))
}

fn gap_of<T: Scalar>(axis: &SeparatingAxis<T>, a: &Any<T>, b: &Any<T>) -> Option<T> {
    each!(a, a => each!(b, b => axis.gap_between(a, b)))
}

/// Returns the length below which a gap counts as rounding.
fn rounding<T: Scalar>([a, b]: &[Any<T>; 2]) -> f64 {
    let (p, q) = (a.plan(), b.plan());
    // The closest points of GJK have an error of sizes and coordinates.
    let far = p.hull().into_iter().chain(q.hull()).map(norm).fold(0.0, f64::max);
    let own_tests =
        matches!(a, Any::Aabb(_) | Any::Obb(_)) && matches!(b, Any::Aabb(_) | Any::Obb(_));
    let far = if own_tests { 0.0 } else { far };
    64.0 * T::ROUNDING.max(1e-15) * (p.size() + q.size()) + 1e-12 * far
}

fn every_axis<T: Scalar>(seed: u64) {
    let (mut proved, mut touching, mut within) = (0, 0, 0);
    let rounds = cases(60).max(4);
    for regime in Regime::ALL {
        for kinds in Kind::ALL.into_iter().flat_map(|a| Kind::ALL.map(|b| [a, b])) {
            let mut random = Random(seed + 64 * regime as u64 + 8 * kinds[0] as u64);
            for _ in 0..rounds {
                let plans = random_pairs::pair(regime, kinds, &mut random);
                let pair: [Any<T>; 2] = plans.map(|plan| plan.build());
                let [a, b] = &pair;
                let axis = axis_of(a, b);
                let back = axis_of(b, a);
                assert_eq!(axis.map(|axis| axis.reversed()), back, "{a:?} {b:?}");
                let Some(axis) = axis else {
                    if a.intersects(b) {
                        touching += 1;
                    } else {
                        within += 1;
                        let distance = a.distance(b).wide();
                        assert!(distance <= rounding(&pair), "{distance:e} apart: {a:?} {b:?}");
                    }
                    continue;
                };
                proved += 1;
                // Distances take the axes of an oriented box for right-angled.
                let is_sure = [a, b].iter().all(|shape| !matches!(shape, Any::Obb(_)));
                assert!(!is_sure || !a.intersects(b), "{axis:?} of touching {a:?} {b:?}");
                let direction = wide(&axis.direction);
                assert!((norm(direction) - 1.0).abs() <= 8.0 * T::ROUNDING, "{axis:?}");
                assert!(has_gap([a, b], direction, axis.gap.wide()), "{axis:?} {a:?} {b:?}");
                assert_eq!(gap_of(&axis, a, b), Some(axis.gap));
                assert_eq!(gap_of(&axis.reversed(), b, a), Some(axis.gap));
                assert_eq!(gap_of(&axis.reversed(), a, b), None, "on the other sides");
                let distance = a.distance(b).wide();
                assert!(axis.gap.wide() <= distance + rounding(&pair), "{axis:?} {distance}");
                let boxes = [a, b].iter().all(|x| matches!(x, Any::Aabb(_) | Any::Obb(_)));
                if !boxes {
                    let short = distance - axis.gap.wide();
                    let error = rounding(&pair) + (1e-6 + 8.0 * T::ROUNDING) * distance;
                    assert!(short <= error, "{short:e} short of {distance}: {a:?} {b:?}");
                }
            }
        }
    }
    println!("{proved} proved, {touching} touching, {within} within rounding");
    let all = proved + touching + within;
    assert!(4 * proved > all && 8 * touching > all && 10 * within < all, "{proved} {touching}");
}

/// Returns the gap of two boxes along each of the 15 axes, of unit length, in double precision.
fn gaps(a: &PlainBox, b: &PlainBox) -> Vec<(V, f64)> {
    let crossed = a.axes.iter().flat_map(|&x| b.axes.map(|y| outer(x, y)));
    let axes = a.axes.into_iter().chain(b.axes).chain(crossed);
    let units = axes.filter(|&axis| norm(axis) > 1e-6).map(|axis| times(axis, 1.0 / norm(axis)));
    let reach = |solid: &PlainBox, n: V| -> f64 {
        (0..3).map(|i| solid.half[i] * inner(solid.axes[i], n).abs()).sum()
    };
    let between = minus(b.center, a.center);
    units.map(|n| (n, inner(between, n).abs() - reach(a, n) - reach(b, n))).collect()
}

fn boxes_have_the_greatest_gap<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut faces, mut edges) = (0, 0);
    for round in 0..cases(30_000) {
        let by = times(random.direction(), random.between(0.5, 4.0));
        let mut solid = |center: V, thin: f64| -> Obb<T> {
            let half = Vector3::from_fn(|_, _| T::nearest(random.decade(-thin, 0.0)));
            Obb::from_pose(&turned(&mut random, center), half).expect("a box")
        };
        let thin = [0.5, 1.0, 6.0][round % 3];
        let (a, b) = (solid([0.0; 3], thin), solid(by, thin));
        let (p, q) = (PlainBox::of(&a), PlainBox::of(&b));
        let all = gaps(&p, &q);
        let best = all.iter().map(|x| x.1).fold(f64::NEG_INFINITY, f64::max);
        let error = 256.0 * T::ROUNDING * (p.radius() + q.radius()) + 1e-14;
        let Some(axis) = a.separating_axis(&b) else {
            assert!(best <= error, "{best}: {a:?} {b:?}");
            continue;
        };
        let (gap, direction) = (axis.gap.wide(), wide(&axis.direction));
        // The slack counts more on an edge axis of a small sine.
        assert!(gap <= best + error && gap >= best - 1e3 * error, "{gap} {best}: {a:?} {b:?}");
        let stored = p.axes.iter().chain(&q.axes);
        let is_face = stored.clone().any(|&x| direction == x || direction == times(x, -1.0));
        let is_like = |n: V| norm(outer(n, direction)) <= 8.0 * T::ROUNDING + 1e-9;
        assert!(is_face || all[6..].iter().any(|x| is_like(x.0)), "{axis:?} {a:?} {b:?}");
        if is_face {
            faces += 1
        } else {
            edges += 1
        }
        let aligned = Aabb::new(point([-0.5; 3]), point([0.25; 3]));
        let mixed = aligned.separating_axis(&b);
        assert_eq!(mixed.is_some(), !aligned.intersects(&b));
        assert_eq!(mixed.map(|axis| axis.reversed()), b.separating_axis(&aligned));
    }
    println!("{faces} faces, {edges} edges");
    assert!(faces > cases(30_000) / 4 && edges > cases(30_000) / 20, "{faces} {edges}");
}

#[test]
fn gaps_across_faces_are_the_distances_of_parry() {
    let mut random = Random(0xfa7);
    let (mut equal, mut unlike) = (0, 0);
    for _ in 0..cases(5_000) {
        let half = |random: &mut Random| Vector3::from_fn(|_, _| random.decade(-1.0, 0.0));
        let (h, k) = (half(&mut random), half(&mut random));
        let a = Obb::from_pose(&turned::<f64>(&mut random, [0.0; 3]), h).expect("a box");
        let i = random.below(3);
        // The other box lies beyond face i of the first, turned about its normal.
        let turn = nalgebra::Rotation3::from_axis_angle(
            &nalgebra::Unit::new_normalize(a.axes().column(i).into_owned()),
            random.between(0.0, 6.0),
        );
        let gap = random.decade(-6.0, 1.0);
        let center = a.center() + a.axes().column(i) * (h[i] + k[i] + gap);
        let b = Obb::new(center, turn.matrix() * a.axes(), k).expect("a box");
        let axis = a.separating_axis(&b).expect("disjoint");
        let [p, q] = [&a, &b].map(PlainBox::of);
        let peer = Peer::solid(&p).distance(&Peer::solid(&q));
        assert!((distance(&p, &q) - gap).abs() < 1e-13, "{} {gap}", distance(&p, &q));
        // The peer's iteration stops early at some parallel faces.
        unlike += usize::from((peer - gap).abs() > 1e-6);
        assert!(axis.gap <= gap + 1e-13 && axis.gap >= gap - 1e-13, "{} {gap}", axis.gap);
        let cosine = axis.direction.dot(&a.axes().column(i).into_owned());
        equal += usize::from(cosine > 1.0 - 1e-12);
    }
    println!("{unlike} unlike the peer");
    assert_eq!(equal, cases(5_000));
    assert!(unlike * 5 < cases(5_000), "{unlike} unlike the peer");
}

fn kept_axes<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut kept, mut lost, mut wrong_way) = (0, 0, 0);
    for round in 0..cases(20_000) {
        let kinds = [Kind::ALL[random.below(6)], Kind::ALL[round % 6]];
        let [p, q] = random_pairs::pair(Regime::Apart, kinds, &mut random);
        let Some(axis) = axis_of(&p.build::<T>(), &q.build::<T>()) else { continue };
        // Moves one of the two so that the gap nearly closes, opens, or the two change sides.
        let gap = axis.gap.wide();
        let share = [1.0, 1.0 - 1e-7, 1.0 + 1e-7, 1.0 - 1e-15, random.between(-2.0, 6.0)];
        let by = times(wide(&axis.direction), -gap * share[random.below(5)]);
        let (a, b): (Any<T>, Any<T>) = (p.build(), q.moved(by).build());
        match gap_of(&axis, &a, &b) {
            Some(gap) => {
                kept += 1;
                assert!(gap > T::zero(), "{gap:?} {a:?} {b:?}");
                let direction = wide(&axis.direction);
                assert!(has_gap([&a, &b], direction, gap.wide()), "{gap:?} {a:?} {b:?}");
            }
            None => {
                lost += 1;
                // Not lost by more than rounding.
                let tiny = 64.0 * T::ROUNDING * (p.size() + q.size() + norm(by) + 10.0);
                let direction = wide(&axis.direction);
                assert!(!has_gap([&a, &b], direction, tiny), "{a:?} {b:?} {axis:?}");
            }
        }
        wrong_way += usize::from(gap_of(&axis.reversed(), &a, &b).is_some());
    }
    println!("{kept} kept, {lost} lost, {wrong_way} on the other sides");
    assert!(kept > cases(20_000) / 8 && lost > cases(20_000) / 8 && wrong_way > 0);
}

fn powers_of_two<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let mut seen = 0;
    for round in 0..cases(5_000) {
        let kinds = [Kind::ALL[random.below(6)], Kind::ALL[round % 6]];
        let plans = random_pairs::pair(Regime::Apart, kinds, &mut random);
        let [a, b]: [Any<T>; 2] = plans.map(|plan| plan.build());
        let Some(axis) = axis_of(&a, &b) else { continue };
        for power in [-40, 40] {
            let by = 2f64.powi(power);
            // The stored numbers, scaled exactly.
            let [c, d] = [&a, &b].map(|x| scaled(x, T::nearest(by)));
            let scaled = axis_of(&c, &d).expect("disjoint at any size");
            assert_eq!(scaled.direction, axis.direction);
            assert_eq!(scaled.gap, axis.gap * T::nearest(by), "{kinds:?}");
        }
        seen += 1;
    }
    assert!(seen > cases(5_000) / 2, "{seen}");
}

fn scaled<T: Scalar>(shape: &Any<T>, by: T) -> Any<T> {
    match shape {
        Any::Sphere(x) => Any::Sphere(x.scaled(by.wide()).expect("in range")),
        Any::Capsule(x) => Any::Capsule(x.scaled(by.wide()).expect("in range")),
        Any::Triangle(x) => Any::Triangle(x.scaled(by.wide()).expect("in range")),
        Any::Obb(x) => Any::Obb(x.scaled(by.wide()).expect("in range")),
        Any::Aabb(x) => Any::Aabb(Aabb::new(x.min * by, x.max * by)),
        Any::Segment(x) => Any::Segment(Segment::new(x.a() * by, x.b() * by).expect("in range")),
    }
}

#[test]
fn convex_bodies_are_separated_by_their_reaches() {
    let mut random = Random(0xb0d1e5);
    let (mut proved, mut touching) = (0, 0);
    for round in 0..cases(20_000) {
        let kinds = [BodyKind::ALL[round % 7], BodyKind::ALL[round / 7 % 7]];
        let [p, q] = kinds.map(|kind| Body::random(&mut random, kind, (1.0, 2.0)));
        let q = q.moved(times(random.direction(), random.between(0.0, 4.0)));
        let (a, b) = (p.shape::<f64>(), q.shape::<f64>());
        let axis = a.separating_axis(&b);
        assert_eq!(axis.map(|axis| axis.reversed()), b.separating_axis(&a), "{p:?} {q:?}");
        let distance = a.distance(&b);
        let Some(axis) = axis else {
            touching += 1;
            assert!(distance < 1e-10, "{distance}: {p:?} {q:?}");
            continue;
        };
        proved += 1;
        assert!(!a.intersects(&b) && axis.separates(&a, &b));
        let n: V = axis.direction.into();
        let gap = -q.reach(times(n, -1.0)) - p.reach(n);
        assert!(axis.gap <= gap + 1e-14, "{} of {gap}: {p:?} {q:?}", axis.gap);
        assert!(axis.gap >= distance - 1e-10, "{} of {distance}: {p:?} {q:?}", axis.gap);
    }
    println!("{proved} proved, {touching} touching");
    assert!(proved > cases(20_000) / 4 && touching > cases(20_000) / 40);
}

#[test]
fn frusta_polygons_and_kdops_are_separated_too() {
    let mut random = Random(0xf2);
    let mut proved = 0;
    for _ in 0..cases(2_000) {
        let corners = PlainBox {
            center: times(random.direction(), 2.0),
            axes: random.rotation(),
            half: std::array::from_fn(|_| random.decade(-1.0, 0.0)),
        }
        .corners([0.0; 3]);
        let points = corners.map(Point3::from);
        let ball = Sphere::new(point(times(random.direction(), 1.0)), 0.3).expect("a ball");
        let hull = ConvexHull::new(&points).expect("a hull");
        let [a, b, c] = [0, 1, 2].map(|_| point::<f64>(times(random.direction(), 1.0)));
        let triangle = Triangle::new(a, b, c).expect("corners");
        let drum = Body::random(&mut random, BodyKind::Cylinder, (0.5, 1.0));
        let frustum = Frustum::new(points).expect("a frustum");
        let face = Polygon3::new(vec![points[0], points[1], points[3], points[2]]).expect("a face");
        let (large, larger, flat) = (
            Dop14::from_points(points),
            Dop18::from_points(points),
            SpaceDop8::from_points(points),
        );
        let shape = drum.shape::<f64>();
        let boxwood::pair::ConvexShape::Cylinder(cylinder) = shape else { unreachable!() };
        macro_rules! check {
            ($a:expr, $b:expr) => {
                let (axis, distance) = ($a.separating_axis(&$b), $a.distance(&$b));
                assert_eq!(axis.map(|axis| axis.reversed()), $b.separating_axis(&$a));
                match axis {
                    Some(axis) => {
                        proved += 1;
                        assert!(axis.gap <= distance + 1e-14 && axis.gap >= distance - 1e-9);
                        assert_eq!(axis.gap_between(&$a, &$b), Some(axis.gap));
                        assert_eq!(axis.reversed().gap_between(&$a, &$b), None);
                    }
                    None => assert!(distance < 1e-9, "{distance}"),
                }
            };
        }
        check!(frustum, ball);
        check!(frustum, triangle);
        check!(face, ball);
        check!(face, cylinder);
        check!(hull, face);
        check!(hull, cylinder);
        check!(hull, triangle);
        check!(large, ball);
        check!(large, triangle);
        check!(larger, cylinder);
        check!(flat, face);
        check!(large, larger);
    }
    println!("{proved} proved");
    assert!(proved > 2 * cases(2_000), "{proved}");
}

#[test]
fn unbounded_and_empty_boxes() {
    let inf = f64::INFINITY;
    let floor = Aabb::new(Point3::new(-inf, -inf, -inf), Point3::new(inf, inf, 0.0));
    let pose = Isometry3::rotation(Vector3::new(0.3, 0.1, 0.7));
    let turned = |z: f64| {
        let mut pose = pose;
        pose.translation.z = z;
        Obb::from_pose(&pose, Vector3::new(0.5, 1.0, 0.2)).expect("a box")
    };
    let lowest = turned(0.0).aabb().min.z;
    for (shape, gap) in [(turned(3.0), 3.0 + lowest), (turned(-lowest + 1e-9), 1e-9)] {
        let axis = floor.separating_axis(&shape).expect("above the floor");
        assert_eq!(axis.direction, Vector3::z());
        assert!(axis.gap <= gap + 1e-14 && axis.gap >= gap - 1e-13, "{} {gap}", axis.gap);
        // A direction that is off by a bit does not separate what has no end.
        let tilted = SeparatingAxis { direction: Vector3::new(1e-300, 0.0, 1.0), ..axis };
        assert!(!tilted.separates(&floor, &shape));
    }
    assert_eq!(floor.separating_axis(&turned(-lowest - 1e-9)), None);
    let ball = Sphere::new(Point3::new(7.0, 8.0, 2.0), 1.5).expect("a ball");
    let axis = ball.separating_axis(&floor).expect("above the floor");
    assert_eq!(axis.direction, -Vector3::z());
    assert!(axis.gap <= 0.5 && axis.gap > 0.5 - 1e-14);
    let ceiling = Aabb::new(Point3::new(-inf, -inf, 1.0), Point3::new(inf, inf, inf));
    let axis = floor.separating_axis(&ceiling).expect("apart");
    assert!(axis.direction == Vector3::z() && axis.gap <= 1.0 && axis.gap > 1.0 - 1e-14);
    for bad in [Aabb::empty(), Aabb::new(Point3::origin(), Point3::new(f64::NAN, 1.0, 1.0))] {
        assert_eq!(bad.separating_axis(&floor), None);
        assert_eq!(bad.separating_axis(&turned(3.0)), None);
        assert_eq!(ball.separating_axis(&bad), None);
    }
    let zero = SeparatingAxis { direction: Vector3::zeros(), gap: 1.0 };
    let nan = SeparatingAxis { direction: Vector3::repeat(f64::NAN), gap: 1.0 };
    for axis in [zero, nan] {
        assert!(!axis.separates(&ball, &turned(9.0)) && !axis.separates(&floor, &ceiling));
        assert!(!axis.separates(&turned(0.0), &turned(9.0)));
    }
}

#[test]
fn neighbours_of_touching_boxes() {
    // Touching to the bit counts; a bit apart is separated for aligned boxes.
    let cube = |low: f32| Aabb::new(Point3::new(low, 0.0, 0.0), Point3::new(low + 1.0, 1.0, 1.0));
    assert_eq!(cube(0.0).separating_axis(&cube(1.0)), None);
    let next = 1f32.next_up();
    let apart = Aabb::new(Point3::new(next, 0.0, 0.0), Point3::new(2.0, 1.0, 1.0));
    let axis = cube(0.0).separating_axis(&apart).expect("a bit apart");
    assert!(axis.gap > 0.0 && axis.gap <= f32::EPSILON && axis.direction == Vector3::x());
    // Corner to corner, of which no axis sees all: the greatest is the first of equals.
    let corner = Aabb::new(Point3::new(2.0, 2.0, 2.0), Point3::new(3.0, 3.0, 3.0));
    assert_eq!(cube(0.0).separating_axis(&corner).map(|x| x.direction), Some(Vector3::x()));
    // A slab as thin as a number can be, far away, huge beside tiny.
    let far = Point3::new(1e8, -3e7, 5.0);
    let plate = |z: f32| {
        let center = far + Vector3::new(0.0, 0.0, z);
        Obb::new(center, Matrix3::identity(), Vector3::new(10.0, 10.0, 0.0)).expect("a plate")
    };
    let axis = plate(0.0).separating_axis(&plate(1e-3)).expect("parallel plates");
    assert_eq!(axis.direction, Vector3::z());
    assert!(axis.gap <= 1e-3 && axis.gap > 9e-4, "{}", axis.gap);
    assert_eq!(plate(0.0).separating_axis(&plate(0.0)), None);
    let dot = Sphere::new(far + Vector3::new(0.0, 0.0, 1.0), 1e-6).expect("a ball");
    let axis = plate(0.0).separating_axis(&dot).expect("a dot above a plate");
    assert!(axis.gap <= 1.0 && axis.gap > 0.9999, "{}", axis.gap);
}

/// Returns `true` if an axis exists and separates its own pair.
fn has_axis<A: SeparatingAxisQuery<B, Scalar = f32>, B>(a: &A, b: &B) -> bool {
    a.separating_axis(b).is_some_and(|axis| axis.separates(a, b))
}

#[test]
fn generic_code_finds_and_checks_axes() {
    let ball = |x: f32| Sphere::new(Point3::new(x, 0.0, 0.0), 1.0).expect("a ball");
    let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
    assert!(has_axis(&ball(3.0), &wall) && has_axis(&wall, &ball(3.0)));
    assert!(!has_axis(&ball(2.0), &wall) && has_axis(&ball(0.0), &ball(2.5)));
}

scalars! {
    an_axis_is_a_proof_in_integers => every_axis(301; 302);
    boxes_take_the_axis_of_the_greatest_gap => boxes_have_the_greatest_gap(303; 304);
    kept_axes_are_proofs_too => kept_axes(305; 306);
    powers_of_two_scale_axes_bit_for_bit => powers_of_two(307; 308);
}
