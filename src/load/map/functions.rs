//! Loading a level from a map file.

use std::path::Path;

use super::{Level, MapOptions};
use crate::error::Error;
use crate::load::source::FileSource;

/// Loads a level from a `.map` file of Quake, Quake II or Half-Life, with or without texture axes
/// (Valve 220).
///
/// Each brush becomes a [`Brush`](crate::brush::Brush) of the world or of a body of its entity, or
/// a volume: see [`MapOptions`]. The plane of a face has the normal `(p1 - p2) x (p3 - p2)` of its
/// three points, out of the brush. If these are multiples of 1/1024 up to 131,072, faces of one
/// plane have equal bits in all brushes. Layers that the map omits from export are left out, and so
/// is a brush that encloses nothing: [`Level::warnings`] names it and its line. Text is UTF-8, else
/// Latin-1. Values of keys are unchanged, including backslashes, except for `\\"`, which is a quote
/// within a value.
///
/// # Errors
/// [`Error::File`] naming the file, the line and the reason: missing, cut short, a word that should
/// be a number or a bracket, brush primitives or patches (`brushDef`, `patchDef2`), more than
/// 131,072 entities or brushes. [`Error::NotFinite`], [`Error::Negative`], [`Error::OutOfRange`]
/// and [`Error::BadQuery`] for an invalid scale.
///
/// ```no_run
/// use boxwood::load::{self, MapOptions};
///
/// let level = load::map("e1m1.map", &MapOptions::quake().scale(1.0 / 32.0))?;
/// for warning in &level.warnings {
///     eprintln!("{warning}");
/// }
/// let starts: Vec<_> = level.spawns().filter_map(|spawn| spawn.origin).collect();
/// # let _ = starts;
/// # Ok::<(), boxwood::Error>(())
/// ```
pub fn map(path: impl AsRef<Path>, options: &MapOptions) -> Result<Level, Error> {
    load(&FileSource::file(path.as_ref()), options)
}

/// Loads a level like [`map`], but from the bytes of a file: compiled in, of an archive or a
/// network.
///
/// # Errors
/// The errors of [`map`], with the path `bytes in memory`.
pub fn map_bytes(bytes: &[u8], options: &MapOptions) -> Result<Level, Error> {
    load(&FileSource::memory(bytes, None, None), options)
}

pub(super) fn load(source: &FileSource<'_>, options: &MapOptions) -> Result<Level, Error> {
    options.checked_scale()?;
    let bytes = source.bytes().map_err(|trouble| source.error(&trouble))?;
    let (map, lines) = super::read::read(&bytes).map_err(|trouble| source.error(&trouble))?;
    super::assemble::assemble_level(map, &lines, options)
}
