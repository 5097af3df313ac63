//! Tables of answers; they are defined in `boxwood._results`.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyModule, PyTuple};

/// Creates a table of arrays.
pub fn named<'py>(
    py: Python<'py>,
    class: &str,
    arrays: Vec<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let import = || py.import("boxwood._results").map(Bound::unbind);
    let module = MODULE.get_or_try_init(py, import)?.bind(py);
    module.getattr(class)?.call1(PyTuple::new(py, arrays)?)
}
