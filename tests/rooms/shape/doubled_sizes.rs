//! Scaling by two scales every answer by two, bit for bit: no absolute tolerance in a length.

use boxwood::shape::{Aabb, Capsule, Ellipsoid, Obb, Plane, Segment, Sphere, Triangle};

use super::plain_models::{KINDS, Kind};
use super::point_positions::case;
use super::regime_counts::Census;
use support::random::Random;

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
        // Straightening axes once more may move their last bits; so only straight axes are
        // compared.
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
        for _ in 0..5_000 {
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
