//! Poses one after the other, each tested.

use std::collections::BTreeMap;
use std::time::Instant;

use boxwood::{Accuracy, Error, Model, PartId, Pose, SelfQueryScratch};

/// Poses of one model, the same every time they are gone through.
pub trait Poses {
    fn count(&self) -> usize;

    /// The poses of all parts; asked for from 0 upward.
    fn at(&mut self, index: usize) -> Result<&[Pose], Error>;
}

/// What came out.
pub struct Samples {
    pub count: usize,
    /// How many samples have a pair that touches.
    pub colliding: usize,
    /// In how many samples each pair touches.
    pub pairs: BTreeMap<(PartId, PartId), usize>,
    /// Seconds for the poses alone, with the yes or no, with all pairs.
    pub posing: f64,
    pub asking: f64,
    pub pairing: f64,
}

/// Hands every pose on; says how many seconds that took.
fn each_pose(
    poses: &mut dyn Poses,
    mut each: impl FnMut(&[Pose]) -> Result<(), Error>,
) -> Result<f64, Error> {
    let start = Instant::now();
    for index in 0..poses.count() {
        each(poses.at(index)?)?;
    }
    Ok(start.elapsed().as_secs_f64())
}

/// Every pose three times: made, asked whether anything touches, and asked what.
pub fn samples(model: &Model, poses: &mut dyn Poses, accuracy: Accuracy) -> Result<Samples, Error> {
    let mut scratch = SelfQueryScratch::default();
    let mut pairs = BTreeMap::new();
    let [mut colliding, mut touched] = [0, 0];
    let posing = each_pose(poses, |_| Ok(()))?;
    let asking = each_pose(poses, |poses| {
        colliding += usize::from(model.self_intersects(poses, accuracy, &mut scratch)?);
        Ok(())
    })?;
    let pairing = each_pose(poses, |poses| {
        let found = model.self_pairs(poses, accuracy, &mut scratch)?;
        touched += usize::from(!found.is_empty());
        found.iter().for_each(|&pair| *pairs.entry(pair).or_insert(0) += 1);
        Ok(())
    })?;
    assert_eq!(colliding, touched, "yes or no is whether there is a pair");
    Ok(Samples { count: poses.count(), colliding, pairs, posing, asking, pairing })
}
