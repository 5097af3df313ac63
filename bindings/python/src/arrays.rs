//! Arrays: checked copies of what Python hands in, and arrays of what is handed back.

use numpy::{
    Element, PyArray, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
    get_array_module,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::raise::refused;

/// Numbers with their shape, row by row whatever the layout of the array was.
pub struct Numbers {
    pub data: Vec<f64>,
    pub shape: Vec<usize>,
}

impl Numbers {
    /// Copies anything that NumPy makes an array of numbers of: floats and integers of any size,
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
        // An empty list is an array of floats.
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

    /// `None` unless it is an array of native doubles, row by row and aligned.
    fn copied(value: &Bound<'_, PyAny>) -> Option<Self> {
        let array = value.cast::<PyArrayDyn<f64>>().ok()?;
        if !array.is_c_contiguous() {
            return None;
        }
        let array = array.try_readonly().ok()?;
        Some(Numbers { data: array.as_slice().ok()?.to_vec(), shape: array.shape().to_vec() })
    }

    /// A number, or a list of `width` of them for all rows, or a list a row.
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
}

/// A batch of rows of equal width.
#[derive(Debug)]
pub struct Rows {
    pub data: Vec<f64>,
    pub width: usize,
    pub rows: usize,
}

impl Rows {
    /// That row; of a batch of one the only one, which stands for all.
    pub fn get(&self, row: usize) -> &[f64] {
        let row = if self.rows == 1 { 0 } else { row };
        &self.data[row * self.width..][..self.width]
    }
}

/// Indices of corners, three a triangle.
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
    // Negative and too large ones become the largest, which no mesh has.
    let index = |x: f64| if (0.0..4_294_967_295.0).contains(&x) { x as u32 } else { u32::MAX };
    Ok(data.chunks_exact(3).map(|t| [index(t[0]), index(t[1]), index(t[2])]).collect())
}

/// A list as an array.
pub fn list<T: Element>(py: Python<'_>, values: Vec<T>) -> Py<PyAny> {
    PyArray1::from_vec(py, values).into_any().unbind()
}

/// A list as an array of more dimensions.
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

/// Whether a value is an array of that many dimensions, or would be.
pub fn dimensions(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return Ok(array.ndim());
    }
    let array = get_array_module(value.py())?.call_method1("asarray", (value,));
    let array =
        array.map_err(|error| refused(format!("not an array: {}", error.value(value.py()))))?;
    array.getattr("ndim")?.extract()
}
