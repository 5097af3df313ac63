//! Access to the trees of candidates, and goals of a narrow phase.

use super::candidates::Candidate;
use super::part_id::PartId;
use super::root_traits::LeafBoxes;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::Pose;
use crate::tree::{Accuracy, ObbTree, OrderedPair, PlacedTree, TreePair};

/// Trees and poses of the parts that candidates name.
pub(crate) trait PlacedTrees<'a, T: Scalar> {
    /// Returns the tree of a part. Candidates name only parts with geometry.
    fn tree(&self, part: (u32, PartId)) -> &'a ObbTree<T>;

    /// Returns the pose of a part.
    fn pose(&self, part: (u32, PartId)) -> &'a Pose<T>;

    /// Returns the tree of a part with its pose.
    fn placed_tree(&self, part: (u32, PartId)) -> PlacedTree<'a, T>;

    /// Returns the margin: parts no further apart count as touching. [world units]
    fn margin(&self, candidate: &Candidate) -> f64;

    /// Returns the aligned boxes of a part of a model that has them in single precision.
    fn leaf_boxes(&self, part: (u32, PartId)) -> LeafBoxes<'a>;

    /// Returns the direction to prefer for the normal of two parts, from the first of the candidate
    /// to its second. [world frame]
    fn preferred_normal(&self, _: &Candidate) -> Option<Vec3> {
        None
    }

    /// Returns the two placed trees in canonical order.
    #[inline]
    fn ordered_pair(&self, candidate: &Candidate) -> OrderedPair<'a, T> {
        OrderedPair::new(self.placed_tree(candidate.a), self.placed_tree(candidate.b))
    }

    /// Returns the two trees as a pair with a relative pose and the margin.
    #[inline]
    fn tree_pair(&self, candidate: &Candidate) -> TreePair<'a, T> {
        TreePair::from_ordered(self.ordered_pair(candidate)).with_margin(self.margin(candidate))
    }
}

/// Goal of a narrow phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Any one pair of parts.
    Any,
    /// All pairs of parts.
    Parts,
    /// All pairs of nodes.
    Nodes,
    /// The contact of the bodies of each pair of parts.
    BodyContacts,
    /// The deepest contact of boxes of each pair of parts.
    DeepestContacts,
    /// The contacts of all pairs of nodes.
    Contacts,
}

impl Goal {
    /// Returns `true` if answers name parts only, no nodes.
    pub fn names_parts_only(self) -> bool {
        matches!(self, Goal::Any | Goal::Parts | Goal::BodyContacts)
    }

    /// Returns `true` if answers have contacts.
    pub fn has_contacts(self) -> bool {
        matches!(self, Goal::BodyContacts | Goal::DeepestContacts | Goal::Contacts)
    }

    /// Returns `true` if answers have contacts of boxes, which have no margin.
    pub fn has_box_contacts(self, accuracy: Accuracy) -> bool {
        match self {
            Goal::Any | Goal::Parts | Goal::Nodes => false,
            // Boxes stand in for bodies when the budget ends.
            Goal::BodyContacts => matches!(accuracy, Accuracy::Budget(_)),
            Goal::DeepestContacts | Goal::Contacts => true,
        }
    }
}
