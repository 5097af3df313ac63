//! A tree on its way: nodes are cut breadth-first, and given their boxes before that, many at a time.

use super::boxes::Boxes;
use super::primitives::Primitives;
use super::{Fit, Grown};
use crate::error::Error;
use crate::num::Scalar;
use crate::tree::{Geometry, Node, Told};

/// Nodes get their boxes together as long as they have no more primitives than this in all: these stay where they are at hand
/// until the nodes are cut.
const TOGETHER: usize = 4096;

pub(super) struct Growing<'a, T: Scalar, S, const N: usize> {
    boxes: Boxes<'a, T, N>,
    nodes: Vec<Node<T>>,
    depths: Vec<u8>,
    pages: Pages<S, N>,
    /// Those of leaves.
    order: Vec<u32>,
}

/// The primitives as they stand for the nodes of one depth, and of the next.
pub(super) struct Pages<S, const N: usize> {
    pub now: Primitives<S, N>,
    pub next: Primitives<S, N>,
}

impl<'a, T: Scalar, S: Scalar, const N: usize> Growing<'a, T, S, N> {
    /// A single node.
    pub fn new(geometry: &'a Geometry<T>, fit: Fit, primitives: Primitives<S, N>) -> Self {
        let (root, order) = (Node::leaf(0..primitives.len()), vec![0; primitives.len()]);
        let pages = Pages { next: primitives.clone(), now: primitives };
        Growing { boxes: Boxes::new(geometry, fit), nodes: vec![root], depths: vec![0], pages, order }
    }

    /// The whole tree. `cut` is given the number of a node, how deep it is, and the node; it writes its primitives on the next page,
    /// those of the first half first, and says how many these are, or `None` for a leaf.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn grown(
        mut self,
        told: &mut Told<'_, '_>,
        mut cut: impl FnMut((usize, u8), &Node<T>, &mut Pages<S, N>) -> Option<usize>,
    ) -> Result<Grown<T>, Error> {
        let (mut start, mut depth) = (0, 0);
        while start < self.nodes.len() {
            let last = self.nodes.len();
            while start < last {
                let end = self.together(start).min(last);
                self.boxes.fit(&self.pages.now, &mut self.nodes[start..end]);
                for index in start..end {
                    match cut((index, depth), &self.nodes[index], &mut self.pages) {
                        Some(first) => self.divide(index, first),
                        None => self.settle(index, told)?,
                    }
                }
                start = end;
            }
            std::mem::swap(&mut self.pages.now, &mut self.pages.next);
            depth += 1;
        }
        self.nodes.shrink_to_fit();
        Ok(Grown { nodes: self.nodes, depths: self.depths, order: self.order })
    }

    /// The end of the nodes that get their boxes together with one.
    fn together(&self, start: usize) -> usize {
        let mut sum = 0;
        let mut more = |node: &Node<T>| {
            sum += node.range().len();
            sum <= TOGETHER
        };
        start + self.nodes[start..].iter().take_while(|node| more(node)).count().max(1)
    }

    /// Gives a node two children, the first with that many of its primitives.
    fn divide(&mut self, index: usize, first: usize) {
        let range = self.nodes[index].range();
        let middle = range.start + first;
        self.nodes[index].child = self.nodes.len() as u32;
        self.nodes.push(Node::leaf(range.start..middle));
        self.nodes.push(Node::leaf(middle..range.end));
        self.depths.extend([self.depths[index] + 1; 2]);
    }

    /// Leaves a node as it is: a leaf, its primitives ascending.
    fn settle(&mut self, index: usize, told: &mut Told<'_, '_>) -> Result<(), Error> {
        let range = self.nodes[index].range();
        let leaf = &mut self.order[range.clone()];
        leaf.copy_from_slice(&self.pages.now.index[range]);
        leaf.sort_unstable();
        told.reach(told.done() + leaf.len())
    }
}
