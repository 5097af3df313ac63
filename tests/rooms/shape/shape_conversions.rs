//! Shapes converted into others with the same points, and scaled: by powers of two every answer is
//! scaled bit for bit, so that no length is compared with an absolute tolerance.

use boxwood::Error;
use boxwood::shape::{Aabb, Capsule, Ellipsoid, Obb, Plane, Segment, Sphere, Triangle};

use super::plain_models::{KINDS, Kind};
use super::point_positions::case;
use super::regime_counts::Census;

use support::prelude::*;

fn any<T: Scalar>(size: f64, random: &mut Random) -> Point3<T> {
    Point3::from(Vector3::from_fn(|_, _| T::nearest(random.between(-size, size))))
}

fn same<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..cases(5_000) {
        let far: Vector3<T> = any(random.decade(-2.0, 6.0), &mut random).coords;
        let [a, b, c, d] = [0; 4].map(|_| any::<T>(1.0, &mut random) + far);
        let stored = Aabb::from_points([a, b]);
        let solid = Obb::try_from(stored).expect("a box");
        assert!(stored.corners().iter().all(|&corner| solid.contains(corner)), "{stored:?}");
        let room = (solid.half_extents() - stored.half_extents()).amax().wide();
        let reach = a.coords.amax().wide().max(b.coords.amax().wide());
        assert!(room <= 4.0 * T::ROUNDING * reach, "{room:e} {stored:?} {solid:?}");
        let (line, ball) = (Segment::new(a, b).expect("ends"), Sphere::new(c, (d - a).norm()));
        let (ball, other) =
            (ball.expect("a ball"), Sphere::new(d, T::nearest(0.1)).expect("a ball"));
        assert_eq!(Capsule::from(line).closest_points(&other), line.closest_points(&other));
        let (capsule, answer) = (Capsule::from(ball).distance(&stored), ball.distance(&stored));
        assert!(
            (capsule - answer).wide().abs() <= 1e-12 * (1.0 + reach) + T::ROUNDING * answer.wide()
        );
        assert_eq!(Capsule::from(ball).aabb(), ball.aabb());
    }
}

#[test]
fn empty_and_unbounded_boxes_are_no_obb() {
    let all =
        Aabb::<f32, 3>::new(Point3::from([f32::NEG_INFINITY; 3]), Point3::from([f32::INFINITY; 3]));
    assert!(matches!(Obb::try_from(Aabb::<f64, 3>::empty()), Err(Error::Empty { .. })));
    assert!(matches!(Obb::try_from(all), Err(Error::NotFinite { .. })));
}

fn scaled(shape: &Kind<f64>, s: f64) -> Kind<f64> {
    let sound = "still in range";
    match shape {
        Kind::Sphere(b) => Kind::Sphere(Sphere::new(b.center() * s, b.radius() * s).expect(sound)),
        Kind::Capsule(c) => {
            let (a, b) = (c.segment().a() * s, c.segment().b() * s);
            let segment = Segment::new(a, b).expect(sound);
            Kind::Capsule(Capsule::new(segment, c.radius() * s).expect(sound))
        }
        Kind::Segment(l) => Kind::Segment(Segment::new(l.a() * s, l.b() * s).expect(sound)),
        Kind::Triangle(t) => {
            Kind::Triangle(Triangle::new(t.a() * s, t.b() * s, t.c() * s).expect(sound))
        }
        Kind::Aabb(b) => Kind::Aabb(Aabb::new(b.min * s, b.max * s)),
        // Normalizing axes again may change their last bits, so only coordinate axes are compared.
        Kind::Obb(b) => {
            Kind::Obb(Obb::new(b.center() * s, b.axes(), b.half_extents() * s).expect(sound))
        }
        Kind::Ellipsoid(e) => {
            Kind::Ellipsoid(Ellipsoid::new(e.center() * s, e.axes(), e.radii() * s).expect(sound))
        }
    }
}

#[test]
fn powers_of_two_scale_every_answer() {
    let mut random = Random(131);
    for (kind, name) in KINDS.iter().enumerate() {
        let mut census = Census::default();
        for _ in 0..cases(5_000) {
            let case = case::<f64>(kind, &mut random);
            let s = 2f64.powi(random.below(60) as i32 - 30);
            let (one, other) = (scaled(&case.shape, 1.0), scaled(&case.shape, s));
            if !straight(&one, &other) {
                continue;
            }
            let (p, q) = (case.point, case.point * s);
            assert_eq!(other.contains(q), one.contains(p));
            assert_eq!(other.closest_point(q), one.closest_point(p) * s, "{one:?} {p:?} {s:e}");
            let d = random.direction().into();
            assert_eq!(other.support(d), one.support(d) * s);
            let n = nalgebra::Unit::new_normalize(d);
            let plane = |offset: f64| Plane::new(n, offset).expect("sound");
            let offset = p.coords.dot(&n);
            let (mine, theirs) = (one.heights(&plane(offset)), other.heights(&plane(offset * s)));
            assert_eq!((theirs.least, theirs.greatest), (mine.least * s, mine.greatest * s));
            census.add(case.regime);
        }
        census.check(name, 4);
    }
}

fn straight(one: &Kind<f64>, other: &Kind<f64>) -> bool {
    match (one, other) {
        (Kind::Obb(a), Kind::Obb(b)) => a.axes() == b.axes(),
        (Kind::Ellipsoid(a), Kind::Ellipsoid(b)) => a.axes() == b.axes(),
        _ => true,
    }
}

scalars! {
    conversions_contain_the_same_points => same(1; 2);
}
