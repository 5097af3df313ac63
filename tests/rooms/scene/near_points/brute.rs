//! Distances, closest points and their order, against every primitive of every part.

use boxwood::scene::{Buffers, ClosestPart, ClosestParts, QueryFilter, Scene};

use super::bodies::{Body, bodies, from_node, plain, spot, stage};

use support::prelude::*;

/// Checks one answer.
pub fn check<T: Scalar>(
    scene: &Scene<T>,
    bodies: &[Body],
    point: Point3<T>,
    found: &ClosestPart<T>,
) -> f64 {
    let p = plain(point);
    let named = |body: &&Body| (body.key, body.part) == (found.a.character, found.a.part);
    let body = bodies.iter().find(named).expect("a part that is there");
    let (truth, doubt) = (body.distance(p), body.doubt::<T>(p));
    let (distance, slack) = (found.distance.wide(), found.slack.wide());
    assert!((distance - truth).abs() <= doubt, "{distance} is not {truth}, up to {doubt}");
    let most = body.most_slack::<T>(p);
    assert!((0.0..=most).contains(&slack), "slack {slack} above {most}");
    assert_eq!(found.on_b, point);
    if distance > 0.0 {
        let on = plain(found.on_a);
        assert!(body.to_primitives(on) <= doubt, "not on the part");
        assert!((norm(minus(on, p)) - distance).abs() <= doubt, "not that far");
        assert!(from_node(scene, found.a, p) <= distance + doubt, "not of that node");
    } else {
        // Inside or on the surface.
        assert!(norm(minus(plain(found.on_a), p)) <= doubt);
    }
    truth
}

/// Queries all parts within a distance, and the nearest one. Returns the numbers of inside, outside
/// and too far parts.
fn ask<T: Scalar>(
    scene: &Scene<T>,
    bodies: &[Body],
    (point, most): (Point3<T>, f64),
    closest: &mut ClosestParts<T>,
) -> [usize; 3] {
    let (mut buffers, filter) = (Buffers::new(), QueryFilter::all());
    let now = scene.snapshot(&mut buffers);
    let report = now.closest_parts(point, most, &filter, closest).expect("a question");
    assert!(report.met && closest.iter().all(|one| one.slack <= report.slack));
    let place = |one: &ClosestPart<T>| {
        (one.distance.wide(), scene.user(one.a.character).expect("a key"), one.a.part)
    };
    assert!(closest.is_sorted_by(|x, y| place(x) < place(y)), "not in order, or one twice");
    let mut counted = [0; 3];
    for found in closest.iter() {
        let truth = check(scene, bodies, point, found);
        counted[usize::from(truth > 0.0)] += 1;
        assert!(found.distance.wide() <= most * (1.0 + 2.0 * T::ROUNDING) + f64::MIN_POSITIVE);
    }
    for body in bodies {
        let there = closest.iter().any(|f| (f.a.character, f.a.part) == (body.key, body.part));
        let (truth, doubt) = (body.distance(plain(point)), body.doubt::<T>(plain(point)));
        assert!(there || truth > most - doubt, "{truth} is missing below {most}");
        counted[2] += usize::from(!there);
    }
    let first = closest.first().map(|one| one.distance);
    let nearest = now.closest_part(point, most, &filter, closest).expect("a question");
    assert_eq!(nearest.map(|one| one.distance), first);
    assert!(nearest.as_ref().is_none_or(|one| check(scene, bodies, point, one) >= 0.0));
    counted
}

fn stages<T: Scalar>(seed: u64) {
    let (mut random, mut counted, mut closest) = (Random(seed), [0; 3], ClosestParts::new());
    // Building a stage takes longer than a query.
    for round in 0..at_least(2_000, 80) {
        let far = [0.0, 0.0, 30.0, 1e4][round % 4];
        let (scene, _, off) = stage::<T>(&mut random, far);
        let bodies = bodies(&scene, &off);
        if bodies.is_empty() {
            continue;
        }
        for _ in 0..8 {
            let point = spot(&mut random, &bodies, far);
            for most in [f64::INFINITY, random.decade(-2.0, 1.0), 0.0] {
                let more = ask(&scene, &bodies, (point, most), &mut closest);
                (0..3).for_each(|k| counted[k] += more[k]);
            }
        }
    }
    println!("{counted:?} inside, outside, too far");
    let all: usize = counted.iter().sum();
    assert!(counted.iter().all(|&count| 50 * count > all), "{counted:?}");
}

scalars! {
    distances_places_and_order_are_those_of_all_primitives => stages(781; 782);
}
