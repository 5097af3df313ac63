//! A ray in the frame of a part, tested against eight boxes or triangles of its tree at once in
//! single precision.

use crate::broad_phase::{RaySlabs, WorldRay, entry_lower_bound};
use crate::num::linear::{Vec3, add, scale, sub};
use crate::num::{Scalar, SimdLevel};
use crate::sat::eight_boxes::{EightBoxes, WIDTH};
use crate::sat::eight_triangles::{EightTriangles, TriangleLine};
use crate::tree::ObbTree;

/// A ray relative to the centre of a tree, so that coordinates are no larger than the tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct WideRay {
    slabs: RaySlabs,
    /// Distance along the original ray at which this ray starts.
    start: f64,
    /// The line of the ray, for triangles.
    line: TriangleLine,
    /// Point of the line in the frame of the part, its distance along the original ray, and the
    /// direction.
    origin: Vec3,
    shift: f64,
    along: Vec3,
}

impl WideRay {
    /// Returns the ray through `origin`, which lies at `shift` along the original ray, between two
    /// distances from `origin`. Tests are padded by at least `pad`.
    #[inline(always)]
    pub fn new<T: Scalar>(
        tree: &ObbTree<T>,
        [origin, direction]: [Vec3; 2],
        [from, to]: [f64; 2],
        pad: f64,
        shift: f64,
    ) -> Self {
        let bvh = tree.wide_bvh();
        let seen = sub(origin, bvh.center);
        // No box lies beyond this distance to either side.
        let max_length =
            2.0 * (bvh.half_extent_sum + seen[0].abs() + seen[1].abs() + seen[2].abs() + pad);
        let start = (from - pad).max(-max_length);
        let end = (to + pad).min(max_length) - start;
        let ray = WorldRay { from: add(seen, scale(direction, start)), direction, end };
        // Padded by at least as much as in double precision.
        let slabs = RaySlabs::swept(&ray, [2.0 * pad; 3], bvh.half_extent_sum as f32);
        let line =
            TriangleLine::new::<T>([origin, direction], pad, tree.wide_radius_about_origin());
        WideRay { slabs, start: start + shift, line, origin, shift, along: direction }
    }

    /// Returns a mask of the boxes that the ray may hit, and writes their distances from its start.
    #[inline(always)]
    pub fn test_boxes(
        &self,
        simd: SimdLevel,
        boxes: &EightBoxes,
        begins: &mut [f32; WIDTH],
    ) -> u32 {
        self.slabs.hit_mask_eight(simd, boxes, begins)
    }

    /// Returns the point of the line at a distance along the original ray, in the part's frame.
    #[inline(always)]
    pub fn point_at(&self, distance: f64) -> Vec3 {
        add(self.origin, scale(self.along, distance - self.shift))
    }

    /// Returns a mask of the triangles that the ray may hit; undefined for lanes without one.
    /// `near` is a point of the line: the closer to the triangles, the fewer remain.
    #[inline(always)]
    pub fn test_triangles(&self, simd: SimdLevel, triangles: &EightTriangles, near: Vec3) -> u32 {
        self.line.hit_mask(simd, triangles, near)
    }

    /// Returns a lower bound on the distance along the original ray.
    #[inline(always)]
    pub fn at(&self, begins: f32) -> f64 {
        self.start + entry_lower_bound(begins)
    }
}
