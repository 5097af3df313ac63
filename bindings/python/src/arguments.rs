//! Numbers as arguments: one that its type cannot represent is refused by name.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::raise::refused;

/// Defines a function for each name of an argument, which parses it.
macro_rules! arguments {
    ($($name:ident: $number:ty = $expected:literal;)*) => { $(
        #[doc = concat!("Parses the argument `", stringify!($name), "`.")]
        pub fn $name(value: &Bound<'_, PyAny>) -> PyResult<$number> {
            value.extract().map_err(|error| out_of_range(value, error, stringify!($name), $expected))
        }
    )* };
}

arguments! {
    n: usize = "a number of rows, 0 or more";
    samples: usize = "a number of configurations, 0 or more";
    splits: usize = "a number of splits, 0 or more";
    item: usize = "the index of an item, 0 or more";
    seed: u64 = "a whole number from 0 to 2**64 - 1";
    threads: usize = "a number of threads, 0 or more";
    ignore_neighbours: Option<usize> = "a number of joints, 0 or more";
    depth: u8 = "a depth from 0 to 255";
    tests: u32 = "a number of tests from 0 to 2**32 - 1";
    margin: f64 = "a length";
    tolerance: f64 = "a length";
    resolution: f64 = "a length";
    max_distance: f64 = "a length";
    length: f64 = "a length";
    factor: f64 = "a factor";
    scale: f64 = "a factor";
    reach: f64 = "a length";
    planes: Option<f64> = "a length";
    base: Option<f64> = "a height";
}

/// A length in a dictionary.
pub struct Length(pub f64);

impl FromPyObject<'_, '_> for Length {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        margin(&value).map(Length)
    }
}

/// Replaces an `OverflowError`; others, such as that for a wrong type, stay as they are.
fn out_of_range(value: &Bound<'_, PyAny>, error: PyErr, name: &str, expected: &str) -> PyErr {
    match error.is_instance_of::<PyOverflowError>(value.py()) {
        true => refused(format!("{name}: {}, {expected} expected", shortened(value))),
        false => error,
    }
}

/// Returns a number as text, without the middle of a long one.
fn shortened(value: &Bound<'_, PyAny>) -> String {
    // Python refuses to write integers of thousands of digits.
    let Ok(text) = value.str() else { return "a huge number".to_owned() };
    let text = text.to_string();
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}
