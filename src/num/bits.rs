//! Bits of words, and fingerprints of bits.

use super::Scalar;

/// Returns the indices of the set bits, ascending.
#[inline(always)]
pub(crate) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = bits.trailing_zeros();
        (index < u64::BITS).then(|| {
            bits &= bits - 1;
            index as usize
        })
    })
}

impl Scalar for f32 {
    const LEAF_SLACK: f64 = super::tolerance::LEAF_SLACK_F32;
    const INNER_SLACK: f64 = super::tolerance::INNER_SLACK_F32;
    const REACH_SHARE: f64 = super::tolerance::REACH_SHARE_F32;
    const MAX_COORDINATE: f64 = super::tolerance::MAX_COORDINATE_F32;
    const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;

    #[inline]
    fn wide(self) -> f64 {
        f64::from(self)
    }
    #[inline]
    fn nearest(value: f64) -> Self {
        value as f32
    }
    #[inline]
    fn at_least(value: f64) -> Self {
        let nearest = value as f32;
        // Branch-free next value up: bit patterns of negative numbers descend.
        let turn = |bits: i32| bits ^ ((bits >> 31) as u32 >> 1) as i32;
        let up = turn(nearest.to_bits() as i32) + i32::from(f64::from(nearest) < value);
        f32::from_bits(turn(up) as u32)
    }
    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Scalar for f64 {
    const LEAF_SLACK: f64 = super::tolerance::LEAF_SLACK_F64;
    const INNER_SLACK: f64 = super::tolerance::INNER_SLACK_F64;
    const REACH_SHARE: f64 = super::tolerance::REACH_SHARE_F64;
    const MAX_COORDINATE: f64 = super::tolerance::MAX_COORDINATE_F64;
    const ROUNDING: f64 = f64::EPSILON / 2.0;

    #[inline]
    fn wide(self) -> f64 {
        self
    }
    #[inline]
    fn nearest(value: f64) -> Self {
        value
    }
    #[inline]
    fn at_least(value: f64) -> Self {
        value
    }
    #[inline]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// A 64-bit hash, equal on all machines. A word is added by exclusive or, then multiplication by an
/// odd number, then folding the high half into the low one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    pub fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    /// Adds the length and every byte of a text.
    pub fn add_text(&mut self, text: &str) {
        self.add(text.len() as u64);
        text.bytes().for_each(|byte| self.add(u64::from(byte)));
    }

    pub fn value(self) -> u64 {
        self.0
    }
}
