//! Wide BVH: the binary tree collapsed into nodes with up to eight children, whose boxes are tested
//! together. Source: Wald, Benthin, Boulos, Getting Rid of Packets (2008).

use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, sub};
use crate::num::sorting::insertion_sort;
use crate::num::vectors::FloatRecord;
use crate::sat::eight_boxes::{EightBoxes, WIDTH};
use crate::sat::oriented_batch::record_of_box;
use crate::shape::{WideObb, wide_point};
use crate::tree::node::OrderedNodes;
use crate::tree::{Accuracy, Geometry, Node};

/// Largest length by which an oriented box may protrude from the aligned one and count as inside,
/// as a share of the root's size: far less than the overlap that proves a common point.
const MAX_PROTRUSION: f64 = 1.0 / (1u64 << 40) as f64;

/// Share of an aligned box's surface from which the oriented box counts as filling it. Any value
/// gives the same answers; 0.9 was tried and is no faster.
const MIN_FILL: f64 = 0.75;

/// Number of primitives from which a leaf is counted by its node.
const COUNT_LIMIT: u8 = u8::MAX;

/// Number of bits of each byte: one load, where the instruction set has no count of bits.
const BIT_COUNTS: [u8; 256] = bit_counts();

/// Node with up to eight children, collapsed from a node of the binary tree.
///
/// Four cache lines: three of boxes, and one of what is read next.
#[derive(Debug, Clone, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct WideNode<T: Scalar> {
    pub boxes: EightBoxes,
    /// Index of the first child; the others follow.
    pub first_child: u32,
    pub len: u8,
    /// Index of the wide node of the first inner child; those of the other inner children follow.
    first_inner: u32,
    /// Bit mask of the children that are leaves.
    pub leaf_mask: u8,
    /// Bit mask of the children whose oriented box nearly fills the aligned one, and so separates
    /// little more.
    pub filled_mask: u8,
    /// `true` if every oriented box lies inside its aligned one.
    pub oriented_within_aligned: bool,
    /// `true` if every oriented box equals its aligned one, up to rounding.
    pub oriented_is_aligned: bool,
    /// Depth of the deepest child.
    pub max_depth: u8,
    /// Depth of the deepest binary node that was opened to get the children.
    max_opened_depth: u8,
    /// Least bound of the opened binary nodes [part units].
    opened_bound: T,
    /// Least bound of the opened nodes and the children [part units].
    least_bound: T,
    /// Least bound of the opened nodes, the children and all nodes below [part units].
    subtree_bound: T,
    /// Depth of the shallowest child that has children.
    min_inner_depth: u8,
    /// Lanes in the order of their primitives, three bits each, the first lowest.
    lane_order: u32,
}

/// Flag of a child whose oriented box lies inside the aligned one.
const ORIENTED_WITHIN_ALIGNED: u8 = 1;
/// Flag of a child whose oriented box equals the aligned one, up to rounding.
const ORIENTED_IS_ALIGNED: u8 = 2;
/// Flag of a child whose oriented box is all the geometry: a leaf of one hand-made box.
const BOX_IS_GEOMETRY: u8 = 4;

/// Child of a wide node: its binary node, its depth, and its own wide node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct WideChild {
    pub node: u32,
    /// Index of the wide node. Of a leaf, its only primitive, or the position of its first one in
    /// the order of the leaves.
    link: u32,
    pub depth: u8,
    /// Number of primitives of a leaf, [`COUNT_LIMIT`] for that many or more; 0 for inner nodes.
    leaf_len: u8,
    /// Flags of the oriented box in one byte, so that a child takes twelve.
    flags: u8,
}

/// All wide nodes of a tree; the first has the root as its only child.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WideBvh<T: Scalar> {
    wide_nodes: Vec<WideNode<T>>,
    /// Children of all wide nodes; the root first.
    pub children: Vec<WideChild>,
    /// Oriented boxes of the children, relative to `center`.
    pub oriented_boxes: Vec<FloatRecord>,
    /// Centre of the root's aligned box, the origin of all boxes here [part units].
    pub center: Vec3,
    /// Sum of the half extents of the root's aligned box [part units].
    pub half_extent_sum: f64,
    /// Largest protrusion of a leaf's oriented box from its aligned one, along its axes [part
    /// units].
    pub leaf_protrusion: f64,
    /// `true` if the geometry is hand-made boxes.
    is_hand_made: bool,
}

impl<T: Scalar> WideBvh<T> {
    pub fn bytes(&self) -> usize {
        size_of_val(&self.wide_nodes[..])
            + size_of_val(&self.children[..])
            + size_of_val(&self.oriented_boxes[..])
    }

    /// Collapses the binary tree, given the [least bound](super::hulls::NodeHulls::least_bounds) of
    /// each node.
    pub fn new(geometry: &Geometry<T>, ordered: OrderedNodes<'_, T>, bounds: &[T]) -> Self {
        let nodes = ordered.nodes;
        let (center, half) = nodes[0].aligned.wide();
        let half_extent_sum = half[0] + half[1] + half[2];
        let (leaves, lowest) = (leaf_counts(nodes), subtree_bounds(nodes, bounds));
        // Inner children are a seventh of the leaves in full wide nodes; a quarter leaves room for
        // others.
        let (most, wide_nodes) = (leaves[0] as usize / 4 * 5 + WIDTH, Vec::new());
        let (children, oriented_boxes) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let is_hand_made = matches!(geometry, Geometry::Boxes(_));
        let mut bvh = WideBvh {
            wide_nodes,
            children,
            oriented_boxes,
            center,
            half_extent_sum,
            leaf_protrusion: 0.0,
            is_hand_made,
        };
        let root = bvh.single_child((&nodes[0], bounds[0]), 0, 0);
        bvh.push_wide_node(ordered, root, &[WideChild::default()]);
        // Depth-first, with the wide nodes of siblings adjacent: they are visited together.
        let mut pending = vec![0];
        while let Some(wide) = pending.pop() {
            let WideNode { first_child, len, .. } = bvh.wide_nodes[wide];
            let below = bvh.wide_nodes.len();
            bvh.wide_nodes[wide].first_inner = below as u32;
            for index in first_child as usize..first_child as usize + usize::from(len) {
                if nodes[bvh.children[index].node as usize].first_child > 0 {
                    bvh.children[index].link = bvh.wide_nodes.len() as u32;
                    bvh.add_wide_node(ordered, bounds, &leaves, &lowest, bvh.children[index]);
                }
            }
            pending.extend((below..bvh.wide_nodes.len()).rev());
        }
        bvh.wide_nodes.shrink_to_fit();
        bvh.children.shrink_to_fit();
        bvh.oriented_boxes.shrink_to_fit();
        bvh
    }

    /// Adds the wide node of an inner node: opens children one by one until there are eight or none
    /// fits.
    fn add_wide_node(
        &mut self,
        ordered: OrderedNodes<'_, T>,
        bounds: &[T],
        leaves: &[u32],
        lowest: &[T],
        WideChild { node, depth, .. }: WideChild,
    ) {
        let nodes = ordered.nodes;
        let own = (&nodes[node as usize], bounds[node as usize]);
        let mut wide = self.single_child(own, self.children.len() as u32, depth);
        wide.subtree_bound = lowest[node as usize];
        let mut children = [WideChild { node, depth, ..WideChild::default() }; WIDTH];
        loop {
            let len = usize::from(wide.len);
            let Some(place) =
                next_child_to_open(children[..len].iter().map(|s| leaves[s.node as usize]))
            else {
                return self.push_wide_node(ordered, wide, &children[..len]);
            };
            self.open_child(&mut wide, &mut children, nodes, bounds, place);
        }
    }

    /// Appends a complete wide node and the oriented boxes of its children.
    fn push_wide_node(
        &mut self,
        OrderedNodes { nodes, order }: OrderedNodes<'_, T>,
        mut wide: WideNode<T>,
        children: &[WideChild],
    ) {
        (wide.oriented_within_aligned, wide.oriented_is_aligned) = (true, true);
        wide.lane_order = lane_order(nodes, children);
        for child in children {
            let node = &nodes[child.node as usize];
            if node.first_child > 0 {
                wide.min_inner_depth = wide.min_inner_depth.min(child.depth);
            }
            let mut solid = node.oriented.wide();
            let out = protrusion(&solid, node);
            let oriented_within_aligned = out <= MAX_PROTRUSION * self.half_extent_sum;
            let oriented_is_aligned =
                oriented_within_aligned && oriented_is_aligned(&solid, node, self.half_extent_sum);
            (wide.oriented_within_aligned, wide.oriented_is_aligned) = (
                wide.oriented_within_aligned & oriented_within_aligned,
                wide.oriented_is_aligned & oriented_is_aligned,
            );
            if node.first_child == 0 && out > self.leaf_protrusion {
                self.leaf_protrusion = out;
            }
            solid.center = sub(solid.center, self.center);
            let leaf_len = match node.first_child {
                0 => node.primitive_range().len().min(usize::from(COUNT_LIMIT)) as u8,
                _ => 0,
            };
            let link = match leaf_len {
                0 => 0,
                1 => order[node.start as usize],
                _ => node.start,
            };
            let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
            let flags = flag(oriented_within_aligned, ORIENTED_WITHIN_ALIGNED)
                | flag(oriented_is_aligned, ORIENTED_IS_ALIGNED)
                | flag(self.is_hand_made && leaf_len == 1, BOX_IS_GEOMETRY);
            self.children.push(WideChild { link, leaf_len, flags, ..*child });
            self.oriented_boxes.push(record_of_box(&solid));
        }
        self.wide_nodes.push(wide);
    }

    /// Replaces a child by its first child and appends its second.
    fn open_child(
        &self,
        wide: &mut WideNode<T>,
        children: &mut [WideChild; WIDTH],
        nodes: &[Node<T>],
        bounds: &[T],
        index: usize,
    ) {
        let WideChild { node, depth, .. } = children[index];
        let opened = &nodes[node as usize];
        (wide.max_opened_depth, wide.max_depth) =
            (wide.max_opened_depth.max(depth), wide.max_depth.max(depth + 1));
        let bound = bounds[node as usize];
        wide.opened_bound = if bound < wide.opened_bound { bound } else { wide.opened_bound };
        for (place, child) in
            [(index, opened.first_child), (usize::from(wide.len), opened.first_child + 1)]
        {
            children[place] = WideChild { node: child, depth: depth + 1, ..WideChild::default() };
            self.set_child(wide, place, (&nodes[child as usize], bounds[child as usize]));
        }
        wide.len += 1;
    }

    /// Returns a wide node with a single child, given its least bound and the index of the child.
    pub fn single_child(&self, node: (&Node<T>, T), number: u32, depth: u8) -> WideNode<T> {
        let mut wide = WideNode::with_one_child(number, depth, node.1);
        self.set_child(&mut wide, 0, node);
        wide
    }

    pub fn children_of(&self, wide: &WideNode<T>) -> &[WideChild] {
        let first = wide.first_child as usize;
        &self.children[first..first + usize::from(wide.len)]
    }

    fn set_child(&self, wide: &mut WideNode<T>, lane: usize, (node, bound): (&Node<T>, T)) {
        let seen = |p| sub(wide_point(p), self.center);
        wide.boxes.set(lane, seen(node.aligned.min), seen(node.aligned.max));
        wide.least_bound = if bound < wide.least_bound { bound } else { wide.least_bound };
        wide.leaf_mask = wide.leaf_mask & !(1 << lane) | u8::from(node.first_child == 0) << lane;
        wide.filled_mask = wide.filled_mask & !(1 << lane) | u8::from(fills_aligned(node)) << lane;
    }

    /// Returns a child by index; the first is the root.
    pub fn child(&self, number: u32) -> &WideChild {
        &self.children[number as usize]
    }

    /// Returns a wide node by index; the first has the root as its only child.
    pub fn wide_node(&self, number: u32) -> &WideNode<T> {
        &self.wide_nodes[number as usize]
    }

    /// Returns the index of the wide node of the root's children; the root is no leaf.
    pub fn root_wide_index(&self) -> u32 {
        self.children[0].link
    }

    /// Returns the wide node of a child that is not a leaf.
    pub fn child_wide_node(&self, child: &WideChild) -> &WideNode<T> {
        self.wide_node(child.link)
    }
}

/// Returns the lanes of children in the order of their primitives, three bits each.
fn lane_order<T: Scalar>(nodes: &[Node<T>], children: &[WideChild]) -> u32 {
    let mut lanes: [(u32, u32); WIDTH] = Default::default();
    for (entry, (lane, child)) in lanes.iter_mut().zip((0..).zip(children)) {
        *entry = (nodes[child.node as usize].start, lane);
    }
    // The ranges of the children differ.
    insertion_sort(&mut lanes[..children.len()], |a, b| a.0.cmp(&b.0));
    lanes.iter().rev().fold(0, |packed, (_, lane)| packed << 3 | lane)
}

/// Returns an upper bound on the length by which the oriented box of a node protrudes from the
/// aligned one along the part's axes; negative if it lies inside.
fn protrusion<T: Scalar>(solid: &WideObb, node: &Node<T>) -> f64 {
    let (center, half) = node.aligned.wide();
    let (beside, spread) = (sub(solid.center, center), solid.aabb_half_extents());
    let out = [0, 1, 2].map(|i| beside[i].abs() + spread[i] - half[i]);
    out[0].max(out[1]).max(out[2])
}

/// Returns `true` if an oriented box inside the aligned one equals it, up to the rounding of stored
/// corners: far less than the overlap that proves a common point.
fn oriented_is_aligned<T: Scalar>(solid: &WideObb, node: &Node<T>, size: f64) -> bool {
    let (half, rounding) = (node.aligned.wide().1, (4.0 * T::ROUNDING + MAX_PROTRUSION) * size);
    solid.axes == IDENTITY && (0..3).all(|i| half[i] - solid.half_extents[i] <= rounding)
}

/// Returns `true` if the oriented box of a node has nearly the surface of the aligned one.
fn fills_aligned<T: Scalar>(node: &Node<T>) -> bool {
    let surface = |[x, y, z]: Vec3| x * y + y * z + z * x;
    let oriented = surface(node.oriented.wide().half_extents);
    oriented >= MIN_FILL * surface(node.aligned.wide().1)
}

/// Returns the child to open next, given the number of leaves of each. The child with the most
/// leaves is opened while it overfills a wide node of its own; then the one with the fewest, if all
/// its leaves fit. So wide nodes at the bottom are not left with two or three children.
fn next_child_to_open(leaves: impl ExactSizeIterator<Item = u32> + Clone) -> Option<usize> {
    let (len, most) = (leaves.len(), leaves.clone().max()?);
    if most as usize > WIDTH {
        return leaves.clone().position(|count| count == most).filter(|_| len < WIDTH);
    }
    let few = leaves.clone().filter(|&count| count > 1).min()?;
    let fits = len - 1 + few as usize <= WIDTH;
    leaves.clone().position(|count| count == few).filter(|_| fits)
}

const fn bit_counts() -> [u8; 256] {
    let (mut counts, mut byte) = ([0; 256], 1);
    while byte < 256 {
        counts[byte] = counts[byte / 2] + (byte % 2) as u8;
        byte += 1;
    }
    counts
}

fn leaf_counts<T: Scalar>(nodes: &[Node<T>]) -> Vec<u32> {
    let mut leaves = vec![1; nodes.len()];
    // Children come after their parents.
    for (index, node) in nodes.iter().enumerate().rev() {
        if node.first_child > 0 {
            leaves[index] =
                leaves[node.first_child as usize] + leaves[node.first_child as usize + 1];
        }
    }
    leaves
}

/// Returns the least bound of each node and all nodes below it.
fn subtree_bounds<T: Scalar>(nodes: &[Node<T>], bounds: &[T]) -> Vec<T> {
    let mut lowest = bounds.to_vec();
    for (index, node) in nodes.iter().enumerate().rev() {
        if node.first_child > 0 {
            for child in [node.first_child as usize, node.first_child as usize + 1] {
                lowest[index] =
                    if lowest[child] < lowest[index] { lowest[child] } else { lowest[index] };
            }
        }
    }
    lowest
}

impl<T: Scalar> WideNode<T> {
    /// Creates a wide node with room for one box, given the least bound of the nodes below.
    fn with_one_child(number: u32, depth: u8, subtree_bound: T) -> Self {
        WideNode {
            boxes: EightBoxes::default(),
            first_child: number,
            len: 1,
            first_inner: 0,
            leaf_mask: 0,
            filled_mask: 0,
            oriented_within_aligned: false,
            oriented_is_aligned: false,
            max_depth: depth,
            max_opened_depth: 0,
            opened_bound: T::nearest(f64::INFINITY),
            least_bound: T::nearest(f64::INFINITY),
            subtree_bound,
            min_inner_depth: u8::MAX,
            lane_order: 0,
        }
    }

    /// Creates a wide node without children, for nodes that a query chooses.
    pub fn empty() -> Self {
        WideNode { len: 0, ..WideNode::with_one_child(0, 0, T::zero()) }
    }

    /// Creates a wide node with a single leaf, a box about the origin.
    pub fn single_leaf(half: Vec3) -> Self {
        let mut wide = WideNode::with_one_child(0, 0, T::zero());
        wide.boxes.set(0, half.map(|x| -x), half);
        wide.leaf_mask = 1;
        wide
    }

    /// Returns the index of the wide node of the inner child in a lane.
    pub fn inner_index(&self, lane: u32) -> u32 {
        let before = !self.leaf_mask & ((1 << lane) - 1);
        self.first_inner + u32::from(BIT_COUNTS[usize::from(before)])
    }

    /// Returns the lanes in the order of their primitives.
    #[inline(always)]
    pub fn lanes_in_order(&self) -> impl Iterator<Item = u32> + use<T> {
        let packed = self.lane_order;
        (0..u32::from(self.len)).map(move |position| packed >> (3 * position) & 7)
    }

    /// Returns `true` if a cut at that depth lies below every node that was opened here.
    pub fn is_above_cut(&self, cut: u8) -> bool {
        self.max_opened_depth < cut
    }

    /// Returns `true` if the cut of a single tree surely lies below every node that was opened
    /// here.
    #[inline(always)]
    pub fn is_above(&self, accuracy: Accuracy) -> bool {
        accuracy.opens(self.opened_bound, self.max_opened_depth)
    }

    /// Returns `true` if the cut of a single tree surely lies below every child that has children.
    #[inline(always)]
    pub fn has_all_inner_above(&self, accuracy: Accuracy) -> bool {
        accuracy.opens(self.least_bound, self.max_depth)
    }

    /// Returns `true` if no skipped pair can have a slack of at most `most`: a pair of nodes at
    /// equal depths of which one was opened to get the children of `self` or `other`.
    pub fn preserves_slack(&self, other: &Self, most: f64) -> bool {
        let passed = |x: &Self, y: &Self| {
            let deep = y.min_inner_depth >= x.max_opened_depth;
            x.opened_bound.wide() + if deep { y.least_bound } else { y.subtree_bound }.wide()
        };
        passed(self, other) > most && passed(other, self) > most
    }
}

impl<T: Scalar> WideNode<T> {
    /// Returns `true` if no pair of nodes below can have a slack of at most `most`.
    pub fn exceeds_slack(&self, other: &Self, most: f64) -> bool {
        self.subtree_bound.wide() + other.subtree_bound.wide() > most
    }
}

impl WideChild {
    /// The child of a [single leaf](WideNode::single_leaf).
    pub const SINGLE_LEAF: WideChild =
        WideChild { node: 0, link: 0, depth: 0, leaf_len: 1, flags: 0 };

    /// Returns `true` if the oriented box lies inside the aligned one.
    pub fn oriented_within_aligned(&self) -> bool {
        self.flags & ORIENTED_WITHIN_ALIGNED != 0
    }

    /// Returns `true` if the oriented box equals the aligned one, up to rounding.
    pub fn oriented_is_aligned(&self) -> bool {
        self.flags & ORIENTED_IS_ALIGNED != 0
    }

    /// Returns `true` if the oriented box is all the geometry: a leaf of one hand-made box.
    pub fn box_is_geometry(&self) -> bool {
        self.flags & BOX_IS_GEOMETRY != 0
    }

    pub fn is_leaf(&self) -> bool {
        self.leaf_len > 0
    }

    /// Returns the primitive of a leaf with only one.
    #[inline(always)]
    pub fn only_primitive(&self) -> Option<u32> {
        (self.leaf_len == 1).then_some(self.link)
    }

    /// Returns the primitives of a leaf, without reading its node unless there are very many.
    #[inline(always)]
    pub fn leaf_primitives<'a, T: Scalar>(&'a self, ordered: OrderedNodes<'a, T>) -> &'a [u32] {
        let first = self.link as usize;
        match self.leaf_len {
            1 => std::slice::from_ref(&self.link),
            COUNT_LIMIT => ordered.primitives(&ordered.nodes[self.node as usize]),
            len => &ordered.order[first..first + usize::from(len)],
        }
    }

    /// Returns `true` if two nodes are a pair at equal depths: their depths are equal, or the
    /// shallower one is a leaf.
    pub fn has_equal_depth(&self, other: &Self) -> bool {
        self.depth == other.depth
            || self.depth < other.depth && self.is_leaf()
            || other.depth < self.depth && other.is_leaf()
    }
}
