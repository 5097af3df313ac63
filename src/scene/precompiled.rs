//! Volume queries, compiled once for both scalars.

use super::Snapshot;
use super::probe::{HitMode, Overlaps, QueryFilter, QueryShape, RayCast, RayHits};
use crate::error::Error;
use crate::num::{Precompiled, Scalar, precompile};

/// What rays hit.
pub(super) struct Rays<'q>(pub (&'q QueryFilter<'q>, HitMode));

impl Precompiled for Rays<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a [RayCast<T>], &'a mut RayHits<T>);
    type Answer<T: Scalar> = Result<(), Error>;

    precompile!(|Rays(asked), (now, beams, struck)| now.shot(beams, asked, struck));
}

/// What is in regions.
pub(super) struct Regions<'q>(pub (&'q QueryFilter<'q>, HitMode));

impl Precompiled for Regions<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a [QueryShape<T>], &'a mut Overlaps<T>);
    type Answer<T: Scalar> = Result<(), Error>;

    precompile!(|Regions(asked), (now, regions, inside)| now.searched(regions, asked, inside));
}
