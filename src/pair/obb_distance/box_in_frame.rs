//! Step of the OBB distance: projects a corner of one box and its three edges onto the other box,
//! and stops when the support along the offset is no nearer (stopping test of Gilbert, Johnson,
//! Keerthi, 1988).

use super::relative::{ClosestFeatures, RelativeBoxes};
use crate::num::linear::{Vec3, coordinate_sum};
use crate::num::simd::DoubleTriple;
use crate::num::tolerance::PARALLEL_SINE;
use crate::sat::{lane_of_edge, weighted_sum};

/// One box in the frame of another, called its own.
#[derive(Clone, Copy)]
pub(crate) struct BoxInFrame<D: DoubleTriple> {
    pub token: D::Token,
    /// Axes of the other box in the own frame.
    pub forth: [D; 3],
    /// Own axes in the frame of the other box.
    pub back: [D; 3],
    /// Centre of the other box.
    pub center: D,
    /// Half extents of the own box; `half` of the other.
    pub own: D,
    pub half: D,
    /// Sum of the half diagonals.
    pub size: f64,
}

/// Initial direction of the search for closest points.
#[derive(Clone, Copy)]
pub(crate) struct InitialDirection<D: DoubleTriple> {
    /// Direction from a box, in its own frame, to the other.
    pub way: D,
    /// All lanes set if that is the first box. A single `bool` would become a branch, which is
    /// unpredictable here.
    pub first: D::Mask,
}

impl<D: DoubleTriple> RelativeBoxes<D> {
    /// Returns the second box in the frame of the first, or the first in the frame of the second.
    #[inline(always)]
    pub fn box_in_frame(&self, first: D::Mask) -> BoxInFrame<D> {
        let ([x, y, z], [p, q, r]) = (self.pair.rows, self.pair.columns);
        let ([t, u], [a, b]) = (self.center_offsets(), self.pair.half);
        BoxInFrame {
            token: self.token,
            forth: [D::choose(first, p, x), D::choose(first, q, y), D::choose(first, r, z)],
            back: [D::choose(first, x, p), D::choose(first, y, q), D::choose(first, z, r)],
            center: D::choose(first, t, -u),
            own: D::choose(first, a, b),
            half: D::choose(first, b, a),
            size: self.size,
        }
    }

    /// Returns the offset of the bounds along the faces of the box that sees the larger one;
    /// without an offset, the axis of greatest excess.
    #[inline(always)]
    pub fn initial_direction(&self) -> InitialDirection<D> {
        let (zero, [t, u]) = (D::splat(self.token, 0.0), self.center_offsets());
        let beyond = [self.faces[0].separation().high(zero), self.faces[1].separation().high(zero)];
        let squares = [
            coordinate_sum((beyond[0] * beyond[0]).numbers()),
            coordinate_sum((beyond[1] * beyond[1]).numbers()),
        ];
        if squares[0] + squares[1] == 0.0 {
            return self.greatest_excess_axis();
        }
        let [of_first, of_second] =
            [D::splat(self.token, squares[0]), D::splat(self.token, squares[1])];
        let first = of_second.at_most(of_first);
        // The offset in the frame of the second box leads to the first.
        let (to, beyond) = (D::choose(first, t, -u), D::choose(first, beyond[0], beyond[1]));
        InitialDirection { way: D::choose(zero.above(to), -beyond, beyond), first }
    }

    /// Returns the axis of greatest excess: greatest distance or least overlap. Nearly parallel
    /// edges are skipped.
    #[inline(always)]
    fn greatest_excess_axis(&self) -> InitialDirection<D> {
        let [x, y, z] = [self.excess_of_edges(0), self.excess_of_edges(1), self.excess_of_edges(2)];
        let [of_first, of_second] = [self.faces[0].separation(), self.faces[1].separation()];
        let all = [of_first, of_second, x[0], y[0], z[0]];
        let [t, u] = self.center_offsets();
        let axis = greatest_axis(&all);
        let ahead = [t, -u, x[1], y[1], z[1]];
        let sign = if axis_values(&ahead)[axis] < 0.0 { -1.0 } else { 1.0 };
        let mut way = [0.0; 3];
        if axis < 6 {
            way[axis % 3] = sign;
        } else {
            let (i, j) = (axis / 3 - 2, axis % 3);
            let (column, i1, i2) = (self.pair.columns[j].numbers(), (i + 1) % 3, (i + 2) % 3);
            (way[i1], way[i2]) = (-sign * column[i2], sign * column[i1]);
        }
        InitialDirection { way: D::from_numbers(self.token, way), first: self.mask(axis / 3 != 1) }
    }

    /// Returns the excess of an edge of the second box with each edge of the first, and the signed
    /// distances.
    #[inline(always)]
    fn excess_of_edges(&self, j: usize) -> [D; 2] {
        let (edges, sine) = (self.pair.edges(j), self.pair.squared_lengths(j).sqrt());
        let none = D::splat(self.token, f64::NEG_INFINITY);
        let crossed = sine.above(D::splat(self.token, PARALLEL_SINE));
        [D::choose(crossed, edges.separation() / sine, none), edges.distance]
    }
}

/// Point of the other box, and the offset to it from the own box.
#[derive(Clone, Copy)]
pub(crate) struct EdgeCandidate<D> {
    /// Offset from the point to the other centre, along the other's axes.
    corner: D,
    point: D,
    on_own: D,
    offset: D,
    /// Offset along the axes of the other box.
    across: D,
    squared: f64,
    length: f64,
}

/// Excess by which an offset may be longer, on one axis of the other box, than the separation along
/// it, as a share of the sizes: a few roundings. As a share of the distance too, it would make the
/// points of small distant boxes no better than its root. Such a short offset itself does not
/// occur: separated boxes are farther apart.
const OFFSET_ERROR: f64 = 1.0 / (1u64 << 48) as f64;

impl<D: DoubleTriple> BoxInFrame<D> {
    /// Returns the corner of the other box that comes first along `way`.
    #[inline(always)]
    pub fn corner_toward(&self, way: D) -> EdgeCandidate<D> {
        let ahead =
            weighted_sum(self.token, &self.back, way.numbers()).above(D::splat(self.token, 0.0));
        self.candidate_at(D::choose(ahead, self.half, -self.half))
    }

    #[inline(always)]
    fn candidate_at(&self, corner: D) -> EdgeCandidate<D> {
        let point = self.center - weighted_sum(self.token, &self.forth, corner.numbers());
        let on_own = point.low(self.own).high(-self.own);
        let offset = point - on_own;
        let across = weighted_sum(self.token, &self.back, offset.numbers());
        let squared = coordinate_sum((offset * offset).numbers());
        EdgeCandidate { corner, point, on_own, offset, across, squared, length: squared.sqrt() }
    }

    /// Returns `true` if no point of the other box is nearer: none lies farther back along the
    /// offset, whose own end is the nearest point to that corner.
    #[inline(always)]
    pub fn is_nearest(&self, tried: &EdgeCandidate<D>) -> bool {
        let (length, least) = (tried.length, OFFSET_ERROR * self.size);
        let most = D::splat(self.token, length * least);
        let nearer = self.half * tried.across.abs() - tried.corner * tried.across;
        !D::any(nearer.above(most)) || length <= least
    }

    /// Returns the nearest point of the three edges at a corner, or the corner if that is nearer.
    ///
    /// Along an edge the squared distance is convex and piecewise parabolic; the pieces meet where
    /// the edge crosses the planes of the faces. Between the two crossings where the slope changes
    /// sign, the slope is linear.
    #[inline(always)]
    pub fn closest_on_edges(&self, corner: &EdgeCandidate<D>) -> EdgeCandidate<D> {
        let (token, zero) = (self.token, D::splat(self.token, 0.0));
        let twice = corner.corner + corner.corner;
        let edges = CornerEdges {
            ways: [self.back[0] * twice, self.back[1] * twice, self.back[2] * twice],
            from: corner.point.numbers(),
            own: self.own.numbers(),
        };
        let one = D::splat(token, 1.0);
        let start = (zero, edges.slope(token, zero));
        let end = (one, edges.slope(token, one));
        let [x, y, z] = edges.own;
        let ends = edges.clipped(token, 0, -x, [start, end]);
        let ends = edges.clipped(token, 0, x, ends);
        let ends = edges.clipped(token, 1, -y, ends);
        let ends = edges.clipped(token, 1, y, ends);
        let ends = edges.clipped(token, 2, -z, ends);
        let [from, to] = edges.clipped(token, 2, z, ends);
        let share = from.0 + (to.0 - from.0) * (from.1 / (from.1 - to.1));
        let share = D::choose(end.1.above(zero), share, one);
        let share = D::choose(zero.above(start.1), share, zero);
        let squared = edges.squared(token, share).numbers();
        let (mut best, mut least) = (3, corner.squared);
        for (j, squared) in squared.into_iter().enumerate() {
            if squared < least {
                (best, least) = (j, squared);
            }
        }
        if best == 3 {
            return *corner;
        }
        let (mut corner_offset, share) = (corner.corner.numbers(), share.numbers());
        corner_offset[best] -= 2.0 * corner_offset[best] * share[best];
        self.candidate_at(D::from_numbers(token, corner_offset))
    }
}

impl<D: DoubleTriple> EdgeCandidate<D> {
    #[inline(always)]
    pub fn found(&self, first: D::Mask) -> ClosestFeatures<D> {
        let EdgeCandidate { on_own, offset, squared, length, .. } = *self;
        ClosestFeatures { on_own, offset, squared, length, first }
    }

    /// Returns the reversed offset, in the frame of the other box.
    #[inline(always)]
    pub fn reversed_offset(&self) -> D {
        -self.across
    }
}

/// Three edges at one corner, across lanes, and the box near them.
struct CornerEdges<D> {
    /// Coordinates of the edge vectors.
    ways: [D; 3],
    from: Vec3,
    own: Vec3,
}

impl<D: DoubleTriple> CornerEdges<D> {
    /// Returns the signed distance outside the box of a coordinate on each edge.
    #[inline(always)]
    fn outside(&self, token: D::Token, i: usize, t: D) -> D {
        let (x, own) =
            (D::splat(token, self.from[i]) + t * self.ways[i], D::splat(token, self.own[i]));
        x - x.low(own).high(-own)
    }

    /// Returns half the slope of the squared distance.
    #[inline(always)]
    fn slope(&self, token: D::Token, t: D) -> D {
        self.outside(token, 0, t) * self.ways[0]
            + self.outside(token, 1, t) * self.ways[1]
            + self.outside(token, 2, t) * self.ways[2]
    }

    /// Clips an interval, given with the slopes at its ends, at a plane, so that the slope still
    /// changes sign in it.
    #[inline(always)]
    fn clipped(
        &self,
        token: D::Token,
        i: usize,
        plane: f64,
        [from, to]: [(D, D); 2],
    ) -> [(D, D); 2] {
        let t = D::splat(token, plane - self.from[i]) / self.ways[i];
        // Written so that NaN fails.
        let between = D::both(t.above(from.0), to.0.above(t));
        let slope = self.slope(token, t);
        let falls = D::splat(token, 0.0).above(slope);
        let low = (D::choose(falls, t, from.0), D::choose(falls, slope, from.1));
        let high = (D::choose(falls, to.0, t), D::choose(falls, to.1, slope));
        [
            (D::choose(between, low.0, from.0), D::choose(between, low.1, from.1)),
            (D::choose(between, high.0, to.0), D::choose(between, high.1, to.1)),
        ]
    }

    #[inline(always)]
    fn squared(&self, token: D::Token, t: D) -> D {
        let (x, y, z) =
            (self.outside(token, 0, t), self.outside(token, 1, t), self.outside(token, 2, t));
        x * x + y * y + z * z
    }
}

/// Lists the values of all axes: face normals, then edge after edge of the first box.
#[inline(always)]
fn axis_values<D: DoubleTriple>([a, b, x, y, z]: &[D; 5]) -> [f64; 15] {
    let mut all = [0.0; 15];
    all[..3].copy_from_slice(&a.numbers());
    all[3..6].copy_from_slice(&b.numbers());
    let edges = [x.numbers(), y.numbers(), z.numbers()];
    for i in 0..3 {
        for j in 0..3 {
            all[6 + 3 * i + j] = edges[j][lane_of_edge(i)];
        }
    }
    all
}

/// Returns the index of the greatest value, the first of equals.
#[inline(always)]
fn greatest_axis<D: DoubleTriple>(all: &[D; 5]) -> usize {
    let all = axis_values(all);
    let mut best = 0;
    for k in 1..15 {
        if all[k] > all[best] {
            best = k;
        }
    }
    best
}
