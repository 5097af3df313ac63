//! One box seen from another: the closest points by a corner and its edges.

use super::couple::Found;
use crate::num::linear::{Vec3, sum};
use crate::num::simd::Triple;
use crate::pair::three_axes::along;

/// One box in the frame of another, its own.
#[derive(Clone, Copy)]
pub(crate) struct View<D: Triple> {
    pub token: D::Token,
    /// The axes of the other, each along the own ones.
    pub forth: [D; 3],
    /// The own axes, each along those of the other.
    pub back: [D; 3],
    /// The middle of the other.
    pub center: D,
    /// Half sizes of the own box and of the other.
    pub own: D,
    pub half: D,
    /// The half diagonals together.
    pub size: f64,
}

/// A point of the other box, and the way to it from the own.
#[derive(Clone, Copy)]
pub(crate) struct Tried<D> {
    /// How far from the middle of the other it lies along the axes of that, backwards.
    place: D,
    point: D,
    on_own: D,
    offset: D,
    /// The way along the axes of the other.
    across: D,
    squared: f64,
    length: f64,
}

/// By how much a way may be longer, for one axis of the other box, than the boxes are apart along
/// it, as a share of their sizes: a few roundings. (As a share of the distance too, the ends would
/// be no better than its root where boxes are small beside it.) A way that short is none: boxes
/// that an axis tells apart are further from each other.
const LONGER: f64 = 1.0 / (1u64 << 48) as f64;

impl<D: Triple> View<D> {
    /// The corner of the other box that comes first along a way to it.
    #[inline(always)]
    pub fn toward(&self, way: D) -> Tried<D> {
        let ahead = along(self.token, &self.back, way.numbers()).above(D::splat(self.token, 0.0));
        self.at(D::choose(ahead, self.half, -self.half))
    }

    #[inline(always)]
    fn at(&self, place: D) -> Tried<D> {
        let point = self.center - along(self.token, &self.forth, place.numbers());
        let on_own = point.low(self.own).high(-self.own);
        let offset = point - on_own;
        let across = along(self.token, &self.back, offset.numbers());
        let squared = sum((offset * offset).numbers());
        Tried { place, point, on_own, offset, across, squared, length: squared.sqrt() }
    }

    /// Whether no point of the other is nearer: none lies further back along the way, whose own end
    /// is the nearest to that point.
    #[inline(always)]
    pub fn sure(&self, tried: &Tried<D>) -> bool {
        let (length, least) = (tried.length, LONGER * self.size);
        let most = D::splat(self.token, length * least);
        let nearer = self.half * tried.across.abs() - tried.place * tried.across;
        !D::any(nearer.above(most)) || length <= least
    }

    /// The nearest point of the three edges at a corner, where they are nearer than that.
    ///
    /// Along an edge the square of the distance is convex and made of parabolas that change where
    /// the edge crosses the planes of the faces. The crossings between which its slope changes sign
    /// are found, and there the slope is a straight line.
    #[inline(always)]
    pub fn by_edges(&self, corner: &Tried<D>) -> Tried<D> {
        let (token, zero) = (self.token, D::splat(self.token, 0.0));
        let twice = corner.place + corner.place;
        let edges = Edges {
            ways: [self.back[0] * twice, self.back[1] * twice, self.back[2] * twice],
            from: corner.point.numbers(),
            own: self.own.numbers(),
        };
        let one = D::splat(token, 1.0);
        let start = (zero, edges.slope(token, zero));
        let end = (one, edges.slope(token, one));
        let [x, y, z] = edges.own;
        let ends = edges.narrowed(token, 0, -x, [start, end]);
        let ends = edges.narrowed(token, 0, x, ends);
        let ends = edges.narrowed(token, 1, -y, ends);
        let ends = edges.narrowed(token, 1, y, ends);
        let ends = edges.narrowed(token, 2, -z, ends);
        let [from, to] = edges.narrowed(token, 2, z, ends);
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
        let (mut place, share) = (corner.place.numbers(), share.numbers());
        place[best] -= 2.0 * place[best] * share[best];
        self.at(D::of(token, place))
    }
}

impl<D: Triple> Tried<D> {
    #[inline(always)]
    pub fn found(&self, first: D::Mask) -> Found<D> {
        let Tried { on_own, offset, squared, length, .. } = *self;
        Found { on_own, offset, squared, length, first }
    }

    /// The way back, in the frame of the other.
    #[inline(always)]
    pub fn back(&self) -> D {
        -self.across
    }
}

/// Three edges from one corner, abreast, and the box they are near.
struct Edges<D> {
    /// By coordinates.
    ways: [D; 3],
    from: Vec3,
    own: Vec3,
}

impl<D: Triple> Edges<D> {
    /// A coordinate on each of them, and how far that is outside the box, with the sign of the
    /// side.
    #[inline(always)]
    fn outside(&self, token: D::Token, i: usize, t: D) -> D {
        let (x, own) =
            (D::splat(token, self.from[i]) + t * self.ways[i], D::splat(token, self.own[i]));
        x - x.low(own).high(-own)
    }

    /// Half the slope of the square of the distance.
    #[inline(always)]
    fn slope(&self, token: D::Token, t: D) -> D {
        self.outside(token, 0, t) * self.ways[0]
            + self.outside(token, 1, t) * self.ways[1]
            + self.outside(token, 2, t) * self.ways[2]
    }

    /// What is left of an interval, given with the slopes at its ends, when cut at a plane so that
    /// the slope changes sign in it.
    #[inline(always)]
    fn narrowed(
        &self,
        token: D::Token,
        i: usize,
        plane: f64,
        [from, to]: [(D, D); 2],
    ) -> [(D, D); 2] {
        let t = D::splat(token, plane - self.from[i]) / self.ways[i];
        // False for what is not a number.
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
