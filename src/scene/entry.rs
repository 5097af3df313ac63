//! One character of a snapshot.

use std::ops::{Deref, DerefMut};

use slotmap::DefaultKey;

use super::Character;
use crate::broad_phase::{AabbRange, CharacterAabb};
use crate::num::Scalar;

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
