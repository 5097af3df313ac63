//! Edges whose first contact is known in closed form: arms that turn, slide and fold towards walls.

use std::f64::consts::PI;
use std::sync::Arc;

use boxwood::Build;
use boxwood::f64::{Geometry, Model, Obb, Sphere};
use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use boxwood::pair::ConvexShape;
use boxwood::robot::{Edge, EdgeChecker, EdgeScratch};

use super::samples::{Kind, kind};
use support::closed_meshes::{cube, solid, surface};
use support::prelude::*;

/// A mechanism with its model.
pub struct Made {
    pub mechanism: Mechanism,
    pub model: Arc<Model>,
}

/// A link: parent, offset in it, joint, geometry.
pub type Piece = (Option<usize>, [f64; 3], JointKind, Geometry);

pub fn made(pieces: Vec<Piece>, limits: &[Option<[f64; 2]>]) -> Made {
    let name = |index: usize| format!("link {index}");
    let (mut links, mut builder) = (Vec::new(), Model::builder());
    for (index, (parent, at, joint, geometry)) in pieces.into_iter().enumerate() {
        let origin = Isometry3::translation(at[0], at[1], at[2]);
        links.push(Link { name: name(index), parent, origin, joint });
        let above = parent.map(name);
        builder = builder.part(name(index), above.as_deref(), geometry);
    }
    let actuator = |(index, &limits): (usize, &Option<[f64; 2]>)| Actuator {
        name: format!("joint {index}"),
        limits,
    };
    let actuators = limits.iter().enumerate().map(actuator).collect();
    Made {
        mechanism: Mechanism::new(links, actuators).expect("a mechanism"),
        model: builder.ignore_neighbours(0).build(&Build::default()).expect("a model"),
    }
}

pub fn turn(actuator: usize) -> JointKind {
    JointKind::Revolute { axis: Vector3::z(), mimic: Mimic::direct(actuator) }
}

pub fn slide(axis: Vector3<f64>, mimic: Mimic) -> JointKind {
    JointKind::Prismatic { axis, mimic }
}

pub fn ball(at: [f64; 3], radius: f64) -> Geometry {
    let ball = Sphere::new(Point3::from(at), radius).expect("a ball");
    Geometry::Convex(vec![ConvexShape::Sphere(ball)])
}

pub fn block(at: [f64; 3], half: [f64; 3]) -> Geometry {
    let pose = Isometry3::translation(at[0], at[1], at[2]);
    Geometry::Boxes(vec![Obb::from_pose(&pose, Vector3::from(half)).expect("a box")])
}

/// Returns the verdict on an edge, in both directions.
pub fn verdict(checker: &EdgeChecker<'_, f64>, from: &[f64], to: &[f64]) -> Kind {
    let mut scratch = EdgeScratch::default();
    let there = kind(&checker.check(from, to, &mut scratch).expect("a verdict"));
    assert_eq!(kind(&checker.check(to, from, &mut scratch).expect("a verdict")), there);
    let first = kind(&checker.first(from, to, &mut scratch).expect("a verdict"));
    assert_eq!(first == Kind::Free, there == Kind::Free);
    there
}

/// Checks that an edge is free with a gap and not free if the gap is just closed. `at` makes the
/// robot by the gap, which is least somewhere on the edge.
fn decides_the_gap(at: impl Fn(f64) -> Made, (from, to): (&[f64], &[f64])) {
    for margin in [0.0, 0.07] {
        for tolerance in [1e-2, 1e-3, 1e-5] {
            let verdict = |gap: f64| {
                let Made { mechanism, model } = at(margin + gap);
                let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
                verdict(&checker.margin(margin).tolerance(tolerance), from, to)
            };
            assert_eq!(verdict(2.0 * tolerance), Kind::Free, "{margin} {tolerance}");
            for gap in [1e-9, 1e-12, 0.0] {
                assert_ne!(verdict(-gap), Kind::Free, "{gap} {margin} {tolerance}");
            }
            assert_ne!(verdict(1e-9), Kind::Collides, "{margin} {tolerance}");
            assert_eq!(verdict(-tolerance), Kind::Collides, "{margin} {tolerance}");
        }
    }
}

/// A wall: a block whose face nearest to the origin is at a distance along an axis.
fn wall(axis: usize, distance: f64) -> Piece {
    let (mut at, mut half) = ([0.0; 3], [4.0; 3]);
    (at[axis], half[axis]) = (distance + 0.5 * distance.signum(), 0.5);
    (None, [0.0; 3], JointKind::Fixed, block(at, half))
}

/// Tips of straight arms of one to five links, all of whose joints turn by the same angle: at the
/// top of their way in the middle of the edge, they fall towards a floor. The fall is half the
/// bound on the acceleration, times the square of half the edge, nearly.
#[test]
fn straight_arms_fall_to_a_floor_at_the_ends() {
    let (length, radius) = (0.7, 0.05);
    for links in 1..=5_usize {
        for angle in [0.05, 0.2, 0.4] {
            let height =
                |each: f64| (1..=links).map(|i| length * (i as f64 * each).cos()).sum::<f64>();
            let at = |gap: f64| {
                let floor = height(0.5 * angle) - radius - gap;
                let mut pieces = vec![wall(0, floor)];
                // The floor is below the tip: the wall's far side.
                pieces[0].3 = block([floor - 0.5, 0.0, 0.0], [0.5, 4.0, 4.0]);
                for link in 0..links {
                    let (parent, x) = if link == 0 { (None, 0.0) } else { (Some(link), length) };
                    pieces.push((parent, [x, 0.0, 0.0], turn(0), Geometry::None));
                }
                let tip = ball([length, 0.0, 0.0], radius);
                pieces.push((Some(links), [0.0; 3], JointKind::Fixed, tip));
                made(pieces, &[Some([-1.0, 1.0])])
            };
            decides_the_gap(at, (&[-0.5 * angle], &[0.5 * angle]));
        }
    }
}

/// A box at the end of an arm falls: its corners touch first.
#[test]
fn a_box_at_the_end_of_an_arm_falls_to_a_floor() {
    let (length, half) = (1.3, 0.1);
    for angle in [0.1, 0.5_f64] {
        let lowest = length * (0.5 * angle).cos() - half * (0.5 * angle).sin();
        let at = |gap: f64| {
            let floor = lowest - gap;
            let ground = block([floor - 0.5, 0.0, 0.0], [0.5, 4.0, 4.0]);
            // Its near face is at `length`.
            let plate = block([length + half, 0.0, 0.0], [half; 3]);
            made(
                vec![(None, [0.0; 3], JointKind::Fixed, ground), (None, [0.0; 3], turn(0), plate)],
                &[None],
            )
        };
        decides_the_gap(at, (&[-0.5 * angle], &[0.5 * angle]));
    }
}

/// A slide that grows on a turning link, towards a wall ahead: the Coriolis acceleration.
#[test]
fn a_growing_arm_turns_into_a_wall() {
    let (start, radius) = (0.5_f64, 0.05);
    for (angle, grows) in [(0.2_f64, 0.5), (0.4, 2.0), (0.1, 4.0)] {
        let ahead = (start + 0.5 * grows) * (0.5 * angle).sin() + radius;
        let at = |gap: f64| {
            made(
                vec![
                    wall(1, ahead + gap),
                    (None, [0.0; 3], turn(0), Geometry::None),
                    (
                        Some(1),
                        [start, 0.0, 0.0],
                        slide(Vector3::x(), Mimic::direct(1)),
                        ball([0.0; 3], radius),
                    ),
                ],
                &[None, Some([-3.0, 3.0])],
            )
        };
        decides_the_gap(at, (&[-0.5 * angle, -0.5 * grows], &[0.5 * angle, 0.5 * grows]));
    }
}

/// Two fingers of one actuator, the second by a mimic rule, close symmetrically.
#[test]
fn fingers_close_by_one_actuator() {
    let radius = 0.1;
    let at = |gap: f64| {
        let open = Mimic { actuator: 0, multiplier: -1.0, offset: 0.0 };
        made(
            vec![
                (
                    None,
                    [0.0; 3],
                    slide(Vector3::x(), Mimic::direct(0)),
                    ball([-0.5, 0.0, 0.0], radius),
                ),
                (None, [0.0; 3], slide(Vector3::x(), open), ball([0.5 + gap, 0.0, 0.0], radius)),
            ],
            &[Some([-1.0, 1.0])],
        )
    };
    // At 0.4, centres 0.2 apart.
    decides_the_gap(at, (&[-0.3], &[0.4]));
    let Made { mechanism, model } = at(0.0);
    let checker = EdgeChecker::new(&mechanism, &model).expect("a robot").tolerance(1e-6);
    let mut scratch = EdgeScratch::default();
    let Edge::Collides { fraction, clear_until, .. } =
        checker.first(&[0.0], &[0.8], &mut scratch).expect("a verdict")
    else {
        panic!("they pass through each other");
    };
    assert!(clear_until <= 0.5 + 1e-9 && fraction >= 0.5 - 1e-9);
    assert!(fraction - clear_until < 1e-5, "{clear_until} {fraction}");
}

/// A ball on an arm passes a ball: contact by the law of cosines, from both sides, at any angle.
#[test]
fn the_first_contact_of_a_turning_arm() {
    let (arm, post, radii) = (1.0, 0.95, [0.1, 0.08]);
    let reach: f64 = radii[0] + radii[1];
    let cosine = (arm * arm + post * post - reach * reach) / (2.0 * arm * post);
    let contact = f64::acos(cosine);
    for at in [0.0, 0.3, 1.7, -2.2_f64] {
        let place = [post * at.cos(), post * at.sin(), 0.0];
        let Made { mechanism, model } = made(
            vec![
                (None, [0.0; 3], JointKind::Fixed, ball(place, radii[1])),
                (None, [0.0; 3], turn(0), ball([arm, 0.0, 0.0], radii[0])),
            ],
            &[None],
        );
        let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
        for (from, to) in [(at - 1.0, at + 2.0), (at + 1.5, at - 0.4), (at - 3.0, at + 0.01)] {
            let side = (from - at).signum();
            let expected = (at + side * contact - from) / (to - from);
            for tolerance in [1e-2, 1e-4, 1e-6] {
                let checker = checker.clone().tolerance(tolerance);
                let mut scratch = EdgeScratch::default();
                let edge = checker.first(&[from], &[to], &mut scratch).expect("a verdict");
                let Edge::Collides { fraction, values, clear_until, .. } = edge else {
                    panic!("the post is on the way");
                };
                assert!(clear_until <= expected + 1e-9 && expected <= fraction + 1e-9);
                // The gap closes at a slope of at least a tenth of the speed.
                let late = 40.0 * tolerance / (to - from).abs();
                assert!(fraction - clear_until < late, "{clear_until} {expected} {fraction}");
                assert!((values[0] - (from + fraction * (to - from))).abs() < 1e-12);
                assert_eq!(verdict(&checker, &[from], &[to]), Kind::Collides);
            }
            // Short of the contact.
            let short = at + side * (contact + 0.05);
            assert_eq!(verdict(&checker, &[from], &[short]), Kind::Free);
        }
    }
}

/// Continuous joints take the way of the given values, not the shorter one.
#[test]
fn continuous_joints_take_the_way_of_their_values() {
    let arm = |post: f64| {
        made(
            vec![
                (None, [0.0; 3], JointKind::Fixed, ball([post, 0.0, 0.0], 0.1)),
                (None, [0.0; 3], turn(0), ball([1.0, 0.0, 0.0], 0.1)),
            ],
            &[None],
        )
    };
    // The post is at angle 0, or at half a turn.
    for (post, expected) in [(1.0, Kind::Collides), (-1.0, Kind::Free)] {
        let Made { mechanism, model } = arm(post);
        let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
        assert_eq!(verdict(&checker, &[2.9], &[-2.9]), expected);
        let short_way = if expected == Kind::Free { Kind::Collides } else { Kind::Free };
        assert_eq!(verdict(&checker, &[2.9], &[2.0 * PI - 2.9]), short_way);
        // More than a turn.
        assert_eq!(verdict(&checker, &[0.5], &[0.5 + 2.0 * PI]), Kind::Collides);
    }
}

/// A part inside a solid on the whole edge touches, although no surfaces meet.
#[test]
fn a_part_inside_another_collides() {
    let hollow = |is_solid: bool| {
        let faces = cube([3.0; 3]);
        let room = if is_solid { solid(faces) } else { surface(faces) };
        made(
            vec![
                (None, [0.0; 3], JointKind::Fixed, room),
                (None, [0.0; 3], turn(0), ball([1.0, 0.0, 0.0], 0.1)),
            ],
            &[None],
        )
    };
    for (is_solid, expected) in [(true, Kind::Collides), (false, Kind::Free)] {
        let Made { mechanism, model } = hollow(is_solid);
        let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
        assert_eq!(verdict(&checker, &[-1.0], &[1.0]), expected);
    }
}

/// Parts that move together need one test, whatever the edge.
#[test]
fn parts_that_move_together_keep_their_gap() {
    for (gap, expected) in [(0.01, Kind::Free), (-0.01, Kind::Collides)] {
        let Made { mechanism, model } = made(
            vec![
                (None, [0.0; 3], turn(0), Geometry::None),
                (Some(0), [5.0, 0.0, 0.0], JointKind::Fixed, ball([0.0; 3], 0.5)),
                (Some(0), [5.0, 1.0 + gap, 0.0], JointKind::Fixed, ball([0.0; 3], 0.5)),
            ],
            &[None],
        );
        let checker = EdgeChecker::new(&mechanism, &model).expect("a robot");
        let mut scratch = EdgeScratch::default();
        assert_eq!(verdict(&checker, &[-3.0], &[90.0]), expected);
        let edge = checker.check(&[-3.0], &[90.0], &mut scratch).expect("a verdict");
        if let Edge::Free { clearance_at_least } = edge {
            assert!(clearance_at_least <= gap);
        }
        assert_eq!(scratch.samples(), 1);
    }
}
