//! Tests of several pairs of triangles at once: those that may [cross](super::crossing), and those
//! that certainly share a point.
//!
//! The arithmetic is that of [`crossing()`](super::crossing::crossing) and
//! [`overlap_by_signs`](super::triangle_exact::overlap_by_signs), operation by operation, so the
//! answers are equal to the bit, at every SIMD level. Most pairs of triangles in boxes that overlap
//! are apart by the plane of one of them: six signs in as many lanes as there are.

use super::triangle_exact::TriangleCorners;
use crate::num::SimdLevel;
use crate::num::linear::{
    Mat3, Vec3, add, choose, cross, dot, rotate, scale, splat, splat_matrix, sub,
};
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

/// Verdicts of pairs, one bit each, and the segments in which they cross.
#[derive(Debug, Clone, Default)]
pub(crate) struct Crossings {
    /// Pairs that certainly share a point.
    pub touching: u32,
    /// Pairs that rounding leaves undecided.
    pub undecided: u32,
    /// Pairs that touch and have a segment, of weight 1.
    pub segments: u32,
    /// Ends of the segments, by coordinate and pair.
    ends: [[[f64; PAIRS]; 3]; 2],
}

impl Crossings {
    /// Returns both ends of the segment of a pair.
    pub fn ends(&self, pair: usize) -> [Vec3; 2] {
        let [from, to] = &self.ends;
        [from, to].map(|[x, y, z]| [x[pair % PAIRS], y[pair % PAIRS], z[pair % PAIRS]])
    }
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
    pub fn crossing_mask(&self, relation: &RelativePose, simd: SimdLevel) -> u32 {
        simd.run_doubles(CrossingKernel { pairs: self, relation })
    }

    /// Returns the verdicts of
    /// [`overlap_by_signs`](super::triangle_exact::overlap_by_signs) and the segments of
    /// [`crossing()`](super::crossing::crossing).
    pub fn crossings(&self, relation: &RelativePose, simd: SimdLevel) -> Crossings {
        let mut crossings = Crossings::default();
        simd.run_doubles(TouchKernel { pairs: self, relation, crossings: &mut crossings });
        let all = self.mask();
        crossings.touching &= all;
        crossings.undecided &= all;
        crossings.segments &= all;
        crossings
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
    crossings: &'a mut Crossings,
}

impl DoubleKernel for TouchKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let mut at = 0;
        while at < self.pairs.len {
            let lanes = PairLanes::<D>::load(token, (self.pairs, at), self.relation);
            lanes.cross(token, at, self.crossings);
            at += D::LEN;
        }
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
        let axis = (common_line(token, normal_a, normal_b), b[0]);
        let (one, other) = (sides_a.section(token, a, axis), sides_b.section(token, b, axis));
        let known = D::both(sides_a.are_known(), sides_b.are_known());
        let refused = D::either(apart, D::both(known, D::not(one.overlaps(&other))));
        D::bits(D::not(refused))
    }

    /// Decides pairs and writes their bits and segments, from pair `at` on.
    #[inline(always)]
    fn cross(&self, token: D::Token, at: usize, crossings: &mut Crossings) {
        let PairLanes { a, b, limit } = self;
        let (normal_a, normal_b) = (normal(a), normal(b));
        let sides_a = PlaneSides::new(a, (normal_b, b[0]), *limit);
        let sides_b = PlaneSides::new(b, (normal_a, a[0]), *limit);
        let apart = D::either(sides_a.is_one_side(), sides_b.is_one_side());
        if D::all(apart) {
            return;
        }
        let known_sides = D::both(sides_a.are_known(), sides_b.are_known());
        let mut known = known_sides;
        // Masks of each edge of `b`: all edges of `a` so far pass it on one side.
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
        let touching = D::both(D::both(left, known), pierces);
        let axis = (common_line(token, normal_a, normal_b), b[0]);
        let (one, other) = (sides_a.section(token, a, axis), sides_b.section(token, b, axis));
        crossings.touching |= D::bits(touching) << at;
        crossings.undecided |= D::bits(D::both(left, D::not(known))) << at;
        crossings.segments |= D::bits(D::both(touching, one.overlaps(&other))) << at;
        let later = other.from.0.above(one.from.0);
        let sooner = one.to.0.above(other.to.0);
        let [from, to] = &mut crossings.ends;
        store(choose::<D>(later, other.from.1, one.from.1), from, at);
        store(choose::<D>(sooner, other.to.1, one.to.1), to, at);
    }
}

#[inline(always)]
fn store<D: Doubles>(v: Vec3<D>, rows: &mut [[f64; PAIRS]; 3], at: usize) {
    v[0].store(&mut rows[0][at..]);
    v[1].store(&mut rows[1][at..]);
    v[2].store(&mut rows[2][at..]);
}

/// Returns the direction of the line in which two planes intersect; not a number for parallel
/// planes. Scaled, or the next product might overflow.
#[inline(always)]
fn common_line<D: Doubles>(token: D::Token, normal_a: Vec3<D>, normal_b: Vec3<D>) -> Vec3<D> {
    let (along, zero) = (cross(normal_a, normal_b), D::splat(token, 0.0));
    let most = zero.greater(along[0].abs()).greater(along[1].abs()).greater(along[2].abs());
    [along[0] / most, along[1] / most, along[2] / most]
}

/// Section of a triangle by a plane: both ends, each by its position along an axis and its point.
struct Section<D> {
    from: (D, Vec3<D>),
    to: (D, Vec3<D>),
}

impl<D: Doubles> Section<D> {
    /// Returns the lanes in which two sections overlap in more than a point.
    #[inline(always)]
    fn overlaps(&self, other: &Self) -> D::Mask {
        self.to.0.lesser(other.to.0).above(self.from.0.greater(other.from.0))
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
        D::either(D::both(self.above[i], self.below[j]), D::both(self.below[i], self.above[j]))
    }

    /// Returns the section by the plane, measured along an axis from an origin, in lanes in which
    /// all sides are known and not equal.
    #[inline(always)]
    fn section(
        &self,
        token: D::Token,
        points: &[Vec3<D>; 3],
        (along, origin): (Vec3<D>, Vec3<D>),
    ) -> Section<D> {
        let start = D::splat(token, f64::INFINITY);
        let mut section = Section { from: (start, points[0]), to: (-start, points[0]) };
        for i in 0..3 {
            let j = (i + 1) % 3;
            let upper_first = self.above[i];
            let (p, q) = (points[i], points[j]);
            let (height_p, height_q) = (self.heights[i], self.heights[j]);
            let start = choose::<D>(upper_first, p, q);
            let end = choose::<D>(upper_first, q, p);
            let up = D::choose(upper_first, height_p, height_q);
            let down = D::choose(upper_first, height_q, height_p);
            let point = add(start, scale(sub(end, start), up / (up - down)));
            let position = dot(along, sub(point, origin));
            let is_cut = self.is_cut(i);
            let first = D::both(is_cut, section.from.0.above(position));
            let last = D::both(is_cut, position.above(section.to.0));
            section.from.0 = D::choose(first, position, section.from.0);
            section.from.1 = choose::<D>(first, point, section.from.1);
            section.to.0 = D::choose(last, position, section.to.0);
            section.to.1 = choose::<D>(last, point, section.to.1);
        }
        section
    }
}

#[inline(always)]
fn normal<D: Doubles>(triangle: &[Vec3<D>; 3]) -> Vec3<D> {
    cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0]))
}

/// Returns the bound of [`determinant_error`](super::triangle_exact::determinant_error).
#[inline(always)]
fn determinant_error<D: Doubles>(token: D::Token, [a, b]: [&[Vec3<D>; 3]; 2], error: f64) -> D {
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

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::IDENTITY;
    use crate::pair::rounded::crossing::crossing;
    use crate::pair::rounded::triangle_exact::overlap_by_signs;

    /// Returns a triangle: of numbers, of whole numbers that coincide often, or degenerate.
    fn triangle(chance: &mut SplitMix64, kind: usize) -> TriangleCorners {
        let mut corners = [0; 3].map(|_| chance.point(1.0));
        match kind % 4 {
            0 => {}
            1 => corners = corners.map(|p| p.map(|x| (2.0 * x).round())),
            2 => corners[2] = add(corners[0], scale(sub(corners[1], corners[0]), chance.share())),
            _ => corners = corners.map(|p| scale(p, 1e-3)),
        }
        corners
    }

    /// Checks that all lanes give the bits of the plain functions, in batches of every length.
    pub fn batches_give_the_bits_of_one_pair_after_another() {
        let (simd_levels, mut chance, mut counts) = (SimdLevel::all(), SplitMix64(41), [0; 4]);
        for case in 0..6_000 {
            let rotation = if case % 3 == 0 { IDENTITY } else { chance.rotation() };
            let offset = if case % 3 == 0 { [0.0; 3] } else { chance.point(0.5) };
            let relation = RelativePose::new(rotation, offset, 4.0);
            let len = 1 + case % PAIRS;
            let pairs: Vec<_> = (0..len)
                .map(|i| [triangle(&mut chance, case / 3), triangle(&mut chance, case / 3 + i)])
                .collect();
            let mut batch = TrianglePairs::default();
            pairs.iter().for_each(|[a, b]| batch.push([a, b]));
            assert_eq!((batch.len(), batch.is_full()), (len, len == PAIRS));
            for &simd in &simd_levels {
                let (mask, found) =
                    (batch.crossing_mask(&relation, simd), batch.crossings(&relation, simd));
                assert_eq!((mask | found.touching | found.undecided) >> len, 0, "{simd}");
                for (lane, [a, b]) in pairs.iter().enumerate() {
                    let is = |bits: u32| bits >> lane & 1 == 1;
                    let b = b.map(|p| relation.to_first(p));
                    let segment = crossing(a, &b, relation.error);
                    let verdict = overlap_by_signs(a, &b, &relation);
                    assert!(segment.is_none() || is(mask), "{simd}: {a:?} {b:?}");
                    let told = match (is(found.touching), is(found.undecided)) {
                        (true, false) => Some(true),
                        (false, false) => Some(false),
                        _ => None,
                    };
                    assert_eq!(told, verdict, "{simd}: {a:?} {b:?}");
                    if verdict == Some(true) {
                        let ends = is(found.segments).then(|| found.ends(lane));
                        let known = segment.map(|segment| (segment.ends, segment.weight));
                        assert_eq!(ends.map(|ends| (ends, 1.0)), known, "{simd}: {a:?} {b:?}");
                        counts[3] += usize::from(ends.is_some());
                    }
                    counts[verdict.map_or(2, usize::from)] += 1;
                    // If all sides are known, every remaining pair crosses.
                    let sharp = case / 3 % 4 == 0 && verdict.is_some();
                    assert!(!sharp || is(mask) == segment.is_some(), "{simd}: {a:?} {b:?}");
                }
            }
        }
        println!("{counts:?} apart, touching, undecided, with a segment");
        assert!(counts.iter().all(|&count| count > 1_000 * simd_levels.len()), "{counts:?}");
    }
}
