//! Data of a tree that summarise all of its nodes.

use crate::num::linear::{Vec3, length};
use crate::num::{Fingerprint, Scalar};
use crate::shape::wide_point;
use crate::tree::store::hulls::NodeHulls;
use crate::tree::{CutBounds, Geometry, Node};

/// Summary of a tree, gathered in one pass: hashing, where each step depends on the last, leaves
/// time for the rest.
pub(super) struct TreeSummary {
    /// Maxima over the nodes, by depth.
    nodes: Vec<CutBounds>,
    /// Maxima over the leaves, by depth.
    leaves: Vec<CutBounds>,
    digest: TreeDigest,
}

impl TreeSummary {
    /// Creates the summary of no nodes, for a tree of that depth.
    pub fn new<T: Scalar>(geometry: &Geometry<T>, depth: u8) -> Self {
        let blank = vec![CutBounds::default(); usize::from(depth) + 1];
        TreeSummary { nodes: blank.clone(), leaves: blank, digest: TreeDigest::new(geometry) }
    }

    pub fn add<T: Scalar>(&mut self, node: &Node<T>, depth: u8) {
        let radius = node.oriented.wide().radius();
        let of_node = CutBounds { bound: node.bound.wide(), radius, least_bound: 0.0 };
        let (own, leaf) =
            (&mut self.nodes[usize::from(depth)], &mut self.leaves[usize::from(depth)]);
        *own = own.maxima(&of_node);
        if node.first_child == 0 {
            *leaf = leaf.maxima(&of_node);
        }
        self.digest.add(node, radius);
    }

    /// Returns for each depth the largest bound and radius of its cut - the nodes there, and the
    /// leaves above - and the least of these bounds so far.
    pub fn coarsest(&self) -> Vec<CutBounds> {
        let (mut above, mut least_bound) = (CutBounds::default(), f64::INFINITY);
        let at = |(own, leaves): (&CutBounds, &CutBounds)| {
            above = above.maxima(leaves);
            let cut = own.maxima(&above);
            least_bound = least_bound.min(cut.bound);
            CutBounds { least_bound, ..cut }
        };
        self.nodes.iter().zip(&self.leaves).map(at).collect()
    }

    /// Returns the digest, with that of the hulls.
    pub fn digest(mut self, hulls: &NodeHulls) -> TreeDigest {
        hulls.for_each_bits(|bits| self.digest.hash.add(bits));
        self.digest
    }
}

/// Part of the summary that does not depend on the nodes' depths: radius about the origin,
/// fingerprint.
pub(in crate::tree) struct TreeDigest {
    radius_about_origin: f64,
    hash: Fingerprint,
}

impl TreeDigest {
    fn new<T: Scalar>(geometry: &Geometry<T>) -> Self {
        let mut hash = Fingerprint::default();
        geometry.for_each_bits(|bits| hash.add(bits));
        TreeDigest { radius_about_origin: 0.0, hash }
    }

    /// Returns the digest of all nodes of a tree.
    pub fn from_nodes<T: Scalar>(
        geometry: &Geometry<T>,
        nodes: &[Node<T>],
        hulls: &NodeHulls,
    ) -> Self {
        let mut digest = TreeDigest::new(geometry);
        nodes.iter().for_each(|node| digest.add(node, node.oriented.wide().radius()));
        hulls.for_each_bits(|bits| digest.hash.add(bits));
        digest
    }

    /// Adds the next node, given the half diagonal of its oriented box.
    fn add<T: Scalar>(&mut self, node: &Node<T>, radius: f64) {
        self.radius_about_origin =
            self.radius_about_origin.max(node_radius_about_origin(node, radius));
        self.hash.add(u64::from(node.first_child));
        self.hash.add(node.bound.bits());
        node.oriented.bits().for_each(|bits| self.hash.add(bits));
    }

    /// Returns an upper bound on the distance of any point of any box from the origin [part units].
    pub fn radius_about_origin(&self) -> f64 {
        // The factor covers rounding here and axes that are not orthogonal.
        self.radius_about_origin * (1.0 + 1e-6)
    }

    /// Returns a hash of geometry and nodes: trees of one geometry built in two ways differ, which
    /// distinguishes two parts at one position.
    pub fn fingerprint(&self) -> u64 {
        self.hash.value()
    }
}

impl CutBounds {
    fn maxima(&self, other: &Self) -> Self {
        let (bound, radius) = (self.bound.max(other.bound), self.radius.max(other.radius));
        CutBounds { bound, radius, least_bound: 0.0 }
    }
}

/// Returns the radius of a node's boxes about the origin, given the half diagonal of the oriented
/// one.
fn node_radius_about_origin<T: Scalar>(node: &Node<T>, radius: f64) -> f64 {
    let far = |i: usize| node.aligned.min[i].wide().abs().max(node.aligned.max[i].wide().abs());
    let corner: Vec3 = [far(0), far(1), far(2)];
    let oriented = length(wide_point(node.oriented.center())) + radius;
    length(corner).max(oriented)
}
