//! Boxes as query volumes, aligned and oriented. 16 world AABBs at once are classified as outside,
//! cut, or inside.

use super::query_shape::QueryShape;
use super::slab::{NOWHERE, Slab};
use super::volume::{
    BlockBoxes, BlockHits, BlockTest, LocalRegion, SHARE, Volume, convex_meet, grown,
};
use crate::broad_phase::{AabbF32, RayEntries, overlap_mask};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, add, dot, length, relative, sub, turn_back};
use crate::num::simd::Floats;
use crate::pair::convex::Support;
use crate::pair::triangles::Corners;
use crate::sat::box_meets_aligned;
use crate::sat::polytope::{box_meets_triangle, boxes_meet};
use crate::sat::primitive_slabs::Primitive;
use crate::scene::NodeRef;
use crate::shape::{Placement, WideObb, wide_point};
use crate::tree::ObbTree;

/// Bound on the deviation of the axes' products from right angles, beyond which no AABB is
/// classified as inside. No unit.
const SKEW: f64 = 0.01;

/// A box in the world.
pub(super) struct CuboidVolume {
    world: LocalCuboid,
    /// A point of the box as stored.
    point: Vec3,
    /// AABB of the box, rounded outward.
    outer: AabbF32,
    /// Slabs of the faces; `None` if the AABB suffices.
    slabs: Option<[Slab; 3]>,
}

impl BlockTest for CuboidVolume {
    #[inline(always)]
    fn test_block<L: Floats>(
        &self,
        token: L::Token,
        boxes: BlockBoxes,
        _: &mut RayEntries,
    ) -> BlockHits {
        let met = overlap_mask::<L>(token, self.outer, boxes.0);
        match &self.slabs {
            Some(slabs) => Slab::test_all::<L>(slabs, token, boxes, met),
            None => BlockHits { met, inside: 0 },
        }
    }
}

impl<T: Scalar> Volume<T> for CuboidVolume {
    type Answer = NodeRef;
    type Local<'p> = LocalCuboid;

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
        let world = LocalCuboid { solid, doubt: (far + 2.0 * f64::from(out)) * SHARE };
        let slabs = (!any).then(|| world.slabs(out));
        Some(CuboidVolume { world, point, outer: world.outer(), slabs })
    }

    #[inline(always)]
    fn in_part<'p>(&'p self, place: &'p Placement, tree: &ObbTree<T>) -> LocalCuboid {
        LocalCuboid::new(&self.world.solid, place, tree.wide_radius_about_origin())
    }

    #[inline(always)]
    fn doubt(&self, place: &Placement, reach: f64) -> f64 {
        let solid = &self.world.solid;
        let center = turn_back(&place.rotation, sub(solid.center, place.position));
        (length(center) + solid.radius() + reach) * SHARE
    }

    fn point(&self) -> Option<Vec3> {
        Some(self.point)
    }
}

/// A box in the frame of a part or the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalCuboid {
    solid: WideObb,
    /// Bound on the error of the box and the frame [units].
    doubt: f64,
}

impl LocalCuboid {
    /// Transforms a box into the frame of a part; the last argument is the part's radius about its
    /// origin.
    #[inline(always)]
    fn new(solid: &WideObb, place: &Placement, reach: f64) -> Self {
        let center = turn_back(&place.rotation, sub(solid.center, place.position));
        let axes = relative(&place.rotation, &solid.axes);
        let far = length(center) + solid.radius();
        LocalCuboid { solid: WideObb { center, axes, ..*solid }, doubt: (far + reach) * SHARE }
    }

    /// Returns an AABB of the box, rounded outward.
    #[inline(always)]
    fn outer(&self) -> AabbF32 {
        let WideObb { center, axes, half_extents: half } = &self.solid;
        let mut out = [0.0; 3];
        for (i, out) in out.iter_mut().enumerate() {
            let along = |axis: usize| half[axis] * axes[axis][i].abs();
            *out = along(0) + along(1) + along(2);
        }
        grown([sub(*center, out), add(*center, out)], self.doubt)
    }

    /// Returns the slabs between opposite faces, for AABBs with coordinate sums of at most `out`.
    ///
    /// A point with heights `y` within `w` has coordinates along the axes within `w` plus `skew`
    /// (the axes' deviation from right angles) times the sum of all heights. So it lies in the box
    /// if the half extents exceed that.
    #[inline(always)]
    fn slabs(&self, out: f32) -> [Slab; 3] {
        let WideObb { center, axes, half_extents: half } = &self.solid;
        let sum = |v: &Vec3| v[0].abs() + v[1].abs() + v[2].abs();
        let size = f64::from(out) + sum(center) + sum(half);
        let products = axes.map(|axis| turn_back(axes, axis));
        let mut skew = 0.0;
        for (i, row) in products.iter().enumerate() {
            for (j, product) in row.iter().enumerate() {
                let off = (product - f64::from(u8::from(i == j))).abs();
                skew = if off > skew { off } else { skew };
            }
        }
        std::array::from_fn(|i| {
            let (height, along) = (dot(axes[i], *center), products[i]);
            let reach =
                half[0] * along[0].abs() + half[1] * along[1].abs() + half[2] * along[2].abs();
            let within = half[i] - 1.1 * skew * sum(half);
            let inner = [height - within, height + within];
            let inner = if skew < SKEW { inner } else { NOWHERE };
            Slab::new(axes[i], [[height - reach, height + reach], inner], (size, self.doubt))
        })
    }
}

impl LocalRegion for LocalCuboid {
    #[inline(always)]
    fn doubt(&self) -> f64 {
        self.doubt
    }

    #[inline(always)]
    fn meets_along(&self, only: [Vec3; 2]) -> bool {
        box_meets_aligned(&self.solid, only, self.doubt)
    }

    fn meets_oriented(&self, solid: &WideObb, _: f64) -> bool {
        boxes_meet(&self.solid, solid, sub(solid.center, self.solid.center), self.doubt)
    }

    fn meets_triangle(&self, corners: &Corners) -> bool {
        box_meets_triangle(&self.solid, corners, self.doubt)
    }

    fn meets_convex(&self, body: &dyn Support) -> bool {
        convex_meet([body, &Primitive::Solid(self.solid)], IDENTITY, self.doubt)
    }
}
