//! What two trees are asked, compiled once for both scalars.

use std::ops::ControlFlow;

use nalgebra::{Unit, Vector3};

use super::{
    Accuracy, IntersectionCurve, NodeId, NodePair, Passage, Push, Separation, TreePair, TreeScratch,
};
use crate::num::{Precompiled, Scalar, precompile};
use crate::pair::ClosestPoints;

/// Everything that touches.
pub(super) struct Visiting<'v> {
    pub accuracy: Accuracy,
    pub scratch: &'v mut TreeScratch,
    pub visit: &'v mut dyn FnMut(NodePair) -> ControlFlow<()>,
}

impl Precompiled for Visiting<'_> {
    type Given<'a, T: Scalar> = &'a TreePair<'a, T>;
    type Answer<T: Scalar> = ControlFlow<()>;

    precompile!(|Visiting { accuracy, scratch, visit }, pair| {
        pair.visit_checked(accuracy, scratch, visit)
    });
}

/// Every two primitives that share a point.
pub(super) struct VisitingPrimitives<'v> {
    pub scratch: &'v mut TreeScratch,
    pub visit: &'v mut dyn FnMut(u32, u32) -> ControlFlow<()>,
}

impl Precompiled for VisitingPrimitives<'_> {
    type Given<'a, T: Scalar> = &'a TreePair<'a, T>;
    type Answer<T: Scalar> = ControlFlow<()>;

    precompile!(|VisitingPrimitives { scratch, visit }, pair| {
        pair.each_two_primitives(scratch, visit)
    });
}

/// Whether anything touches.
pub(super) struct TreesTouch<'v> {
    pub accuracy: Accuracy,
    pub scratch: &'v mut TreeScratch,
}

impl Precompiled for TreesTouch<'_> {
    type Given<'a, T: Scalar> = &'a TreePair<'a, T>;
    type Answer<T: Scalar> = bool;

    precompile!(|TreesTouch { accuracy, scratch }, pair| pair.touches_at(accuracy, scratch));
}

/// Where they are closest, if not further apart than the cut-off.
pub(super) struct Nearing<'v> {
    pub accuracy: Accuracy,
    pub max_distance: f64,
    pub scratch: &'v mut TreeScratch,
}

impl Precompiled for Nearing<'_> {
    type Given<'a, T: Scalar> = &'a TreePair<'a, T>;
    type Answer<T: Scalar> = Option<ClosestPoints<T, NodeId>>;

    precompile!(|Nearing { accuracy, max_distance, scratch }, pair| {
        pair.distance_checked(accuracy, max_distance, scratch)
    });
}

/// When they touch while one is shifted.
pub(super) struct Passing<'v>(pub &'v mut TreeScratch);

impl Precompiled for Passing<'_> {
    type Given<'a, T: Scalar> = (&'a TreePair<'a, T>, Unit<Vector3<T>>);
    type Answer<T: Scalar> = Option<Passage<T>>;

    precompile!(|Passing(scratch), (pair, direction)| pair.passage_checked(direction, scratch));
}

/// A short way until they are apart.
pub(super) struct Separating<'v>(pub &'v mut TreeScratch);

impl Precompiled for Separating<'_> {
    type Given<'a, T: Scalar> = (&'a TreePair<'a, T>, &'a Push<T>);
    type Answer<T: Scalar> = Option<Separation<T>>;

    precompile!(|Separating(scratch), (pair, push)| pair.separation_checked(push, scratch));
}

/// The curve in which their surfaces cross.
pub(super) struct CurveOfTrees<'v>(pub &'v mut TreeScratch);

impl Precompiled for CurveOfTrees<'_> {
    type Given<'a, T: Scalar> = &'a TreePair<'a, T>;
    type Answer<T: Scalar> = Option<IntersectionCurve<T>>;

    precompile!(|CurveOfTrees(scratch), pair| pair.curve(scratch));
}
