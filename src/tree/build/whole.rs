//! What is known of all nodes of a tree together.

use crate::num::linear::{Vec3, length};
use crate::num::{Fingerprint, Scalar};
use crate::shape::wide_point;
use crate::tree::{Coarsest, Geometry, Node};

/// Gathered in one pass: nodes are many, and hashing, where each step waits for the one before, leaves time for the rest.
pub(super) struct Whole {
    /// Of the nodes at each depth.
    own: Vec<Coarsest>,
    /// Of the leaves at each depth.
    leaves: Vec<Coarsest>,
    outline: Outline,
}

impl Whole {
    /// Without nodes yet, for a tree as deep as that.
    pub fn new<T: Scalar>(geometry: &Geometry<T>, depth: u8) -> Self {
        let blank = vec![Coarsest::default(); usize::from(depth) + 1];
        Whole { own: blank.clone(), leaves: blank, outline: Outline::new(geometry) }
    }

    /// The next node.
    pub fn add<T: Scalar>(&mut self, node: &Node<T>, depth: u8) {
        let radius = node.oriented.wide().radius();
        let seen = Coarsest { bound: node.bound.wide(), radius };
        let (own, leaf) = (&mut self.own[usize::from(depth)], &mut self.leaves[usize::from(depth)]);
        *own = own.looser(&seen);
        if node.child == 0 {
            *leaf = leaf.looser(&seen);
        }
        self.outline.add(node, radius);
    }

    /// For each depth the loosest of what its cut consists of: its own nodes, and the leaves above.
    pub fn coarsest(&self) -> Vec<Coarsest> {
        let mut above = Coarsest::default();
        let at = |(own, leaves): (&Coarsest, &Coarsest)| {
            above = above.looser(leaves);
            own.looser(&above)
        };
        self.own.iter().zip(&self.leaves).map(at).collect()
    }

    pub fn outline(&self) -> &Outline {
        &self.outline
    }
}

/// What of this does not depend on how deep the nodes are.
pub(in crate::tree) struct Outline {
    reach: f64,
    hash: Fingerprint,
}

impl Outline {
    fn new<T: Scalar>(geometry: &Geometry<T>) -> Self {
        let mut hash = Fingerprint::default();
        geometry.for_each_bits(|bits| hash.add(bits));
        Outline { reach: 0.0, hash }
    }

    /// Of all nodes of a tree.
    pub fn of<T: Scalar>(geometry: &Geometry<T>, nodes: &[Node<T>]) -> Self {
        let mut outline = Outline::new(geometry);
        nodes.iter().for_each(|node| outline.add(node, node.oriented.wide().radius()));
        outline
    }

    /// The next node, given the half diagonal of its oriented box.
    fn add<T: Scalar>(&mut self, node: &Node<T>, radius: f64) {
        self.reach = self.reach.max(farthest(node, radius));
        self.hash.add(u64::from(node.child));
        self.hash.add(node.bound.bits());
        node.oriented.bits().for_each(|bits| self.hash.add(bits));
    }

    /// No point of any box is further from the origin. Part units.
    pub fn reach(&self) -> f64 {
        // The share covers rounding here and axes not quite at right angles.
        self.reach * (1.0 + 1e-6)
    }

    /// Trees of one geometry built in two ways differ here too: two parts in one place are told apart by it.
    pub fn fingerprint(&self) -> u64 {
        self.hash.value()
    }
}

impl Coarsest {
    fn looser(&self, other: &Self) -> Self {
        let (bound, radius) = (self.bound.max(other.bound), self.radius.max(other.radius));
        Coarsest { bound, radius }
    }
}

/// How far from the origin the boxes of a node go, given the half diagonal of the oriented one.
fn farthest<T: Scalar>(node: &Node<T>, radius: f64) -> f64 {
    let far = |i: usize| node.aligned.min[i].wide().abs().max(node.aligned.max[i].wide().abs());
    let corner: Vec3 = [far(0), far(1), far(2)];
    let oriented = length(wide_point(node.oriented.center())) + radius;
    length(corner).max(oriented)
}
