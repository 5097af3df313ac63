//! A ray in the frame of a part, against the boxes of a tree eight at a time in single precision.

use crate::broad_phase::{RaySlabs, WorldRay, earliest};
use crate::num::linear::{Vec3, add, scale, sub};
use crate::num::{Scalar, SimdLevel};
use crate::sat::eight_boxes::{EightBoxes, SIDE};
use crate::tree::WideBvh;

/// A ray as seen from the middle of a tree, where boxes are no further out than the tree is large.
#[derive(Debug, Clone, Copy)]
pub(super) struct WideRay {
    slabs: RaySlabs,
    /// How far along the ray that is asked about it is taken to start.
    start: f64,
}

impl WideRay {
    /// A ray through `origin`, of which the piece between two ends counts: lengths from there,
    /// which lies at `shift`. It is met with `pad` to spare.
    #[inline(always)]
    pub fn new<T: Scalar>(
        bvh: &WideBvh<T>,
        [origin, along]: [Vec3; 2],
        [from, to]: [f64; 2],
        (pad, shift): (f64, f64),
    ) -> Self {
        let seen = sub(origin, bvh.middle);
        // Further along, to either side, is no box.
        let reach = 2.0 * (bvh.size + seen[0].abs() + seen[1].abs() + seen[2].abs() + pad);
        let start = (from - pad).max(-reach);
        let end = (to + pad).min(reach) - start;
        let ray = WorldRay { from: add(seen, scale(along, start)), along, end };
        // Met with as much to spare as in double precision, at least.
        let slabs = RaySlabs::swept(&ray, [2.0 * pad; 3], bvh.size as f32);
        WideRay { slabs, start: start + shift }
    }

    /// A bit for each of the boxes that it may meet, and where they begin, as lengths from its
    /// start.
    #[inline(always)]
    pub fn meets(&self, level: SimdLevel, boxes: &EightBoxes, begins: &mut [f32; SIDE]) -> u32 {
        self.slabs.meets_eight(level, boxes, begins)
    }

    /// How far along the ray that is asked about that is, or before.
    #[inline(always)]
    pub fn at(&self, begins: f32) -> f64 {
        self.start + earliest(begins)
    }
}
