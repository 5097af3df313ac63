//! Baked characters and robots: trees included, written once and read in milliseconds.
//!
//! A file contains only data that would need a search to find again. Boxes and all other derived
//! data are computed while reading, by the code that built them, and compared by the fingerprint.
//! Structure and numbers are `postcard`'s, after a header of 36 bytes: the kind of file, the format
//! version, the answer version, the size of a number, the number of bytes that follow, and their
//! checksum. A file of another version of either is rejected; see [`header`].

mod header;
mod number;
mod record;
#[cfg(feature = "urdf")]
mod robot;
mod tree;

use self::header::CHARACTER;
use self::record::CharacterRecord;
#[cfg(feature = "urdf")]
pub(super) use self::robot::read_baked_robot;
use super::options::Options;
use super::source::{FileSource, report_all_read};
use super::{Loaded, Watch};
use crate::error::Error;
use crate::num::{Scalar, precompiled};

impl<T: Scalar> Loaded<T> {
    /// Serializes the character for [`baked`](super::baked()): model, skeleton, nodes, clips, skin
    /// and warnings.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is one part for every joint, and one node for every joint
    /// or none.
    ///
    /// ```
    /// # #[cfg(feature = "meshes")] {
    /// let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    /// let loaded = boxwood::Loader::new().obj_bytes(text.as_bytes())?;
    /// let again = boxwood::Loader::new().baked_bytes(&loaded.bake()?)?;
    /// assert_eq!(again.model, loaded.model); // the same boxes and node ids
    /// # }
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn bake(&self) -> Result<Vec<u8>, Error> {
        write_baked(self)
    }
}

precompiled! {
    fn write_baked<'a, T>(loaded: &'a Loaded<T>) -> Result<Vec<u8>, Error> {
        bake_character(loaded)
    }
}

fn bake_character<T: Scalar>(loaded: &Loaded<T>) -> Result<Vec<u8>, Error> {
    record::check_counts(loaded.model.len(), loaded.skeleton.len())?;
    record::check_nodes(loaded.nodes.len(), loaded.skeleton.len())?;
    header::with_header::<T>(&CHARACTER, &CharacterRecord::from_character(loaded))
}

precompiled! {
    /// Reads a baked character.
    pub(super) fn read_baked<'a, T>(
        source: &'a FileSource<'a>,
        _options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Loaded<T>, Error> {
        read(source, watch)
    }
}

fn read<T: Scalar>(source: &FileSource<'_>, watch: &mut Watch<'_>) -> Result<Loaded<T>, Error> {
    let character = || {
        let record: CharacterRecord<T> = header::read_record::<T, _>(&CHARACTER, &source.bytes()?)
            .map_err(|trouble| format!("not a baked character: {trouble}"))?;
        record.character().map_err(|error| format!("not a baked character: {error}"))
    };
    let loaded = character().map_err(|trouble: String| source.error(&trouble))?;
    report_all_read(watch)?;
    Ok(loaded)
}
