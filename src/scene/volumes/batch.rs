//! Batches of volume queries: each query is resolved to the type of its volume here, once, and
//! batches are distributed to threads.

use std::mem::discriminant;

use super::ball::BallVolume;
use super::capsule::CapsuleVolume;
use super::collect::{Answer, Collector};
use super::cuboid::CuboidVolume;
use super::descend::Descent;
use super::frustum::FrustumVolume;
use super::half_space::HalfSpaceVolume;
use super::query_filter::{HitMode, QueryFilter};
use super::query_shape::QueryShape;
use super::ray::RayVolume;
use super::ray_cast::RayCast;
use super::results::{Overlaps, QueryResults, RayHits};
use super::traverse::Traversal;
use super::volume::Volume;
use crate::error::Error;
use crate::num::{Scalar, precompiled};
use crate::scene::{NodeRef, Report, Snapshot};
use crate::tree::Accuracy;

/// Number of queries that pays for a task.
#[cfg(feature = "rayon")]
const QUESTIONS: usize = 16;

precompiled! {
    /// Casts rays; `mode` is [`HitMode`] and filter.
    pub(super) fn cast_rays<'a, T>(
        now: Snapshot<'a, T>,
        casts: &'a [RayCast<T>],
        asked: (&'a QueryFilter<'a>, HitMode),
        hits: &'a mut RayHits<T>,
    ) -> Result<(), Error> {
        now.cast_rays(casts, asked, hits)
    }

    /// Finds the parts that shapes overlap.
    pub(super) fn find_overlaps<'a, T>(
        now: Snapshot<'a, T>,
        shapes: &'a [QueryShape<T>],
        asked: (&'a QueryFilter<'a>, HitMode),
        overlaps: &'a mut Overlaps<T>,
    ) -> Result<(), Error> {
        now.find_overlaps(shapes, asked, overlaps)
    }
}

impl<T: Scalar> Snapshot<'_, T> {
    fn cast_rays(
        &self,
        casts: &[RayCast<T>],
        asked: (&QueryFilter<'_>, HitMode),
        hits: &mut RayHits<T>,
    ) -> Result<(), Error> {
        hits.clear();
        let one = asked.0.checked(self)?;
        casts.iter().try_for_each(RayCast::check)?;
        // Without rays the trees over the characters are not built either.
        if !casts.is_empty() {
            each(casts, hits, |casts, hits| self.ask::<RayVolume, _>(casts, (asked, one), hits));
        }
        finish(&mut hits.report, asked.0);
        Ok(())
    }

    fn find_overlaps(
        &self,
        shapes: &[QueryShape<T>],
        asked: (&QueryFilter<'_>, HitMode),
        overlaps: &mut Overlaps<T>,
    ) -> Result<(), Error> {
        overlaps.clear();
        let one = asked.0.checked(self)?;
        shapes.iter().try_for_each(QueryShape::check)?;
        each(shapes, overlaps, |shapes, overlaps| {
            // Runs of one kind, so that each kind is resolved once.
            for alike in shapes.chunk_by(|a, b| discriminant(a) == discriminant(b)) {
                self.ask_alike(alike, (asked, one), overlaps);
            }
        });
        finish(&mut overlaps.report, asked.0);
        Ok(())
    }

    /// Runs overlap queries of one kind of shape.
    fn ask_alike(
        &self,
        alike: &[QueryShape<T>],
        asked: Asked<'_>,
        overlaps: &mut QueryResults<T, NodeRef>,
    ) {
        match alike[0] {
            QueryShape::Point(_) | QueryShape::Sphere(_) => {
                self.ask::<BallVolume, _>(alike, asked, overlaps);
            }
            QueryShape::Capsule(_) => self.ask::<CapsuleVolume, _>(alike, asked, overlaps),
            QueryShape::Aabb(_) | QueryShape::Obb(_) => {
                self.ask::<CuboidVolume, _>(alike, asked, overlaps);
            }
            QueryShape::HalfSpace(_) => self.ask::<HalfSpaceVolume, _>(alike, asked, overlaps),
            QueryShape::Frustum(_) => self.ask::<FrustumVolume, _>(alike, asked, overlaps),
        }
    }

    /// Runs queries with one type of volume, one after the other.
    fn ask<V: Volume<T, Answer = A>, A: Answer<T>>(
        &self,
        queries: &[A::Query],
        (asked, one): Asked<'_>,
        results: &mut QueryResults<T, A>,
    ) {
        let QueryResults { answers, ends, report, scratch, stack, found, .. } = results;
        let out = self.extent(one);
        for query in queries {
            if let Some(mut volume) = V::new(query, out, asked.1 == HitMode::Any) {
                let Report { slack, counts, .. } = &mut *report;
                let collector = Collector::new(self, asked, answers, found, slack);
                let accuracy = asked.0.overlap_accuracy();
                let descent = Descent { collector, accuracy, counts, stack };
                let mut traversal = Traversal { now: self, filter: asked.0, scratch, descent };
                traversal.run(&mut volume, one);
                A::finish(traversal.descent.collector, query);
            }
            ends.push(answers.len());
        }
    }
}

/// The filter, the mode, and the index of the only character, if the filter names one.
type Asked<'q> = ((&'q QueryFilter<'q>, HitMode), Option<u32>);

/// Reports a tolerance below the rounding of the answer as not met.
fn finish<T: Scalar>(report: &mut Report<T>, targets: &QueryFilter<'_>) {
    if let Accuracy::Within(most) = targets.overlap_accuracy() {
        report.met = report.slack.wide() <= T::at_least(most).wide();
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
    let pieces = crate::scene::threads::pieces(questions.len(), QUESTIONS);
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
    workers[..pieces].iter().for_each(|worker| answers.add(worker));
    answers.workers = workers;
}
