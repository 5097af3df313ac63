//! The binary buffers of a glTF document.

use std::cell::Cell;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use ::gltf::Document;
use ::gltf::buffer::{Source, View};

use super::uri;

/// Largest count of numbers read from one file: accessors over the same bytes can request them any
/// number of times.
const MAX_NUMBERS: usize = 1 << 25;

/// The bytes of each buffer of the document.
pub(super) struct GltfBuffers {
    bytes: Vec<Vec<u8>>,
    /// The remaining budget of numbers.
    left: Cell<usize>,
}

impl GltfBuffers {
    /// Reads every buffer: the GLB's own, those beside the file in `folder`, if there is one, and
    /// those inside it.
    pub fn read(
        document: &Document,
        mut blob: Option<Vec<u8>>,
        folder: Option<&Path>,
    ) -> Result<Self, String> {
        let mut buffers = Vec::new();
        for buffer in document.buffers() {
            let bytes = match buffer.source() {
                Source::Bin => blob.take().ok_or_else(|| "its binary chunk is missing".to_owned()),
                Source::Uri(uri) => from_uri(uri, folder, buffer.length()),
            };
            let bytes = bytes.map_err(|trouble| format!("buffer {}: {trouble}", buffer.index()))?;
            let (index, declared, found) = (buffer.index(), buffer.length(), bytes.len());
            if found < declared {
                return Err(format!("buffer {index}: {declared} bytes declared, {found} found"));
            }
            buffers.push(bytes);
        }
        Ok(GltfBuffers { bytes: buffers, left: Cell::new(MAX_NUMBERS) })
    }

    /// Returns the bytes of a view; `None` if it exceeds its buffer.
    pub fn view(&self, view: &View<'_>) -> Option<&[u8]> {
        let end = view.offset().checked_add(view.length())?;
        self.bytes.get(view.buffer().index())?.get(view.offset()..end)
    }

    /// Subtracts `count` elements of `width` numbers from the budget.
    pub fn spend(&self, count: usize, width: usize) -> Result<(), String> {
        let left =
            count.checked_mul(width).and_then(|numbers| self.left.get().checked_sub(numbers));
        let left = left.ok_or_else(|| format!("more than {MAX_NUMBERS} numbers in total"))?;
        self.left.set(left);
        Ok(())
    }
}

fn from_uri(uri: &str, folder: Option<&Path>, length: usize) -> Result<Vec<u8>, String> {
    if let Some(data) = uri::data(uri) {
        return data;
    }
    let Some(relative) = uri::relative(uri) else {
        return Err(format!("'{uri}' is not a relative path"));
    };
    let Some(folder) = folder else {
        return Err(format!(
            "'{relative}' is in another file, and no folder is set (Loader::folder)"
        ));
    };
    let at = |error: std::io::Error| format!("'{relative}': {error}");
    let path = folder.join(&relative);
    // A path beside the file may be a pipe or a device, which need not end.
    if !std::fs::metadata(&path).map_err(at)?.is_file() {
        return Err(format!("'{relative}' is not a file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(at)?;
    file.take(length as u64).read_to_end(&mut bytes).map_err(at)?;
    Ok(bytes)
}
