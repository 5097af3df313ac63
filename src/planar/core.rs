//! What is left of a shape without its rounding: a point, a rectangle, a polygon.

use super::edge::Edge;
use super::vector::{Vec2, add, dot, greater, length, right, scale};

/// A direction that may part a core from another.
#[derive(Debug, Clone, Copy)]
pub struct CoreAxis {
    /// Not of unit length; of a polygon it points outward.
    pub(super) along: Vec2,
    pub(super) size: f64,
    /// The ends of the core along it, seen from the centre.
    pub(super) ends: [f64; 2],
}

/// A core by its type, so that each pair has code of its own.
pub trait Core: Copy {
    /// Whether it is a single point.
    const POINT: bool;

    /// No corner is further from the centre.
    fn reach(&self) -> f64;

    /// As much or more, without a root.
    fn span(&self) -> f64;

    /// The cosine of half the sharpest turn between neighbouring axes; see `contact`.
    fn bluntness(&self) -> f64;

    fn count(&self) -> usize;

    /// Seen from the centre.
    fn corner(&self, index: usize) -> Vec2;

    /// From that corner to the next.
    fn edge(&self, index: usize) -> Edge;

    /// The edges on which a point outside may have its nearest.
    fn candidate_edges(&self, point: Vec2) -> impl Iterator<Item = usize>;

    /// 2 for a box, 1 for each side of a polygon.
    fn axis_count(&self) -> usize;

    fn axis(&self, index: usize) -> CoreAxis;

    /// The edge that an axis leaves by forwards, or backwards if there is one.
    fn facing_edge(&self, axis: usize, forwards: bool) -> Option<usize>;

    /// A corner of which none lies lower along a direction.
    #[inline(always)]
    fn lowest(&self, up: Vec2) -> usize {
        let (mut lowest, mut least) = (0, f64::INFINITY);
        for index in 0..self.count() {
            let height = dot(up, self.corner(index));
            if height < least {
                (lowest, least) = (index, height);
            }
        }
        lowest
    }

    #[inline(always)]
    fn rectangle(&self) -> Option<&Rectangle> {
        None
    }

    /// The ends of the core along `axis`, seen from the centre.
    #[inline(always)]
    fn interval(&self, axis: Vec2) -> [f64; 2] {
        interval((0..self.count()).map(|index| self.corner(index)), axis)
    }
}

#[inline(always)]
fn interval(corners: impl Iterator<Item = Vec2>, axis: Vec2) -> [f64; 2] {
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for corner in corners {
        let x = dot(axis, corner);
        ends = [if x < ends[0] { x } else { ends[0] }, if x > ends[1] { x } else { ends[1] }];
    }
    ends
}

/// The middle of a circle.
#[derive(Debug, Clone, Copy)]
pub struct PointCore;

impl Core for PointCore {
    const POINT: bool = true;

    fn reach(&self) -> f64 {
        0.0
    }

    fn span(&self) -> f64 {
        0.0
    }

    fn bluntness(&self) -> f64 {
        1.0
    }

    fn count(&self) -> usize {
        1
    }

    fn corner(&self, _: usize) -> Vec2 {
        [0.0; 2]
    }

    fn edge(&self, _: usize) -> Edge {
        Edge::new([0.0; 2], [0.0; 2])
    }

    fn candidate_edges(&self, _: Vec2) -> impl Iterator<Item = usize> {
        0..1
    }

    fn axis_count(&self) -> usize {
        0
    }

    fn axis(&self, _: usize) -> CoreAxis {
        CoreAxis { along: [0.0; 2], size: 0.0, ends: [0.0; 2] }
    }

    fn facing_edge(&self, _: usize, _: bool) -> Option<usize> {
        None
    }
}

/// A box, turned or not.
#[derive(Debug, Clone, Copy)]
pub struct Rectangle {
    /// The directions of its edges, the second a quarter turn left of the first.
    pub(super) axes: [Vec2; 2],
    pub(super) half: Vec2,
    /// Seen from the centre.
    pub(super) corners: [Vec2; 4],
    /// How far the middle of the corners may be from the centre.
    pub(super) center_error: f64,
}

impl Rectangle {
    /// How far a point is beyond its ends along each axis, times the length of the axes; 0 between them.
    #[inline(always)]
    pub(super) fn outside(&self, point: Vec2) -> Vec2 {
        let [u, v] = self.axes;
        let square = dot(u, u);
        let past = |axis: Vec2, half: f64| greater(dot(axis, point).abs() - half * square, 0.0);
        [past(u, self.half[0]), past(v, self.half[1])]
    }

    /// The middle of the corners, seen from the centre.
    #[inline(always)]
    pub(super) fn middle(&self) -> Vec2 {
        if self.center_error > 0.0 {
            scale(add(self.corners[0], self.corners[2]), 0.5)
        } else {
            [0.0; 2]
        }
    }

    /// The edge that an axis leaves by.
    #[inline(always)]
    pub(super) fn side_index(&self, axis: usize, forwards: bool) -> usize {
        [[3, 1], [0, 2]][axis][usize::from(forwards)]
    }
}

impl Core for Rectangle {
    const POINT: bool = false;

    #[inline(always)]
    fn reach(&self) -> f64 {
        length(self.corners[0]).max(length(self.corners[2]))
    }

    #[inline(always)]
    fn span(&self) -> f64 {
        // Axes are unit but for the rounding of `f32`.
        1.001 * (self.half[0] + self.half[1]) + self.center_error
    }

    /// Half a right angle.
    fn bluntness(&self) -> f64 {
        std::f64::consts::FRAC_1_SQRT_2
    }

    #[inline(always)]
    fn count(&self) -> usize {
        4
    }

    #[inline(always)]
    fn corner(&self, index: usize) -> Vec2 {
        self.corners[index % 4]
    }

    #[inline(always)]
    fn edge(&self, index: usize) -> Edge {
        Edge::new(self.corner(index), self.corner(index + 1))
    }

    /// One of each direction; where they meet, one of them starts.
    #[inline(always)]
    fn candidate_edges(&self, point: Vec2) -> impl Iterator<Item = usize> {
        let ahead = |axis: usize| dot(self.axes[axis], point) > 0.0;
        [self.side_index(0, ahead(0)), self.side_index(1, ahead(1))].into_iter()
    }

    #[inline(always)]
    fn axis_count(&self) -> usize {
        2
    }

    #[inline(always)]
    fn axis(&self, index: usize) -> CoreAxis {
        let along = self.axes[index];
        CoreAxis { along, size: length(along), ends: self.interval(along) }
    }

    #[inline(always)]
    fn facing_edge(&self, axis: usize, forwards: bool) -> Option<usize> {
        Some(self.side_index(axis, forwards))
    }

    #[inline(always)]
    fn lowest(&self, up: Vec2) -> usize {
        let [along, across] = [0, 1].map(|i| usize::from(dot(self.axes[i], up) > 0.0));
        [[2, 1], [3, 0]][along][across]
    }

    #[inline(always)]
    fn rectangle(&self) -> Option<&Rectangle> {
        Some(self)
    }
}

/// One side of a polygon, as made once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    corner: Vec2,
    along: Vec2,
    size: f64,
    ends: [f64; 2],
}

/// The sides between corners seen from the centre.
pub(super) fn sides(corners: impl Iterator<Item = Vec2> + Clone) -> Box<[Side]> {
    let next = corners.clone().cycle().skip(1);
    let side = |(corner, next)| {
        let Edge { along, size, .. } = Edge::new(corner, next);
        Side { corner, along, size, ends: interval(corners.clone(), right(along)) }
    };
    corners.clone().zip(next).map(side).collect()
}

/// A polygon by its sides.
#[derive(Debug, Clone, Copy)]
pub struct Polygon<'a> {
    pub(super) sides: &'a [Side],
    pub(super) reach: f64,
    pub(super) bluntness: f64,
}

impl Core for Polygon<'_> {
    const POINT: bool = false;

    #[inline(always)]
    fn reach(&self) -> f64 {
        self.reach
    }

    #[inline(always)]
    fn span(&self) -> f64 {
        self.reach
    }

    fn bluntness(&self) -> f64 {
        self.bluntness
    }

    #[inline(always)]
    fn count(&self) -> usize {
        self.sides.len()
    }

    #[inline(always)]
    fn corner(&self, index: usize) -> Vec2 {
        let count = self.sides.len();
        self.sides[if index < count { index } else { index - count }].corner
    }

    #[inline(always)]
    fn edge(&self, index: usize) -> Edge {
        let count = self.sides.len();
        let side = &self.sides[if index < count { index } else { index - count }];
        Edge { start: side.corner, along: side.along, size: side.size }
    }

    #[inline(always)]
    fn candidate_edges(&self, _: Vec2) -> impl Iterator<Item = usize> {
        0..self.sides.len()
    }

    #[inline(always)]
    fn axis_count(&self) -> usize {
        self.sides.len()
    }

    #[inline(always)]
    fn axis(&self, index: usize) -> CoreAxis {
        let side = &self.sides[index];
        CoreAxis { along: right(side.along), size: side.size, ends: side.ends }
    }

    #[inline(always)]
    fn facing_edge(&self, axis: usize, forwards: bool) -> Option<usize> {
        forwards.then_some(axis)
    }

    #[inline(always)]
    fn interval(&self, axis: Vec2) -> [f64; 2] {
        interval(self.sides.iter().map(|side| side.corner), axis)
    }
}
