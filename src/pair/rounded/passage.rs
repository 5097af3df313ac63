//! First contact of two rounded convex bodies, one of which is shifted along a direction.
//!
//! The distance of two convex bodies, one of which is shifted by `t d`, is a convex function of
//! `t`. Newton's method that starts before the first contact therefore never oversteps it: closest
//! points at one shift give an axis, and the next shift is the one at which the bodies touch along
//! that axis. Each step is a slab of the two bodies, as in
//! [`primitive_slabs`](crate::sat::primitive_slabs): any vector is a valid axis, however the
//! closest points are rounded, so no shift is later than the true first contact. Source: van den
//! Bergen, Ray Casting against General Convex Objects with Application to Continuous Collision
//! Detection (2004), which clips by supporting planes likewise.
//!
//! # What is certain
//! Coordinates have an error of less than [`PAD`] of the size, the shift included, and projections
//! of that times the sum of the coordinates of the axis. Each slab is padded by that on both sides,
//! which covers all rounding. So the shift is never too late, and if the search reports a miss, an
//! axis separates the bodies at every later shift.
//!
//! The shift may be too early. A distance says by how much: the closest points at the shift,
//! rounded, are no further apart than the radius and the [gap](RoundedContact::gap).

use std::ops::RangeInclusive;

use super::cores::{ClosestOnCores, CorePair, CoreSegment};
use super::slack_box::SlackBox;
use super::triangle_exact::TriangleCorners;
use crate::num::linear::{Vec3, add, dot, length, scale};

/// Error of coordinates as a share of the size: `2^9 e`.
const COORDINATE_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Distance at which bodies count as touching, as a share of the size: four times the pad of an
/// axis. A smaller one would be lost in rounding.
const TOUCH_TOLERANCE: f64 = 1.0 / (1u64 << 42) as f64;

/// Limit of the steps: each step at least halves what is left of a graze.
const MAX_STEPS: usize = 64;

/// Pad against underflow.
const UNDERFLOW_PAD: f64 = 1e-300;

/// Core of a convex body, in a frame that both bodies share.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConvexCore {
    Point(Vec3),
    Segment(CoreSegment),
    Triangle(TriangleCorners),
    Solid(SlackBox),
}

impl ConvexCore {
    /// Returns the closest points of two cores.
    fn closest(&self, other: &Self) -> ClosestOnCores {
        use ConvexCore::{Point, Segment, Solid, Triangle};
        match (self, other) {
            (Point(a), Point(b)) => a.closest(b),
            (Point(a), Segment(b)) => a.closest(b),
            (Point(a), Triangle(b)) => a.closest(b),
            (Point(a), Solid(b)) => a.closest(b),
            (Segment(a), Segment(b)) => a.closest(b),
            (Segment(a), Triangle(b)) => a.closest(b),
            (Segment(a), Solid(b)) => a.closest(b),
            (Triangle(a), Triangle(b)) => a.closest(b),
            (Triangle(a), Solid(b)) => a.closest(b),
            (Solid(a), Solid(b)) => a.closest(b),
            _ => other.closest(self).reversed(),
        }
    }

    fn shifted(&self, by: Vec3) -> Self {
        match self {
            ConvexCore::Point(p) => ConvexCore::Point(add(*p, by)),
            ConvexCore::Segment(ends) => ConvexCore::Segment(ends.map(|p| add(p, by))),
            ConvexCore::Triangle(corners) => ConvexCore::Triangle(corners.map(|p| add(p, by))),
            ConvexCore::Solid(block) => ConvexCore::Solid(block.shifted(by)),
        }
    }

    /// Returns the least and the greatest product of `axis` with a point of the core.
    fn projection(&self, axis: Vec3) -> [f64; 2] {
        match self {
            ConvexCore::Point(p) => projection_of_points(axis, &[*p]),
            ConvexCore::Segment(ends) => projection_of_points(axis, ends),
            ConvexCore::Triangle(corners) => projection_of_points(axis, corners),
            ConvexCore::Solid(block) => block.projection(axis),
        }
    }
}

fn projection_of_points<const N: usize>(axis: Vec3, points: &[Vec3; N]) -> [f64; 2] {
    let first = dot(axis, points[0]);
    points[1..].iter().fold([first; 2], |[low, high], &point| {
        let along = dot(axis, point);
        [if along < low { along } else { low }, if along > high { along } else { high }]
    })
}

/// Two convex bodies; the second is shifted along a direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundedPair {
    pub cores: [ConvexCore; 2],
    /// Sum of both radii.
    pub radius: f64,
    /// Direction of the shift; not zero.
    pub direction: Vec3,
    /// Upper bound on all coordinates, on the shifts at which the bodies touch, and on the radius.
    pub size: f64,
}

/// First contact of two bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundedContact {
    /// Shift in lengths of the direction, never later than the true contact.
    pub shift: f64,
    /// Upper bound on the distance of the bodies at the shift, up to rounding.
    pub gap: f64,
    /// Direction from the first body to the second across the touching features, of any length;
    /// `None` if the cores touch at the first shift of the range.
    pub normal: Option<Vec3>,
    /// Offset from the core of the first body to that of the second, of any length.
    axis: Vec3,
    /// Point of the first core nearest to the second.
    pub on_a: Vec3,
}

/// Next step of the search along an axis.
enum AxisStep {
    /// The axis separates the bodies at every later shift.
    Missed,
    /// The axis separates the bodies before this shift.
    Separated(f64),
    /// The axis does not separate the bodies at this shift.
    Overlapping,
}

impl RoundedPair {
    /// Returns the first contact at a shift of the range; `None` if there is none.
    pub fn first_contact(&self, range: RangeInclusive<f64>) -> Option<RoundedContact> {
        let [enter, leave] = self.slab();
        let mut shift = if enter > *range.start() { enter } else { *range.start() };
        let end = if leave < *range.end() { leave } else { *range.end() };
        // Written so that NaN fails.
        let is_some = shift <= end;
        if !is_some {
            return None;
        }
        let mut last_axis = (enter > *range.start()).then_some(scale(self.direction, -1.0));
        let mut touch = None;
        for _ in 0..MAX_STEPS {
            let RoundedContact { gap, normal, on_a, axis, .. } = self.at(shift);
            touch = Some(RoundedContact { shift, gap, normal: normal.or(last_axis), on_a, axis });
            if gap <= TOUCH_TOLERANCE * self.size {
                break;
            }
            match self.step(axis, shift) {
                AxisStep::Missed => return None,
                AxisStep::Separated(next) if next > end => return None,
                AxisStep::Separated(next) if next > shift => {
                    (shift, last_axis) = (next, Some(axis))
                }
                AxisStep::Separated(_) | AxisStep::Overlapping => break,
            }
        }
        touch
    }

    /// Returns the same pair with another core of the first body.
    pub fn with_first_core(&self, first: ConvexCore) -> Self {
        RoundedPair { cores: [first, self.cores[1]], ..*self }
    }

    /// Returns the closest features of the bodies after a shift.
    pub fn at(&self, shift: f64) -> RoundedContact {
        let [first, second] = &self.cores;
        let near = first.closest(&second.shifted(scale(self.direction, shift)));
        let apart = near.squared.sqrt();
        // A shorter offset would have the direction of its rounding.
        let is_long = apart > 256.0 * TOUCH_TOLERANCE * self.size;
        let gap = if apart > self.radius { apart - self.radius } else { 0.0 };
        let (axis, normal) = (near.offset, is_long.then_some(near.offset));
        RoundedContact { shift, gap, normal, axis, on_a: near.on_a }
    }

    /// Returns the interval of shifts at which the bodies overlap along the direction itself.
    fn slab(&self) -> [f64; 2] {
        let [first, second] = &self.cores;
        let squared = dot(self.direction, self.direction);
        let size = length(self.direction);
        let padded_radius = self.radius * size + self.pad(self.direction);
        let ([low_a, high_a], [low_b, high_b]) =
            (first.projection(self.direction), second.projection(self.direction));
        [(low_a - high_b - padded_radius) / squared, (high_a - low_b + padded_radius) / squared]
    }

    fn pad(&self, axis: Vec3) -> f64 {
        (axis[0].abs() + axis[1].abs() + axis[2].abs()) * (COORDINATE_ERROR * self.size)
            + UNDERFLOW_PAD
    }

    /// Computes the next shift from the slab of an axis that points from the first body to the
    /// second.
    fn step(&self, axis: Vec3, shift: f64) -> AxisStep {
        let [first, second] = &self.cores;
        let padded_radius = self.radius * length(axis) + self.pad(axis);
        // Separation at shift zero, times the length of the axis.
        let apart = second.projection(axis)[0] - first.projection(axis)[1];
        let rate = dot(axis, self.direction);
        if rate >= 0.0 {
            return if apart + rate * shift > padded_radius {
                AxisStep::Missed
            } else {
                AxisStep::Overlapping
            };
        }
        AxisStep::Separated((apart - padded_radius) / -rate)
    }
}
