//! Contacts: depth along the normal separates the shapes, and hardly less would.

use boxwood::pair::Contact;
use boxwood::shape::Plane;

use support::pair::any_shape::{Any, Kind, Plan, outside};
use support::pair::random_pairs::{self, Regime};
use support::prelude::*;

const PAIRS: usize = 400;

const KINDS: [[Kind; 2]; 9] = [
    [Kind::Sphere, Kind::Sphere],
    [Kind::Sphere, Kind::Capsule],
    [Kind::Capsule, Kind::Capsule],
    [Kind::Sphere, Kind::Triangle],
    [Kind::Capsule, Kind::Triangle],
    [Kind::Sphere, Kind::Aabb],
    [Kind::Sphere, Kind::Obb],
    [Kind::Capsule, Kind::Aabb],
    [Kind::Capsule, Kind::Obb],
];

/// Returns the contacts of both orders, for the pairs that have one.
fn touch(a: &Any<f64>, b: &Any<f64>) -> [Option<Contact<f64>>; 2] {
    macro_rules! ask {
        ($(($x:ident, $y:ident)),*) => {
            match (a, b) {
                $((Any::$x(a), Any::$y(b)) => [a.contact(b), b.contact(a)],)*
                _ => panic!("no contact of {a:?} and {b:?}"),
            }
        };
    }
    ask!(
        (Sphere, Sphere),
        (Sphere, Capsule),
        (Capsule, Capsule),
        (Sphere, Triangle),
        (Capsule, Triangle),
        (Sphere, Aabb),
        (Sphere, Obb),
        (Capsule, Aabb),
        (Capsule, Obb)
    )
}

fn moved(plan: &Plan, by: V) -> Any<f64> {
    plan.moved(by).build()
}

#[test]
fn contacts_separate_by_the_least_translation() {
    let (mut shallow, mut deep, mut none) = (0, 0, 0);
    for regime in Regime::ALL {
        for (index, kinds) in KINDS.into_iter().enumerate() {
            let mut random = Random(regime as u64 * 16 + index as u64);
            for _ in 0..PAIRS {
                let plans = random_pairs::pair(regime, kinds, &mut random);
                let [a, b] = plans.map(|plan| plan.build::<f64>());
                let [touch, back] = touch(&a, &b);
                if !a.intersects(&b) {
                    assert!(touch.is_none() && back.is_none());
                    none += 1;
                    continue;
                }
                let touch = touch.expect("they intersect");
                let back = back.expect("they intersect").reversed();
                assert!(touch == back || plans[0].hull() == plans[1].hull(), "{touch:?} {back:?}");
                let size = plans[0].size() + plans[1].size();
                let band = 1e-9 * size + 1e-13 * random_pairs::reach(&plans);
                assert!((touch.normal.norm() - 1.0).abs() < 1e-12 && touch.depth >= 0.0);
                let normal: V = touch.normal.into();
                let beyond = moved(&plans[1], times(normal, touch.depth + band));
                let apart = a.distance(&beyond);
                assert!(apart > 0.0 && apart < 3.0 * band, "{apart:e} {touch:?} {a:?} {b:?}");
                // No other direction separates them earlier.
                for _ in 0..12 {
                    let way = times(random.direction(), touch.depth - band);
                    assert!(
                        touch.depth <= band || a.intersects(&moved(&plans[1], way)),
                        "{touch:?} {a:?} {b:?}"
                    );
                }
                let on_a: V = touch.on_a().into();
                assert!(outside(&plans[0], on_a) < band, "{touch:?} {a:?} {b:?}");
                if touch.depth < 0.05 * size { shallow += 1 } else { deep += 1 }
            }
        }
    }
    println!("{shallow} shallow, {deep} deep, {none} apart");
    let tenth = (shallow + deep + none) / 10;
    assert!(shallow > tenth && deep > tenth && none > tenth);
}

/// Checks cases with known depth, normal and point.
#[test]
fn known_contacts() {
    let sphere = |x: f64, r| Plan { radius: r, ..regimes_plan(Kind::Sphere, [[x, 0.0, 0.0]; 3]) };
    let [a, b] = [sphere(0.0, 1.0).build(), sphere(1.5, 1.0).build()];
    let found = touch(&a, &b)[0].expect("they overlap");
    assert_eq!((found.depth, found.normal), (0.5, Vector3::x()));
    assert_eq!(found.point, [0.75, 0.0, 0.0].into());
    let inside = touch(&sphere(0.5, 0.25).build(), &block([1.0, 2.0, 3.0]))[0].expect("inside");
    assert_eq!((inside.depth, inside.normal), (0.75, -Vector3::x()));
    // A triangle pierced by a capsule, a box pierced by a capsule: out along the normal of the thin
    // side.
    let pole = Plan {
        radius: 0.5,
        ..regimes_plan(Kind::Capsule, [[0.0, 0.0, -1.0], [0.0, 0.0, 4.0], [0.0; 3]])
    };
    let sheet =
        regimes_plan(Kind::Triangle, [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]]);
    let pierced = touch(&pole.build(), &sheet.build())[0].expect("pierced");
    assert!((pierced.depth - 1.5).abs() < 1e-12 && (pierced.normal + Vector3::z()).norm() < 1e-12);
    let pierced = touch(&pole.build(), &block([8.0, 8.0, 0.25]))[0].expect("pierced");
    assert!((pierced.depth - 1.75).abs() < 1e-12 && (pierced.normal + Vector3::z()).norm() < 1e-12);
}

fn regimes_plan(kind: Kind, points: [V; 3]) -> Plan {
    Plan { kind, points, axes: support::pair::any_shape::UPRIGHT, half: [0.0; 3], radius: 0.0 }
}

fn block(half: V) -> Any<f64> {
    Plan { half, ..regimes_plan(Kind::Aabb, [[0.0; 3]; 3]) }.build()
}

/// Checks that concentric shapes have a normal, and a depth that separates.
#[test]
fn concentric_shapes_have_a_normal() {
    for kinds in KINDS {
        let [a, b] = kinds.map(|kind| {
            let points = [[1.0, 2.0, 3.0]; 3];
            Plan { radius: 0.5, half: [0.5; 3], ..regimes_plan(kind, points) }
        });
        let found = touch(&a.build(), &b.build())[0].expect("they overlap");
        assert!((found.normal.norm() - 1.0).abs() < 1e-15 && found.depth >= 0.5, "{found:?}");
        let out: V = (found.normal * (found.depth * (1.0 + 1e-9))).into();
        assert!(!a.build::<f64>().intersects(&moved(&b, out)), "{found:?}");
        assert!(norm(out) < 1.01);
    }
    let floor = Plane::new(Vector3::z_axis(), 0.0).expect("a plane");
    let Any::Capsule(lying) = (Plan {
        radius: 0.5,
        ..regimes_plan(Kind::Capsule, [[-1.0, 0.0, 0.25], [1.0, 0.0, 0.25], [0.0; 3]])
    })
    .build::<f64>() else {
        unreachable!()
    };
    let rest = lying.contact(&floor).expect("it lies on it");
    assert_eq!(
        (rest.depth, rest.normal, rest.point),
        (0.25, -Vector3::z(), [0.0, 0.0, -0.125].into())
    );
}
