//! The header of a baked file: its kind, its two versions, and a checksum of the record.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::load::source::{MEMORY_PATH, file_error};
use crate::num::{Fingerprint, Scalar};

/// A kind of baked file.
pub(super) struct BakedKind {
    /// The first eight bytes.
    magic: [u8; 8],
    /// Advice for a file of another version.
    cure: &'static str,
}

pub(super) const CHARACTER: BakedKind =
    BakedKind { magic: *b"boxwood\0", cure: "run `boxwood bake` on its source file again" };

#[cfg(feature = "urdf")]
pub(super) const ROBOT: BakedKind = BakedKind {
    magic: *b"boxrobot",
    cure: "run `boxwood bake` on its source file, or bake it again (`Robot::bake`, `robot.bake()` in \
           Python)",
};

/// Returns `true` for bytes with the kind of a robot.
#[cfg(feature = "urdf")]
pub(in crate::load) fn begins_like_robot(bytes: &[u8]) -> bool {
    bytes.starts_with(&ROBOT.magic)
}

/// Format version, raised by every change of the header or of a record, so that bytes of another
/// layout are never read as this one. Warnings are stored by the index of their variant
/// (`warning_indices_are_pinned`): a new variant at the end of `Warning` keeps the version, as an
/// index beyond the last is rejected; any other change of them raises it.
///
/// Files of versions 1 to 4 have no answer version.
const FORMAT_VERSION: u32 = 5;

/// Answer version, raised by every change of the answers of queries about equal bytes: the boxes
/// fitted along stored axes, bounds, hulls, the arithmetic and the slack of verdicts. New queries,
/// speed, readers of other files, and builds that find other trees do not raise it: the trees of a
/// baked file are stored.
const ANSWER_VERSION: u32 = 2;

/// Length of kind, format version, answer version, size of a number, and the length and checksum of
/// the record. Bytes.
const HEADER_LENGTH: usize = 8 + 4 + 4 + 4 + 8 + 8;

/// Returns the header and the record.
pub(super) fn with_header<T: Scalar>(
    kind: &BakedKind,
    record: &impl Serialize,
) -> Result<Vec<u8>, Error> {
    let body = postcard::to_allocvec(record).map_err(|error| write_error(&error.to_string()))?;
    let mut bytes = Vec::with_capacity(HEADER_LENGTH + body.len());
    bytes.extend(kind.magic);
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    bytes.extend(ANSWER_VERSION.to_le_bytes());
    bytes.extend((size_of::<T>() as u32).to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(checksum(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

/// Checks the header and reads the record after it.
pub(super) fn read_record<T: Scalar, R: DeserializeOwned>(
    kind: &BakedKind,
    bytes: &[u8],
) -> Result<R, String> {
    let refused = Err;
    let cut_short = || "it is cut short".to_owned();
    let (magic, rest) = bytes.split_first_chunk().ok_or_else(cut_short)?;
    if *magic != kind.magic {
        return refused("its first 8 bytes are different".to_owned());
    }
    // Checked first: another format may have another header.
    let (format, rest) = rest.split_first_chunk().ok_or_else(cut_short)?;
    check_version(kind, "format", u32::from_le_bytes(*format), FORMAT_VERSION)?;
    let (answers, rest) = rest.split_first_chunk().ok_or_else(cut_short)?;
    check_version(kind, "answer", u32::from_le_bytes(*answers), ANSWER_VERSION)?;
    let (size, rest) = rest.split_first_chunk().ok_or_else(cut_short)?;
    let (length, rest) = rest.split_first_chunk().ok_or_else(cut_short)?;
    let (sum, body) = rest.split_first_chunk().ok_or_else(cut_short)?;
    let (size, length) = (u32::from_le_bytes(*size), u64::from_le_bytes(*length));
    if size as usize != size_of::<T>() {
        let own = size_of::<T>();
        return refused(format!("its numbers have {size} bytes, {own} expected"));
    }
    if length != body.len() as u64 {
        return refused(format!("{} bytes follow the header, which declares {length}", body.len()));
    }
    if u64::from_le_bytes(*sum) != checksum(body) {
        return refused("its checksum does not match: it is damaged".to_owned());
    }
    match postcard::take_from_bytes(body).map_err(|error| error.to_string())? {
        (record, []) => Ok(record),
        (_, rest) => refused(format!("{} bytes remain after the record", rest.len())),
    }
}

/// Rejects a version other than the one that is read, with advice to replace the file.
fn check_version(kind: &BakedKind, name: &str, found: u32, read: u32) -> Result<(), String> {
    match found == read {
        true => Ok(()),
        false => Err(format!(
            "it has {name} version {found}, and this version of boxwood reads {read}: {}",
            kind.cure
        )),
    }
}

/// Returns the error for a record that cannot be written.
fn write_error(trouble: &str) -> Error {
    file_error(Path::new(MEMORY_PATH), trouble)
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
