//! Slabs of primitive pairs: the shifts along a direction at which two triangles, two boxes, or one
//! of each touch.
//!
//! Like [`box_slabs`](super::box_slabs), but in double precision and with all axes of the Minkowski
//! difference: face normals and cross products of edges; for primitives in one plane, the cross
//! products of edges with the direction; and where the direction lies nearly in that plane too, the
//! normals of the edges within it. So the interval is exact up to rounding. Any vector is a valid
//! axis, however it was rounded, if both bodies are projected on that vector: parallel edges and
//! needle triangles lose nothing.
//!
//! Coordinates are those of a [`ShiftFrame`], in which the shift is along the third axis.
//!
//! # Error bounds
//! The error of coordinates of a shift frame, the shift included, is less than [`ShiftFrame::pad`].
//! Along an axis `L` the error of both bodies together is `|L| pad`, absolute coordinates summed,
//! and `16 e` of `|L|` for the rounding of sums and quotients, which the pad covers too. An
//! interval is longer than the true one by that over the third coordinate of `L`, never shorter.

use crate::num::SimdLevel;
use crate::num::linear::{
    Mat3, Vec3, absolute_values, add, coordinate_sum, cross, dot, rotate, scale, splat,
    splat_matrix, sub,
};
use crate::num::simd::{DoubleKernel, Doubles};
use crate::num::vectors::load;

pub(crate) use super::shift_frame::{BoxOrTriangle, ShiftFrame};

/// Number of pairs tested together, at every SIMD level.
pub(crate) const PAIRS: usize = 8;

const UNDERFLOW_PAD: f64 = 1e-300;

/// Least third coordinate of an axis that counts as steep, as a share of the axis. If no axis is
/// steep, the two lie nearly in one plane with the shift.
const MIN_STEEPNESS: f64 = 1.0 / 256.0;

/// Up to eight pairs of primitives, as structure of arrays.
#[derive(Debug, Clone, Default)]
pub(crate) struct PrimitivePairs {
    sides: [PrimitiveLanes; 2],
    len: usize,
    /// Set if any primitive is a box.
    has_boxes: bool,
}

/// Primitives of one side: the convex hull of three points, thickened along three axes.
#[derive(Debug, Clone, Default)]
struct PrimitiveLanes {
    points: [[[f64; PAIRS]; 3]; 3],
    axes: [[[f64; PAIRS]; 3]; 3],
    half: [[f64; PAIRS]; 3],
}

impl PrimitivePairs {
    pub fn clear(&mut self) {
        (self.len, self.has_boxes) = (0, false);
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_full(&self) -> bool {
        self.len == PAIRS
    }

    pub fn push(&mut self, pair: [&BoxOrTriangle; 2]) {
        let solid = pair.iter().any(|primitive| matches!(primitive, BoxOrTriangle::Obb(_)));
        if solid && !self.has_boxes {
            // The triangles before it wrote no axes.
            self.sides.iter_mut().for_each(PrimitiveLanes::clear_axes);
            self.has_boxes = true;
        }
        for (rows, primitive) in self.sides.iter_mut().zip(pair) {
            rows.set(self.len, primitive, self.has_boxes);
        }
        self.len += 1;
    }

    /// Like [`PrimitivePairs::push`], for two triangles by their corners, written without a copy.
    #[inline(always)]
    pub fn push_triangles(&mut self, pair: [[Vec3; 3]; 2]) {
        if self.has_boxes {
            let [a, b] = pair.map(BoxOrTriangle::Triangle);
            return self.push([&a, &b]);
        }
        for (rows, corners) in self.sides.iter_mut().zip(&pair) {
            set_vectors(&mut rows.points, self.len, corners);
        }
        self.len += 1;
    }

    /// Returns the first and the last shift at which each pair touches [units of the frame]. A pair
    /// never touches if the first exceeds the last. For pairs that first touch beyond `to`, only a
    /// first shift beyond `to` is certain.
    pub fn spans(&self, frame: &ShiftFrame, to: f64, simd: SimdLevel) -> [[f64; PAIRS]; 2] {
        let mut spans = [[0.0; PAIRS]; 2];
        simd.run_doubles(SpansKernel { pairs: self, frame, to, spans: &mut spans });
        spans
    }
}

impl PrimitiveLanes {
    /// `solid` is set if axes are read.
    fn set(&mut self, lane: usize, primitive: &BoxOrTriangle, solid: bool) {
        if let (BoxOrTriangle::Triangle(corners), false) = (primitive, solid) {
            return set_vectors(&mut self.points, lane, corners);
        }
        let (points, axes, half) = primitive.points_and_axes();
        set_vectors(&mut self.points, lane, &points);
        set_vectors(&mut self.axes, lane, &axes);
        for (row, half) in self.half.iter_mut().zip(half) {
            row[lane % PAIRS] = half;
        }
    }

    fn clear_axes(&mut self) {
        (self.axes, self.half) = ([[[0.0; PAIRS]; 3]; 3], [[0.0; PAIRS]; 3]);
    }
}

#[inline(always)]
fn set_vectors(rows: &mut [[[f64; PAIRS]; 3]; 3], place: usize, vectors: &[Vec3; 3]) {
    for (rows, vector) in rows.iter_mut().zip(vectors) {
        for (row, x) in rows.iter_mut().zip(vector) {
            row[place % PAIRS] = *x;
        }
    }
}

/// First shift at which the second of a pair touches the first, and the axis of that contact:
/// towards the first, in the coordinates of the frame.
pub(crate) struct FirstContactFace {
    pub shift: f64,
    pub axis: Vec3,
}

impl FirstContactFace {
    /// Returns `None` for a pair that never touches.
    pub fn find(pair: [&BoxOrTriangle; 2], frame: &ShiftFrame) -> Option<Self> {
        let [a, b] = [0, 1].map(|side| {
            let (points, axes, half) = pair[side].points_and_axes();
            let (columns, origin) = &frame.parts[side];
            ConvexLanes::<f64>::new((columns, *origin), points, axes, half)
        });
        let span = ShiftSpan::of_pair::<true, true>((), &a, &b, (frame.pad, f64::INFINITY));
        (span.enter <= span.leave)
            .then_some(FirstContactFace { shift: span.enter, axis: span.axis })
    }
}

struct SpansKernel<'a> {
    pairs: &'a PrimitivePairs,
    frame: &'a ShiftFrame,
    to: f64,
    spans: &'a mut [[f64; PAIRS]; 2],
}

impl DoubleKernel for SpansKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let SpansKernel { pairs, frame, to, spans: [enter, leave] } = self;
        let mut at = 0;
        while at < pairs.len {
            let span = if pairs.has_boxes {
                ShiftSpan::<D>::from_lanes::<true>(token, (pairs, at), (frame, to))
            } else {
                ShiftSpan::<D>::from_lanes::<false>(token, (pairs, at), (frame, to))
            };
            span.enter.store(&mut enter[at..]);
            span.leave.store(&mut leave[at..]);
            at += D::LEN;
        }
    }
}

struct ConvexLanes<D> {
    points: [Vec3<D>; 3],
    /// Edges of a triangle, or axes of a box.
    edges: [Vec3<D>; 3],
    normals: [Vec3<D>; 3],
    /// Half the edges of a box.
    half: [Vec3<D>; 3],
}

impl<D: Doubles> ConvexLanes<D> {
    #[inline(always)]
    fn load<const SOLID: bool>(
        token: D::Token,
        (rows, at): (&PrimitiveLanes, usize),
        part: &(Mat3, Vec3),
    ) -> Self {
        let (columns, origin) = part;
        let columns = splat_matrix::<D>(token, columns);
        let origin = splat::<D>(token, *origin);
        let points = [
            load::<D, PAIRS>(token, &rows.points[0], at),
            load::<D, PAIRS>(token, &rows.points[1], at),
            load::<D, PAIRS>(token, &rows.points[2], at),
        ];
        if !SOLID {
            return Self::triangle([
                add(rotate(&columns, points[0]), origin),
                add(rotate(&columns, points[1]), origin),
                add(rotate(&columns, points[2]), origin),
            ]);
        }
        let axes = [
            load::<D, PAIRS>(token, &rows.axes[0], at),
            load::<D, PAIRS>(token, &rows.axes[1], at),
            load::<D, PAIRS>(token, &rows.axes[2], at),
        ];
        let half = load::<D, PAIRS>(token, &rows.half, at);
        Self::new((&columns, origin), points, axes, half)
    }

    /// Creates a triangle from corners in the coordinates of the frame.
    #[inline(always)]
    fn triangle(points: [Vec3<D>; 3]) -> Self {
        let [p, q, r] = points;
        let edges = [sub(q, p), sub(r, q), sub(p, r)];
        // The other normals and `half` are never read.
        ConvexLanes { points, edges, normals: [cross(edges[0], edges[1]); 3], half: points }
    }

    /// Transforms the fields of [`BoxOrTriangle::points_and_axes`] from the frame of its part.
    #[inline(always)]
    fn new(
        (columns, origin): (&Mat3<D>, Vec3<D>),
        [p, q, r]: [Vec3<D>; 3],
        [x, y, z]: [Vec3<D>; 3],
        half: Vec3<D>,
    ) -> Self {
        let points = [
            add(rotate(columns, p), origin),
            add(rotate(columns, q), origin),
            add(rotate(columns, r), origin),
        ];
        let axes = [rotate(columns, x), rotate(columns, y), rotate(columns, z)];
        let half = [scale(axes[0], half[0]), scale(axes[1], half[1]), scale(axes[2], half[2])];
        // A box has equal points, a triangle has zero axes.
        let edges = [
            add(sub(points[1], points[0]), axes[0]),
            add(sub(points[2], points[1]), axes[1]),
            add(sub(points[0], points[2]), axes[2]),
        ];
        let normals =
            [cross(edges[0], edges[1]), cross(edges[1], edges[2]), cross(edges[2], edges[0])];
        ConvexLanes { points, edges, normals, half }
    }

    /// Returns the projected interval on an axis; with `FLAT` the third coordinate of the axis is
    /// zero.
    #[inline(always)]
    fn interval_along<const SOLID: bool, const FLAT: bool>(&self, axis: Vec3<D>) -> (D, D) {
        let (p, q) = (
            dot_or_flat_dot::<D, FLAT>(axis, self.points[0]),
            dot_or_flat_dot::<D, FLAT>(axis, self.points[1]),
        );
        let r = dot_or_flat_dot::<D, FLAT>(axis, self.points[2]);
        let (low, high) = (p.lesser(q).lesser(r), p.greater(q).greater(r));
        if !SOLID {
            return (low, high);
        }
        let half = dot_or_flat_dot::<D, FLAT>(axis, self.half[0]).abs()
            + dot_or_flat_dot::<D, FLAT>(axis, self.half[1]).abs()
            + dot_or_flat_dot::<D, FLAT>(axis, self.half[2]).abs();
        (low - half, high + half)
    }
}

/// Shifts in the slabs of all axes so far, and the axis of the slab that is entered last.
struct ShiftSpan<D: Doubles> {
    enter: D,
    leave: D,
    axis: Vec3<D>,
    /// Lanes in which some axis was steep.
    steep: D::Mask,
}

impl<D: Doubles> ShiftSpan<D> {
    #[inline(always)]
    fn from_lanes<const SOLID: bool>(
        token: D::Token,
        (pairs, at): (&PrimitivePairs, usize),
        (frame, to): (&ShiftFrame, f64),
    ) -> Self {
        let a = ConvexLanes::<D>::load::<SOLID>(token, (&pairs.sides[0], at), &frame.parts[0]);
        let b = ConvexLanes::<D>::load::<SOLID>(token, (&pairs.sides[1], at), &frame.parts[1]);
        ShiftSpan::of_pair::<SOLID, false>(token, &a, &b, (frame.pad, to))
    }

    /// Computes the span of a pair. `SOLID`: one of the two may be a box. `FACE`: the axis is
    /// needed. Stops early once all lanes first touch beyond `to`, or never.
    #[inline(always)]
    fn of_pair<const SOLID: bool, const FACE: bool>(
        token: D::Token,
        a: &ConvexLanes<D>,
        b: &ConvexLanes<D>,
        (pad, to): (f64, f64),
    ) -> Self {
        let zero = D::splat(token, 0.0);
        let mut span = ShiftSpan {
            enter: D::splat(token, f64::NEG_INFINITY),
            leave: D::splat(token, f64::INFINITY),
            axis: [zero; 3],
            steep: zero.above(zero),
        };
        let to = D::splat(token, to);
        for k in 0..3 {
            span.mark_passing::<SOLID>(token, (a, b, pad), a.edges[k]);
            span.mark_passing::<SOLID>(token, (a, b, pad), b.edges[k]);
        }
        if span.is_decided(to) {
            return span;
        }
        span.narrow::<SOLID, FACE>(token, (a, b, pad), a.normals[0]);
        span.narrow::<SOLID, FACE>(token, (a, b, pad), b.normals[0]);
        if SOLID {
            for k in 1..3 {
                span.narrow::<SOLID, FACE>(token, (a, b, pad), a.normals[k]);
                span.narrow::<SOLID, FACE>(token, (a, b, pad), b.normals[k]);
            }
        }
        for i in 0..3 {
            // The nine edge axes are more than half of the work.
            if span.is_decided(to) {
                return span;
            }
            for j in 0..3 {
                let axis = cross(a.edges[i], b.edges[j]);
                span.narrow::<SOLID, FACE>(token, (a, b, pad), axis);
            }
        }
        let steep = span.steep;
        if !D::all(steep) {
            let mut all = ShiftSpan { ..span };
            all.narrow::<SOLID, FACE>(token, (a, b, pad), [zero, zero, D::splat(token, 1.0)]);
            for k in 0..3 {
                all.narrow::<SOLID, FACE>(token, (a, b, pad), normal_in_shift_plane(a.edges[k]));
                all.narrow::<SOLID, FACE>(token, (a, b, pad), normal_in_shift_plane(b.edges[k]));
            }
            // Per lane: the neighbours must not change a result.
            span.enter = D::choose(steep, span.enter, all.enter);
            span.leave = D::choose(steep, span.leave, all.leave);
            for (old, new) in span.axis.iter_mut().zip(all.axis) {
                *old = D::choose(steep, *old, new);
            }
        }
        span
    }

    /// Returns `true` if all pairs first touch beyond `to`, or never.
    #[inline(always)]
    fn is_decided(&self, to: D) -> bool {
        D::all(D::either(self.enter.above(to), self.enter.above(self.leave)))
    }

    #[inline(always)]
    fn narrow<const SOLID: bool, const FACE: bool>(
        &mut self,
        token: D::Token,
        (a, b, pad): (&ConvexLanes<D>, &ConvexLanes<D>, f64),
        axis: Vec3<D>,
    ) {
        let zero = D::splat(token, 0.0);
        let length = coordinate_sum(absolute_values(axis));
        let pad = length * D::splat(token, pad) + D::splat(token, UNDERFLOW_PAD);
        let (low_a, high_a) = a.interval_along::<SOLID, false>(axis);
        let (low_b, high_b) = b.interval_along::<SOLID, false>(axis);
        let (low, high) = (low_a - high_b - pad, high_a - low_b + pad);
        let up = axis[2].above(zero);
        let across = axis[2].abs();
        self.steep = D::either(self.steep, across.above(length * D::splat(token, MIN_STEEPNESS)));
        let size = D::splat(token, 1.0) / across;
        let enter = D::choose(up, low, zero - high) * size;
        let leave = D::choose(up, high, zero - low) * size;
        if FACE {
            let later = enter.above(self.enter);
            for (old, new) in self.axis.iter_mut().zip(axis) {
                let toward = D::choose(up, zero - new, new);
                *old = D::choose(later, toward, *old);
            }
        }
        // NaN where the axis is perpendicular to the shift and an end lies exactly at the pad:
        // `greater` and `lesser` ignore it.
        self.enter = self.enter.greater(enter);
        self.leave = self.leave.lesser(leave);
    }

    /// Marks pairs that never touch: those separated along the axis perpendicular to an edge and to
    /// the shift.
    #[inline(always)]
    fn mark_passing<const SOLID: bool>(
        &mut self,
        token: D::Token,
        (a, b, pad): (&ConvexLanes<D>, &ConvexLanes<D>, f64),
        edge: Vec3<D>,
    ) {
        let zero = D::splat(token, 0.0);
        let axis = [zero - edge[1], edge[0], zero];
        let size = axis[0].abs() + axis[1].abs();
        let pad = size * D::splat(token, pad) + D::splat(token, UNDERFLOW_PAD);
        let (low_a, high_a) = a.interval_along::<SOLID, true>(axis);
        let (low_b, high_b) = b.interval_along::<SOLID, true>(axis);
        let beside = D::either((low_a - high_b).above(pad), (low_b - high_a).above(pad));
        self.enter = D::choose(beside, D::splat(token, f64::INFINITY), self.enter);
    }
}

/// Returns the dot product; with `FLAT` the third coordinates are skipped, since that of `axis` is
/// zero.
#[inline(always)]
fn dot_or_flat_dot<D: Doubles, const FLAT: bool>(axis: Vec3<D>, v: Vec3<D>) -> D {
    if FLAT { axis[0] * v[0] + axis[1] * v[1] } else { dot(axis, v) }
}

/// Returns the vector perpendicular to an edge, in the plane of the edge and the shift.
#[inline(always)]
fn normal_in_shift_plane<D: Doubles>([x, y, z]: Vec3<D>) -> Vec3<D> {
    [-(x * z), -(y * z), x * x + y * y]
}
