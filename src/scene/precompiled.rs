//! What a scene spends its time on, compiled once for both scalars.

use nalgebra::Vector3;

use super::search::Goal;
use super::volumes::{HitMode, Overlaps, QueryFilter, QueryShape, RayCast, RayHits};
use super::{Buffers, Hits, NodeRef, PairQuery, QueryScratch, Report, Scene, Snapshot};
use crate::error::Error;
use crate::num::{Precompiled, Scalar, precompile};
use crate::pair::ClosestPoints;
use crate::tree::{Push, Separation, ShiftedContact};

/// Placing all parts.
pub(super) struct Fill;

impl Precompiled for Fill {
    type Given<'a, T: Scalar> = (&'a mut Buffers<T>, &'a Scene<T>);
    type Answer<T: Scalar> = ();

    precompile!(|Fill, (buffers, scene)| buffers.fill(scene));
}

/// Pairs that touch, and what is asked of them.
pub(super) struct PairsOf<'q> {
    pub query: &'q PairQuery<'q>,
    pub goal: Goal,
}

impl Precompiled for PairsOf<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a mut Hits<T>);
    type Answer<T: Scalar> = Result<Report<T>, Error>;

    precompile!(|PairsOf { query, goal }, (now, hits)| now.touching(query, hits, goal));
}

/// Whether any pair touches.
pub(super) struct AnyTouching<'q>(pub &'q PairQuery<'q>);

impl Precompiled for AnyTouching<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a mut QueryScratch<T>);
    type Answer<T: Scalar> = Result<bool, Error>;

    precompile!(|AnyTouching(query), (now, scratch)| now.any_touching(query, scratch));
}

/// How far apart.
pub(super) struct Between<'q>(pub &'q PairQuery<'q>);

impl Precompiled for Between<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a mut QueryScratch<T>);
    type Answer<T: Scalar> = Result<Option<ClosestPoints<T, NodeRef>>, Error>;

    precompile!(|Between(query), (now, scratch)| now.between(query, scratch));
}

/// What rays hit.
pub(super) struct Rays<'q>(pub (&'q QueryFilter<'q>, HitMode));

impl Precompiled for Rays<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a [RayCast<T>], &'a mut RayHits<T>);
    type Answer<T: Scalar> = Result<(), Error>;

    precompile!(|Rays(asked), (now, casts, hits)| now.cast_rays(casts, asked, hits));
}

/// What is in regions.
pub(super) struct Regions<'q>(pub (&'q QueryFilter<'q>, HitMode));

impl Precompiled for Regions<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a [QueryShape<T>], &'a mut Overlaps<T>);
    type Answer<T: Scalar> = Result<(), Error>;

    precompile!(
        |Regions(asked), (now, shapes, overlaps)| now.find_overlaps(shapes, asked, overlaps)
    );
}

/// A short way until characters are apart.
pub(super) struct Parting<'q>(pub &'q PairQuery<'q>);

impl Precompiled for Parting<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a Push<T>, &'a mut QueryScratch<T>);
    type Answer<T: Scalar> = Result<Option<Separation<T, NodeRef>>, Error>;

    precompile!(|Parting(query), (now, push, scratch)| now.parted(query, push, scratch));
}

/// What a character meets on its way.
pub(super) struct Striking<'q>(pub &'q PairQuery<'q>);

impl Precompiled for Striking<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, Vector3<T>, &'a mut QueryScratch<T>);
    type Answer<T: Scalar> = Result<Option<ShiftedContact<T, NodeRef>>, Error>;

    precompile!(|Striking(query), (now, by, scratch)| now.struck(query, by, scratch));
}
