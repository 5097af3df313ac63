//! Construction of the nodes of a tree: nodes get their boxes, many at a time, and are split.

use std::ops::Range;

use super::boxes::Boxes;
use super::primitives::Primitives;
use super::{Fit, Grown};
use crate::error::Error;
use crate::num::Scalar;
use crate::tree::{Geometry, Node, Told};

/// Nodes are fitted together while they have at most this many primitives in all, and their
/// subtrees are finished before other nodes: so these primitives stay in the cache.
const TOGETHER: usize = 1024;

pub(super) struct Growing<'a, T: Scalar, S, const N: usize, C> {
    boxes: Boxes<'a, T, N>,
    /// The nodes of each depth from left to right; children by their index in the next depth,
    /// counted from one.
    levels: Vec<Vec<Node<T>>>,
    pages: Pages<S, N>,
    /// The split: given the node's index within its depth, the depth, and the node, it writes the
    /// node's primitives to the next buffer, those of the first child first, and returns their
    /// number; `None` for a leaf.
    cut: C,
    /// The primitives in the order of the leaves.
    order: Vec<u32>,
}

/// The primitives in the order of the nodes of one depth, and of the next.
pub(super) struct Pages<S, const N: usize> {
    pub now: Primitives<S, N>,
    pub next: Primitives<S, N>,
}

impl<'a, T: Scalar, S: Scalar, const N: usize, C> Growing<'a, T, S, N, C>
where
    C: FnMut((usize, usize), &Node<T>, &mut Pages<S, N>) -> Option<usize>,
{
    /// A root node, and the rule by which nodes are split.
    pub fn new(geometry: &'a Geometry<T>, fit: Fit, primitives: Primitives<S, N>, cut: C) -> Self {
        Growing {
            boxes: Boxes::new(geometry, fit),
            levels: vec![vec![Node::leaf(0..primitives.len())]],
            order: vec![0; primitives.len()],
            pages: Pages { next: primitives.blank(), now: primitives },
            cut,
        }
    }

    /// Builds all nodes.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn grown(mut self, told: &mut Told<'_, '_>) -> Result<Grown<T>, Error> {
        self.below(0, 0..1, told)?;
        let count = self.levels.iter().map(Vec::len).sum();
        let mut grown = Grown {
            nodes: Vec::with_capacity(count),
            depths: Vec::with_capacity(count),
            order: self.order,
        };
        for (depth, level) in self.levels.into_iter().enumerate() {
            let next = (grown.nodes.len() + level.len()) as u32;
            grown.depths.resize(next as usize, depth as u8);
            grown.nodes.extend(level.into_iter().map(|mut node| {
                node.child += if node.child > 0 { next - 1 } else { 0 };
                node
            }));
        }
        Ok(grown)
    }

    /// Builds the subtrees of some nodes of one depth.
    fn below(
        &mut self,
        depth: usize,
        nodes: Range<usize>,
        told: &mut Told<'_, '_>,
    ) -> Result<(), Error> {
        if self.levels.len() == depth + 1 {
            self.levels.push(Vec::new());
        }
        let mut start = nodes.start;
        while start < nodes.end {
            let end = start + self.together(&self.levels[depth][start..nodes.end]);
            self.boxes.fit(&self.pages.now, &mut self.levels[depth][start..end]);
            let first = self.levels[depth + 1].len();
            for index in start..end {
                match (self.cut)((index, depth), &self.levels[depth][index], &mut self.pages) {
                    Some(first) => self.divide(depth, index, first),
                    None => self.settle(depth, index, told)?,
                }
            }
            let children = first..self.levels[depth + 1].len();
            if !children.is_empty() {
                std::mem::swap(&mut self.pages.now, &mut self.pages.next);
                self.below(depth + 1, children, told)?;
                std::mem::swap(&mut self.pages.now, &mut self.pages.next);
            }
            start = end;
        }
        Ok(())
    }

    /// The number of nodes to fit together, from the first on.
    fn together(&self, nodes: &[Node<T>]) -> usize {
        let mut sum = 0;
        let mut more = |node: &Node<T>| {
            sum += node.range().len();
            sum <= TOGETHER
        };
        nodes.iter().take_while(|node| more(node)).count().max(1)
    }

    /// Gives a node two children, the first with `first` of its primitives.
    fn divide(&mut self, depth: usize, index: usize, first: usize) {
        let [level, next] = &mut self.levels[depth..depth + 2] else { return };
        let range = level[index].range();
        let middle = range.start + first;
        level[index].child = next.len() as u32 + 1;
        next.extend([Node::leaf(range.start..middle), Node::leaf(middle..range.end)]);
    }

    /// Makes a node a leaf, with its primitives ascending.
    fn settle(&mut self, depth: usize, index: usize, told: &mut Told<'_, '_>) -> Result<(), Error> {
        let range = self.levels[depth][index].range();
        let leaf = &mut self.order[range.clone()];
        leaf.copy_from_slice(&self.pages.now.index[range]);
        leaf.sort_unstable();
        told.reach(told.done() + leaf.len())
    }
}
