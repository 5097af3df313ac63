//! Poses as matrices and the exact world boxes of parts, worked out when a question comes to their character: most frames need few.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Scene;
use super::boxes::Entry;
use crate::model::Placed;
use crate::num::Scalar;

/// The parts of each character of a snapshot, or nothing yet.
#[derive(Debug, Default)]
pub(super) struct Places<T: Scalar> {
    of: Vec<OnceLock<Vec<Placed<T>>>>,
    /// Room for more.
    spare: Mutex<Vec<Vec<Placed<T>>>>,
}

/// Only what saves time is in it.
impl<T: Scalar> Clone for Places<T> {
    fn clone(&self) -> Self {
        Places { of: vec![OnceLock::new(); self.of.len()], spare: Mutex::default() }
    }
}

impl<T: Scalar> Places<T> {
    /// The characters have moved, and are so many now.
    pub fn forget(&mut self, characters: usize) {
        let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        spare.extend(self.of.iter_mut().filter_map(OnceLock::take));
        self.of.resize_with(characters, OnceLock::new);
    }

    /// The parts of the character at that place.
    pub fn get(&self, scene: &Scene<T>, entries: &[Entry<T>], place: u32) -> &[Placed<T>] {
        self.of[place as usize].get_or_init(|| {
            let character = &scene.characters[entries[place as usize].slot];
            let mut placed = self.room(entries.len(), character.model.len());
            placed.clear();
            placed.extend(character.placed());
            placed
        })
    }

    /// Room for the parts of one; made for all of so many characters when there is none, so that none is made in later frames.
    fn room(&self, characters: usize, parts: usize) -> Vec<Placed<T>> {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.is_empty() {
            spare.resize_with(characters, || Vec::with_capacity(parts));
        }
        spare.pop().unwrap_or_default()
    }
}
