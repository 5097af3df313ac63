//! One character of a snapshot.

use std::ops::{Deref, DerefMut};

use slotmap::DefaultKey;

use super::Character;
use crate::broad_phase::{AabbRange, CharacterAabb, SIDE_BY_SIDE};
use crate::num::Scalar;

/// For parts up to so many there are masks with a bit each.
pub(super) const MANY_PARTS: usize = SIDE_BY_SIDE;

/// One character of a snapshot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<T: Scalar> {
    pub slot: DefaultKey,
    pub order: u64,
    /// Of the character's state when it was placed; none if it has to be placed.
    pub stamp: Option<u64>,
    pub aabb: CharacterAabb<T>,
    /// The boxes of its parts.
    pub parts: AabbRange,
    /// A bit for each part, as [`Roots`](crate::model::Roots) has them.
    pub upright: u64,
    pub single: u64,
    /// Those whose root has a convex hull.
    pub hulled: u64,
    pub whole: u64,
    /// Whether the prefilter in single precision can tell anything.
    pub quick: bool,
}

impl<T: Scalar> Entry<T> {
    /// One that has no room yet.
    pub fn new(slot: DefaultKey, character: &Character<T>) -> Self {
        Entry {
            slot,
            order: character.order,
            stamp: None,
            aabb: CharacterAabb::empty(character.at_rest),
            parts: AabbRange::default(),
            upright: 0,
            single: 0,
            hulled: 0,
            whole: 0,
            quick: false,
        }
    }

    /// Forgets where the character was, not its room.
    pub fn clear(&mut self, character: &Character<T>) {
        *self = Entry { parts: self.parts, ..Entry::new(self.slot, character) };
    }
}

impl<T: Scalar> Deref for Entry<T> {
    type Target = CharacterAabb<T>;

    #[inline(always)]
    fn deref(&self) -> &CharacterAabb<T> {
        &self.aabb
    }
}

impl<T: Scalar> DerefMut for Entry<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut CharacterAabb<T> {
        &mut self.aabb
    }
}

impl<T: Scalar> AsRef<CharacterAabb<T>> for Entry<T> {
    #[inline(always)]
    fn as_ref(&self) -> &CharacterAabb<T> {
        &self.aabb
    }
}
