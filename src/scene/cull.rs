//! Boxes side by side against a box or a ray, in single precision: never too few are said to be met.

use super::rows::{BLOCK, Block, Single, overlaps};
use super::way::{Way, greater, lesser};
use crate::num::lanes::{Kernel, Lanes};
use crate::num::linear::Vec3;
use crate::num::{Level, Scalar};

/// What rounding to single precision may hide, as a share of all numbers that go in: `64 u`, where coordinates are off by `3 u`.
const HIDDEN: f64 = 1.0 / (1 << 18) as f64;

/// What it may hide of a length along a ray: `16 u`, where it is off by `4 u`.
const SHARE: f32 = 1.0 / (1 << 20) as f32;

/// A bit for each box of a block that holds something.
pub(super) fn filled(len: usize) -> u64 {
    if len < 64 { (1 << len) - 1 } else { u64::MAX }
}

/// A bit for each of the first `len` boxes, at most 64, that may share a point with that one.
pub(super) fn in_box(level: Level, one: &Single, blocks: &[Block], len: usize) -> u64 {
    level.run(InBox { one, blocks }) & filled(len)
}

struct InBox<'a> {
    one: &'a Single,
    blocks: &'a [Block],
}

impl Kernel for InBox<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) -> u64 {
        let mut bits = 0;
        for (index, block) in self.blocks.iter().take(4).enumerate() {
            bits |= u64::from(overlaps::<L>(token, *self.one, block)) << (index * BLOCK);
        }
        bits
    }
}

/// A ray, for the test of Kay and Kajiya, Ray Tracing Complex Scenes (1986), of many boxes at once.
///
/// Moved toward the boxes by what rounding may hide: so only the shares of lengths are left to spare. Where it hardly moves along
/// a coordinate it is taken to move faster, but not so fast that it leaves a slab thickened by as much before it has passed
/// everything: so nothing is divided by zero.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slabs {
    /// Whether it goes from the greater end of boxes to the less.
    turned: [bool; 3],
    /// Where it starts, as seen by the ends that it comes to first, and last.
    from: [[f32; 2]; 3],
    /// Units of the ray for one of the coordinate.
    rate: [f32; 3],
    end: f32,
    /// Whether single precision has numbers for all this.
    fits: bool,
}

impl Slabs {
    /// The ends of the box around all boxes are `around`.
    #[inline]
    pub fn new(way: &Way, [low, high]: [Vec3; 2]) -> Self {
        let Way { from, along, rate, end } = *way;
        let far = [0, 1, 2].map(|i| greater(low[i].abs(), high[i].abs()));
        // No box is further along: by as much as rounding may hide the ray leaves its line there.
        let size = sum(from) + sum(far);
        let pad = HIDDEN * size;
        let pads = along.map(|x| (2.0 * pad).copysign(x));
        let rate = rate.map(|x| lesser(x.abs(), 1.0 / HIDDEN).copysign(x));
        Slabs {
            turned: along.map(|x| x.is_sign_negative()),
            from: [0, 1, 2].map(|i| [(from[i] + pads[i]) as f32, (from[i] - pads[i]) as f32]),
            rate: rate.map(|x| x as f32),
            end: f32::at_least(end),
            fits: (1e-20..1e30).contains(&size),
        }
    }

    /// From now on it ends there, or a little later.
    pub fn end_at(&mut self, end: f64) {
        self.end = self.end.min(f32::at_least(end) * (1.0 + 4.0 * SHARE));
    }

    /// Whether what begins there is beyond its end.
    pub fn ends_before(&self, near: f32) -> bool {
        near > self.end
    }

    /// A bit for each of the first `len` boxes, at most 64, that the ray may meet.
    pub fn meets(&self, level: Level, blocks: &[Block], len: usize) -> u64 {
        match self.fits {
            true => level.run(OnRay { slabs: self, blocks }) & filled(len),
            false => filled(len),
        }
    }

    /// The ends of boxes along a coordinate that it comes to first, and last.
    #[inline(always)]
    fn ends<'a>(&self, block: &'a Block, i: usize) -> [&'a [f32; BLOCK]; 2] {
        if self.turned[i] { [&block[i + 3], &block[i]] } else { [&block[i], &block[i + 3]] }
    }

    /// How far along the ray it enters a box that it meets, or a little less.
    #[inline]
    pub fn near(&self, block: &Block, lane: usize) -> f32 {
        if !self.fits {
            return 0.0;
        }
        let mut near = 0.0f32;
        for i in 0..3 {
            let along = (self.ends(block, i)[0][lane] - self.from[i][0]) * self.rate[i];
            near = if along > near { along } else { near };
        }
        near * (1.0 - SHARE)
    }
}

fn sum(v: Vec3) -> f64 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

struct OnRay<'a> {
    slabs: &'a Slabs,
    blocks: &'a [Block],
}

impl Kernel for OnRay<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) -> u64 {
        let OnRay { slabs, blocks } = self;
        let Slabs { from, rate, end, .. } = slabs;
        let mut bits = 0;
        for (index, block) in blocks.iter().take(4).enumerate() {
            let mut lane = 0;
            while lane < BLOCK {
                // The way out with its sign turned, so that for both the larger counts.
                let (mut near, mut out) = (L::splat(token, 0.0), L::splat(token, -*end));
                for i in 0..3 {
                    let [first, last] = slabs.ends(block, i);
                    let (first, last) =
                        (L::load(token, &first[lane..]), L::load(token, &last[lane..]));
                    let rate = L::splat(token, rate[i]);
                    near = near.larger((first - L::splat(token, from[i][0])) * rate);
                    out = out.larger((L::splat(token, from[i][1]) - last) * rate);
                }
                let far = (L::splat(token, 0.0) - out) * L::splat(token, 1.0 + SHARE);
                bits |= u64::from(L::bits(near.within(far))) << (index * BLOCK + lane);
                lane += L::LEN;
            }
        }
        bits
    }
}
