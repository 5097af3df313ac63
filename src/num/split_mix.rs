//! The generator SplitMix64.
//!
//! Tests and benches compile this file a second time, with distributions of their own: the crate
//! exports no generator.

/// Pseudorandom bits from a seed. Source: Steele, Lea, Flood, Fast Splittable Pseudorandom Number
/// Generators (2014).
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
