//! World AABB of a character.

use super::aabb16::AabbF32;
use super::nearness::Nearness;
use crate::num::Scalar;
use crate::shape::Aabb;

/// A character as the broad phase sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CharacterAabb<T: Scalar> {
    /// `true` for a character at rest; two of these are never a pair.
    pub at_rest: bool,
    /// Box around the boxes of its parts. [world frame]
    pub bounds: Aabb<T, 3>,
    /// Like [`bounds`](Self::bounds), in single precision, rounded outward.
    pub bounds_f32: AabbF32,
}

impl<T: Scalar> CharacterAabb<T> {
    /// Creates the entry of a character without parts.
    pub fn empty(at_rest: bool) -> Self {
        let (bounds, bounds_f32) = (Aabb::empty(), AabbF32::EMPTY);
        CharacterAabb { at_rest, bounds, bounds_f32 }
    }

    /// Returns `true` if not both are at rest and their boxes are near each other.
    pub fn is_near(&self, other: &Self, nearness: Nearness) -> bool {
        !(self.at_rest && other.at_rest) && nearness.are_near(&self.bounds, &other.bounds)
    }
}
