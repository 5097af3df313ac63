//! Passages of rounded cores: at which least shift along a direction two convex bodies come within
//! a sum of radii of each other.
//!
//! The distance of two convex bodies, one of which is shifted by `t d`, is a convex function of
//! `t`. Newton's method from before the first contact therefore never oversteps it: closest points
//! at one shift give an axis, and the next shift is that at which the bodies meet along that axis.
//! Every step is a slab of the two, as in [`primitive_slabs`](crate::sat::primitive_slabs): any
//! vector is an axis, however closest points are rounded, so no shift is later than the true first
//! contact. Source: van den Bergen, Ray Casting against General Convex Objects with Application to
//! Continuous Collision Detection (2004), which clips by supporting planes likewise.
//!
//! # What is certain
//! Coordinates are off by less than [`PAD`] of the size, the shift included, and projections by
//! that times the sum of the coordinates of the axis: each slab is wider by that to either side,
//! which is more than all rounding. So the shift is never too late; and where the search says that
//! the two pass each other by, an axis keeps them apart at every later shift.
//!
//! How much too early it is, is said as a distance: closest points at the shift, which are points
//! of the two up to rounding, are no further apart than the radius and the
//! [gap](RoundedTouch::gap).

use std::ops::RangeInclusive;

use super::block::Block;
use super::near::{Between, Line, Near};
use super::triangles::Corners;
use crate::num::linear::{Vec3, add, dot, length, scale};

/// More than coordinates of bodies are off by, as a share of the size: `2^9 e`.
const PAD: f64 = 1.0 / (1u64 << 44) as f64;

/// What bodies may be apart to count as touching, as a share of the size: four times what axes are
/// padded by. Less, and the search would look for what rounding hides.
const ENOUGH: f64 = 1.0 / (1u64 << 42) as f64;

/// How often a search goes on: each step halves at least what is left to a graze.
const STEPS: usize = 64;

/// More than underflow may lose.
const TINY: f64 = 1e-300;

/// The core of a convex body, in a frame that both bodies share.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConvexCore {
    Point(Vec3),
    Segment(Line),
    Triangle(Corners),
    Solid(Block),
}

impl ConvexCore {
    /// The closest points of two.
    fn near(&self, other: &Self) -> Near {
        use ConvexCore::{Point, Segment, Solid, Triangle};
        match (self, other) {
            (Point(a), Point(b)) => a.near(b),
            (Point(a), Segment(b)) => a.near(b),
            (Point(a), Triangle(b)) => a.near(b),
            (Point(a), Solid(b)) => a.near(b),
            (Segment(a), Segment(b)) => a.near(b),
            (Segment(a), Triangle(b)) => a.near(b),
            (Segment(a), Solid(b)) => a.near(b),
            (Triangle(a), Triangle(b)) => a.near(b),
            (Triangle(a), Solid(b)) => a.near(b),
            (Solid(a), Solid(b)) => a.near(b),
            _ => other.near(self).reversed(),
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

    /// The least and the greatest product of the axis with its points.
    fn along(&self, axis: Vec3) -> [f64; 2] {
        match self {
            ConvexCore::Point(p) => span(axis, &[*p]),
            ConvexCore::Segment(ends) => span(axis, ends),
            ConvexCore::Triangle(corners) => span(axis, corners),
            ConvexCore::Solid(block) => block.span(axis),
        }
    }
}

fn span<const N: usize>(axis: Vec3, points: &[Vec3; N]) -> [f64; 2] {
    let first = dot(axis, points[0]);
    points[1..].iter().fold([first; 2], |[low, high], &point| {
        let along = dot(axis, point);
        [if along < low { along } else { low }, if along > high { along } else { high }]
    })
}

/// Two convex bodies, the second to be shifted along a direction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundedPair {
    pub cores: [ConvexCore; 2],
    /// Both radii together.
    pub radius: f64,
    /// Not zero.
    pub direction: Vec3,
    /// No coordinate of either is greater, nor a shift at which they touch, nor the radius.
    pub size: f64,
}

/// The first contact of two bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoundedTouch {
    /// In lengths of the direction, never later than they truly touch.
    pub shift: f64,
    /// Then they are no further apart than this, rounding aside.
    pub gap: f64,
    /// From the first to the second, across where they meet; none if their cores touch at the first
    /// shift that was asked about. Of any length.
    pub normal: Option<Vec3>,
    /// From the core of the first to that of the second, however short.
    axis: Vec3,
    /// On the core of the first, nearest to that of the second.
    pub on_a: Vec3,
}

/// Where along the direction bodies meet along an axis.
enum AxisStep {
    /// Nowhere from here on.
    Never,
    /// No earlier than there.
    At(f64),
    /// They already do.
    Here,
}

impl RoundedPair {
    /// The first contact at a shift of the range; `None` if there is none.
    pub fn first(&self, range: RangeInclusive<f64>) -> Option<RoundedTouch> {
        let [enter, leave] = self.slab();
        let mut shift = if enter > *range.start() { enter } else { *range.start() };
        let end = if leave < *range.end() { leave } else { *range.end() };
        // False for what is not a number.
        let is_some = shift <= end;
        if !is_some {
            return None;
        }
        let mut met = (enter > *range.start()).then_some(scale(self.direction, -1.0));
        let mut touch = None;
        for _ in 0..STEPS {
            let RoundedTouch { gap, normal, on_a, axis, .. } = self.at(shift);
            touch = Some(RoundedTouch { shift, gap, normal: normal.or(met), on_a, axis });
            if gap <= ENOUGH * self.size {
                break;
            }
            match self.step(axis, shift) {
                AxisStep::Never => return None,
                AxisStep::At(next) if next > end => return None,
                AxisStep::At(next) if next > shift => (shift, met) = (next, Some(axis)),
                AxisStep::At(_) | AxisStep::Here => break,
            }
        }
        touch
    }

    /// The same bodies but for the core of the first.
    pub fn with(&self, first: ConvexCore) -> Self {
        RoundedPair { cores: [first, self.cores[1]], ..*self }
    }

    /// How the two are to each other after a shift.
    pub fn at(&self, shift: f64) -> RoundedTouch {
        let [first, second] = &self.cores;
        let near = first.near(&second.shifted(scale(self.direction, shift)));
        let apart = near.squared.sqrt();
        // Shorter, its direction would be that of rounding.
        let is_long = apart > 256.0 * ENOUGH * self.size;
        let gap = if apart > self.radius { apart - self.radius } else { 0.0 };
        let (axis, normal) = (near.offset, is_long.then_some(near.offset));
        RoundedTouch { shift, gap, normal, axis, on_a: near.on_a }
    }

    /// From where the bodies meet along the direction itself to where they part along it.
    fn slab(&self) -> [f64; 2] {
        let [first, second] = &self.cores;
        let squared = dot(self.direction, self.direction);
        let size = length(self.direction);
        let room = self.radius * size + self.pad(self.direction);
        let ([low_a, high_a], [low_b, high_b]) =
            (first.along(self.direction), second.along(self.direction));
        [(low_a - high_b - room) / squared, (high_a - low_b + room) / squared]
    }

    fn pad(&self, axis: Vec3) -> f64 {
        (axis[0].abs() + axis[1].abs() + axis[2].abs()) * (PAD * self.size) + TINY
    }

    /// Where they meet along an axis that points from the first to the second, from a shift on.
    fn step(&self, axis: Vec3, shift: f64) -> AxisStep {
        let [first, second] = &self.cores;
        let reach = self.radius * length(axis) + self.pad(axis);
        // How far apart they are before any shift, times the length of the axis.
        let apart = second.along(axis)[0] - first.along(axis)[1];
        let rate = dot(axis, self.direction);
        if rate >= 0.0 {
            return if apart + rate * shift > reach { AxisStep::Never } else { AxisStep::Here };
        }
        AxisStep::At((apart - reach) / -rate)
    }
}
