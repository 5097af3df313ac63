//! Two boxes in relative coordinates: their axes three at a time, and the way back to the outer
//! frame.

use crate::num::linear::{IDENTITY, Mat3, Vec3, length, sub};
use crate::num::simd::{DoubleTriple, PlainTriple};
use crate::num::tolerance::MAX_COORDINATE_F64;
use crate::pair::rounded::cores::ClosestOnCores;
use crate::sat::{AxisProjections, ThreeAxes, weighted_sum};
use crate::shape::WideObb;

/// Pair of boxes in relative coordinates.
#[derive(Clone, Copy)]
pub(crate) struct RelativeBoxes<D: DoubleTriple> {
    pub token: D::Token,
    centers: [Vec3; 2],
    axes: [Mat3; 2],
    pub pair: ThreeAxes<D>,
    /// Projections on the face normals of the first box, and of the second.
    pub faces: [AxisProjections<D>; 2],
    /// Sum of the half diagonals.
    pub size: f64,
}

/// Closest points of two boxes, in the frame of one of them.
#[derive(Clone, Copy)]
pub(crate) struct ClosestFeatures<D: DoubleTriple> {
    /// Point of the box whose frame it is; `offset` leads to a point of the other.
    pub on_own: D,
    pub offset: D,
    pub squared: f64,
    pub length: f64,
    /// All lanes set if the frame is that of the first box.
    pub first: D::Mask,
}

impl<D: DoubleTriple> RelativeBoxes<D> {
    #[inline(always)]
    pub fn oriented(token: D::Token, [a, b]: [&WideObb; 2]) -> Self {
        let half = [a.half_extents, b.half_extents];
        let pair = ThreeAxes::new(token, [&a.axes, &b.axes], sub(b.center, a.center), half);
        let size = length(a.half_extents) + length(b.half_extents);
        Self::from_axes(pair, [a.center, b.center], [a.axes, b.axes], size)
    }

    #[inline(always)]
    fn from_axes(pair: ThreeAxes<D>, centers: [Vec3; 2], axes: [Mat3; 2], size: f64) -> Self {
        let faces = [pair.faces_of_first(), pair.faces_of_second()];
        RelativeBoxes { token: pair.token, centers, axes, pair, faces, size }
    }

    /// Makes a pair of an aligned box, given by its least and greatest corner, and an oriented one;
    /// `None` if the first is empty. Infinite sides are clipped beyond all coordinates of shapes.
    #[inline(always)]
    pub fn aligned(token: D::Token, [low, high]: [Vec3; 2], b: &WideObb) -> Option<Self> {
        let far = D::splat(token, 4.0 * MAX_COORDINATE_F64);
        let (low, high) = (D::from_numbers(token, low), D::from_numbers(token, high));
        let comes = D::both(far.above(low), high.above(-far));
        let sound = D::all(D::both(low.at_most(high), comes));
        sound.then_some(Self::clipped(token, [low.high(-far), high.low(far)], b))
    }

    /// Clips the aligned box to twice the ball of the other, outside which no point is nearest. So
    /// a vast floor is as exact as a tile. Coordinates are relative to the other's centre, so that
    /// those near it are small.
    #[inline(always)]
    fn clipped(token: D::Token, [low, high]: [D; 2], b: &WideObb) -> Self {
        let radius = length(b.half_extents);
        let (center, clip_distance) =
            (D::from_numbers(token, b.center), D::splat(token, 2.0 * radius));
        let down = (center - clip_distance).high(low).low(high) - center;
        let up = (center + clip_distance).high(low).low(high) - center;
        let half = D::splat(token, 0.5);
        let (middle, own) = ((down + up) * half, ((up - down) * half).numbers());
        let ([u, v, w], t) = (b.axes, -middle);
        let columns =
            [D::from_numbers(token, u), D::from_numbers(token, v), D::from_numbers(token, w)];
        let pair = ThreeAxes::from_relative(token, columns, t, [own, b.half_extents]);
        let centers = [(center + middle).numbers(), b.center];
        Self::from_axes(pair, centers, [IDENTITY, b.axes], length(own) + radius)
    }

    /// Returns the offset from the first centre to the second, along the axes of either box.
    #[inline(always)]
    pub fn center_offsets(&self) -> [D; 2] {
        [self.faces[0].distance, self.faces[1].distance]
    }

    /// Returns `true` if a face normal separates the boxes by more than `slack`.
    #[inline(always)]
    pub fn apart_by_faces(&self, slack: f64) -> bool {
        let slack = D::splat(self.token, slack);
        D::any(self.faces[0].apart(slack)) | D::any(self.faces[1].apart(slack))
    }

    /// Returns `true` if a cross product of two edges separates the boxes by more than `slack`.
    #[inline(always)]
    pub fn apart_by_edges(&self, slack: f64) -> bool {
        let slack = D::splat(self.token, slack);
        D::any(self.pair.edges(0).apart(slack))
            | D::any(self.pair.edges(1).apart(slack))
            | D::any(self.pair.edges(2).apart(slack))
    }

    #[inline(always)]
    pub fn mask(&self, yes: bool) -> D::Mask {
        let yes = D::splat(self.token, f64::from(u8::from(yes)));
        yes.above(D::splat(self.token, 0.0))
    }

    /// Returns a common point in the frame of the first box, if its point nearest to the second
    /// centre is one.
    ///
    /// Then none of the 15 axes separates the boxes by more than the slack of
    /// [`tolerance`](crate::num::tolerance). Let `q` be the point, `s` its coordinates along the
    /// second box's axes, and `R` the stored rotation, which is not quite orthogonal. On a face
    /// axis of the second box, `R^T t = R^T q + s` is within the projected radius, up to rounding.
    /// `t - q` differs from `R s` by at most `10.4 u |b|`, which is all that a face axis of the
    /// first can be exceeded by. On an edge axis the cross products of the second box's axes have
    /// an error of `16 u` as well: `26.4 u |b|`. Rounding adds less than `70 e` of the sizes. The
    /// slack is `32 u` of them, in double precision `512 u`.
    #[inline(always)]
    pub fn common_point(&self) -> Option<D> {
        let ([t, u], [a, b]) = (self.center_offsets(), self.pair.half);
        let on_first = t.low(a).high(-a);
        let local = weighted_sum(self.token, &self.pair.rows, on_first.numbers()) - u;
        (!D::any(local.abs().above(b))).then_some(on_first)
    }

    /// Transforms closest points from the frame of one box to the outer frame: a point of that box,
    /// and the offset to the other.
    #[inline(always)]
    pub fn to_outer_pair(&self, [on_own, offset]: [D; 2], first: D::Mask) -> [D; 2] {
        let (token, [axes, others]) = (self.token, &self.axes);
        let axes = [
            self.choose_vector(first, axes[0], others[0]),
            self.choose_vector(first, axes[1], others[1]),
            self.choose_vector(first, axes[2], others[2]),
        ];
        let center = self.choose_vector(first, self.centers[0], self.centers[1]);
        // Adding zero gives all zeros one sign.
        let zero = D::splat(token, 0.0);
        let on_it = center + weighted_sum(token, &axes, on_own.numbers()) + zero;
        [on_it, weighted_sum(token, &axes, offset.numbers()) + zero]
    }

    /// Returns the closest points in the outer frame, from the first box to the second.
    #[inline(always)]
    pub fn closest_on_cores(&self, found: ClosestFeatures<D>) -> ClosestOnCores {
        let ClosestFeatures { on_own, offset, squared, first, .. } = found;
        let [on_it, way] = self.to_outer_pair([on_own, offset], first);
        let (on_a, way) = (D::choose(first, on_it, on_it + way), D::choose(first, way, -way));
        ClosestOnCores { on_a: on_a.numbers(), offset: way.numbers(), squared }
    }

    /// Returns both closest points in the outer frame, that of the first box first unless
    /// `swapped`.
    #[inline(always)]
    pub fn outer_ends(&self, found: ClosestFeatures<D>, swapped: bool) -> [D; 2] {
        let ClosestFeatures { on_own, offset, first, .. } = found;
        let [from, way] = self.to_outer_pair([on_own, offset], first);
        let (one, to) = (D::splat(self.token, 1.0), from + way);
        // Sets the sign bit: a branch would be unpredictable here.
        let turned = f64::from_bits(1f64.to_bits() ^ u64::from(swapped) << 63);
        let sign = D::choose(first, one, -one) * D::splat(self.token, turned);
        let own = sign.above(D::splat(self.token, 0.0));
        [D::choose(own, from, to), D::choose(own, to, from)]
    }

    #[inline(always)]
    fn choose_vector(&self, first: D::Mask, yes: Vec3, no: Vec3) -> D {
        D::choose(first, D::from_numbers(self.token, yes), D::from_numbers(self.token, no))
    }

    /// Transforms a point from the frame of the first box to the outer frame.
    #[inline(always)]
    pub fn to_outer_point(&self, p: D) -> Vec3 {
        let (token, [x, y, z]) = (self.token, self.axes[0]);
        let axes =
            [D::from_numbers(token, x), D::from_numbers(token, y), D::from_numbers(token, z)];
        let outer =
            D::from_numbers(token, self.centers[0]) + weighted_sum(token, &axes, p.numbers());
        (outer + D::splat(token, 0.0)).numbers()
    }

    /// Returns the pair without SIMD.
    #[inline(always)]
    pub fn plain(&self) -> RelativeBoxes<PlainTriple> {
        let pair = self.pair.to_plain();
        RelativeBoxes::from_axes(pair, self.centers, self.axes, self.size)
    }
}
