//! The entry of one character in a snapshot.

use std::ops::{Deref, DerefMut};

use slotmap::DefaultKey;

use crate::broad_phase::{AabbRange, CharacterAabb};
use crate::num::Scalar;
use crate::scene::state::character::Character;

/// A character of a snapshot: its AABB and where the AABBs of its parts are stored.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct CharacterEntry<T: Scalar> {
    pub slot: DefaultKey,
    pub order: u64,
    /// The stamp of the character's state when it was placed; `None` if it has to be placed.
    pub stamp: Option<u64>,
    pub aabb: CharacterAabb<T>,
    /// The range of the AABBs of its parts.
    pub range: AabbRange,
    /// `true` if the f32 prefilter can decide anything about the character.
    pub f32_ok: bool,
}

impl<T: Scalar> CharacterEntry<T> {
    /// Returns an entry without a range.
    pub fn new(slot: DefaultKey, character: &Character<T>) -> Self {
        CharacterEntry {
            slot,
            order: character.order,
            stamp: None,
            aabb: CharacterAabb::empty(character.at_rest),
            range: AabbRange::default(),
            f32_ok: false,
        }
    }

    /// Resets all but the range.
    pub fn reset(&mut self, character: &Character<T>) {
        // Changed in place: a new entry would be copied.
        (self.order, self.stamp, self.f32_ok) = (character.order, None, false);
        self.aabb = CharacterAabb::empty(character.at_rest);
    }
}

impl<T: Scalar> Deref for CharacterEntry<T> {
    type Target = CharacterAabb<T>;

    #[inline(always)]
    fn deref(&self) -> &CharacterAabb<T> {
        &self.aabb
    }
}

impl<T: Scalar> DerefMut for CharacterEntry<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut CharacterAabb<T> {
        &mut self.aabb
    }
}

impl<T: Scalar> AsRef<CharacterAabb<T>> for CharacterEntry<T> {
    #[inline(always)]
    fn as_ref(&self) -> &CharacterAabb<T> {
        &self.aabb
    }
}
