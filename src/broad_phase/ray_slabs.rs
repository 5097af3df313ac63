//! Tests of a ray against 16 world boxes, or eight of a tree, at a time in single precision. They
//! never miss a box.

use super::aabb16::{Aabb16, BLOCK, prefix_mask};
use crate::num::SimdLevel;
use crate::num::linear::Vec3;
use crate::num::simd::{FloatKernel, Floats, Lanes};
use crate::sat::eight_boxes::{EightBoxes, WIDTH};

/// Error of coordinates in single precision, as a share of all numbers involved: `64 u`. Needed is
/// `5 u`.
const COORDINATE_ERROR: f32 = 1.0 / (1 << 18) as f32;

/// Greatest ratio of ray length to coordinate.
const MAX_RATE: f32 = 1.0 / COORDINATE_ERROR;

/// Relative error of a length along a ray: `16 u`. Needed is `5 u`.
const LENGTH_ERROR: f32 = 1.0 / (1 << 20) as f32;

/// Relative error of the entry of a box, which may be too large by this share: twice
/// [`LENGTH_ERROR`].
const ENTRY_ERROR: f64 = 1.0 / (1 << 19) as f64;

/// Returns a lower bound on the distance at which a ray enters a box, given the computed entry.
#[inline(always)]
pub(crate) fn entry_lower_bound(entry: f32) -> f64 {
    f64::from(entry) * (1.0 - ENTRY_ERROR)
}

/// A ray in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorldRay {
    pub from: Vec3,
    pub direction: Vec3,
    /// Length of the ray.
    pub end: f64,
}

/// Lengths along a ray at which it enters the boxes of a block: lower bounds but for the share that
/// [`entry_lower_bound`] subtracts.
pub(crate) type RayEntries = [f32; BLOCK];

/// A ray, prepared for the slab test of many boxes at once. Source: Kay and Kajiya, Ray Tracing
/// Complex Scenes (1986).
///
/// Boxes are padded by the error of coordinates, so that only relative errors of lengths remain. A
/// ray nearly parallel to a slab counts as moving faster across it, but too slowly to leave the
/// padded slab before it has passed all boxes: this avoids a division by zero.
///
/// The pads exceed many times over those of the ray test within a part: no box that would be hit
/// there is missed, and no answer depends on them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RaySlabs {
    /// Origin of the ray for the lower ends of boxes, and for the upper ends.
    low: [f32; 3],
    high: [f32; 3],
    /// Ray length per unit of each coordinate.
    rate: [f32; 3],
    end: f32,
    /// `true` if all numbers are in the range of single precision.
    f32_ok: bool,
}

impl RaySlabs {
    /// Prepares a ray for boxes whose [`l1_radius`] is at most `out`.
    #[inline(always)]
    pub fn new(ray: &WorldRay, out: f32) -> Self {
        Self::swept(ray, [0.0; 3], out)
    }

    /// Prepares a cast of an aligned box with half extents `half`: it hits a box where the ray hits
    /// that box enlarged by `half`.
    #[inline(always)]
    pub fn swept(ray: &WorldRay, half: Vec3, out: f32) -> Self {
        let [from, along] = [ray.from, ray.direction].map(|v| v.map(|x| x as f32));
        let half = half.map(|x| x as f32);
        // No box extends further: within this size, the pad covers the deviation of the faster ray.
        let size = abs_sum(from) + abs_sum(half) + out;
        let pad = 2.0 * COORDINATE_ERROR * size;
        let rate = along.map(|x| {
            let rate = (1.0 / x).abs();
            (if rate < MAX_RATE { rate } else { MAX_RATE }).copysign(x)
        });
        RaySlabs {
            low: [0, 1, 2].map(|i| from[i] + (half[i] + pad)),
            high: [0, 1, 2].map(|i| from[i] - (half[i] + pad)),
            rate,
            end: padded_end(ray.end),
            f32_ok: (1e-20..1e30).contains(&size),
        }
    }

    /// Shortens the ray to `end`, or slightly more.
    #[inline(always)]
    pub fn shorten(&mut self, end: f64) {
        self.end = self.end.low(padded_end(end));
    }

    /// Returns `true` if a box with this entry is beyond the end of the ray.
    #[inline(always)]
    pub fn ends_before(&self, near: f32) -> bool {
        near > self.end
    }

    /// Returns a bit for each of the boxes that the ray may hit, and writes their entries.
    #[inline(always)]
    pub fn hit_mask<L: Floats>(
        &self,
        token: L::Token,
        block: &Aabb16,
        begins: &mut RayEntries,
    ) -> u32 {
        if !self.f32_ok {
            *begins = [0.0; BLOCK];
            return u32::MAX >> (32 - BLOCK);
        }
        let (mut bits, mut lane) = (0, 0);
        while lane < BLOCK {
            let ends = [
                load_corners::<L>(token, block, 0, lane),
                load_corners::<L>(token, block, 3, lane),
            ];
            let (near, met) = self.clip::<L>(token, ends);
            near.store(&mut begins[lane..]);
            bits |= L::bits(met) << lane;
            lane += L::LEN;
        }
        bits
    }

    /// Like [`hit_mask`](Self::hit_mask), for the boxes of a wide node.
    #[inline]
    pub fn hit_mask_eight(
        &self,
        simd: SimdLevel,
        boxes: &EightBoxes,
        begins: &mut [f32; WIDTH],
    ) -> u32 {
        if !self.f32_ok {
            *begins = [0.0; WIDTH];
            return u32::MAX >> (32 - WIDTH);
        }
        simd.run_eight(HitMaskEightKernel { slabs: self, boxes, begins })
    }

    /// Clips the ray to boxes given by their ends; returns the entries and the mask of hits.
    #[inline(always)]
    fn clip<L: Floats>(&self, token: L::Token, [low, high]: [Vec3<L>; 2]) -> (L, L::Mask) {
        let (mut near, mut far) = (L::splat(token, 0.0), L::splat(token, self.end));
        for i in 0..3 {
            let rate = L::splat(token, self.rate[i]);
            let low = low[i] - L::splat(token, self.low[i]);
            let high = high[i] - L::splat(token, self.high[i]);
            let ends = [low * rate, high * rate];
            near = near.high(ends[0].low(ends[1]));
            far = far.low(ends[0].high(ends[1]));
        }
        (near, near.at_most(far * L::splat(token, 1.0 + LENGTH_ERROR)))
    }
}

/// Loads three rows of a block: the lower ends, or the upper ones.
#[inline(always)]
fn load_corners<L: Floats>(token: L::Token, block: &Aabb16, row: usize, lane: usize) -> Vec3<L> {
    [
        L::load(token, &block[row][lane..]),
        L::load(token, &block[row + 1][lane..]),
        L::load(token, &block[row + 2][lane..]),
    ]
}

/// Kernel that finds the boxes that a ray may hit: lower bound on the entry, and index.
pub(crate) struct RayBoxesKernel<'a> {
    pub slabs: &'a RaySlabs,
    pub blocks: &'a [Aabb16],
    pub len: usize,
    pub found: &'a mut Vec<(f64, u32)>,
}

impl FloatKernel for RayBoxesKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let RayBoxesKernel { slabs, blocks, len, found } = self;
        found.clear();
        let mut begins: RayEntries = [0.0; BLOCK];
        for (block, first) in blocks.iter().zip((0..len).step_by(BLOCK)) {
            let mut met = slabs.hit_mask::<L>(token, block, &mut begins);
            met &= prefix_mask((len - first).min(BLOCK)) as u32;
            while met != 0 {
                let lane = met.trailing_zeros() as usize % BLOCK;
                met &= met - 1;
                found.push((entry_lower_bound(begins[lane]), (first + lane) as u32));
            }
        }
    }
}

/// Kernel of [`RaySlabs::hit_mask_eight`].
struct HitMaskEightKernel<'a> {
    slabs: &'a RaySlabs,
    boxes: &'a EightBoxes,
    begins: &'a mut [f32; WIDTH],
}

impl FloatKernel for HitMaskEightKernel<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u32 {
        let (mut bits, mut lane) = (0, 0);
        while lane < WIDTH {
            let (near, met) = self.slabs.clip::<L>(token, self.boxes.bounds(token, lane));
            near.store(&mut self.begins[lane..]);
            bits |= L::bits(met) << lane;
            lane += L::LEN;
        }
        bits
    }
}

/// Returns the end of a ray, padded for the error of lengths.
#[inline(always)]
fn padded_end(end: f64) -> f32 {
    end as f32 * (1.0 + 4.0 * LENGTH_ERROR) + f32::MIN_POSITIVE
}

#[inline(always)]
fn abs_sum(v: [f32; 3]) -> f32 {
    v[0].abs() + v[1].abs() + v[2].abs()
}

/// Returns the sum of the greatest magnitudes of a box's coordinates.
pub(crate) fn l1_radius([low, high]: [Vec3; 2]) -> f32 {
    abs_sum([0, 1, 2].map(|i| low[i].abs().max(high[i].abs()) as f32))
}
