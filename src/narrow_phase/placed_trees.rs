//! Where the narrow phase finds the trees of candidates, and what it looks for.

use super::candidates::Candidate;
use super::part_id::PartId;
use crate::num::Scalar;
use crate::shape::Pose;
use crate::tree::{ObbTree, Seat, Seats, TreePair};

/// The parts that candidates name: trees and their poses.
pub(crate) trait PlacedTrees<'a, T: Scalar> {
    /// The tree of a part. Candidates name only parts with geometry.
    fn tree(&self, part: (u32, PartId)) -> &'a ObbTree<T>;

    /// The pose of a part.
    fn pose(&self, part: (u32, PartId)) -> &'a Pose<T>;

    /// The tree of a part in its place.
    fn seat(&self, part: (u32, PartId)) -> Seat<'a, T>;

    /// How far apart two parts may be and count as touching. World units.
    fn margin(&self, candidate: &Candidate) -> f64;

    /// The two trees in their places, in the order of the arithmetic.
    #[inline]
    fn seats(&self, candidate: &Candidate) -> Seats<'a, T> {
        Seats::new(self.seat(candidate.a), self.seat(candidate.b))
    }

    /// The two trees as one seen from the other.
    #[inline]
    fn tree_pair(&self, candidate: &Candidate) -> TreePair<'a, T> {
        TreePair::between(self.seats(candidate)).with_margin(self.margin(candidate))
    }
}

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// One pair of parts, any.
    Any,
    /// All pairs of parts.
    Parts,
    /// All pairs of nodes.
    Nodes,
    /// The deepest contact of each pair of parts.
    DeepestContacts,
    /// The contacts of all pairs of nodes.
    Contacts,
}

impl Goal {
    /// Whether answers name no nodes.
    pub fn is_about_parts(self) -> bool {
        matches!(self, Goal::Any | Goal::Parts)
    }

    /// Whether answers are contacts.
    pub fn has_contacts(self) -> bool {
        matches!(self, Goal::DeepestContacts | Goal::Contacts)
    }
}
