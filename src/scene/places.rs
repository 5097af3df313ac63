//! Poses as matrices and the exact world boxes of parts, worked out when a question comes to their
//! character: most frames need few.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::Scene;
use super::entry::Entry;
use crate::model::Placed;
use crate::num::Scalar;

/// The parts of each character of a snapshot, or nothing yet.
#[derive(Debug, Default)]
pub(super) struct Places<T: Scalar> {
    of: Vec<OnceLock<Vec<Placed<T>>>>,
    /// Room for each, while it has nothing.
    spare: Mutex<Vec<Vec<Placed<T>>>>,
}

/// Only what saves time is in it.
impl<T: Scalar> Clone for Places<T> {
    fn clone(&self) -> Self {
        Places { of: vec![OnceLock::new(); self.of.len()], spare: Mutex::default() }
    }
}

impl<T: Scalar> Places<T> {
    /// The characters are so many now.
    pub fn resize(&mut self, characters: usize) {
        for place in characters..self.of.len() {
            self.forget(place);
        }
        self.of.resize_with(characters, OnceLock::new);
    }

    /// The character at that place has changed.
    pub fn forget(&mut self, place: usize) {
        if let Some(placed) = self.of[place].take() {
            let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
            let rooms = self.of.len().max(spare.len());
            spare.resize_with(rooms, Vec::new);
            spare[place] = placed;
        }
    }

    /// The parts of the character at that place.
    pub fn get(&self, scene: &Scene<T>, entries: &[Entry<T>], place: u32) -> &[Placed<T>] {
        self.of[place as usize].get_or_init(|| {
            let character = &scene.characters[entries[place as usize].slot];
            let mut placed = self.room(scene, entries, place as usize);
            placed.clear();
            placed.extend(character.placed());
            placed
        })
    }

    /// Room for the parts of one; where there is not enough it is made for all that have nothing
    /// yet, each as it needs, so that none is made in later frames.
    fn room(&self, scene: &Scene<T>, entries: &[Entry<T>], place: usize) -> Vec<Placed<T>> {
        let parts = |entry: &Entry<T>| scene.characters[entry.slot].model.len();
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let rooms = entries.len().max(spare.len());
        spare.resize_with(rooms, Vec::new);
        if spare[place].capacity() < parts(&entries[place]) {
            for ((spare, of), entry) in spare.iter_mut().zip(&self.of).zip(entries) {
                if of.get().is_none() {
                    spare.clear();
                    spare.reserve_exact(parts(entry));
                }
            }
        }
        std::mem::take(&mut spare[place])
    }
}
