//! Stored world boxes contain their parts conservatively, and are tight.

use boxwood::PartId;
use boxwood::scene::Buffers;
use boxwood::tree::{Geometry, NodeId, ObbTree};

use super::brute_force::crowd;
use super::part_aabb_pairs::check as check_parts;
use support::prelude::*;
use support::random_parts::{aligned, place, put};

/// Returns all points of a part, in its frame.
fn points<T: Scalar>(tree: &ObbTree<T>) -> Vec<V> {
    match tree.geometry() {
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            mesh.vertices().iter().map(|p| [p.x.wide(), p.y.wide(), p.z.wide()]).collect()
        }
        Geometry::Boxes(boxes) => {
            boxes.iter().flat_map(|b| PlainBox::of(b).corners([0.0; 3])).collect()
        }
        _ => Vec::new(),
    }
}

fn hold<T: Scalar>() {
    let mut random = Random(101);
    let mut checked = 0;
    for far in [0.0, 1.0, 1e3, 1e6, 1e9] {
        for _ in 0..6 {
            let (scene, roster) = crowd::<T>(&mut random, 5, far);
            let mut buffers = Buffers::new();
            let now = scene.snapshot(&mut buffers);
            for living in &roster {
                let whole = now.character_aabb(living.key).expect("a key");
                let model = scene.model(living.key).expect("a key");
                for part in (0..model.len()).map(PartId::new) {
                    let stored = now.part_aabb(living.key, part).expect("a part");
                    let Some(tree) = model.parts()[part.index()].tree() else {
                        assert!(stored.is_empty());
                        continue;
                    };
                    let pose = scene.pose(living.key, part).expect("a part");
                    for point in points(tree) {
                        let world = put(pose, point);
                        for (i, &at) in world.iter().enumerate() {
                            assert!(stored.min[i].wide() <= at, "{far}");
                            assert!(at <= stored.max[i].wide(), "{far}");
                        }
                        checked += 1;
                    }
                    let root = place(&aligned(tree.node(NodeId::ROOT)), pose);
                    let corners = root.corners([0.0; 3]);
                    for i in 0..3 {
                        let range = corners.iter().map(|c| c[i]);
                        let low = range.clone().fold(f64::MAX, f64::min);
                        let high = range.fold(f64::MIN, f64::max);
                        let ulp = 8.0 * T::ROUNDING * (low.abs() + high.abs() + 1.0)
                            + 1e-13 * (far + 10.0);
                        assert!(stored.min[i].wide() >= low - ulp, "loose at {far}");
                        assert!(stored.max[i].wide() <= high + ulp, "loose at {far}");
                        assert!(whole.min[i] <= stored.min[i] && stored.max[i] <= whole.max[i]);
                    }
                }
            }
        }
    }
    println!("{checked} points");
    assert!(checked > 1_000);
}

fn near<T: Scalar>() {
    let mut random = Random(102);
    let (mut overlapping, mut apart, mut of_parts, mut rested) = (0, 0, 0, 0);
    for round in 0..40 {
        let (scene, roster) = crowd::<T>(&mut random, 6, [0.0, 1e3][round % 2]);
        let resting: Vec<_> = roster.iter().filter(|l| l.at_rest).map(|l| l.key).collect();
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let keys: Vec<_> = now.characters().collect();
        let answer: Vec<_> = now.broad_phase_pairs().collect();
        let mut hits = boxwood::scene::Hits::new();
        now.pairs(&boxwood::PairQuery::all(), &mut hits).expect("a query");
        assert!(hits.pairs().iter().all(|(a, b)| answer.contains(&(a.character, b.character))));
        let mut expected = Vec::new();
        for (i, &a) in keys.iter().enumerate() {
            for &b in &keys[i..] {
                of_parts += check_parts((&scene, now, [a, b]))[0];
                if a == b {
                    continue;
                }
                let [x, y] = [a, b].map(|key| now.character_aabb(key).expect("a key"));
                let share = (0..3).all(|k| x.min[k] <= y.max[k] && y.min[k] <= x.max[k]);
                let both_rest = resting.contains(&a) && resting.contains(&b);
                if share && !both_rest {
                    expected.push((a, b));
                    overlapping += 1;
                } else {
                    apart += 1;
                    rested += usize::from(share);
                }
            }
        }
        assert_eq!(answer, expected);
    }
    println!(
        "{overlapping} overlap, {apart} are apart, {rested} at rest; {of_parts} pairs of parts"
    );
    assert!(overlapping > 60 && apart > 60 && of_parts > 200 && rested > 0);
}

scalars! {
    world_boxes_hold_every_point_of_the_part => hold();
    broad_phase_pairs_are_those_of_the_world_boxes => near();
}
