//! Slabs, the space between two parallel planes, against 16 world boxes at once: which boxes may
//! reach in, which surely lie inside.
//!
//! # What is certain
//! Let `u = 2^-24` and `|n| |x|` be summed over the coordinates. A height is off by less than
//! `8 u |n| |x|`: the normal is rounded, there are a product and two sums. [`HIDDEN`] is twice
//! that, of all there is.

use super::volume::{BlockBoxes, BlockHits};
use crate::broad_phase::BLOCK;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::num::simd::Floats;

/// What rounding to single precision may hide, as a share of all numbers that go in: `16 u`. No
/// unit.
pub(super) const HIDDEN: f64 = 1.0 / (1 << 20) as f64;

/// The largest numbers whose sums single precision has.
const LARGEST: f64 = 1e30;

/// Heights between which nothing is.
pub(super) const NOWHERE: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];

/// A slab in single precision: heights along a normal of length one at most.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slab {
    normal: [f32; 3],
    /// What is wholly lower or higher is surely out.
    outer: [f32; 2],
    /// What is wholly between is surely in.
    inner: [f32; 2],
    /// Whether single precision has numbers for all this.
    fits: bool,
}

impl Slab {
    /// Between which heights something may be met, and between which it surely lies in the volume.
    /// `size` is no less than the sum of all coordinates that go in. What is surely out is so by
    /// twice the `doubt` of the volume.
    #[inline(always)]
    pub fn new(normal: Vec3, [outer, inner]: [[f64; 2]; 2], (size, doubt): (f64, f64)) -> Self {
        let pad = size * HIDDEN + f64::from(f32::MIN_POSITIVE);
        let far = pad + 2.0 * doubt;
        Slab {
            normal: normal.map(|x| x as f32),
            outer: [f32::at_most(outer[0] - far), f32::at_least(outer[1] + far)],
            inner: [f32::at_least(inner[0] + pad), f32::at_most(inner[1] - pad)],
            fits: size < LARGEST,
        }
    }

    /// Of the first boxes of a block, and perhaps of more.
    #[inline(always)]
    pub fn test_block<L: Floats>(&self, token: L::Token, (block, len): BlockBoxes) -> BlockHits {
        if !self.fits {
            return BlockHits { met: u32::MAX, inside: 0 };
        }
        let n = self.normal;
        let ends = [ends(n[0], 0), ends(n[1], 1), ends(n[2], 2)];
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
            // False for what is not there.
            let met = L::both(low.within(outer[1]), outer[0].within(high));
            let inside = L::both(high.within(inner[1]), inner[0].within(low));
            hits.met |= L::bits(met) << lane;
            hits.inside |= L::bits(inside) << lane;
            lane += L::LEN;
        }
        hits
    }

    /// The boxes that all slabs may meet, of those that are met so far, and that all hold.
    #[inline(always)]
    pub fn test_all<L: Floats>(
        slabs: &[Slab],
        token: L::Token,
        boxes: BlockBoxes,
        met: u32,
    ) -> BlockHits {
        let mut hits = BlockHits { met, inside: met };
        for slab in slabs {
            if hits.met == 0 {
                break;
            }
            let next = slab.test_block::<L>(token, boxes);
            hits.met &= next.met;
            hits.inside &= next.inside;
        }
        hits
    }
}

/// Which rows of a block have the ends that lie deepest and highest along a coordinate.
#[inline(always)]
fn ends(normal: f32, i: usize) -> [usize; 2] {
    if normal > 0.0 { [i, i + 3] } else { [i + 3, i] }
}
