//! The compiled half of the Python package `boxwood`: robots, bodies and worlds from files or
//! arrays, and queries about batches of their configurations, answered as NumPy arrays.
//!
//! Every query copies its arrays first, so that no other Python thread can change them, and then
//! runs without the global interpreter lock. Answers do not depend on the layout of an array or the
//! number of threads. All numbers are double precision.

mod accuracy;
mod arguments;
mod arrays;
mod batch;
mod body;
mod distances;
mod edges;
mod files;
mod matrix;
mod motion;
mod motion_scratch;
mod own;
mod pair;
mod part_size;
mod places;
mod poses;
mod raise;
mod results;
mod robot;
mod robot_rows;
mod rows;
mod shapes;
mod world;

use pyo3::prelude::*;

#[pymodule]
fn _boxwood(module: &Bound<'_, PyModule>) -> PyResult<()> {
    raise::add(module)?;
    module.add_class::<accuracy::Accuracy>()?;
    module.add_class::<robot::Robot>()?;
    module.add_class::<body::Body>()?;
    module.add_class::<world::World>()?;
    module.add_class::<pair::Pair>()?;
    module.add_class::<matrix::CollisionMatrix>()?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
