//! Cores of rounded shapes: a point, a rectangle or a polygon.

use super::edge::PlanarEdge;
use super::vector::{Vec2, add, dot, greater, length, right, scale};

/// Candidate separating axis of a core.
#[derive(Debug, Clone, Copy)]
pub struct CoreAxis {
    /// Direction, not of unit length; outward for a polygon.
    pub(super) along: Vec2,
    pub(super) size: f64,
    /// Interval of the core along the axis, relative to the centre.
    pub(super) ends: [f64; 2],
}

/// Core of a rounded shape. A type parameter, so that each pair is compiled separately.
pub trait PlanarCore: Copy {
    /// Set if the core is a single point.
    const POINT: bool;

    /// Returns the distance of the farthest corner from the centre.
    fn radius_about_center(&self) -> f64;

    /// Returns an upper bound on [`PlanarCore::radius_about_center`], computed without a root.
    fn radius_bound(&self) -> f64;

    /// Returns the cosine of half the sharpest turn between neighbouring axes; see
    /// [`distance_bound`](super::contact::distance_bound).
    fn bluntness(&self) -> f64;

    /// Returns the number of corners.
    fn corner_count(&self) -> usize;

    /// Returns a corner, relative to the centre.
    fn corner(&self, index: usize) -> Vec2;

    /// Returns the edge from this corner to the next.
    fn edge(&self, index: usize) -> PlanarEdge;

    /// Returns indices of the edges that may contain the closest point to a point outside.
    fn candidate_edges(&self, point: Vec2) -> impl Iterator<Item = usize>;

    /// Returns the number of candidate separating axes: 2 for a box, 1 for each side of a polygon.
    fn axis_count(&self) -> usize;

    /// Returns a candidate separating axis.
    fn axis(&self, index: usize) -> CoreAxis;

    /// Returns the edge whose outward normal is the axis, or its opposite if not `forwards`; `None`
    /// if there is none.
    fn facing_edge(&self, axis: usize, forwards: bool) -> Option<usize>;

    /// Returns a corner that is lowest along a direction.
    #[inline(always)]
    fn lowest_corner(&self, up: Vec2) -> usize {
        let (mut lowest, mut least) = (0, f64::INFINITY);
        for index in 0..self.corner_count() {
            let height = dot(up, self.corner(index));
            if height < least {
                (lowest, least) = (index, height);
            }
        }
        lowest
    }

    #[inline(always)]
    fn rectangle(&self) -> Option<&RectangleCore> {
        None
    }

    /// Returns the interval of the core along `axis`, relative to the centre.
    #[inline(always)]
    fn interval(&self, axis: Vec2) -> [f64; 2] {
        interval((0..self.corner_count()).map(|index| self.corner(index)), axis)
    }
}

/// Returns the least and the greatest coordinate of corners along `axis`.
#[inline(always)]
fn interval(corners: impl Iterator<Item = Vec2>, axis: Vec2) -> [f64; 2] {
    let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
    for corner in corners {
        let x = dot(axis, corner);
        ends = [if x < ends[0] { x } else { ends[0] }, if x > ends[1] { x } else { ends[1] }];
    }
    ends
}

/// Core of a circle: its centre.
#[derive(Debug, Clone, Copy)]
pub struct PointCore;

impl PlanarCore for PointCore {
    const POINT: bool = true;

    fn radius_about_center(&self) -> f64 {
        0.0
    }

    fn radius_bound(&self) -> f64 {
        0.0
    }

    fn bluntness(&self) -> f64 {
        1.0
    }

    fn corner_count(&self) -> usize {
        1
    }

    fn corner(&self, _: usize) -> Vec2 {
        [0.0; 2]
    }

    fn edge(&self, _: usize) -> PlanarEdge {
        PlanarEdge::new([0.0; 2], [0.0; 2])
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

/// Core of a box, oriented or axis-aligned.
#[derive(Debug, Clone, Copy)]
pub struct RectangleCore {
    /// Directions of the edges, the second a quarter turn left of the first.
    pub(super) axes: [Vec2; 2],
    pub(super) half: Vec2,
    /// Corners relative to the centre.
    pub(super) corners: [Vec2; 4],
    /// Upper bound on the distance of the true centre of the corners from the rounded centre.
    pub(super) center_error: f64,
}

impl RectangleCore {
    /// Returns the distance of a point outside along each axis, times the length of the axes; 0
    /// inside.
    #[inline(always)]
    pub(super) fn distances_outside(&self, point: Vec2) -> Vec2 {
        let [u, v] = self.axes;
        let square = dot(u, u);
        let past = |axis: Vec2, half: f64| greater(dot(axis, point).abs() - half * square, 0.0);
        [past(u, self.half[0]), past(v, self.half[1])]
    }

    /// Returns the true centre of the corners, relative to the rounded one.
    #[inline(always)]
    pub(super) fn center_offset(&self) -> Vec2 {
        if self.center_error > 0.0 {
            scale(add(self.corners[0], self.corners[2]), 0.5)
        } else {
            [0.0; 2]
        }
    }

    /// Returns the index of the edge whose outward normal is the axis, or its opposite if not
    /// `forwards`.
    #[inline(always)]
    pub(super) fn side_index(&self, axis: usize, forwards: bool) -> usize {
        [[3, 1], [0, 2]][axis][usize::from(forwards)]
    }
}

impl PlanarCore for RectangleCore {
    const POINT: bool = false;

    #[inline(always)]
    fn radius_about_center(&self) -> f64 {
        length(self.corners[0]).max(length(self.corners[2]))
    }

    #[inline(always)]
    fn radius_bound(&self) -> f64 {
        // Axes are unit up to the rounding of `f32`.
        1.001 * (self.half[0] + self.half[1]) + self.center_error
    }

    /// Returns the cosine of half a right angle.
    fn bluntness(&self) -> f64 {
        std::f64::consts::FRAC_1_SQRT_2
    }

    #[inline(always)]
    fn corner_count(&self) -> usize {
        4
    }

    #[inline(always)]
    fn corner(&self, index: usize) -> Vec2 {
        self.corners[index % 4]
    }

    #[inline(always)]
    fn edge(&self, index: usize) -> PlanarEdge {
        PlanarEdge::new(self.corner(index), self.corner(index + 1))
    }

    /// Returns one edge of each direction; the corner between them starts one of the two.
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
    fn lowest_corner(&self, up: Vec2) -> usize {
        let [along, across] = [0, 1].map(|i| usize::from(dot(self.axes[i], up) > 0.0));
        [[2, 1], [3, 0]][along][across]
    }

    #[inline(always)]
    fn rectangle(&self) -> Option<&RectangleCore> {
        Some(self)
    }
}

/// Precomputed side of a polygon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EdgeSide {
    corner: Vec2,
    along: Vec2,
    size: f64,
    ends: [f64; 2],
}

/// Computes the sides between corners, which are relative to the centre.
pub(super) fn edge_sides(corners: impl Iterator<Item = Vec2> + Clone) -> Box<[EdgeSide]> {
    let next = corners.clone().cycle().skip(1);
    let side = |(corner, next)| {
        let PlanarEdge { along, size, .. } = PlanarEdge::new(corner, next);
        EdgeSide { corner, along, size, ends: interval(corners.clone(), right(along)) }
    };
    corners.clone().zip(next).map(side).collect()
}

/// Core of a polygon: its sides.
#[derive(Debug, Clone, Copy)]
pub struct PolygonCore<'a> {
    pub(super) sides: &'a [EdgeSide],
    pub(super) radius_about_center: f64,
    pub(super) bluntness: f64,
}

impl PlanarCore for PolygonCore<'_> {
    const POINT: bool = false;

    #[inline(always)]
    fn radius_about_center(&self) -> f64 {
        self.radius_about_center
    }

    #[inline(always)]
    fn radius_bound(&self) -> f64 {
        self.radius_about_center
    }

    fn bluntness(&self) -> f64 {
        self.bluntness
    }

    #[inline(always)]
    fn corner_count(&self) -> usize {
        self.sides.len()
    }

    #[inline(always)]
    fn corner(&self, index: usize) -> Vec2 {
        let count = self.sides.len();
        self.sides[if index < count { index } else { index - count }].corner
    }

    #[inline(always)]
    fn edge(&self, index: usize) -> PlanarEdge {
        let count = self.sides.len();
        let side = &self.sides[if index < count { index } else { index - count }];
        PlanarEdge { start: side.corner, along: side.along, size: side.size }
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
