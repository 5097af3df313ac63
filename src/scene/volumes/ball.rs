//! Points and balls as query volumes.

use super::volume::{
    BlockBoxes, BlockHits, BlockTest, FRAME_ERROR, LocalRegion, Volume, may_overlap_convex,
};
use crate::broad_phase::{AabbF32, RayEntries, overlap_mask};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, dot, rotate_back, sub};
use crate::num::simd::Floats;
use crate::pair::convex::{RoundedPoints, Support};
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::scene::NodeRef;
use crate::shape::{Aabb, Placement, QueryShape, WideObb, WideTriangle, wide_point};
use crate::tree::ObbTree;

/// A ball, or a point, in the world.
pub(super) struct BallVolume {
    center: Vec3,
    radius: f64,
    /// AABB of the ball, rounded outward.
    outer: AabbF32,
}

impl BlockTest for BallVolume {
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

impl<T: Scalar> Volume<T> for BallVolume {
    type Answer = NodeRef;
    type Local<'p> = LocalBall;

    #[inline(always)]
    fn new(shape: &QueryShape<T>, _: f32, _: bool) -> Option<Self> {
        let (center, radius) = match shape {
            QueryShape::Point(point) => (wide_point(*point), 0.0),
            QueryShape::Sphere(ball) => (wide_point(ball.center()), ball.radius().wide()),
            _ => return None,
        };
        Some(BallVolume { center, radius, outer: AabbF32::from_ball(center, radius) })
    }

    #[inline(always)]
    fn in_part_frame<'p>(&'p self, placement: &'p Placement, tree: &ObbTree<T>) -> LocalBall {
        LocalBall::new(self.center, self.radius, placement, tree.wide_radius_about_origin())
    }

    fn sample_point(&self) -> Option<Vec3> {
        Some(self.center)
    }
}

/// A ball, or a point, in the frame of a part or the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalBall {
    pub center: Vec3,
    pub radius: f64,
    /// Bound on the error of the ball and the frame [length units].
    pub error: f64,
}

impl LocalBall {
    /// Transforms a ball into the frame of a part; the last argument is the part's radius about its
    /// origin.
    #[inline(always)]
    pub fn new(center: Vec3, radius: f64, placement: &Placement, radius_about_origin: f64) -> Self {
        let center = rotate_back(&placement.rotation, sub(center, placement.position));
        // The sum of absolute values is an upper bound on the length, and needs no root.
        let far = center[0].abs() + center[1].abs() + center[2].abs() + radius;
        LocalBall { center, radius, error: (far + radius_about_origin) * FRAME_ERROR }
    }

    /// Returns `true` if the ball may share a point with the box along the frame, given by centre
    /// and half extents.
    #[inline(always)]
    pub fn may_overlap_box(&self, [center, half]: [Vec3; 2]) -> bool {
        let [x, y, z] = sub(self.center, center);
        self.covers_gap([x.abs() - half[0], y.abs() - half[1], z.abs() - half[2]])
    }

    /// Returns `true` if the ball covers these distances from a box along its axes; negative ones
    /// count as zero.
    #[inline(always)]
    fn covers_gap(&self, [x, y, z]: Vec3) -> bool {
        let out = [positive(x), positive(y), positive(z)];
        let padded_radius = self.radius + self.error;
        dot(out, out) <= padded_radius * padded_radius
    }
}

#[inline(always)]
fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}

impl LocalRegion for LocalBall {
    #[inline(always)]
    fn error(&self) -> f64 {
        self.error
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.radius
    }

    #[inline(always)]
    fn overlaps_box(&self, only: [Vec3; 2]) -> bool {
        self.may_overlap_box(only)
    }

    #[inline(always)]
    fn overlaps_aabb<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> bool {
        let (low, high) = (wide_point(bounds.min), wide_point(bounds.max));
        // Compares with the ends themselves: a centre and half extents would round twice, and the
        // ends may be further out than the error bound covers.
        let beyond = |i: usize| f64::max(low[i] - self.center[i], self.center[i] - high[i]);
        self.covers_gap([beyond(0), beyond(1), beyond(2)])
    }

    fn overlaps_obb(&self, solid: &WideObb, slack: f64) -> bool {
        let padded_radius = self.radius + self.error + slack;
        solid.distance_squared(self.center) <= padded_radius * padded_radius
    }

    fn overlaps_triangle(&self, corners: &TriangleCorners) -> bool {
        let padded_radius = self.radius + self.error;
        WideTriangle { corners: *corners }.distance(self.center) <= padded_radius
    }

    fn overlaps_convex(&self, body: &dyn Support) -> bool {
        let points = &[self.center];
        let ball = RoundedPoints { points, radius: self.radius };
        may_overlap_convex([body, &ball], IDENTITY, self.error)
    }
}
