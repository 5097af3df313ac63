//! Queries of one shape beside parry3d in f64: closest points, containment, bounds.

use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::shape::{Ball, Capsule, Cuboid, Segment, Shape, Triangle};

use super::plain_models::{KINDS, Kind, plain};
use super::point_positions::case;
use super::regime_counts::Census;
use support::pair_regime::Regime;
use support::plain_box::{V, minus, norm};
use support::random::Random;

fn vector(p: V) -> Vector {
    Vector::new(p[0], p[1], p[2])
}

/// The shape in parry3d, and its pose; `None` for shapes it lacks.
fn theirs(shape: &Kind<f64>) -> Option<(Box<dyn Shape>, Pose)> {
    let here = Isometry3::identity();
    let at = |p: V| {
        Isometry3::from_parts(Translation3::new(p[0], p[1], p[2]), UnitQuaternion::identity())
    };
    let (shape, pose): (Box<dyn Shape>, Isometry3<f64>) = match shape {
        Kind::Sphere(s) => (Box::new(Ball::new(s.radius())), at(plain(s.center()))),
        Kind::Capsule(s) => {
            let ends = [s.segment().a(), s.segment().b()].map(|p| vector(plain(p)));
            (Box::new(Capsule::new(ends[0], ends[1], s.radius())), here)
        }
        Kind::Segment(s) => {
            (Box::new(Segment::new(vector(plain(s.a())), vector(plain(s.b())))), here)
        }
        Kind::Triangle(s) => {
            let [a, b, c] = s.corners().map(|p| vector(plain(p)));
            (Box::new(Triangle::new(a, b, c)), here)
        }
        Kind::Aabb(s) => {
            let h = s.half_extents();
            (
                Box::new(Cuboid::new(Vector::new(h.x, h.y, h.z))),
                at(plain(s.center().expect("some"))),
            )
        }
        Kind::Obb(s) => {
            let h = s.half_extents();
            let turn =
                UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(s.axes()));
            let place = Isometry3::from_parts(Translation3::from(s.center().coords), turn);
            (Box::new(Cuboid::new(Vector::new(h.x, h.y, h.z))), place)
        }
        Kind::Ellipsoid(_) => return None,
    };
    Some((shape, pose.into()))
}

#[test]
fn agrees_with_parry() {
    for (kind, name) in KINDS.iter().enumerate().take(6) {
        let (mut census, mut random) = (Census::default(), Random(141 ^ kind as u64));
        let (mut worst, mut verdicts) = (0.0f64, [0, 0]);
        for _ in 0..20_000 {
            let case = case::<f64>(kind, &mut random);
            // Their degenerate triangles are not segments; their squares of 1e-12 are under their
            // tolerance.
            if case.regime == Regime::Degenerate && kind == 3 || !(1e-3..1e3).contains(&case.size) {
                continue;
            }
            let (other, pose) = theirs(&case.shape).expect("they have it");
            let p = plain(case.point);
            let projected = other.project_point(&pose, vector(p), true);
            let q = projected.point;
            let (mine, they) = (
                norm(minus(p, plain(case.shape.closest_point(case.point)))),
                norm(minus(p, [q.x, q.y, q.z])),
            );
            let scale = case.shape.model().size() + norm(p);
            worst = worst.max((mine - they).abs() / scale);
            let certain = match case.regime {
                Regime::Apart => true,
                Regime::Deep => scale < 10.0 * case.size,
                _ => false,
            };
            if let Some(inside) = case.shape.contains(case.point).filter(|_| certain) {
                let they = other.contains_point(&pose, vector(p));
                assert_eq!(inside, they, "{:?} {p:?}", case.shape);
                verdicts[usize::from(inside)] += 1;
            }
            let (bounds, around) = (case.shape.aabb(), other.compute_aabb(&pose));
            for i in 0..3 {
                assert!((bounds.min[i] - around.mins[i]).abs() <= 1e-13 * scale);
                assert!((bounds.max[i] - around.maxs[i]).abs() <= 1e-13 * scale);
            }
            census.add(case.regime);
        }
        println!(
            "{name}: distances differ by at most {worst:.1e}; outside and inside {verdicts:?}"
        );
        assert!(worst < 1e-12, "{name}: {worst:e}");
        assert!(kind == 2 || kind == 3 || verdicts.iter().all(|&count| count > 1_000));
        census.check(name, if kind == 3 { 3 } else { 4 });
    }
}
