//! Rotation matrices and exact world AABBs of parts, computed for a character when a query needs
//! them: most frames need few.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::entry::CharacterEntry;
use crate::model::PlacedPart;
use crate::num::Scalar;
use crate::scene::Scene;

/// The transforms of one character's parts, computed on demand.
#[derive(Debug)]
struct CharacterTransforms<T: Scalar> {
    transforms: OnceLock<Vec<PlacedPart<T>>>,
    /// Number of queries that needed only some of the transforms. Concurrent increments may be
    /// lost: no answer depends on it.
    visits: AtomicU32,
}

impl<T: Scalar> CharacterTransforms<T> {
    fn new() -> Self {
        CharacterTransforms { transforms: OnceLock::new(), visits: AtomicU32::new(0) }
    }
}

/// The transforms of the parts of each character of a snapshot, computed on demand.
#[derive(Debug, Default)]
pub(in crate::scene) struct PartTransforms<T: Scalar> {
    characters: Vec<CharacterTransforms<T>>,
    /// The memory of each character while it has no transforms.
    memory: Mutex<Vec<Vec<PlacedPart<T>>>>,
}

/// The clone is empty: all content is computed on demand.
impl<T: Scalar> Clone for PartTransforms<T> {
    fn clone(&self) -> Self {
        let characters = self.characters.iter().map(|_| CharacterTransforms::new()).collect();
        PartTransforms { characters, memory: Mutex::default() }
    }
}

impl<T: Scalar> PartTransforms<T> {
    /// Sets the number of characters.
    pub fn resize(&mut self, characters: usize) {
        for index in characters..self.characters.len() {
            self.invalidate(index);
        }
        self.characters.resize_with(characters, CharacterTransforms::new);
    }

    /// Discards the transforms of a character that has changed.
    pub fn invalidate(&mut self, index: usize) {
        let of = &mut self.characters[index];
        *of.visits.get_mut() = 0;
        if let Some(placed) = of.transforms.take() {
            let spare = self.memory.get_mut().unwrap_or_else(PoisonError::into_inner);
            let rooms = self.characters.len().max(spare.len());
            spare.resize_with(rooms, Vec::new);
            spare[index] = placed;
        }
    }

    /// Returns the transforms of a character's parts; computes them on first use.
    pub fn get(
        &self,
        scene: &Scene<T>,
        entries: &[CharacterEntry<T>],
        index: u32,
    ) -> &[PlacedPart<T>] {
        self.characters[index as usize].transforms.get_or_init(|| {
            let character = &scene.characters[entries[index as usize].slot];
            let mut placed = self.take_memory(scene, entries, index as usize);
            placed.clear();
            placed.extend(character.part_transforms());
            placed
        })
    }

    /// Returns the transforms of a character's parts, if they are computed.
    #[inline]
    pub fn placed(&self, index: u32) -> Option<&[PlacedPart<T>]> {
        self.characters[index as usize].transforms.get().map(|placed| &placed[..])
    }

    /// Like [`PartTransforms::placed`], for a query that needs few parts. Computes all of them once
    /// as many queries as there are parts did without: computing one costs less than computing all,
    /// and more than reading it.
    #[inline]
    pub fn get_if_worth(
        &self,
        scene: &Scene<T>,
        entries: &[CharacterEntry<T>],
        index: u32,
    ) -> Option<&[PlacedPart<T>]> {
        let CharacterTransforms { transforms, visits } = &self.characters[index as usize];
        if let Some(placed) = transforms.get() {
            return Some(placed);
        }
        let before = visits.load(Relaxed);
        visits.store(before.saturating_add(1), Relaxed);
        let is_worth = before as usize >= entries[index as usize].range.len;
        is_worth.then(|| self.get(scene, entries, index))
    }

    /// Takes the memory for one character. Where it is too small, allocates for all characters
    /// without transforms, so that later frames do not allocate.
    fn take_memory(
        &self,
        scene: &Scene<T>,
        entries: &[CharacterEntry<T>],
        index: usize,
    ) -> Vec<PlacedPart<T>> {
        let parts = |entry: &CharacterEntry<T>| scene.characters[entry.slot].model.len();
        let mut spare = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let rooms = entries.len().max(spare.len());
        spare.resize_with(rooms, Vec::new);
        if spare[index].capacity() < parts(&entries[index]) {
            for ((spare, of), entry) in spare.iter_mut().zip(&self.characters).zip(entries) {
                if of.transforms.get().is_none() {
                    spare.clear();
                    spare.reserve_exact(parts(entry));
                }
            }
        }
        std::mem::take(&mut spare[index])
    }
}
