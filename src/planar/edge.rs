//! Edge of an outline, and its distance from a point.

use super::vector::{Vec2, dot, length, right, sub};

/// Edge from one corner to the next, relative to the centre of the outline.
#[derive(Debug, Clone, Copy)]
pub struct PlanarEdge {
    pub(super) start: Vec2,
    pub(super) along: Vec2,
    pub(super) size: f64,
}

impl PlanarEdge {
    #[inline(always)]
    pub(super) fn new(start: Vec2, end: Vec2) -> Self {
        let along = sub(end, start);
        PlanarEdge { start, along, size: length(along) }
    }

    /// Returns the outward normal, not of unit length.
    #[inline(always)]
    pub(super) fn outward(&self) -> Vec2 {
        right(self.along)
    }

    /// Returns the signed distance of a point outward from the edge, and `true` if it projects onto
    /// the edge; otherwise its distance from the start, and `false`.
    #[inline(always)]
    pub(super) fn distance(&self, point: Vec2) -> (f64, bool) {
        let from = sub(point, self.start);
        // The edge's own normal is exact there; a difference of points would not be.
        let beside = self.is_beside(from);
        let away = if beside { dot(self.outward(), from) / self.size } else { length(from) };
        (away, beside)
    }

    /// Returns `true` if the squared distance is certainly above `bar`, without a root or a
    /// quotient.
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

    /// Returns `true` if the point with offset `from` from the start projects onto the edge.
    #[inline(always)]
    fn is_beside(&self, from: Vec2) -> bool {
        let along = dot(self.along, from);
        along > 0.0 && along < self.size * self.size
    }
}
