//! Overlap test of two outlines at rest: SAT in the plane, with a prefilter.

use super::core::{PlanarCore, RectangleCore};
use super::outline::Outline2;
use super::vector::{Vec2, cross, dot, greater, l1_norm, length, scale, sub};
use crate::num::tolerance;

/// Two outlines and the vector from the first centre to the second.
pub(super) struct OutlinePair<'a, A, B> {
    pub a: &'a Outline2<A>,
    pub b: &'a Outline2<B>,
    pub offset: Vec2,
}

/// Candidate separating axis of two cores.
#[derive(Clone, Copy)]
pub(super) struct OutlineAxis {
    /// Direction, not of unit length.
    pub along: Vec2,
    pub size: f64,
    /// Least and greatest displacement of the first along the axis at which the cores overlap on
    /// it, both times the length of the axis. Swapping the two outlines flips the signs.
    pub overlap_range: [f64; 2],
}

impl OutlineAxis {
    /// Returns the separation of the cores on the axis, times its length; negative if they overlap.
    #[inline(always)]
    pub fn separation(&self) -> f64 {
        let [low, high] = self.overlap_range;
        greater(low, -high)
    }
}

impl<'a, A: PlanarCore, B: PlanarCore> OutlinePair<'a, A, B> {
    #[inline(always)]
    pub fn new(a: &'a Outline2<A>, b: &'a Outline2<B>) -> Self {
        OutlinePair { a, b, offset: sub(b.center, a.center) }
    }

    /// Set if one of the two is a circle.
    pub const ROUND: bool = A::POINT || B::POINT;

    /// Returns the greatest separation that rounding may hide [length units].
    #[inline(always)]
    pub fn slack(&self) -> f64 {
        tolerance::PLANAR_SLACK
            * (length(self.offset) + self.a.radius_about_center() + self.b.radius_about_center())
    }

    /// Returns an upper bound on [`OutlinePair::slack`] without a root, large enough to cover other
    /// orders of computation.
    #[inline(always)]
    pub fn slack_bound(&self) -> f64 {
        let size =
            self.a.core.radius_bound() + self.a.radius + self.b.core.radius_bound() + self.b.radius;
        4.0 * tolerance::PLANAR_SLACK * (l1_norm(self.offset) + size)
    }

    /// Returns the candidate separating axes, those of the first outline first.
    #[inline(always)]
    pub fn axes(&self) -> impl Iterator<Item = OutlineAxis> + '_ {
        let of_a = (0..self.a.core.axis_count()).map(|index| self.axis_of_a(index));
        of_a.chain((0..self.b.core.axis_count()).map(|index| self.axis_of_b(index)))
    }

    #[inline(always)]
    pub fn axis_of_a(&self, index: usize) -> OutlineAxis {
        let own = self.a.core.axis(index);
        self.axis(own.along, own.size, [own.ends, self.b.core.interval(own.along)])
    }

    #[inline(always)]
    pub fn axis_of_b(&self, index: usize) -> OutlineAxis {
        let own = self.b.core.axis(index);
        self.axis(own.along, own.size, [self.a.core.interval(own.along), own.ends])
    }

    #[inline(always)]
    fn axis(&self, along: Vec2, size: f64, [a, b]: [[f64; 2]; 2]) -> OutlineAxis {
        let offset = dot(along, self.offset);
        OutlineAxis { along, size, overlap_range: [offset + (b[0] - a[1]), offset + (b[1] - a[0])] }
    }

    /// Calls `first` if the second outline is a circle, otherwise `second`; passes the circle's
    /// centre, relative to the other outline's, and the other outline.
    #[inline(always)]
    pub fn with_circle<R>(
        &self,
        first: impl FnOnce(Vec2, &'a Outline2<A>) -> R,
        second: impl FnOnce(Vec2, &'a Outline2<B>) -> R,
    ) -> R {
        if B::POINT { first(self.offset, self.a) } else { second(scale(self.offset, -1.0), self.b) }
    }

    /// Prefilter: returns `true` if the two are apart, in few operations, without roots and
    /// quotients; `None` if undecided.
    #[inline(always)]
    pub fn prefilter(&self) -> Option<bool> {
        if Self::ROUND {
            let (radius, band) = (self.a.radius + self.b.radius, self.slack_bound());
            return self.with_circle(
                |center, of| circle_is_separated(of, center, radius, band),
                |center, of| circle_is_separated(of, center, radius, band),
            );
        }
        let (p, q) = (self.a.core.rectangle()?, self.b.core.rectangle()?);
        let band = self.slack_bound() + p.center_error + q.center_error + MIN_PRODUCT;
        let excess = axis_separations(p, q, self.offset);
        let most = greater(greater(excess[0], excess[1]), greater(excess[2], excess[3]));
        is_positive(most, band)
    }

    /// Returns `true` if the separation on the axis exceeds the slack.
    #[cold]
    fn exceeds_slack(&self, axis: &OutlineAxis) -> bool {
        axis.separation() > self.slack() * axis.size
    }

    /// Returns `true` if the axis separates the two by more than the slack, of which `band` is an
    /// upper bound.
    #[inline(always)]
    pub fn separates(&self, axis: &OutlineAxis, band: f64) -> bool {
        let excess = axis.separation();
        excess > 0.0 && (excess > band * l1_norm(axis.along) || self.exceeds_slack(axis))
    }

    /// Returns `true` if some direction separates the two by more than the slack.
    pub fn are_separated(&self) -> bool {
        if Self::ROUND {
            let far = self.a.radius + self.b.radius + self.slack();
            return self.with_circle(
                |center, of| !of.contains(center) && of.distance_and_direction(center).0 > far,
                |center, of| !of.contains(center) && of.distance_and_direction(center).0 > far,
            );
        }
        let band = self.slack_bound();
        self.axes().any(|axis| self.separates(&axis, band))
    }
}

/// Least product without underflow.
const MIN_PRODUCT: f64 = 1e-290;

/// Least length without underflow of its square.
pub(super) const MIN_LENGTH: f64 = 1e-145;

/// Returns `true` if a separation is positive; `None` within `band`, where rounding could change
/// the sign. One predictable branch, and none between yes and no.
#[inline(always)]
fn is_positive(excess: f64, band: f64) -> Option<bool> {
    (excess.abs() > band).then_some(excess > 0.0)
}

/// Returns the separations of two rectangles on their four axes, times the lengths of these;
/// negative if they overlap.
///
/// The axes of each are a quarter turn apart, so one dot and one cross product give all projected
/// radii.
#[inline(always)]
fn axis_separations(p: &RectangleCore, q: &RectangleCore, offset: Vec2) -> [f64; 4] {
    let (u, v) = (p.axes[0], q.axes[0]);
    let (along, across) = (dot(u, v).abs(), cross(u, v).abs());
    let (of_p, of_q) = (dot(u, u), dot(v, v));
    let (a, b) = (p.half, q.half);
    [
        dot(p.axes[0], offset).abs() - (a[0] * of_p + (b[0] * along + b[1] * across)),
        dot(p.axes[1], offset).abs() - (a[1] * of_p + (b[0] * across + b[1] * along)),
        dot(q.axes[0], offset).abs() - (b[0] * of_q + (a[0] * along + a[1] * across)),
        dot(q.axes[1], offset).abs() - (b[1] * of_q + (a[0] * across + a[1] * along)),
    ]
}

/// Returns `true` if a circle and a core are apart; `None` unless squares or a single edge decide
/// it.
#[inline(always)]
fn circle_is_separated<C: PlanarCore>(
    of: &Outline2<C>,
    center: Vec2,
    radius: f64,
    band: f64,
) -> Option<bool> {
    if let Some(solid) = of.core.rectangle() {
        let (past, size) = (solid.distances_outside(center), dot(solid.axes[0], solid.axes[0]));
        return is_distance_above(dot(past, past), size, radius, band + solid.center_error);
    }
    let mut inside = true;
    for index in 0..of.core.axis_count() {
        let axis = of.core.axis(index);
        let height = dot(axis.along, center) - axis.ends[1];
        let sound = axis.size > MIN_LENGTH;
        if sound && height > (radius + band) * axis.size {
            return Some(true);
        }
        inside &= sound && height < -band * axis.size;
    }
    inside.then_some(false)
}

/// Returns `true` if a distance is above the radius, given its square in multiples of `unit`;
/// `None` within `band`.
#[inline(always)]
fn is_distance_above(square: f64, unit: f64, radius: f64, band: f64) -> Option<bool> {
    let (bar, around) = (unit * (radius * radius), band * (2.0 * radius + band));
    is_positive(square - bar, unit * around + 1e-14 * bar + MIN_PRODUCT)
}
