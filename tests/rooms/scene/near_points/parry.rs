//! Distances of parts from a point against parry3d.

use boxwood::scene::{Buffers, ClosestParts, QueryFilter};

use super::bodies::{bodies, plain, spot, stage};
use support::parry::Peer;
use support::prelude::*;

#[test]
fn distances_equal_those_of_parry3d() {
    let (mut random, mut closest, mut compared) = (Random(783), ClosestParts::new(), [0; 2]);
    for round in 0..at_least(2_000, 100) {
        let far = [0.0, 30.0][round % 2];
        let (scene, _, off) = stage::<f64>(&mut random, far);
        let bodies = bodies(&scene, &off);
        if bodies.is_empty() {
            continue;
        }
        let (point, mut buffers) = (spot(&mut random, &bodies, far), Buffers::new());
        let now = scene.snapshot(&mut buffers);
        now.closest_parts(point, f64::INFINITY, &QueryFilter::all(), &mut closest).expect("asked");
        assert_eq!(closest.len(), bodies.len());
        for found in closest.iter() {
            let (key, part) = (found.a.character, found.a.part);
            let tree = scene.part(key, part).expect("a part").tree().expect("geometry");
            let pose = scene.pose(key, part).expect("a pose");
            let there = Peer::part(tree.geometry(), pose).distance_to(plain(point));
            let doubt = 1e-11 * (1.0 + plain(point).iter().map(|x| x.abs()).sum::<f64>());
            assert!((found.distance - there).abs() < doubt, "{} is not {there}", found.distance);
            compared[usize::from(there > 0.0)] += 1;
        }
    }
    println!("{compared:?} inside and outside");
    assert!(compared[0] > 20 && compared[1] > 200);
}
