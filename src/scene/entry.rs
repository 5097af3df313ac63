//! The entry of one character in a snapshot.

use std::ops::{Deref, DerefMut};

use slotmap::DefaultKey;

use super::Character;
use crate::broad_phase::{AabbRange, CharacterAabb};
use crate::num::Scalar;

/// A character of a snapshot: its AABB and where the AABBs of its parts are stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<T: Scalar> {
    pub slot: DefaultKey,
    pub order: u64,
    /// The stamp of the character's state when it was placed; `None` if it has to be placed.
    pub stamp: Option<u64>,
    pub aabb: CharacterAabb<T>,
    /// The range of the AABBs of its parts.
    pub parts: AabbRange,
    /// `true` if the f32 prefilter can decide anything about the character.
    pub quick: bool,
}

impl<T: Scalar> Entry<T> {
    /// Returns an entry without a range.
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

    /// Resets all but the range.
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
