//! Boxes as query volumes, aligned and oriented. 16 world boxes at once are told to be out, cut, or
//! inside.

use super::query_shape::QueryShape;
use super::slab::{NOWHERE, Slab};
use super::volume::{
    BlockBoxes, BlockHits, BlockTest, LocalRegion, SHARE, Volume, convex_meet, grown,
};
use crate::broad_phase::{AabbF32, RayEntries, overlaps};
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

/// The most by which products of axes may differ from those of right angles for boxes to be said to
/// lie inside. No unit.
const SKEW: f64 = 0.01;

/// A box that is asked about.
pub(super) struct CuboidVolume {
    world: LocalCuboid,
    /// A point of it as stored.
    point: Vec3,
    /// Holds it.
    outer: AabbF32,
    /// None where that box is enough.
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
        let met = overlaps::<L>(token, self.outer, boxes.0);
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
        LocalCuboid::new(&self.world.solid, place, tree.wide_reach())
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

/// A box in some frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalCuboid {
    solid: WideObb,
    /// What it and the frame are off. Units.
    doubt: f64,
}

impl LocalCuboid {
    /// Seen from a part; `reach` is how far its points are from its origin.
    #[inline(always)]
    fn new(solid: &WideObb, place: &Placement, reach: f64) -> Self {
        let center = turn_back(&place.rotation, sub(solid.center, place.position));
        let axes = relative(&place.rotation, &solid.axes);
        let far = length(center) + solid.radius();
        LocalCuboid { solid: WideObb { center, axes, ..*solid }, doubt: (far + reach) * SHARE }
    }

    /// An aligned box that holds it.
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

    /// The slabs between opposite faces, for boxes no further out than that.
    ///
    /// A point whose heights `y` are within `w` has, seen by axes that are off right angles by
    /// `skew`, coordinates within `w` and that share of the sum of all heights: so it lies in the
    /// box if the half extents leave as much.
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
