//! Contacts of cylinders, ellipsoids and convex hulls with each other and other shapes: depths
//! against a dense set of directions, the second moved out, and closed forms.

use boxwood::pair::{Contact, ConvexShape};
use boxwood::shape::{Capsule, Cylinder, Ellipsoid, Segment, Sphere};

use support::convex_bodies::{Body, BodyKind};
use support::prelude::*;

/// Computes the translation of the second along a unit direction until the two only touch.
fn overlap([a, b]: [&Body; 2], n: V) -> f64 {
    a.reach(n) + b.reach(times(n, -1.0))
}

/// Computes the least overlap of some directions, each refined in decreasing steps.
fn least_overlap(bodies: [&Body; 2], random: &mut Random) -> f64 {
    let mut best: Vec<(f64, V)> =
        (0..400).map(|_| random.direction()).map(|n| (overlap(bodies, n), n)).collect();
    best.sort_by(|x, y| x.0.total_cmp(&y.0));
    best.truncate(6);
    for (least, n) in &mut best {
        let mut step = 0.2;
        while step > 1e-6 {
            let aside = plus(*n, times(random.direction(), step));
            let aside = times(aside, 1.0 / norm(aside));
            let next = overlap(bodies, aside);
            if next < *least {
                (*least, *n, step) = (next, aside, step * 1.5);
            } else {
                step *= 0.93;
            }
        }
    }
    best.iter().fold(f64::INFINITY, |least, (depth, _)| least.min(*depth))
}

fn moved(shape: &ConvexShape<f64>, by: V) -> ConvexShape<f64> {
    shape.transformed(&Isometry3::translation(by[0], by[1], by[2])).expect("a sound pose")
}

#[test]
fn depths_separate_and_are_least_of_all_directions() {
    let mut deeper = 0;
    let (mut touching, mut apart, mut worst, mut astray) = (0, 0, 0.0f64, 0.0f64);
    for first in BodyKind::ALL {
        for second in BodyKind::ALL {
            let mut random = Random(41 + first as u64 * 8 + second as u64);
            for round in 0..at_least(400, 200) {
                let thin = [0.3, 1.0, 3.0][round % 3];
                let a = Body::random(&mut random, first, (1.0, thin));
                let size = [1.0, 1e-3, 3.0][round / 3 % 3];
                let b = Body::random(&mut random, second, (size, thin));
                // From deep inside to well separate.
                let n = random.direction();
                let by = overlap([&a, &b], n) * random.between(0.0, 0.7);
                let b = b.moved(times(n, by));
                let [x, y] = [&a, &b].map(|body| body.shape::<f64>());
                let sizes = a.size() + b.size();
                let contact = x.contact(&y);
                assert_eq!(contact.is_some(), x.intersects(&y));
                assert_eq!(y.contact(&x), contact.map(|contact| contact.reversed()));
                let Some(Contact { point, normal, depth, .. }) = contact else {
                    apart += 1;
                    continue;
                };
                touching += 1;
                let normal: V = normal.into();
                assert!((norm(normal) - 1.0).abs() < 1e-14 && depth >= 0.0);
                // The depth along the normal suffices, and is not too large.
                let along = overlap([&a, &b], normal);
                assert!((depth - along.max(0.0)).abs() <= 1e-11 * sizes, "{depth:e} {along:e}");
                let out = moved(&y, times(normal, depth * (1.0 + 1e-12) + 1e-11 * sizes));
                assert!(!x.intersects(&out), "{a:?} {b:?}");
                // Deepest points, each in its body.
                let half = times(normal, 0.5 * depth);
                let point: V = point.coords.into();
                let ends = [plus(point, half), minus(point, half)];
                for (body, end) in [&a, &b].into_iter().zip(ends) {
                    let outside = body.excess(end) / sizes;
                    astray = astray.max(outside);
                }
                let least = least_overlap([&a, &b], &mut random);
                let over = (depth - least) / sizes;
                worst = worst.max(over);
                deeper += usize::from(over > 1e-9);
            }
        }
    }
    println!(
        "{touching} touching, {apart} apart, deeper by {worst:e}, astray by {astray:e} at most"
    );
    assert!(deeper * 2_000 <= touching, "{deeper} deeper than the least");
    assert!(worst < 1e-8, "deeper than the least by {worst:e}");
    assert!(astray < 1e-6, "{astray:e}");
    assert!(touching > 3_000 && apart > 3_000, "{touching} {apart}");
}

#[test]
fn contacts_equal_closed_forms() {
    let up = Vector3::<f64>::z_axis();
    let drum = Cylinder::new(Point3::origin(), up, 1.0, 0.5).expect("a cylinder");
    // A ball above the lid, one beside the wall, one with its centre inside, nearer to the wall.
    for (center, normal, depth) in [
        ([0.1, 0.2, 1.2], [0.0, 0.0, 1.0], 0.05),
        ([0.6, 0.0, 0.3], [1.0, 0.0, 0.0], 0.15),
        ([0.3, 0.0, 0.3], [1.0, 0.0, 0.0], 0.45),
    ] {
        let ball = Sphere::new(Point3::from(center), 0.25).expect("a ball");
        let contact = drum.contact(&ball).expect("they touch");
        assert!((contact.depth - depth).abs() < 1e-9, "{contact:?}");
        assert!((contact.normal - Vector3::from(normal)).norm() < 1e-4, "{contact:?}");
        assert_eq!(ball.contact(&drum), Some(contact.reversed()));
    }
    let lying = Segment::new(Point3::new(0.6, -3.0, 0.0), Point3::new(0.6, 3.0, 0.0));
    let pole = Capsule::new(lying.expect("a segment"), 0.2).expect("a capsule");
    let contact = drum.contact(&pole).expect("they touch");
    assert!((contact.depth - 0.1).abs() < 1e-12 && (contact.normal.x - 1.0).abs() < 1e-9);
    let egg = |x: f64| {
        let axes = boxwood::nalgebra::Matrix3::identity();
        Ellipsoid::new(Point3::new(x, 0.0, 0.0), axes, Vector3::new(1.0, 2.0, 3.0)).expect("one")
    };
    let contact = egg(0.0).contact(&egg(1.5)).expect("they touch");
    assert!((contact.depth - 0.5).abs() < 1e-9, "{contact:?}");
    let ends: [Point3<f64>; 2] = [contact.on_a(), contact.on_b()];
    assert!((ends[0].x - 1.0).abs() < 1e-6 && (ends[1].x - 0.5).abs() < 1e-6, "{ends:?}");
    assert!(egg(0.0).contact(&egg(2.001)).is_none());
    // One disc flat on another: depth zero.
    let disc = |z: f64| Cylinder::new(Point3::new(0.3, 0.0, z), up, 0.0, 1.0).expect("a disc");
    let contact = disc(0.0).contact(&disc(0.0)).expect("they touch");
    assert!(contact.depth < 1e-12 && contact.normal.z.abs() > 1.0 - 1e-9, "{contact:?}");
    let normal = Unit::new_normalize(contact.normal);
    assert!(normal.into_inner().norm() > 0.5);
}
