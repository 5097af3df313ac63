//! Distances of two outlines that are apart.

use super::core::{PlanarCore, RectangleCore};
use super::outline::Outline2;
use super::outline_pair::{MIN_LENGTH, OutlinePair};
use super::vector::{Vec2, add, cross, dot, greater, length, lesser, scale, sub};

/// Returns the distance of a circle around `center` from a rectangle, if they are apart.
#[inline(always)]
fn outside_rectangle(solid: &RectangleCore, center: Vec2, radius: f64) -> f64 {
    length(solid.distances_outside(center)) / length(solid.axes[0]) - radius
}

/// Returns the distance of two outlines that are apart; symmetric, bit for bit.
pub(super) fn distance_apart<A: PlanarCore, B: PlanarCore>(
    a: &Outline2<A>,
    b: &Outline2<B>,
) -> f64 {
    let pair = OutlinePair::new(a, b);
    if OutlinePair::<A, B>::ROUND {
        let radius = a.radius + b.radius;
        pair.with_circle(
            |at, of| circle_distance(of, at, radius),
            |at, of| circle_distance(of, at, radius),
        )
    } else if let Some(away) = pair.rectangle_distance() {
        away
    } else if b.precedes(a) {
        OutlinePair::new(b, a).polygon_distance()
    } else {
        pair.polygon_distance()
    }
}

/// Returns the distance of a circle around `center` from an outline, if they are apart.
#[inline(always)]
fn circle_distance<C: PlanarCore>(of: &Outline2<C>, center: Vec2, radius: f64) -> f64 {
    match of.core.rectangle() {
        Some(solid) => outside_rectangle(solid, center, radius),
        None => of.distance_and_direction(center).0 - radius,
    }
}

/// Returns the squared distance from `solid` to the nearest corner of `other`, whose centre is at
/// `offset`, times the squared length of an axis of `solid`.
#[inline(always)]
fn squared_corner_distance(solid: &RectangleCore, other: &RectangleCore, offset: Vec2) -> f64 {
    let (u, v) = (solid.axes[0], other.axes[0]);
    let (along, across) = (dot(u, v), cross(u, v));
    let square = dot(u, u);
    // Corners of the other along each axis: its centre and two half diagonals, either way.
    let [a, b] = other.half;
    let (p, q) = ([a * along, a * across], [b * across, b * along]);
    let past = |axis: usize, corner: f64| greater(corner.abs() - solid.half[axis] * square, 0.0);
    let (x, y) = (dot(u, offset), dot(solid.axes[1], offset));
    let away = |i: f64, j: f64| {
        let (x, y) = (past(0, x + i), past(1, y + j));
        x * x + y * y
    };
    let (sum, difference) = ([p[0] + q[0], p[1] - q[1]], [p[0] - q[0], p[1] + q[1]]);
    let one = lesser(away(sum[0], sum[1]), away(-sum[0], -sum[1]));
    let two = lesser(away(difference[0], difference[1]), away(-difference[0], -difference[1]));
    lesser(one, two)
}

impl<A: PlanarCore, B: PlanarCore> OutlinePair<'_, A, B> {
    /// Returns the distance of two rectangles, from the nearest corner of one to the other; `None`
    /// where squares may underflow.
    #[inline(always)]
    fn rectangle_distance(&self) -> Option<f64> {
        let (p, q) = (self.a.core.rectangle()?, self.b.core.rectangle()?);
        let offset = add(self.offset, sub(q.center_offset(), p.center_offset()));
        let (of_p, of_q) = (dot(p.axes[0], p.axes[0]), dot(q.axes[0], q.axes[0]));
        let there = squared_corner_distance(p, q, offset) * of_q;
        let back = squared_corner_distance(q, p, offset) * of_p;
        let least = lesser(there, back);
        (least > MIN_LENGTH * MIN_LENGTH).then(|| (least / (of_p * of_q)).sqrt())
    }

    /// Returns the distance of two polygons, or of a polygon and a rectangle.
    fn polygon_distance(&self) -> f64 {
        self.distance_at_widest_axis().unwrap_or_else(|| self.distance_over_all_corners())
    }

    /// Returns the least distance from a corner of one to the outline of the other.
    #[cold]
    fn distance_over_all_corners(&self) -> f64 {
        let back = scale(self.offset, -1.0);
        let there = self
            .b
            .corners()
            .map(|corner| self.a.distance_and_direction(add(corner, self.offset)).0);
        let and_back =
            self.a.corners().map(|corner| self.b.distance_and_direction(add(corner, back)).0);
        there.chain(and_back).fold(f64::INFINITY, f64::min)
    }

    /// Returns the distance at the edge whose direction separates the two the most, or at an end of
    /// it; `None` where that can not be verified. No direction separates the two by more than their
    /// distance, and the best edge is next to the closest points.
    fn distance_at_widest_axis(&self) -> Option<f64> {
        let widest = self.widest_axis()?;
        let bound = || widest.unit_separation() + self.slack_bound();
        if widest.of_a {
            distance_at_edge(self.a, widest.edge, self.b, self.offset, bound)
        } else {
            distance_at_edge(self.b, widest.edge, self.a, scale(self.offset, -1.0), bound)
        }
    }

    fn widest_axis(&self) -> Option<WidestAxis> {
        let (mut most, mut widest) = (0.0, None);
        let mut wider = |separation: f64, size: f64, edge: Option<usize>, of_a: bool| {
            if let Some(edge) = edge.filter(|_| separation > most * size && size > MIN_LENGTH) {
                most = separation / size;
                widest = Some(WidestAxis { separation, size, edge, of_a });
            }
        };
        for index in 0..self.a.core.axis_count() {
            let axis = self.axis_of_a(index);
            wider(axis.overlap_range[0], axis.size, self.a.core.facing_edge(index, true), true);
            wider(-axis.overlap_range[1], axis.size, self.a.core.facing_edge(index, false), true);
        }
        for index in 0..self.b.core.axis_count() {
            let axis = self.axis_of_b(index);
            wider(axis.overlap_range[0], axis.size, self.b.core.facing_edge(index, false), false);
            wider(-axis.overlap_range[1], axis.size, self.b.core.facing_edge(index, true), false);
        }
        widest
    }
}

/// Edge whose direction separates two outlines the most.
#[derive(Clone, Copy)]
struct WidestAxis {
    /// Separation, times the length of its axis.
    separation: f64,
    /// Length of the axis.
    size: f64,
    edge: usize,
    of_a: bool,
}

impl WidestAxis {
    fn unit_separation(&self) -> f64 {
        self.separation / self.size
    }
}

/// Returns the distance from an edge of `a` to the corner of `b` nearest to its line, if the corner
/// projects onto the edge, or an end of the edge projects onto an edge of the corner within
/// `bound`, or the line from corner to corner separates the two; `None` otherwise.
fn distance_at_edge<A: PlanarCore, B: PlanarCore>(
    a: &Outline2<A>,
    edge: usize,
    b: &Outline2<B>,
    offset: Vec2,
    bound: impl Fn() -> f64,
) -> Option<f64> {
    let wall = a.core.edge(edge);
    let lowest = b.core.lowest_corner(wall.outward());
    let corner = b.core.corner(lowest);
    let corner_from_a = add(corner, offset);
    let (away, met) = wall.distance(corner_from_a);
    if met {
        return Some(away.abs());
    }
    let before = dot(wall.along, sub(corner_from_a, wall.start)) <= 0.0;
    let end = a.core.corner(if before { edge } else { edge + 1 });
    let back = sub(end, offset);
    for index in [lowest + b.core.corner_count() - 1, lowest] {
        let (away, met) = b.core.edge(index).distance(back);
        if met && away >= 0.0 && away <= bound() {
            return Some(away);
        }
    }
    let way = sub(corner_from_a, end);
    let parted = a.corners().all(|other| dot(way, sub(other, end)) <= 0.0)
        && b.corners().all(|other| dot(way, sub(other, corner)) >= 0.0);
    parted.then(|| length(way))
}
