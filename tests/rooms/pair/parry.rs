//! All pairs of shapes beside parry3d in double precision: verdicts, distances, contacts and rays,
//! where its answers do not depend on rounding.

use boxwood::nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::{Ball, Capsule, Cuboid, Segment, Shape, Triangle};

use support::pair::any_shape::{Kind, Plan};
use support::pair::random_pairs::{self, Regime};
use support::plain_box::V;
use support::proof::cases;
use support::random::Random;

/// Number of cases.
fn tries() -> usize {
    cases(300)
}

/// The same shape in the other library. Its interface moves, so it is met only here.
pub fn theirs(plan: &Plan) -> (Pose, Box<dyn Shape>) {
    let v = |p: V| Vector::new(p[0], p[1], p[2]);
    let [a, b, c] = plan.points;
    let here: Pose = Isometry3::<f64>::identity().into();
    match plan.kind {
        Kind::Sphere => {
            (Isometry3::translation(a[0], a[1], a[2]).into(), Box::new(Ball::new(plan.radius)))
        }
        Kind::Capsule => (here, Box::new(Capsule::new(v(a), v(b), plan.radius))),
        Kind::Segment => (here, Box::new(Segment::new(v(a), v(b)))),
        Kind::Triangle => (here, Box::new(Triangle::new(v(a), v(b), v(c)))),
        Kind::Aabb | Kind::Obb => {
            let axes = boxwood::nalgebra::Matrix3::from_fn(|i, j| plan.axes[j][i]);
            let turn =
                UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
            let place = Isometry3::from_parts(Translation3::new(a[0], a[1], a[2]), turn);
            (place.into(), Box::new(Cuboid::new(v(plan.half))))
        }
    }
}

#[test]
fn verdicts_and_distances_agree() {
    for regime in [Regime::Apart, Regime::Touching, Regime::Deep, Regime::Parallel] {
        let (mut apart, mut together, mut close, mut worst) = (0, 0, 0, 0.0f64);
        let (mut farther, mut other) = (0, 0);
        for first in Kind::ALL {
            for second in Kind::ALL {
                let mut random = Random(77 + regime as u64 * 64 + first as u64 * 8 + second as u64);
                for _ in 0..tries() {
                    let plans = random_pairs::pair(regime, [first, second], &mut random);
                    let [a, b] = plans.map(|plan| plan.build::<f64>());
                    let [(place_a, other_a), (place_b, other_b)] =
                        [theirs(&plans[0]), theirs(&plans[1])];
                    let size = plans[0].size() + plans[1].size();
                    let mine = a.distance(&b);
                    let distance = query::distance(&place_a, &*other_a, &place_b, &*other_b)
                        .expect("a pair")
                        .distance;
                    // The nearer of two claims of a distance between true points is the better one.
                    let off = (mine - distance).abs() / (size + mine);
                    if off > 1e-6 {
                        farther += 1;
                        assert!(mine < distance, "{mine:e} {distance:e} {a:?} {b:?}");
                    } else {
                        worst = worst.max(off);
                    }
                    if mine > 0.0 && mine < 1e-6 * size || mine == 0.0 && distance > 0.0 {
                        close += 1;
                        continue;
                    }
                    let verdict =
                        query::intersection_test(&place_a, &*other_a, &place_b, &*other_b);
                    let verdict = verdict.expect("a pair").intersecting;
                    if mine > 0.0 {
                        apart += 1
                    } else {
                        together += 1
                    }
                    other += usize::from(verdict != a.intersects(&b));
                }
            }
        }
        println!(
            "{regime:?}: {apart} apart, {together} together, {close} close; distances differ by at most {worst:.1e}, but theirs is greater in {farther}; {other} other verdicts"
        );
        assert!(farther + other < 36 * tries() / 100);
    }
}
