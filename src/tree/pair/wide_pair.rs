//! Pairs of wide BVHs, as a search for a least value opens them: the first contact along a
//! direction, the distance.

use crate::num::Scalar;
use crate::num::vectors::FloatRecord;
use crate::sat::eight_boxes::WIDTH;
use crate::tree::store::wide_bvh::{WideChild, WideNode};
use crate::tree::{Counts, LEVELS, TreePair};

/// Returns the indices of the children of two wide nodes that a bit of their pair mask stands for.
#[inline(always)]
pub(in crate::tree) fn child_indices<T: Scalar>(wides: [&WideNode<T>; 2], bit: usize) -> [u32; 2] {
    [wides[0].first_child + (bit / WIDTH) as u32, wides[1].first_child + (bit % WIDTH) as u32]
}

/// Counts a test of all boxes of one wide node against all of another; returns the numbers of
/// boxes.
#[inline(always)]
pub(in crate::tree) fn count_box_tests<T: Scalar>(
    wides: [&WideNode<T>; 2],
    counts: &mut Counts,
) -> [usize; 2] {
    let lens = wides.map(|wide| usize::from(wide.len));
    let depth = usize::from(wides[0].max_depth.max(wides[1].max_depth)).min(LEVELS - 1);
    counts.boxes[depth] += (lens[0] * lens[1]) as u64;
    lens
}

/// Two wide BVHs; a single box is one with only a leaf.
pub(in crate::tree) trait WidePair<T: Scalar> {
    /// Returns the oriented boxes of both, by index.
    fn oriented_records(&self) -> [&[FloatRecord]; 2];
    /// Returns a child of the first and one of the second, by index.
    fn wide_children(&self, numbers: [u32; 2]) -> [WideChild; 2];
    /// Returns the wide node below a child of the first (0) or the second (1) that is no leaf.
    fn child_node(&self, side: usize, child: &WideChild) -> &WideNode<T>;
    /// Returns a wide node with this leaf alone.
    fn single_leaf_node(&self, side: usize, child: &WideChild, number: u32) -> WideNode<T>;

    /// Opens a pair of nodes: calls `at_leaves` with both nodes if both are leaves, otherwise
    /// `at_nodes` with the wide nodes of their children. A leaf stands in for its children.
    #[inline(always)]
    fn open<S>(
        &self,
        search: &mut S,
        numbers: [u32; 2],
        at_leaves: impl FnOnce(&mut S, [u32; 2]),
        at_nodes: impl FnOnce(&mut S, [&WideNode<T>; 2]),
    ) {
        let [x, y] = self.wide_children(numbers);
        match [x.is_leaf(), y.is_leaf()] {
            [true, true] => at_leaves(search, [x.node, y.node]),
            [false, false] => at_nodes(search, [self.child_node(0, &x), self.child_node(1, &y)]),
            [true, false] => {
                let alone = self.single_leaf_node(0, &x, numbers[0]);
                at_nodes(search, [&alone, self.child_node(1, &y)]);
            }
            [false, true] => {
                let alone = self.single_leaf_node(1, &y, numbers[1]);
                at_nodes(search, [self.child_node(0, &x), &alone]);
            }
        }
    }
}

impl<T: Scalar> WidePair<T> for TreePair<'_, T> {
    fn oriented_records(&self) -> [&[FloatRecord]; 2] {
        self.bvhs().map(|bvh| &bvh.oriented_boxes[..])
    }

    fn wide_children(&self, [a, b]: [u32; 2]) -> [WideChild; 2] {
        let [first, second] = self.bvhs();
        [first.children[a as usize], second.children[b as usize]]
    }

    fn child_node(&self, side: usize, child: &WideChild) -> &WideNode<T> {
        self.bvhs()[side].child_wide_node(child)
    }

    fn single_leaf_node(&self, side: usize, child: &WideChild, number: u32) -> WideNode<T> {
        let node = self.node_at(side, child.node);
        self.bvhs()[side].single_child((node, T::zero()), number, child.depth)
    }
}
