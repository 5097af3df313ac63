//! Pairs of wide BVHs, as all traversals of two trees open them.

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

/// Next step for one of two nodes.
pub(in crate::tree) enum WideStep<'s, T: Scalar> {
    /// The children in this wide node replace the node.
    Open(&'s WideNode<T>),
    /// The node stays: a leaf, or a node of the cut. A wide node that has it alone, if one is
    /// stored.
    Stay(Option<&'s WideNode<T>>),
    /// The cut runs through levels that the wide node would skip.
    Pairwise,
}

/// Two wide BVHs; a single box is one with only a leaf.
pub(in crate::tree) trait WidePair<T: Scalar> {
    /// Returns the oriented boxes of both, by index.
    fn oriented_records(&self) -> [&[FloatRecord]; 2];
    /// Returns a child of the first and one of the second, by index.
    fn wide_children(&self, numbers: [u32; 2]) -> [&WideChild; 2];
    /// Returns the wide node below a child of the first (0) or the second (1) that is no leaf.
    fn child_node(&self, side: usize, child: &WideChild) -> &WideNode<T>;
    /// Returns the stored wide node that has this child alone: that of the root.
    fn single_child_node(&self, side: usize, number: u32) -> Option<&WideNode<T>>;
    /// Creates a wide node that has this child alone.
    fn new_single_child_node(&self, side: usize, child: &WideChild, number: u32) -> WideNode<T>;

    /// Returns the next step for a child on the way to the leaves.
    #[inline(always)]
    fn step_to_leaves(&self, side: usize, child: &WideChild, number: u32) -> WideStep<'_, T> {
        match child.is_leaf() {
            true => WideStep::Stay(self.single_child_node(side, number)),
            false => WideStep::Open(self.child_node(side, child)),
        }
    }

    /// Opens a pair of nodes: calls `at_nodes` with the wide nodes of their children, where a node
    /// that stays stands in for its children. `None` if both stay, or if they must be opened
    /// pairwise. `step`: the next step for a child of either side, given its index.
    #[inline(always)]
    fn open<'s, R>(
        &'s self,
        numbers: [u32; 2],
        step: impl Fn(usize, &WideChild, u32) -> WideStep<'s, T>,
        at_nodes: impl FnOnce([&WideNode<T>; 2]) -> R,
    ) -> Option<R>
    where
        T: 's,
    {
        let [a, b] = self.wide_children(numbers);
        let alone;
        let nodes = match [step(0, a, numbers[0]), step(1, b, numbers[1])] {
            [WideStep::Open(x), WideStep::Open(y) | WideStep::Stay(Some(y))] => [x, y],
            [WideStep::Stay(Some(x)), WideStep::Open(y)] => [x, y],
            [WideStep::Open(x), WideStep::Stay(None)] => {
                alone = self.new_single_child_node(1, b, numbers[1]);
                [x, &alone]
            }
            [WideStep::Stay(None), WideStep::Open(y)] => {
                alone = self.new_single_child_node(0, a, numbers[0]);
                [&alone, y]
            }
            _ => return None,
        };
        Some(at_nodes(nodes))
    }
}

impl<T: Scalar> WidePair<T> for TreePair<'_, T> {
    fn oriented_records(&self) -> [&[FloatRecord]; 2] {
        self.bvhs().map(|bvh| &bvh.oriented_boxes[..])
    }

    fn wide_children(&self, [a, b]: [u32; 2]) -> [&WideChild; 2] {
        let [first, second] = self.bvhs();
        [first.child(a), second.child(b)]
    }

    fn child_node(&self, side: usize, child: &WideChild) -> &WideNode<T> {
        self.bvhs()[side].child_wide_node(child)
    }

    fn single_child_node(&self, side: usize, number: u32) -> Option<&WideNode<T>> {
        (number == 0).then(|| self.bvhs()[side].wide_node(0))
    }

    fn new_single_child_node(&self, side: usize, child: &WideChild, number: u32) -> WideNode<T> {
        let node = self.node_with_bound(side, child.node);
        self.bvhs()[side].single_child(node, number, child.depth)
    }
}
