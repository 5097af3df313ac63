//! Nodes of a tree, and their geometry.

use boxwood::num::Scalar;
use boxwood::shape::Pose;
use boxwood::tree::{NodeId, ObbTree};

use crate::plain_box::V;
use crate::random_parts::{put, solids, triangles};

/// Returns the ancestors of each node, from the root down, and the node itself.
pub fn ancestors<T: Scalar>(tree: &ObbTree<T>) -> Vec<Vec<NodeId>> {
    let mut above = vec![vec![NodeId::ROOT]; tree.len()];
    for index in 0..tree.len() {
        for child in tree.node(NodeId::new(index)).children().into_iter().flatten() {
            above[child.index()] = [&above[index][..], &[child]].concat();
        }
    }
    above
}

/// Returns the corners of the primitives of a node [world].
pub fn corners<T: Scalar>(tree: &ObbTree<T>, node: NodeId, pose: &Pose<T>) -> Vec<V> {
    let boxes = solids(tree, node).into_iter().flat_map(|solid| solid.corners([0.0; 3]));
    let all = triangles(tree, node).into_iter().flatten().chain(boxes);
    all.map(|corner| put(pose, corner)).collect()
}

compiled_here! { ancestors, corners }
