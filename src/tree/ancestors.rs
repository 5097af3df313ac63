//! Pairs of ancestors at equal depths. What tells one of them apart tells apart all below, and the
//! least of their slacks holds for all below: so neither more pairs nor a larger slack can come
//! from looking deeper.

use super::seats::Seats;
use super::{Counts, Node, NodeId, ObbTree, TreePair};
use crate::num::Scalar;

/// A pair of ancestors of the pair of nodes that was asked about last, and whether their boxes
/// touch.
#[derive(Debug, Clone, Copy)]
pub(super) struct AncestorPair {
    nodes: (u32, u32),
    touch: bool,
}

impl<T: Scalar> ObbTree<T> {
    /// The next node on the way from a node down to one below it, or that node if it is reached.
    fn towards(&self, from: u32, to: u32) -> u32 {
        let child = self.nodes[from as usize].child;
        if from == to {
            return from;
        }
        // The second child's primitives follow those of the first.
        let second = self.nodes[child as usize + 1].first;
        child + u32::from(self.nodes[to as usize].first >= second)
    }
}

impl<T: Scalar> TreePair<'_, T> {
    /// The pairs of ancestors of two nodes at equal depths, from the roots down; the two themselves
    /// come last. Above the deeper of the two, the shallower stands for its missing descendants.
    fn down_to(&self, (a, b): (u32, u32)) -> impl Iterator<Item = (u32, u32)> + '_ {
        let [first, second] = [self.seats().first.tree, self.seats().second.tree];
        let mut next = Some((0, 0));
        std::iter::from_fn(move || {
            let now = next?;
            let below = || (first.towards(now.0, a), second.towards(now.1, b));
            next = (now != (a, b)).then(below);
            Some(now)
        })
    }

    /// Whether two nodes and all their ancestors at equal depths touch.
    pub(super) fn all_touch(&self, nodes: (u32, u32)) -> bool {
        let mut counts = Counts::default();
        self.down_to(nodes).all(|(a, b)| self.boxes_touch(a, b, &mut counts))
    }

    /// The same of two nodes whose own boxes touch; `surely`: the part-aligned ones overlap by far
    /// more than rounding, so those that hold them do, too. `known` keeps what is found out about
    /// their ancestors, most of which are those of the next two as well; it starts empty.
    pub(super) fn ancestors_touch(
        &self,
        (nodes, surely): ((u32, u32), bool),
        known: &mut Vec<AncestorPair>,
        counts: &mut Counts,
    ) -> bool {
        for (depth, now) in self.down_to(nodes).enumerate() {
            let pair = match known.get(depth) {
                Some(pair) if pair.nodes == now => *pair,
                _ => {
                    let touch = now == nodes
                        || match surely {
                            true => self.oriented_touch(now.0, now.1, counts),
                            false => self.boxes_touch(now.0, now.1, counts),
                        };
                    known.truncate(depth);
                    known.push(AncestorPair { nodes: now, touch });
                    known[depth]
                }
            };
            if !pair.touch {
                return false;
            }
        }
        true
    }

    /// The least slack of two nodes that touch and of their ancestors at equal depths. World units.
    pub(super) fn least_slack(&self, nodes: (u32, u32)) -> f64 {
        let (first, second) = self.ordered(nodes.0, nodes.1);
        self.least_above(nodes, self.slack_of(first, second))
    }

    /// The same given a bound on it.
    fn least_above(&self, nodes: (u32, u32), mut least: f64) -> f64 {
        let (first, second) = self.ordered(nodes.0, nodes.1);
        if least_bounds_above(first, second) >= least {
            return least;
        }
        for (a, b) in self.down_to(nodes) {
            let (first, second) = self.ordered(a, b);
            if first.bound.wide() + second.bound.wide() < least {
                least = least.min(self.slack_of(first, second));
            }
        }
        least
    }
}

impl<T: Scalar> Seats<'_, T> {
    /// What the slacks of the ancestors of two nodes allow, if that may be less than the nodes' own
    /// slack; else no less than that. World units.
    #[inline]
    pub(super) fn slack_above(&self, a: NodeId, b: NodeId) -> f64 {
        let (a, b) = self.in_order(a, b);
        let (first, second) = (self.first.tree.node(a), self.second.tree.node(b));
        let own = first.bound.wide() + second.bound.wide() + self.most_gap(first, second);
        match own <= least_bounds_above(first, second) {
            true => f64::INFINITY,
            false => TreePair::between(*self).least_above((a.0, b.0), own),
        }
    }

    /// More than [`gap`](crate::num::tolerance::gap) can be, without a root or a quotient: the mean
    /// of two numbers is no less than the root of their product.
    fn most_gap(&self, first: &Node<T>, second: &Node<T>) -> f64 {
        let half = |node: &Node<T>| node.oriented.half_extents().sum().wide();
        let size = (1.0 + 4.0 * T::ROUNDING) * (half(first) + half(second));
        size / 128.0 + 1024.0 * T::LEAF_SLACK * (size + self.reach())
    }
}

/// No two ancestors of two nodes at equal depths have bounds of a lesser sum, of which one may be
/// the node itself. Units.
fn least_bounds_above<T: Scalar>(first: &Node<T>, second: &Node<T>) -> f64 {
    let [a, b] = [first, second].map(|node| node.bound.wide().min(node.above.wide()));
    (a + second.above.wide()).min(first.above.wide() + b)
}
