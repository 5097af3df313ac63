//! Nodes of the cut of a single tree, reached by its wide BVH. A cut can run between a wide node
//! and its children: then the binary nodes that the wide node skips are put into a wide node of
//! their own.

use super::wide_pair::WideStep;
use crate::num::Scalar;
use crate::num::linear::sub;
use crate::num::vectors::FloatRecord;
use crate::sat::eight_boxes::WIDTH;
use crate::sat::oriented_batch::record_of_box;
use crate::shape::wide_point;
use crate::tree::store::wide_bvh::{WideBvh, WideNode};
use crate::tree::{Accuracy, ObbTree};

/// Node at or above the cut of its tree: a child of a wide node, or a node that a wide node skips.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::tree) struct CutNode {
    /// Index of the child, or of the child whose wide node skips the node.
    pub child: u32,
    /// Index of a skipped node; 0 for the child itself, as no wide BVH skips the root.
    skipped: u32,
    /// Depth of a skipped node.
    depth: u8,
    /// `true` if the node belongs to the cut.
    pub is_cut: bool,
}

/// A wide node made for a query: of the nodes of a cut, or of a single node. It is large, and so
/// filled again and again.
#[derive(Debug)]
pub(in crate::tree) struct CutWideNode<T: Scalar> {
    /// Node above, and the cut that runs below it: the next pair of nodes often has one in common.
    content: Option<(CutNode, Accuracy)>,
    wide: WideNode<T>,
    nodes: [CutNode; WIDTH],
    /// Bit mask of the nodes that belong to the cut.
    cut_mask: u8,
    /// Oriented boxes of the nodes.
    records: [FloatRecord; WIDTH],
}

/// Tree with its cut at an accuracy.
#[derive(Debug, Clone, Copy)]
pub(in crate::tree) struct TreeCut<'a, T: Scalar> {
    tree: &'a ObbTree<T>,
    accuracy: Accuracy,
}

/// The nodes in a wide node, with their oriented boxes.
pub(in crate::tree) struct CutChildren<'s, T: Scalar> {
    /// Nodes if the wide node was made for the query; else they are children of the wide BVH.
    made: Option<&'s CutWideNode<T>>,
    first_child: u32,
    /// Bit mask of the nodes that belong to the cut.
    pub cut_mask: u8,
    /// Oriented boxes, and the index of that of the first node among them.
    pub records: &'s [FloatRecord],
    pub first_record: u32,
}

impl CutNode {
    fn of_child(child: u32, is_cut: bool) -> Self {
        CutNode { child, skipped: 0, depth: 0, is_cut }
    }
}

impl<'a, T: Scalar> TreeCut<'a, T> {
    pub fn new(tree: &'a ObbTree<T>, accuracy: Accuracy) -> Self {
        TreeCut { tree, accuracy }
    }

    fn bvh(&self) -> &'a WideBvh<T> {
        &self.tree.wide_bvh
    }

    /// Returns the root.
    pub fn root(&self) -> CutNode {
        CutNode::of_child(0, !self.opens(0, 0))
    }

    /// Returns `true` if the cut lies below a node of that depth.
    fn opens(&self, node: u32, depth: u8) -> bool {
        self.accuracy.opens_node(&self.tree.nodes[node as usize], depth)
    }

    /// Returns the index of a node in the binary tree.
    #[inline(always)]
    pub fn node(&self, at: CutNode) -> u32 {
        if at.skipped > 0 { at.skipped } else { self.bvh().child(at.child).node }
    }

    /// Returns `true` if the cut consists of the leaves, where primitives decide.
    #[inline(always)]
    pub fn reaches_leaves(&self) -> bool {
        self.accuracy == Accuracy::Exact
    }

    /// Returns a node of a coarser cut as one of this cut of leaves.
    #[inline(always)]
    pub fn with_cut(&self, at: CutNode) -> CutNode {
        CutNode { is_cut: at.skipped == 0 && self.bvh().child(at.child).is_leaf(), ..at }
    }

    /// Fills `made` if no stored wide node has the nodes below a node, or the node alone if it
    /// belongs to the cut. Returns `true` if so.
    #[inline(always)]
    pub fn fill(&self, at: CutNode, made: &mut CutWideNode<T>) -> bool {
        let is_stored = match (at.skipped, at.is_cut) {
            (0, true) => true,
            (0, false) => self.wide_node_below(at).is_above(self.accuracy),
            _ => false,
        };
        if !is_stored && made.content != Some((at, self.accuracy)) {
            made.clear();
            match at.is_cut {
                true => self.push_skipped(made, at),
                false => self.push_nodes_below(made, at),
            }
            made.content = Some((at, self.accuracy));
        }
        !is_stored
    }

    fn wide_node_below(&self, at: CutNode) -> &'a WideNode<T> {
        self.bvh().child_wide_node(self.bvh().child(at.child))
    }

    /// Returns the wide node of the nodes below a node, or of the node alone if it belongs to the
    /// cut; `made`: the one filled, if any.
    #[inline(always)]
    pub fn step<'s>(&self, at: CutNode, made: Option<&'s CutWideNode<T>>) -> WideStep<'s, T>
    where
        'a: 's,
    {
        match made {
            Some(made) => WideStep::Open(&made.wide),
            None if at.is_cut => WideStep::Stay((at.child == 0).then(|| self.bvh().wide_node(0))),
            None => WideStep::Open(self.wide_node_below(at)),
        }
    }

    /// Returns the nodes in the wide node that [`step`](Self::step) has returned for a node.
    #[inline(always)]
    pub fn children<'s>(
        &self,
        at: CutNode,
        wide: &WideNode<T>,
        made: Option<&'s CutWideNode<T>>,
    ) -> CutChildren<'s, T>
    where
        'a: 's,
    {
        match made {
            Some(made) => CutChildren {
                made: Some(made),
                first_child: 0,
                cut_mask: made.cut_mask,
                records: &made.records,
                first_record: 0,
            },
            None => CutChildren {
                made: None,
                first_child: wide.first_child,
                cut_mask: if at.is_cut { 1 } else { self.cut_mask(wide) },
                records: &self.bvh().oriented_boxes,
                first_record: wide.first_child,
            },
        }
    }

    /// Returns the bit mask of the children of a stored wide node that belong to the cut.
    #[inline(always)]
    fn cut_mask(&self, wide: &WideNode<T>) -> u8 {
        if wide.has_all_inner_above(self.accuracy) {
            return wide.leaf_mask;
        }
        let children = self.bvh().children_of(wide).iter().enumerate();
        children.fold(wide.leaf_mask, |mask, (lane, child)| {
            mask | u8::from(!self.opens(child.node, child.depth)) << lane
        })
    }

    /// Appends the nodes below one: those of the cut, and children of its wide node.
    #[inline(never)]
    fn push_nodes_below(&self, made: &mut CutWideNode<T>, at: CutNode) {
        let (bvh, nodes) = (self.bvh(), &self.tree.nodes);
        let (child, below) = (bvh.child(at.child), self.wide_node_below(at));
        let children = bvh.children_of(below);
        let start = if at.skipped > 0 { (at.skipped, at.depth) } else { (child.node, child.depth) };
        // Never more than the children that are yet to be reached.
        let (mut pending, mut len) = ([start; WIDTH], 1);
        while len > 0 {
            len -= 1;
            let (node, depth) = pending[len];
            let is_cut = !self.opens(node, depth);
            if let Some(lane) = children.iter().position(|child| child.node == node) {
                made.push_stored(
                    (below, lane),
                    CutNode::of_child(below.first_child + lane as u32, is_cut),
                    bvh,
                    depth,
                );
            } else if is_cut {
                self.push_skipped(made, CutNode { skipped: node, depth, is_cut, ..at });
            } else {
                let first = nodes[node as usize].first_child;
                (pending[len], pending[len + 1]) = ((first + 1, depth + 1), (first, depth + 1));
                len += 2;
            }
        }
    }

    /// Appends a node that the wide BVH skips.
    fn push_skipped(&self, made: &mut CutWideNode<T>, at: CutNode) {
        let (center, node) = (self.bvh().center, &self.tree.nodes[at.skipped as usize]);
        let lane = made.push(at, at.depth);
        let seen = |p| sub(wide_point(p), center);
        made.wide.boxes.set(lane, seen(node.aligned.min), seen(node.aligned.max));
        let mut solid = node.oriented.wide();
        solid.center = sub(solid.center, center);
        made.records[lane] = record_of_box(&solid);
    }
}

impl<T: Scalar> CutWideNode<T> {
    /// Returns a wide node without nodes.
    pub fn empty() -> Self {
        CutWideNode {
            content: None,
            wide: WideNode::empty(),
            nodes: [CutNode::of_child(0, false); WIDTH],
            cut_mask: 0,
            records: [[0.0; 16]; WIDTH],
        }
    }

    fn clear(&mut self) {
        (self.wide.len, self.wide.max_depth, self.cut_mask) = (0, 0, 0);
    }

    /// Appends a node without its boxes; returns its lane.
    fn push(&mut self, at: CutNode, depth: u8) -> usize {
        let lane = usize::from(self.wide.len);
        self.nodes[lane] = at;
        self.cut_mask |= u8::from(at.is_cut) << lane;
        self.wide.max_depth = self.wide.max_depth.max(depth);
        self.wide.len += 1;
        lane
    }

    /// Appends a child in a lane of a stored wide node.
    fn push_stored(
        &mut self,
        (stored, from): (&WideNode<T>, usize),
        at: CutNode,
        bvh: &WideBvh<T>,
        depth: u8,
    ) {
        let lane = self.push(at, depth);
        self.wide.boxes.copy_lane(lane, &stored.boxes, from);
        self.records[lane] = bvh.oriented_boxes[at.child as usize];
    }
}

impl<'s, T: Scalar> CutChildren<'s, T> {
    /// Returns the node in a lane.
    #[inline(always)]
    pub fn node(&self, lane: usize) -> CutNode {
        match self.made {
            Some(made) => made.nodes[lane],
            None => {
                CutNode::of_child(self.first_child + lane as u32, self.cut_mask >> lane & 1 == 1)
            }
        }
    }
}
