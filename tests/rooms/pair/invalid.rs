//! NaN is refused by constructors; an aligned box, which is not checked, then intersects nothing.

use boxwood::nalgebra::Point3;
use boxwood::shape::{Aabb, Capsule, Segment, Sphere, Triangle};

use support::each;
use support::pair::any_shape::Kind;
use support::pair::random_pairs;
use support::random::Random;

#[test]
fn constructors_refuse_nan() {
    let (sound, bad) = (Point3::new(0.0, 1.0, 2.0), Point3::new(0.0, f64::NAN, 2.0));
    let far = Point3::new(f64::INFINITY, 0.0, 0.0);
    for wrong in [bad, far] {
        assert!(Sphere::new(wrong, 1.0).is_err() && Segment::new(sound, wrong).is_err());
        assert!(Triangle::new(sound, wrong, sound).is_err());
    }
    let segment = Segment::new(sound, sound).expect("a point");
    for radius in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(Sphere::new(sound, radius).is_err() && Capsule::new(segment, radius).is_err());
    }
}

#[test]
fn empty_boxes_intersect_nothing_and_unbounded_boxes_everything() {
    let nan = Aabb::new(Point3::new(0.0, f64::NAN, 0.0), Point3::new(1.0, 1.0, 1.0));
    let inside_out = Aabb::new(Point3::new(1.0, 1.0, 1.0), Point3::new(0.0, 2.0, 2.0));
    let all = Aabb::new(Point3::from([f64::NEG_INFINITY; 3]), Point3::from([f64::INFINITY; 3]));
    let half =
        Aabb::new(Point3::new(f64::NEG_INFINITY, -1.0, 10.0), Point3::from([f64::INFINITY; 3]));
    let mut random = Random(1);
    for kind in Kind::ALL {
        let plan = random_pairs::shape(kind, &mut random);
        let stored = plan.build::<f64>();
        for none in [Aabb::empty(), nan, inside_out] {
            let (met, distance) =
                each!(&stored, shape => (none.intersects(shape), shape.distance(&none)));
            assert!(!met && distance == f64::INFINITY, "{none:?} {distance}");
        }
        let (met, distance) =
            each!(&stored, shape => (all.intersects(shape), shape.distance(&all)));
        assert!(met && distance == 0.0, "{kind:?}");
        let top = plan.hull().iter().map(|p| p[2]).fold(f64::MIN, f64::max) + plan.round();
        let distance = each!(&stored, shape => half.distance(shape));
        assert!((distance - (10.0 - top)).abs() < 1e-12, "{kind:?} {distance}");
    }
}
