//! K-DOPs as convex bodies.

use super::body::{BodyBounds, CLIP_FACTOR, CLIP_LIMIT, ConvexBody};
use super::support::Support;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::{Kdop, SlabIntersection, Slabs};

/// K-DOP, padded for the rounding of its corners.
pub(crate) struct KdopBody<const N: usize> {
    slabs: SlabIntersection<3, N>,
    middle: Vec3,
    pad: f64,
}

/// Error of a corner as a share of the largest bound: `2^9 e`. A corner solves three equations with
/// coefficients 1, 0 and -1. Elimination multiplies by at most 4, so its rounding is less than `2^6
/// e` of the bounds, and the inverse has entries up to 2.
const CORNER_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

impl<const N: usize> KdopBody<N> {
    /// Clips the k-DOP at the distance `far`; `None` if it is empty.
    pub fn new<T: Scalar>(kdop: &Kdop<T, 3, N>, far: f64) -> Option<Self>
    where
        Kdop<T, 3, N>: Slabs<3, N>,
    {
        let slabs = kdop.clipped(far.min(CLIP_LIMIT))?;
        let (middle, pad) =
            (slabs.support_or_beyond(&[1.0, 0.0, 0.0]), CORNER_ERROR * slabs.max_bound());
        Some(KdopBody { slabs, middle, pad })
    }
}

impl<const N: usize> Support for KdopBody<N> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.slabs.support_or_beyond(&direction)
    }
    fn core_point(&self) -> Vec3 {
        self.middle
    }
    fn radius(&self) -> f64 {
        self.pad
    }
}

impl<T: Scalar, const N: usize> ConvexBody for Kdop<T, 3, N>
where
    Self: Slabs<3, N>,
{
    fn body_bounds(&self) -> BodyBounds {
        BodyBounds {
            max_coordinate: self.max_finite_bound(),
            ..BodyBounds::from_aabb(&self.aabb())
        }
    }

    fn with_support<A>(
        &self,
        other: &impl ConvexBody,
        ask: impl FnOnce(&dyn Support) -> A,
    ) -> Option<A> {
        let far = match self.is_finite() {
            true => f64::INFINITY,
            false => CLIP_FACTOR * self.max_finite_bound().max(other.body_bounds().max_coordinate),
        };
        Some(ask(&KdopBody::new(self, far)?))
    }
}
