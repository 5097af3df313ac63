//! Points and balls as query volumes.

use super::query_shape::QueryShape;
use super::volume::{BlockBoxes, BlockHits, BlockTest, LocalRegion, SHARE, Volume, convex_meet};
use crate::broad_phase::{AabbF32, RayEntries, overlap_mask};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, dot, sub, turn_back};
use crate::num::simd::Floats;
use crate::pair::convex::{RoundedPoints, Support};
use crate::pair::triangles::Corners;
use crate::scene::NodeRef;
use crate::shape::{Aabb, Placement, WideObb, WideTriangle, wide_point};
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
        BlockHits { met: overlap_mask::<L>(token, self.outer, boxes.0), inside: 0 }
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
    fn in_part<'p>(&'p self, place: &'p Placement, tree: &ObbTree<T>) -> LocalBall {
        LocalBall::new((self.center, self.radius), place, tree.wide_radius_about_origin())
    }

    fn point(&self) -> Option<Vec3> {
        Some(self.center)
    }
}

/// A ball, or a point, in the frame of a part or the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalBall {
    pub center: Vec3,
    pub radius: f64,
    /// Bound on the error of the ball and the frame [units].
    pub doubt: f64,
}

impl LocalBall {
    /// Transforms a ball into the frame of a part; the last argument is the part's radius about its
    /// origin.
    #[inline(always)]
    pub fn new((center, radius): (Vec3, f64), place: &Placement, reach: f64) -> Self {
        let center = turn_back(&place.rotation, sub(center, place.position));
        // The sum of absolute values is an upper bound on the length, and needs no root.
        let far = center[0].abs() + center[1].abs() + center[2].abs() + radius;
        LocalBall { center, radius, doubt: (far + reach) * SHARE }
    }

    /// Returns `true` if the ball may share a point with the box along the frame, given by centre
    /// and half extents.
    #[inline(always)]
    pub fn meets(&self, [center, half]: [Vec3; 2]) -> bool {
        let [x, y, z] = sub(self.center, center);
        self.reaches([x.abs() - half[0], y.abs() - half[1], z.abs() - half[2]])
    }

    /// Returns `true` if the ball covers these distances from a box along its axes; negative ones
    /// count as zero.
    #[inline(always)]
    fn reaches(&self, [x, y, z]: Vec3) -> bool {
        let out = [positive(x), positive(y), positive(z)];
        let reach = self.radius + self.doubt;
        dot(out, out) <= reach * reach
    }
}

#[inline(always)]
fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}

impl LocalRegion for LocalBall {
    #[inline(always)]
    fn doubt(&self) -> f64 {
        self.doubt
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.radius
    }

    #[inline(always)]
    fn meets_along(&self, only: [Vec3; 2]) -> bool {
        self.meets(only)
    }

    #[inline(always)]
    fn meets_aligned<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> bool {
        let (low, high) = (wide_point(bounds.min), wide_point(bounds.max));
        // Compares with the ends themselves: a centre and half extents would round twice, and the
        // ends may be further out than the error bound covers.
        let beyond = |i: usize| f64::max(low[i] - self.center[i], self.center[i] - high[i]);
        self.reaches([beyond(0), beyond(1), beyond(2)])
    }

    fn meets_oriented(&self, solid: &WideObb, slack: f64) -> bool {
        let reach = self.radius + self.doubt + slack;
        solid.distance_squared(self.center) <= reach * reach
    }

    fn meets_triangle(&self, corners: &Corners) -> bool {
        let reach = self.radius + self.doubt;
        WideTriangle { corners: *corners }.distance(self.center) <= reach
    }

    fn meets_convex(&self, body: &dyn Support) -> bool {
        let points = &[self.center];
        let ball = RoundedPoints { points, radius: self.radius };
        convex_meet([body, &ball], IDENTITY, self.doubt)
    }
}
