//! The BVH over the parts of a model with many parts, for its broad phase.

use super::PartId;
use crate::num::Scalar;
use crate::shape::Aabb;

/// A binary BVH over the parts with geometry, built top-down in the bind pose across the longest
/// axis.
///
/// Only its boxes change with the poses; the caller stores them, see [`PartBoxes`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UpperTree {
    nodes: Vec<UpperNode>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum UpperNode {
    /// The index of the first of two consecutive children.
    Inner(u32),
    Leaf(PartId),
}

/// The boxes of the BVH in one pose, one per node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartBoxes<'a, T: Scalar> {
    pub tree: &'a UpperTree,
    pub boxes: &'a [Aabb<T, 3>],
}

impl UpperTree {
    pub fn build<T: Scalar>(parts: &[(PartId, Aabb<T, 3>)]) -> Self {
        let mut order = parts.to_vec();
        let mut nodes = Vec::new();
        let mut ranges = Vec::new();
        if !order.is_empty() {
            nodes.push(UpperNode::Leaf(order[0].0));
            ranges.push(0..order.len());
        }
        let mut index = 0;
        while index < nodes.len() {
            let range = ranges[index].clone();
            if range.len() == 1 {
                nodes[index] = UpperNode::Leaf(order[range.start].0);
            } else {
                let middle = range.start + split(&mut order[range.clone()]);
                nodes[index] = UpperNode::Inner(nodes.len() as u32);
                nodes.extend([UpperNode::Leaf(order[0].0); 2]);
                ranges.extend([range.start..middle, middle..range.end]);
            }
            index += 1;
        }
        UpperTree { nodes }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The heap memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
    }

    /// Refits `boxes`, one per node, from the boxes of the parts: children before parents.
    pub fn refit<T: Scalar>(
        &self,
        boxes: &mut [Aabb<T, 3>],
        part_aabb: impl Fn(PartId) -> Aabb<T, 3>,
    ) {
        for index in (0..self.nodes.len()).rev() {
            boxes[index] = match self.nodes[index] {
                UpperNode::Leaf(part) => part_aabb(part),
                UpperNode::Inner(child) => boxes[child as usize].merged(&boxes[child as usize + 1]),
            };
        }
    }
}

/// Sorts across the longest axis of the common box, ties by part; returns the index of the cut.
fn split<T: Scalar>(parts: &mut [(PartId, Aabb<T, 3>)]) -> usize {
    let all = parts.iter().fold(Aabb::empty(), |sum: Aabb<T, 3>, (_, b)| sum.merged(b));
    let axis = all.sizes().imax();
    let middle = |b: &Aabb<T, 3>| b.min[axis].wide() + b.max[axis].wide();
    parts.sort_by(|a, b| middle(&a.1).total_cmp(&middle(&b.1)).then(a.0.cmp(&b.0)));
    parts.len() / 2
}

impl<T: Scalar> PartBoxes<'_, T> {
    /// Calls `each` with every part whose box satisfies `met`, which must be true of every box
    /// around one that satisfies it. Returns the number of boxes tested.
    pub fn each_met(
        &self,
        met: impl Fn(&Aabb<T, 3>) -> bool,
        stack: &mut Vec<u32>,
        mut each: impl FnMut(PartId),
    ) -> u64 {
        let mut looked_at = 0;
        stack.clear();
        stack.extend((!self.boxes.is_empty()).then_some(0));
        while let Some(node) = stack.pop() {
            looked_at += 1;
            if met(&self.boxes[node as usize]) {
                match self.tree.nodes[node as usize] {
                    UpperNode::Leaf(part) => each(part),
                    UpperNode::Inner(child) => stack.extend([child, child + 1]),
                }
            }
        }
        looked_at
    }
}
