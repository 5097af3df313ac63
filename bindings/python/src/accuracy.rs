//! The accuracy of an answer as a value of Python.

use boxwood::Accuracy as Core;
use pyo3::prelude::*;

use crate::arguments;
use crate::raise::raised;

/// Accuracy of an answer. No accuracy misses a contact; it bounds the distance of the geometries of
/// a reported pair. `Accuracy.exact()` is the default everywhere.
#[pyclass(frozen, eq, from_py_object, module = "boxwood")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy(pub Core);

#[pymethods]
impl Accuracy {
    /// Tests triangles against triangles; solids include their inside.
    #[staticmethod]
    fn exact() -> Self {
        Accuracy(Core::Exact)
    }

    /// Tests the boxes at a depth of each tree, 0 to 255; 0 is one box a part.
    #[staticmethod]
    fn depth(#[pyo3(from_py_with = arguments::depth)] depth: u8) -> Self {
        Accuracy(Core::Depth(depth))
    }

    /// Reports no pair further apart than this length, in metres or the file's unit.
    #[staticmethod]
    fn within(
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::length)] length: f64,
    ) -> PyResult<Self> {
        let refused = |error| raised(py, &error, None);
        if !length.is_finite() {
            return Err(refused(boxwood::Error::NotFinite { field: "tolerance", index: 0 }));
        }
        if length < 0.0 {
            return Err(refused(boxwood::Error::Negative { field: "tolerance", index: 0 }));
        }
        Ok(Accuracy(Core::Within(length)))
    }

    /// Tests at most this many boxes a row; undecided pairs count as touching.
    #[staticmethod]
    fn budget(#[pyo3(from_py_with = arguments::tests)] tests: u32) -> Self {
        Accuracy(Core::Budget(tests))
    }

    fn __repr__(&self) -> String {
        match self.0 {
            Core::Depth(depth) => format!("Accuracy.depth({depth})"),
            Core::Within(length) => format!("Accuracy.within({length:?})"),
            Core::Budget(tests) => format!("Accuracy.budget({tests})"),
            _ => "Accuracy.exact()".to_owned(),
        }
    }

    fn __hash__(&self) -> u64 {
        match self.0 {
            Core::Depth(depth) => u64::from(depth),
            Core::Within(length) => length.to_bits() ^ 1 << 40,
            Core::Budget(tests) => u64::from(tests) | 1 << 41,
            _ => 1 << 42,
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, State)> {
        let restore = py.import("boxwood._restore")?.getattr("accuracy")?;
        let state = match self.0 {
            Core::Depth(depth) => ("depth", Some(f64::from(depth))),
            Core::Within(length) => ("within", Some(length)),
            Core::Budget(tests) => ("budget", Some(f64::from(tests))),
            _ => ("exact", None),
        };
        Ok((restore, state))
    }
}

/// Kind and number of an accuracy, for `pickle`.
type State = (&'static str, Option<f64>);

/// Returns the given accuracy, by default the exact one.
pub fn asked(accuracy: Option<Accuracy>) -> Core {
    accuracy.map_or(Core::Exact, |accuracy| accuracy.0)
}
