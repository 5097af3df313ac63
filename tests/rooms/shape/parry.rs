//! Queries of one shape against parry3d in f64: closest points, containment, bounds.

use super::plain_models::{KINDS, Kind, plain};
use super::point_positions::case;
use super::regime_counts::Census;
use support::pair_regime::Regime;
use support::parry::Peer;
use support::prelude::*;

/// Returns the shape in parry3d; `None` for ellipsoids, which it lacks.
fn theirs(shape: &Kind<f64>) -> Option<Peer> {
    Some(match shape {
        Kind::Sphere(s) => Peer::ball(plain(s.center()), s.radius()),
        Kind::Capsule(s) => {
            Peer::capsule([s.segment().a(), s.segment().b()].map(plain), s.radius())
        }
        Kind::Segment(s) => Peer::segment([s.a(), s.b()].map(plain)),
        Kind::Triangle(s) => Peer::triangle(s.corners().map(plain)),
        Kind::Aabb(s) => Peer::solid(&PlainBox::of_aabb(s)),
        Kind::Obb(s) => Peer::solid(&PlainBox::of(s)),
        Kind::Ellipsoid(_) => return None,
    })
}

const CASES: usize = 20_000;

#[test]
fn closest_points_containment_and_bounds_agree_with_parry() {
    for (kind, name) in KINDS.iter().enumerate().take(6) {
        let (mut census, mut random) = (Census::default(), Random(141 ^ kind as u64));
        let (mut worst, mut verdicts) = (0.0f64, [0, 0]);
        for _ in 0..cases(CASES) {
            let case = case::<f64>(kind, &mut random);
            // parry3d's degenerate triangles are not segments; squares of 1e-12 are below its
            // tolerance.
            if case.regime == Regime::Degenerate && kind == 3 || !(1e-3..1e3).contains(&case.size) {
                continue;
            }
            let other = theirs(&case.shape).expect("they have it");
            let p = plain(case.point);
            let mine = norm(minus(p, plain(case.shape.closest_point(case.point))));
            let they = other.distance_to(p);
            let scale = case.shape.model().size() + norm(p);
            worst = worst.max((mine - they).abs() / scale);
            let certain = match case.regime {
                Regime::Apart => true,
                Regime::Deep => scale < 10.0 * case.size,
                _ => false,
            };
            if let Some(inside) = case.shape.contains(case.point).filter(|_| certain) {
                assert_eq!(inside, other.contains(p), "{:?} {p:?}", case.shape);
                verdicts[usize::from(inside)] += 1;
            }
            let (bounds, [least, most]) = (case.shape.aabb(), other.bounds());
            for i in 0..3 {
                assert!((bounds.min[i] - least[i]).abs() <= 1e-13 * scale);
                assert!((bounds.max[i] - most[i]).abs() <= 1e-13 * scale);
            }
            census.add(case.regime);
        }
        println!(
            "{name}: distances differ by at most {worst:.1e}; outside and inside {verdicts:?}"
        );
        assert!(worst < 1e-12, "{name}: {worst:e}");
        assert!(kind == 2 || kind == 3 || verdicts.iter().all(|&count| 20 * count > cases(CASES)));
        census.check(name, if kind == 3 { 3 } else { 4 });
    }
}
