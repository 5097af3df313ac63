//! Trees of the parts of the fighter and of real characters.

use boxwood::shape::Pose;
use boxwood::tree::{Geometry, ObbTree};

use support::node_pairs::{Census, same_by_projection, same_without_a_tree, touching_distance};
use support::prelude::*;

fn against_each_other(trees: &[&ObbTree<f32>], count: usize, seed: u64) {
    let (mut random, mut census, mut touching) = (Random(seed), Census::default(), 0);
    for _ in 0..count {
        let (a, b) = (trees[random.below(trees.len())], trees[random.below(trees.len())]);
        let pose_a = turned::<f32>(&mut random, [0.2, 1.0, -0.3]);
        let (turn, direction) = (turned::<f32>(&mut random, [0.0; 3]), random.direction());
        let at = |distance: f64| -> Pose<f32> {
            let mut pose = turn;
            pose.translation.vector = vector(plus([0.2, 1.0, -0.3], times(direction, distance)));
            pose
        };
        let meeting = touching_distance((a, &pose_a), (b, at));
        for share in [0.9, 0.999, 1.001, 1.1] {
            let pose_b = at(meeting * share);
            touching += same_without_a_tree((a, &pose_a), (b, &pose_b));
            for depth in [0, 2, 4] {
                same_by_projection((a, &pose_a), (b, &pose_b), depth, &mut census);
            }
        }
    }
    println!("{touching} leaf pairs touching; {census:?}");
    assert!(touching > count && census.touching > count && census.apart > count);
}

#[test]
fn traversal_of_the_fighter_agrees_with_brute_force() {
    let trees: Vec<_> = support::fighter::meshes()
        .into_iter()
        .map(|mesh| default_tree(Geometry::Surface(mesh)))
        .collect();
    trees.iter().for_each(|tree| assert_eq!(tree.validate(), Ok(())));
    against_each_other(&trees.iter().collect::<Vec<_>>(), at_least(40, 3), 61);
}

#[test]
fn traversal_of_real_characters_agrees_with_brute_force() {
    let Some(data) = support::data::data() else { return };
    let files =
        ["fox/Fox", "cesium-man/CesiumMan", "kaykit-knight/Knight", "robot-expressive/robot"];
    for (name, seed) in files.into_iter().zip(1..).take(at_least(4, 2)) {
        let path = data.join(format!("characters/{name}.glb"));
        let loaded = boxwood::load::gltf(&path).expect("a character");
        let trees: Vec<_> = loaded.model.parts().iter().filter_map(|part| part.tree()).collect();
        for tree in &trees {
            assert_eq!(tree.validate(), Ok(()), "{name}");
        }
        println!(
            "{name}: {} parts, {} nodes",
            trees.len(),
            trees.iter().map(|t| t.len()).sum::<usize>()
        );
        against_each_other(&trees, at_least(12, 1), seed);
    }
}
