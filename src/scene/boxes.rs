//! World boxes, rebuilt from the poses for every snapshot.

use slotmap::{DefaultKey, SecondaryMap};

use super::rows::{Range, Rows};
use super::{Character, Scene, broad};
use crate::model::{PartBoxes, PartId, Placed};
use crate::motion::Joints;
use crate::num::{Level, Scalar};
use crate::shape::Aabb;

/// What snapshots are made in; keep it, and making one does not allocate after the first few.
#[derive(Debug, Clone, Default)]
pub struct Buffers<T: Scalar> {
    /// Room for the samples of clips; no snapshot looks at it.
    pub joints: Joints<T>,
    /// The characters, ascending by order.
    pub(super) entries: Vec<Entry<T>>,
    pub(super) placed: Vec<Placed<T>>,
    pub(super) rows: Rows,
    upper: Vec<Aabb<T, 3>>,
    pub(super) index: SecondaryMap<DefaultKey, u32>,
    /// Characters whose boxes overlap and that are not both at rest, by place in `entries`; ascending.
    pub(super) pairs: Vec<(u32, u32)>,
    sweep: broad::Sweep,
    /// Comparisons of character boxes that finding `pairs` took.
    pub(super) compared: u64,
    pub(super) level: Level,
}

/// Models with more parts than this have a tree over them; the boxes of fewer are compared side by side.
const MANY_PARTS: usize = 64;

/// One character of a snapshot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<T: Scalar> {
    pub slot: DefaultKey,
    pub order: u64,
    pub at_rest: bool,
    /// The exact union of the boxes of its parts.
    pub bounds: Aabb<T, 3>,
    first_part: usize,
    /// The boxes of its parts, unless there are many.
    pub rows: Range,
    first_upper: usize,
}

impl<T: Scalar> Buffers<T> {
    /// Empty ones.
    pub fn new() -> Self {
        Buffers::default()
    }

    /// Empty ones whose snapshots and queries use that level: the same answers, at another speed.
    pub fn with_level(level: Level) -> Self {
        Buffers { level, ..Buffers::default() }
    }

    pub(super) fn fill(&mut self, scene: &Scene<T>) {
        self.entries.clear();
        self.placed.clear();
        self.rows.clear();
        self.upper.clear();
        self.index.clear();
        let (first_part, first_upper) = (0, 0);
        let rows = Range::default();
        self.entries.extend(scene.characters.iter().map(|(slot, character)| Entry {
            slot,
            order: character.order,
            at_rest: character.at_rest,
            bounds: Aabb::empty(),
            first_part,
            rows,
            first_upper,
        }));
        self.entries.sort_unstable_by_key(|entry| entry.order);
        for place in 0..self.entries.len() {
            let slot = self.entries[place].slot;
            self.index.insert(slot, place as u32);
            self.place(place, &scene.characters[slot]);
        }
        self.compared = self.sweep.overlaps(&self.entries, self.level, &mut self.pairs);
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
        let placed = &self.placed[entry.first_part..];
        entry.bounds = placed.iter().fold(Aabb::empty(), |all, part| all.merged(&part.bounds));
        if placed.len() <= MANY_PARTS {
            entry.rows = self.rows.add(placed.iter().map(|part| part.bounds));
        } else {
            let upper = character.model.upper();
            self.upper.resize(entry.first_upper + upper.len(), Aabb::empty());
            let boxes = &mut self.upper[entry.first_upper..];
            upper.refit(boxes, |part| placed[part.index()].bounds);
        }
    }

    pub(super) fn placed(&self, entry: &Entry<T>, part: PartId) -> &Placed<T> {
        &self.placed[entry.first_part + part.index()]
    }

    /// The boxes of a character with many parts.
    pub(super) fn part_boxes<'a>(
        &'a self,
        entry: &Entry<T>,
        character: &'a Character<T>,
    ) -> Option<PartBoxes<'a, T>> {
        if character.model.len() <= MANY_PARTS {
            return None;
        }
        let tree = character.model.upper();
        let boxes = &self.upper[entry.first_upper..entry.first_upper + tree.len()];
        Some(PartBoxes { tree, boxes })
    }

    /// The parts of a character.
    pub(super) fn parts(&self, entry: &Entry<T>, character: &Character<T>) -> &[Placed<T>] {
        &self.placed[entry.first_part..entry.first_part + character.model.len()]
    }
}
