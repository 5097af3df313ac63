//! What a model is asked about itself, compiled once for both scalars.

use super::{Model, PartNode, SelfQueryScratch};
use crate::error::Error;
use crate::num::{Apiece, Scalar, for_both};
use crate::pair::ClosestPoints;
use crate::shape::Pose;
use crate::tree::{Accuracy, Ask};

/// Which parts touch.
pub(super) struct SelfTouching(pub Ask);

impl Apiece for SelfTouching {
    type Given<'a, T: Scalar> = (&'a Model<T>, &'a [Pose<T>], &'a mut SelfQueryScratch<T>);
    type Answer<T: Scalar> = Result<(), Error>;

    for_both!(|SelfTouching(ask), (model, poses, scratch)| model.find_touching(poses, ask, scratch));
}

/// Which two parts are closest, and not further apart than the cut-off.
pub(super) struct SelfApart {
    pub accuracy: Accuracy,
    pub max_distance: f64,
}

impl Apiece for SelfApart {
    type Given<'a, T: Scalar> = (&'a Model<T>, &'a [Pose<T>], &'a mut SelfQueryScratch<T>);
    type Answer<T: Scalar> = Result<Option<ClosestPoints<T, PartNode>>, Error>;

    for_both!(|apart, (model, poses, scratch)| model.closest_two(poses, apart, scratch));
}
