//! Coarser accuracies: distances never above the true one, and never below it by more than the
//! slack.

use boxwood::Accuracy;
use boxwood::scene::{Buffers, ClosestParts, QueryFilter};
use boxwood::tree::NodeId;

use super::bodies::{Body, bodies, plain, spot, stage};

use support::prelude::*;

const DIAL: [Accuracy; 6] = [
    Accuracy::Depth(0),
    Accuracy::Depth(2),
    Accuracy::Depth(u8::MAX),
    Accuracy::Within(0.5),
    Accuracy::Within(0.01),
    Accuracy::Within(0.0),
];

/// Checks that every part is reported, and that its distance is between the true one less the slack
/// and the true one.
fn dial<T: Scalar>(seed: u64) {
    let (mut random, mut closest, mut nearer) = (Random(seed), ClosestParts::new(), [0; 6]);
    for round in 0..at_least(2_000, 120) {
        let far = [0.0, 30.0, 1e3][round % 3];
        let (scene, _, off) = stage::<T>(&mut random, far);
        let bodies = bodies(&scene, &off);
        if bodies.is_empty() {
            continue;
        }
        let (point, mut buffers) = (spot::<T>(&mut random, &bodies, far), Buffers::new());
        let (now, p) = (scene.snapshot(&mut buffers), plain(point));
        let truths: Vec<f64> = bodies.iter().map(|body| body.distance(p)).collect();
        for (k, accuracy) in DIAL.into_iter().enumerate() {
            let filter = QueryFilter::all().accuracy(accuracy);
            let report = now.closest_parts(point, f64::INFINITY, &filter, &mut closest);
            let report = report.expect("a question");
            assert_eq!(closest.len(), bodies.len());
            assert!(closest.is_sorted_by_key(|one| one.distance.wide()));
            for one in closest.iter() {
                let named = |body: &Body| (body.key, body.part) == (one.a.character, one.a.part);
                let at = bodies.iter().position(named).expect("a part");
                let (truth, doubt) = (truths[at], bodies[at].doubt::<T>(p));
                let (distance, slack) = (one.distance.wide(), one.slack.wide());
                assert!(distance <= truth + doubt, "{accuracy:?}: {distance} above {truth}");
                let most = distance + slack + doubt;
                assert!(truth <= most, "{accuracy:?}: {truth} above {distance} + {slack}");
                assert!(one.slack <= report.slack && one.on_b == point);
                if let Accuracy::Within(t) = accuracy {
                    let rounding = bodies[at].most_slack::<T>(p);
                    assert!(slack <= t + rounding, "{slack} for {t}");
                }
                nearer[k] += usize::from(distance < truth - doubt);
            }
            let least = truths.iter().copied().fold(f64::MAX, f64::min);
            nearest_alone(&now, (point, least), &filter, &bodies, &mut closest);
        }
    }
    println!("{nearer:?} nearer than they are");
    assert!(nearer[0] > 20 && nearer[3] > 20);
}

/// Checks that the one nearest part is no further than the true distance of the nearest of all.
fn nearest_alone<T: Scalar>(
    now: &boxwood::scene::Snapshot<'_, T>,
    (point, least): (nalgebra::Point3<T>, f64),
    filter: &QueryFilter<'_>,
    bodies: &[Body],
    closest: &mut ClosestParts<T>,
) {
    let p = plain(point);
    let doubt = bodies.iter().map(|body| body.doubt::<T>(p)).fold(0.0, f64::max);
    let one = now.closest_part(point, f64::INFINITY, filter, closest).expect("a question");
    let one = one.expect("parts");
    assert!(one.distance.wide() <= least + doubt);
    assert_eq!(closest.len(), 1);
    // Parts within the largest distance are not lost.
    let again = now.closest_part(point, least + doubt, filter, closest).expect("a question");
    assert!(again.is_some_and(|again| again.distance.wide() <= least + doubt));
    let report = now.closest_parts(point, least + doubt, filter, closest);
    report.expect("a question");
    assert!(!closest.is_empty());
}

#[test]
fn at_the_root_it_is_the_box_of_the_part() {
    let (mut random, mut closest) = (Random(786), ClosestParts::new());
    for _ in 0..100 {
        let (scene, _, off) = stage::<f64>(&mut random, 0.0);
        let bodies = bodies(&scene, &off);
        if bodies.is_empty() {
            continue;
        }
        let (point, mut buffers) = (spot(&mut random, &bodies, 0.0), Buffers::new());
        let now = scene.snapshot(&mut buffers);
        let filter = QueryFilter::all().accuracy(Accuracy::Depth(0));
        now.closest_parts(point, f64::INFINITY, &filter, &mut closest).expect("a question");
        for one in closest.iter().filter(|one| one.distance > 0.0) {
            let whole = now.node_obb(boxwood::NodeRef { node: NodeId::ROOT, ..one.a });
            let near = whole.expect("a box").closest_point(point);
            assert!(((near - point).norm() - one.distance).abs() < 1e-9);
            assert_eq!(one.a.node, NodeId::ROOT);
        }
    }
}

scalars! {
    coarser_distances_are_within_their_slack => dial(784; 785);
}
