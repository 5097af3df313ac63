//! Edges of an outline, and their distance from a point.

use super::vector::{Vec2, dot, length, right, sub};

/// An edge from one corner to the next, relative to the centre of the outline.
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

    /// The outward normal, not of unit length.
    #[inline(always)]
    pub(super) fn outward(&self) -> Vec2 {
        right(self.along)
    }

    /// The signed distance of a point outward from the edge, and `true` if it projects onto the
    /// edge; else its distance from the start.
    #[inline(always)]
    pub(super) fn distance(&self, point: Vec2) -> (f64, bool) {
        let from = sub(point, self.start);
        // Across an edge its own normal is exact: a difference of points would be blurred.
        let beside = self.is_beside(from);
        let away = if beside { dot(self.outward(), from) / self.size } else { length(from) };
        (away, beside)
    }

    /// Whether the squared distance is surely above `bar`, without a root or a quotient.
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

    /// Whether the offset `from` the start projects onto the edge.
    #[inline(always)]
    fn is_beside(&self, from: Vec2) -> bool {
        let along = dot(self.along, from);
        along > 0.0 && along < self.size * self.size
    }
}
