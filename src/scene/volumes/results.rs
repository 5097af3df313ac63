//! Results of ray casts and overlap queries, a range for each query of a batch.

use std::ops::Deref;

use super::collect::PendingRayHit;
use super::descend::NodeStep;
use super::traverse::TraversalScratch;
use crate::num::Scalar;
use crate::pair::RayHit;
use crate::scene::{NodeRef, Report};

/// The hits of ray casts. See [`QueryResults`].
pub type RayHits<T> = QueryResults<T, RayHit<T, NodeRef>>;

/// The nodes found by overlap queries. See [`QueryResults`].
pub type Overlaps<T> = QueryResults<T, NodeRef>;

/// The answers of the last call, a slice of those to all its queries. Kept from tick to tick: no
/// query allocates after the first few.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
/// use boxwood::{HitMode, Overlaps, QueryFilter};
///
/// let points = [Point3::origin(), Point3::new(9.0, 0.0, 0.0), Point3::new(0.45, 0.0, 0.0)];
/// let mut inside = Overlaps::new();
/// now.overlaps_batch(&points.map(Into::into), HitMode::All, &QueryFilter::all(), &mut inside)?;
/// assert_eq!((inside.of(0).len(), inside.of(1).len(), inside.of(2).len()), (1, 0, 2));
/// assert_eq!(inside.len(), 3); // the answers to all
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct QueryResults<T: Scalar, A> {
    pub(super) answers: Vec<A>,
    /// End of the answers to each query.
    pub(super) ends: Vec<usize>,
    pub(super) report: Report<T>,
    pub(super) scratch: TraversalScratch,
    pub(super) stack: Vec<NodeStep>,
    pub(super) found: Vec<PendingRayHit>,
    /// Results of other threads, kept for their memory.
    #[cfg(feature = "rayon")]
    pub(super) workers: Vec<QueryResults<T, A>>,
}

impl<T: Scalar, A> Default for QueryResults<T, A> {
    fn default() -> Self {
        QueryResults {
            answers: Vec::new(),
            ends: Vec::new(),
            report: Report::default(),
            scratch: TraversalScratch::default(),
            stack: Vec::new(),
            found: Vec::new(),
            #[cfg(feature = "rayon")]
            workers: Vec::new(),
        }
    }
}

impl<T: Scalar, A> QueryResults<T, A> {
    /// Returns an empty value.
    pub fn new() -> Self {
        QueryResults::default()
    }

    /// Returns the number of queries of the last call.
    pub fn query_count(&self) -> usize {
        self.ends.len()
    }

    /// Returns the answers to one query of the last call, by its index; none beyond the last.
    pub fn of(&self, query: usize) -> &[A] {
        let end = |question: usize| self.ends.get(question).copied();
        let from = query.checked_sub(1).map_or(Some(0), end);
        from.zip(end(query)).map_or(&[], |(from, to)| &self.answers[from..to])
    }

    /// Returns the report of the last call, for all its queries together.
    pub fn report(&self) -> &Report<T> {
        &self.report
    }

    pub(super) fn clear(&mut self) {
        self.answers.clear();
        self.ends.clear();
        self.report = Report::default();
    }

    /// Appends the results of another thread.
    #[cfg(feature = "rayon")]
    pub(super) fn append(&mut self, other: &Self)
    where
        A: Copy,
    {
        let before = self.answers.len();
        self.answers.extend_from_slice(&other.answers);
        self.ends.extend(other.ends.iter().map(|end| before + end));
        let slack = self.report.slack;
        self.report.slack = if other.report.slack > slack { other.report.slack } else { slack };
        self.report.met &= other.report.met;
        self.report.counts += other.report.counts;
    }
}

impl<T: Scalar, A> Deref for QueryResults<T, A> {
    type Target = [A];
    fn deref(&self) -> &[A] {
        &self.answers
    }
}
