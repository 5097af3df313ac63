//! Times of impact beside parry3d in double precision, by its own conversion.

use boxwood::pair::Sweep;
use boxwood::shape::{Obb, Sphere};
use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::{Ball, Cuboid, Shape};

use support::pair_regime::Regime;
use support::plain_box::{minus, norm};
use support::random::Random;
use support::random_sweeps::{Moving, moving, point, stored, vector};

fn pose(of: &Obb<f64>) -> Pose {
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(of.axes()));
    Isometry3::from_parts(Translation3::from(of.center().coords), turn).into()
}

/// Their first time of 0..=1, if any.
fn theirs(m: &Moving, a: (&Pose, &dyn Shape), b: (&Pose, &dyn Shape)) -> Option<f64> {
    let [p, q] = m.by.map(|v| Vector::new(v[0], v[1], v[2]));
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let hit = cast_shapes(a.0, p, a.1, b.0, q, b.1, options).expect("supported");
    hit.map(|hit| hit.time_of_impact)
}

fn cuboid(of: &Obb<f64>) -> Cuboid {
    let h = of.half_extents();
    Cuboid::new(Vector::new(h.x, h.y, h.z))
}

#[test]
fn first_touches_agree_with_parry() {
    let mut random = Random(31);
    let (mut both, mut neither, mut differ, mut worst) = (0, 0, 0, 0.0f64);
    for round in 0..6_000 {
        let regime = [Regime::Apart, Regime::Touching, Regime::Deep][round % 3];
        let m = moving(&mut random, regime);
        let (a, b): (Obb<f64>, Obb<f64>) = (stored(&m.a), stored(&m.b));
        let (pose_a, pose_b) = (pose(&a), pose(&b));
        let [p, q] = m.by.map(vector);
        let (mine, other) = if round % 2 == 0 {
            let other = theirs(&m, (&pose_a, &cuboid(&a)), (&pose_b, &cuboid(&b)));
            (a.sweep_both(p, &b, q), other)
        } else {
            let ball = Sphere::new(point(m.a.center), m.a.half[0]).expect("a ball");
            let solid = Ball::new(m.a.half[0]);
            (ball.sweep_both(p, &b, q), theirs(&m, (&pose_a, &solid), (&pose_b, &cuboid(&b))))
        };
        match (mine, other) {
            (None, None) => neither += 1,
            (Some(hit), Some(time)) => {
                both += 1;
                let off = (hit.time_of_impact - time).abs() * norm(minus(m.by[0], m.by[1]));
                worst = worst.max(off);
            }
            _ => differ += 1,
        }
    }
    println!(
        "{both} both hit, {neither} neither, {differ} differ; first touches {worst:.1e} apart at most"
    );
    assert!(both > 3_000 && neither > 1_000 && differ == 0, "{both} {neither} {differ}");
    assert!(worst < 1e-4, "{worst:e}");
}
