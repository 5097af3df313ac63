//! Best-first traversal within a budget of tests, spent where the boxes are loosest.

use crate::num::Scalar;
use crate::tree::pair::ancestors::PendingTests;
use crate::tree::pair::inside;
use crate::tree::pair::primitive_test::PrimitiveTest;
use crate::tree::pair::stack_entries::{BudgetHeapEntry, OpenPair};
use crate::tree::{DecidedBy, LEVELS, TreePair, TreeScratch};

/// Budgeted traversal of several pairs of trees together.
pub(crate) struct BudgetTraversal {
    /// Number of pairs of trees.
    pub pairs: u32,
    /// Greatest number of tests below the roots, which are always tested. Leaves whose boxes
    /// overlap are tested once more, by their primitives.
    pub tests: u32,
    /// Stops at the first pair that certainly touches.
    pub first_only: bool,
}

/// End of a budgeted traversal.
pub(crate) struct BudgetEnd {
    /// `true` if no pair of nodes stays undecided.
    pub is_complete: bool,
    /// Number of tests that were not needed; zero unless the traversal is complete.
    pub tests_left: u32,
}

impl BudgetTraversal {
    /// Writes to `scratch.open_pairs` the node pairs that touch or stay undecided, ascending by
    /// pair of trees.
    pub fn run<'a, T: Scalar>(
        mut self,
        pair: impl Fn(u32) -> TreePair<'a, T>,
        scratch: &mut TreeScratch,
    ) -> BudgetEnd {
        scratch.heap.clear();
        scratch.open_pairs.clear();
        for index in 0..self.pairs {
            push_if_overlapping(&pair(index), (index, 0), (0, 0), scratch);
        }
        while let Some(&open) = scratch.heap.peek() {
            let trees = pair(open.pair);
            let children = child_pairs(&trees, open.nodes);
            // A split is begun only if all its tests can be paid for: the slack is known only of
            // boxes that were found to overlap.
            let cost = children.as_ref().map_or(1, |nodes| nodes.pairs().len() as u32);
            if self.tests < cost {
                break;
            }
            self.tests -= cost;
            scratch.heap.pop();
            match children {
                Some(nodes) => nodes.pairs().iter().for_each(|&nodes| {
                    push_if_overlapping(
                        &trees,
                        (open.pair, open.depth.saturating_add(1)),
                        nodes,
                        scratch,
                    );
                }),
                None => test_primitives(&trees, open, scratch),
            }
            if self.first_only && !scratch.open_pairs.is_empty() {
                break;
            }
        }
        let is_complete = scratch.heap.is_empty();
        // Fewer tests than the next split takes are spent on nothing.
        let end = BudgetEnd { is_complete, tests_left: if is_complete { self.tests } else { 0 } };
        while let Some(open) = scratch.heap.pop() {
            report_pair(&pair(open.pair), open, DecidedBy::Boxes, scratch);
        }
        sort_by_pair_and_nodes(&mut scratch.open_pairs);
        self.add_insides(pair, scratch);
        end
    }

    /// Adds inside hits: where the surfaces do not touch, one part may contain the other.
    fn add_insides<'a, T: Scalar>(
        &self,
        pair: impl Fn(u32) -> TreePair<'a, T>,
        scratch: &mut TreeScratch,
    ) {
        let found = scratch.open_pairs.len();
        for index in 0..self.pairs {
            let open =
                |list: &[OpenPair]| list.binary_search_by_key(&index, |open| open.pair).is_ok();
            if self.first_only && !scratch.open_pairs.is_empty() {
                return;
            }
            if !open(&scratch.open_pairs[..found]) {
                let pair = pair(index);
                if pair.has_inside()
                    && pair.chain_overlaps((0, 0), scratch.simd)
                    && inside::either_inside(&pair, scratch)
                {
                    let nodes = pair.node_pair(0, 0, DecidedBy::Inside);
                    scratch.open_pairs.push(OpenPair { pair: index, nodes, depth: 0 });
                }
            }
        }
        sort_by_pair_and_nodes(&mut scratch.open_pairs);
    }
}

/// Tests two nodes and pushes them onto the heap unless they are separated.
fn push_if_overlapping<T: Scalar>(
    pair: &TreePair<'_, T>,
    (index, depth): (u32, u8),
    nodes: (u32, u32),
    scratch: &mut TreeScratch,
) {
    scratch.counts.boxes[usize::from(depth).min(LEVELS - 1)] += 1;
    if pair.max_hull_distance(nodes, PendingTests::All, scratch.simd, &mut scratch.counts).is_some()
    {
        let (a, b) = pair.nodes(nodes.0, nodes.1);
        let bound = a.bound.wide() + b.bound.wide();
        let (a, b) = nodes;
        let nodes = if pair.ordered_pair().tied { (a.min(b), a.max(b)) } else { nodes };
        scratch.heap.push(BudgetHeapEntry { bound, pair: index, nodes, depth });
    }
}

/// The pairs of nodes at equal depths below a pair: up to four.
struct ChildPairs {
    pairs: [(u32, u32); 4],
    len: usize,
}

impl ChildPairs {
    fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs[..self.len]
    }
}

/// Returns the pairs of children of two nodes, or of the one that is no leaf and the other node.
/// `None` for two leaves.
///
/// For two equal trees in one pose, (a, b) and (b, a) are tested once, the lesser index first: the
/// answer is symmetric whatever the budget.
fn child_pairs<T: Scalar>(pair: &TreePair<'_, T>, (a, b): (u32, u32)) -> Option<ChildPairs> {
    let (first, second) = pair.nodes(a, b);
    let (x, y) = (first.first_child, second.first_child);
    let (pairs, len) = match (x > 0, y > 0) {
        (false, false) => return None,
        (true, false) => ([(x, b), (x + 1, b), (0, 0), (0, 0)], 2),
        (false, true) => ([(a, y), (a, y + 1), (0, 0), (0, 0)], 2),
        _ if pair.ordered_pair().tied && a == b => {
            ([(x, x), (x, x + 1), (x + 1, x + 1), (0, 0)], 3)
        }
        _ => ([(x, y), (x, y + 1), (x + 1, y), (x + 1, y + 1)], 4),
    };
    Some(ChildPairs { pairs, len })
}

/// Tests the primitives of two leaves.
fn test_primitives<T: Scalar>(
    pair: &TreePair<'_, T>,
    open: BudgetHeapEntry,
    scratch: &mut TreeScratch,
) {
    let mut exact_relation = None;
    let mut primitive_test = PrimitiveTest::new(pair, &mut exact_relation);
    if pair.leaf_primitives_touch(open.nodes, &mut primitive_test) {
        report_pair(pair, open, DecidedBy::Primitives, scratch);
    }
    primitive_test.count_into(&mut scratch.counts);
}

fn report_pair<T: Scalar>(
    pair: &TreePair<'_, T>,
    BudgetHeapEntry { pair: index, nodes: (a, b), depth, .. }: BudgetHeapEntry,
    by: DecidedBy,
    scratch: &mut TreeScratch,
) {
    let open = |a, b| OpenPair { pair: index, nodes: pair.node_pair(a, b, by), depth };
    scratch.open_pairs.push(open(a, b));
    if pair.ordered_pair().tied && a != b {
        scratch.open_pairs.push(open(b, a));
    }
}

fn sort_by_pair_and_nodes(open: &mut [OpenPair]) {
    open.sort_unstable_by_key(|open| (open.pair, open.nodes.a, open.nodes.b));
}
