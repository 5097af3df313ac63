//! The bytes behind the document.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use ::gltf::Document;
use ::gltf::buffer::{Source, View};

use super::uri;

/// One run of bytes a buffer of the document.
pub(super) struct Buffers(Vec<Vec<u8>>);

impl Buffers {
    /// Reads every buffer: the GLB's own, those beside the file in `folder`, and those inside it.
    pub fn read(
        document: &Document,
        mut blob: Option<Vec<u8>>,
        folder: &Path,
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
        Ok(Buffers(buffers))
    }

    /// The bytes of a view; `None` if it runs past its buffer.
    pub fn view(&self, view: &View<'_>) -> Option<&[u8]> {
        let end = view.offset().checked_add(view.length())?;
        self.0.get(view.buffer().index())?.get(view.offset()..end)
    }
}

fn from_uri(uri: &str, folder: &Path, length: usize) -> Result<Vec<u8>, String> {
    if let Some(data) = uri::data(uri) {
        return data;
    }
    let Some(relative) = uri::relative(uri) else {
        return Err(format!("'{uri}' is not a path beside the file"));
    };
    let mut bytes = Vec::new();
    let file = File::open(folder.join(&relative));
    // No further than declared: what is beside the file need not end.
    let read = file.and_then(|file| file.take(length as u64).read_to_end(&mut bytes));
    read.map_err(|error| format!("'{relative}': {error}"))?;
    Ok(bytes)
}
