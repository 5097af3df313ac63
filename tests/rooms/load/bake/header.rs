//! The header of a baked character, implemented again from its description: magic, format version,
//! answer version, size of a number, length, checksum.

pub const HEADER: usize = 36;

/// Format version written and read.
pub const FORMAT: u32 = 5;
pub const ANSWERS: u32 = 2;

/// Returns a header around any body, for numbers of `scalar` bytes.
pub fn sealed(body: &[u8], scalar: u32) -> Vec<u8> {
    let mut bytes = b"boxwood\0".to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(ANSWERS.to_le_bytes());
    bytes.extend(scalar.to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(checksum(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// Computes the checksum: for each word of eight bytes, the last filled with zeros, exclusive or,
/// multiplication by an odd number, and the high half folded into the low one.
fn checksum(body: &[u8]) -> u64 {
    body.chunks(8).fold(0xcbf2_9ce4_8422_2325_u64, |hash, chunk| {
        let word = chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    })
}
