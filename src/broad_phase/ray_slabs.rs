//! A ray against 16 world boxes at a time, or eight of a tree, in single precision: never too few
//! are said to be met.

use super::aabb16::{Aabb16, BLOCK, filled};
use crate::num::SimdLevel;
use crate::num::linear::Vec3;
use crate::num::simd::{FloatKernel, Floats, Lanes};
use crate::sat::eight_boxes::{EightBoxes, SIDE};

/// What rounding to single precision may hide, as a share of all numbers that go in: `64 u`, where
/// coordinates are off by `5 u`.
const HIDDEN: f32 = 1.0 / (1 << 18) as f32;

/// The most units of the ray for one of a coordinate.
const FASTEST: f32 = 1.0 / HIDDEN;

/// What it may hide of a length along a ray: `16 u`, where it is off by `5 u`.
const SHARE: f32 = 1.0 / (1 << 20) as f32;

/// What it may say too much of where a box begins, as a share: twice what is left to its end.
const LATER: f64 = 1.0 / (1 << 19) as f64;

/// How far along a ray a box begins at the earliest, where its entry says that.
#[inline(always)]
pub(crate) fn earliest(entry: f32) -> f64 {
    f64::from(entry) * (1.0 - LATER)
}

/// A ray in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorldRay {
    pub from: Vec3,
    pub along: Vec3,
    /// Its length.
    pub end: f64,
}

/// How far along a ray the boxes of a block begin, or less, but for a share that its end makes up
/// for.
pub(crate) type RayEntries = [f32; BLOCK];

/// A ray, for the test of Kay and Kajiya, Ray Tracing Complex Scenes (1986), of many boxes at once.
///
/// Boxes are grown by what rounding may hide: so only the shares of lengths are left to spare.
/// Where the ray hardly moves along a coordinate it is taken to move faster, but not so fast that
/// it leaves a slab thickened by as much before it has passed everything: so nothing is divided by
/// zero.
///
/// All this is to spare many times over what a ray is met with in a part: so no box is passed over
/// that would be met there, and no answer depends on it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RaySlabs {
    /// Where it starts, as seen by the lower ends of boxes, and by the higher.
    low: [f32; 3],
    high: [f32; 3],
    /// Units of the ray for one of the coordinate.
    rate: [f32; 3],
    end: f32,
    /// Whether single precision has numbers for all this.
    fits: bool,
}

impl RaySlabs {
    /// For boxes no further out than that, as [`out`] has it.
    #[inline(always)]
    pub fn new(ray: &WorldRay, out: f32) -> Self {
        Self::swept(ray, [0.0; 3], out)
    }

    /// The same of an aligned box about what moves along the ray: that meets a box where the ray
    /// meets one as much larger.
    #[inline(always)]
    pub fn swept(ray: &WorldRay, half: Vec3, out: f32) -> Self {
        let [from, along] = [ray.from, ray.along].map(|v| v.map(|x| x as f32));
        let half = half.map(|x| x as f32);
        // No box is further along: by as much as rounding may hide the ray leaves its line there.
        let size = sum(from) + sum(half) + out;
        let pad = 2.0 * HIDDEN * size;
        let rate = along.map(|x| {
            let rate = (1.0 / x).abs();
            (if rate < FASTEST { rate } else { FASTEST }).copysign(x)
        });
        RaySlabs {
            low: [0, 1, 2].map(|i| from[i] + (half[i] + pad)),
            high: [0, 1, 2].map(|i| from[i] - (half[i] + pad)),
            rate,
            end: later(ray.end),
            fits: (1e-20..1e30).contains(&size),
        }
    }

    /// From now on it ends there, or a little later.
    #[inline(always)]
    pub fn end_at(&mut self, end: f64) {
        self.end = self.end.low(later(end));
    }

    /// Whether what begins there is beyond its end.
    #[inline(always)]
    pub fn ends_before(&self, near: f32) -> bool {
        near > self.end
    }

    /// A bit for each of the boxes that the ray may meet, and how far along it they begin.
    #[inline(always)]
    pub fn meets<L: Floats>(
        &self,
        token: L::Token,
        block: &Aabb16,
        begins: &mut RayEntries,
    ) -> u32 {
        if !self.fits {
            *begins = [0.0; BLOCK];
            return u32::MAX >> (32 - BLOCK);
        }
        let (mut bits, mut lane) = (0, 0);
        while lane < BLOCK {
            let ends = [ends::<L>(token, block, 0, lane), ends::<L>(token, block, 3, lane)];
            let (near, met) = self.cut::<L>(token, ends);
            near.store(&mut begins[lane..]);
            bits |= L::bits(met) << lane;
            lane += L::LEN;
        }
        bits
    }

    /// The same of the boxes of a wide node.
    #[inline]
    pub fn meets_eight(
        &self,
        level: SimdLevel,
        boxes: &EightBoxes,
        begins: &mut [f32; SIDE],
    ) -> u32 {
        if !self.fits {
            *begins = [0.0; SIDE];
            return u32::MAX >> (32 - SIDE);
        }
        level.run_eight(MeetsEight { slabs: self, boxes, begins })
    }

    /// Where the ray comes into boxes given by their ends, and which it meets.
    #[inline(always)]
    fn cut<L: Floats>(&self, token: L::Token, [low, high]: [Vec3<L>; 2]) -> (L, L::Mask) {
        let (mut near, mut far) = (L::splat(token, 0.0), L::splat(token, self.end));
        for i in 0..3 {
            let rate = L::splat(token, self.rate[i]);
            let low = low[i] - L::splat(token, self.low[i]);
            let high = high[i] - L::splat(token, self.high[i]);
            let ends = [low * rate, high * rate];
            near = near.high(ends[0].low(ends[1]));
            far = far.low(ends[0].high(ends[1]));
        }
        (near, near.within(far * L::splat(token, 1.0 + SHARE)))
    }
}

/// Three rows of a block from one on: lower ends, or upper ones.
#[inline(always)]
fn ends<L: Floats>(token: L::Token, block: &Aabb16, row: usize, lane: usize) -> Vec3<L> {
    [
        L::load(token, &block[row][lane..]),
        L::load(token, &block[row + 1][lane..]),
        L::load(token, &block[row + 2][lane..]),
    ]
}

/// Finds which of some boxes a ray may meet: how far along it each begins, or less, and its number.
pub(crate) struct BoxesAlongRay<'a> {
    pub slabs: &'a RaySlabs,
    pub blocks: &'a [Aabb16],
    pub len: usize,
    pub found: &'a mut Vec<(f64, u32)>,
}

impl FloatKernel for BoxesAlongRay<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let BoxesAlongRay { slabs, blocks, len, found } = self;
        found.clear();
        let mut begins: RayEntries = [0.0; BLOCK];
        for (block, first) in blocks.iter().zip((0..len).step_by(BLOCK)) {
            let mut met = slabs.meets::<L>(token, block, &mut begins);
            met &= filled((len - first).min(BLOCK)) as u32;
            while met != 0 {
                let lane = met.trailing_zeros() as usize % BLOCK;
                met &= met - 1;
                found.push((earliest(begins[lane]), (first + lane) as u32));
            }
        }
    }
}

/// A ray against the boxes of a wide node.
struct MeetsEight<'a> {
    slabs: &'a RaySlabs,
    boxes: &'a EightBoxes,
    begins: &'a mut [f32; SIDE],
}

impl FloatKernel for MeetsEight<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u32 {
        let (mut bits, mut lane) = (0, 0);
        while lane < SIDE {
            let (near, met) = self.slabs.cut::<L>(token, self.boxes.ends(token, lane));
            near.store(&mut self.begins[lane..]);
            bits |= L::bits(met) << lane;
            lane += L::LEN;
        }
        bits
    }
}

/// A little later than that.
#[inline(always)]
fn later(end: f64) -> f32 {
    end as f32 * (1.0 + 4.0 * SHARE) + f32::MIN_POSITIVE
}

#[inline(always)]
fn sum(v: [f32; 3]) -> f32 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

/// How far out a box is: the sum of the greatest sizes of its coordinates.
pub(crate) fn out([low, high]: [Vec3; 2]) -> f32 {
    sum([0, 1, 2].map(|i| low[i].abs().max(high[i].abs()) as f32))
}
