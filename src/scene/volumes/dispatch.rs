//! Batches of volume queries: each query is resolved to the type of its volume here, once, and
//! batches are distributed to threads.

use std::mem::discriminant;

use super::ball::BallVolume;
use super::box_volume::BoxVolume;
use super::capsule::CapsuleVolume;
use super::collect::{Collector, QueryAnswer};
use super::descend::Descent;
use super::frustum::FrustumVolume;
use super::half_space::HalfSpaceVolume;
use super::ray::RayVolume;
use super::ray_cast::RayCast;
use super::results::{Overlaps, QueryResults, RayHits};
use super::traverse::Traversal;
use super::volume::Volume;
use crate::error::Error;
use crate::num::{Scalar, precompiled};
use crate::scene::filter::query_filter::{HitMode, QueryFilter};
use crate::scene::{NodeRef, Report, Snapshot};
use crate::shape::QueryShape;
use crate::tree::Accuracy;

/// Number of queries that pays for a task.
#[cfg(feature = "rayon")]
const QUERIES_PER_TASK: usize = 16;

precompiled! {
    /// Casts rays.
    pub(super) fn cast_rays<'a, T>(
        now: Snapshot<'a, T>,
        casts: &'a [RayCast<T>],
        filter: &'a QueryFilter<'a>,
        mode: HitMode,
        hits: &'a mut RayHits<T>,
    ) -> Result<(), Error> {
        now.cast_rays(casts, filter, mode, hits)
    }

    /// Finds the parts that shapes overlap.
    pub(super) fn find_overlaps<'a, T>(
        now: Snapshot<'a, T>,
        shapes: &'a [QueryShape<T>],
        filter: &'a QueryFilter<'a>,
        mode: HitMode,
        overlaps: &'a mut Overlaps<T>,
    ) -> Result<(), Error> {
        now.find_overlaps(shapes, filter, mode, overlaps)
    }
}

impl<T: Scalar> Snapshot<'_, T> {
    fn cast_rays(
        &self,
        casts: &[RayCast<T>],
        filter: &QueryFilter<'_>,
        mode: HitMode,
        hits: &mut RayHits<T>,
    ) -> Result<(), Error> {
        hits.clear();
        let target = QueryTarget { filter, mode, character: filter.check(self)? };
        casts.iter().try_for_each(|cast| cast.check(self.scene))?;
        // Without rays the trees over the characters are not built either.
        if !casts.is_empty() {
            each(casts, hits, |casts, hits| self.run_queries::<RayVolume, _>(casts, target, hits));
        }
        check_tolerance(&mut hits.report, filter);
        Ok(())
    }

    fn find_overlaps(
        &self,
        shapes: &[QueryShape<T>],
        filter: &QueryFilter<'_>,
        mode: HitMode,
        overlaps: &mut Overlaps<T>,
    ) -> Result<(), Error> {
        overlaps.clear();
        let target = QueryTarget { filter, mode, character: filter.check(self)? };
        shapes.iter().try_for_each(QueryShape::check)?;
        each(shapes, overlaps, |shapes, overlaps| {
            // Runs of one kind, so that each kind is resolved once.
            for alike in shapes.chunk_by(|a, b| discriminant(a) == discriminant(b)) {
                self.run_one_kind(alike, target, overlaps);
            }
        });
        check_tolerance(&mut overlaps.report, filter);
        Ok(())
    }

    /// Runs overlap queries of one kind of shape.
    fn run_one_kind(
        &self,
        shapes: &[QueryShape<T>],
        target: QueryTarget<'_>,
        overlaps: &mut QueryResults<T, NodeRef>,
    ) {
        match shapes[0] {
            QueryShape::Point(_) | QueryShape::Sphere(_) => {
                self.run_queries::<BallVolume, _>(shapes, target, overlaps);
            }
            QueryShape::Capsule(_) => {
                self.run_queries::<CapsuleVolume, _>(shapes, target, overlaps)
            }
            QueryShape::Aabb(_) | QueryShape::Obb(_) => {
                self.run_queries::<BoxVolume, _>(shapes, target, overlaps);
            }
            QueryShape::HalfSpace(_) => {
                self.run_queries::<HalfSpaceVolume, _>(shapes, target, overlaps)
            }
            QueryShape::Frustum(_) => {
                self.run_queries::<FrustumVolume, _>(shapes, target, overlaps)
            }
        }
    }

    /// Runs queries with one type of volume, one after the other.
    fn run_queries<V: Volume<T, Answer = A>, A: QueryAnswer<T>>(
        &self,
        queries: &[A::Query],
        target: QueryTarget<'_>,
        results: &mut QueryResults<T, A>,
    ) {
        let QueryResults { answers, ends, report, scratch, stack, found, .. } = results;
        let QueryTarget { filter, mode, character } = target;
        let out = self.max_coordinate_sum(character);
        for query in queries {
            if let Some(mut volume) = V::new(query, out, mode == HitMode::Any) {
                let Report { slack, counts, .. } = &mut *report;
                let collector = Collector::new(self, filter, mode, answers, found, slack);
                let accuracy = filter.options.overlap_accuracy();
                let descent = Descent { collector, accuracy, counts, stack };
                let excluded = A::excluded(query);
                let mut traversal = Traversal { now: self, filter, excluded, scratch, descent };
                traversal.run(&mut volume, character);
                A::finish(traversal.descent.collector, query);
            }
            ends.push(answers.len());
        }
    }
}

/// Filter and mode of a batch of queries.
#[derive(Clone, Copy)]
struct QueryTarget<'q> {
    filter: &'q QueryFilter<'q>,
    mode: HitMode,
    /// Index of the only character, if the filter names one.
    character: Option<u32>,
}

/// Reports a tolerance below the rounding of the answer as not met.
fn check_tolerance<T: Scalar>(report: &mut Report<T>, filter: &QueryFilter<'_>) {
    if let Accuracy::Within(tolerance) = filter.options.overlap_accuracy() {
        report.met = report.slack.wide() <= T::at_least(tolerance).wide();
    }
}

/// Runs the queries on this thread.
#[cfg(not(feature = "rayon"))]
#[inline]
fn each<T: Scalar, Q, A>(
    questions: &[Q],
    answers: &mut QueryResults<T, A>,
    ask: impl Fn(&[Q], &mut QueryResults<T, A>),
) {
    ask(questions, answers);
}

/// Runs the queries on several threads, each on neighbours: no bit of an answer depends on the
/// distribution.
#[cfg(feature = "rayon")]
fn each<T: Scalar, Q: Sync, A: Copy + Send + Sync>(
    questions: &[Q],
    answers: &mut QueryResults<T, A>,
    ask: impl Fn(&[Q], &mut QueryResults<T, A>) + Sync,
) {
    use rayon::prelude::*;
    let pieces = crate::scene::snapshot::threads::piece_count(questions.len(), QUERIES_PER_TASK);
    if pieces < 2 {
        return ask(questions, answers);
    }
    let mut workers = std::mem::take(&mut answers.workers);
    workers.resize_with(pieces.max(workers.len()), QueryResults::new);
    workers[..pieces].par_iter_mut().enumerate().for_each(|(piece, worker)| {
        let start = |piece: usize| piece * questions.len() / pieces;
        worker.clear();
        ask(&questions[start(piece)..start(piece + 1)], worker);
    });
    workers[..pieces].iter().for_each(|worker| answers.append(worker));
    answers.workers = workers;
}
