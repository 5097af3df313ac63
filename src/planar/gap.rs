//! How far two outlines that are apart are from each other.

use super::core::{Core, Rectangle};
use super::couple::{Couple, SMALL};
use super::outline::Outline;
use super::vector::{Vec2, add, cross, dot, greater, length, lesser, scale, sub};

/// How far a circle around `center` is from a rectangle, for two that are apart.
#[inline(always)]
fn outside(solid: &Rectangle, center: Vec2, radius: f64) -> f64 {
    length(solid.past(center)) / length(solid.axes[0]) - radius
}

/// How far two outlines are apart that are. The same from the other side.
pub(super) fn between<A: Core, B: Core>(a: &Outline<A>, b: &Outline<B>) -> f64 {
    let couple = Couple::new(a, b);
    if Couple::<A, B>::ROUND {
        let radius = a.round + b.round;
        couple.with_circle(|at, of| around(of, at, radius), |at, of| around(of, at, radius))
    } else if let Some(away) = couple.rectangles() {
        away
    } else if b.precedes(a) {
        Couple::new(b, a).polygons()
    } else {
        couple.polygons()
    }
}

#[inline(always)]
fn around<C: Core>(of: &Outline<C>, center: Vec2, radius: f64) -> f64 {
    match of.core.rectangle() {
        Some(solid) => outside(solid, center, radius),
        None => of.nearest(center).0 - radius,
    }
}

/// How far the nearest corner of `other`, of which `offset` is the middle, is from `solid`: the square, times that of an axis of `solid`.
#[inline(always)]
fn nearest_corner(solid: &Rectangle, other: &Rectangle, offset: Vec2) -> f64 {
    let (u, v) = (solid.axes[0], other.axes[0]);
    let (along, across) = (dot(u, v), cross(u, v));
    let square = dot(u, u);
    // The corners of the other along each axis: the middle and two half diagonals, either way.
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

impl<A: Core, B: Core> Couple<'_, A, B> {
    /// From the nearest corner of one of two rectangles to the other. Nothing where squares may have vanished.
    #[inline(always)]
    fn rectangles(&self) -> Option<f64> {
        let (p, q) = (self.a.core.rectangle()?, self.b.core.rectangle()?);
        let offset = add(self.offset, sub(q.middle(), p.middle()));
        let (of_p, of_q) = (dot(p.axes[0], p.axes[0]), dot(q.axes[0], q.axes[0]));
        let there = nearest_corner(p, q, offset) * of_q;
        let back = nearest_corner(q, p, offset) * of_p;
        let least = lesser(there, back);
        (least > SMALL * SMALL).then(|| (least / (of_p * of_q)).sqrt())
    }

    fn polygons(&self) -> f64 {
        self.by_widest().unwrap_or_else(|| self.by_all())
    }

    /// From some corner of one to the outline of the other.
    #[cold]
    fn by_all(&self) -> f64 {
        let back = scale(self.offset, -1.0);
        let there = self.b.corners().map(|corner| self.a.nearest(add(corner, self.offset)).0);
        let and_back = self.a.corners().map(|corner| self.b.nearest(add(corner, back)).0);
        there.chain(and_back).fold(f64::INFINITY, f64::min)
    }

    /// At the edge whose direction parts the two the most, or at an end of it: no direction parts them by more than they are apart,
    /// and among the edges the best are next to where they are nearest. Nothing where that can not be made sure of.
    fn by_widest(&self) -> Option<f64> {
        let widest = self.widest()?;
        let bound = || widest.excess() + self.band();
        if widest.of_a {
            beside(self.a, widest.edge, self.b, self.offset, bound)
        } else {
            beside(self.b, widest.edge, self.a, scale(self.offset, -1.0), bound)
        }
    }

    fn widest(&self) -> Option<Widest> {
        let (mut most, mut widest) = (0.0, None);
        let mut wider = |way: f64, size: f64, edge: Option<usize>, of_a: bool| {
            if let Some(edge) = edge.filter(|_| way > most * size && size > SMALL) {
                most = way / size;
                widest = Some(Widest { excess: way, size, edge, of_a });
            }
        };
        for index in 0..self.a.core.axis_count() {
            let way = self.way_of_a(index);
            wider(way.free[0], way.size, self.a.core.facing(index, true), true);
            wider(-way.free[1], way.size, self.a.core.facing(index, false), true);
        }
        for index in 0..self.b.core.axis_count() {
            let way = self.way_of_b(index);
            wider(way.free[0], way.size, self.b.core.facing(index, false), false);
            wider(-way.free[1], way.size, self.b.core.facing(index, true), false);
        }
        widest
    }
}

/// The edge whose direction parts two the most.
#[derive(Clone, Copy)]
struct Widest {
    /// By how much, times the length of its axis, and that length.
    excess: f64,
    size: f64,
    edge: usize,
    of_a: bool,
}

impl Widest {
    fn excess(&self) -> f64 {
        self.excess / self.size
    }
}

/// From an edge of `a` to the corner of `b` that is nearest to its line, if they are no further apart than that: where the corner is
/// beside the edge, or an end of the edge is beside an edge of the corner, or where the way from corner to corner parts the two.
fn beside<A: Core, B: Core>(
    a: &Outline<A>,
    edge: usize,
    b: &Outline<B>,
    offset: Vec2,
    bound: impl Fn() -> f64,
) -> Option<f64> {
    let wall = a.core.edge(edge);
    let lowest = b.core.lowest(wall.outward());
    let corner = b.core.corner(lowest);
    let seen = add(corner, offset);
    let (away, met) = wall.away(seen);
    if met {
        return Some(away.abs());
    }
    let before = dot(wall.along, sub(seen, wall.start)) <= 0.0;
    let end = a.core.corner(if before { edge } else { edge + 1 });
    let back = sub(end, offset);
    for index in [lowest + b.core.count() - 1, lowest] {
        let (away, met) = b.core.edge(index).away(back);
        if met && away >= 0.0 && away <= bound() {
            return Some(away);
        }
    }
    let way = sub(seen, end);
    let parted = a.corners().all(|other| dot(way, sub(other, end)) <= 0.0)
        && b.corners().all(|other| dot(way, sub(other, corner)) >= 0.0);
    parted.then(|| length(way))
}
