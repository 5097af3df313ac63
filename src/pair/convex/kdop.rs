//! K-DOPs as convex bodies.

use super::body::{ConvexBody, END, Extent, FAR};
use super::support::Support;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::{Kdop, SlabIntersection, Slabs};

/// K-DOP, padded for the rounding of its corners.
pub(crate) struct KdopBody<const N: usize> {
    slabs: SlabIntersection<3, N>,
    middle: Vec3,
    room: f64,
}

/// Error of a corner as a share of the largest bound: `2^9 e`. A corner solves three equations with
/// coefficients 1, 0 and -1. Elimination multiplies by at most 4, so its rounding is less than `2^6
/// e` of the bounds, and the inverse has entries up to 2.
const ROOM: f64 = 1.0 / (1u64 << 44) as f64;

impl<const N: usize> KdopBody<N> {
    /// Clips the k-DOP at the distance `far`; `None` if it is empty.
    pub fn new<T: Scalar>(kdop: &Kdop<T, 3, N>, far: f64) -> Option<Self>
    where
        Kdop<T, 3, N>: Slabs<3, N>,
    {
        let slabs = kdop.cut(far.min(END))?;
        let (middle, room) = (slabs.outermost(&[1.0, 0.0, 0.0]), ROOM * slabs.size());
        Some(KdopBody { slabs, middle, room })
    }
}

impl<const N: usize> Support for KdopBody<N> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.slabs.outermost(&direction)
    }
    fn middle(&self) -> Vec3 {
        self.middle
    }
    fn radius(&self) -> f64 {
        self.room
    }
}

impl<T: Scalar, const N: usize> ConvexBody for Kdop<T, 3, N>
where
    Self: Slabs<3, N>,
{
    fn extent(&self) -> Extent {
        Extent { reach: self.farthest_number(), ..Extent::of(&self.aabb()) }
    }

    fn beside<A>(&self, other: &impl ConvexBody, ask: impl FnOnce(&dyn Support) -> A) -> Option<A> {
        let far = match self.is_finite() {
            true => f64::INFINITY,
            false => FAR * self.farthest_number().max(other.extent().reach),
        };
        Some(ask(&KdopBody::new(self, far)?))
    }
}
