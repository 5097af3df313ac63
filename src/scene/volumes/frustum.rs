//! Frusta as query volumes. 16 world AABBs at once are classified as outside, cut, or inside.

use std::cell::OnceCell;

use super::slab::{EMPTY_INTERVAL, F32_ERROR, Slab};
use super::volume::{
    BlockBoxes, BlockHits, BlockTest, FRAME_ERROR, LocalRegion, Volume, WORLD_FRAME, grown_aabb,
    max_corner_distance, may_overlap_convex, point_bounds,
};
use crate::broad_phase::{AabbF32, RayEntries, overlap_mask};
use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, rotate, transposed};
use crate::num::simd::Floats;
use crate::pair::convex::{RoundedPoints, Support};
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::sat::polytope::FrustumHull;
use crate::scene::NodeRef;
use crate::shape::{Aabb, Placement, QueryShape, WideObb, wide_point};
use crate::tree::ObbTree;

/// A frustum in the world.
pub(super) struct FrustumVolume {
    hull: FrustumHull,
    error: f64,
    /// AABB of the frustum, rounded outward.
    outer: AabbF32,
    /// Slabs of the faces; `None` if the AABB suffices.
    slabs: Option<[Slab; 5]>,
}

impl BlockTest for FrustumVolume {
    #[inline(always)]
    fn test_block<L: Floats>(
        &self,
        token: L::Token,
        boxes: BlockBoxes,
        _: &mut RayEntries,
    ) -> BlockHits {
        let hit = overlap_mask::<L>(token, self.outer, boxes.0);
        match &self.slabs {
            Some(slabs) => Slab::test_all::<L>(slabs, token, boxes, hit),
            None => BlockHits { hit, inside: 0 },
        }
    }
}

impl<T: Scalar> Volume<T> for FrustumVolume {
    type Answer = NodeRef;
    type Local<'p> = LocalFrustum<'p>;

    const TESTS_CHARACTERS: bool = true;

    #[inline(always)]
    fn new(shape: &QueryShape<T>, out: f32, any: bool) -> Option<Self> {
        let QueryShape::Frustum(frustum) = shape else { return None };
        let hull = FrustumHull::from_corners(frustum.corners().map(wide_point));
        let error =
            (max_corner_distance(hull.corners(), [0.0; 3]) + 2.0 * f64::from(out)) * FRAME_ERROR;
        let outer = grown_aabb(point_bounds(hull.corners()), error);
        let slabs = (!any).then(|| slabs(&hull, (out, error)));
        Some(FrustumVolume { hull, error, outer, slabs })
    }

    fn may_overlap(&self, bounds: &Aabb<T, 3>) -> bool {
        let (center, half) = bounds.wide();
        self.hull.may_overlap_aligned(&WORLD_FRAME, [center, half], self.error)
    }

    #[inline(always)]
    fn in_part_frame<'p>(
        &'p self,
        placement: &'p Placement,
        tree: &ObbTree<T>,
    ) -> LocalFrustum<'p> {
        let error = (max_corner_distance(self.hull.corners(), placement.position)
            + tree.wide_radius_about_origin())
            * FRAME_ERROR;
        LocalFrustum { hull: &self.hull, placement, relative_hull: OnceCell::new(), error }
    }

    #[inline(always)]
    fn frame_error(&self, position: Vec3, _: impl FnOnce() -> Placement, reach: f64) -> f64 {
        (max_corner_distance(self.hull.corners(), position) + reach) * FRAME_ERROR
    }

    fn sample_point(&self) -> Option<Vec3> {
        Some(self.hull.corners()[0])
    }
}

/// Returns the slabs of a frustum's faces, for AABBs with coordinate sums of at most `out`. All
/// corners of the frustum lie in each slab. The near face has none of its own, because the slab of
/// the far face ends there.
///
/// A point inside all slabs is inside the frustum if the near face is parallel to the far one, the
/// corners of each face have equal heights, and no other corner is beyond them, all up to an eighth
/// of the slabs' pad.
#[inline(always)]
fn slabs(hull: &FrustumHull, (out, error): (f32, f64)) -> [Slab; 5] {
    let (corners, faces) = (hull.corners(), hull.faces());
    let sum = |corner: &Vec3| corner[0].abs() + corner[1].abs() + corner[2].abs();
    let most = corners.iter().map(sum).fold(0.0, |a, b| if b > a { b } else { a });
    let size = f64::from(out) + 2.0 * most;
    let (mut inner, mut is_regular) = ([EMPTY_INTERVAL; 5], true);
    for (face, inner) in (1..6).zip(&mut inner) {
        let (normal, [lowest, highest]) = faces[face];
        let heights = corners.map(|corner| dot(normal, corner));
        // Corners of a face share a bit of their index.
        let bit = [2, 0, 1][face / 2];
        let [mut low, mut high] = EMPTY_INTERVAL;
        for (corner, &height) in heights.iter().enumerate() {
            let is_of_face = corner >> bit & 1 == face % 2;
            high = if is_of_face && height > high { height } else { high };
            low = if !is_of_face && height < low { height } else { low };
        }
        let rough = if face == 1 { f64::max(high - lowest, highest - low) } else { high - lowest };
        is_regular &= rough <= size * F32_ERROR / 8.0 && dot(normal, normal) > 0.5;
        *inner = if face == 1 { [high, low] } else { [high, f64::INFINITY] };
    }
    std::array::from_fn(|at| {
        let (normal, outer) = faces[at + 1];
        let inner = if is_regular { inner[at] } else { EMPTY_INTERVAL };
        Slab::new(normal, [outer, inner], size, error)
    })
}

/// A frustum in the frame of a part.
pub(super) struct LocalFrustum<'p> {
    hull: &'p FrustumHull,
    placement: &'p Placement,
    /// The frustum relative to the part's position, along the axes of the world; built on first
    /// use, because a part of one box does not need it.
    relative_hull: OnceCell<FrustumHull>,
    /// Bound on the error of the frustum and the frame [length units].
    error: f64,
}

impl LocalFrustum<'_> {
    fn relative_hull(&self) -> &FrustumHull {
        self.relative_hull.get_or_init(|| self.hull.relative_to(self.placement.position))
    }
}

impl LocalRegion for LocalFrustum<'_> {
    #[inline(always)]
    fn error(&self) -> f64 {
        self.error
    }

    #[inline(always)]
    fn overlaps_only_box(&self, only: [Vec3; 2]) -> bool {
        self.hull.may_overlap_aligned(self.placement, only, self.error)
    }

    fn overlaps_box(&self, only: [Vec3; 2]) -> bool {
        let rotation_only = Placement { rotation: self.placement.rotation, position: [0.0; 3] };
        self.relative_hull().may_overlap_aligned(&rotation_only, only, self.error)
    }

    fn overlaps_obb(&self, solid: &WideObb, _: f64) -> bool {
        self.relative_hull()
            .may_overlap_box(&solid.moved(&self.placement.rotation, [0.0; 3]), self.error)
    }

    fn overlaps_triangle(&self, corners: &TriangleCorners) -> bool {
        let corners = corners.map(|p| rotate(&self.placement.rotation, p));
        self.relative_hull().may_overlap_triangle(&corners, self.error)
    }

    fn overlaps_convex(&self, body: &dyn Support) -> bool {
        let hull = RoundedPoints { points: self.relative_hull().corners(), radius: 0.0 };
        may_overlap_convex([body, &hull], transposed(&self.placement.rotation), self.error)
    }
}
