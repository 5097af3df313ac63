//! Capsules as query volumes.

use super::volume::{
    BlockBoxes, BlockHits, BlockTest, FRAME_ERROR, LocalRegion, Volume, WORLD_FRAME, grown_aabb,
    may_overlap_convex, point_bounds,
};
use crate::broad_phase::{AabbF32, RayEntries, overlap_mask};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, length, rotate_back, sub};
use crate::num::simd::Floats;
use crate::pair::convex::{RoundedPoints, Support};
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::scene::NodeRef;
use crate::shape::{
    Aabb, Capsule, Obb, Placement, QueryShape, Segment, Triangle, WideObb, nearest_matrix,
    nearest_point, wide_point,
};
use crate::tree::ObbTree;

/// A capsule in the world.
pub(super) struct CapsuleVolume {
    ends: [Vec3; 2],
    radius: f64,
    world: LocalCapsule,
    /// AABB of the capsule, rounded outward.
    outer: AabbF32,
}

impl BlockTest for CapsuleVolume {
    #[inline(always)]
    fn test_block<L: Floats>(
        &self,
        token: L::Token,
        boxes: BlockBoxes,
        _: &mut RayEntries,
    ) -> BlockHits {
        BlockHits { hit: overlap_mask::<L>(token, self.outer, boxes.0), inside: 0 }
    }
}

impl<T: Scalar> Volume<T> for CapsuleVolume {
    type Answer = NodeRef;
    type Local<'p> = LocalCapsule;

    const TESTS_CHARACTERS: bool = true;
    const TESTS_PARTS: bool = true;

    #[inline(always)]
    fn new(shape: &QueryShape<T>, out: f32, _: bool) -> Option<Self> {
        let QueryShape::Capsule(capsule) = shape else { return None };
        let (ends, radius) = (capsule.segment().wide(), capsule.radius().wide());
        let world = LocalCapsule::new(ends, radius, &WORLD_FRAME, 2.0 * f64::from(out));
        let outer = grown_aabb(point_bounds(&ends), radius + world.error);
        Some(CapsuleVolume { ends, radius, world, outer })
    }

    fn may_overlap(&self, bounds: &Aabb<T, 3>) -> bool {
        self.world.overlaps_aabb(bounds)
    }

    #[inline(always)]
    fn in_part_frame<'p>(&'p self, placement: &'p Placement, tree: &ObbTree<T>) -> LocalCapsule {
        LocalCapsule::new(self.ends, self.radius, placement, tree.wide_radius_about_origin())
    }

    fn sample_point(&self) -> Option<Vec3> {
        Some(self.ends[0])
    }
}

/// A capsule in the frame of a part or the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalCapsule {
    ends: [Vec3; 2],
    radius: f64,
    /// Bound on the error of the capsule and the frame [length units].
    error: f64,
}

impl LocalCapsule {
    /// Transforms a capsule into the frame of a part; the last argument is the part's radius about
    /// its origin.
    fn new(ends: [Vec3; 2], radius: f64, placement: &Placement, radius_about_origin: f64) -> Self {
        let ends = ends.map(|end| rotate_back(&placement.rotation, sub(end, placement.position)));
        let far = length(ends[0]) + length(ends[1]) + radius;
        LocalCapsule { ends, radius, error: (far + radius_about_origin) * FRAME_ERROR }
    }

    /// Returns the capsule grown by its error and `slack`; `None` if the result is no valid
    /// capsule, which then counts as overlapping everything.
    fn grown(&self, slack: f64) -> Option<Capsule<f64>> {
        let [a, b] = self.ends.map(nearest_point);
        Capsule::new(Segment::new(a, b).ok()?, self.radius + self.error + slack).ok()
    }
}

impl LocalRegion for LocalCapsule {
    fn error(&self) -> f64 {
        self.error
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    fn overlaps_box(&self, [center, half_extents]: [Vec3; 2]) -> bool {
        let solid = WideObb { center, axes: IDENTITY, half_extents };
        self.overlaps_obb(&solid, 0.0)
    }

    fn overlaps_aabb<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> bool {
        let (low, high) = (wide_point(bounds.min), wide_point(bounds.max));
        let (padded_radius, [a, b]) = (self.radius + self.error, self.ends);
        let is_separated = |i: usize| {
            let (from, to) = (a[i].min(b[i]), a[i].max(b[i]));
            from - padded_radius > high[i] || to + padded_radius < low[i]
        };
        let bounds = || Aabb::new(nearest_point::<f64>(low), nearest_point(high));
        !(0..3).any(is_separated)
            && self.grown(0.0).is_none_or(|capsule| capsule.intersects(&bounds()))
    }

    fn overlaps_obb(&self, solid: &WideObb, slack: f64) -> bool {
        let WideObb { center, axes, half_extents } = *solid;
        let center = nearest_point::<f64>(center);
        let solid = Obb::from_parts(center, nearest_matrix(&axes), half_extents.into());
        self.grown(slack).is_none_or(|capsule| capsule.intersects(&solid))
    }

    fn overlaps_triangle(&self, corners: &TriangleCorners) -> bool {
        let [a, b, c] = corners.map(nearest_point::<f64>);
        let both = self.grown(0.0).zip(Triangle::new(a, b, c).ok());
        both.is_none_or(|(capsule, triangle)| capsule.intersects(&triangle))
    }

    fn overlaps_convex(&self, body: &dyn Support) -> bool {
        let capsule = RoundedPoints { points: &self.ends, radius: self.radius };
        may_overlap_convex([body, &capsule], IDENTITY, self.error)
    }
}
