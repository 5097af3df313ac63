//! Circles and aligned boxes, which need no outline.

use super::vector::{Vec2, dot, greater, length, sub};

/// A circle or an aligned box: all points between two ends, or within a radius of the one point that both are.
#[derive(Clone, Copy)]
pub struct CircleOrAabb {
    pub(super) ends: [Vec2; 2],
    pub(super) circle_radius: Option<f64>,
}

/// By what share one square has to be above another to be so surely: twice what rounding may do to both.
const SHARE: f64 = 8.0 * f64::EPSILON;

/// Below this, squares may have lost digits.
const TINY: f64 = 1e-290;

/// Above this, they may be infinite.
const LARGE: f64 = 1e150;

impl CircleOrAabb {
    /// Whether two are apart for certain; nothing of what is too small for squares, which single precision never is, and of a box that
    /// may meet nothing.
    ///
    /// A difference of two numbers is right to its last bit, and so is its sign: boxes are told exactly, and circles apart are by no
    /// more than a few bits of their radii where they are not.
    #[inline(always)]
    pub(super) fn are_apart(&self, other: &Self, single: bool) -> Option<bool> {
        if !(self.is_measurable() && other.is_measurable()) {
            return None;
        }
        if self.circle_radius.is_none() && other.circle_radius.is_none() {
            return Some(self.gap(other, 0) > 0.0 || self.gap(other, 1) > 0.0);
        }
        let radius = self.radius() + other.radius();
        let (past, bar) = (self.separation(other), radius * radius);
        let square = dot(past, past);
        (single || square + bar > TINY).then_some(square > bar * (1.0 + SHARE))
    }

    /// How far two are apart that are: from the ends themselves, without centres.
    #[inline(always)]
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let past = self.separation(other);
        // No less than either, also where their squares vanish.
        greater(length(past), greater(past[0].abs(), past[1].abs()))
            - (self.radius() + other.radius())
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.circle_radius.unwrap_or(0.0)
    }

    /// How far the ends of the two are apart along each axis.
    #[inline(always)]
    fn separation(&self, other: &Self) -> Vec2 {
        if self.circle_radius.is_some() && other.circle_radius.is_some() {
            return sub(other.ends[0], self.ends[0]);
        }
        [greater(self.gap(other, 0), 0.0), greater(self.gap(other, 1), 0.0)]
    }

    /// By how much an axis parts the ends of the two; negative if it does not.
    #[inline(always)]
    fn gap(&self, other: &Self, axis: usize) -> f64 {
        let ([p, q], [r, s]) = (self.ends, other.ends);
        greater(r[axis] - q[axis], p[axis] - s[axis])
    }

    /// Whether it surely has points, and a size that has a square.
    #[inline(always)]
    fn is_measurable(&self) -> bool {
        let [low, high] = self.ends;
        let (x, y) = (high[0] - low[0], high[1] - low[1]);
        self.circle_radius.is_some() || (x >= 0.0 && y >= 0.0 && x + y < LARGE)
    }
}
