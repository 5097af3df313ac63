//! Circles and axis-aligned boxes, whose tests need no outline.

use super::vector::{Vec2, dot, greater, length, sub};

/// Circle or axis-aligned box: all points between two ends, or within a radius of one point, which
/// then is both ends.
#[derive(Clone, Copy)]
pub struct CircleOrAabb {
    pub(super) ends: [Vec2; 2],
    pub(super) circle_radius: Option<f64>,
}

/// Relative difference above which one square is certainly greater than another: twice the rounding
/// error of both.
const SQUARE_ERROR: f64 = 8.0 * f64::EPSILON;

/// Least sum of squares without underflow.
const MIN_SQUARE: f64 = 1e-290;

/// Sizes below this have finite squares.
const MAX_SIZE: f64 = 1e150;

impl CircleOrAabb {
    /// Returns `true` if the two are certainly apart; `None` for sizes too small for squares, which
    /// single precision never is, and for a box that may be empty.
    ///
    /// The sign of a difference of two numbers is exact, so the test of boxes is exact. Circles
    /// found touching are apart by no more than a few bits of their radii.
    #[inline(always)]
    pub(super) fn are_apart(&self, other: &Self, single: bool) -> Option<bool> {
        if !(self.is_measurable() && other.is_measurable()) {
            return None;
        }
        if self.circle_radius.is_none() && other.circle_radius.is_none() {
            return Some(
                self.axis_separation(other, 0) > 0.0 || self.axis_separation(other, 1) > 0.0,
            );
        }
        let radius = self.radius() + other.radius();
        let (past, bar) = (self.core_offset(other), radius * radius);
        let square = dot(past, past);
        (single || square + bar > MIN_SQUARE).then_some(square > bar * (1.0 + SQUARE_ERROR))
    }

    /// Returns the distance of two shapes that are apart, from the ends themselves, without
    /// centres.
    #[inline(always)]
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let past = self.core_offset(other);
        // No less than either component: their squares may underflow.
        greater(length(past), greater(past[0].abs(), past[1].abs()))
            - (self.radius() + other.radius())
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.circle_radius.unwrap_or(0.0)
    }

    /// Returns the vector between the cores: per axis the distance of the ends, 0 where they
    /// overlap.
    #[inline(always)]
    fn core_offset(&self, other: &Self) -> Vec2 {
        if self.circle_radius.is_some() && other.circle_radius.is_some() {
            return sub(other.ends[0], self.ends[0]);
        }
        [greater(self.axis_separation(other, 0), 0.0), greater(self.axis_separation(other, 1), 0.0)]
    }

    /// Returns the separation of the ends on an axis; negative if they overlap.
    #[inline(always)]
    fn axis_separation(&self, other: &Self, axis: usize) -> f64 {
        let ([p, q], [r, s]) = (self.ends, other.ends);
        greater(r[axis] - q[axis], p[axis] - s[axis])
    }

    /// Returns `true` if the shape is certainly not empty and its size has a finite square.
    #[inline(always)]
    fn is_measurable(&self) -> bool {
        let [low, high] = self.ends;
        let (x, y) = (high[0] - low[0], high[1] - low[1]);
        self.circle_radius.is_some() || (x >= 0.0 && y >= 0.0 && x + y < MAX_SIZE)
    }
}
