//! Errors of the library as Python exceptions that name the row, the part, the file, the element.

use boxwood::Error;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    boxwood,
    BoxwoodError,
    PyValueError,
    "A value, a file or a query that was refused; nothing was computed.

The message says why. Attributes, None where they do not apply:
row (int): the row of the batch, counted from 0;
index (int): the element of a row or of a list, counted from 0;
part (str): the part, link or actuator; file (str): the file."
);

const ATTRIBUTES: [&str; 4] = ["row", "index", "part", "file"];

/// Adds the exception to the module; its attributes are None unless an instance sets them.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = module.py().get_type::<BoxwoodError>();
    for name in ATTRIBUTES {
        class.setattr(name, module.py().None())?;
    }
    module.add("BoxwoodError", class)
}

/// Error for a value that the bindings refuse.
pub fn refused(message: impl Into<String>) -> PyErr {
    BoxwoodError::new_err(message.into())
}

/// Converts an error of the library, of a row of a batch or of none.
pub fn raised(py: Python<'_>, error: &Error, row: Option<usize>) -> PyErr {
    if matches!(error, Error::Cancelled) {
        return PyErr::take(py).unwrap_or_else(|| refused(error.to_string()));
    }
    let message = match row {
        Some(row) => format!("row {row}: {error}"),
        None => error.to_string(),
    };
    let exception = refused(message);
    let named = (|| {
        let value = exception.value(py);
        if let Some(row) = row {
            value.setattr("row", row)?;
        }
        name(value, error)
    })();
    match named {
        Ok(()) => exception,
        Err(other) => other,
    }
}

fn name(value: &Bound<'_, pyo3::exceptions::PyBaseException>, error: &Error) -> PyResult<()> {
    match error {
        Error::NotFinite { index, .. }
        | Error::OutOfRange { index, .. }
        | Error::NotUnit { index, .. }
        | Error::NotOrthonormal { index, .. }
        | Error::Negative { index, .. }
        | Error::NotPositive { index, .. }
        | Error::IndexOutOfRange { index, .. }
        | Error::OutOfOrder { index, .. } => value.setattr("index", *index),
        Error::UnknownName { name, .. } | Error::DuplicateName { name, .. } => {
            value.setattr("part", name)
        }
        Error::BeyondLimits { actuator, .. } => value.setattr("part", actuator),
        Error::Part { part, source } => {
            name(value, source)?;
            value.setattr("part", part)
        }
        Error::File { path, .. } => value.setattr("file", path.display().to_string()),
        _ => Ok(()),
    }
}
