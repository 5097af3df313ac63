//! The source of a file's bytes: a path, or memory.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::Path;

use crate::error::Error;
use crate::tree::{Progress, Stage, Watch};

/// The path named in errors about bytes in memory.
pub(super) const MEMORY_PATH: &str = "bytes in memory";

/// The source of a file's bytes: a path, or memory.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(any(feature = "gltf", feature = "urdf")), allow(dead_code))]
pub(super) struct FileSource<'a> {
    pub path: &'a Path,
    /// The bytes; `None` to read them from the path.
    bytes: Option<&'a [u8]>,
    /// Folder of other files that this one refers to; `None` if such references are rejected.
    pub folder: Option<&'a Path>,
    name: Option<&'a str>,
}

#[cfg_attr(not(all(feature = "gltf", feature = "mocap")), allow(dead_code))]
impl<'a> FileSource<'a> {
    pub fn file(path: &'a Path) -> Self {
        let folder = path.parent().map(named_folder);
        FileSource { path, bytes: None, folder, name: None }
    }

    /// Creates a source of bytes in memory, with the folder of files they refer to and the name of
    /// the result.
    pub fn memory(bytes: &'a [u8], folder: Option<&'a Path>, name: Option<&'a str>) -> Self {
        let folder = folder.map(named_folder);
        FileSource { path: Path::new(MEMORY_PATH), bytes: Some(bytes), folder, name }
    }

    /// Returns the bytes; rejects pipes and devices, which need not end.
    pub fn bytes(&self) -> Result<Cow<'a, [u8]>, String> {
        match self.bytes {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => read_file(self.path).map(Cow::Owned),
        }
    }

    /// Returns the file name without its extension; for bytes in memory the loader's name, or
    /// `default`.
    pub fn name(&self, default: &str) -> String {
        let stem = self.path.file_stem().filter(|_| self.bytes.is_none());
        let name = stem.map(|stem| stem.to_string_lossy().into_owned());
        name.or(self.name.map(str::to_owned)).unwrap_or_else(|| default.to_owned())
    }

    /// Returns the error for this source, on one line.
    pub fn error(&self, trouble: &str) -> Error {
        file_error(self.path, trouble)
    }
}

/// Returns the folder by a name that is not empty. The parent of a bare file name is the empty
/// path: it can be joined, but not looked up or made absolute.
fn named_folder(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Returns the error for a file, on one line: names and words from files may contain control
/// characters.
pub(super) fn file_error(path: &Path, trouble: &str) -> Error {
    let trouble = trouble.replace(char::is_control, " ");
    Error::File { path: path.to_owned(), trouble }
}

/// Reads the bytes of a file; rejects pipes and devices, which need not end.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let kind = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !kind.is_file() {
        return Err("it is not a file".to_owned());
    }
    std::fs::read(path).map_err(|error| error.to_string())
}

/// Reports that reading is done and building begins.
#[cfg_attr(
    not(any(feature = "bake", feature = "gltf", feature = "meshes", feature = "mocap")),
    allow(dead_code)
)]
pub(super) fn report_all_read(watch: &mut Watch<'_>) -> Result<(), Error> {
    match watch(Progress { stage: Stage::Reading, done: 1, total: 1 }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Cancelled),
    }
}

/// Returns a text without its byte order mark; rejects UTF-16 and UTF-32 by name.
#[cfg(any(feature = "quake-map", feature = "meshes", feature = "mocap"))]
pub(super) fn without_byte_order_mark(bytes: &[u8]) -> Result<&[u8], String> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 0, 0xfe, 0xff, ..] => {
            Err("line 1: UTF-16 and UTF-32 are not supported; save the file as UTF-8".to_owned())
        }
        [0xef, 0xbb, 0xbf, text @ ..] => Ok(text),
        _ => Ok(bytes),
    }
}

/// Decodes text of a format that names no encoding: UTF-8, else Latin-1, in which every byte is a
/// character.
#[cfg(any(feature = "quake-map", feature = "mocap"))]
pub(super) fn plain_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}
