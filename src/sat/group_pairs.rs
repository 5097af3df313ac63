//! Pairs of triangles of two small meshes that may share a point, with the second mesh as it is
//! placed or shifted along a direction: by boxes of [groups](super::triangle_groups), then by boxes
//! and planes of single triangles.
//!
//! Boxes around more are tested first: blocks of eight groups, and a triangle against all of the
//! other group. Comparisons of a box around boxes, rounded alike, never separate what those of the
//! boxes do not, so the pairs that remain are the same.

use super::eight_boxes::WIDTH;
use super::triangle_groups::{BoxLanes, TriangleGroup, TriangleGroups, projections};
use crate::num::linear::{Vec3, dot};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::sorting::ascending_bits;
use crate::num::vectors::{load, splat, splat_entry};
use crate::num::{SimdLevel, set_bits};

/// Number of pairs of groups that [`GroupPairs::earliest`] finds.
pub(crate) const EARLIEST_PAIRS: usize = 4;

/// Triangles of two parts in groups, placed relative to each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupPairs<'a> {
    pub sides: [&'a TriangleGroups; 2],
    /// Pad of all comparisons [length units].
    pub pad: f32,
    /// Direction along which the second is shifted, in the frame of the first, and the greatest
    /// shift that matters. The third axis of the query is that direction. `None` for parts as they
    /// are placed.
    pub shift: Option<([f32; 3], f32)>,
}

/// A group of the first, and the groups of a block of the second whose boxes overlap its box.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearGroups {
    group: u32,
    block: u32,
    /// A bit for each group of the block.
    bits: u32,
}

impl NearGroups {
    /// Returns the number of tests that the pairs of groups count as: one for each triangle of the
    /// first.
    pub fn box_tests(&self, pairs: &GroupPairs<'_>) -> u64 {
        let of_one = pairs.sides[0].group_len(self.group as usize);
        of_one as u64 * u64::from(self.bits.count_ones())
    }

    /// Returns the pairs of groups, in order.
    pub fn pairs(self) -> impl Iterator<Item = [usize; 2]> {
        let NearGroups { group, block, bits } = self;
        set_bits(bits.into()).map(move |bit| [group as usize, block as usize * WIDTH + bit])
    }
}

/// Pair of groups that may touch, ordered by the least shift at which they may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GroupPair(u64);

impl GroupPair {
    const NONE: GroupPair = GroupPair(u64::MAX);

    pub fn new(pairs: &GroupPairs<'_>, [a, b]: [usize; 2]) -> Self {
        let [first, second] = pairs.sides;
        // Equal bits for both zeros: the lanes decide which of them is found.
        let earliest = ascending_bits(first.least(a, 2) - second.greatest(b, 2));
        GroupPair(u64::from(earliest) << 32 | (a << 16 | b) as u64)
    }

    /// Returns the least shift at which the boxes may touch, without a pad.
    pub fn earliest(self) -> f32 {
        let bits = (self.0 >> 32) as u32;
        f32::from_bits(if bits >> 31 == 1 { bits & !(1 << 31) } else { !bits })
    }

    pub fn groups(self) -> [usize; 2] {
        [self.0 as usize >> 16 & 0xffff, self.0 as usize & 0xffff]
    }
}

/// Pairs of groups that a search tests first: those that may touch earliest. They change places
/// with the first pairs in the order of the groups.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EarliestPairs {
    /// The first pairs in the order of the groups.
    first: [GroupPair; EARLIEST_PAIRS],
    /// The earliest pairs, in order.
    earliest: [GroupPair; EARLIEST_PAIRS],
    len: usize,
    /// Latest of the earliest shifts; infinity while there is room for more pairs.
    latest: f32,
    /// Pairs that take the places of the earliest; `NONE` for those among the first.
    displaced: [GroupPair; EARLIEST_PAIRS],
}

impl EarliestPairs {
    const EMPTY: EarliestPairs = EarliestPairs {
        first: [GroupPair::NONE; EARLIEST_PAIRS],
        earliest: [GroupPair::NONE; EARLIEST_PAIRS],
        len: 0,
        latest: f32::INFINITY,
        displaced: [GroupPair::NONE; EARLIEST_PAIRS],
    };

    /// Adds the next pair in the order of the groups.
    fn add_pair(&mut self, pair: GroupPair) {
        if self.len < EARLIEST_PAIRS {
            self.first[self.len] = pair;
            self.len += 1;
        }
        let mut pair = pair;
        for place in &mut self.earliest {
            if pair < *place {
                std::mem::swap(place, &mut pair);
            }
        }
        if self.len == EARLIEST_PAIRS {
            self.latest = self.earliest[EARLIEST_PAIRS - 1].earliest();
        }
    }

    /// Swaps each of the earliest pairs, in order, with the pair at its place among the first.
    fn swap_places(&mut self) {
        let EarliestPairs { first, earliest, len, displaced, .. } = self;
        *displaced = *earliest;
        for pair in displaced.iter_mut().filter(|pair| first.contains(pair)) {
            *pair = GroupPair::NONE;
        }
        let mut front = *first;
        for index in 0..*len {
            let wanted = earliest[index];
            match (index..*len).find(|&at| front[at] == wanted) {
                Some(at) => front.swap(index, at),
                None => {
                    let mut others = displaced.iter_mut();
                    if let Some(other) = others.find(|other| **other == wanted) {
                        std::mem::swap(other, &mut front[index]);
                    }
                }
            }
        }
    }

    /// Returns the earliest pairs, in order.
    pub fn earliest(&self) -> &[GroupPair] {
        &self.earliest[..self.len]
    }

    /// Returns the pair at the place of another in the order of the groups; `None` at the places of
    /// the earliest.
    pub fn at_place_of(&self, pair: GroupPair) -> Option<GroupPair> {
        if self.first.contains(&pair) {
            return None;
        }
        let place = self.earliest.iter().position(|&earliest| earliest == pair);
        Some(place.map_or(pair, |place| self.displaced[place]))
    }
}

impl GroupPairs<'_> {
    /// Lists all pairs of groups whose boxes overlap.
    pub fn list_near(&self, near: &mut Vec<NearGroups>, simd: SimdLevel) {
        near.clear();
        simd.run_eight(GroupKernel { pairs: self, visitor: near });
    }

    /// Returns the pairs of groups whose boxes overlap earliest along the shift, and the first in
    /// the order of the groups.
    pub fn earliest(&self, simd: SimdLevel) -> EarliestPairs {
        let mut found = EarliestPairs::EMPTY;
        simd.run_eight(GroupKernel { pairs: self, visitor: &mut found });
        found.swap_places();
        found
    }

    /// Returns the number of tests that [`list_near`](Self::list_near) counts as: one for each
    /// group.
    pub fn group_tests(&self) -> u64 {
        (self.sides[0].group_count() + self.sides[1].group_count()) as u64
    }

    /// Lists the pairs of groups of a list that have triangles that may touch, with these.
    pub fn list_near_triangles(
        &self,
        near: &[NearGroups],
        found: &mut Vec<NearTriangles>,
        simd: SimdLevel,
    ) {
        found.clear();
        simd.run_eight(NearTrianglesKernel { pairs: self, near, found });
    }

    /// Returns the pairs of triangles of two groups that may touch: for each triangle of the first
    /// a row of [`WIDTH`] bits, one for each triangle of the second, the first lowest.
    pub fn near_triangles(&self, groups: [usize; 2], simd: SimdLevel) -> u64 {
        simd.run_eight(TriangleKernel { pairs: self, groups })
    }

    /// Sets the greatest shift that matters, if there is a shift.
    pub fn limit_shift(&mut self, to: f32) {
        if let Some((_, latest)) = &mut self.shift {
            *latest = to;
        }
    }

    /// Returns the greatest shift that matters, if there is a shift.
    pub fn latest(&self) -> Option<f32> {
        self.shift.map(|(_, to)| to)
    }

    /// Returns the lanes of a block of groups of the first, from a lane on, that overlap the box
    /// around the second.
    #[inline(always)]
    fn rows_near_all<L: Floats>(
        &self,
        token: L::Token,
        (boxes, lane): (&BoxLanes, usize),
        [min, max]: [&[f32; 3]; 2],
    ) -> u32 {
        let (pad, to) = (L::splat(token, self.pad), self.latest());
        let (low, high) =
            (load::<L, WIDTH>(token, &boxes.min, lane), load::<L, WIDTH>(token, &boxes.max, lane));
        let mut beside = (low[2] - pad).above(L::splat(token, max[2] + to.unwrap_or(0.0)));
        let mut i = 0;
        while i < 3 {
            if i < 2 {
                beside = L::either(beside, (low[i] - pad).above(L::splat(token, max[i])));
            }
            if i < 2 || to.is_none() {
                beside = L::either(beside, L::splat(token, min[i]).above(high[i] + pad));
            }
            i += 1;
        }
        L::bits(L::not(beside))
    }

    /// Returns the boxes of the second, from a lane on, that overlap one box of the first at a
    /// shift that matters: boxes of blocks, of groups or of triangles.
    #[inline(always)]
    fn near_boxes<L: Floats>(
        &self,
        token: L::Token,
        (row, place): (&BoxLanes, usize),
        (boxes, lane): (&BoxLanes, usize),
    ) -> L::Mask {
        let enlarged = EnlargedBoxes::<L>::load(token, (boxes, lane), (self.pad, self.latest()));
        enlarged.overlap(token, row, place)
    }
}

/// Collects pairs of groups.
trait GroupVisitor {
    /// Returns the bits of those lanes whose boxes overlap (`near`) that matter. `row`: box of the
    /// first. `boxes`: those of the second, from a lane on.
    fn select<L: Floats>(
        &self,
        token: L::Token,
        row: (&BoxLanes, usize),
        boxes: (&BoxLanes, usize),
        near: L::Mask,
    ) -> u32;

    /// Adds a group of the first with groups of a block of the second.
    fn add(&mut self, pairs: &GroupPairs<'_>, near: NearGroups);
}

/// Collects all pairs.
impl GroupVisitor for Vec<NearGroups> {
    #[inline(always)]
    fn select<L: Floats>(
        &self,
        _: L::Token,
        _: (&BoxLanes, usize),
        _: (&BoxLanes, usize),
        near: L::Mask,
    ) -> u32 {
        L::bits(near)
    }

    #[inline(always)]
    fn add(&mut self, _: &GroupPairs<'_>, near: NearGroups) {
        self.push(near);
    }
}

/// Collects the earliest pairs, and leaves out boxes that are later.
impl GroupVisitor for EarliestPairs {
    #[inline(always)]
    fn select<L: Floats>(
        &self,
        token: L::Token,
        (row, place): (&BoxLanes, usize),
        (boxes, lane): (&BoxLanes, usize),
        near: L::Mask,
    ) -> u32 {
        let earliest = L::splat(token, row.min[2][place]) - L::load(token, &boxes.max[2][lane..]);
        L::bits(L::both(near, earliest.at_most(L::splat(token, self.latest))))
    }

    #[inline(always)]
    fn add(&mut self, pairs: &GroupPairs<'_>, NearGroups { group, block, mut bits }: NearGroups) {
        while bits != 0 {
            let other = block as usize * WIDTH + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.add_pair(GroupPair::new(pairs, [group as usize, other]));
        }
    }
}

struct GroupKernel<'a, V> {
    pairs: &'a GroupPairs<'a>,
    visitor: &'a mut V,
}

impl<V: GroupVisitor> GroupKernel<'_, V> {
    /// Returns the bits of the boxes of the second, from a lane on, that overlap one box of the
    /// first and matter.
    #[inline(always)]
    fn near_bits<L: Floats>(
        &self,
        token: L::Token,
        row: (&BoxLanes, usize),
        boxes: (&BoxLanes, usize),
    ) -> u32 {
        let near = self.pairs.near_boxes::<L>(token, row, boxes);
        self.visitor.select::<L>(token, row, boxes, near)
    }
}

impl<V: GroupVisitor> FloatKernel for GroupKernel<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let [first, second] = self.pairs.sides;
        let [min, max] = second.all_bounds();
        let mut index = 0;
        while index < first.bounds.len() * WIDTH {
            let (rows, lane) = (&first.bounds[index / WIDTH], index % WIDTH);
            let mut left = self.pairs.rows_near_all::<L>(token, (rows, lane), [&min, &max]);
            while left != 0 {
                let group = index + left.trailing_zeros() as usize;
                left &= left - 1;
                let row = (rows, group % WIDTH);
                let mut block = 0;
                while block < second.bounds.len() {
                    let blocks = (&second.block_bounds[block / WIDTH], block % WIDTH);
                    let mut blocks = self.near_bits::<L>(token, row, blocks);
                    while blocks != 0 {
                        let block = block + blocks.trailing_zeros() as usize;
                        blocks &= blocks - 1;
                        let (mut bits, mut lane) = (0, 0);
                        while lane < WIDTH {
                            let boxes = (&second.bounds[block], lane);
                            bits |= self.near_bits::<L>(token, row, boxes) << lane;
                            lane += L::LEN;
                        }
                        if bits != 0 {
                            let (group, block) = (group as u32, block as u32);
                            self.visitor.add(self.pairs, NearGroups { group, block, bits });
                        }
                    }
                    block += L::LEN;
                }
            }
            index += L::LEN;
        }
    }
}

/// One box a lane, enlarged by the pad and, along the axis of a shift, by all shifts.
struct EnlargedBoxes<L> {
    min: Vec3<L>,
    max: Vec3<L>,
}

impl<L: Floats> EnlargedBoxes<L> {
    /// Loads boxes of the second from a lane on. `to`: greatest shift along the third axis.
    #[inline(always)]
    fn load(
        token: L::Token,
        (boxes, lane): (&BoxLanes, usize),
        (pad, to): (f32, Option<f32>),
    ) -> Self {
        let pad = L::splat(token, pad);
        let min = load::<L, WIDTH>(token, &boxes.min, lane);
        let max = load::<L, WIDTH>(token, &boxes.max, lane);
        let [low, high] = match to {
            Some(to) => [L::splat(token, f32::NEG_INFINITY), max[2] + L::splat(token, to) + pad],
            None => [min[2] - pad, max[2] + pad],
        };
        EnlargedBoxes {
            min: [min[0] - pad, min[1] - pad, low],
            max: [max[0] + pad, max[1] + pad, high],
        }
    }

    /// Loads one box of the second into all lanes.
    #[inline(always)]
    fn splat(
        token: L::Token,
        (boxes, lane): (&BoxLanes, usize),
        (pad, to): (f32, Option<f32>),
    ) -> Self {
        let [min, max] = [&boxes.min, &boxes.max].map(|rows| rows.map(|row| row[lane]));
        let [low, high] = match to {
            Some(to) => [f32::NEG_INFINITY, max[2] + to + pad],
            None => [min[2] - pad, max[2] + pad],
        };
        EnlargedBoxes {
            min: splat(token, &[min[0] - pad, min[1] - pad, low]),
            max: splat(token, &[max[0] + pad, max[1] + pad, high]),
        }
    }

    /// Returns the lanes whose boxes may overlap boxes of the first, each in its lane.
    #[inline(always)]
    fn overlap_all(&self, token: L::Token, boxes: &BoxLanes, lane: usize) -> L::Mask {
        let min = load::<L, WIDTH>(token, &boxes.min, lane);
        let max = load::<L, WIDTH>(token, &boxes.max, lane);
        self.overlap_boxes(min, max)
    }

    /// Returns the lanes whose boxes may overlap one box of the first.
    #[inline(always)]
    fn overlap(&self, token: L::Token, boxes: &BoxLanes, lane: usize) -> L::Mask {
        let min = splat_entry::<L, WIDTH>(token, &boxes.min, lane);
        let max = splat_entry::<L, WIDTH>(token, &boxes.max, lane);
        self.overlap_boxes(min, max)
    }

    #[inline(always)]
    fn overlap_boxes(&self, min: Vec3<L>, max: Vec3<L>) -> L::Mask {
        let x = L::both(min[0].at_most(self.max[0]), self.min[0].at_most(max[0]));
        let y = L::both(min[1].at_most(self.max[1]), self.min[1].at_most(max[1]));
        let z = L::both(min[2].at_most(self.max[2]), self.min[2].at_most(max[2]));
        L::both(L::both(x, y), z)
    }
}

/// Two groups, and the pairs of their triangles that may touch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearTriangles {
    groups: [u32; 2],
    bits: u64,
}

impl NearTriangles {
    /// Returns the positions of the pairs of triangles in their lists, in order.
    pub fn pairs(self) -> impl Iterator<Item = [usize; 2]> {
        let [a, b] = self.groups.map(|group| group as usize * WIDTH);
        set_bits(self.bits).map(move |bit| [a + bit / WIDTH, b + bit % WIDTH])
    }
}

struct NearTrianglesKernel<'a> {
    pairs: &'a GroupPairs<'a>,
    near: &'a [NearGroups],
    found: &'a mut Vec<NearTriangles>,
}

impl FloatKernel for NearTrianglesKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let mut index = 0;
        while index < self.near.len() {
            let NearGroups { group, block, bits: mut left } = self.near[index];
            while left != 0 {
                let other = block * WIDTH as u32 + left.trailing_zeros();
                left &= left - 1;
                let groups = [group as usize, other as usize];
                let bits = TriangleKernel { pairs: self.pairs, groups }.near_bits::<L>(token);
                if bits != 0 {
                    self.found.push(NearTriangles { groups: [group, other], bits });
                }
            }
            index += 1;
        }
    }
}

struct TriangleKernel<'a> {
    pairs: &'a GroupPairs<'a>,
    groups: [usize; 2],
}

impl FloatKernel for TriangleKernel<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        self.near_bits::<L>(token)
    }
}

impl TriangleKernel<'_> {
    #[inline(always)]
    fn near_bits<L: Floats>(&self, token: L::Token) -> u64 {
        let TriangleKernel { pairs, groups: [a, b] } = *self;
        let [first, second] = pairs.sides;
        let (rows, columns) = (first.group_len(a), second.group_len(b));
        let (group, boxes) = (&first.groups[a], &first.boxes[a]);
        let (other, others) = (&second.groups[b], &second.boxes[b]);
        let reach = (pairs.pad, pairs.latest());
        let bounds = (&second.bounds[b / WIDTH], b % WIDTH);
        let bounds = EnlargedBoxes::<L>::splat(token, bounds, reach);
        let (mut near_rows, mut lane) = (0, 0);
        while lane < WIDTH {
            near_rows |= L::bits(bounds.overlap_all(token, boxes, lane)) << lane;
            lane += L::LEN;
        }
        near_rows &= (1 << rows) - 1;
        let (mut near, mut lane) = (0, 0);
        while lane < WIDTH {
            let some = EnlargedBoxes::<L>::load(token, (others, lane), reach);
            let mut left = near_rows;
            while left != 0 {
                let place = left.trailing_zeros() as usize % WIDTH;
                left &= left - 1;
                let mut bits = L::bits(some.overlap(token, boxes, place));
                if bits != 0 {
                    bits &=
                        !planes_separate::<L>(token, (group, place), (other, lane), pairs, bits);
                    near |= u64::from(bits) << (place * WIDTH + lane);
                }
            }
            lane += L::LEN;
        }
        near & (u64::MAX / 255 * u64::from(u8::MAX >> (WIDTH - columns)))
    }
}

/// Returns the lanes in which the normal of one of two triangles separates them, at all shifts that
/// matter. `lanes`: bits of the lanes that matter; others may be left out.
#[inline(always)]
fn planes_separate<L: Floats>(
    token: L::Token,
    (one, place): (&TriangleGroup, usize),
    (other, lane): (&TriangleGroup, usize),
    pairs: &GroupPairs<'_>,
    lanes: u32,
) -> u32 {
    let pad = L::splat(token, pairs.pad);
    let b = [
        load::<L, WIDTH>(token, &other.corners[0], lane),
        load::<L, WIDTH>(token, &other.corners[1], lane),
        load::<L, WIDTH>(token, &other.corners[2], lane),
    ];
    let normal_a = splat_entry::<L, WIDTH>(token, &one.normals, place);
    let levels_a = [L::splat(token, one.levels[0][place]), L::splat(token, one.levels[1][place])];
    let intervals = (levels_a, projections(&b, normal_a));
    let apart = L::bits(axis_separates::<L>(token, normal_a, intervals, pad, pairs));
    if lanes & !apart == 0 {
        return apart;
    }
    let a = [
        splat_entry::<L, WIDTH>(token, &one.corners[0], place),
        splat_entry::<L, WIDTH>(token, &one.corners[1], place),
        splat_entry::<L, WIDTH>(token, &one.corners[2], place),
    ];
    let normal_b = load::<L, WIDTH>(token, &other.normals, lane);
    let levels_b =
        [L::load(token, &other.levels[0][lane..]), L::load(token, &other.levels[1][lane..])];
    let intervals = (projections(&a, normal_b), levels_b);
    apart | L::bits(axis_separates::<L>(token, normal_b, intervals, pad, pairs))
}

/// Returns the lanes in which an axis separates two intervals, that of the first and that of the
/// second, at all shifts that matter.
#[inline(always)]
fn axis_separates<L: Floats>(
    token: L::Token,
    axis: Vec3<L>,
    (first, second): ([L; 2], [L; 2]),
    pad: L,
    pairs: &GroupPairs<'_>,
) -> L::Mask {
    match &pairs.shift {
        None => {
            let below = first[0].above(second[1] + pad);
            L::either(below, second[0].above(first[1] + pad))
        }
        Some((direction, to)) => {
            // The second moves up along the axis, or down.
            let (zero, along) = (L::splat(token, 0.0), dot(axis, splat(token, direction)));
            let shift = along * L::splat(token, *to);
            let up = L::both(along.above(zero), first[0].above(second[1] + shift + pad));
            let down = L::both(zero.above(along), (second[0] + shift).above(first[1] + pad));
            L::either(up, down)
        }
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::Point3;

    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::{IDENTITY, Mat3, add, length, perpendicular_axes, rotate, scale, sub};
    use crate::sat::eight_boxes::RelativeFrame;
    use crate::sat::primitive_slabs::{BoxOrTriangle, FirstContactFace, ShiftFrame};
    use crate::sat::triangle_groups::group_pad;

    /// Two meshes without common corners, the second with its pose in the frame of the first.
    struct Soups {
        corners: [Vec<[Vec3; 3]>; 2],
        rotation: Mat3,
        offset: Vec3,
        sides: [TriangleGroups; 2],
        pad: f32,
    }

    impl Soups {
        fn new(chance: &mut SplitMix64, simd: SimdLevel) -> Self {
            let middles = [chance.point(0.3), chance.point(0.3)];
            let soup = |chance: &mut SplitMix64, middle: Vec3| -> Vec<[Vec3; 3]> {
                let count = 1 + chance.below(90);
                let size = chance.decade(-2.0, 0.0);
                let one = |_| {
                    let near = add(middle, chance.point(1.0));
                    [0; 3].map(|_| add(near, chance.point(size)).map(|x| f64::from(x as f32)))
                };
                (0..count).map(one).collect()
            };
            let corners = middles.map(|middle| soup(chance, middle));
            let (rotation, offset) = (chance.rotation(), chance.point(1.0));
            let mut soups = Soups {
                corners,
                rotation,
                offset,
                sides: [TriangleGroups::default(), TriangleGroups::default()],
                pad: 0.0,
            };
            soups.place_both(middles, simd);
            soups
        }

        fn place_both(&mut self, centers: [Vec3; 2], simd: SimdLevel) {
            let Soups { corners, rotation, offset, sides, pad } = self;
            let middle = add(rotate(rotation, centers[1]), *offset);
            let between = sub(middle, centers[0]);
            let frame = RelativeFrame::new::<f32>(rotation, between, [12.0, 12.0], 0.0);
            let frame = frame.expect("sizes about 1");
            *pad = group_pad(&frame, 12.0);
            for side in 0..2 {
                let points = corners[side].as_flattened();
                let vertices: Vec<_> =
                    points.iter().map(|p| Point3::from(p.map(|x| x as f32))).collect();
                let triangles: Vec<_> =
                    (0..corners[side].len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
                let all: Vec<u32> = (0..triangles.len() as u32).collect();
                sides[side].set(&all, &triangles, &vertices);
                sides[side].place_corners((side == 1).then_some(&frame), centers[side], simd);
            }
        }

        /// Returns the pairs that the groups let through, in order.
        fn near_pairs(
            &mut self,
            axes: &Mat3,
            shift: Option<([f32; 3], f32)>,
            simd: SimdLevel,
        ) -> Vec<[usize; 2]> {
            let axes = axes.map(|axis| axis.map(|x| x as f32));
            self.sides.iter_mut().for_each(|side| side.project(&axes, simd));
            let sides = self.sides.each_ref();
            let pairs = GroupPairs { sides, pad: self.pad, shift };
            let (mut found, mut near) = (Vec::new(), Vec::new());
            pairs.list_near(&mut near, simd);
            for [a, b] in near.into_iter().flat_map(NearGroups::pairs) {
                let bits = set_bits(pairs.near_triangles([a, b], simd));
                found.extend(bits.map(|bit| [a * WIDTH + bit / WIDTH, b * WIDTH + bit % WIDTH]));
            }
            found
        }

        /// Returns the first shift along a direction at which two triangles touch.
        fn first_shift(&self, [i, j]: [usize; 2], direction: Vec3) -> Option<f64> {
            let frame = ShiftFrame::new(direction, &self.rotation, self.offset, 12.0);
            let pair = [self.corners[0][i], self.corners[1][j]].map(BoxOrTriangle::Triangle);
            let face = FirstContactFace::find([&pair[0], &pair[1]], &frame);
            face.map(|face| face.shift * frame.unit)
        }
    }

    /// Checks that no pair that touches in the range is left out, that few others are let through,
    /// and that all levels let through the same.
    pub fn nothing_that_touches_is_left_out_and_every_level_says_the_same() {
        let mut chance = SplitMix64(17);
        let (mut all, mut touching, mut let_through) = ([0; 2], [0; 2], [0; 2]);
        for case in 0..160 {
            let mut soups = Soups::new(&mut chance, SimdLevel::best());
            let direction = if case % 5 == 0 { IDENTITY[case % 3] } else { chance.unit() };
            let direction = scale(direction, 1.0 / length(direction));
            let [x, y] = perpendicular_axes(direction);
            let to = if case % 4 == 0 { 20.0 } else { chance.between(-2.0, 2.0) };
            let shift = Some((direction.map(|x| x as f32), to as f32));
            let axes = [x, y, direction];
            let moved = soups.near_pairs(&axes, shift, SimdLevel::best());
            let placed = soups.near_pairs(&IDENTITY, None, SimdLevel::best());
            let pairs: Vec<_> = (0..soups.corners[0].len())
                .flat_map(|i| (0..soups.corners[1].len()).map(move |j| [i, j]))
                .collect();
            for pair in pairs {
                let first = soups.first_shift(pair, direction);
                // The last shift against the direction is the first along it.
                let last = soups.first_shift(pair, scale(direction, -1.0)).map(|shift| -shift);
                let now = first.is_some_and(|x| x <= 0.0) && last.is_some_and(|x| x >= 0.0);
                let early = first.is_some_and(|x| x <= f64::from(to as f32));
                for (kind, found, touches) in [(0, &placed, now), (1, &moved, early)] {
                    let is_near = found.contains(&pair);
                    assert!(is_near || !touches, "{case} {kind}: {pair:?} {first:?} {last:?} {to}");
                    all[kind] += 1;
                    touching[kind] += usize::from(touches);
                    let_through[kind] += usize::from(is_near);
                }
            }
            for simd in SimdLevel::all() {
                let corners = soups.corners.clone();
                let centers = [[0.1, 0.0, -0.2], [0.0, 0.3, 0.1]];
                soups.place_both(centers, SimdLevel::PLAIN);
                let plain = [
                    soups.near_pairs(&axes, shift, SimdLevel::PLAIN),
                    soups.near_pairs(&IDENTITY, None, SimdLevel::PLAIN),
                ];
                soups.place_both(centers, simd);
                let other =
                    [soups.near_pairs(&axes, shift, simd), soups.near_pairs(&IDENTITY, None, simd)];
                assert!(plain == other && corners == soups.corners, "{simd}");
            }
        }
        println!("{all:?} pairs, {touching:?} touch, {let_through:?} let through");
        assert!(touching[0] > 200 && touching[1] > 2_000, "{touching:?}");
        for kind in 0..2 {
            assert!(let_through[kind] < 4 * touching[kind], "{let_through:?} {touching:?}");
        }
    }

    /// Two meshes of many triangles, projected for a shift or as placed.
    fn large_soups(chance: &mut SplitMix64, case: usize, simd: SimdLevel) -> (Soups, GroupShift) {
        let mut soups = Soups::new(chance, simd);
        let count = [3, 40, 150, 700][case % 4];
        let spread = chance.between(0.2, 1.0);
        for side in 0..2 {
            let whole = side == 0 && case % 8 == 7;
            soups.corners[side] = (0..if whole { 9 } else { 1 + chance.below(count) })
                .map(|index| {
                    // Neighbours in the list are neighbours in space.
                    let near = [index as f64 / count as f64 - 0.5, 0.0, 0.0];
                    let near = add(near, chance.point(0.3 * spread));
                    [0; 3].map(|_| add(near, chance.point(0.2)).map(|x| f64::from(x as f32)))
                })
                .collect();
        }
        soups.place_both([chance.point(0.1), chance.point(0.1)], simd);
        let direction = chance.unit();
        let direction = scale(direction, 1.0 / length(direction));
        let [x, y] = perpendicular_axes(direction);
        let to = if case.is_multiple_of(3) { 30.0 } else { chance.between(-1.0, 1.0) };
        let shift = (!case.is_multiple_of(5)).then_some((direction.map(|x| x as f32), to as f32));
        let axes = [x, y, direction].map(|axis| axis.map(|x| x as f32));
        soups.sides.iter_mut().for_each(|side| side.project(&axes, simd));
        (soups, shift)
    }

    type GroupShift = Option<([f32; 3], f32)>;

    /// Returns the pairs of groups whose boxes overlap, tested one by one.
    fn plain_near(pairs: &GroupPairs<'_>) -> Vec<[usize; 2]> {
        let [first, second] = pairs.sides;
        let overlap = |[a, b]: [usize; 2]| {
            let row = (&first.bounds[a / WIDTH], a % WIDTH);
            pairs.near_boxes::<f32>((), row, (&second.bounds[b / WIDTH], b % WIDTH))
        };
        let all =
            (0..first.group_count()).flat_map(|a| (0..second.group_count()).map(move |b| [a, b]));
        all.filter(|&groups| overlap(groups)).collect()
    }

    /// Checks that blocks of groups and rows of triangles leave out nothing that single boxes and
    /// planes let through, and that bounds are those of all their members.
    pub fn boxes_around_boxes_leave_out_nothing() {
        let (simd_levels, mut chance, mut counts) = (SimdLevel::all(), SplitMix64(19), [0; 3]);
        for case in 0..240 {
            for &simd in &simd_levels {
                let mut same = SplitMix64(chance.0);
                let (soups, shift) = large_soups(&mut same, case, simd);
                let sides = soups.sides.each_ref();
                let pairs = GroupPairs { sides, pad: soups.pad, shift };
                sides.iter().for_each(|side| assert_bounds(side));
                let mut near = Vec::new();
                pairs.list_near(&mut near, simd);
                let plain = plain_near(&pairs);
                let listed: Vec<_> = near.iter().copied().flat_map(NearGroups::pairs).collect();
                assert_eq!(listed, plain, "{case} {simd}");
                let tests: u64 = near.iter().map(|near| near.box_tests(&pairs)).sum();
                let expected: usize = plain.iter().map(|[a, _]| sides[0].group_len(*a)).sum();
                assert_eq!(tests, expected as u64);
                let mut found = Vec::new();
                pairs.list_near_triangles(&near, &mut found, simd);
                let found: Vec<_> = found.into_iter().flat_map(NearTriangles::pairs).collect();
                let expected: Vec<_> =
                    plain.iter().flat_map(|&groups| plain_triangles(&pairs, groups)).collect();
                assert_eq!(found, expected, "{case} {simd}");
                counts[0] += plain.len();
                counts[1] += expected.len();
                counts[2] += usize::from(sides[1].bounds.len() > WIDTH);
            }
            chance.unit();
        }
        println!("{counts:?} groups, triangles, cases of more than eight blocks");
        let least = [5_000, 20_000, 10].map(|count| count * simd_levels.len());
        assert!(counts.iter().zip(&least).all(|(count, least)| count > least), "{counts:?}");
    }

    /// Returns the pairs of triangles of two groups that are let through, tested one by one.
    fn plain_triangles(pairs: &GroupPairs<'_>, [a, b]: [usize; 2]) -> Vec<[usize; 2]> {
        let [first, second] = pairs.sides;
        let mut found = Vec::new();
        for row in 0..first.group_len(a) {
            for lane in 0..second.group_len(b) {
                let (one, other) = ((&first.groups[a], row), (&second.groups[b], lane));
                let boxes = (&second.boxes[b], lane);
                let is_near = pairs.near_boxes::<f32>((), (&first.boxes[a], row), boxes);
                if is_near && planes_separate::<f32>((), one, other, pairs, 1) & 1 == 0 {
                    found.push([a * WIDTH + row, b * WIDTH + lane]);
                }
            }
        }
        found
    }

    /// Checks that each box is the least around its members.
    fn assert_bounds(side: &TriangleGroups) {
        let ends = |boxes: &BoxLanes, lane: usize| {
            (boxes.min.map(|row| row[lane]), boxes.max.map(|row| row[lane]))
        };
        let around = |members: &mut dyn Iterator<Item = ([f32; 3], [f32; 3])>| {
            let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
            for (low, high) in members {
                min = [0, 1, 2].map(|i| f32::min(min[i], low[i]));
                max = [0, 1, 2].map(|i| f32::max(max[i], high[i]));
            }
            (min, max)
        };
        for (block, bounds) in side.bounds.iter().enumerate() {
            for lane in 0..WIDTH {
                let group = block * WIDTH + lane;
                let is_there = group < side.group_count();
                let mut members = (0..WIDTH * usize::from(is_there))
                    .map(|triangle| ends(&side.boxes[group], triangle));
                assert_eq!(ends(bounds, lane), around(&mut members));
            }
            let mut members = (0..WIDTH).map(|lane| ends(bounds, lane));
            let of_blocks = &side.block_bounds[block / WIDTH];
            assert_eq!(ends(of_blocks, block % WIDTH), around(&mut members));
        }
    }

    /// Checks the order against a list of all pairs, of which the four earliest are selected.
    pub fn earliest_pairs_change_places_as_if_all_were_listed() {
        let (mut chance, mut counts) = (SplitMix64(23), [0; 3]);
        for case in 0..400 {
            for simd in SimdLevel::all() {
                let mut same = SplitMix64(chance.0);
                let (soups, shift) = large_soups(&mut same, case + case / 5 + 1, simd);
                let Some((direction, to)) = shift else { continue };
                let sides = soups.sides.each_ref();
                let pairs = GroupPairs { sides, pad: soups.pad, shift: Some((direction, to)) };
                let near = plain_near(&pairs);
                let listed: Vec<_> =
                    near.iter().map(|&groups| GroupPair::new(&pairs, groups)).collect();
                let mut expected = listed.clone();
                for count in 0..EARLIEST_PAIRS.min(expected.len()) {
                    let left = count..expected.len();
                    let earliest = left.min_by_key(|&index| expected[index]).expect("some");
                    expected.swap(count, earliest);
                }
                let order = pairs.earliest(simd);
                let others = listed.iter().filter_map(|&pair| order.at_place_of(pair));
                let found: Vec<_> = order.earliest().iter().copied().chain(others).collect();
                assert_eq!(found, expected, "{case} {simd}");
                for (pair, groups) in listed.iter().zip(&near) {
                    let [a, b] = *groups;
                    assert_eq!(pair.groups(), *groups);
                    let earliest = sides[0].least(a, 2) - sides[1].greatest(b, 2);
                    assert_eq!(pair.earliest(), earliest);
                }
                counts[0] += usize::from(listed.len() < EARLIEST_PAIRS);
                counts[1] += usize::from(listed.len() > 20);
                let early = order.earliest().iter().filter(|pair| order.first.contains(pair));
                counts[2] += usize::from(order.len == EARLIEST_PAIRS && early.count() == 2);
            }
            chance.unit();
        }
        println!("{counts:?} short, long, with two of the earliest among the first");
        assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
    }

    /// Checks that needles and points are let through where their boxes overlap.
    pub fn degenerate_triangles_are_let_through() {
        let vertices = [[0.0_f32; 3], [1.0, 0.0, 0.0], [0.5, 0.0, 0.0]].map(Point3::from);
        let mut sides = [TriangleGroups::default(), TriangleGroups::default()];
        let frame = RelativeFrame::new::<f32>(&IDENTITY, [0.0; 3], [2.0, 2.0], 0.0).expect("sizes");
        for simd in SimdLevel::all() {
            for (side, list) in sides.iter_mut().enumerate() {
                list.set(&[0, 1], &[[0, 1, 2], [2, 2, 2]], &vertices);
                list.place_corners((side == 1).then_some(&frame), [0.0; 3], simd);
                list.project(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], simd);
            }
            let sides = sides.each_ref();
            for shift in [None, Some(([0.0, 0.0, 1.0], 0.0))] {
                let pairs = GroupPairs { sides, pad: group_pad(&frame, 2.0), shift };
                assert_eq!(pairs.near_triangles([0, 0], simd), 0x303, "{simd}");
            }
        }
    }
}
