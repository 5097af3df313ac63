//! Self-collision queries of a model, compiled here for both scalars.

use super::{Model, PartNode, SelfQueryScratch};
use crate::error::Error;
use crate::num::{Precompiled, Scalar, precompile};
use crate::pair::ClosestPoints;
use crate::shape::Pose;
use crate::tree::{Accuracy, Ask};

/// Finds the parts that touch.
pub(super) struct SelfTouching(pub Ask);

impl Precompiled for SelfTouching {
    type Given<'a, T: Scalar> = (&'a Model<T>, &'a [Pose<T>], &'a mut SelfQueryScratch<T>);
    type Answer<T: Scalar> = Result<(), Error>;

    precompile!(
        |SelfTouching(ask), (model, poses, scratch)| model.find_touching(poses, ask, scratch)
    );
}

/// Finds the two closest parts, if within the cutoff.
pub(super) struct SelfApart {
    pub accuracy: Accuracy,
    pub max_distance: f64,
}

impl Precompiled for SelfApart {
    type Given<'a, T: Scalar> = (&'a Model<T>, &'a [Pose<T>], &'a mut SelfQueryScratch<T>);
    type Answer<T: Scalar> = Result<Option<ClosestPoints<T, PartNode>>, Error>;

    precompile!(|apart, (model, poses, scratch)| model.closest_two(poses, apart, scratch));
}
