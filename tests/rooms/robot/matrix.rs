//! Collision matrices against samples, weighted to the limits of the joints, and closed forms.

use boxwood::f64::{Cylinder, Geometry, Loader, Mesh, Model};
use boxwood::model::SelfQueryScratch;
use boxwood::motion::{JointKind, Mimic};
use boxwood::robot::{CollisionMatrix, MatrixBuilder, PairVerdict};
use boxwood::{Accuracy, Build, Error, PartId};

use super::edges::closed_forms::{Made, ball, made, slide, turn};
use super::edges::samples::rounding;
use support::ball_robots::BallRobot;
use support::data::data;
use support::prelude::*;

/// Draws values of which each is at a limit every other time.
fn at_limits<T: Scalar>(robot: &BallRobot<T>, random: &mut Random) -> Vec<f64> {
    let actuators = robot.mechanism.actuators().iter();
    let value = |limits: Option<[f64; 2]>| {
        let [least, most] = limits.unwrap_or([-std::f64::consts::PI, std::f64::consts::PI]);
        match random.below(4) {
            0 => least,
            1 => most,
            _ => random.between(least, most),
        }
    };
    actuators.map(|actuator| actuator.limits).map(value).collect()
}

fn against_samples<T: Scalar>(seed: u64) {
    let (mut random, mut counts) = (Random(seed), [0; 4]);
    for round in 0..at_least(600, 60) {
        let robot = BallRobot::<T>::random(&mut random);
        let margin = if round % 3 == 0 { random.between(0.0, 0.1) } else { 0.0 };
        let builder = MatrixBuilder::new(&robot.mechanism, &robot.model).expect("a robot");
        let builder = builder.samples(40).splits(1_500).margin(margin).resolution(1e-3);
        let matrix = builder.run().expect("a matrix");
        let count = robot.balls.iter().filter(|balls| !balls.is_empty()).count();
        assert_eq!(matrix.pairs().len(), count * (count.max(1) - 1) / 2);
        let mut never = Vec::new();
        for pair in matrix.pairs() {
            let parts = [[pair.a.index(), pair.b.index()]];
            let distance = |values: &[f64]| robot.distance_of(&parts, values).0;
            match &pair.verdict {
                PairVerdict::Never => {
                    counts[0] += 1;
                    assert_eq!(pair.touching, 0);
                    never.push(parts[0]);
                }
                PairVerdict::Always => {
                    counts[1] += 1;
                    for _ in 0..20 {
                        let values = at_limits(&robot, &mut random);
                        assert!(distance(&values) <= margin + rounding::<T>());
                    }
                }
                PairVerdict::Sometimes { witness } => {
                    counts[2] += 1;
                    let mut poses = Vec::new();
                    robot.mechanism.poses(witness, &mut poses).expect("values within limits");
                    let values: Vec<f64> = witness.iter().map(|value| value.wide()).collect();
                    assert!(distance(&values) <= margin + rounding::<T>());
                }
                PairVerdict::Undecided { least_gap } => {
                    counts[3] += 1;
                    assert!(*least_gap > margin - rounding::<T>() && least_gap.is_finite());
                }
                _ => unreachable!("there are four verdicts"),
            }
        }
        for _ in 0..at_least(20_000, 1_000) {
            let values = at_limits(&robot, &mut random);
            let (least, pair) = robot.distance_of(&never, &values);
            assert!(least > margin - 1e-9, "{least} of {pair:?} at {values:?}");
        }
    }
    println!("never, always, sometimes, undecided: {counts:?}");
    assert!(counts[..3].iter().all(|&count| count > 20), "{counts:?}");
}

scalars! {
    verdicts_agree_with_samples => against_samples(5951; 5952);
}

fn only(made: &Made) -> PairVerdict<f64> {
    let builder = MatrixBuilder::new(&made.mechanism, &made.model).expect("a robot");
    let matrix = builder.samples(200).run().expect("a matrix");
    assert_eq!(matrix.pairs().len(), 1);
    matrix.pairs()[0].verdict.clone()
}

/// Asserts that a robot touches sometimes, or never, by how much its limits allow.
fn decides_limits(at: impl Fn(f64) -> Made) {
    for beyond in [1e-2, 1e-3, 1e-4] {
        let found = only(&at(beyond));
        assert!(matches!(found, PairVerdict::Sometimes { .. }), "{beyond}: {found:?}");
        assert_eq!(only(&at(-beyond)), PairVerdict::Never, "{beyond}");
    }
}

/// A ball on an arm reaches a post at the limit of its joint: contact by the law of cosines.
#[test]
fn limits_that_just_allow_an_arm_to_touch() {
    let (arm, post, reach) = (1.0_f64, 1.1_f64, 0.25_f64);
    let cosine = (arm * arm + post * post - reach * reach) / (2.0 * arm * post);
    let contact = 2.0 - f64::acos(cosine);
    let place = [post * f64::cos(2.0), post * f64::sin(2.0), 0.0];
    decides_limits(|beyond| {
        let pieces = vec![
            (None, [0.0; 3], JointKind::Fixed, ball(place, 0.15)),
            (None, [0.0; 3], turn(0), ball([arm, 0.0, 0.0], 0.1)),
        ];
        made(pieces, &[Some([-0.5, contact + beyond])])
    });
}

/// The tip of an arm of two links folds back to its base; the shoulder does not matter.
#[test]
fn an_elbow_that_folds_to_the_base() {
    let [upper, lower, reach] = [1.0_f64, 0.9, 0.3];
    // |tip|^2 = upper^2 + lower^2 + 2 upper lower cos(elbow)
    let cosine = (reach * reach - upper * upper - lower * lower) / (2.0 * upper * lower);
    let contact = f64::acos(cosine);
    decides_limits(|beyond| {
        let pieces = vec![
            (None, [0.0; 3], JointKind::Fixed, ball([0.0; 3], 0.2)),
            (None, [0.0; 3], turn(0), Geometry::None),
            (Some(1), [upper, 0.0, 0.0], turn(1), ball([lower, 0.0, 0.0], 0.1)),
        ];
        made(pieces, &[None, Some([-0.4, contact + beyond])])
    });
}

/// Two fingers of one actuator, the second by a mimic rule, meet at its limit.
#[test]
fn fingers_that_just_meet() {
    decides_limits(|beyond| {
        let [left, right] = [-1.0, 1.0].map(|side| {
            let mimic = Mimic { actuator: 0, multiplier: -side, offset: 0.0 };
            (None, [0.5 * side, 0.0, 0.0], slide(Vector3::x(), mimic), ball([0.0; 3], 0.1))
        });
        made(vec![left, right], &[Some([-0.2, 0.4 + beyond])])
    });
}

#[test]
fn rigid_pairs_touch_always_or_never() {
    for (gap, expected) in [(0.01, PairVerdict::Never), (-0.01, PairVerdict::Always)] {
        let found = only(&made(
            vec![
                (None, [0.0; 3], turn(0), Geometry::None),
                (Some(0), [1.0, 0.0, 0.0], JointKind::Fixed, ball([0.0; 3], 0.5)),
                (Some(0), [1.0, 1.0 + gap, 0.0], JointKind::Fixed, ball([0.0; 3], 0.5)),
            ],
            &[None],
        ));
        assert_eq!(found, expected);
    }
}

/// Asserts that a robot touches always, or only sometimes, by how much its joints allow.
fn decides_always(margin: f64, at: impl Fn(f64) -> Made) {
    for beyond in [1e-2, 1e-3, 1e-4] {
        let verdict = |beyond: f64| {
            let Made { mechanism, model } = at(beyond);
            let builder = MatrixBuilder::new(&mechanism, &model).expect("a robot");
            let matrix = builder.samples(50).margin(margin).run().expect("a matrix");
            assert_eq!(matrix.pairs().len(), 1);
            matrix.pairs()[0].clone()
        };
        let found = verdict(-beyond);
        assert_eq!((found.verdict, found.touching), (PairVerdict::Always, 50), "{beyond}");
        let found = verdict(beyond);
        assert!(matches!(found.verdict, PairVerdict::Sometimes { .. }), "{beyond}: {found:?}");
    }
}

/// A ball on an arm turns about an axis beside the centre of another: their distance is at most the
/// sum of both arms.
#[test]
fn a_ball_that_never_leaves_another() {
    for margin in [0.0, 0.05] {
        decides_always(margin, |beyond| {
            let pieces = vec![
                (None, [0.0; 3], JointKind::Fixed, ball([0.1, 0.0, 0.0], 0.4)),
                (None, [0.0; 3], turn(0), ball([0.5 + margin + beyond, 0.0, 0.0], 0.2)),
            ];
            made(pieces, &[None])
        });
    }
}

/// A ball slides along a cylinder, with one end of its way in the cylinder's end.
#[test]
fn a_ball_that_slides_within_a_cylinder() {
    let drum = Cylinder::new(Point3::origin(), Vector3::x_axis(), 1.0, 0.3).expect("a cylinder");
    decides_always(0.0, |beyond| {
        let slide = slide(Vector3::x(), Mimic::direct(0));
        let pieces = vec![
            (None, [0.0; 3], JointKind::Fixed, Geometry::Convex(vec![drum.into()])),
            (None, [0.0; 3], slide, ball([0.0, 0.1, 0.0], 0.2)),
        ];
        made(pieces, &[Some([-0.5, 1.2 + beyond])])
    });
}

/// A needle leans against its axis and turns: it crosses a triangle at a radius, within all of the
/// triangle's edges or not.
#[test]
fn a_needle_through_a_triangle() {
    let surface = |corners: [[f64; 3]; 3]| {
        let mesh = Mesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2]]);
        Geometry::Surface(mesh.expect("a triangle"))
    };
    decides_always(0.0, |beyond| {
        let corner = |angle: f64| [2.0 * angle.cos(), 2.0 * angle.sin(), 0.0];
        let plate = [0.0, 1.0, 2.0].map(|third| corner(third * std::f64::consts::TAU / 3.0));
        // The inner radius of the plate is 1.
        let [near, far] = [0.5 + beyond, 1.5 + beyond];
        let needle = [[near, 0.0, -0.5], [far, -1e-7, 0.5], [far, 1e-7, 0.5]];
        let pieces = vec![
            (None, [0.0; 3], JointKind::Fixed, surface(plate)),
            (None, [0.0; 3], turn(0), surface(needle)),
        ];
        made(pieces, &[None])
    });
}

/// A budget leaves a pair undecided, with the distance where the proof stopped.
#[test]
fn budgets_end_in_undecided() {
    let Made { mechanism, model } = made(
        vec![
            (None, [0.0; 3], JointKind::Fixed, ball([1.25, 0.0, 0.0], 0.1)),
            (None, [0.0; 3], turn(0), ball([1.0, 0.0, 0.0], 0.1)),
        ],
        &[None],
    );
    let builder = MatrixBuilder::new(&mechanism, &model).expect("a robot").samples(10);
    let few = builder.clone().splits(2).run().expect("a matrix");
    let PairVerdict::Undecided { least_gap } = few.pairs()[0].verdict else {
        panic!("two splits do not suffice: {few:?}");
    };
    assert!((0.05 - 1e-12..2.1).contains(&least_gap));
    let enough = builder.run().expect("a matrix");
    assert_eq!(enough.pairs()[0].verdict, PairVerdict::Never);
    assert!(enough.pairs()[0].splits > 2);
}

/// A file of a matrix disables what is never, and a model may ignore it.
#[test]
fn matrices_become_files_and_models() {
    let Made { mechanism, model } = made(
        vec![
            (None, [0.0; 3], JointKind::Fixed, ball([3.0, 0.0, 0.0], 0.1)),
            (None, [0.0; 3], turn(0), ball([1.0, 0.0, 0.0], 0.1)),
            (None, [0.0; 3], JointKind::Fixed, ball([-1.0, 0.0, 0.0], 0.1)),
        ],
        &[None],
    );
    let mut reports = Vec::new();
    let builder = MatrixBuilder::new(&mechanism, &model).expect("a robot").samples(500);
    let matrix = builder.run_reporting(|done, all| reports.push((done, all))).expect("a matrix");
    assert_eq!(reports, [(0, 3), (1, 3), (2, 3), (3, 3)]);
    assert_eq!(matrix.never(), [("link 0", "link 1"), ("link 0", "link 2")]);
    let ids = [0, 1, 2].map(PartId::new);
    assert_eq!(matrix.pair(ids[2], ids[0]), matrix.pair(ids[0], ids[2]));
    assert!(matrix.pair(ids[1], ids[1]).is_none());
    assert_eq!(
        matrix.to_srdf("a <robot>"),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot name=\"a &#60;robot&#62;\">\n  \
         <disable_collisions link1=\"link 0\" link2=\"link 1\" reason=\"Never\"/>\n  \
         <disable_collisions link1=\"link 0\" link2=\"link 2\" reason=\"Never\"/>\n</robot>\n"
    );
    let again = builder.clone().run().expect("a matrix");
    assert_eq!(again, matrix);
    let other = builder.clone().seed(2).run().expect("a matrix");
    assert_eq!(other.never(), matrix.never());

    let parts = (0..3).fold(Model::builder(), |all, index| {
        all.part(format!("link {index}"), None, ball([0.0; 3], 0.1))
    });
    let model = parts.ignore_never(&matrix).build(&Build::default()).expect("a model");
    let ignored = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| model.ignores(ids[a], ids[b]));
    assert_eq!(ignored, [true, true, false]);
    // It ignores nothing that touches; a model that ignores more does.
    assert_eq!(matrix.ignored_although_touching(&model).count(), 0);
    let wrong = model.with_ignored(&[("link 2", "link 1")]).expect("known names");
    let found: Vec<_> = matrix.ignored_although_touching(&wrong).collect();
    assert_eq!(found, [matrix.pair(ids[1], ids[2]).expect("a pair")]);
    assert!(matches!(found[0].verdict, PairVerdict::Sometimes { .. }));
}

#[test]
fn settings_are_refused() {
    let Made { mechanism, model } =
        made(vec![(None, [0.0; 3], turn(0), ball([1.0, 0.0, 0.0], 0.1))], &[None]);
    let builder = MatrixBuilder::new(&mechanism, &model).expect("a robot").samples(1);
    let refused = |builder: MatrixBuilder<'_, f64>| builder.run().map(|_| ());
    let negative = |field| Err(Error::Negative { field, index: 0 });
    assert_eq!(refused(builder.clone().margin(-1.0)), negative("margin"));
    assert_eq!(refused(builder.clone().resolution(-1.0)), negative("resolution"));
    let not_finite = Err(Error::NotFinite { field: "resolution", index: 0 });
    assert_eq!(refused(builder.clone().resolution(f64::NAN)), not_finite);
    assert_eq!(refused(builder), Ok(()));
    let Made { model: other, .. } = made(
        vec![(None, [0.0; 3], turn(0), Geometry::None), (None, [0.0; 3], turn(0), Geometry::None)],
        &[None],
    );
    let expected = Error::WrongCount { field: "parts", expected: 1, found: 2 };
    assert_eq!(MatrixBuilder::new(&mechanism, &other).map(|_| ()), Err(expected));
}

/// All pairs of the Panda are decided; those that are never touch in no sample.
#[test]
fn panda() {
    let Some(data) = data() else { return };
    let path = data.join("robots/panda/urdf/panda.urdf");
    let robot = Loader::new().urdf(path).expect("a robot");
    let builder = MatrixBuilder::new(&robot.mechanism, &robot.model).expect("a robot");
    let matrix: CollisionMatrix<f64> =
        builder.samples(at_least(10_000, 2_000)).run().expect("a matrix");
    let count = |of: fn(&PairVerdict<f64>) -> bool| {
        matrix.pairs().iter().filter(|pair| of(&pair.verdict)).count()
    };
    let undecided = count(|verdict| matches!(verdict, PairVerdict::Undecided { .. }));
    println!(
        "{} pairs, never {}, undecided {undecided}",
        matrix.pairs().len(),
        matrix.never().len()
    );
    assert_eq!((matrix.pairs().len(), matrix.never().len(), undecided), (55, 25, 0));
    // The published SRDF file disables pairs that touch.
    let path = data.join("robots/panda/urdf/panda.urdf");
    let srdf = data.join("robots/panda/srdf/panda.srdf");
    let given = Loader::<f64>::new().srdf(srdf).urdf(path).expect("a robot");
    let wrong = matrix.ignored_although_touching(&given.model);
    let wrong = wrong.filter(|pair| !robot.model.ignores(pair.a, pair.b));
    let wrong: Vec<_> = wrong.map(|pair| [pair.a, pair.b].map(|part| matrix.name(part))).collect();
    let expected = [
        ["panda_link5", "panda_link7"],
        ["panda_link5", "panda_hand"],
        ["panda_leftfinger", "panda_rightfinger"],
    ];
    assert_eq!(wrong, expected);
    let never = matrix.never();
    let (mut random, mut values, mut poses) = (Random(5953), Vec::new(), Vec::new());
    let tested = robot.model.with_tested(&never).expect("known names");
    let mut scratch = SelfQueryScratch::default();
    for _ in 0..at_least(100_000, 3_000) {
        robot.mechanism.sample_values(|| random.share(), &mut values);
        for (value, actuator) in values.iter_mut().zip(robot.mechanism.actuators()) {
            let limits = actuator.limits.expect("limits");
            *value = match random.below(4) {
                0 => limits[0],
                1 => limits[1],
                _ => *value,
            };
        }
        robot.mechanism.poses(&values, &mut poses).expect("values within limits");
        let pairs = tested.self_pairs(&poses, Accuracy::Exact, &mut scratch).expect("poses");
        for &(a, b) in pairs {
            assert!(!never.contains(&(matrix.name(a), matrix.name(b))), "{values:?}");
        }
    }
}
