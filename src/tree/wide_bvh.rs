//! Wide BVH: the binary tree collapsed into nodes with up to eight children, whose boxes are tested
//! together. Source: Wald, Benthin, Boulos, Getting Rid of Packets (2008).

use super::{Geometry, Node};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, sub};
use crate::num::vectors::Record;
use crate::sat::eight_boxes::{EightBoxes, SIDE};
use crate::sat::oriented_pairs::record;
use crate::shape::{WideObb, wide_point};

/// Largest length by which an oriented box may protrude from the aligned one and count as inside,
/// as a share of the root's size: far less than the overlap that proves a common point.
const STICKS_OUT: f64 = 1.0 / (1u64 << 40) as f64;

/// Share of an aligned box's surface from which the oriented box counts as filling it. Any value
/// gives the same answers; 0.9 was tried and is no faster.
const FILLING: f64 = 0.75;

/// Node with up to eight children, collapsed from a node of the binary tree.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WideNode<T: Scalar> {
    pub boxes: EightBoxes,
    /// Index of the first child; the others follow.
    pub first: u32,
    pub len: u8,
    /// Index of the wide node of the first inner child; those of the other inner children follow.
    below: u32,
    /// Bit mask of the children that are leaves.
    pub leaves: u8,
    /// Bit mask of the children whose oriented box nearly fills the aligned one, and so separates
    /// little more.
    pub filled: u8,
    /// `true` if every oriented box lies inside its aligned one.
    pub held: bool,
    /// `true` if every oriented box equals its aligned one, up to rounding.
    pub upright: bool,
    /// Depth of the deepest child.
    pub deepest: u8,
    /// Depth of the deepest binary node that was opened to get the children.
    opened: u8,
    /// Least bound of the opened binary nodes [part units].
    least: T,
    /// Least bound of the opened nodes and the children [part units].
    lowest: T,
    /// Least bound of the opened nodes, the children and all nodes below [part units].
    lowest_below: T,
    /// Depth of the shallowest child that has children.
    shallowest: u8,
}

/// Child of a wide node: its binary node, its depth, and its own wide node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct WideChild {
    pub node: u32,
    /// Index of the wide node; 0 for a leaf, as no child leads to the first wide node.
    wide: u32,
    /// The primitive of a leaf with only one; otherwise `u32::MAX`.
    primitive: u32,
    pub depth: u8,
    /// `true` if the oriented box lies inside the aligned one.
    pub held: bool,
    /// `true` if the oriented box equals the aligned one, up to rounding.
    pub upright: bool,
    /// `true` if the oriented box is all the geometry: a leaf of one hand-made box.
    pub whole: bool,
}

/// All wide nodes of a tree; the first has the root as its only child.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WideBvh<T: Scalar> {
    wides: Vec<WideNode<T>>,
    /// Children of all wide nodes; the root first.
    pub children: Vec<WideChild>,
    /// Oriented boxes of the children, relative to `center`.
    pub records: Vec<Record>,
    /// Centre of the root's aligned box, the origin of all boxes here [part units].
    pub middle: Vec3,
    /// Sum of the half extents of the root's aligned box [part units].
    pub size: f64,
    /// Largest protrusion of a leaf's oriented box from its aligned one, along its axes [part
    /// units].
    pub out: f64,
    /// `true` if the geometry is hand-made boxes.
    made: bool,
}

impl<T: Scalar> WideBvh<T> {
    pub fn bytes(&self) -> usize {
        size_of_val(&self.wides[..])
            + size_of_val(&self.children[..])
            + size_of_val(&self.records[..])
    }

    /// Collapses the binary tree, given the [least bound](super::hulls::NodeHulls::least_bounds) of
    /// each node.
    pub fn new(geometry: &Geometry<T>, (nodes, order): (&[Node<T>], &[u32]), bounds: &[T]) -> Self {
        let (middle, half) = nodes[0].aligned.wide();
        let size = half[0] + half[1] + half[2];
        let (leaves, lowest) = (leaves(nodes), lowest_bounds(nodes, bounds));
        // Inner children are a seventh of the leaves in full wide nodes; a quarter leaves room for
        // others.
        let (most, wides) = (leaves[0] as usize / 4 * 5 + SIDE, Vec::new());
        let (children, records) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let made = matches!(geometry, Geometry::Boxes(_));
        let mut bvh = WideBvh { wides, children, records, middle, size, out: 0.0, made };
        let root = bvh.alone((&nodes[0], bounds[0]), 0, 0);
        bvh.push((nodes, order), root, &[WideChild::default()]);
        // Depth-first, with the wide nodes of siblings adjacent: they are visited together.
        let mut waiting = vec![0];
        while let Some(wide) = waiting.pop() {
            let WideNode { first, len, .. } = bvh.wides[wide];
            let below = bvh.wides.len();
            bvh.wides[wide].below = below as u32;
            for index in first as usize..first as usize + usize::from(len) {
                if nodes[bvh.children[index].node as usize].child > 0 {
                    bvh.children[index].wide = bvh.wides.len() as u32;
                    bvh.add((nodes, order, bounds), (&leaves, &lowest), bvh.children[index]);
                }
            }
            waiting.extend((below..bvh.wides.len()).rev());
        }
        bvh.wides.shrink_to_fit();
        bvh.children.shrink_to_fit();
        bvh.records.shrink_to_fit();
        bvh
    }

    /// Adds the wide node of an inner node: opens children one by one until there are eight or none
    /// fits.
    fn add(
        &mut self,
        (nodes, order, bounds): (&[Node<T>], &[u32], &[T]),
        (leaves, lowest): (&[u32], &[T]),
        WideChild { node, depth, .. }: WideChild,
    ) {
        let own = (&nodes[node as usize], bounds[node as usize]);
        let mut wide = self.alone(own, self.children.len() as u32, depth);
        wide.lowest_below = lowest[node as usize];
        let mut children = [WideChild { node, depth, ..WideChild::default() }; SIDE];
        loop {
            let len = usize::from(wide.len);
            let Some(place) = next_to_open(children[..len].iter().map(|s| leaves[s.node as usize]))
            else {
                return self.push((nodes, order), wide, &children[..len]);
            };
            self.open(&mut wide, &mut children, (nodes, bounds), place);
        }
    }

    /// Appends a complete wide node and the oriented boxes of its children.
    fn push(
        &mut self,
        (nodes, order): (&[Node<T>], &[u32]),
        mut wide: WideNode<T>,
        children: &[WideChild],
    ) {
        (wide.held, wide.upright) = (true, true);
        for child in children {
            let node = &nodes[child.node as usize];
            if node.child > 0 {
                wide.shallowest = wide.shallowest.min(child.depth);
            }
            let mut solid = node.oriented.wide();
            let out = sticking_out(&solid, node);
            let held = out <= STICKS_OUT * self.size;
            let upright = held && is_upright(&solid, node, self.size);
            (wide.held, wide.upright) = (wide.held & held, wide.upright & upright);
            if node.child == 0 && out > self.out {
                self.out = out;
            }
            solid.center = sub(solid.center, self.middle);
            let single = node.child == 0 && node.range().len() == 1;
            let primitive = if single { order[node.first as usize] } else { u32::MAX };
            let whole = self.made && single;
            self.children.push(WideChild { primitive, held, upright, whole, ..*child });
            self.records.push(record(&solid));
        }
        self.wides.push(wide);
    }

    /// Replaces a child by its first child and appends its second.
    fn open(
        &self,
        wide: &mut WideNode<T>,
        children: &mut [WideChild; SIDE],
        (nodes, bounds): (&[Node<T>], &[T]),
        place: usize,
    ) {
        let WideChild { node, depth, .. } = children[place];
        let opened = &nodes[node as usize];
        (wide.opened, wide.deepest) = (wide.opened.max(depth), wide.deepest.max(depth + 1));
        let bound = bounds[node as usize];
        wide.least = if bound < wide.least { bound } else { wide.least };
        for (place, child) in [(place, opened.child), (usize::from(wide.len), opened.child + 1)] {
            children[place] = WideChild { node: child, depth: depth + 1, ..WideChild::default() };
            self.put(wide, place, (&nodes[child as usize], bounds[child as usize]));
        }
        wide.len += 1;
    }

    /// Returns a wide node with a single child, given its least bound and the index of the child.
    pub fn alone(&self, node: (&Node<T>, T), number: u32, depth: u8) -> WideNode<T> {
        let mut wide = WideNode::of_one(number, depth, node.1);
        self.put(&mut wide, 0, node);
        wide
    }

    pub fn children_of(&self, wide: &WideNode<T>) -> &[WideChild] {
        let first = wide.first as usize;
        &self.children[first..first + usize::from(wide.len)]
    }

    fn put(&self, wide: &mut WideNode<T>, place: usize, (node, bound): (&Node<T>, T)) {
        let seen = |p| sub(wide_point(p), self.middle);
        wide.boxes.put(place, seen(node.aligned.min), seen(node.aligned.max));
        wide.lowest = if bound < wide.lowest { bound } else { wide.lowest };
        wide.leaves = wide.leaves & !(1 << place) | u8::from(node.child == 0) << place;
        wide.filled = wide.filled & !(1 << place) | u8::from(fills_aligned(node)) << place;
    }

    /// Returns a child by index; the first is the root.
    pub fn child(&self, number: u32) -> &WideChild {
        &self.children[number as usize]
    }

    /// Returns a wide node by index; the first has the root as its only child.
    pub fn wide(&self, number: u32) -> &WideNode<T> {
        &self.wides[number as usize]
    }

    /// Returns the wide node of a child that is not a leaf.
    pub fn below(&self, child: &WideChild) -> &WideNode<T> {
        self.wide(child.wide)
    }
}

/// Returns an upper bound on the length by which the oriented box of a node protrudes from the
/// aligned one along the part's axes; negative if it lies inside.
fn sticking_out<T: Scalar>(solid: &WideObb, node: &Node<T>) -> f64 {
    let (center, half) = node.aligned.wide();
    let (beside, spread) = (sub(solid.center, center), solid.aabb_half_extents());
    let out = [0, 1, 2].map(|i| beside[i].abs() + spread[i] - half[i]);
    out[0].max(out[1]).max(out[2])
}

/// Returns `true` if an oriented box inside the aligned one equals it, up to the rounding of stored
/// corners: far less than the overlap that proves a common point.
fn is_upright<T: Scalar>(solid: &WideObb, node: &Node<T>, size: f64) -> bool {
    let (half, rounding) = (node.aligned.wide().1, (4.0 * T::ROUNDING + STICKS_OUT) * size);
    solid.axes == IDENTITY && (0..3).all(|i| half[i] - solid.half_extents[i] <= rounding)
}

/// Returns `true` if the oriented box of a node has nearly the surface of the aligned one.
fn fills_aligned<T: Scalar>(node: &Node<T>) -> bool {
    let surface = |[x, y, z]: Vec3| x * y + y * z + z * x;
    let oriented = surface(node.oriented.wide().half_extents);
    oriented >= FILLING * surface(node.aligned.wide().1)
}

/// Returns the child to open next, given the number of leaves of each. The child with the most
/// leaves is opened while it overfills a wide node of its own; then the one with the fewest, if all
/// its leaves fit. So wide nodes at the bottom are not left with two or three children.
fn next_to_open(leaves: impl ExactSizeIterator<Item = u32> + Clone) -> Option<usize> {
    let (len, most) = (leaves.len(), leaves.clone().max()?);
    if most as usize > SIDE {
        return leaves.clone().position(|count| count == most).filter(|_| len < SIDE);
    }
    let few = leaves.clone().filter(|&count| count > 1).min()?;
    let fits = len - 1 + few as usize <= SIDE;
    leaves.clone().position(|count| count == few).filter(|_| fits)
}

fn leaves<T: Scalar>(nodes: &[Node<T>]) -> Vec<u32> {
    let mut leaves = vec![1; nodes.len()];
    // Children come after their parents.
    for (index, node) in nodes.iter().enumerate().rev() {
        if node.child > 0 {
            leaves[index] = leaves[node.child as usize] + leaves[node.child as usize + 1];
        }
    }
    leaves
}

/// Returns the least bound of each node and all nodes below it.
fn lowest_bounds<T: Scalar>(nodes: &[Node<T>], bounds: &[T]) -> Vec<T> {
    let mut lowest = bounds.to_vec();
    for (index, node) in nodes.iter().enumerate().rev() {
        if node.child > 0 {
            for child in [node.child as usize, node.child as usize + 1] {
                lowest[index] =
                    if lowest[child] < lowest[index] { lowest[child] } else { lowest[index] };
            }
        }
    }
    lowest
}

impl<T: Scalar> WideNode<T> {
    /// Creates a wide node with room for one box, given the least bound of the nodes below.
    fn of_one(number: u32, depth: u8, lowest_below: T) -> Self {
        WideNode {
            boxes: EightBoxes::default(),
            first: number,
            len: 1,
            below: 0,
            leaves: 0,
            filled: 0,
            held: false,
            upright: false,
            deepest: depth,
            opened: 0,
            least: T::nearest(f64::INFINITY),
            lowest: T::nearest(f64::INFINITY),
            lowest_below,
            shallowest: u8::MAX,
        }
    }

    /// Creates a wide node with a single leaf, a box about the origin.
    pub fn leaf(half: Vec3) -> Self {
        let mut wide = WideNode::of_one(0, 0, T::zero());
        wide.boxes.put(0, half.map(|x| -x), half);
        wide.leaves = 1;
        wide
    }

    /// Returns the index of the wide node of the inner child in a lane.
    pub fn below(&self, place: u32) -> u32 {
        self.below + (!self.leaves & ((1 << place) - 1)).count_ones()
    }

    /// Returns `true` if a cut at that depth lies below every node that was opened here.
    pub fn is_above(&self, cut: u8) -> bool {
        self.opened < cut
    }

    /// Returns `true` if no skipped pair can have a slack of at most `most`: a pair of nodes at
    /// equal depths of which one was opened to get the children of `self` or `other`.
    pub fn skips_no_slack(&self, other: &Self, most: f64) -> bool {
        let passed = |x: &Self, y: &Self| {
            let deep = y.shallowest >= x.opened;
            x.least.wide() + if deep { y.lowest } else { y.lowest_below }.wide()
        };
        passed(self, other) > most && passed(other, self) > most
    }
}

impl WideChild {
    pub fn is_leaf(&self) -> bool {
        self.wide == 0
    }

    /// Returns the primitive of a leaf with only one.
    pub fn only_primitive(&self) -> Option<u32> {
        (self.primitive < u32::MAX).then_some(self.primitive)
    }

    /// Returns `true` if two nodes are a pair at equal depths: their depths are equal, or the
    /// shallower one is a leaf.
    pub fn is_level_with(&self, other: &Self) -> bool {
        self.depth == other.depth
            || self.depth < other.depth && self.is_leaf()
            || other.depth < self.depth && other.is_leaf()
    }
}
