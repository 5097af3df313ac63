//! Baked characters.

use super::header::CHARACTER;
use super::record::CharacterRecord;
use crate::error::Error;
use crate::load::options::Options;
use crate::load::source::{FileSource, report_all_read};
use crate::load::{Loaded, Watch};
use crate::num::{Scalar, precompiled};

impl<T: Scalar> Loaded<T> {
    /// Serializes the character for [`baked`](crate::load::baked()): model, skeleton, nodes, clips,
    /// skin and warnings.
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

pub(super) fn bake_character<T: Scalar>(loaded: &Loaded<T>) -> Result<Vec<u8>, Error> {
    super::record::check_counts(loaded.model.len(), loaded.skeleton.len())?;
    super::record::check_nodes(loaded.nodes.len(), loaded.skeleton.len())?;
    super::header::with_header::<T>(&CHARACTER, &CharacterRecord::from_character(loaded))
}

precompiled! {
    /// Reads a baked character.
    pub(in crate::load) fn read_baked<'a, T>(
        source: &'a FileSource<'a>,
        _options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Loaded<T>, Error> {
        read(source, watch)
    }
}

pub(super) fn read<T: Scalar>(
    source: &FileSource<'_>,
    watch: &mut Watch<'_>,
) -> Result<Loaded<T>, Error> {
    let character = || {
        let record: CharacterRecord<T> =
            super::header::read_record::<T, _>(&CHARACTER, &source.bytes()?)
                .map_err(|trouble| format!("not a baked character: {trouble}"))?;
        record.character().map_err(|error| format!("not a baked character: {error}"))
    };
    let loaded = character().map_err(|trouble: String| source.error(&trouble))?;
    report_all_read(watch)?;
    Ok(loaded)
}
