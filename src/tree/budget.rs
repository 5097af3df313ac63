//! Best first: a number of tests spent where the boxes are loosest.

use std::cmp::Ordering;

use super::judge::Judge;
use super::{By, LEVELS, Scratch, Touch, TreePair, inside};
use crate::num::Scalar;

/// Two nodes that touch and may be looked into, of one of several pairs of trees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    /// The sum of the nodes' bounds. World units.
    bound: f64,
    pair: u32,
    /// In the order of the arithmetic.
    nodes: (u32, u32),
    level: u8,
}

/// The largest bound is greatest; of equal ones the pair, then the nodes that come first.
impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        let index = |open: &Open| (open.pair, open.nodes);
        self.bound.total_cmp(&other.bound).then_with(|| index(other).cmp(&index(self)))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}

/// A budget for several pairs of trees together.
pub(crate) struct Spending {
    /// How many pairs of trees there are.
    pub pairs: u32,
    /// How many pairs of nodes may be tested below the roots, which are tested in any case. Leaves whose boxes touch are
    /// tested once more, by their primitives.
    pub tests: u32,
    /// Stop where something is certain to touch.
    pub first_only: bool,
}

impl Spending {
    /// Leaves in `scratch.left_open` what touches or was left open, with the pair it belongs to, ascending; says whether
    /// nothing was left open.
    pub fn run<'a, T: Scalar>(
        mut self,
        pair: impl Fn(u32) -> TreePair<'a, T>,
        scratch: &mut Scratch,
    ) -> bool {
        scratch.heap.clear();
        scratch.left_open.clear();
        for index in 0..self.pairs {
            consider(&pair(index), (index, 0), (0, 0), scratch);
        }
        while let Some(&open) = scratch.heap.peek() {
            let trees = pair(open.pair);
            let (a, b) = trees.nodes(open.nodes.0, open.nodes.1);
            // A split that can not be paid for is not begun: only of boxes that were seen to touch is the slack known.
            let cost = if a.child > 0 || b.child > 0 { 2 } else { 1 };
            if self.tests < cost {
                break;
            }
            self.tests -= cost;
            scratch.heap.pop();
            look_into(&trees, open, scratch);
            if self.first_only && !scratch.left_open.is_empty() {
                break;
            }
        }
        let all = scratch.heap.is_empty();
        while let Some(Open { pair: index, nodes: (a, b), .. }) = scratch.heap.pop() {
            scratch.left_open.push((index, pair(index).touch(a, b, By::Boxes)));
        }
        sort(&mut scratch.left_open);
        self.add_insides(pair, scratch);
        all
    }

    /// Where nothing of two surfaces touches, one part may be inside the other.
    fn add_insides<'a, T: Scalar>(
        &self,
        pair: impl Fn(u32) -> TreePair<'a, T>,
        scratch: &mut Scratch,
    ) {
        let found = scratch.left_open.len();
        for index in 0..self.pairs {
            let open = |list: &[(u32, Touch)]| list.binary_search_by_key(&index, |o| o.0).is_ok();
            if self.first_only && !scratch.left_open.is_empty() {
                return;
            }
            if !open(&scratch.left_open[..found]) {
                let pair = pair(index);
                if inside::either(&pair, scratch) {
                    scratch.left_open.push((index, pair.touch(0, 0, By::Inside)));
                }
            }
        }
        sort(&mut scratch.left_open);
    }
}

/// Tests two nodes and keeps them unless they are apart.
fn consider<T: Scalar>(
    pair: &TreePair<'_, T>,
    (index, level): (u32, u8),
    nodes: (u32, u32),
    scratch: &mut Scratch,
) {
    scratch.counts.boxes[usize::from(level).min(LEVELS - 1)] += 1;
    if pair.boxes_touch(nodes.0, nodes.1, &mut scratch.counts) {
        let (a, b) = pair.nodes(nodes.0, nodes.1);
        let bound = a.bound.wide() + b.bound.wide();
        scratch.heap.push(Open { bound, pair: index, nodes, level });
    }
}

/// Replaces two nodes by finer ones: the children of that with the larger bound, or the verdict on primitives.
fn look_into<T: Scalar>(pair: &TreePair<'_, T>, open: Open, scratch: &mut Scratch) {
    let Open { pair: index, nodes: (a, b), level, .. } = open;
    let (first, second) = pair.nodes(a, b);
    // The level counts splits of either tree: half of it is how deep the two are on average.
    let finer = (index, level.saturating_add(1));
    if first.child > 0 && (first.bound >= second.bound || second.child == 0) {
        let children = first.child..first.child + 2;
        children.for_each(|child| consider(pair, finer, (child, b), scratch));
    } else if second.child > 0 {
        let children = second.child..second.child + 2;
        children.for_each(|child| consider(pair, finer, (a, child), scratch));
    } else {
        let mut exactly = None;
        let mut judge = Judge::new(pair, &mut exactly);
        if pair.leaves_meet((a, b), &mut judge) {
            scratch.left_open.push((index, pair.touch(a, b, By::Primitives)));
        }
        judge.count_into(&mut scratch.counts);
    }
}

fn sort(open: &mut [(u32, Touch)]) {
    open.sort_unstable_by_key(|&(pair, touch)| (pair, touch.a, touch.b));
}
