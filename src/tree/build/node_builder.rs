//! Construction of the nodes of a tree: nodes get their boxes, many at a time, and are split.

use std::ops::Range;

use super::Fit;
use super::boxes::BoxFitter;
use super::primitives::Primitives;
use crate::error::Error;
use crate::num::Scalar;
use crate::tree::node::OrderedNodes;
use crate::tree::{BuildProgress, Geometry, Node};

/// Largest number of primitives of nodes that are fitted together. Their subtrees are finished
/// before other nodes, so these primitives stay in the cache.
const BATCH_PRIMITIVES: usize = 1024;

/// Nodes breadth-first, without bounds, and their depths.
pub(super) struct BuiltNodes<T: Scalar> {
    pub nodes: Vec<Node<T>>,
    pub depths: Vec<u8>,
    /// Primitives in the order of the leaves.
    pub order: Vec<u32>,
}

impl<T: Scalar> BuiltNodes<T> {
    pub fn ordered_nodes(&self) -> OrderedNodes<'_, T> {
        OrderedNodes { nodes: &self.nodes, order: &self.order }
    }
}

pub(super) struct NodeBuilder<'a, T: Scalar, S, const N: usize, C> {
    boxes: BoxFitter<'a, T, N>,
    /// Nodes of each depth from left to right; a child is an index in the next depth, counted from
    /// one.
    nodes_by_depth: Vec<Vec<Node<T>>>,
    buffers: PrimitiveBuffers<S, N>,
    /// Split rule. Given the node's index within its depth, the depth, and the node, it writes the
    /// node's primitives to the next buffer, those of the first child first, and returns their
    /// number; `None` for a leaf.
    split_rule: C,
    /// Primitives in the order of the leaves.
    order: Vec<u32>,
}

/// Primitives in the order of the nodes of one depth, and of the next.
pub(super) struct PrimitiveBuffers<S, const N: usize> {
    pub current: Primitives<S, N>,
    pub next: Primitives<S, N>,
}

impl<'a, T: Scalar, S: Scalar, const N: usize, C> NodeBuilder<'a, T, S, N, C>
where
    C: FnMut((usize, usize), &Node<T>, &mut PrimitiveBuffers<S, N>) -> Option<usize>,
{
    /// Creates the builder of a root node and a split rule.
    pub fn new(
        geometry: &'a Geometry<T>,
        fit: Fit,
        primitives: Primitives<S, N>,
        split_rule: C,
    ) -> Self {
        NodeBuilder {
            boxes: BoxFitter::new(geometry, fit),
            nodes_by_depth: vec![vec![Node::leaf(0..primitives.len())]],
            order: vec![0; primitives.len()],
            buffers: PrimitiveBuffers { next: primitives.zeroed_like(), current: primitives },
            split_rule,
        }
    }

    /// Builds all nodes.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn build(mut self, progress: &mut dyn BuildProgress) -> Result<BuiltNodes<T>, Error> {
        self.build_subtrees(0, 0..1, progress)?;
        let count = self.nodes_by_depth.iter().map(Vec::len).sum();
        let mut built = BuiltNodes {
            nodes: Vec::with_capacity(count),
            depths: Vec::with_capacity(count),
            order: self.order,
        };
        for (depth, nodes) in self.nodes_by_depth.into_iter().enumerate() {
            let next = (built.nodes.len() + nodes.len()) as u32;
            built.depths.resize(next as usize, depth as u8);
            built.nodes.extend(nodes.into_iter().map(|mut node| {
                node.first_child += if node.first_child > 0 { next - 1 } else { 0 };
                node
            }));
        }
        Ok(built)
    }

    /// Builds the subtrees of some nodes of one depth.
    fn build_subtrees(
        &mut self,
        depth: usize,
        nodes: Range<usize>,
        progress: &mut dyn BuildProgress,
    ) -> Result<(), Error> {
        if self.nodes_by_depth.len() == depth + 1 {
            self.nodes_by_depth.push(Vec::new());
        }
        let mut start = nodes.start;
        while start < nodes.end {
            let end = start + self.batch_len(&self.nodes_by_depth[depth][start..nodes.end]);
            self.boxes.fit(&self.buffers.current, &mut self.nodes_by_depth[depth][start..end]);
            let first = self.nodes_by_depth[depth + 1].len();
            for index in start..end {
                match (self.split_rule)(
                    (index, depth),
                    &self.nodes_by_depth[depth][index],
                    &mut self.buffers,
                ) {
                    Some(first) => self.add_children(depth, index, first),
                    None => self.make_leaf(depth, index, progress)?,
                }
            }
            let children = first..self.nodes_by_depth[depth + 1].len();
            if !children.is_empty() {
                std::mem::swap(&mut self.buffers.current, &mut self.buffers.next);
                self.build_subtrees(depth + 1, children, progress)?;
                std::mem::swap(&mut self.buffers.current, &mut self.buffers.next);
            }
            start = end;
        }
        Ok(())
    }

    /// Returns the number of nodes to fit together, from the first on.
    fn batch_len(&self, nodes: &[Node<T>]) -> usize {
        let mut sum = 0;
        let mut more = |node: &Node<T>| {
            sum += node.primitive_range().len();
            sum <= BATCH_PRIMITIVES
        };
        nodes.iter().take_while(|node| more(node)).count().max(1)
    }

    /// Adds two children to a node, the first with `first` of its primitives.
    fn add_children(&mut self, depth: usize, index: usize, first: usize) {
        let [nodes, next] = &mut self.nodes_by_depth[depth..depth + 2] else { return };
        let range = nodes[index].primitive_range();
        let middle = range.start + first;
        nodes[index].first_child = next.len() as u32 + 1;
        next.extend([Node::leaf(range.start..middle), Node::leaf(middle..range.end)]);
    }

    /// Makes a node a leaf, with its primitives ascending.
    fn make_leaf(
        &mut self,
        depth: usize,
        index: usize,
        progress: &mut dyn BuildProgress,
    ) -> Result<(), Error> {
        let range = self.nodes_by_depth[depth][index].primitive_range();
        let leaf = &mut self.order[range.clone()];
        leaf.copy_from_slice(&self.buffers.current.index[range]);
        leaf.sort_unstable();
        progress.advance(progress.done() + leaf.len())
    }
}
