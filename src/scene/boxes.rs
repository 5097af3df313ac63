//! World boxes, rebuilt from the poses for every snapshot.

use slotmap::{DefaultKey, SecondaryMap};

use super::{Character, Scene, broad};
use crate::model::{PartBoxes, PartId, Placed};
use crate::motion::Joints;
use crate::num::Scalar;
use crate::shape::Aabb;

/// What snapshots are made in; keep it, and making one does not allocate after the first few.
#[derive(Debug, Clone, Default)]
pub struct Buffers<T: Scalar> {
    /// Room for the samples of clips; no snapshot looks at it.
    pub joints: Joints<T>,
    /// The characters, ascending by order.
    pub(super) entries: Vec<Entry<T>>,
    pub(super) placed: Vec<Placed<T>>,
    upper: Vec<Aabb<T, 3>>,
    pub(super) index: SecondaryMap<DefaultKey, u32>,
    /// Characters whose boxes overlap and that are not both at rest, by place in `entries`; ascending.
    pub(super) pairs: Vec<(u32, u32)>,
    pub(super) sweep: Vec<u32>,
    /// Comparisons of character boxes that finding `pairs` took.
    pub(super) compared: u64,
}

/// One character of a snapshot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<T: Scalar> {
    pub slot: DefaultKey,
    pub order: u64,
    pub at_rest: bool,
    /// The exact union of the boxes of its parts.
    pub bounds: Aabb<T, 3>,
    first_part: usize,
    first_upper: usize,
}

impl<T: Scalar> Buffers<T> {
    /// Empty ones.
    pub fn new() -> Self {
        Buffers::default()
    }

    pub(super) fn fill(&mut self, scene: &Scene<T>) {
        self.entries.clear();
        self.placed.clear();
        self.upper.clear();
        self.index.clear();
        let (first_part, first_upper) = (0, 0);
        self.entries.extend(scene.characters.iter().map(|(slot, character)| Entry {
            slot,
            order: character.order,
            at_rest: character.at_rest,
            bounds: Aabb::empty(),
            first_part,
            first_upper,
        }));
        self.entries.sort_unstable_by_key(|entry| entry.order);
        for place in 0..self.entries.len() {
            let slot = self.entries[place].slot;
            self.index.insert(slot, place as u32);
            self.place(place, &scene.characters[slot]);
        }
        self.compared = broad::overlaps(&self.entries, &mut self.sweep, &mut self.pairs);
    }

    /// Places the parts of one character and refits its upper tree.
    fn place(&mut self, place: usize, character: &Character<T>) {
        let entry = &mut self.entries[place];
        (entry.first_part, entry.first_upper) = (self.placed.len(), self.upper.len());
        let parts = character.model.parts().iter().zip(&character.poses).zip(&character.enabled);
        self.placed
            .extend(parts.map(|((part, pose), &enabled)| {
                Placed::new(part.tree().filter(|_| enabled), pose)
            }));
        let upper = character.model.upper();
        self.upper.resize(entry.first_upper + upper.len(), Aabb::empty());
        let placed = &self.placed[entry.first_part..];
        let boxes = &mut self.upper[entry.first_upper..];
        upper.refit(boxes, |part| placed[part.index()].bounds);
        entry.bounds = boxes.first().copied().unwrap_or_else(Aabb::empty);
    }

    pub(super) fn placed(&self, entry: &Entry<T>, part: PartId) -> &Placed<T> {
        &self.placed[entry.first_part + part.index()]
    }

    pub(super) fn part_boxes<'a>(
        &'a self,
        entry: &Entry<T>,
        character: &'a Character<T>,
    ) -> PartBoxes<'a, T> {
        let tree = character.model.upper();
        let boxes = &self.upper[entry.first_upper..entry.first_upper + tree.len()];
        PartBoxes { tree, boxes }
    }
}
