//! Jacobians of points of links, beside differences of their poses and closed forms.

use boxwood::Error;
use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};

use super::kinematics::random_mechanism;

use support::prelude::*;

/// Step of the differences: their error is about its square, and that of rounding over it.
const STEP: f64 = 1e-5;

#[test]
fn jacobians_are_the_differences_of_points() {
    let mut random = Random(0x7ac0_b1a4);
    let (mut poses, mut jacobian) = (Vec::new(), vec![Vector3::repeat(9.0); 40]);
    let (mut moved, mut still) = (0, 0);
    for case in 0..cases(4000) {
        let len = 1 + random.below(12);
        let robot = random_mechanism(&mut random, case % 4, len);
        let values: Vec<f64> =
            (0..robot.actuators().len()).map(|_| random.between(-3.0, 3.0)).collect();
        let (link, local) = (random.below(len), Point3::from(random.vector(2.0)));
        robot.poses(&values, &mut poses).expect("numbers");
        let point = poses[link] * local;
        robot.point_jacobian(&poses, link, point, &mut jacobian).expect("a link");
        assert_eq!(jacobian.len(), values.len());
        for (actuator, derivative) in jacobian.iter().enumerate() {
            let mut at = |by: f64| {
                let mut values = values.clone();
                values[actuator] += by;
                robot.poses(&values, &mut poses).expect("numbers");
                poses[link] * local
            };
            let difference = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            let error = (difference - derivative).norm();
            assert!(error < 1e-6 * (1.0 + derivative.norm()), "{case} {actuator}: {error}");
            *(if derivative.norm() > 1e-3 { &mut moved } else { &mut still }) += 1;
        }
    }
    assert!(moved > 100 && still > 0, "{moved} {still}");
}

/// An arm of two bones of lengths 2 and 1 in the plane, with a slide at its tip and a finger that
/// follows the first angle by -0.5.
#[test]
fn an_arm_in_the_plane_has_its_closed_form() {
    let revolute = |mimic| JointKind::Revolute { axis: Vector3::z(), mimic };
    let link = |name: &str, parent, x, joint| Link {
        name: name.to_owned(),
        parent,
        origin: Isometry3::translation(x, 0.0, 0.0),
        joint,
    };
    let follows = Mimic { multiplier: -0.5, offset: 0.3, ..Mimic::direct(0) };
    let slide = JointKind::Prismatic { axis: Vector3::x(), mimic: Mimic::direct(2) };
    let links = vec![
        link("upper", None, 0.0, revolute(Mimic::direct(0))),
        link("lower", Some(0), 2.0, revolute(Mimic::direct(1))),
        link("tip", Some(1), 1.0, slide),
        link("finger", Some(2), 0.0, revolute(follows)),
    ];
    let actuator = |name: &str| Actuator { name: name.to_owned(), limits: None };
    let robot = Mechanism::new(links, ["a", "b", "c"].map(actuator).to_vec()).expect("an arm");
    let (a, b, c) = (0.4_f64, 0.9_f64, 0.25_f64);
    let (mut poses, mut jacobian) = (Vec::new(), Vec::new());
    robot.poses(&[a, b, c], &mut poses).expect("numbers");
    let across = |angle: f64, length: f64| Vector3::new(-angle.sin(), angle.cos(), 0.0) * length;
    let along = |angle: f64| Vector3::new(angle.cos(), angle.sin(), 0.0);
    let tip = Point3::from(along(a) * 2.0 + along(a + b) * (1.0 + c));
    robot.point_jacobian(&poses, 2, tip, &mut jacobian).expect("a link");
    let expected = [across(a, 2.0) + across(a + b, 1.0 + c), across(a + b, 1.0 + c), along(a + b)];
    for (found, expected) in jacobian.iter().zip(expected) {
        assert!((found - expected).norm() < 1e-12, "{found} {expected}");
    }
    // The finger's point turns back by half of the first angle.
    let angle = a + b - 0.5 * a + 0.3;
    let point = tip + along(angle) * 0.5;
    robot.point_jacobian(&poses, 3, point, &mut jacobian).expect("a link");
    let first = expected[0] + across(angle, 0.5) * 0.5;
    assert!((jacobian[0] - first).norm() < 1e-12);
    // Moved as a whole, poses and point give the moved derivatives.
    let base = Isometry3::new(Vector3::new(5.0, -1.0, 2.0), Vector3::new(0.3, 0.8, -0.2));
    let there: Vec<_> = poses.iter().map(|pose| base * pose).collect();
    let mut other = Vec::new();
    robot.point_jacobian(&there, 3, base * point, &mut other).expect("a link");
    for (found, expected) in other.iter().zip(&jacobian) {
        assert!((found - base * expected).norm() < 1e-12);
    }
}

#[test]
fn wrong_questions_are_refused_and_change_nothing() {
    let robot = random_mechanism(&mut Random(5), 0, 3);
    let values = vec![0.0; robot.actuators().len()];
    let mut poses: Vec<Isometry3<f64>> = Vec::new();
    robot.poses(&values, &mut poses).expect("numbers");
    let origin = Point3::origin();
    let mut jacobian = vec![Vector3::x(); 7];
    let mut refused = |poses: &[Isometry3<f64>], link, point, expected: Error| {
        let before = jacobian.clone();
        assert_eq!(robot.point_jacobian(poses, link, point, &mut jacobian), Err(expected));
        assert_eq!(jacobian, before);
    };
    let count = Error::WrongCount { field: "poses", expected: 3, found: 2 };
    refused(&poses[..2], 0, origin, count);
    let link = Error::IndexOutOfRange { field: "link", index: 0, target: 3, len: 3 };
    refused(&poses, 3, origin, link);
    let nan = Point3::new(0.0, f64::NAN, 0.0);
    refused(&poses, 0, nan, Error::NotFinite { field: "point", index: 0 });
    let mut broken = poses.clone();
    broken[1].translation.vector.x = f64::INFINITY;
    refused(&broken, 0, origin, Error::NotFinite { field: "pose", index: 1 });
}
