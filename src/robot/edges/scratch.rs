//! Scratch memory of edges.

use super::states::{Interval, LinkTwist, Outcome, PairMotion, PartSample};
use crate::model::SelfQueryScratch;
use crate::num::{Scalar, SimdLevel};
use crate::robot::chains::{LinkMotion, SampleError};
use crate::scene::ChainBounds;
use crate::shape::Pose;
use crate::tree::{Counts, TreeScratch};

/// Scratch memory of an [`EdgeChecker`](super::checker::EdgeChecker). Reuse one per thread: only
/// the first edges allocate.
///
/// ```
/// use boxwood::robot::EdgeScratch;
///
/// let scratch = EdgeScratch::<f64>::default(); // one a thread
/// assert_eq!((scratch.samples(), scratch.counts().tests()), (0, 0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct EdgeScratch<T: Scalar> {
    pub(super) own: SelfQueryScratch<T>,
    pub(super) tree: TreeScratch,
    /// The configuration of the current sample.
    pub(super) values: Vec<T>,
    pub(super) wide_values: Vec<f64>,
    pub(super) wide_poses: Vec<Pose<f64>>,
    pub(super) poses: Vec<Pose<T>>,
    pub(super) twists: Vec<LinkTwist>,
    pub(super) parts: Vec<PartSample>,
    /// Motion of each link along the edge, and the errors of samples.
    pub(super) links: Vec<LinkMotion>,
    pub(super) errors: Vec<SampleError>,
    pub(super) pairs: Vec<PairMotion>,
    /// Bounds of each chain along the edge.
    pub(super) chains: Vec<ChainBounds>,
    pub(super) near: Vec<u32>,
    pub(super) intervals: Vec<Interval>,
    pub(super) open: Vec<u32>,
    /// Pairs of an interval that are not proved apart.
    pub(super) undecided: Vec<(u32, Outcome)>,
    pub(super) samples: u64,
}

impl<T: Scalar> EdgeScratch<T> {
    /// Creates scratch memory for queries with that instruction set: equal verdicts, at another
    /// speed.
    pub fn with_simd_level(simd: SimdLevel) -> Self {
        EdgeScratch {
            own: SelfQueryScratch::with_simd_level(simd),
            tree: TreeScratch::with_simd_level(simd),
            ..EdgeScratch::default()
        }
    }

    /// The number of configurations that the last query posed; of a path, on its last edge.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The tests of trees in intervals that the last query made, without those of whole
    /// configurations; of a path, on its last edge.
    pub fn counts(&self) -> &Counts {
        &self.tree.counts
    }
}
