//! File arguments: a path, or the bytes of a file.

use std::path::PathBuf;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A path, or bytes in memory: those of a `bytes`, or of a text that begins with `<`, which no path
/// does.
pub enum FileOrBytes {
    Path(PathBuf),
    Bytes(Vec<u8>),
}

impl FromPyObject<'_, '_> for FileOrBytes {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = value.cast::<PyBytes>() {
            return Ok(FileOrBytes::Bytes(bytes.as_bytes().to_vec()));
        }
        // A path that is no valid text is none of XML.
        let text = value.cast::<PyString>().ok().and_then(|text| text.extract::<String>().ok());
        if let Some(text) = text.filter(|text| is_xml(text)) {
            return Ok(FileOrBytes::Bytes(text.into_bytes()));
        }
        let path = value.extract::<PathBuf>();
        path.map(FileOrBytes::Path).map_err(|_| {
            let kind = value.get_type();
            PyTypeError::new_err(format!("a path or the bytes of a file are expected, not {kind}"))
        })
    }
}

/// Returns `true` for the text of an XML file.
fn is_xml(text: &str) -> bool {
    text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace()).starts_with('<')
}

/// Calls one of two functions of a loader, for a path or for bytes.
pub fn load<L>(
    py: Python<'_>,
    file: FileOrBytes,
    from_path: impl FnOnce(PathBuf) -> Result<L, boxwood::Error> + Send,
    from_bytes: impl FnOnce(&[u8]) -> Result<L, boxwood::Error> + Send,
) -> PyResult<L>
where
    L: Send,
{
    let loaded = py.detach(|| match file {
        FileOrBytes::Path(path) => from_path(path),
        FileOrBytes::Bytes(bytes) => from_bytes(&bytes),
    });
    loaded.map_err(|error| crate::raise::raised(py, &error, None))
}
