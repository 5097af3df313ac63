//! The world boxes of a character of many parts, asked one by one.

use crate::broad_phase::{Aabb16, AabbF32, BLOCK};
use crate::model::PartId;
use crate::num::Scalar;
use crate::shape::Aabb;

/// The boxes of parts, and above them a box around each block.
pub(super) struct PartBoxes<'a> {
    pub blocks: &'a [Aabb16],
    pub above: &'a [Aabb16],
}

impl PartBoxes<'_> {
    /// Calls `each` with every part whose box satisfies `met`, ascending. That must be true of every
    /// box around one that satisfies it. Returns the number of boxes tested.
    pub fn each_met<T: Scalar>(
        &self,
        met: impl Fn(&Aabb<T, 3>) -> bool,
        stack: &mut Vec<u32>,
        mut each: impl FnMut(PartId),
    ) -> u64 {
        let is_met = |boxes: &[Aabb16], at: usize| {
            let bounds = AabbF32::of(&boxes[at / BLOCK], at).to_aabb();
            !bounds.is_empty() && met(&bounds)
        };
        stack.clear();
        let blocks = 0..self.blocks.len() as u32;
        stack.extend(blocks.filter(|&block| is_met(self.above, block as usize)));
        for &block in &*stack {
            let first = block as usize * BLOCK;
            let parts = (first..first + BLOCK).filter(|&part| is_met(self.blocks, part));
            parts.for_each(|part| each(PartId::new(part)));
        }
        (self.blocks.len() + stack.len() * BLOCK) as u64
    }
}
