//! World AABBs as structure of arrays, 16 to a block, f32 rounded outward.

use std::ops::{Deref, DerefMut};

use super::nearness::Nearness;
use crate::num::Scalar;
use crate::num::SimdLevel;
use crate::num::linear::Vec3;
use crate::num::simd::{FloatKernel, Floats};
use crate::shape::{Aabb, wide_point};

/// The number of boxes in a block: the most lanes there are.
pub(crate) const BLOCK: usize = 16;

/// The minima and then the maxima by coordinate, of [`BLOCK`] boxes.
#[derive(Debug, Clone, Copy)]
// A coordinate of all boxes is one cache line, not parts of two.
#[repr(align(64))]
pub(crate) struct Block([[f32; BLOCK]; 6]);

impl Deref for Block {
    type Target = [[f32; BLOCK]; 6];

    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Block {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

/// A block that overlaps nothing, not even boxes too large for single precision and so infinite.
pub(crate) const NOTHING: Block = Block([[f32::NAN; BLOCK]; 6]);

/// A list of boxes in single precision, rounded outward.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    blocks: Vec<Block>,
}

/// A run of boxes in the list, from the start of a block on.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Range {
    pub block: usize,
    pub len: usize,
}

impl Range {
    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.len.div_ceil(BLOCK)
    }
}

/// Writes boxes into blocks, from the first on, and fills the rest of the last with empty boxes.
pub(crate) fn put(blocks: &mut [Block], boxes: impl Iterator<Item = Single>) {
    for (place, Single(coordinates)) in boxes.enumerate() {
        let block = &mut blocks[place / BLOCK];
        if place % BLOCK == 0 {
            *block = NOTHING;
        }
        for (row, x) in block.iter_mut().zip(coordinates) {
            row[place % BLOCK] = x;
        }
    }
}

/// One box in single precision, rounded outward.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Single([f32; 6]);

impl Rows {
    /// Resizes to so many blocks; their contents stay.
    pub fn resize(&mut self, blocks: usize) {
        self.blocks.resize(blocks, NOTHING);
    }

    pub fn blocks_mut(&mut self) -> &mut [Block] {
        &mut self.blocks
    }

    /// Replaces all boxes by these.
    pub fn fill(&mut self, boxes: impl ExactSizeIterator<Item = Single>) -> Range {
        let range = Range { block: 0, len: boxes.len() };
        self.resize(range.blocks());
        put(&mut self.blocks, boxes);
        range
    }

    /// Leaves in `found` which boxes of one range are near which of another: place in the first,
    /// first place of a block of the second, a bit for each box of that; ascending, none without a
    /// bit. `around` is the box around each range. Returns their number - entries of `found` after
    /// them are unspecified - and the number of comparisons.
    pub fn overlaps(
        &self,
        level: SimdLevel,
        ranges: [Range; 2],
        (around, near): ([Single; 2], Nearness),
        found: &mut Vec<BlockOverlaps>,
    ) -> (usize, u64) {
        let [few, many] = ranges.map(|range| self.range(range));
        level.run(ManyToMany { few, many, around, near, found })
    }

    /// Sweep and prune along a coordinate by which the range is sorted, ascending: leaves in
    /// `found` the places of every two boxes that are near, and returns the number of boxes that
    /// began before another ended, or near it.
    pub fn sweep(
        &self,
        level: SimdLevel,
        range: Range,
        (axis, near): (usize, Nearness),
        found: &mut Vec<(u32, u32)>,
    ) -> u64 {
        found.clear();
        level.run(SweepAndPrune { blocks: self.range(range), len: range.len, axis, near, found })
    }

    /// Leaves in `found` the places in the range of all boxes that are near `one`, ascending.
    /// Returns the number of comparisons.
    pub fn beside(
        &self,
        level: SimdLevel,
        range: Range,
        (one, near): (Single, Nearness),
        found: &mut Vec<u32>,
    ) -> u64 {
        found.clear();
        level.run(OneToMany { one, near, many: self.range(range), found })
    }

    pub fn range(&self, range: Range) -> &[Block] {
        &self.blocks[range.block..range.block + range.blocks()]
    }
}

impl Single {
    /// A box that overlaps nothing.
    pub const NOTHING: Self = Single([f32::NAN; 6]);

    /// The box between two corners in double precision, rounded outward.
    pub fn outward([low, high]: [Vec3; 2]) -> Self {
        let ([a, b, c], [x, y, z]) = (low.map(f32::at_most), high.map(f32::at_least));
        Single([a, b, c, x, y, z])
    }

    /// A box that contains a ball, rounded outward.
    #[inline(always)]
    pub fn around(center: Vec3, radius: f64) -> Self {
        let [x, y, z] = [center[0] as f32, center[1] as f32, center[2] as f32];
        let far = x.abs() + y.abs() + z.abs() + radius as f32;
        if far < 1e30 {
            // Three roundings, each at most `2^-24` of the operands, and an absolute term for
            // values too small for relative rounding.
            let reach = radius as f32 + far * (1.0 / (1 << 20) as f32) + 1e-30;
            return Single([x - reach, y - reach, z - reach, x + reach, y + reach, z + reach]);
        }
        let ends = |side: f64| center.map(|x| x + side * (radius + x.abs() * f64::EPSILON));
        Single::outward([ends(-1.0), ends(1.0)])
    }

    pub fn new<T: Scalar>(bounds: &Aabb<T, 3>) -> Self {
        Single::outward([wide_point(bounds.min), wide_point(bounds.max)])
    }

    /// Whether two boxes are that near; not asked of what is not there.
    pub fn is_near(self, other: Self, nearness: Nearness) -> bool {
        let (Single(a), Single(b)) = (self, other);
        let gap = |i: usize| (a[i] - b[i + 3]).max(b[i] - a[i + 3]).max(0.0);
        let (x, y, z) = (gap(0), gap(1), gap(2));
        x * x + y * y + z * z <= nearness.squared
    }

    #[inline(always)]
    pub fn of(block: &Block, place: usize) -> Self {
        Single(std::array::from_fn(|row| block[row][place % BLOCK]))
    }
}

/// A bit for every box of a block that is near the one, the first lowest; `APART`: whether these may
/// be apart.
#[inline(always)]
pub(crate) fn near<L: Floats, const APART: bool>(
    token: L::Token,
    nearness: Nearness,
    one: Single,
    block: &Block,
) -> u32 {
    if !APART {
        return overlaps::<L>(token, one, block);
    }
    // False for what is not there, on either side.
    let mut bits = 0;
    if one.0[0] <= one.0[3] {
        let most = L::splat(token, nearness.squared);
        for lane in (0..BLOCK).step_by(L::LEN) {
            let there = L::load(token, &block[0][lane..]).within(L::load(token, &block[3][lane..]));
            let near = squared_gap::<L>(token, one, (block, lane)).within(most);
            bits |= L::bits(L::both(near, there)) << lane;
        }
    }
    bits
}

/// A bit for every box of a block that overlaps the one, the first lowest.
#[inline(always)]
pub(crate) fn overlaps<L: Floats>(token: L::Token, Single(one): Single, block: &Block) -> u32 {
    let mut bits = 0;
    for lane in (0..BLOCK).step_by(L::LEN) {
        let x = along::<L>(token, (block, lane), 0, (one[0], one[3]));
        let y = along::<L>(token, (block, lane), 1, (one[1], one[4]));
        let z = along::<L>(token, (block, lane), 2, (one[2], one[5]));
        bits |= L::bits(L::both(L::both(x, y), z)) << lane;
    }
    bits
}

/// The boxes that overlap the range along one coordinate.
#[inline(always)]
fn along<L: Floats>(
    token: L::Token,
    (block, lane): (&Block, usize),
    i: usize,
    (low, high): (f32, f32),
) -> L::Mask {
    let min = L::load(token, &block[i][lane..]);
    let max = L::load(token, &block[i + 3][lane..]);
    L::both(min.within(L::splat(token, high)), L::splat(token, low).within(max))
}

/// The squared distance of some boxes of a block from the one; for empty boxes either 0 or not a
/// number.
#[inline(always)]
pub(crate) fn squared_gap<L: Floats>(
    token: L::Token,
    Single(one): Single,
    (block, lane): (&Block, usize),
) -> L {
    let mut gaps = [L::splat(token, 0.0); 3];
    for (i, gap) in gaps.iter_mut().enumerate() {
        let above = L::splat(token, one[i]) - L::load(token, &block[i + 3][lane..]);
        let below = L::load(token, &block[i][lane..]) - L::splat(token, one[i + 3]);
        *gap = above.high(below).high(*gap);
    }
    let [x, y, z] = gaps;
    x * x + y * y + z * z
}

/// One box, and the boxes of a block that it is near.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockOverlaps {
    pub one: u32,
    pub first: u32,
    pub with: u32,
}

/// See [`Rows::overlaps`].
struct ManyToMany<'a> {
    few: &'a [Block],
    many: &'a [Block],
    around: [Single; 2],
    near: Nearness,
    found: &'a mut Vec<BlockOverlaps>,
}

impl FloatKernel for ManyToMany<'_> {
    type Output = (usize, u64);

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> (usize, u64) {
        match self.near.may_be_apart() {
            true => self.find::<L, true>(token),
            false => self.find::<L, false>(token),
        }
    }
}

impl ManyToMany<'_> {
    #[inline(always)]
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> (usize, u64) {
        // Loops: a closure around all this would not be inlined, and so not compiled for the
        // instruction set.
        let ManyToMany { few, many, around: [around_few, around_many], near: nearness, found } =
            self;
        let mut compared = (few.len() + many.len()) * BLOCK;
        // One more than possible, so that each is written before it is known whether it stays: no
        // branch to mispredict.
        let most = few.len() * BLOCK * many.len() + 1;
        if found.len() < most {
            found.resize(most, BlockOverlaps::default());
        }
        let mut count = 0;
        // Blocks of the second range near the first; from the 33rd on, blocks share a bit.
        let mut blocks = 0u32;
        for (j, others) in many.iter().enumerate() {
            let is = near::<L, APART>(token, nearness, around_few, others) != 0;
            blocks |= u32::from(is) << (j % 32);
        }
        for (i, block) in few.iter().enumerate() {
            let mut places = near::<L, APART>(token, nearness, around_many, block);
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                let one = Single::of(block, place);
                for (j, others) in many.iter().enumerate() {
                    if blocks >> (j % 32) & 1 == 1 {
                        compared += BLOCK;
                        let with = near::<L, APART>(token, nearness, one, others);
                        let (one, first) = ((i * BLOCK + place) as u32, (j * BLOCK) as u32);
                        found[count] = BlockOverlaps { one, first, with };
                        count += usize::from(with != 0);
                    }
                }
            }
        }
        (count, compared as u64)
    }
}

/// See [`Rows::beside`].
struct OneToMany<'a> {
    one: Single,
    near: Nearness,
    many: &'a [Block],
    found: &'a mut Vec<u32>,
}

impl FloatKernel for OneToMany<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        match self.near.may_be_apart() {
            true => self.find::<L, true>(token),
            false => self.find::<L, false>(token),
        }
    }
}

impl OneToMany<'_> {
    #[inline(always)]
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> u64 {
        let OneToMany { one, near: nearness, many, found } = self;
        for (j, block) in many.iter().enumerate() {
            let mut with = near::<L, APART>(token, nearness, one, block);
            while with != 0 {
                found.push((j * BLOCK) as u32 + with.trailing_zeros());
                with &= with - 1;
            }
        }
        (many.len() * BLOCK) as u64
    }
}

/// Appends a pair for every bit that is set, ascending.
#[inline(always)]
fn push(found: &mut Vec<(u32, u32)>, one: usize, first: usize, mut bits: u32) {
    while bits != 0 {
        found.push((one as u32, first as u32 + bits.trailing_zeros()));
        bits &= bits - 1;
    }
}

/// See [`Rows::sweep`].
struct SweepAndPrune<'a> {
    blocks: &'a [Block],
    len: usize,
    axis: usize,
    near: Nearness,
    found: &'a mut Vec<(u32, u32)>,
}

impl FloatKernel for SweepAndPrune<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        match self.near.may_be_apart() {
            true => self.find::<L, true>(token),
            false => self.find::<L, false>(token),
        }
    }
}

impl SweepAndPrune<'_> {
    #[inline(always)]
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> u64 {
        let SweepAndPrune { blocks, len, axis, near: nearness, found } = self;
        let mut compared = 0;
        for i in 0..len {
            let one = Single::of(&blocks[i / BLOCK], i);
            // In the box's own block only the boxes after it.
            let mut after = !1 << (i % BLOCK);
            for (j, others) in blocks.iter().enumerate().skip(i / BLOCK) {
                if others[axis][0] - one.0[axis + 3] > nearness.margin {
                    break;
                }
                compared += BLOCK as u64;
                let with = near::<L, APART>(token, nearness, one, others);
                push(found, i, j * BLOCK, with & after);
                after = u32::MAX;
            }
        }
        compared
    }
}
