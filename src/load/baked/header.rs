//! The header of a baked file, and its checksum of the record.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::load::source::{NO_FILE, refused};
use crate::num::{Fingerprint, Scalar};

/// The first eight bytes of a baked character.
pub(super) const CHARACTER: [u8; 8] = *b"boxwood\0";
/// The first eight bytes of a baked robot.
#[cfg(feature = "urdf")]
pub(super) const ROBOT: [u8; 8] = *b"boxrobot";
/// The version: increased with every change of the written data, or of data computed from it.
const VERSION: u32 = 4;
const LENGTH: usize = 32;

/// Writes the header and the record.
pub(super) fn sealed<T: Scalar>(magic: [u8; 8], record: &impl Serialize) -> Result<Vec<u8>, Error> {
    let body = postcard::to_allocvec(record).map_err(|error| unwritten(&error.to_string()))?;
    let mut bytes = Vec::with_capacity(LENGTH + body.len());
    bytes.extend(magic);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((size_of::<T>() as u32).to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(checksum(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

/// Checks the header and reads the record after it.
pub(super) fn opened<T: Scalar, R: DeserializeOwned>(
    magic: [u8; 8],
    bytes: &[u8],
) -> Result<R, String> {
    let refused = Err;
    let Some((header, body)) = bytes.split_at_checked(LENGTH) else {
        return refused("it is cut short".to_owned());
    };
    let word = |at: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&header[at..at + 8]);
        u64::from_le_bytes(word)
    };
    let (version, size) = (word(8) as u32, word(8) >> 32);
    if header[..8] != magic {
        return refused("it does not begin as one".to_owned());
    }
    if version != VERSION {
        return refused(format!("it is of version {version}; {VERSION} is read"));
    }
    if size != size_of::<T>() as u64 {
        let own = size_of::<T>();
        return refused(format!("its numbers have {size} bytes; {own} were asked for"));
    }
    if word(16) != body.len() as u64 {
        return refused(format!("{} bytes follow the header; it says {}", body.len(), word(16)));
    }
    if word(24) != checksum(body) {
        return refused("its checksum is another: it is damaged".to_owned());
    }
    match postcard::take_from_bytes(body).map_err(|error| error.to_string())? {
        (record, []) => Ok(record),
        (_, rest) => refused(format!("{} bytes are left over", rest.len())),
    }
}

/// What keeps a record from being written.
fn unwritten(trouble: &str) -> Error {
    refused(Path::new(NO_FILE), trouble)
}

/// A checksum that detects any damage within eight adjacent bytes, and all but one in 2^64 others.
fn checksum(body: &[u8]) -> u64 {
    let mut hash = Fingerprint::default();
    for chunk in body.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash.add(u64::from_le_bytes(word));
    }
    hash.value()
}
