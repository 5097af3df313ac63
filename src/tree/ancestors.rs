//! Pairs of ancestors at equal depths. What tells one of them apart tells apart all below, and the
//! least of their slacks holds for all below: so neither more pairs nor a larger slack can come
//! from looking deeper.

use super::seats::Seats;
use super::{Counts, Node, NodeId, ObbTree, TreePair, TreeScratch};
use crate::num::{Scalar, SimdLevel};

/// What is found out about pairs of the first so many nodes of either tree is kept for all of a
/// query: the first four levels, if those are full.
const FIRST: u32 = 16;

/// What was found out about pairs of nodes of two trees.
#[derive(Debug, Clone)]
pub(super) struct KnownPairs {
    /// Of the first nodes of either tree: whether they touch.
    first: [Option<bool>; (FIRST * FIRST) as usize],
    /// The pairs of ancestors of the pair of nodes that was asked about last, by depth.
    ancestors: Vec<AncestorPair>,
}

/// A pair of ancestors, and whether it touches.
#[derive(Debug, Clone, Copy)]
struct AncestorPair {
    nodes: (u32, u32),
    touch: bool,
}

impl Default for KnownPairs {
    fn default() -> Self {
        KnownPairs { first: [None; (FIRST * FIRST) as usize], ancestors: Vec::new() }
    }
}

impl KnownPairs {
    /// Forgets all, before other trees or poses are asked about.
    pub fn clear(&mut self) {
        self.first.fill(None);
        self.ancestors.clear();
    }
}

/// Which tests of a pair of nodes are left; the others would surely not tell it apart.
#[derive(Debug, Clone, Copy)]
pub(super) enum Left {
    All,
    /// The part-aligned boxes overlap by far more than rounding, and so do all that hold them.
    OrientedAndHulls,
    /// Both boxes touch.
    Hulls,
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

    /// Whether the volumes of two nodes touch, whatever those of their ancestors do; counted.
    pub(super) fn nodes_touch(
        &self,
        ((a, b), left): ((u32, u32), Left),
        level: SimdLevel,
        counts: &mut Counts,
    ) -> bool {
        let boxes = match left {
            Left::All => self.boxes_touch(a, b, counts),
            Left::OrientedAndHulls => self.oriented_touch(a, b, counts),
            Left::Hulls => true,
        };
        boxes
            && self.hulls_apart(a, b, level).is_none_or(|apart| {
                counts.hulls += 1;
                !apart
            })
    }

    /// The same, kept for the rest of the query if the nodes are among the first.
    pub(super) fn known_touch(
        &self,
        ((a, b), left): ((u32, u32), Left),
        scratch: &mut TreeScratch,
    ) -> bool {
        let TreeScratch { known, counts, level, .. } = scratch;
        let nodes = ((a, b), left);
        match a < FIRST && b < FIRST {
            true => *known.first[(a * FIRST + b) as usize]
                .get_or_insert_with(|| self.nodes_touch(nodes, *level, counts)),
            false => self.nodes_touch(nodes, *level, counts),
        }
    }

    /// Whether two nodes and all their ancestors at equal depths touch.
    pub(super) fn all_touch(&self, nodes: (u32, u32)) -> bool {
        let (level, mut counts) = (SimdLevel::best(), Counts::default());
        self.down_to(nodes).all(|now| self.nodes_touch((now, Left::All), level, &mut counts))
    }

    /// The same of two nodes whose own boxes touch. What is found out about their ancestors is kept:
    /// most are those of the next two as well.
    pub(super) fn ancestors_touch(
        &self,
        nodes: (u32, u32),
        above: Left,
        scratch: &mut TreeScratch,
    ) -> bool {
        for (depth, now) in self.down_to(nodes).enumerate() {
            let touch = match scratch.known.ancestors.get(depth) {
                Some(pair) if pair.nodes == now => pair.touch,
                _ => {
                    let left = if now == nodes { Left::Hulls } else { above };
                    let touch = self.known_touch((now, left), scratch);
                    scratch.known.ancestors.truncate(depth);
                    scratch.known.ancestors.push(AncestorPair { nodes: now, touch });
                    touch
                }
            };
            if !touch {
                return false;
            }
        }
        true
    }

    /// Whether of two nodes and their ancestors at equal depths no pair that may have hulls and is
    /// among the first is told apart.
    pub(super) fn first_touch(&self, nodes: (u32, u32), scratch: &mut TreeScratch) -> bool {
        let [first, second] = [self.seats().first.tree, self.seats().second.tree];
        let most = self.hulls().map(|hulls| hulls.min(FIRST));
        let mut now = (0, 0);
        while now.0 < most[0] && now.1 < most[1] {
            if !self.known_touch((now, Left::All), scratch) {
                return false;
            }
            let next = (first.towards(now.0, nodes.0), second.towards(now.1, nodes.1));
            // Beside one that would have to be opened the other is not at an equal depth.
            let stays = |tree: &ObbTree<T>, now: u32, next: u32| {
                now == next && tree.nodes[now as usize].child > 0
            };
            if next == now || stays(first, now.0, next.0) || stays(second, now.1, next.1) {
                return true;
            }
            now = next;
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
