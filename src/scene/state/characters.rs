//! The characters of a scene, each with a stamp of its state.
//!
//! Every mutable access to a character gives it a new stamp, so anything computed from a character
//! remains valid as long as its stamp is the same, in any copy of the scene.

use std::ops::{Index, IndexMut};

use slotmap::{DefaultKey, SlotMap};

use super::character::Character;
use super::stamps::Stamps;
use crate::num::Scalar;

/// A character and the stamp of its state.
#[derive(Debug)]
pub(in crate::scene) struct Stamped<T: Scalar> {
    pub stamp: u64,
    pub character: Character<T>,
}

/// The characters by slot.
#[derive(Debug)]
pub(in crate::scene) struct Characters<T: Scalar> {
    by_slot: SlotMap<DefaultKey, Stamped<T>>,
    stamps: Stamps,
    roster: u64,
    rest: u64,
    /// The stamp of the last change of all.
    state: u64,
}

impl<T: Scalar> Characters<T> {
    pub fn new() -> Self {
        let mut stamps = Stamps::default();
        let roster = stamps.fresh();
        Characters { by_slot: SlotMap::new(), stamps, roster, rest: roster, state: roster }
    }

    /// Returns the stamp of the set of characters with their models and orders.
    pub fn roster(&self) -> u64 {
        self.roster
    }

    /// Returns the stamp of the states of all characters at rest, and of their set as long as the
    /// [roster](Characters::roster) is the same.
    pub fn rest(&self) -> u64 {
        self.rest
    }

    /// Returns the stamp of all characters: where it is equal, all states are.
    pub fn state(&self) -> u64 {
        self.state
    }

    /// Makes the states of some characters those of a copy with the same roster, and the stamp of
    /// all with them, as the others are equal.
    pub fn restore(&mut self, source: &Self, slots: &[DefaultKey]) {
        for &slot in slots {
            self.by_slot[slot].clone_from(&source.by_slot[slot]);
        }
        (self.rest, self.state) = (source.rest, source.state);
    }

    /// Returns the stamp of a character.
    pub fn stamp(&self, slot: DefaultKey) -> u64 {
        self.by_slot[slot].stamp
    }

    pub fn len(&self) -> usize {
        self.by_slot.len()
    }

    pub fn get(&self, slot: DefaultKey) -> Option<&Character<T>> {
        self.by_slot.get(slot).map(|stamped| &stamped.character)
    }

    pub fn is_empty(&self) -> bool {
        self.by_slot.is_empty()
    }

    pub fn keys(&self) -> impl Iterator<Item = DefaultKey> + Clone + '_ {
        self.by_slot.keys()
    }

    pub fn iter(&self) -> impl Iterator<Item = (DefaultKey, &Character<T>)> {
        self.by_slot.iter().map(|(slot, stamped)| (slot, &stamped.character))
    }

    pub fn insert(&mut self, character: Character<T>) -> DefaultKey {
        self.roster = self.stamps.fresh();
        let stamp = self.stamps.fresh();
        self.state = stamp;
        self.by_slot.insert(Stamped { stamp, character })
    }

    pub fn remove(&mut self, slot: DefaultKey) -> Option<Character<T>> {
        self.roster = self.stamps.fresh();
        self.state = self.roster;
        self.by_slot.remove(slot).map(|stamped| stamped.character)
    }

    /// Returns a character for a change: it gets a new stamp.
    pub fn get_mut(&mut self, slot: DefaultKey) -> Option<&mut Character<T>> {
        let Stamped { stamp, character } = self.by_slot.get_mut(slot)?;
        *stamp = self.stamps.fresh();
        self.state = *stamp;
        if character.at_rest {
            self.rest = *stamp;
        }
        Some(character)
    }

    /// Sets the rest flag of a character.
    pub fn set_at_rest(&mut self, slot: DefaultKey, at_rest: bool) {
        self[slot].at_rest = at_rest;
        self.rest = self.by_slot[slot].stamp;
    }
}

impl<T: Scalar> Index<DefaultKey> for Characters<T> {
    type Output = Character<T>;

    #[inline(always)]
    fn index(&self, slot: DefaultKey) -> &Character<T> {
        &self.by_slot[slot].character
    }
}

/// Gives the character a new stamp, like [`Characters::get_mut`].
impl<T: Scalar> IndexMut<DefaultKey> for Characters<T> {
    fn index_mut(&mut self, slot: DefaultKey) -> &mut Character<T> {
        self.get_mut(slot).expect("a slot of a character")
    }
}

/// A copy has the same stamps, because its state is equal; new stamps differ.
impl<T: Scalar> Clone for Characters<T> {
    fn clone(&self) -> Self {
        let Characters { by_slot, stamps, roster, rest, state } = self;
        let (by_slot, stamps) = (by_slot.clone(), stamps.clone());
        Characters { by_slot, stamps, roster: *roster, rest: *rest, state: *state }
    }

    fn clone_from(&mut self, source: &Self) {
        if self.state == source.state {
            return;
        }
        // `stamps` is not copied: both would then give the same new stamps.
        self.by_slot.clone_from(&source.by_slot);
        (self.roster, self.rest, self.state) = (source.roster, source.rest, source.state);
    }
}

impl<T: Scalar> Clone for Stamped<T> {
    fn clone(&self) -> Self {
        Stamped { stamp: self.stamp, character: self.character.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        if self.stamp != source.stamp {
            self.stamp = source.stamp;
            self.character.clone_from(&source.character);
        }
    }
}
