//! The collision matrix of a robot.

use crate::model::{Model, ModelBuilder, PartId};
use crate::num::Scalar;

/// The verdict on two links over all values of the joints within their limits; between `-pi` and
/// `pi` for an actuator without limits.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PairVerdict<T: Scalar> {
    /// Proof that the two touch in no configuration.
    Never,
    /// Proof that the two touch in every configuration: they do in one, and no joint moves one
    /// against the other; or in each of the boxes of joint values into which the proof splits all,
    /// two of their primitives overlap at the centre by more than the parts move within it.
    Always,
    /// The two touch at a configuration. Where [`MatrixPair::touching`] is the number of samples
    /// they may touch in every one, which is not proved.
    Sometimes {
        /// One value an actuator: the exact test of the two on its poses is true.
        witness: Vec<T>,
    },
    /// Open verdict: no proof was found, and no configuration at which the two touch.
    Undecided {
        /// Least distance of the two at the configurations where the proof stopped. World units.
        least_gap: f64,
    },
}

/// Two links of a matrix.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MatrixPair<T: Scalar> {
    /// The first part, of the lesser index.
    pub a: PartId,
    /// The second part.
    pub b: PartId,
    /// The verdict.
    pub verdict: PairVerdict<T>,
    /// The number of random configurations at which the two touch.
    pub touching: usize,
    /// The number of times that the proofs split a box of joint values.
    pub splits: usize,
}

/// Verdicts on all pairs of links of a robot, over all values of its joints; computed by a
/// [`MatrixBuilder`](super::builder::MatrixBuilder).
///
/// All pairs of parts with geometry are in it whose groups interact, also those that the model
/// ignores.
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionMatrix<T: Scalar> {
    /// Names of all parts.
    pub(super) names: Vec<String>,
    pub(super) pairs: Vec<MatrixPair<T>>,
    pub(super) samples: usize,
    pub(super) margin: f64,
}

impl<T: Scalar> CollisionMatrix<T> {
    /// The pairs, ascending by the indices of their parts.
    pub fn pairs(&self) -> &[MatrixPair<T>] {
        &self.pairs
    }

    /// The pair of two parts, in either order; `None` if the matrix has no verdict on them.
    pub fn pair(&self, a: PartId, b: PartId) -> Option<&MatrixPair<T>> {
        let key = (a.min(b), a.max(b));
        let found = self.pairs.binary_search_by_key(&key, |pair| (pair.a, pair.b));
        found.ok().map(|at| &self.pairs[at])
    }

    /// The number of random configurations, of which [`MatrixPair::touching`] counts.
    pub fn samples(&self) -> usize {
        self.samples
    }

    /// The distance up to which parts count as touching. World units.
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The name of a part.
    ///
    /// # Panics
    /// If the robot has no such part, like indexing a slice.
    pub fn name(&self, part: PartId) -> &str {
        &self.names[part.index()]
    }

    /// The names of the pairs that never touch, for
    /// [`Model::with_ignored`].
    pub fn never(&self) -> Vec<(&str, &str)> {
        let never = self.pairs.iter().filter(|pair| pair.verdict == PairVerdict::Never);
        never.map(|pair| (self.name(pair.a), self.name(pair.b))).collect()
    }

    /// Returns the pairs that a model of the robot ignores although they touch at a configuration
    /// of the matrix, each with its [witness](PairVerdict::Sometimes): faults of an SRDF file, and
    /// neighbours. Pairs that touch in every sample are left out, as they are rightly ignored.
    ///
    /// Parts are those of equal ids: use the model that was loaded with the SRDF file, and a matrix
    /// of the one without. Neighbours are those that the latter ignores, too.
    pub fn ignored_although_touching<U: Scalar>(
        &self,
        model: &Model<U>,
    ) -> impl Iterator<Item = &MatrixPair<T>> {
        let touches = |pair: &&MatrixPair<T>| {
            matches!(pair.verdict, PairVerdict::Sometimes { .. }) && pair.touching < self.samples
        };
        self.pairs.iter().filter(touches).filter(|pair| model.ignores(pair.a, pair.b))
    }
}

impl<T: Scalar> ModelBuilder<T> {
    /// Ignores the pairs that a matrix proves [never](PairVerdict::Never) to touch: whether and
    /// which pairs touch at configurations within the limits has equal answers and takes fewer
    /// tests. Distances leave these pairs out, and so do margins beyond that of the matrix.
    ///
    /// Parts are found by name when the model is built.
    pub fn ignore_never<U: Scalar>(self, matrix: &CollisionMatrix<U>) -> Self {
        matrix.never().into_iter().fold(self, |builder, (a, b)| builder.ignore(a, b))
    }
}
