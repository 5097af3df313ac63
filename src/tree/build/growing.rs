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
    primitives: Primitives<S, N>,
}

impl<'a, T: Scalar, S: Scalar, const N: usize> Growing<'a, T, S, N> {
    /// A single node.
    pub fn new(geometry: &'a Geometry<T>, fit: Fit, primitives: Primitives<S, N>) -> Self {
        let root = Node::leaf(0..primitives.len());
        Growing {
            boxes: Boxes::new(geometry, fit),
            nodes: vec![root],
            depths: vec![0],
            primitives,
        }
    }

    /// The whole tree. `cut` is given the number of a node, how deep it is, and the node; it puts some of its primitives
    /// first and says how many these are, or `None` for a leaf.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn grown(
        mut self,
        told: &mut Told<'_, '_>,
        mut cut: impl FnMut((usize, u8), &Node<T>, &mut Primitives<S, N>) -> Option<usize>,
    ) -> Result<Grown<T>, Error> {
        let mut start = 0;
        while start < self.nodes.len() {
            let end = self.together(start);
            self.boxes.fit(&self.primitives, &mut self.nodes[start..end]);
            for index in start..end {
                let at = (index, self.depths[index]);
                match cut(at, &self.nodes[index], &mut self.primitives) {
                    Some(first) => self.divide(index, first),
                    None => self.settle(index, told)?,
                }
            }
            start = end;
        }
        self.nodes.shrink_to_fit();
        Ok(Grown { nodes: self.nodes, depths: self.depths, order: self.primitives.index })
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

    /// Leaves a node as it is: a leaf, its primitives ascending. Their corners are not looked at any more.
    fn settle(&mut self, index: usize, told: &mut Told<'_, '_>) -> Result<(), Error> {
        let leaf = &mut self.primitives.index[self.nodes[index].range()];
        leaf.sort_unstable();
        told.reach(told.done() + leaf.len())
    }
}
