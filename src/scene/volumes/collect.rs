//! Collectors of ray hits and overlaps: they turn the hits of a traversal into answers.

use std::ops::ControlFlow::{self, Break, Continue};

use super::ray_cast::RayCast;
use crate::num::linear::{Vec3, add, rotate, scale};
use crate::num::{Scalar, SimdLevel};
use crate::pair::RayHit;
use crate::scene::filter::query_filter::{HitMode, QueryFilter};
use crate::scene::{CharacterKey, Detail, NodeRef, Snapshot};
use crate::shape::{QueryShape, nearest_point};

/// A contact of a ray: distance along the ray, and unit normal in the frame of the part; no normal
/// for a start inside.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RayContact {
    pub t: f64,
    pub normal: Option<Vec3>,
}

/// A ray hit before it becomes an answer: small, because hits are sorted.
#[derive(Debug, Clone, Copy)]
pub(super) struct PendingRayHit {
    /// Distance along the ray, rounded as in the answer.
    t: f64,
    /// Index of the character, part, node.
    key: [u32; 3],
    /// Unit normal in the frame of the part; `None` for a start inside.
    normal: Option<Vec3>,
    slack: f64,
}

impl PendingRayHit {
    /// Sorts hits along the ray. A separate function, to be compiled only once for all queries and
    /// SIMD levels.
    fn sort(found: &mut [PendingRayHit]) {
        found.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.key.cmp(&b.key)));
    }
}

/// Sorts the hits of one part. A separate function, to be compiled only once for all queries and
/// SIMD levels.
fn sort_by_node(of_part: &mut [NodeRef]) {
    of_part.sort_unstable_by_key(|found| found.node);
}

/// The answers of one running query.
pub(super) struct Collector<'a, 'w, T: Scalar, A> {
    now: &'w Snapshot<'a, T>,
    mode: HitMode,
    detail: Detail,
    answers: &'w mut Vec<A>,
    found: &'w mut Vec<PendingRayHit>,
    /// `found[..final_len]` are final. Where only the first hit counts, of the query or of each
    /// part, `found[final_len]` is the incumbent.
    final_len: usize,
    /// `true` if only the first hit counts, of the query or of each part.
    only_first: bool,
    slack: &'w mut T,
}

/// A kind of answers, and how they are collected.
pub(super) trait QueryAnswer<T: Scalar>: Sized + Copy {
    /// The query.
    type Query;
    /// The details of a hit.
    type Details: Copy + Default;

    /// Adds the hit of a node with its slack; breaks if the query needs no more.
    fn add(
        collector: &mut Collector<'_, '_, T, Self>,
        key: [u32; 3],
        met: (Self::Details, f64),
    ) -> ControlFlow<()>;

    /// Returns `true` if nothing that begins at `t` along the ray can precede the incumbent; `pad`
    /// bounds the error of `t`.
    fn is_beyond_best(_: &Collector<'_, '_, T, Self>, _t: f64, _pad: f64) -> bool {
        false
    }

    /// Returns the length of the ray beyond which no hit counts.
    fn ray_end(_: &Collector<'_, '_, T, Self>) -> Option<f64> {
        None
    }

    /// Returns `true` if one node of a part suffices.
    fn one_node_suffices(collector: &Collector<'_, '_, T, Self>) -> bool;

    /// Ends the visit of a part, with the number of answers before it.
    fn end_part(collector: &mut Collector<'_, '_, T, Self>, before: usize);

    /// Returns the character that this query alone excludes.
    #[inline(always)]
    fn excluded(_: &Self::Query) -> Option<CharacterKey> {
        None
    }

    /// Ends the query: sorts and writes the answers.
    fn finish(collector: Collector<'_, '_, T, Self>, query: &Self::Query);
}

impl<'a, 'w, T: Scalar, A: QueryAnswer<T>> Collector<'a, 'w, T, A> {
    #[inline(always)]
    pub fn new(
        now: &'w Snapshot<'a, T>,
        filter: &QueryFilter<'_>,
        mode: HitMode,
        answers: &'w mut Vec<A>,
        found: &'w mut Vec<PendingRayHit>,
        slack: &'w mut T,
    ) -> Self {
        found.clear();
        let detail = filter.options.detail;
        let boxes = mode == HitMode::All && detail == Detail::Boxes;
        let only_first = mode != HitMode::Any && !boxes;
        Collector { now, mode, detail, answers, found, final_len: 0, only_first, slack }
    }

    /// Returns the number of answers so far.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    #[inline(always)]
    pub fn simd(&self) -> SimdLevel {
        self.now.buffers.simd
    }

    /// Returns `true` if the answers are sorted.
    #[inline(always)]
    pub fn is_ordered(&self) -> bool {
        self.mode != HitMode::Any
    }

    /// Returns `true` if the query asks for all boxes hit.
    pub fn needs_all_boxes(&self) -> bool {
        self.mode == HitMode::All && self.detail == Detail::Boxes
    }

    /// Raises the reported slack to at least this value.
    #[inline(always)]
    fn raise_slack(&mut self, slack: f64) {
        if slack > self.slack.wide() {
            *self.slack = T::at_least(slack);
        }
    }

    #[inline(always)]
    fn flow(&self) -> ControlFlow<()> {
        if self.mode == HitMode::Any { Break(()) } else { Continue(()) }
    }

    /// Returns the incumbent, where only the first hit counts.
    #[inline(always)]
    fn best(&self) -> Option<&PendingRayHit> {
        if self.only_first { self.found.get(self.final_len) } else { None }
    }
}

impl<T: Scalar> QueryAnswer<T> for RayHit<T, NodeRef> {
    type Query = RayCast<T>;
    type Details = RayContact;

    #[inline(always)]
    fn excluded(cast: &RayCast<T>) -> Option<CharacterKey> {
        cast.excluded
    }

    #[inline(always)]
    fn add(
        collector: &mut Collector<'_, '_, T, Self>,
        key: [u32; 3],
        (met, slack): (RayContact, f64),
    ) -> ControlFlow<()> {
        let t = T::nearest(met.t).wide();
        if collector.best().is_none_or(|best| (t, key) < (best.t, best.key)) {
            let kept =
                if collector.only_first { collector.final_len } else { collector.found.len() };
            collector.found.truncate(kept);
            collector.found.push(PendingRayHit { t, key, normal: met.normal, slack });
        }
        collector.flow()
    }

    #[inline(always)]
    fn is_beyond_best(collector: &Collector<'_, '_, T, Self>, t: f64, pad: f64) -> bool {
        let behind = |best: &PendingRayHit| t > best.t + best.t * 4.0 * T::ROUNDING + 4.0 * pad;
        collector.best().is_some_and(behind)
    }

    #[inline(always)]
    fn ray_end(collector: &Collector<'_, '_, T, Self>) -> Option<f64> {
        match collector.mode {
            HitMode::Closest => collector.best().map(|best| best.t),
            _ => None,
        }
    }

    #[inline(always)]
    fn one_node_suffices(_: &Collector<'_, '_, T, Self>) -> bool {
        false
    }

    #[inline(always)]
    fn end_part(collector: &mut Collector<'_, '_, T, Self>, _: usize) {
        if collector.mode == HitMode::All {
            collector.final_len = collector.found.len();
        }
    }

    #[inline(always)]
    fn finish(mut collector: Collector<'_, '_, T, Self>, cast: &RayCast<T>) {
        if collector.found.len() > 1 {
            PendingRayHit::sort(collector.found);
        }
        for at in 0..collector.found.len() {
            let hit = collector.found[at];
            collector.answers.push(ray_hit(collector.now, cast, &hit));
            collector.raise_slack(hit.slack);
        }
    }
}

fn ray_hit<T: Scalar>(
    now: &Snapshot<'_, T>,
    cast: &RayCast<T>,
    hit: &PendingRayHit,
) -> RayHit<T, NodeRef> {
    let (back, (from, along)) = (-cast.ray.direction().into_inner(), cast.ray.wide());
    let [index, part, _] = hit.key;
    let in_world = |normal: Vec3| {
        let rotation = now.placement(index, part as usize).rotation;
        nearest_point(rotate(&rotation, normal)).coords
    };
    RayHit {
        target: now.node_ref(hit.key),
        distance: T::nearest(hit.t),
        point: nearest_point(add(from, scale(along, hit.t))),
        normal: hit.normal.map_or(back, in_world),
        started_inside: hit.normal.is_none(),
        slack: T::at_least(hit.slack),
    }
}

impl<T: Scalar> QueryAnswer<T> for NodeRef {
    type Query = QueryShape<T>;
    type Details = ();

    #[inline(always)]
    fn add(
        collector: &mut Collector<'_, '_, T, Self>,
        [place, part, node]: [u32; 3],
        ((), slack): ((), f64),
    ) -> ControlFlow<()> {
        let node = if collector.detail == Detail::Boxes { node } else { 0 };
        collector.answers.push(collector.now.node_ref([place, part, node]));
        collector.raise_slack(slack);
        collector.flow()
    }

    #[inline(always)]
    fn one_node_suffices(collector: &Collector<'_, '_, T, Self>) -> bool {
        collector.detail != Detail::Boxes
    }

    #[inline(always)]
    fn end_part(collector: &mut Collector<'_, '_, T, Self>, before: usize) {
        let of_part = &mut collector.answers[before..];
        if of_part.len() > 1 {
            sort_by_node(of_part);
        }
    }

    #[inline(always)]
    fn finish(_: Collector<'_, '_, T, Self>, _: &QueryShape<T>) {}
}
