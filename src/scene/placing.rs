//! Placing the parts of every character, each in a place of its own, so that many can be placed at once.

use super::boxes::{Entry, MANY_PARTS};
use super::rows::{self, Block};
use super::{Character, Scene};
use crate::model::Placed;
use crate::num::Scalar;
use crate::shape::Aabb;

/// Characters that follow each other, and the room for what is worked out of them.
pub(super) struct Placing<'a, T: Scalar> {
    pub entries: &'a mut [Entry<T>],
    pub placed: &'a mut [Placed<T>],
    pub rows: &'a mut [Block],
    pub upper: &'a mut [Aabb<T, 3>],
}

impl<'a, T: Scalar> Placing<'a, T> {
    /// Places them all.
    pub fn place(self, scene: &Scene<T>) {
        let Some(start) = self.entries.first().map(Start::of) else { return };
        for entry in self.entries {
            let (character, at) = (&scene.characters[entry.slot], Start::of(entry));
            let placed = &mut self.placed[at.part - start.part..][..character.model.len()];
            place(character, placed);
            entry.bounds = placed.iter().fold(Aabb::empty(), |all, part| all.merged(&part.bounds));
            if placed.len() <= MANY_PARTS {
                let bounds = placed.iter().map(|part| part.bounds);
                rows::put(&mut self.rows[at.block - start.block..], bounds);
            } else {
                let upper = character.model.upper();
                let boxes = &mut self.upper[at.upper - start.upper..][..upper.len()];
                upper.refit(boxes, |part| placed[part.index()].bounds);
            }
        }
    }

    /// The first half and the second. There are at least two.
    #[cfg(feature = "rayon")]
    pub fn split(self) -> (Self, Self) {
        let start = Start::of(&self.entries[0]);
        let (left, right) = self.entries.split_at_mut(self.entries.len() / 2);
        let at = Start::of(&right[0]);
        let placed = self.placed.split_at_mut(at.part - start.part);
        let rows = self.rows.split_at_mut(at.block - start.block);
        let upper = self.upper.split_at_mut(at.upper - start.upper);
        (
            Placing { entries: left, placed: placed.0, rows: rows.0, upper: upper.0 },
            Placing { entries: right, placed: placed.1, rows: rows.1, upper: upper.1 },
        )
    }
}

/// Where what belongs to a character begins.
struct Start {
    part: usize,
    block: usize,
    upper: usize,
}

impl Start {
    fn of<T: Scalar>(entry: &Entry<T>) -> Self {
        Start { part: entry.first_part, block: entry.rows.block, upper: entry.first_upper }
    }
}

fn place<T: Scalar>(character: &Character<T>, placed: &mut [Placed<T>]) {
    let parts = character.model.parts().iter().zip(&character.poses).zip(&character.enabled);
    for (((part, pose), &enabled), placed) in parts.zip(placed) {
        *placed = Placed::new(part.tree().filter(|_| enabled), pose);
    }
}
