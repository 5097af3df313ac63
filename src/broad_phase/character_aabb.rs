//! The world AABB of a character, and of its parts.

use super::aabb16::AabbF32;
use super::nearness::Nearness;
use crate::num::Scalar;
use crate::shape::Aabb;

/// One character to the broad phase.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CharacterAabb<T: Scalar> {
    /// Two at rest are no pair.
    pub at_rest: bool,
    /// Holds the boxes of its parts.
    pub bounds: Aabb<T, 3>,
    /// The same in single precision.
    pub around: AabbF32,
}

impl<T: Scalar> CharacterAabb<T> {
    /// An empty one without parts.
    pub fn empty(at_rest: bool) -> Self {
        let (bounds, around) = (Aabb::empty(), AabbF32::NOTHING);
        CharacterAabb { at_rest, bounds, around }
    }

    /// Whether the two are not both at rest and their boxes are that near.
    pub fn is_near(&self, other: &Self, within: Nearness) -> bool {
        !(self.at_rest && other.at_rest) && within.holds(&self.bounds, &other.bounds)
    }
}
