//! An edge of an outline, and a point beside it.

use super::vector::{Vec2, dot, length, right, sub};

/// From one corner to the next, seen from the centre of the outline.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    pub(super) start: Vec2,
    pub(super) along: Vec2,
    pub(super) size: f64,
}

impl Edge {
    #[inline(always)]
    pub(super) fn new(start: Vec2, end: Vec2) -> Self {
        let along = sub(end, start);
        Edge { start, along, size: length(along) }
    }

    /// Not of unit length.
    #[inline(always)]
    pub(super) fn outward(&self) -> Vec2 {
        right(self.along)
    }

    /// How far a point is from the edge, outward, and `true` if it is beside it; else how far from its start.
    #[inline(always)]
    pub(super) fn distance(&self, point: Vec2) -> (f64, bool) {
        let from = sub(point, self.start);
        // Across an edge the direction is its own: that of a difference would be blurred.
        let beside = self.is_beside(from);
        let away = if beside { dot(self.outward(), from) / self.size } else { length(from) };
        (away, beside)
    }

    /// Whether the square of that is surely above `bar`, told without a root or a quotient.
    #[inline(always)]
    pub(super) fn is_farther(&self, point: Vec2, bar: f64) -> bool {
        let from = sub(point, self.start);
        let height = dot(self.outward(), from);
        if self.is_beside(from) {
            height * height > bar * (self.size * self.size)
        } else {
            dot(from, from) > bar
        }
    }

    #[inline(always)]
    fn is_beside(&self, from: Vec2) -> bool {
        let along = dot(self.along, from);
        along > 0.0 && along < self.size * self.size
    }
}
