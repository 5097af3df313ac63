//! Pairwise overlap of two characters' part AABBs as bit masks, in storage of fixed size.

use super::rows::{BLOCK, Block, Range, Rows, Single, overlaps, squared_gap};
use super::{Model, SIDE_BY_SIDE};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::{Scalar, SimdLevel};

/// For each part of one character a bit for every part of the other that it overlaps.
pub(crate) type Masks = [u64; SIDE_BY_SIDE];

/// The most blocks of one character's parts.
const BLOCKS: usize = SIDE_BY_SIDE / BLOCK;

impl Rows {
    /// Sets in `masks` which boxes of one range overlap which of another, each of at most
    /// [`SIDE_BY_SIDE`], and returns a bit for each box of the first with an overlap; the masks of
    /// others stay. `around` is the box around each range.
    pub fn masks(
        &self,
        level: SimdLevel,
        ranges: [Range; 2],
        around: [Single; 2],
        masks: &mut Masks,
    ) -> u64 {
        let [few, many] = ranges.map(|range| self.range(range));
        level.run(PairByPair { few, many, around, masks })
    }
}

/// A bit for each of `len` boxes, at most [`SIDE_BY_SIDE`], whose squared distance to the one is at
/// most `squared`, up to the rounding of three differences and of their squares.
pub(super) fn near(
    level: SimdLevel,
    one: Single,
    (many, len): (&[Block], usize),
    squared: f32,
) -> u64 {
    level.run(OneToFew { one, many, len, squared })
}

impl<T: Scalar> Model<T> {
    /// Retains the pairs within one character that are to be tested: each once, and none that the
    /// rules ignore. Returns a bit for each part with pairs left.
    pub(crate) fn keep_asked(&self, near: u64, masks: &mut Masks) -> u64 {
        let (mut left, mut kept) = (near, 0);
        while left != 0 {
            let part = left.trailing_zeros() as usize;
            left &= left - 1;
            masks[part] &= self.rules.later(part);
            kept |= u64::from(masks[part] != 0) << part;
        }
        kept
    }
}

/// See [`Rows::masks`].
struct PairByPair<'a> {
    few: &'a [Block],
    many: &'a [Block],
    around: [Single; 2],
    masks: &'a mut Masks,
}

impl FloatKernel for PairByPair<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let PairByPair { few, many, around: [around_few, around_many], masks } = self;
        // Most blocks of characters that have just met are far from the other character.
        let (mut close, mut near) = (0u32, 0);
        for (j, others) in many.iter().enumerate().take(BLOCKS) {
            close |= u32::from(overlaps::<L>(token, around_few, others) != 0) << j;
        }
        if close == 0 {
            return 0;
        }
        for (i, block) in few.iter().enumerate().take(BLOCKS) {
            let mut places = overlaps::<L>(token, around_many, block);
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                let (one, mut with) = (Single::of(block, place), 0);
                for (j, others) in many.iter().enumerate().take(BLOCKS) {
                    if close >> j & 1 == 1 {
                        with |= u64::from(overlaps::<L>(token, one, others)) << (j * BLOCK);
                    }
                }
                let part = i * BLOCK + place;
                masks[part % SIDE_BY_SIDE] = with;
                near |= u64::from(with != 0) << part;
            }
        }
        near
    }
}

/// See [`near`].
struct OneToFew<'a> {
    one: Single,
    many: &'a [Block],
    len: usize,
    squared: f32,
}

impl FloatKernel for OneToFew<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let OneToFew { one, many, len, squared } = self;
        let (most, mut bits) = (L::splat(token, squared), 0);
        for (j, block) in many.iter().enumerate().take(BLOCKS) {
            let mut lane = 0;
            while lane < BLOCK && j * BLOCK + lane < len {
                let far = squared_gap::<L>(token, one, (block, lane));
                bits |= u64::from(L::bits(far.within(most))) << (j * BLOCK + lane);
                lane += L::LEN;
            }
        }
        bits
    }
}
