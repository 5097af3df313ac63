//! Poses as matrices and the exact world boxes of parts, worked out when a question comes to their
//! character: most frames need few.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Scene;
use super::entry::Entry;
use crate::model::Placed;
use crate::num::Scalar;

/// The parts of one character, or nothing yet.
#[derive(Debug)]
struct Place<T: Scalar> {
    placed: OnceLock<Vec<Placed<T>>>,
    /// How many queries did without. Where threads write at once some are not counted: no answer
    /// depends on it.
    visits: AtomicU32,
}

impl<T: Scalar> Place<T> {
    fn new() -> Self {
        Place { placed: OnceLock::new(), visits: AtomicU32::new(0) }
    }
}

/// The parts of each character of a snapshot, or nothing yet.
#[derive(Debug, Default)]
pub(super) struct Places<T: Scalar> {
    of: Vec<Place<T>>,
    /// Room for each, while it has nothing.
    spare: Mutex<Vec<Vec<Placed<T>>>>,
}

/// Only what saves time is in it.
impl<T: Scalar> Clone for Places<T> {
    fn clone(&self) -> Self {
        let of = self.of.iter().map(|_| Place::new()).collect();
        Places { of, spare: Mutex::default() }
    }
}

impl<T: Scalar> Places<T> {
    /// The characters are so many now.
    pub fn resize(&mut self, characters: usize) {
        for place in characters..self.of.len() {
            self.forget(place);
        }
        self.of.resize_with(characters, Place::new);
    }

    /// The character at that place has changed.
    pub fn forget(&mut self, place: usize) {
        let of = &mut self.of[place];
        *of.visits.get_mut() = 0;
        if let Some(placed) = of.placed.take() {
            let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
            let rooms = self.of.len().max(spare.len());
            spare.resize_with(rooms, Vec::new);
            spare[place] = placed;
        }
    }

    /// The parts of the character at that place.
    pub fn get(&self, scene: &Scene<T>, entries: &[Entry<T>], place: u32) -> &[Placed<T>] {
        self.of[place as usize].placed.get_or_init(|| {
            let character = &scene.characters[entries[place as usize].slot];
            let mut placed = self.room(scene, entries, place as usize);
            placed.clear();
            placed.extend(character.placed());
            placed
        })
    }

    /// The parts of the character at that place, if a query has placed them all.
    #[inline]
    pub fn placed(&self, place: u32) -> Option<&[Placed<T>]> {
        self.of[place as usize].placed.get().map(|placed| &placed[..])
    }

    /// The same for a query that needs a few of them: places them all once as many queries as there
    /// are parts did without. To place one part takes less time than to place all, and more than to
    /// read it.
    #[inline]
    pub fn get_if_worth(
        &self,
        scene: &Scene<T>,
        entries: &[Entry<T>],
        place: u32,
    ) -> Option<&[Placed<T>]> {
        let Place { placed, visits } = &self.of[place as usize];
        if let Some(placed) = placed.get() {
            return Some(placed);
        }
        let before = visits.load(Relaxed);
        visits.store(before.saturating_add(1), Relaxed);
        let is_worth = before as usize >= entries[place as usize].parts.len;
        is_worth.then(|| self.get(scene, entries, place))
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
                if of.placed.get().is_none() {
                    spare.clear();
                    spare.reserve_exact(parts(entry));
                }
            }
        }
        std::mem::take(&mut spare[place])
    }
}
