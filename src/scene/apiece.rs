//! What a scene spends its time on, compiled once for both scalars.

use super::probe::{Beam, Inside, Region, Struck, Targets, Wanted};
use super::search::Goal;
use super::{Apart, Buffers, Clearance, Hits, Query, Report, Scene, Snapshot};
use crate::error::Error;
use crate::num::{Apiece, Scalar, for_both};

/// Placing all parts.
pub(super) struct Fill;

impl Apiece for Fill {
    type Given<'a, T: Scalar> = (&'a mut Buffers<T>, &'a Scene<T>);
    type Answer<T: Scalar> = ();

    for_both!(|Fill, (buffers, scene)| buffers.fill(scene));
}

/// Who touches.
pub(super) struct Touching<'q> {
    pub query: &'q Query,
    pub goal: Goal,
}

impl Apiece for Touching<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a mut Hits<T>);
    type Answer<T: Scalar> = Result<Report<T>, Error>;

    for_both!(|Touching { query, goal }, (now, hits)| now.touching(query, hits, goal));
}

/// How far apart.
pub(super) struct Between<'q>(pub &'q Apart);

impl Apiece for Between<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a mut Hits<T>);
    type Answer<T: Scalar> = Result<Option<Clearance<T>>, Error>;

    for_both!(|Between(apart), (now, hits)| now.between(apart, hits));
}

/// What rays hit.
pub(super) struct Rays<'q>(pub (&'q Targets, Wanted));

impl Apiece for Rays<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a [Beam<T>], &'a mut Struck<T>);
    type Answer<T: Scalar> = Result<(), Error>;

    for_both!(|Rays(asked), (now, beams, struck)| now.shot(beams, asked, struck));
}

/// What is in regions.
pub(super) struct Regions<'q>(pub (&'q Targets, Wanted));

impl Apiece for Regions<'_> {
    type Given<'a, T: Scalar> = (Snapshot<'a, T>, &'a [Region<T>], &'a mut Inside<T>);
    type Answer<T: Scalar> = Result<(), Error>;

    for_both!(|Regions(asked), (now, regions, inside)| now.searched(regions, asked, inside));
}
