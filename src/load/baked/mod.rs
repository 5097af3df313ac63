//! Baked characters: trees and all, written once and read in milliseconds.
//!
//! What is written is what can not be found again without searching; boxes and everything else that follows is computed on the
//! way in by the code that built it, and compared by the fingerprint. Structure and numbers are `postcard`'s, behind a header
//! of 32 bytes: what it is, the version, the size of a number, how many bytes follow, and a checksum of them.

mod header;
mod number;
mod record;
mod tree;

use self::record::Record;
use super::loader::{FileSource, Options, all_read};
use super::{Loaded, Watch};
use crate::error::Error;
use crate::num::{Precompiled, Scalar, precompile};

impl<T: Scalar> Loaded<T> {
    /// The character as bytes, for [`baked`](super::baked()) to read: model, skeleton, clips, skin and warnings.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is a part for every joint.
    pub fn bake(&self) -> Result<Vec<u8>, Error> {
        T::precompiled(Writing, self)
    }
}

/// Writing a character: compiled here, as it is much.
struct Writing;

impl Precompiled for Writing {
    type Given<'a, T: Scalar> = &'a Loaded<T>;
    type Answer<T: Scalar> = Result<Vec<u8>, Error>;

    precompile!(|Writing, loaded| written(loaded));
}

fn written<T: Scalar>(loaded: &Loaded<T>) -> Result<Vec<u8>, Error> {
    record::check_counts(loaded.model.len(), loaded.skeleton.len())?;
    header::sealed::<T>(&Record::of(loaded))
}

/// Reading one.
pub(super) struct Reading;

impl Precompiled for Reading {
    type Given<'a, T: Scalar> = (&'a FileSource<'a>, &'a Options, &'a mut Watch<'a>);
    type Answer<T: Scalar> = Result<Loaded<T>, Error>;

    precompile!(|Reading, (source, _, watch)| read(source, watch));
}

fn read<T: Scalar>(source: &FileSource<'_>, watch: &mut Watch<'_>) -> Result<Loaded<T>, Error> {
    let character = || {
        let record: Record<T> = header::opened::<T, _>(&source.bytes()?)
            .map_err(|trouble| format!("not a baked character: {trouble}"))?;
        record.character().map_err(|error| format!("not a baked character: {error}"))
    };
    let loaded = character().map_err(|trouble: String| source.refused(&trouble))?;
    all_read(watch)?;
    Ok(loaded)
}
