//! Lists of world AABBs, 16 to a block, and tests of two ranges of a list.

use super::aabb16::{
    Aabb16, AabbF32, BLOCK, EMPTY_BLOCK, near_mask, overlap_mask, prefix_mask, write_boxes,
};
use super::distance_limit::{DistanceLimit, greatest_square, lower_bound_of_squared};
use super::nearness::{NearKernel, Nearness, NearnessDispatch};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::{Scalar, SimdLevel, set_bits};

/// List of boxes in single precision, rounded outward.
#[derive(Debug, Clone, Default)]
pub(crate) struct Aabb16List {
    blocks: Vec<Aabb16>,
}

/// Range of boxes in a list, from the start of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct AabbRange {
    pub block: usize,
    pub len: usize,
}

impl AabbRange {
    /// Returns the number of blocks with boxes.
    pub fn block_count(&self) -> usize {
        self.len.div_ceil(BLOCK)
    }

    /// Returns the number of summary blocks, which follow in the list: each has a box around each
    /// of 16 blocks. Zero for ranges so short that all blocks are tested.
    fn summary_block_count(&self) -> usize {
        if self.block_count() <= MASK_BLOCKS { 0 } else { self.block_count().div_ceil(BLOCK) }
    }

    /// Returns the number of blocks including the summary.
    pub fn total_block_count(&self) -> usize {
        self.block_count() + self.summary_block_count()
    }

    /// Returns up to [`MASK_BITS`] of the boxes, starting at `first`, a multiple of [`MASK_BITS`].
    #[inline]
    pub fn chunk(self, first: usize) -> AabbRange {
        let len = self.len.saturating_sub(first).min(MASK_BITS);
        AabbRange { block: self.block + first / BLOCK, len }
    }

    /// Iterates over the range in chunks, each with the index of its first box.
    pub fn chunks(self) -> impl Iterator<Item = (usize, AabbRange)> {
        (0..self.len).step_by(MASK_BITS).map(move |first| (first, self.chunk(first)))
    }

    /// Writes the summary blocks, at the end of the range's blocks.
    pub fn write_summary(&self, room: &mut [Aabb16]) {
        if self.summary_block_count() == 0 {
            return;
        }
        let (blocks, above) = room.split_at_mut(self.block_count());
        above.fill(EMPTY_BLOCK);
        for (j, block) in blocks.iter().enumerate() {
            if let Some(above) = above.get_mut(j / BLOCK) {
                for (i, row) in block.iter().enumerate() {
                    // Missing boxes are NaN, which `min` and `max` ignore.
                    let end = if i < 3 { f32::min } else { f32::max };
                    above[i][j % BLOCK] = row.iter().copied().fold(f32::NAN, end);
                }
            }
        }
    }
}

/// Mask per part of one character: a bit for every part of the other that it overlaps.
pub(crate) type OverlapMasks = [u64; MASK_BITS];

/// Greatest number of boxes of one range in a mask.
pub(crate) const MASK_BITS: usize = u64::BITS as usize;

/// Number of blocks whose boxes have their bits in one mask.
pub(crate) const MASK_BLOCKS: usize = MASK_BITS / BLOCK;

impl Aabb16List {
    /// Resizes the list to a number of blocks; existing ones keep their contents.
    pub fn resize(&mut self, blocks: usize) {
        self.blocks.resize(blocks, EMPTY_BLOCK);
    }

    pub fn blocks_mut(&mut self) -> &mut [Aabb16] {
        &mut self.blocks
    }

    /// Replaces all boxes.
    pub fn fill(&mut self, boxes: impl ExactSizeIterator<Item = AabbF32>) -> AabbRange {
        let range = AabbRange { block: 0, len: boxes.len() };
        self.resize(range.block_count());
        write_boxes(&mut self.blocks, boxes);
        range
    }

    /// Writes to `found` which boxes of one range are near which of another: index in the first
    /// range, first index of a block of the second, a bit for each box of that block; ascending,
    /// without zero masks. `around` is the box around each range. Returns the number of entries -
    /// those of `found` after them are unspecified - and the number of comparisons.
    pub fn find_near(
        &self,
        simd: SimdLevel,
        ranges: [AabbRange; 2],
        (around, near): ([AabbF32; 2], Nearness),
        found: &mut Vec<BlockOverlaps>,
    ) -> (usize, u64) {
        let [few, many] = ranges.map(|range| self.range_blocks(range));
        let summary = self.summary_blocks(ranges[1]);
        simd.run(NearnessDispatch(FindNearKernel { few, many, summary, around, near, found }))
    }

    /// Returns the summary blocks of a range.
    pub fn summary_blocks(&self, range: AabbRange) -> &[Aabb16] {
        &self.blocks[range.block + range.block_count()..range.block + range.total_block_count()]
    }

    /// Writes to `found` the indices in the range of all boxes that are near `one`, ascending.
    /// Returns the number of comparisons.
    pub fn find_near_box(
        &self,
        simd: SimdLevel,
        range: AabbRange,
        one: AabbF32,
        near: Nearness,
        found: &mut Vec<u32>,
    ) -> u64 {
        found.clear();
        simd.run(NearnessDispatch(FindNearBoxKernel {
            one,
            near,
            many: self.range_blocks(range),
            found,
        }))
    }

    pub fn range_blocks(&self, range: AabbRange) -> &[Aabb16] {
        &self.blocks[range.block..range.block + range.block_count()]
    }
}

/// Number of boxes that a summary block covers.
const GROUP_BOXES: usize = BLOCK * BLOCK;

/// The boxes of a word that may be within a limit of a box.
pub(crate) struct WordDistances<'a> {
    /// Index in the range of the first box of the word.
    first: usize,
    /// Mask of the boxes within the limit, empty ones among them.
    near: u64,
    one: AabbF32,
    blocks: &'a [Aabb16],
    squared: &'a [f32; MASK_BITS],
}

impl WordDistances<'_> {
    /// Returns the index in the range of each box that is not empty, and a lower bound on its
    /// distance.
    #[inline(always)]
    pub fn lower_bounds(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.lower_bounds_within(f32::INFINITY)
    }

    /// Like [`WordDistances::lower_bounds`], for the boxes that may be nearer than the farthest
    /// point of the nearest box: what is nearest in any of them is in one of these.
    #[inline(always)]
    pub fn least_lower_bounds(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (mut nearest, mut least) = (usize::MAX, f32::INFINITY);
        for lane in set_bits(self.near) {
            let squared = self.squared[lane];
            if squared < least && self.has_points(lane) {
                (nearest, least) = (lane, squared);
            }
        }
        let most = match self.blocks.get(nearest / BLOCK) {
            Some(block) => greatest_square(self.one, AabbF32::from_block(block, nearest)),
            None => f32::INFINITY,
        };
        self.lower_bounds_within(most)
    }

    #[inline(always)]
    fn lower_bounds_within(&self, most_squared: f32) -> impl Iterator<Item = (usize, f64)> + '_ {
        let near = set_bits(self.near);
        let near =
            near.filter(move |&lane| self.squared[lane] <= most_squared && self.has_points(lane));
        near.map(|lane| (self.first + lane, lower_bound_of_squared(self.squared[lane])))
    }

    #[inline(always)]
    fn has_points(&self, lane: usize) -> bool {
        self.blocks[lane / BLOCK].has_points(lane)
    }
}

impl Aabb16List {
    /// Calls `visit` with the index in the range of each box that may be within the limit of a box;
    /// it may lower the limit, so that fewer follow. `requested`: mask of the boxes of a word of
    /// [`MASK_BITS`] to visit. A single box requested of a word is not compared. Returns the number
    /// of comparisons.
    #[inline(always)]
    pub fn visit_near<T: Scalar>(
        &self,
        simd: SimdLevel,
        range: AabbRange,
        one: AabbF32,
        requested: impl Fn(usize) -> u64,
        limit: &mut DistanceLimit<T>,
        mut visit: impl FnMut(usize, &mut DistanceLimit<T>),
    ) -> u64 {
        let (summary, mut compared, mut near_blocks) = (self.summary_blocks(range), 0, u64::MAX);
        for (first, chunk) in range.chunks() {
            if let Some(group) = summary.get(first / GROUP_BOXES) {
                if first % GROUP_BOXES == 0 {
                    near_blocks = limit.within_mask(simd, one, std::slice::from_ref(group), BLOCK);
                    compared += BLOCK as u64;
                }
                if near_blocks >> (first % GROUP_BOXES / BLOCK) & prefix_mask(MASK_BLOCKS) == 0 {
                    continue;
                }
            }
            let mask = requested(first / MASK_BITS) & prefix_mask(chunk.len);
            let near = match mask & mask.wrapping_sub(1) {
                0 => {
                    compared += u64::from(mask != 0);
                    mask
                }
                _ => {
                    compared += chunk.len as u64;
                    mask & limit.within_mask(simd, one, self.range_blocks(chunk), chunk.len)
                }
            };
            set_bits(near).for_each(|lane| visit(first + lane, limit));
        }
        compared
    }

    /// Calls `visit` with the boxes of each word of [`MASK_BITS`] that may be within the limit of a
    /// box, and lower bounds on their distances; it may lower the limit, so that fewer words
    /// follow. Returns the number of comparisons.
    #[inline(always)]
    pub fn visit_lower_bounds<T: Scalar>(
        &self,
        (simd, range, one): (SimdLevel, AabbRange, AabbF32),
        limit: &mut DistanceLimit<T>,
        mut visit: impl FnMut(&WordDistances<'_>, &mut DistanceLimit<T>),
    ) -> u64 {
        let (mut compared, mut squared) = (0, [0.0; MASK_BITS]);
        for (first, word) in range.chunks() {
            // Long ranges have boxes around blocks, which are compared first.
            if let Some(group) = self.summary_blocks(range).get(first / GROUP_BOXES) {
                compared += BLOCK as u64;
                let group = std::slice::from_ref(group);
                let near_blocks = limit.within_mask(simd, one, group, BLOCK);
                if near_blocks >> (first % GROUP_BOXES / BLOCK) & prefix_mask(MASK_BLOCKS) == 0 {
                    continue;
                }
            }
            compared += word.len as u64;
            let blocks = self.range_blocks(word);
            let near = limit.squared_distances(simd, one, (blocks, word.len), &mut squared);
            let near = near & prefix_mask(word.len);
            visit(&WordDistances { first, near, one, blocks, squared: &squared }, limit);
        }
        compared
    }
}

impl Aabb16List {
    /// Computes which boxes of one range overlap which of another, each of at most [`MASK_BITS`].
    /// Returns a bit for each box of the first range with an overlap, and writes its mask to
    /// `masks`; masks of other boxes are not changed. `around` is the box around each range.
    pub fn overlap_masks(
        &self,
        simd: SimdLevel,
        ranges: [AabbRange; 2],
        around: [AabbF32; 2],
        masks: &mut OverlapMasks,
    ) -> u64 {
        let [few, many] = ranges.map(|range| self.range_blocks(range));
        simd.run(OverlapMasksKernel { few, many, around, masks })
    }
}

/// Kernel of [`Aabb16List::overlap_masks`].
struct OverlapMasksKernel<'a> {
    few: &'a [Aabb16],
    many: &'a [Aabb16],
    around: [AabbF32; 2],
    masks: &'a mut OverlapMasks,
}

impl FloatKernel for OverlapMasksKernel<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let OverlapMasksKernel { few, many, around: [around_few, around_many], masks } = self;
        // Blocks first: those of characters that barely overlap are mostly far from the other one.
        let (mut close, mut near) = (0u32, 0);
        for (j, others) in many.iter().enumerate().take(MASK_BLOCKS) {
            close |= u32::from(overlap_mask::<L>(token, around_few, others) != 0) << j;
        }
        if close == 0 {
            return 0;
        }
        for (i, block) in few.iter().enumerate().take(MASK_BLOCKS) {
            let mut places = overlap_mask::<L>(token, around_many, block);
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                let (one, mut with) = (AabbF32::from_block(block, place), 0);
                for (j, others) in many.iter().enumerate().take(MASK_BLOCKS) {
                    if close >> j & 1 == 1 {
                        with |= u64::from(overlap_mask::<L>(token, one, others)) << (j * BLOCK);
                    }
                }
                let part = i * BLOCK + place;
                masks[part % MASK_BITS] = with;
                near |= u64::from(with != 0) << part;
            }
        }
        near
    }
}

/// A box, and the boxes of a block that it is near.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockOverlaps {
    pub one: u32,
    pub first: u32,
    pub with: u32,
}

/// Kernel of [`Aabb16List::find_near`].
struct FindNearKernel<'a> {
    few: &'a [Aabb16],
    many: &'a [Aabb16],
    /// Summary blocks of the second range, if it is long.
    summary: &'a [Aabb16],
    around: [AabbF32; 2],
    near: Nearness,
    found: &'a mut Vec<BlockOverlaps>,
}

impl NearKernel for FindNearKernel<'_> {
    type Output = (usize, u64);

    #[inline(always)]
    fn nearness(&self) -> Nearness {
        self.near
    }

    #[inline(always)]
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> (usize, u64) {
        // Loops: a large closure would not be inlined, and so not compiled for the SIMD level.
        let FindNearKernel { few, many, summary: above, around, near: nearness, found } = self;
        let [around_few, around_many] = around;
        let mut compared = (few.len() + many.len()) * BLOCK;
        // One entry more than possible: each is written before it is known whether it counts, which
        // saves a branch to mispredict.
        let most = few.len() * BLOCK * many.len() + 1;
        if found.len() < most {
            found.resize(most, BlockOverlaps::default());
        }
        let mut count = 0;
        // Bits of the blocks of the second range near the first range; unused with a summary.
        let mut close = 0u32;
        if above.is_empty() {
            for (j, others) in many.iter().enumerate() {
                let is = near_mask::<L, APART>(token, nearness, around_few, others) != 0;
                close |= u32::from(is) << j;
            }
        }
        for (i, block) in few.iter().enumerate() {
            let mut lanes = near_mask::<L, APART>(token, nearness, around_many, block);
            while lanes != 0 {
                let index = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let one = AabbF32::from_block(block, index);
                let place = (i * BLOCK + index) as u32;
                if above.is_empty() {
                    for (j, others) in many.iter().enumerate() {
                        if close >> j & 1 == 1 {
                            compared += BLOCK;
                            let with = near_mask::<L, APART>(token, nearness, one, others);
                            let first = (j * BLOCK) as u32;
                            found[count] = BlockOverlaps { one: place, first, with };
                            count += usize::from(with != 0);
                        }
                    }
                    continue;
                }
                for (group, boxes) in above.iter().enumerate() {
                    compared += BLOCK;
                    let mut left = near_mask::<L, APART>(token, nearness, one, boxes);
                    while left != 0 {
                        let j = group * BLOCK + left.trailing_zeros() as usize;
                        left &= left - 1;
                        compared += BLOCK;
                        let with = near_mask::<L, APART>(token, nearness, one, &many[j]);
                        let first = (j * BLOCK) as u32;
                        found[count] = BlockOverlaps { one: place, first, with };
                        count += usize::from(with != 0);
                    }
                }
            }
        }
        (count, compared as u64)
    }
}

/// Kernel of [`Aabb16List::find_near_box`].
struct FindNearBoxKernel<'a> {
    one: AabbF32,
    near: Nearness,
    many: &'a [Aabb16],
    found: &'a mut Vec<u32>,
}

impl NearKernel for FindNearBoxKernel<'_> {
    type Output = u64;

    #[inline(always)]
    fn nearness(&self) -> Nearness {
        self.near
    }

    #[inline(always)]
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> u64 {
        let FindNearBoxKernel { one, near: nearness, many, found } = self;
        for (j, block) in many.iter().enumerate() {
            let mut with = near_mask::<L, APART>(token, nearness, one, block);
            while with != 0 {
                found.push((j * BLOCK) as u32 + with.trailing_zeros());
                with &= with - 1;
            }
        }
        (many.len() * BLOCK) as u64
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::shape::Aabb;

    type Aabbs = Vec<Aabb<f32, 3>>;

    /// Returns boxes, some empty; coordinates fit in single precision, so that nothing is rounded.
    fn boxes(chance: &mut SplitMix64, len: usize) -> Aabbs {
        let one = |chance: &mut SplitMix64| {
            if chance.below(9) == 0 {
                return Aabb::empty();
            }
            let (at, half) = (chance.point(4.0), chance.between(0.0, 0.5));
            Aabb::new(at.map(|x| (x - half) as f32).into(), at.map(|x| (x + half) as f32).into())
        };
        (0..len).map(|_| one(chance)).collect()
    }

    /// Puts the boxes of two characters into one list.
    fn listed(of: [&Aabbs; 2]) -> (Aabb16List, [AabbRange; 2], [AabbF32; 2]) {
        let first = AabbRange { block: 0, len: of[0].len() };
        let ranges = [first, AabbRange { block: first.total_block_count(), len: of[1].len() }];
        let mut list = Aabb16List::default();
        list.resize(ranges[1].block + ranges[1].total_block_count());
        for (range, boxes) in ranges.iter().zip(of) {
            let room = &mut list.blocks_mut()[range.block..][..range.total_block_count()];
            write_boxes(room, boxes.iter().map(AabbF32::new));
            range.write_summary(room);
        }
        let around = of.map(|boxes| {
            AabbF32::new(&boxes.iter().fold(Aabb::empty(), |all: Aabb<f32, 3>, b| all.merged(b)))
        });
        (list, ranges, around)
    }

    /// Compares with all pairs one by one, for counts below, at and above the limit of the summary.
    pub fn any_number_of_boxes_as_one_by_one() {
        let (mut chance, mut found, mut apart) = (SplitMix64(31), Vec::new(), 0);
        for (a, b) in [(1, 1), (20, 64), (64, 65), (65, 64), (130, 300), (300, 17), (257, 1100)] {
            let [one, other] = [boxes(&mut chance, a), boxes(&mut chance, b)];
            let (list, ranges, around) = listed([&one, &other]);
            for near in [Nearness::OVERLAP, Nearness::from_margin(0.125)] {
                let mut expected = Vec::new();
                for (i, x) in one.iter().enumerate() {
                    let close = other.iter().enumerate().filter(|(_, y)| near.are_near(x, y));
                    expected.extend(close.map(|(j, _)| (i, j)));
                }
                apart += a * b - expected.len();
                for simd in SimdLevel::all() {
                    let mut all = Vec::new();
                    for (start, piece) in ranges[0].chunks() {
                        let pair = [piece, ranges[1]];
                        let (count, _) = list.find_near(simd, pair, (around, near), &mut found);
                        for found in &found[..count] {
                            let bits = (0..BLOCK).filter(|bit| found.with >> bit & 1 == 1);
                            let one = start + found.one as usize;
                            all.extend(bits.map(|bit| (one, found.first as usize + bit)));
                        }
                    }
                    assert_eq!(all, expected, "{a} and {b} at {simd:?}");
                }
            }
        }
        assert!(apart > 100_000, "{apart}");
    }

    /// Compares lower bounds with distances in double precision: all boxes within the limit are
    /// visited, and the nearest are among those that may be.
    pub fn lower_bounds_are_below_distances_and_the_nearest_are_kept() {
        let (mut chance, mut dropped) = (SplitMix64(37), 0);
        for count in [1, 20, 64, 65, 130, 300, 1100] {
            let all = boxes(&mut chance, count);
            let (list, [range, _], _) = listed([&all, &Vec::new()]);
            for k in 0..200 {
                let at = chance.point(8.0).map(|x| x as f32);
                let point = Aabb::new(at.into(), at.into());
                let most = if k % 2 == 0 { f64::INFINITY } else { chance.between(0.0, 4.0) };
                let distance = |one: &Aabb<f32, 3>| {
                    let [low, high] = AabbF32::new(one).corners();
                    let gap = |i: usize| {
                        let x = f64::from(at[i]);
                        (low[i] - x).max(x - high[i]).max(0.0)
                    };
                    (gap(0) * gap(0) + gap(1) * gap(1) + gap(2) * gap(2)).sqrt()
                };
                let there = |place: &usize| !all[*place].is_empty();
                let within: Vec<usize> = (0..count)
                    .filter(|place| there(place) && distance(&all[*place]) <= most)
                    .collect();
                let least = within.iter().map(|&i| distance(&all[i])).fold(f64::MAX, f64::min);
                for simd in SimdLevel::all() {
                    let (mut visited, mut kept) = (Vec::new(), Vec::new());
                    let given = (simd, range, AabbF32::new(&point));
                    let limit = &mut DistanceLimit::<f32>::new(most);
                    list.visit_lower_bounds(given, limit, |word, _| {
                        visited.extend(word.lower_bounds());
                        kept.extend(word.least_lower_bounds());
                    });
                    for &(place, bound) in &visited {
                        let far = distance(&all[place]);
                        assert!(there(&place) && bound <= far && bound >= far * (1.0 - 1e-4));
                    }
                    let is_in = |found: &[(usize, f64)], place: usize| {
                        found.iter().any(|&(other, _)| other == place)
                    };
                    assert!(within.iter().all(|&place| is_in(&visited, place)));
                    let nearest = within.iter().filter(|&&i| distance(&all[i]) == least);
                    assert!(nearest.into_iter().all(|&place| is_in(&kept, place)));
                    assert!(kept.iter().all(|one| visited.contains(one)));
                    dropped += visited.len() - kept.len();
                }
            }
        }
        assert!(dropped > 10_000, "{dropped}");
    }
}
