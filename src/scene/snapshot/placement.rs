//! Placement of the parts of every character: computes world AABBs. Each character writes a range
//! of its own, so that threads can place different characters.

use super::entry::CharacterEntry;
use crate::broad_phase::{Aabb16, AabbF32, BoundsF32, PartBoxesKernel, write_boxes};
use crate::model::{PartId, PlacedPart, padded_world_aabb};
use crate::narrow_phase::PosedRoot;
use crate::num::{Scalar, SimdLevel};
use crate::scene::Scene;
use crate::scene::state::character::Character;
use crate::shape::{Aabb, Pose, nearest_point};
use crate::tree::ObbTree;

/// Consecutive characters, and the memory of their part AABBs.
pub(in crate::scene) struct PlacementBatch<'a, T: Scalar> {
    pub entries: &'a mut [CharacterEntry<T>],
    pub part_aabbs: &'a mut [Aabb16],
    /// Indices of the characters to place, ascending.
    pub changed: &'a [u32],
    /// Index of the first of `entries`.
    pub first: u32,
    pub simd: SimdLevel,
}

impl<'a, T: Scalar> PlacementBatch<'a, T> {
    /// Places the changed characters.
    pub fn place_characters(self, scene: &Scene<T>) {
        let Some(start) = self.entries.first().map(|entry| entry.range.block) else { return };
        for &index in self.changed {
            let entry = &mut self.entries[(index - self.first) as usize];
            let character = &scene.characters[entry.slot];
            let blocks = &mut self.part_aabbs[entry.range.block - start..]
                [..entry.range.total_block_count()];
            entry.place(character, blocks, self.simd);
            entry.stamp = Some(scene.characters.stamp(entry.slot));
        }
    }

    /// Splits into two halves; there must be at least two changed characters.
    #[cfg(feature = "rayon")]
    pub fn split(self) -> (Self, Self) {
        let PlacementBatch { entries, part_aabbs, changed, first, simd } = self;
        let start = entries[0].range.block;
        let changed = changed.split_at(changed.len() / 2);
        let second = changed.1[0];
        let (left, right) = entries.split_at_mut((second - first) as usize);
        let rows = part_aabbs.split_at_mut(right[0].range.block - start);
        (
            PlacementBatch { entries: left, part_aabbs: rows.0, changed: changed.0, first, simd },
            PlacementBatch {
                entries: right,
                part_aabbs: rows.1,
                changed: changed.1,
                first: second,
                simd,
            },
        )
    }
}

impl<T: Scalar> CharacterEntry<T> {
    /// Places the parts of a character: writes their boxes to its blocks.
    pub(in crate::scene) fn place(
        &mut self,
        character: &Character<T>,
        blocks: &mut [Aabb16],
        simd: SimdLevel,
    ) {
        match character.place_parts(&character.poses, blocks, simd) {
            Some(ends) => self.set_bounds(ends),
            None => self.write_boxes(character.padded_aabbs(), blocks),
        }
        self.range.write_summary(blocks);
    }

    /// Writes the boxes of the parts in the order of the blocks, where single precision does not
    /// suffice to place them.
    pub(in crate::scene) fn write_boxes(
        &mut self,
        boxes: impl Iterator<Item = Aabb<T, 3>>,
        blocks: &mut [Aabb16],
    ) {
        let around = &mut self.bounds;
        let boxes = boxes.inspect(|bounds| *around = around.merged(bounds));
        write_boxes(blocks, boxes.map(|bounds| AabbF32::new(&bounds)));
        self.bounds_f32 = AabbF32::new(&self.bounds);
    }

    /// Sets the box around boxes that single precision placed.
    pub(in crate::scene) fn set_bounds(&mut self, [low, high]: BoundsF32) {
        self.f32_ok = true;
        let end = |end: [f32; 3]| nearest_point(end.map(f64::from));
        let bounds = Aabb::new(end(low), end(high));
        (self.bounds, self.bounds_f32) = match bounds.is_empty() {
            true => (Aabb::empty(), AabbF32::new::<T>(&Aabb::empty())),
            // Not rounded outward: the ends are in single precision.
            false => (bounds, AabbF32::from_ends([low, high])),
        };
    }
}

impl<T: Scalar> Character<T> {
    /// Writes the world AABBs of the parts at some poses, many at once in single precision; `None`
    /// if that does not suffice, and the blocks are then unspecified.
    pub(in crate::scene) fn place_parts(
        &self,
        poses: &[Pose<T>],
        blocks: &mut [Aabb16],
        simd: SimdLevel,
    ) -> Option<BoundsF32> {
        let (order, boxes) = (self.model.order(), &self.model.roots()?.blocks);
        let enabled = if self.disabled == 0 { &[] } else { &self.enabled[..] };
        simd.run(PartBoxesKernel { boxes, order, poses, enabled, blocks })
    }

    /// Returns the transforms of the parts; those switched off have an empty AABB.
    pub(in crate::scene) fn part_transforms(
        &self,
    ) -> impl ExactSizeIterator<Item = PlacedPart<T>> + '_ {
        let parts = self.poses.iter().enumerate();
        parts.map(|(part, pose)| PlacedPart::new(self.tree(part), pose))
    }

    /// Returns the tree of a part that has geometry and is not switched off.
    #[inline(always)]
    pub(in crate::scene) fn tree(&self, part: usize) -> Option<&ObbTree<T>> {
        // The list of switches is read only if some part is off: mostly none is.
        let is_on = || self.disabled == 0 || self.enabled[part];
        self.model.parts()[part].tree().filter(|_| is_on())
    }

    /// Returns the world AABBs of the parts in the order of the blocks, grown by the tolerance
    /// within which boxes count as touching.
    fn padded_aabbs(&self) -> impl ExactSizeIterator<Item = Aabb<T, 3>> + '_ {
        (0..self.model.len()).map(|index| self.padded_aabb(self.model.part_at(index)))
    }

    /// Returns the root box of a part with its pose, for the SAT prefilter.
    ///
    /// # Panics
    /// Panics if the model has no single-precision roots: its characters are not
    /// [`CharacterEntry::f32_ok`].
    #[inline]
    pub(in crate::scene) fn posed(&self, part: PartId) -> PosedRoot<'_, T> {
        let roots = self.model.roots().expect("a model placed in single precision");
        roots.posed_root(part, &self.poses)
    }

    fn padded_aabb(&self, part: PartId) -> Aabb<T, 3> {
        let pose = &self.poses[part.index()];
        self.tree(part.index()).map_or_else(Aabb::empty, |tree| padded_world_aabb(tree, pose))
    }
}
