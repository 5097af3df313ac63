//! Boxes as query volumes, aligned and oriented. 16 world AABBs at once are classified as outside,
//! cut, or inside.

use super::slab::{EMPTY_INTERVAL, Slab};
use super::volume::{
    BlockBoxes, BlockHits, BlockTest, FRAME_ERROR, LocalRegion, Volume, grown_aabb,
    may_overlap_convex,
};
use crate::broad_phase::{AabbF32, RayEntries, overlap_mask};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, add, dot, length, relative_axes, rotate_back, sub};
use crate::num::simd::Floats;
use crate::pair::convex::Support;
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::sat::box_may_overlap_aligned;
use crate::sat::polytope::{box_may_overlap_triangle, boxes_may_overlap};
use crate::sat::primitive_slabs::BoxOrTriangle;
use crate::scene::NodeRef;
use crate::shape::{Placement, QueryShape, WideObb, wide_point};
use crate::tree::ObbTree;

/// Bound on the deviation of the axes' products from right angles, beyond which no AABB is
/// classified as inside. No unit.
const MAX_SKEW: f64 = 0.01;

/// A box in the world.
pub(super) struct BoxVolume {
    world: LocalBox,
    /// A point of the box as stored.
    point: Vec3,
    /// AABB of the box, rounded outward.
    outer: AabbF32,
    /// Slabs of the faces; `None` if the AABB suffices.
    slabs: Option<[Slab; 3]>,
}

impl BlockTest for BoxVolume {
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

impl<T: Scalar> Volume<T> for BoxVolume {
    type Answer = NodeRef;
    type Local<'p> = LocalBox;

    #[inline(always)]
    fn new(shape: &QueryShape<T>, out: f32, any: bool) -> Option<Self> {
        let (solid, point) = match shape {
            QueryShape::Aabb(bounds) if !bounds.is_empty() => {
                let (center, half_extents) = bounds.wide();
                (WideObb { center, axes: IDENTITY, half_extents }, wide_point(bounds.min))
            }
            QueryShape::Obb(solid) => (solid.wide(), wide_point(solid.center())),
            _ => return None,
        };
        let far = length(solid.center) + solid.radius();
        let world = LocalBox { solid, error: (far + 2.0 * f64::from(out)) * FRAME_ERROR };
        let slabs = (!any).then(|| world.slabs(out));
        Some(BoxVolume { world, point, outer: world.outer_aabb(), slabs })
    }

    #[inline(always)]
    fn in_part_frame<'p>(&'p self, placement: &'p Placement, tree: &ObbTree<T>) -> LocalBox {
        LocalBox::new(&self.world.solid, placement, tree.wide_radius_about_origin())
    }

    #[inline(always)]
    fn frame_error(&self, _: Vec3, placement: impl FnOnce() -> Placement, reach: f64) -> f64 {
        let placement = placement();
        let solid = &self.world.solid;
        let center = rotate_back(&placement.rotation, sub(solid.center, placement.position));
        (length(center) + solid.radius() + reach) * FRAME_ERROR
    }

    fn sample_point(&self) -> Option<Vec3> {
        Some(self.point)
    }
}

/// A box in the frame of a part or the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalBox {
    solid: WideObb,
    /// Bound on the error of the box and the frame [length units].
    error: f64,
}

impl LocalBox {
    /// Transforms a box into the frame of a part; the last argument is the part's radius about its
    /// origin.
    #[inline(always)]
    pub fn new(solid: &WideObb, placement: &Placement, radius_about_origin: f64) -> Self {
        let center = rotate_back(&placement.rotation, sub(solid.center, placement.position));
        let axes = relative_axes(&placement.rotation, &solid.axes);
        let far = length(center) + solid.radius();
        LocalBox {
            solid: WideObb { center, axes, ..*solid },
            error: (far + radius_about_origin) * FRAME_ERROR,
        }
    }

    /// Returns an AABB of the box, rounded outward.
    #[inline(always)]
    fn outer_aabb(&self) -> AabbF32 {
        let WideObb { center, axes, half_extents } = &self.solid;
        let mut out = [0.0; 3];
        for (i, out) in out.iter_mut().enumerate() {
            let along = |axis: usize| half_extents[axis] * axes[axis][i].abs();
            *out = along(0) + along(1) + along(2);
        }
        grown_aabb([sub(*center, out), add(*center, out)], self.error)
    }

    /// Returns the slabs between opposite faces, for AABBs with coordinate sums of at most `out`.
    ///
    /// A point with heights `y` within `w` has coordinates along the axes within `w` plus `skew`
    /// (the axes' deviation from right angles) times the sum of all heights. So it lies in the box
    /// if the half extents exceed that.
    #[inline(always)]
    fn slabs(&self, out: f32) -> [Slab; 3] {
        let WideObb { center, axes, half_extents } = &self.solid;
        let sum = |v: &Vec3| v[0].abs() + v[1].abs() + v[2].abs();
        let size = f64::from(out) + sum(center) + sum(half_extents);
        let products = axes.map(|axis| rotate_back(axes, axis));
        let mut skew = 0.0;
        for (i, row) in products.iter().enumerate() {
            for (j, product) in row.iter().enumerate() {
                let off = (product - f64::from(u8::from(i == j))).abs();
                skew = if off > skew { off } else { skew };
            }
        }
        std::array::from_fn(|i| {
            let (height, along) = (dot(axes[i], *center), products[i]);
            let projected_radius = half_extents[0] * along[0].abs()
                + half_extents[1] * along[1].abs()
                + half_extents[2] * along[2].abs();
            let within = half_extents[i] - 1.1 * skew * sum(half_extents);
            let inner = [height - within, height + within];
            let inner = if skew < MAX_SKEW { inner } else { EMPTY_INTERVAL };
            Slab::new(
                axes[i],
                [[height - projected_radius, height + projected_radius], inner],
                size,
                self.error,
            )
        })
    }
}

impl LocalRegion for LocalBox {
    #[inline(always)]
    fn error(&self) -> f64 {
        self.error
    }

    #[inline(always)]
    fn containing_box(&self) -> Option<WideObb> {
        Some(self.solid)
    }

    #[inline(always)]
    fn overlaps_box(&self, only: [Vec3; 2]) -> bool {
        box_may_overlap_aligned(&self.solid, only, self.error)
    }

    fn overlaps_obb(&self, solid: &WideObb, _: f64) -> bool {
        boxes_may_overlap(&self.solid, solid, sub(solid.center, self.solid.center), self.error)
    }

    fn overlaps_triangle(&self, corners: &TriangleCorners) -> bool {
        box_may_overlap_triangle(&self.solid, corners, self.error)
    }

    fn overlaps_convex(&self, body: &dyn Support) -> bool {
        may_overlap_convex([body, &BoxOrTriangle::Obb(self.solid)], IDENTITY, self.error)
    }
}
