//! Slabs (the space between two parallel planes) against 16 world AABBs at once: which boxes may
//! overlap, which certainly lie inside.
//!
//! # Error bound
//! Let `u = 2^-24`, and let `|n| |x|` be summed over the coordinates. The error of a height is less
//! than `8 u |n| |x|`: from rounding the normal, a product and two sums. Rounding the end of an
//! interval adds less than `2 u` of the sum of all inputs. [`F32_ERROR`] is more than one and a
//! half times both together, for that sum.

use super::volume::{BlockBoxes, BlockHits};
use crate::broad_phase::BLOCK;
use crate::num::linear::Vec3;
use crate::num::simd::Floats;

/// Bound on the error of single precision, as a share of all inputs: `16 u`. No unit.
pub(super) const F32_ERROR: f64 = 1.0 / (1 << 20) as f64;

/// Bound on inputs whose sums are finite in single precision.
const MAX_INPUT: f64 = 1e30;

/// The empty interval of heights.
pub(super) const EMPTY_INTERVAL: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

/// A slab in single precision: intervals of heights along a normal of length one at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab {
    normal: [f32; 3],
    /// Boxes wholly outside this interval are certainly outside the volume.
    outer: [f32; 2],
    /// Boxes wholly inside this interval are certainly inside the slab.
    inner: [f32; 2],
    /// `true` if the numbers are in the range of single precision.
    fits: bool,
}

impl Slab {
    /// Rounds a slab: the interval of heights that may touch the volume, and the one that certainly
    /// lies in it. `size` bounds the sum of all input coordinates. Boxes outside are so by at least
    /// twice the error of the volume.
    #[inline(always)]
    pub fn new(normal: Vec3, [outer, inner]: [[f64; 2]; 2], size: f64, error: f64) -> Self {
        let pad = size * F32_ERROR + f64::from(f32::MIN_POSITIVE);
        let far = pad + 2.0 * error;
        Slab {
            normal: normal.map(|x| x as f32),
            outer: [(outer[0] - far) as f32, (outer[1] + far) as f32],
            inner: [(inner[0] + pad) as f32, (inner[1] - pad) as f32],
            fits: size < MAX_INPUT,
        }
    }

    /// Tests the first `len` boxes of a block, and perhaps more.
    #[inline(always)]
    pub fn test_block<L: Floats>(&self, token: L::Token, (block, len): BlockBoxes) -> BlockHits {
        if !self.fits {
            return BlockHits { hit: u32::MAX, inside: 0 };
        }
        let n = self.normal;
        let ends = [end_rows(n[0], 0), end_rows(n[1], 1), end_rows(n[2], 2)];
        let outer = self.outer.map(|height| L::splat(token, height));
        let inner = self.inner.map(|height| L::splat(token, height));
        let (mut hits, mut lane) = (BlockHits::default(), 0);
        while lane < BLOCK && lane < len {
            let (mut low, mut high) = (L::splat(token, 0.0), L::splat(token, 0.0));
            for i in 0..3 {
                let (along, [deep, far]) = (L::splat(token, n[i]), ends[i]);
                low = low + along * L::load(token, &block[deep][lane..]);
                high = high + along * L::load(token, &block[far][lane..]);
            }
            // NaN and empty boxes compare false.
            let met = L::both(low.at_most(outer[1]), outer[0].at_most(high));
            let inside = L::both(high.at_most(inner[1]), inner[0].at_most(low));
            hits.hit |= L::bits(met) << lane;
            hits.inside |= L::bits(inside) << lane;
            lane += L::LEN;
        }
        hits
    }

    /// Returns the boxes of `met` that all slabs may overlap, and those that all slabs contain.
    #[inline(always)]
    pub fn test_all<L: Floats>(
        slabs: &[Slab],
        token: L::Token,
        boxes: BlockBoxes,
        hit: u32,
    ) -> BlockHits {
        let mut hits = BlockHits { hit, inside: hit };
        for slab in slabs {
            if hits.hit == 0 {
                break;
            }
            let next = slab.test_block::<L>(token, boxes);
            hits.hit &= next.hit;
            hits.inside &= next.inside;
        }
        hits
    }
}

/// Returns the rows of a block with the ends that have the least and the greatest height.
#[inline(always)]
fn end_rows(normal: f32, i: usize) -> [usize; 2] {
    if normal > 0.0 { [i, i + 3] } else { [i + 3, i] }
}
