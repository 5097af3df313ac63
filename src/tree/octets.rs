//! The same tree eight ways instead of two: what stands side by side is compared together.

use super::{Accuracy, Node};
use crate::num::Scalar;
use crate::num::linear::{Vec3, sub};
use crate::pair::octet::{Octet, SIDE};
use crate::pair::turned::Turned;
use crate::shape::wide_point;

/// Up to eight nodes that together stand for one above them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wide<T: Scalar> {
    pub boxes: Octet,
    pub spots: [Spot; SIDE],
    pub len: u8,
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
    /// 0 for a leaf.
    octet: u32,
    pub depth: u8,
}

/// All octets of a tree; the first is empty.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Octets<T: Scalar> {
    wides: Vec<Wide<T>>,
    /// The middle of the root box, from which all are seen.
    pub middle: Vec3,
    /// The half extents of the root box, summed.
    pub size: f64,
}

impl<T: Scalar> Octets<T> {
    /// Held beside itself.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.wides[..])
    }

    pub fn new(nodes: &[Node<T>]) -> Self {
        let (middle, half) = nodes[0].aligned.wide();
        let size = half[0] + half[1] + half[2];
        let mut octets = Octets { wides: Vec::new(), middle, size };
        octets.wides.push(octets.alone(&nodes[0], Spot::default()));
        if nodes[0].child > 0 {
            octets.add(nodes, 0, 0);
        }
        // What an octet stands for comes before it, so one pass meets them all.
        let mut index = 1;
        while index < octets.wides.len() {
            for place in 0..usize::from(octets.wides[index].len) {
                let Spot { node, depth, .. } = octets.wides[index].spots[place];
                if nodes[node as usize].child > 0 {
                    octets.wides[index].spots[place].octet = octets.wides.len() as u32;
                    octets.add(nodes, node, depth);
                }
            }
            index += 1;
        }
        octets.wides.shrink_to_fit();
        octets
    }

    /// Adds the octet of a node that has children: opens the node with the most primitives until there are eight.
    fn add(&mut self, nodes: &[Node<T>], node: u32, depth: u8) {
        let mut wide = self.alone(&nodes[node as usize], Spot { node, depth, octet: 0 });
        // What there is to open, by place.
        let count = |node: &Node<T>| if node.child > 0 { node.last - node.first } else { 0 };
        let mut counts = [0; SIDE];
        counts[0] = count(&nodes[node as usize]);
        while usize::from(wide.len) < SIDE {
            let place = (0..SIDE).rev().max_by_key(|&place| counts[place]).unwrap_or(0);
            if counts[place] == 0 {
                break;
            }
            let child = nodes[wide.spots[place].node as usize].child as usize;
            counts[place] = count(&nodes[child]);
            counts[usize::from(wide.len)] = count(&nodes[child + 1]);
            self.open(&mut wide, nodes, place);
        }
        self.wides.push(wide);
    }

    /// Puts the children of a node in its place and behind the others.
    fn open(&self, wide: &mut Wide<T>, nodes: &[Node<T>], place: usize) {
        let Spot { node, depth, .. } = wide.spots[place];
        let opened = &nodes[node as usize];
        (wide.opened, wide.deepest) = (wide.opened.max(depth), wide.deepest.max(depth + 1));
        wide.least = if opened.bound < wide.least { opened.bound } else { wide.least };
        for (place, child) in [(place, opened.child), (usize::from(wide.len), opened.child + 1)] {
            wide.spots[place] = Spot { node: child, depth: depth + 1, octet: 0 };
            let bounds = nodes[child as usize].aligned;
            let seen = |p| sub(wide_point(p), self.middle);
            wide.boxes.put(place, seen(bounds.min), seen(bounds.max));
        }
        wide.len += 1;
    }

    /// A single node that stands for itself.
    pub fn alone(&self, node: &Node<T>, spot: Spot) -> Wide<T> {
        let mut wide = Wide {
            boxes: Octet::default(),
            spots: [Spot::default(); SIDE],
            len: 1,
            deepest: spot.depth,
            opened: 0,
            least: T::nearest(f64::INFINITY),
        };
        wide.spots[0] = spot;
        let seen = |p| sub(wide_point(p), self.middle);
        wide.boxes.put(0, seen(node.aligned.min), seen(node.aligned.max));
        wide
    }

    /// Writes down the oriented boxes of an octet whose bits are set.
    pub fn turn(&self, nodes: &[Node<T>], wide: &Wide<T>, mut places: u8, turned: &mut Turned) {
        while places != 0 {
            let place = places.trailing_zeros() as usize;
            places &= places - 1;
            let mut solid = nodes[wide.spots[place].node as usize].oriented.wide();
            solid.center = sub(solid.center, self.middle);
            turned.put(place, &solid);
        }
    }

    /// The root.
    pub fn root(&self) -> Spot {
        Spot { octet: u32::from(self.wides.len() > 1), ..Spot::default() }
    }

    /// What stands for a node, if all that was opened to get there is opened at that accuracy too.
    pub fn below(&self, spot: Spot, accuracy: Accuracy) -> Option<&Wide<T>> {
        let wide = (spot.octet > 0).then(|| &self.wides[spot.octet as usize])?;
        accuracy.opens(wide.least, wide.opened).then_some(wide)
    }
}
