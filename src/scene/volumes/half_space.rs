//! Half-spaces as query volumes. 16 world AABBs at once are classified as outside, cut, or inside,
//! so that only cut ones are tested.

use super::slab::Slab;
use super::volume::{
    BlockBoxes, BlockHits, BlockTest, FRAME_ERROR, LocalRegion, Volume, WORLD_FRAME,
};
use crate::broad_phase::RayEntries;
use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, length, rotate_back, scale};
use crate::num::simd::{Floats, Lanes};
use crate::pair::convex::Support;
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::scene::NodeRef;
use crate::shape::{Aabb, Placement, QueryShape, WideObb, WidePlane};
use crate::tree::ObbTree;

/// A half-space in the world.
pub(super) struct HalfSpaceVolume {
    plane: WidePlane,
    world: LocalHalfSpace,
    slab: Slab,
}

impl BlockTest for HalfSpaceVolume {
    #[inline(always)]
    fn test_block<L: Floats>(
        &self,
        token: L::Token,
        boxes: BlockBoxes,
        _: &mut RayEntries,
    ) -> BlockHits {
        self.slab.test_block::<L>(token, boxes)
    }
}

impl<T: Scalar> Volume<T> for HalfSpaceVolume {
    type Answer = NodeRef;
    type Local<'p> = LocalHalfSpace;

    const TESTS_CHARACTERS: bool = true;
    const TESTS_UNROTATED: bool = true;

    #[inline(always)]
    fn new(shape: &QueryShape<T>, out: f32, _: bool) -> Option<Self> {
        let QueryShape::HalfSpace(plane) = shape else { return None };
        let plane = plane.wide();
        let error = frame_error(&plane, WORLD_FRAME.position, 2.0 * f64::from(out));
        let world = LocalHalfSpace { normal: plane.normal, offset: plane.offset, error };
        let below = [f64::NEG_INFINITY, world.offset];
        let size = f64::from(out) + world.offset.abs();
        let slab = Slab::new(world.normal, [below, below], size, world.error);
        Some(HalfSpaceVolume { plane, world, slab })
    }

    #[inline(always)]
    fn may_overlap(&self, bounds: &Aabb<T, 3>) -> bool {
        self.world.overlaps_aabb(bounds)
    }

    #[inline(always)]
    fn in_part_frame<'p>(&'p self, placement: &'p Placement, tree: &ObbTree<T>) -> LocalHalfSpace {
        LocalHalfSpace::new(&self.plane, placement, tree.wide_radius_about_origin())
    }

    #[inline(always)]
    fn frame_error(&self, position: Vec3, _: impl FnOnce() -> Placement, reach: f64) -> f64 {
        frame_error(&self.plane, position, reach)
    }

    /// Tests the ball in the box, which the rotation moves by no more than its centre is from the
    /// part's origin.
    #[inline(always)]
    fn overlaps_unrotated(&self, position: Vec3, [center, half]: [Vec3; 2]) -> bool {
        // A hundredth covers stored normals, whose length is not quite one, and all rounding.
        let moved = 1.01 * (center[0].abs() + center[1].abs() + center[2].abs());
        let radius = 0.99 * half[0].low(half[1]).low(half[2]);
        dot(self.plane.normal, position) + moved - radius <= self.plane.offset
    }

    fn sample_point(&self) -> Option<Vec3> {
        None
    }
}

/// Returns a bound on the error of a half-space in the frame of a part [length units].
#[inline(always)]
fn frame_error(plane: &WidePlane, position: Vec3, reach: f64) -> f64 {
    (plane.offset.abs() + 2.0 * length(position) + reach) * FRAME_ERROR
}

/// A half-space in the frame of a part or the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalHalfSpace {
    normal: Vec3,
    offset: f64,
    /// Bound on the error of the half-space and the frame [length units].
    error: f64,
}

impl LocalHalfSpace {
    /// Transforms a half-space into the frame of a part; the last argument is the part's radius
    /// about its origin.
    #[inline(always)]
    fn new(plane: &WidePlane, placement: &Placement, radius_about_origin: f64) -> Self {
        let shift = dot(plane.normal, placement.position);
        let normal = rotate_back(&placement.rotation, plane.normal);
        let error = frame_error(plane, placement.position, radius_about_origin);
        LocalHalfSpace { normal, offset: plane.offset - shift, error }
    }

    /// Returns `true` if the half-space may contain a point of this height.
    #[inline(always)]
    fn contains_height(&self, height: f64) -> bool {
        height <= self.offset + self.error
    }
}

impl LocalRegion for LocalHalfSpace {
    #[inline(always)]
    fn error(&self) -> f64 {
        self.error
    }

    #[inline(always)]
    fn overlaps_box(&self, [center, half]: [Vec3; 2]) -> bool {
        let along = |i: usize| half[i] * self.normal[i].abs();
        self.contains_height(dot(self.normal, center) - (along(0) + along(1) + along(2)))
    }

    fn overlaps_obb(&self, solid: &WideObb, _: f64) -> bool {
        let along = |i: usize| solid.half_extents[i] * dot(self.normal, solid.axes[i]).abs();
        self.contains_height(dot(self.normal, solid.center) - (along(0) + along(1) + along(2)))
    }

    fn overlaps_triangle(&self, corners: &TriangleCorners) -> bool {
        corners.iter().any(|&corner| self.contains_height(dot(self.normal, corner)))
    }

    fn overlaps_convex(&self, body: &dyn Support) -> bool {
        let lowest = body.farthest(scale(self.normal, -1.0));
        self.contains_height(dot(self.normal, lowest) - body.radius() * length(self.normal))
    }

    /// Returns the error of the frame: a support point takes no search.
    fn convex_error(&self) -> f64 {
        self.error
    }
}
