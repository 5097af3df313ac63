//! Checked copies of arrays from Python, and arrays for answers.

use numpy::{
    Element, PyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
    get_array_module,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::raise::refused;

/// Numbers with their shape, in row-major order.
pub struct Numbers {
    pub data: Vec<f64>,
    pub shape: Vec<usize>,
}

impl Numbers {
    /// Copies anything that NumPy converts to an array of numbers: floats and integers of any size,
    /// byte order, alignment and layout, nested lists. No booleans, complex numbers or objects.
    pub fn of(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        if let Some(numbers) = Numbers::copied(value) {
            return Ok(numbers);
        }
        let py = value.py();
        let numpy = get_array_module(py)?;
        let array = numpy.call_method1("asarray", (value,));
        let array = array.map_err(|error| refused(format!("{name}: {}", error.value(py))))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        // NumPy's array of an empty list has floats.
        if !["f", "i", "u"].contains(&kind.as_str()) {
            let dtype = array.getattr("dtype")?;
            return Err(refused(format!("{name}: numbers are expected, not {dtype}")));
        }
        let keywords = pyo3::types::PyDict::new(py);
        keywords.set_item("dtype", "float64")?;
        keywords.set_item("order", "C")?;
        let array = numpy.call_method("array", (array,), Some(&keywords))?;
        Numbers::copied(&array)
            .ok_or_else(|| refused(format!("{name}: it is not an array of numbers")))
    }

    /// Copies an aligned row-major array of native doubles; `None` for any other.
    fn copied(value: &Bound<'_, PyAny>) -> Option<Self> {
        let array = value.cast::<PyArrayDyn<f64>>().ok()?;
        if !array.is_c_contiguous() {
            return None;
        }
        let array = array.try_readonly().ok()?;
        Some(Numbers { data: array.as_slice().ok()?.to_vec(), shape: array.shape().to_vec() })
    }

    /// Parses a number, a list of `width` numbers for all rows, or such a list for each row.
    pub fn rows(value: &Bound<'_, PyAny>, width: usize, name: &str) -> PyResult<Rows> {
        let Numbers { data, shape } = Numbers::of(value, name)?;
        let rows = match shape[..] {
            [columns] if columns == width => 1,
            [rows, columns] if columns == width => rows,
            _ => {
                let expected = format!("[N, {width}] or [{width}]");
                return Err(refused(format!("{name}: shape {shape:?}, {expected} expected")));
            }
        };
        Ok(Rows { data, width, rows })
    }

    /// Parses a number for all rows, or a list with a number for each row.
    pub fn column(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Rows> {
        let Numbers { data, shape } = Numbers::of(value, name)?;
        if shape.len() > 1 {
            return Err(refused(format!("{name}: shape {shape:?}, [N] or a number expected")));
        }
        let rows = data.len();
        Ok(Rows { data, width: 1, rows })
    }
}

/// A batch of rows of equal width.
#[derive(Debug)]
pub struct Rows {
    pub data: Vec<f64>,
    pub width: usize,
    pub rows: usize,
}

impl Rows {
    /// Returns a row; a batch of one row returns it for every index.
    pub fn get(&self, row: usize) -> &[f64] {
        let row = if self.rows == 1 { 0 } else { row };
        &self.data[row * self.width..][..self.width]
    }

    /// Returns some rows, one after another.
    pub fn range(&self, first: usize, rows: usize) -> &[f64] {
        &self.data[first * self.width..][..rows * self.width]
    }

    /// Returns a batch of `rows` rows, each a copy of the only one if there is one.
    pub fn repeated(self, rows: usize) -> Self {
        match self.rows {
            1 => Rows { data: self.data.repeat(rows), rows, ..self },
            _ => self,
        }
    }
}

/// Refuses a batch that has neither one row nor `count`.
pub fn check_rows(rows: &Rows, count: usize, name: &str) -> PyResult<()> {
    match rows.rows == count || rows.rows == 1 {
        true => Ok(()),
        false if count == 1 => Err(refused(format!("{name}: {} rows, 1 expected", rows.rows))),
        false => Err(refused(format!("{name}: {} rows, {count} or 1 expected", rows.rows))),
    }
}

/// Parses vertex indices, three a triangle.
pub fn triangles(value: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 3]>> {
    let py = value.py();
    let numpy = get_array_module(py)?;
    let array = numpy.call_method1("asarray", (value,));
    let array = array.map_err(|error| refused(format!("faces: {}", error.value(py))))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !["i", "u"].contains(&kind.as_str()) {
        let dtype = array.getattr("dtype")?;
        return Err(refused(format!("faces: whole numbers are expected, not {dtype}")));
    }
    let Numbers { data, shape } = Numbers::of(&array, "faces")?;
    let [_, 3] = shape[..] else {
        return Err(refused(format!("faces: shape {shape:?}, [F, 3] expected")));
    };
    // Negative and too large indices become the largest, which no mesh has.
    let index = |x: f64| if (0.0..4_294_967_295.0).contains(&x) { x as u32 } else { u32::MAX };
    Ok(data.chunks_exact(3).map(|t| [index(t[0]), index(t[1]), index(t[2])]).collect())
}

/// Converts a list to an array.
pub fn list<T: Element>(py: Python<'_>, values: Vec<T>) -> Py<PyAny> {
    PyArray1::from_vec(py, values).into_any().unbind()
}

/// Converts a list to an array of more dimensions.
pub fn shaped<T: Element, const D: usize>(
    py: Python<'_>,
    values: Vec<T>,
    shape: [usize; D],
) -> PyResult<Py<PyAny>>
where
    [usize; D]: numpy::ndarray::IntoDimension<Dim: numpy::ndarray::Dimension>,
{
    let array: Bound<'_, PyArray<T, _>> = PyArray1::from_vec(py, values).reshape(shape)?;
    array.into_py_any(py)
}

/// Returns the number of dimensions of an array, or of a value converted to one.
pub fn dimensions(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return Ok(array.ndim());
    }
    let array = get_array_module(value.py())?.call_method1("asarray", (value,));
    let array =
        array.map_err(|error| refused(format!("not an array: {}", error.value(value.py()))))?;
    array.getattr("ndim")?.extract()
}
