//! Two boxes seen from each other, and what the 15 axes say of them: three abreast, and bit for bit
//! what [`Axes`](crate::pair::axes::Axes) says one after another.

use super::view::View;
use crate::num::linear::{IDENTITY, Mat3, Vec3, length, sub};
use crate::num::simd::{Coordinates, PlainTriple, Triple};
use crate::num::tolerance::MAX_COORDINATE_F64;
use crate::pair::near::Near;
use crate::pair::three_axes::{Three, ThreeAxes, across, along};
use crate::shape::WideObb;

/// Two boxes, the first and the second.
#[derive(Clone, Copy)]
pub(crate) struct Couple<D: Triple> {
    pub token: D::Token,
    centers: [Vec3; 2],
    axes: [Mat3; 2],
    pub half: [D; 2],
    /// Row `i`: axis `i` of the first along those of the second.
    pub rows: [D; 3],
    /// Column `j`: axis `j` of the second along those of the first.
    columns: [D; 3],
    /// From the centre of the first to that of the second, along the axes of either.
    pub between: [D; 2],
    /// The half diagonals together.
    pub size: f64,
}

/// What is seen along the face normals of the first and of the second.
#[derive(Clone, Copy)]
pub(crate) struct Faces<D> {
    /// How far the centres are apart.
    pub distance: [D; 2],
    /// How far the boxes reach together.
    pub reach: [D; 2],
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

impl<D: Triple> Couple<D> {
    #[inline(always)]
    pub fn oriented(token: D::Token, [a, b]: [&WideObb; 2]) -> Self {
        let (on_a, on_b) = (across(token, &a.axes), across(token, &b.axes));
        let ([x, y, z], [u, v, w]) = (a.axes, b.axes);
        let rows = [along(token, &on_b, x), along(token, &on_b, y), along(token, &on_b, z)];
        let columns = [along(token, &on_a, u), along(token, &on_a, v), along(token, &on_a, w)];
        let t = along(token, &on_a, sub(b.center, a.center));
        Couple {
            token,
            centers: [a.center, b.center],
            axes: [a.axes, b.axes],
            half: [D::of(token, a.half_extents), D::of(token, b.half_extents)],
            rows,
            columns,
            between: [t, along(token, &rows, t.numbers())],
            size: length(a.half_extents) + length(b.half_extents),
        }
    }

    /// An aligned box, given by its least and greatest corner, and an oriented one; `None` if the
    /// first is empty. Sides without end are cut where no shape comes.
    #[inline(always)]
    pub fn aligned(token: D::Token, [low, high]: [Vec3; 2], b: &WideObb) -> Option<Self> {
        let far = D::splat(token, 4.0 * MAX_COORDINATE_F64);
        let (low, high) = (D::of(token, low), D::of(token, high));
        let comes = D::both(far.above(low), high.above(-far));
        let sound = D::all(D::both(low.within(high), comes));
        sound.then_some(Self::upright(token, [low.high(-far), high.low(far)], b))
    }

    /// An aligned box, as far as it matters to the other: no point outside twice the other's ball
    /// is nearest to any in it. So a vast floor is as exact as a tile. All from the other's middle,
    /// so that what is near is small.
    #[inline(always)]
    fn upright(token: D::Token, [low, high]: [D; 2], b: &WideObb) -> Self {
        let radius = length(b.half_extents);
        let (center, reach) = (D::of(token, b.center), D::splat(token, 2.0 * radius));
        let down = (center - reach).high(low).low(high) - center;
        let up = (center + reach).high(low).low(high) - center;
        let half = D::splat(token, 0.5);
        let (middle, own) = ((down + up) * half, (up - down) * half);
        let ([u, v, w], t) = (b.axes, -middle);
        let rows = across(token, &b.axes);
        Couple {
            token,
            centers: [(center + middle).numbers(), b.center],
            axes: [IDENTITY, b.axes],
            half: [own, D::of(token, b.half_extents)],
            rows,
            columns: [D::of(token, u), D::of(token, v), D::of(token, w)],
            between: [t, along(token, &rows, t.numbers())],
            size: length(own.numbers()) + radius,
        }
    }

    #[inline(always)]
    pub fn faces(&self) -> Faces<D> {
        let ([t, u], [a, b]) = (self.between, self.half);
        let ([x, y, z], [p, q, r]) = (self.rows, self.columns);
        let lengths = [p.abs(), q.abs(), r.abs()];
        let of_first = a + along(self.token, &lengths, b.numbers());
        let lengths = [x.abs(), y.abs(), z.abs()];
        let of_second = b + along(self.token, &lengths, a.numbers());
        Faces { distance: [t.abs(), u.abs()], reach: [of_first, of_second] }
    }

    /// Whether a face normal tells the two apart by more than that.
    #[inline(always)]
    pub fn apart_by_faces(&self, faces: &Faces<D>, slack: f64) -> bool {
        let slack = D::splat(self.token, slack);
        let [[t, u], [a, b]] = [faces.distance, faces.reach];
        D::any(t.above(a + slack)) | D::any(u.above(b + slack))
    }

    /// Whether two edges do, together.
    #[inline(always)]
    pub fn apart_by_edges(&self, slack: f64) -> bool {
        let slack = D::splat(self.token, slack);
        let [x, y, z] = [self.across_edges(0), self.across_edges(1), self.across_edges(2)];
        let [x, y, z] = [
            x.distance.abs().above(x.reach + slack),
            y.distance.abs().above(y.reach + slack),
            z.distance.abs().above(z.reach + slack),
        ];
        D::any(x) | D::any(y) | D::any(z)
    }

    /// What is seen across an edge of the first and each of the second, times the sine between
    /// them.
    #[inline(always)]
    pub fn across_edges(&self, i: usize) -> Three<D> {
        let [of_a, of_b] = self.half;
        let half = (of_a.numbers(), of_a, of_b);
        ThreeAxes::seen(self.token, self.rows, self.between[0], half).edges(i)
    }

    #[inline(always)]
    pub fn mask(&self, yes: bool) -> D::Mask {
        let yes = D::splat(self.token, f64::from(u8::from(yes)));
        yes.above(D::splat(self.token, 0.0))
    }

    /// The second seen from the first, or the first from the second.
    #[inline(always)]
    pub fn seen_from(&self, first: D::Mask) -> View<D> {
        let ([x, y, z], [p, q, r]) = (self.rows, self.columns);
        let ([t, u], [a, b]) = (self.between, self.half);
        View {
            token: self.token,
            forth: [D::choose(first, p, x), D::choose(first, q, y), D::choose(first, r, z)],
            back: [D::choose(first, x, p), D::choose(first, y, q), D::choose(first, z, r)],
            center: D::choose(first, t, -u),
            own: D::choose(first, a, b),
            half: D::choose(first, b, a),
            size: self.size,
        }
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
        let ([t, u], [a, b]) = (self.between, self.half);
        let on_first = t.low(a).high(-a);
        let local = along(self.token, &self.rows, on_first.numbers()) - u;
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
    pub fn plain(&self) -> Couple<PlainTriple> {
        Couple {
            token: (),
            centers: self.centers,
            axes: self.axes,
            half: [plain(self.half[0]), plain(self.half[1])],
            rows: [plain(self.rows[0]), plain(self.rows[1]), plain(self.rows[2])],
            columns: [plain(self.columns[0]), plain(self.columns[1]), plain(self.columns[2])],
            between: [plain(self.between[0]), plain(self.between[1])],
            size: self.size,
        }
    }
}

#[inline(always)]
fn plain<D: Triple>(numbers: D) -> PlainTriple {
    PlainTriple::of((), numbers.numbers())
}
