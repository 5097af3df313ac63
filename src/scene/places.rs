//! Rotation matrices and exact world AABBs of parts, computed for a character when a query needs
//! them: most frames need few.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Scene;
use super::entry::Entry;
use crate::model::Placed;
use crate::num::Scalar;

/// The transforms of one character's parts, computed on demand.
#[derive(Debug)]
struct Place<T: Scalar> {
    placed: OnceLock<Vec<Placed<T>>>,
    /// Number of queries that needed only some of the transforms. Concurrent increments may be
    /// lost: no answer depends on it.
    visits: AtomicU32,
}

impl<T: Scalar> Place<T> {
    fn new() -> Self {
        Place { placed: OnceLock::new(), visits: AtomicU32::new(0) }
    }
}

/// The transforms of the parts of each character of a snapshot, computed on demand.
#[derive(Debug, Default)]
pub(super) struct Places<T: Scalar> {
    of: Vec<Place<T>>,
    /// The memory of each character while it has no transforms.
    spare: Mutex<Vec<Vec<Placed<T>>>>,
}

/// The clone is empty: all content is computed on demand.
impl<T: Scalar> Clone for Places<T> {
    fn clone(&self) -> Self {
        let of = self.of.iter().map(|_| Place::new()).collect();
        Places { of, spare: Mutex::default() }
    }
}

impl<T: Scalar> Places<T> {
    /// Sets the number of characters.
    pub fn resize(&mut self, characters: usize) {
        for place in characters..self.of.len() {
            self.forget(place);
        }
        self.of.resize_with(characters, Place::new);
    }

    /// Discards the transforms of a character that has changed.
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

    /// Returns the transforms of a character's parts; computes them on first use.
    pub fn get(&self, scene: &Scene<T>, entries: &[Entry<T>], place: u32) -> &[Placed<T>] {
        self.of[place as usize].placed.get_or_init(|| {
            let character = &scene.characters[entries[place as usize].slot];
            let mut placed = self.room(scene, entries, place as usize);
            placed.clear();
            placed.extend(character.placed());
            placed
        })
    }

    /// Returns the transforms of a character's parts, if they are computed.
    #[inline]
    pub fn placed(&self, place: u32) -> Option<&[Placed<T>]> {
        self.of[place as usize].placed.get().map(|placed| &placed[..])
    }

    /// Like [`PartTransforms::placed`], for a query that needs few parts. Computes all of them once
    /// as many queries as there are parts did without: computing one costs less than computing all,
    /// and more than reading it.
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

    /// Takes the memory for one character. Where it is too small, allocates for all characters
    /// without transforms, so that later frames do not allocate.
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
