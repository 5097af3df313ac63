//! Baked characters: trees and all, written once and read in milliseconds.
//!
//! What is written is what can not be found again without searching; boxes and everything else that follows is computed on the
//! way in by the code that built it, and compared by the fingerprint. Structure and numbers are `postcard`'s, behind a header
//! of 32 bytes: what it is, the version, the size of a number, how many bytes follow, and a checksum of them.

mod header;
mod number;
mod record;
mod tree;

use std::path::Path;

use self::record::Record;
use super::Loaded;
use crate::error::Error;
use crate::num::{Apiece, Scalar, for_both};

impl<T: Scalar> Loaded<T> {
    /// The character as bytes, for [`baked`] to read: model, skeleton, clips, skin and warnings.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is a part for every joint.
    pub fn bake(&self) -> Result<Vec<u8>, Error> {
        T::apiece(Writing, self)
    }
}

/// A character that [`Loaded::bake`] wrote to a file: the same parts, node ids, answers and fingerprint as the one written.
///
/// Nothing in the file is trusted: counts, indices, names, order and numbers are checked, and every box is found again from the
/// geometry in it, so contacts are never lost. One thing is taken as written, guarded by a checksum against damage alone:
/// [`Node::bound`](crate::tree::Node::bound), on which the promise of [`Accuracy::Within`](crate::Accuracy::Within) rests. Who
/// does not trust the writer builds the trees again.
///
/// # Errors
/// [`Error::File`] naming the file and what is wrong with it.
pub fn baked(path: impl AsRef<Path>) -> Result<Loaded<f32>, Error> {
    baked_with(path)
}

/// The same as [`baked`] in the number type of your choice, which has to be that of the file.
///
/// # Errors
/// The same.
pub fn baked_with<T: Scalar>(path: impl AsRef<Path>) -> Result<Loaded<T>, Error> {
    let path = path.as_ref();
    let said = |trouble: String| super::refused(path, &trouble);
    let bytes = super::bytes(path).map_err(said)?;
    baked_bytes(&bytes).map_err(|error| said(error.to_string()))
}

/// The same as [`baked_with`] from bytes. Takes no more memory than a small multiple of their length.
///
/// # Errors
/// [`Error::Baked`] saying what is wrong with them.
pub fn baked_bytes<T: Scalar>(bytes: &[u8]) -> Result<Loaded<T>, Error> {
    T::apiece(Reading, bytes)
}

/// Writing a character: compiled here, as it is much.
struct Writing;

impl Apiece for Writing {
    type Given<'a, T: Scalar> = &'a Loaded<T>;
    type Answer<T: Scalar> = Result<Vec<u8>, Error>;

    for_both!(|Writing, loaded| written(loaded));
}

fn written<T: Scalar>(loaded: &Loaded<T>) -> Result<Vec<u8>, Error> {
    record::check_counts(loaded.model.len(), loaded.skeleton.len())?;
    header::sealed::<T>(&Record::of(loaded))
}

/// Reading one.
struct Reading;

impl Apiece for Reading {
    type Given<'a, T: Scalar> = &'a [u8];
    type Answer<T: Scalar> = Result<Loaded<T>, Error>;

    for_both!(|Reading, bytes| read(bytes));
}

fn read<T: Scalar>(bytes: &[u8]) -> Result<Loaded<T>, Error> {
    let record: Record<T> = header::opened::<T, _>(bytes)?;
    record.character().map_err(|error| Error::Baked { trouble: error.to_string() })
}
