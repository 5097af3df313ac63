//! Tests of several pairs of triangles at once: those that may [cross](super::crossing), and those
//! that certainly share a point.
//!
//! The arithmetic is that of [`crossing()`](super::crossing::crossing) and
//! [`overlap_by_signs`](super::triangle_exact::overlap_by_signs), operation by operation, so the
//! answers are equal to the bit, at every SIMD level. Most pairs of triangles in boxes that overlap
//! are apart by the plane of one of them: six signs in as many lanes as there are.

use super::triangle_exact::TriangleCorners;
use crate::num::SimdLevel;
use crate::num::linear::{Mat3, Vec3, add, cross, dot, rotate, scale, splat, splat_matrix, sub};
use crate::num::simd::{DoubleKernel, Doubles};
use crate::num::vectors::load;
use crate::shape::RelativePose;

/// Number of pairs tested together, at every SIMD level.
pub(crate) const PAIRS: usize = 8;

/// Up to eight pairs of triangles, each in the frame of its part, as structure of arrays.
#[derive(Debug, Clone, Default)]
pub(crate) struct TrianglePairs {
    corners: [[[[f64; PAIRS]; 3]; 3]; 2],
    len: usize,
}

/// Bit masks of pairs that certainly share a point, and of those that rounding leaves undecided.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct TouchMasks {
    pub touching: u32,
    pub undecided: u32,
}

impl TrianglePairs {
    pub fn clear(&mut self) {
        self.len = 0;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_full(&self) -> bool {
        self.len == PAIRS
    }

    /// Adds a pair; there must be room.
    #[inline(always)]
    pub fn push(&mut self, pair: [&TriangleCorners; 2]) {
        let lane = self.len % PAIRS;
        for (rows, corners) in self.corners.iter_mut().zip(pair) {
            for (rows, corner) in rows.iter_mut().zip(corners) {
                for (row, x) in rows.iter_mut().zip(corner) {
                    row[lane] = *x;
                }
            }
        }
        self.len += 1;
    }

    /// Returns a bit for each pair that [`crossing()`](super::crossing::crossing) does not
    /// certainly refuse. The second triangles are placed by the relative pose.
    pub fn crossing_mask(&self, relation: &RelativePose, level: SimdLevel) -> u32 {
        level.run_doubles(CrossingKernel { pairs: self, relation })
    }

    /// Returns the verdicts of [`overlap_by_signs`](super::triangle_exact::overlap_by_signs).
    pub fn touch_masks(&self, relation: &RelativePose, level: SimdLevel) -> TouchMasks {
        level.run_doubles(TouchKernel { pairs: self, relation })
    }

    fn mask(&self) -> u32 {
        (1 << self.len) - 1
    }
}

struct CrossingKernel<'a> {
    pairs: &'a TrianglePairs,
    relation: &'a RelativePose,
}

impl DoubleKernel for CrossingKernel<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) -> u32 {
        let (mut crossing, mut at) = (0, 0);
        while at < self.pairs.len {
            let lanes = PairLanes::<D>::load(token, (self.pairs, at), self.relation);
            crossing |= lanes.crossing_bits(token) << at;
            at += D::LEN;
        }
        crossing & self.pairs.mask()
    }
}

struct TouchKernel<'a> {
    pairs: &'a TrianglePairs,
    relation: &'a RelativePose,
}

impl DoubleKernel for TouchKernel<'_> {
    type Output = TouchMasks;

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) -> TouchMasks {
        let (mut masks, mut at) = (TouchMasks::default(), 0);
        while at < self.pairs.len {
            let lanes = PairLanes::<D>::load(token, (self.pairs, at), self.relation);
            let [touching, undecided] = lanes.touch_bits(token);
            masks.touching |= touching << at;
            masks.undecided |= undecided << at;
            at += D::LEN;
        }
        let all = self.pairs.mask();
        TouchMasks { touching: masks.touching & all, undecided: masks.undecided & all }
    }
}

/// Triangles of one pair a lane, in the frame of the first part.
struct PairLanes<D> {
    a: [Vec3<D>; 3],
    b: [Vec3<D>; 3],
    /// Error of all determinants.
    limit: D,
}

/// Sides of a plane that three points lie on: above or below it beyond all error.
struct PlaneSides<D: Doubles> {
    heights: [D; 3],
    above: [D::Mask; 3],
    below: [D::Mask; 3],
}

impl<D: Doubles> PairLanes<D> {
    #[inline(always)]
    fn load(
        token: D::Token,
        (pairs, at): (&TrianglePairs, usize),
        relation: &RelativePose,
    ) -> Self {
        let [first, second] = &pairs.corners;
        let a = [
            load::<D, PAIRS>(token, &first[0], at),
            load::<D, PAIRS>(token, &first[1], at),
            load::<D, PAIRS>(token, &first[2], at),
        ];
        let rotation: Mat3<D> = splat_matrix(token, &relation.rotation);
        let offset = splat(token, relation.offset);
        let b = [
            add(rotate(&rotation, load::<D, PAIRS>(token, &second[0], at)), offset),
            add(rotate(&rotation, load::<D, PAIRS>(token, &second[1], at)), offset),
            add(rotate(&rotation, load::<D, PAIRS>(token, &second[2], at)), offset),
        ];
        let limit = determinant_error(token, [&a, &b], relation.error);
        PairLanes { a, b, limit }
    }

    #[inline(always)]
    fn crossing_bits(&self, token: D::Token) -> u32 {
        let PairLanes { a, b, limit } = self;
        let normal_b = normal(b);
        let sides_a = PlaneSides::new(a, (normal_b, b[0]), *limit);
        let mut apart = sides_a.is_one_side();
        if D::all(apart) {
            return 0;
        }
        let normal_a = normal(a);
        let sides_b = PlaneSides::new(b, (normal_a, a[0]), *limit);
        apart = D::either(apart, sides_b.is_one_side());
        if D::all(apart) {
            return 0;
        }
        let along = cross(normal_a, normal_b);
        let zero = D::splat(token, 0.0);
        let most = zero.greater(along[0].abs()).greater(along[1].abs()).greater(along[2].abs());
        let along = [along[0] / most, along[1] / most, along[2] / most];
        let [from_a, to_a] = sides_a.section(token, a, (along, b[0]));
        let [from_b, to_b] = sides_b.section(token, b, (along, b[0]));
        let overlap = to_a.lesser(to_b).above(from_a.greater(from_b));
        let known = D::both(sides_a.are_known(), sides_b.are_known());
        let refused = D::either(apart, D::both(known, D::not(overlap)));
        D::bits(D::not(refused))
    }

    /// Returns the bits of pairs that share a point and of pairs that are undecided.
    #[inline(always)]
    fn touch_bits(&self, _token: D::Token) -> [u32; 2] {
        let PairLanes { a, b, limit } = self;
        let sides_a = PlaneSides::new(a, (normal(b), b[0]), *limit);
        let sides_b = PlaneSides::new(b, (normal(a), a[0]), *limit);
        let apart = D::either(sides_a.is_one_side(), sides_b.is_one_side());
        if D::all(apart) {
            return [0; 2];
        }
        let mut known = D::both(sides_a.are_known(), sides_b.are_known());
        // By edge of `b`: all edges of `a` so far pass it on one side.
        let (mut all_above, mut all_below) = (sides_a.above, sides_a.above);
        let mut pierces = D::both(apart, D::not(apart));
        for i in 0..3 {
            let (p, along) = (a[i], sub(a[(i + 1) % 3], a[i]));
            let corners = [sub(b[0], p), sub(b[1], p), sub(b[2], p)];
            let (mut row_above, mut row_below) = (known, known);
            for j in 0..3 {
                let volume = dot(along, cross(corners[j], corners[(j + 1) % 3]));
                let (above, below) = (volume.above(*limit), (-*limit).above(volume));
                known = D::both(known, D::either(above, below));
                (row_above, row_below) = match j {
                    0 => (above, below),
                    _ => (D::both(row_above, above), D::both(row_below, below)),
                };
                (all_above[j], all_below[j]) = match i {
                    0 => (above, below),
                    _ => (D::both(all_above[j], above), D::both(all_below[j], below)),
                };
            }
            let one_way = D::either(row_above, row_below);
            pierces = D::either(pierces, D::both(sides_a.is_cut(i), one_way));
        }
        for j in 0..3 {
            let one_way = D::either(all_above[j], all_below[j]);
            pierces = D::either(pierces, D::both(sides_b.is_cut(j), one_way));
        }
        let left = D::not(apart);
        let decided = D::both(left, known);
        [D::bits(D::both(decided, pierces)), D::bits(D::both(left, D::not(known)))]
    }
}

impl<D: Doubles> PlaneSides<D> {
    #[inline(always)]
    fn new(points: &[Vec3<D>; 3], (normal, origin): (Vec3<D>, Vec3<D>), limit: D) -> Self {
        let heights = [
            dot(normal, sub(points[0], origin)),
            dot(normal, sub(points[1], origin)),
            dot(normal, sub(points[2], origin)),
        ];
        let low = -limit;
        PlaneSides {
            heights,
            above: [heights[0].above(limit), heights[1].above(limit), heights[2].above(limit)],
            below: [low.above(heights[0]), low.above(heights[1]), low.above(heights[2])],
        }
    }

    #[inline(always)]
    fn is_one_side(&self) -> D::Mask {
        let [above, below] = [&self.above, &self.below];
        D::either(
            D::both(D::both(above[0], above[1]), above[2]),
            D::both(D::both(below[0], below[1]), below[2]),
        )
    }

    #[inline(always)]
    fn are_known(&self) -> D::Mask {
        let [above, below] = [&self.above, &self.below];
        D::both(
            D::both(D::either(above[0], below[0]), D::either(above[1], below[1])),
            D::either(above[2], below[2]),
        )
    }

    /// Returns the lanes in which the ends of edge `i` lie on different sides, if all are known.
    #[inline(always)]
    fn is_cut(&self, i: usize) -> D::Mask {
        let j = (i + 1) % 3;
        D::either(
            D::both(self.above[i], self.below[j]),
            D::both(self.below[i], self.above[j]),
        )
    }

    /// Returns the ends of the section by the plane, measured along an axis from an origin, in
    /// lanes in which all sides are known and not equal.
    #[inline(always)]
    fn section(
        &self,
        token: D::Token,
        points: &[Vec3<D>; 3],
        (along, origin): (Vec3<D>, Vec3<D>),
    ) -> [D; 2] {
        let [mut from, mut to] =
            [D::splat(token, f64::INFINITY), D::splat(token, f64::NEG_INFINITY)];
        for i in 0..3 {
            let j = (i + 1) % 3;
            let upper_first = self.above[i];
            let (p, q) = (points[i], points[j]);
            let (height_p, height_q) = (self.heights[i], self.heights[j]);
            let start = choose_vector(upper_first, p, q);
            let end = choose_vector(upper_first, q, p);
            let up = D::choose(upper_first, height_p, height_q);
            let down = D::choose(upper_first, height_q, height_p);
            let point = add(start, scale(sub(end, start), up / (up - down)));
            let position = dot(along, sub(point, origin));
            let is_cut = self.is_cut(i);
            from = D::choose(is_cut, from.lesser(position), from);
            to = D::choose(is_cut, to.greater(position), to);
        }
        [from, to]
    }
}

#[inline(always)]
fn normal<D: Doubles>(triangle: &[Vec3<D>; 3]) -> Vec3<D> {
    cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0]))
}

#[inline(always)]
fn choose_vector<D: Doubles>(mask: D::Mask, yes: Vec3<D>, no: Vec3<D>) -> Vec3<D> {
    [
        D::choose(mask, yes[0], no[0]),
        D::choose(mask, yes[1], no[1]),
        D::choose(mask, yes[2], no[2]),
    ]
}

/// Returns the bound of [`determinant_error`](super::triangle_exact::determinant_error).
#[inline(always)]
fn determinant_error<D: Doubles>(
    token: D::Token,
    [a, b]: [&[Vec3<D>; 3]; 2],
    error: f64,
) -> D {
    let (mut low, mut high) = (a[0], a[0]);
    for corner in 1..6 {
        let p = if corner < 3 { a[corner] } else { b[corner - 3] };
        for i in 0..3 {
            (low[i], high[i]) = (low[i].lesser(p[i]), high[i].greater(p[i]));
        }
    }
    let sizes = sub(high, low);
    let most = sizes[0].greater(sizes[1]).greater(sizes[2]);
    let m = most + D::splat(token, 4.0 * error);
    let digit = D::splat(token, (1u64 << 52) as f64);
    D::splat(token, 40.0) * m * m * (D::splat(token, error) + m / digit)
}
