//! Closest points of two boxes of all proportions: thin and flat ones, needles, points, and a vast
//! one beside a tiny one; separate, touching or overlapping.

use boxwood::shape::{Aabb, Obb};

use super::separating_slabs::{Allowed, Found, check};
use support::pair::any_shape::{Any, Kind, Plan, UPRIGHT};
use support::pair::random_pairs;
use support::prelude::*;

/// Draws sides from zero to the size, many of them thin.
fn shape(kind: Kind, size: f64, turn: Option<[V; 3]>, random: &mut Random) -> Plan {
    let half = std::array::from_fn(|_| match random.below(6) {
        0 => 0.0,
        1 => size,
        2 => size * random.decade(-7.0, -3.0),
        _ => size * random.decade(-2.0, 0.0),
    });
    let turned = turn.unwrap_or_else(|| random.rotation());
    let axes = if kind == Kind::Obb { turned } else { UPRIGHT };
    Plan { kind, points: [[0.0; 3]; 3], axes, half, radius: 0.0 }
}

/// Draws two boxes: the second anywhere, in the first, with a corner at one of the first's, or just
/// beyond a face.
fn pair(kinds: [Kind; 2], random: &mut Random) -> [Plan; 2] {
    let a = shape(kinds[0], 1.0, None, random);
    let turn = random.chance(0.3).then_some(a.axes);
    let smaller = random.decade(-4.0, 0.0);
    let b = shape(kinds[1], smaller, turn, random);
    let to = |from: V, to: V| b.moved(minus(to, from));
    let b = match random.below(4) {
        0 => to([0.0; 3], times(random.direction(), random.decade(-2.0, 1.0))),
        1 => to(random_pairs::inside(&b, random), random_pairs::inside(&a, random)),
        2 => to(b.hull()[random.below(8)], a.hull()[random.below(8)]),
        _ => {
            let (i, off) = (random.below(3), random.decade(-12.0, 0.0) * random.sign());
            let gap = a.half[i] + smaller * off;
            let beside = random_pairs::inside(&Plan { half: times(a.half, 1.3), ..a }, random);
            let lowest = b.hull().into_iter().min_by(|p, q| {
                let along = |p: &V| support::plain_box::inner(*p, a.axes[i]);
                along(p).total_cmp(&along(q))
            });
            let level = support::plain_box::inner(beside, a.axes[i]);
            to(lowest.expect("corners"), plus(beside, times(a.axes[i], gap - level)))
        }
    };
    [a, b]
}

fn every<T: Scalar>(allowed: &Allowed) {
    let mut random = Random(77);
    for kinds in [[Kind::Aabb, Kind::Obb], [Kind::Obb, Kind::Obb], [Kind::Obb, Kind::Aabb]] {
        let mut found = Found::default();
        for _ in 0..cases(6_000) {
            let [a, b]: [Any<T>; 2] = pair(kinds, &mut random).map(|plan| plan.build());
            let error = check(&a, &b, allowed, &mut found)
                .unwrap_or_else(|fault| panic!("{fault}: {a:?}\n{b:?}\n{:?}", a.closest(&b)));
            assert_eq!(a.closest(&b), b.closest(&a).reversed(), "{a:?} {b:?}");
            found.worst = found.worst.max(error);
        }
        println!("{kinds:?}: {found:?}");
        assert!(7 * found.apart > cases(6_000) && 7 * found.together > cases(6_000), "one-sided");
    }
}

/// An infinite floor: the distance is the height of the lowest corner.
#[test]
fn the_distance_from_an_infinite_floor_is_that_of_the_lowest_corner() {
    let (mut random, mut above) = (Random(5), 0);
    for far in [0.0, 1.0, 1e6] {
        for _ in 0..2_000 {
            let top = random.between(-1.0, 1.0);
            let wide = f64::INFINITY;
            let floor = Aabb::new(Point3::new(-wide, -wide, -wide), Point3::new(wide, wide, top));
            let center = Point3::new(far * random.share(), -far, random.between(-1.0, 3.0));
            let axes = random.rotation();
            let axes = Matrix3::from_fn(|i, j| axes[j][i]);
            let half = Vector3::from_fn(|_, _| random.share());
            let solid = Obb::new(center, axes, half).expect("a box");
            let corners = solid.corners();
            let lowest = corners.iter().map(|p| p.z).fold(wide, f64::min);
            let found = solid.closest_points(&floor);
            assert_eq!(found, floor.closest_points(&solid).reversed());
            if lowest < top - 1e-12 {
                assert!(found.distance == 0.0 && floor.intersects(&solid), "{found:?}");
                let inside = minus(found.on_a.into(), center.into());
                let inside: V = std::array::from_fn(|i| axes.column(i).dot(&Vector3::from(inside)));
                assert!((0..3).all(|i| inside[i].abs() < half[i] + 1e-9), "{found:?}");
                assert!(found.on_a == found.on_b && found.on_a.z <= top + 1e-12, "{found:?}");
            } else if lowest > top + 1e-12 {
                above += 1;
                assert!((found.distance - (lowest - top)).abs() < 1e-14 * (4.0 + far), "{found:?}");
                assert!((found.on_b.z - top).abs() < 1e-14, "{found:?}");
            }
        }
    }
    assert!(above > 1_000 && above < 5_000, "{above}");
}

scalars! {
    boxes_of_all_proportions_prove_themselves
        => every(&Allowed { size: 4e-6, reach: 4e-7 }; &Allowed { size: 2e-12, reach: 1e-14 });
}
