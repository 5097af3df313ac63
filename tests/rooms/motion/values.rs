//! Actuators by name, and values from a uniform source: within the limits, both ends included.

use std::f64::consts::PI;

use boxwood::Error;
use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};

use support::prelude::*;

fn mechanism(limits: &[Option<[f64; 2]>]) -> Mechanism {
    let actuator = |(i, limits): (usize, &Option<[f64; 2]>)| Actuator {
        name: format!("joint {i}"),
        limits: *limits,
    };
    let link = |i: usize| {
        let (axis, mimic) = (Vector3::x(), Mimic::direct(i));
        let joint = JointKind::Revolute { axis, mimic };
        Link { name: i.to_string(), parent: None, origin: Isometry3::identity(), joint }
    };
    let mut links: Vec<Link> = (0..limits.len()).map(link).collect();
    let (origin, joint) = (Isometry3::identity(), JointKind::Fixed);
    links.push(Link { name: "base".to_owned(), parent: None, origin, joint });
    let actuators = limits.iter().enumerate().map(actuator).collect();
    Mechanism::new(links, actuators).expect("a mechanism")
}

#[test]
fn actuators_are_found_by_name() {
    let robot = mechanism(&[None; 40]);
    for (i, actuator) in robot.actuators().iter().enumerate() {
        assert_eq!(robot.actuator(&actuator.name), Ok(i));
    }
    for name in ["", "joint", "joint 40", "Joint 1", " joint 1", "base"] {
        let known = robot.actuators().iter().map(|own| own.name.clone()).collect();
        let error = Error::UnknownName { kind: "actuator", name: name.to_owned(), known };
        assert_eq!(robot.actuator(name), Err(error));
    }
    assert!(mechanism(&[]).actuator("joint 0").is_err());
}

/// Draws limits of all sizes, including ones not representable in `f32`.
fn random_limits(random: &mut Random) -> Option<[f64; 2]> {
    let one = |random: &mut Random| random.sign() * random.decade(-6.0, 6.0);
    let (a, b) = (one(random), one(random));
    match random.below(6) {
        0 => None,
        1 => Some([a, a]),
        2 => Some([a, a.next_up()]),
        3 => Some([0.0, a.abs()]),
        _ => Some([a.min(b), a.max(b)]),
    }
}

/// Checks that sampled values are accepted as a pose, at any share, the ends first of all.
fn within<T: Scalar>(seed: u64) {
    let (mut random, mut values, mut poses) = (Random(seed), vec![T::one(); 3], Vec::new());
    for _ in 0..cases(10_000) {
        let count = random.below(9);
        let limits: Vec<_> = (0..count).map(|_| random_limits(&mut random)).collect();
        let robot = mechanism(&limits);
        let last = 1.0_f64.next_down();
        for fixed in [Some(0.0), Some(last), Some(0.5), None] {
            let mut asked = 0;
            let uniform = || {
                asked += 1;
                fixed.unwrap_or_else(|| random.share())
            };
            robot.sample_values(uniform, &mut values);
            assert_eq!((values.len(), asked), (count, count));
            robot.poses(&values, &mut poses).expect("values within the limits");
            for (value, limits) in values.iter().zip(&limits) {
                let [least, most] = limits.unwrap_or([-PI, PI]);
                let [low, high] = [least, most].map(T::nearest);
                assert!(low <= *value && *value <= high, "{value:?} of {limits:?}");
                if fixed == Some(0.0) {
                    assert_eq!(*value, low);
                }
                if fixed == Some(last) {
                    let off = most - value.wide();
                    let share = 2.0 * T::ROUNDING + 1e-15;
                    assert!(off.abs() <= share * (most.abs() + least.abs()), "{off}");
                }
            }
        }
    }
}

/// One number an actuator, in their order, and even: a tenth of all in each tenth.
#[test]
fn values_are_distributed_like_the_source() {
    let robot = mechanism(&[Some([-1.0, 3.0]), None, Some([5.0, 5.0])]);
    let (mut random, mut values, mut counted) = (Random(813), Vec::new(), [[0; 10]; 2]);
    // Never fewer: with 1,000 values expected in each tenth, the limits are five deviations away.
    let count = at_least(10_000, 10_000);
    for _ in 0..count {
        robot.sample_values::<f64>(|| random.share(), &mut values);
        assert_eq!(values[2], 5.0);
        for (k, share) in
            [(values[0] + 1.0) / 4.0, (values[1] + PI) / (2.0 * PI)].into_iter().enumerate()
        {
            counted[k][(10.0 * share) as usize] += 1;
        }
    }
    let limits = count * 85 / 1_000..count * 115 / 1_000;
    assert!(counted.as_flattened().iter().all(|count| limits.contains(count)), "{counted:?}");
    let mut shares = [0.25, 0.75, 0.5].into_iter();
    robot.sample_values(|| shares.next().expect("one an actuator"), &mut values);
    assert_eq!(values, [0.0, 0.5 * PI, 5.0]);
    assert_eq!(shares.next(), None);
}

#[test]
fn sampling_reuses_storage() {
    let robot = mechanism(&[Some([-1.0, 1.0]); 12]);
    let mut values: Vec<f32> = Vec::new();
    robot.sample_values(|| 0.5, &mut values);
    let again = || robot.sample_values(|| 0.25, &mut values);
    assert_eq!(allocation_counter::measure(again).count_total, 0);
    assert_eq!(values, [-0.5; 12]);
}

scalars! {
    values_are_within_the_limits => within(811; 812);
}
