//! Half-spaces as query volumes. 16 world AABBs at once are classified as outside, cut, or inside,
//! so that only cut ones are tested.

use super::query_shape::QueryShape;
use super::slab::Slab;
use super::volume::{BlockBoxes, BlockHits, BlockTest, LocalRegion, SHARE, Volume, WORLD};
use crate::broad_phase::RayEntries;
use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, length, scale, turn_back};
use crate::num::simd::Floats;
use crate::pair::convex::Support;
use crate::pair::triangles::Corners;
use crate::scene::NodeRef;
use crate::shape::{Aabb, Placement, WideObb, WidePlane};
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

    #[inline(always)]
    fn new(shape: &QueryShape<T>, out: f32, _: bool) -> Option<Self> {
        let QueryShape::HalfSpace(plane) = shape else { return None };
        let plane = plane.wide();
        let doubt = doubt(&plane, WORLD.position, 2.0 * f64::from(out));
        let world = LocalHalfSpace { normal: plane.normal, offset: plane.offset, doubt };
        let below = [f64::NEG_INFINITY, world.offset];
        let size = f64::from(out) + world.offset.abs();
        let slab = Slab::new(world.normal, [below, below], (size, world.doubt));
        Some(HalfSpaceVolume { plane, world, slab })
    }

    #[inline(always)]
    fn may_meet(&self, bounds: &Aabb<T, 3>) -> bool {
        self.world.meets_aligned(bounds)
    }

    #[inline(always)]
    fn in_part<'p>(&'p self, place: &'p Placement, tree: &ObbTree<T>) -> LocalHalfSpace {
        LocalHalfSpace::new(&self.plane, place, tree.wide_radius_about_origin())
    }

    #[inline(always)]
    fn doubt(&self, place: &Placement, reach: f64) -> f64 {
        doubt(&self.plane, place.position, reach)
    }

    fn point(&self) -> Option<Vec3> {
        None
    }
}

/// Returns a bound on the error of a half-space in the frame of a part [units].
#[inline(always)]
fn doubt(plane: &WidePlane, position: Vec3, reach: f64) -> f64 {
    (plane.offset.abs() + 2.0 * length(position) + reach) * SHARE
}

/// A half-space in the frame of a part or the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalHalfSpace {
    normal: Vec3,
    offset: f64,
    /// Bound on the error of the half-space and the frame [units].
    doubt: f64,
}

impl LocalHalfSpace {
    /// Transforms a half-space into the frame of a part; the last argument is the part's radius
    /// about its origin.
    #[inline(always)]
    fn new(plane: &WidePlane, place: &Placement, reach: f64) -> Self {
        let shift = dot(plane.normal, place.position);
        let normal = turn_back(&place.rotation, plane.normal);
        let doubt = doubt(plane, place.position, reach);
        LocalHalfSpace { normal, offset: plane.offset - shift, doubt }
    }

    /// Returns `true` if the half-space may contain a point of this height.
    #[inline(always)]
    fn reaches(&self, height: f64) -> bool {
        height <= self.offset + self.doubt
    }
}

impl LocalRegion for LocalHalfSpace {
    #[inline(always)]
    fn doubt(&self) -> f64 {
        self.doubt
    }

    #[inline(always)]
    fn meets_along(&self, [center, half]: [Vec3; 2]) -> bool {
        let along = |i: usize| half[i] * self.normal[i].abs();
        self.reaches(dot(self.normal, center) - (along(0) + along(1) + along(2)))
    }

    fn meets_oriented(&self, solid: &WideObb, _: f64) -> bool {
        let along = |i: usize| solid.half_extents[i] * dot(self.normal, solid.axes[i]).abs();
        self.reaches(dot(self.normal, solid.center) - (along(0) + along(1) + along(2)))
    }

    fn meets_triangle(&self, corners: &Corners) -> bool {
        corners.iter().any(|&corner| self.reaches(dot(self.normal, corner)))
    }

    fn meets_convex(&self, body: &dyn Support) -> bool {
        let lowest = body.farthest(scale(self.normal, -1.0));
        self.reaches(dot(self.normal, lowest) - body.radius() * length(self.normal))
    }
}
