//! The collision matrix of a robot: verdicts on pairs of links, over all joint values.

use boxwood::robot::{self, MatrixPair, PairVerdict};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::arrays::list;
use crate::results::named;

/// Verdicts on all pairs of links of a robot, over all joint values within the limits (between -pi
/// and pi where there are none): the result of `Robot.matrix`. `len` is the number of pairs.
/// Immutable. It cannot be pickled; pickle `Robot.with_ignored(matrix.never())` or `srdf`.
#[pyclass(frozen, module = "boxwood")]
pub struct CollisionMatrix(pub robot::CollisionMatrix<f64>);

/// Returns the name of a verdict, the configuration at which the two touch, and the least distance
/// that is known.
fn verdict_of(pair: &MatrixPair<f64>) -> (&'static str, Option<&[f64]>, f64) {
    match &pair.verdict {
        PairVerdict::Never => ("never", None, f64::NAN),
        PairVerdict::Always => ("always", None, f64::NAN),
        PairVerdict::Sometimes { witness } => ("sometimes", Some(witness), f64::NAN),
        PairVerdict::Undecided { least_gap } => ("undecided", None, *least_gap),
        // Not known, so not excluded.
        _ => ("undecided", None, f64::NAN),
    }
}

#[pymethods]
impl CollisionMatrix {
    /// Verdicts, one for each pair of parts with geometry, also those that the robot ignores: a
    /// list of MatrixPair(a, b, verdict, touching, witness, least_gap), in the order of
    /// `Robot.parts`.
    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.listed(py, self.0.pairs())
    }

    /// Number of random configurations, of which `MatrixPair.touching` counts.
    #[getter]
    fn samples(&self) -> usize {
        self.0.samples()
    }

    /// Distance up to which parts count as touching [metres].
    #[getter]
    fn margin(&self) -> f64 {
        self.0.margin()
    }

    /// Returns the names of the pairs that are proved never to touch, for `Robot.with_ignored`:
    /// queries for collisions with no larger margin than `margin` have equal answers without them,
    /// queries for distances have not.
    fn never(&self) -> Vec<(&str, &str)> {
        self.0.never()
    }

    /// Returns the text of an SRDF file that disables the pairs that are proved to touch never, or
    /// always. name: that of the robot in its URDF file.
    fn srdf(&self, name: &str) -> String {
        self.0.to_srdf(name)
    }

    fn __len__(&self) -> usize {
        self.0.pairs().len()
    }

    fn __repr__(&self) -> String {
        let never = self.0.never().len();
        format!("CollisionMatrix of {} pairs, {never} of them never touch", self.0.pairs().len())
    }
}

impl CollisionMatrix {
    /// Returns a list of `MatrixPair`s.
    pub fn listed<'py, 'm>(
        &self,
        py: Python<'py>,
        pairs: impl IntoIterator<Item = &'m MatrixPair<f64>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let all = PyList::empty(py);
        for pair in pairs {
            let (verdict, witness, least_gap) = verdict_of(pair);
            let fields = vec![
                self.0.name(pair.a).into_py_any(py)?,
                self.0.name(pair.b).into_py_any(py)?,
                verdict.into_py_any(py)?,
                pair.touching.into_py_any(py)?,
                witness.map_or_else(|| py.None(), |witness| list(py, witness.to_vec())),
                least_gap.into_py_any(py)?,
            ];
            all.append(named(py, "MatrixPair", fields)?)?;
        }
        Ok(all)
    }
}
