//! Two boxes for their closest points: the pair's axes three at a time, and what brings points back
//! to the outer frame.

use crate::num::linear::{IDENTITY, Mat3, Vec3, length, sub};
use crate::num::simd::{PlainTriple, Triple};
use crate::num::tolerance::MAX_COORDINATE_F64;
use crate::pair::near::Near;
use crate::sat::{Three, ThreeAxes, along};
use crate::shape::WideObb;

/// Two boxes, the first and the second.
#[derive(Clone, Copy)]
pub(crate) struct RelativeBoxes<D: Triple> {
    pub token: D::Token,
    centers: [Vec3; 2],
    axes: [Mat3; 2],
    pub pair: ThreeAxes<D>,
    /// Along the face normals of the first, and of the second.
    pub faces: [Three<D>; 2],
    /// The half diagonals together.
    pub size: f64,
}

/// Closest points.
#[derive(Clone, Copy)]
pub(crate) struct Found<D: Triple> {
    /// A point of a box, in its own frame, and the way to one of the other.
    pub on_own: D,
    pub offset: D,
    pub squared: f64,
    pub length: f64,
    /// Whether that frame is the first's.
    pub first: D::Mask,
}

impl<D: Triple> RelativeBoxes<D> {
    #[inline(always)]
    pub fn oriented(token: D::Token, [a, b]: [&WideObb; 2]) -> Self {
        let half = [a.half_extents, b.half_extents];
        let pair = ThreeAxes::new(token, [&a.axes, &b.axes], sub(b.center, a.center), half);
        let size = length(a.half_extents) + length(b.half_extents);
        Self::of(pair, [a.center, b.center], [a.axes, b.axes], size)
    }

    #[inline(always)]
    fn of(pair: ThreeAxes<D>, centers: [Vec3; 2], axes: [Mat3; 2], size: f64) -> Self {
        let faces = [pair.faces_of_first(), pair.faces_of_second()];
        RelativeBoxes { token: pair.token, centers, axes, pair, faces, size }
    }

    /// An aligned box, given by its least and greatest corner, and an oriented one; `None` if the
    /// first is empty. Sides without end are cut where no shape comes.
    #[inline(always)]
    pub fn aligned(token: D::Token, [low, high]: [Vec3; 2], b: &WideObb) -> Option<Self> {
        let far = D::splat(token, 4.0 * MAX_COORDINATE_F64);
        let (low, high) = (D::of(token, low), D::of(token, high));
        let comes = D::both(far.above(low), high.above(-far));
        let sound = D::all(D::both(low.within(high), comes));
        sound.then_some(Self::cut(token, [low.high(-far), high.low(far)], b))
    }

    /// An aligned box, as far as it matters to the other: no point outside twice the other's ball
    /// is nearest to any in it. So a vast floor is as exact as a tile. All from the other's middle,
    /// so that what is near is small.
    #[inline(always)]
    fn cut(token: D::Token, [low, high]: [D; 2], b: &WideObb) -> Self {
        let radius = length(b.half_extents);
        let (center, reach) = (D::of(token, b.center), D::splat(token, 2.0 * radius));
        let down = (center - reach).high(low).low(high) - center;
        let up = (center + reach).high(low).low(high) - center;
        let half = D::splat(token, 0.5);
        let (middle, own) = ((down + up) * half, ((up - down) * half).numbers());
        let ([u, v, w], t) = (b.axes, -middle);
        let columns = [D::of(token, u), D::of(token, v), D::of(token, w)];
        let pair = ThreeAxes::seen(token, columns, t, [own, b.half_extents]);
        let centers = [(center + middle).numbers(), b.center];
        Self::of(pair, centers, [IDENTITY, b.axes], length(own) + radius)
    }

    /// From the centre of the first to that of the second, along the axes of either.
    #[inline(always)]
    pub fn between(&self) -> [D; 2] {
        [self.faces[0].distance, self.faces[1].distance]
    }

    /// Whether a face normal separates the two by more than that.
    #[inline(always)]
    pub fn apart_by_faces(&self, slack: f64) -> bool {
        let slack = D::splat(self.token, slack);
        D::any(self.faces[0].apart(slack)) | D::any(self.faces[1].apart(slack))
    }

    /// Whether the cross product of two edges does.
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

    /// A point of both, if the point of the first nearest to the second's middle is one; seen from
    /// the first.
    ///
    /// Then none of the 15 axes tells the two apart by more than the slack of
    /// [`tolerance`](crate::num::tolerance). With `q` the point, `s` what it is along the second's
    /// axes, and `R` not quite a rotation, as stored axes are not: on a face axis of the second,
    /// `R^T t = R^T q + s` is within the reach but for rounding. `t - q` is not quite `R s`, but
    /// off by `10.4 u |b|` at most, which is all that a face axis of the first may be exceeded by;
    /// an edge axis, on which the cross products of the second's axes are off by `16 u` too, by
    /// `26.4 u |b|`. Rounding adds less than `70 e` of the sizes. The slack is `32 u` of them, in
    /// double precision `512 u`.
    #[inline(always)]
    pub fn common(&self) -> Option<D> {
        let ([t, u], [a, b]) = (self.between(), self.pair.half);
        let on_first = t.low(a).high(-a);
        let local = along(self.token, &self.pair.rows, on_first.numbers()) - u;
        (!D::any(local.abs().above(b))).then_some(on_first)
    }

    /// What was found in the frame of the first, or of the second, in the outer frame: a point of
    /// the one in whose frame it was, and the way to one of the other.
    #[inline(always)]
    pub fn placed(&self, [on_own, offset]: [D; 2], first: D::Mask) -> [D; 2] {
        let (token, [axes, others]) = (self.token, &self.axes);
        let axes = [
            self.picked(first, axes[0], others[0]),
            self.picked(first, axes[1], others[1]),
            self.picked(first, axes[2], others[2]),
        ];
        let center = self.picked(first, self.centers[0], self.centers[1]);
        // Zeros of one sign.
        let zero = D::splat(token, 0.0);
        let on_it = center + along(token, &axes, on_own.numbers()) + zero;
        [on_it, along(token, &axes, offset.numbers()) + zero]
    }

    /// The same from the first.
    #[inline(always)]
    pub fn near(&self, found: Found<D>) -> Near {
        let Found { on_own, offset, squared, first, .. } = found;
        let [on_it, way] = self.placed([on_own, offset], first);
        let (on_a, way) = (D::choose(first, on_it, on_it + way), D::choose(first, way, -way));
        Near { on_a: on_a.numbers(), offset: way.numbers(), squared }
    }

    /// The two ends, that of the first first; or the other way round.
    #[inline(always)]
    pub fn ends(&self, found: Found<D>, swapped: bool) -> [D; 2] {
        let Found { on_own, offset, first, .. } = found;
        let [from, way] = self.placed([on_own, offset], first);
        let (one, to) = (D::splat(self.token, 1.0), from + way);
        // By its bits, as no branch can be foreseen here.
        let turned = f64::from_bits(1f64.to_bits() ^ u64::from(swapped) << 63);
        let sign = D::choose(first, one, -one) * D::splat(self.token, turned);
        let own = sign.above(D::splat(self.token, 0.0));
        [D::choose(own, from, to), D::choose(own, to, from)]
    }

    #[inline(always)]
    fn picked(&self, first: D::Mask, yes: Vec3, no: Vec3) -> D {
        D::choose(first, D::of(self.token, yes), D::of(self.token, no))
    }

    /// What is seen from the first, from outside.
    #[inline(always)]
    pub fn outer(&self, p: D) -> Vec3 {
        let (token, [x, y, z]) = (self.token, self.axes[0]);
        let axes = [D::of(token, x), D::of(token, y), D::of(token, z)];
        let outer = D::of(token, self.centers[0]) + along(token, &axes, p.numbers());
        (outer + D::splat(token, 0.0)).numbers()
    }

    /// The same one number after another.
    #[inline(always)]
    pub fn plain(&self) -> RelativeBoxes<PlainTriple> {
        let pair = self.pair.plain();
        RelativeBoxes::of(pair, self.centers, self.axes, self.size)
    }
}
