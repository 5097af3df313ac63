//! An aligned box against an oriented one: the contact separates them by the least translation,
//! like that of two oriented boxes.

use boxwood::shape::{Aabb, Obb};

use support::pair::any_shape::{Any, Kind, Plan};
use support::pair::random_pairs;
use support::pair_regime::{REGIMES, Regime, Tally};
use support::prelude::*;

/// Computes the translation of the second along a unit direction that puts it behind the first.
fn push(a: &Plan, b: &Plan, way: V) -> f64 {
    let along = |plan: &Plan| plan.hull().into_iter().map(|p| inner(p, way)).collect::<Vec<_>>();
    let most = along(a).into_iter().fold(f64::MIN, f64::max);
    most - along(b).into_iter().fold(f64::MAX, f64::min)
}

fn stored(pair: &[Plan; 2]) -> (Aabb<f64, 3>, Obb<f64>) {
    match pair.map(|plan| plan.build::<f64>()) {
        [Any::Aabb(a), Any::Obb(b)] => (a, b),
        _ => unreachable!("built as asked"),
    }
}

#[test]
fn contacts_of_aligned_and_oriented_boxes_have_the_least_depth() {
    let (mut random, mut tally, mut met) = (Random(61), Tally::default(), 0);
    for k in 0..cases(8_000) {
        let regime = REGIMES[k % 4];
        let of = match regime {
            Regime::Apart => random_pairs::Regime::Apart,
            Regime::Touching => random_pairs::Regime::Touching,
            Regime::Deep => random_pairs::Regime::Deep,
            Regime::Degenerate => {
                [random_pairs::Regime::Degenerate, random_pairs::Regime::Parallel][k / 4 % 2]
            }
        };
        let pair = random_pairs::pair(of, [Kind::Aabb, Kind::Obb], &mut random);
        let (a, b) = stored(&pair);
        let (found, back) = (a.contact(&b), b.contact(&a));
        assert_eq!(found.is_some(), a.intersects(&b), "{a:?} {b:?}");
        assert_eq!(found, back.map(|contact| contact.reversed()));
        tally.add(regime);
        let Some(contact) = found else { continue };
        met += 1;
        let size = pair[0].size() + pair[1].size() + norm(pair[1].points[0]);
        let band = 1e-12 * size;
        let normal: V = contact.normal.into();
        assert!((norm(normal) - 1.0).abs() < 1e-12 && contact.depth >= 0.0 && contact.slack >= 0.0);
        let truth = push(&pair[0], &pair[1], normal);
        assert!(
            (contact.depth - truth.max(0.0)).abs() <= band,
            "{truth:e} {contact:?} {a:?} {b:?}"
        );
        assert!(truth >= -contact.slack - band);
        for _ in 0..40 {
            let way = random.direction();
            assert!(
                contact.depth <= push(&pair[0], &pair[1], way) + contact.slack + band,
                "{way:?} {contact:?}"
            );
        }
        // A little more separates them, and less does not.
        let moved = |by: f64| stored(&[pair[0], pair[1].moved(times(normal, by))]).1;
        assert!(
            !a.intersects(&moved(contact.depth + 1e-9 * size + contact.slack)),
            "{contact:?} {a:?} {b:?}"
        );
        assert!(a.distance(&moved(contact.depth)) <= band + contact.slack);
        assert!(contact.depth < 1e-6 * size || a.intersects(&moved(0.999 * contact.depth)));
        // Equal to the contact of two oriented boxes; of two equally short directions, either.
        let twin = Obb::try_from(a).expect("a box").contact(&b);
        if let Some(twin) = twin {
            assert!(
                (twin.depth - contact.depth).abs() <= band + contact.slack,
                "{twin:?} {contact:?}"
            );
            assert!((twin.point - contact.point).norm() <= 4.0 * band);
            assert!((twin.point_error - contact.point_error).abs() <= 1e-6 * size);
        }
        let middle: V = plus(
            times(a.center().expect("filled").coords.into(), 0.5),
            times(b.center().coords.into(), 0.5),
        );
        assert!((contact.point - Point3::from(middle)).norm() <= size);
    }
    println!("{met} meet");
    assert!(4 * met > cases(8_000), "{met}");
    tally.finish("contact, aabb and obb");
}

#[test]
fn contact_of_a_crate_on_an_infinite_floor() {
    let infinity = f64::INFINITY;
    let floor = Aabb::new(
        Point3::new(-infinity, -infinity, -infinity),
        Point3::new(infinity, infinity, 0.0),
    );
    let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), 0.4);
    let case = |z: f64| {
        Obb::new(Point3::new(3.0, 4.0, z), *turn.matrix(), Vector3::repeat(1.0)).expect("a box")
    };
    let touch = floor.contact(&case(0.75)).expect("in the floor");
    assert_eq!(touch.normal, Vector3::z());
    assert!((touch.depth - 0.25).abs() < 1e-6 && touch.point.coords.norm() < 1e9, "{touch:?}");
    assert!(floor.contact(&case(1.5)).is_none() && Aabb::empty().contact(&case(0.0)).is_none());
    let plate = Aabb::new(Point3::new(-1e6, -1e6, -1.0), Point3::new(1e6, 1e6, 0.0));
    let touch = case(0.75).contact(&plate).expect("in the plate");
    assert!((touch.depth - 0.25).abs() < 1e-9 && (touch.normal + Vector3::z()).norm() < 1e-12);
}
