//! Characters and parts near the path of a moving character or shape.

use crate::broad_phase::{RayBoxesKernel, RayCharactersKernel, RaySlabs, WorldRay};
use crate::num::Scalar;
use crate::scene::Snapshot;
use crate::shape::WideObb;
use crate::tree::Path;

impl Path {
    /// Prepares the motion of an aligned box for boxes whose
    /// [`l1_radius`](crate::broad_phase::l1_radius) is at most `size`.
    pub(super) fn slabs(&self, moving: &WideObb, size: f32) -> RaySlabs {
        let ray = WorldRay { from: moving.center, direction: self.direction, end: self.length };
        RaySlabs::swept(&ray, moving.half_extents, size)
    }
}

impl<T: Scalar> Snapshot<'_, T> {
    /// Collects the indices of the characters that a box may touch on its path.
    pub(super) fn find_characters_on_path(
        &self,
        slabs: &RaySlabs,
        stack: &mut Vec<u32>,
        found: &mut Vec<u32>,
    ) {
        let bvhs = self.buffers.character_bvhs();
        self.buffers.simd.run(RayCharactersKernel { bvhs, slabs, stack, found });
    }

    /// Writes the slots of the parts of a character that a box may touch on its path, each with a
    /// lower bound on the shift.
    pub(super) fn find_slots_on_path(
        &self,
        slabs: &RaySlabs,
        index: u32,
        found: &mut Vec<(f64, u32)>,
    ) {
        let range = self.character(index).0.range;
        let (blocks, len) = (self.buffers.part_aabbs.range_blocks(range), range.len);
        self.buffers.simd.run(RayBoxesKernel { slabs, blocks, len, found });
    }
}
