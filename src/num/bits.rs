//! Bits of words, and fingerprints of bits.

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
