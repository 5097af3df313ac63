//! The same tree eight ways instead of two: what stands side by side is compared together.

use super::{Accuracy, Node};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, sub};
use crate::num::vectors::Record;
use crate::pair::octet::{Octet, SIDE};
use crate::pair::turned::record;
use crate::shape::{WideObb, wide_point};

/// How far an oriented box may stick out of the one along the frame and still count as held by it,
/// as a share of the root's size: far less than boxes have to overlap to be sure to share a point.
const STICKS_OUT: f64 = 1.0 / (1u64 << 40) as f64;

/// Up to eight nodes that together stand for one above them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wide<T: Scalar> {
    pub boxes: Octet,
    /// The number of the first of its spots, which follow each other.
    pub first: u32,
    pub len: u8,
    /// A bit for each that is a leaf.
    pub leaves: u8,
    /// Whether all oriented boxes lie in those along the frame; whether all are those.
    pub held: bool,
    pub upright: bool,
    /// How deep the deepest of them is.
    pub deepest: u8,
    /// How deep the deepest of the nodes that were opened to get there is.
    opened: u8,
    /// The least bound of those.
    least: T,
}

/// A node: where it is, how deep, and which octet stands for it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Spot {
    pub node: u32,
    /// 0 for a leaf: the first octet stands for no node.
    octet: u32,
    pub depth: u8,
    /// Whether the oriented box lies in the one along the frame.
    pub held: bool,
    /// Whether it is that box, but for rounding.
    pub upright: bool,
}

/// All octets of a tree; the first holds the root alone.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Octets<T: Scalar> {
    wides: Vec<Wide<T>>,
    /// Of all octets; the root first.
    pub spots: Vec<Spot>,
    /// Their oriented boxes.
    pub records: Vec<Record>,
    /// The middle of the root box, from which all are seen.
    pub middle: Vec3,
    /// The half extents of the root box, summed.
    pub size: f64,
    /// How far the oriented box of a leaf sticks out of the one along the frame, along its axes.
    pub out: f64,
}

impl<T: Scalar> Octets<T> {
    /// Held beside itself.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.wides[..]) + size_of_val(&self.spots[..]) + size_of_val(&self.records[..])
    }

    pub fn new(nodes: &[Node<T>]) -> Self {
        let (middle, half) = nodes[0].aligned.wide();
        let size = half[0] + half[1] + half[2];
        let leaves = leaves(nodes);
        // Leaves, and a quarter as many for what is above them: where octets are full it is a
        // seventh.
        let (most, wides) = (leaves[0] as usize / 4 * 5 + SIDE, Vec::new());
        let (spots, records) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let mut octets = Octets { wides, spots, records, middle, size, out: 0.0 };
        let root = octets.alone(&nodes[0], 0, 0);
        octets.push(nodes, root, &[Spot::default()]);
        // What an octet stands for comes before it, so one pass meets them all.
        let mut index = 0;
        while let Some(&Spot { node, .. }) = octets.spots.get(index) {
            if nodes[node as usize].child > 0 {
                octets.spots[index].octet = octets.wides.len() as u32;
                octets.add(nodes, &leaves, octets.spots[index]);
            }
            index += 1;
        }
        octets.wides.shrink_to_fit();
        octets.spots.shrink_to_fit();
        octets.records.shrink_to_fit();
        octets
    }

    /// Adds the octet of a node that has children: opens one after another until there are eight,
    /// or no more fit.
    fn add(&mut self, nodes: &[Node<T>], leaves: &[u32], Spot { node, depth, .. }: Spot) {
        let mut wide = self.alone(&nodes[node as usize], self.spots.len() as u32, depth);
        let mut spots = [Spot { node, depth, ..Spot::default() }; SIDE];
        loop {
            let len = usize::from(wide.len);
            let Some(place) = next_to_open(spots[..len].iter().map(|s| leaves[s.node as usize]))
            else {
                return self.push(nodes, wide, &spots[..len]);
            };
            self.open(&mut wide, &mut spots, nodes, place);
        }
    }

    /// Takes an octet in that is complete, and writes down the oriented boxes.
    fn push(&mut self, nodes: &[Node<T>], mut wide: Wide<T>, spots: &[Spot]) {
        (wide.held, wide.upright) = (true, true);
        for spot in spots {
            let node = &nodes[spot.node as usize];
            let mut solid = node.oriented.wide();
            let out = sticking_out(&solid, node);
            let held = out <= STICKS_OUT * self.size;
            let upright = held && is_upright(&solid, node, self.size);
            (wide.held, wide.upright) = (wide.held & held, wide.upright & upright);
            if node.child == 0 && out > self.out {
                self.out = out;
            }
            solid.center = sub(solid.center, self.middle);
            self.spots.push(Spot { held, upright, ..*spot });
            self.records.push(record(&solid));
        }
        self.wides.push(wide);
    }

    /// Puts the children of a node in its place and behind the others.
    fn open(&self, wide: &mut Wide<T>, spots: &mut [Spot; SIDE], nodes: &[Node<T>], place: usize) {
        let Spot { node, depth, .. } = spots[place];
        let opened = &nodes[node as usize];
        (wide.opened, wide.deepest) = (wide.opened.max(depth), wide.deepest.max(depth + 1));
        wide.least = if opened.bound < wide.least { opened.bound } else { wide.least };
        for (place, child) in [(place, opened.child), (usize::from(wide.len), opened.child + 1)] {
            spots[place] = Spot { node: child, depth: depth + 1, ..Spot::default() };
            self.put(wide, place, &nodes[child as usize]);
        }
        wide.len += 1;
    }

    /// A single node that stands for itself, and the number of its spot.
    pub fn alone(&self, node: &Node<T>, number: u32, depth: u8) -> Wide<T> {
        let mut wide = Wide {
            boxes: Octet::default(),
            first: number,
            len: 1,
            leaves: 0,
            held: false,
            upright: false,
            deepest: depth,
            opened: 0,
            least: T::nearest(f64::INFINITY),
        };
        self.put(&mut wide, 0, node);
        wide
    }

    pub fn spots_of(&self, wide: &Wide<T>) -> &[Spot] {
        let first = wide.first as usize;
        &self.spots[first..first + usize::from(wide.len)]
    }

    fn put(&self, wide: &mut Wide<T>, place: usize, node: &Node<T>) {
        let seen = |p| sub(wide_point(p), self.middle);
        wide.boxes.put(place, seen(node.aligned.min), seen(node.aligned.max));
        wide.leaves = wide.leaves & !(1 << place) | u8::from(node.child == 0) << place;
    }

    /// What stands for a node that is not a leaf, if all that was opened to get there is opened at
    /// that accuracy too.
    pub fn below(&self, spot: &Spot, accuracy: Accuracy) -> Option<&Wide<T>> {
        let wide = &self.wides[spot.octet as usize];
        accuracy.opens(wide.least, wide.opened).then_some(wide)
    }
}

/// How far the oriented box of a node sticks out of the one along the frame, at most, along one of
/// its axes; negative if it lies inside.
fn sticking_out<T: Scalar>(solid: &WideObb, node: &Node<T>) -> f64 {
    let (center, half) = node.aligned.wide();
    let (beside, spread) = (sub(solid.center, center), solid.aabb_half_extents());
    let out = [0, 1, 2].map(|i| beside[i].abs() + spread[i] - half[i]);
    out[0].max(out[1]).max(out[2])
}

/// Whether an oriented box that lies in the one along the frame is that one, but for what storing
/// the ends of that rounds off: far less than boxes have to overlap to be sure to touch.
fn is_upright<T: Scalar>(solid: &WideObb, node: &Node<T>, size: f64) -> bool {
    let (half, rounding) = (node.aligned.wide().1, (4.0 * T::ROUNDING + STICKS_OUT) * size);
    solid.axes == IDENTITY && (0..3).all(|i| half[i] - solid.half_extents[i] <= rounding)
}

/// Which of some nodes to open next, of which the numbers of their leaves are given: the one with
/// the most, as long as these fill more than an octet of their own; then the one with the fewest,
/// if they all fit. So octets at the bottom are not left with two or three.
fn next_to_open(leaves: impl ExactSizeIterator<Item = u32> + Clone) -> Option<usize> {
    let (len, most) = (leaves.len(), leaves.clone().max()?);
    if most as usize > SIDE {
        return leaves.clone().position(|count| count == most).filter(|_| len < SIDE);
    }
    let few = leaves.clone().filter(|&count| count > 1).min()?;
    let fits = len - 1 + few as usize <= SIDE;
    leaves.clone().position(|count| count == few).filter(|_| fits)
}

/// How many leaves there are below each node.
fn leaves<T: Scalar>(nodes: &[Node<T>]) -> Vec<u32> {
    let mut leaves = vec![1; nodes.len()];
    // Children come after what they are children of.
    for (index, node) in nodes.iter().enumerate().rev() {
        if node.child > 0 {
            leaves[index] = leaves[node.child as usize] + leaves[node.child as usize + 1];
        }
    }
    leaves
}

impl Spot {
    pub fn is_leaf(&self) -> bool {
        self.octet == 0
    }
}
