//! Placing the parts of every character, each in a place of its own, so that many can be placed at once.

use super::boxes::{Entry, MANY_PARTS};
use super::rows::{self, Block};
use super::stance::{Stand, Stood};
use super::{Character, Scene};
use crate::model::{PartId, Placed, Roots};
use crate::num::linear::sub;
use crate::num::vectors::Record;
use crate::num::{Level, Scalar};
use crate::shape::{Aabb, nearest_point};

/// Characters that follow each other, and the room for what is worked out of them.
pub(super) struct Placing<'a, T: Scalar> {
    pub entries: &'a mut [Entry<T>],
    pub rows: &'a mut [Block],
    /// As many as there are places in `rows`.
    pub records: &'a mut [Record],
    pub upper: &'a mut [Aabb<T, 3>],
    pub level: Level,
}

impl<'a, T: Scalar> Placing<'a, T> {
    /// Places them all.
    pub fn place(self, scene: &Scene<T>) {
        let Some(start) = self.entries.first().map(Start::of) else { return };
        for entry in self.entries {
            let (character, at) = (&scene.characters[entry.slot], Start::of(entry));
            let blocks = &mut self.rows[at.block - start.block..][..entry.rows.blocks()];
            let records = &mut self.records[(at.block - start.block) * rows::BLOCK..];
            let records = &mut records[..blocks.len() * rows::BLOCK];
            let quick = character.model.roots().and_then(|roots| {
                let Character { poses, enabled, .. } = character;
                let stood = self.level.run(Stand { roots, poses, enabled, blocks, records })?;
                Some((roots, stood))
            });
            match quick {
                Some((roots, stood)) => entry.stands(roots, &stood),
                None if character.model.len() <= MANY_PARTS => {
                    entry.bounds = around(character);
                    rows::put(blocks, character.near_boxes());
                }
                None => {
                    entry.bounds = around(character);
                    let upper = character.model.upper();
                    let boxes = &mut self.upper[at.upper - start.upper..][..upper.len()];
                    upper.refit(boxes, |part| character.near_box(part));
                }
            }
        }
    }

    /// The first half and the second. There are at least two.
    #[cfg(feature = "rayon")]
    pub fn split(self) -> (Self, Self) {
        let start = Start::of(&self.entries[0]);
        let (left, right) = self.entries.split_at_mut(self.entries.len() / 2);
        let at = Start::of(&right[0]);
        let blocks = at.block - start.block;
        let rows = self.rows.split_at_mut(blocks);
        let records = self.records.split_at_mut(blocks * rows::BLOCK);
        let upper = self.upper.split_at_mut(at.upper - start.upper);
        let level = self.level;
        (
            Placing { entries: left, rows: rows.0, records: records.0, upper: upper.0, level },
            Placing { entries: right, rows: rows.1, records: records.1, upper: upper.1, level },
        )
    }
}

impl<T: Scalar> Entry<T> {
    fn stands(&mut self, roots: &Roots, stood: &Stood) {
        (self.anchor, self.doubt) = (stood.anchor, stood.doubt);
        (self.upright, self.single, self.quick) = (roots.upright, roots.single, true);
        self.bounds = stood.around.map_or_else(Aabb::empty, |[low, high]| {
            let end = |end: [f32; 3]| nearest_point(end.map(f64::from));
            Aabb::new(end(low), end(high))
        });
    }

    /// How far the anchor of another is from this one's, and how far what both see from there may be off.
    pub fn between(&self, other: &Self) -> ([f32; 3], f32) {
        let way = sub(other.anchor, self.anchor).map(|x| x as f32);
        let [x, y, z] = way.map(f32::abs);
        // Rounded, and rounded again when centres are added.
        (way, self.doubt + other.doubt + (x + y + z) * (4.0 * f32::EPSILON))
    }
}

impl<T: Scalar> Character<T> {
    /// Its parts where they are; those that are switched off are nowhere.
    pub(super) fn placed(&self) -> impl ExactSizeIterator<Item = Placed<T>> + '_ {
        let parts = self.model.parts().iter().zip(&self.poses).zip(&self.enabled);
        parts.map(|((part, pose), &on)| Placed::new(part.tree().filter(|_| on), pose))
    }

    /// The world boxes of its parts, and as much around them as boxes may lack that count as touching.
    pub(super) fn near_boxes(&self) -> impl ExactSizeIterator<Item = Aabb<T, 3>> + '_ {
        (0..self.model.len()).map(|part| self.near_box(PartId::new(part)))
    }

    fn near_box(&self, part: PartId) -> Aabb<T, 3> {
        let index = part.index();
        match self.model.parts()[index].tree() {
            Some(tree) if self.enabled[index] => {
                let lacking = 3.0 * T::LEAF_SLACK * tree.reach().wide();
                let bounds = Placed::new(Some(tree), &self.poses[index]).bounds;
                bounds.grown(T::at_least(lacking))
            }
            _ => Aabb::empty(),
        }
    }
}

fn around<T: Scalar>(character: &Character<T>) -> Aabb<T, 3> {
    character.near_boxes().fold(Aabb::empty(), |all, part| all.merged(&part))
}

/// Where what belongs to a character begins.
struct Start {
    block: usize,
    upper: usize,
}

impl Start {
    fn of<T: Scalar>(entry: &Entry<T>) -> Self {
        Start { block: entry.rows.block, upper: entry.first_upper }
    }
}
