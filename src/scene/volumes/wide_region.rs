//! A box around a region in the frame of a part, tested against eight boxes or triangles of its
//! tree at once in single precision.

use crate::num::linear::{length, sub};
use crate::num::{Scalar, SimdLevel};
use crate::sat::eight_boxes::{EightBoxes, RelativeFrame, near_mask};
use crate::sat::eight_triangles::{EightTriangles, TriangleBox};
use crate::shape::WideObb;
use crate::tree::ObbTree;

/// A box around a region. What it surely does not overlap, the tests in double precision reject.
#[derive(Debug, Clone, Copy)]
pub(super) struct WideRegion {
    frame: RelativeFrame,
    /// Half extents, rounded up [length units].
    half: [f32; 3],
    triangles: TriangleBox,
}

impl WideRegion {
    /// Prepares a box in the frame of a part; `None` where sizes exceed single precision. `error`
    /// is the pad of the tests in double precision.
    #[inline(always)]
    pub fn new<T: Scalar>(tree: &ObbTree<T>, solid: &WideObb, error: f64) -> Option<Self> {
        let (bvh, radius) = (tree.wide_bvh(), tree.wide_radius_about_origin());
        let half = solid.half_extents;
        let size = bvh.half_extent_sum + half[0] + half[1] + half[2];
        let reach = radius + length(solid.center) + solid.radius();
        let offset = sub(solid.center, bvh.center);
        let frame = RelativeFrame::new::<T>(&solid.axes, offset, [size, reach], 0.0)?;
        let triangles = TriangleBox::new::<T>(solid, error, radius);
        Some(WideRegion { frame, half: half.map(f32::at_least), triangles })
    }

    /// Returns a mask of the boxes that the region may overlap.
    #[inline(always)]
    pub fn test_boxes(&self, simd: SimdLevel, boxes: &EightBoxes) -> u32 {
        u32::from(near_mask(simd, &self.frame, boxes, &self.half))
    }

    /// Returns a mask of the triangles that the region may overlap; undefined for lanes without a
    /// triangle.
    #[inline(always)]
    pub fn test_triangles(&self, simd: SimdLevel, triangles: &EightTriangles) -> u32 {
        self.triangles.overlap_mask(simd, triangles)
    }
}
