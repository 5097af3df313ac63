//! Self-collision tests over a sequence of poses: random configurations of a robot, or the frames
//! of clips.
//!
//! The command-line tool and the example `self_collision` share this module: it needs only the
//! library.

pub mod configurations;
pub mod dial;
pub mod frames;
pub mod report;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::Instant;

use boxwood::{Error, Model, PartId, Pose, SelfQuery, SelfQueryScratch};

/// Repeatable sequence of poses of one model.
pub trait Poses {
    fn count(&self) -> usize;

    /// Returns the poses of all parts; indices must ascend from 0.
    fn at(&mut self, index: usize) -> Result<&[Pose], Error>;
}

/// Results of all samples.
pub struct Samples {
    pub count: usize,
    /// Number of samples with a touching pair.
    pub colliding: usize,
    /// Number of samples in which each pair touches.
    pub pairs: BTreeMap<(PartId, PartId), usize>,
    /// Times for the poses alone, with the intersection test, and with all pairs [s].
    pub posing: f64,
    pub asking: f64,
    pub pairing: f64,
}

impl Samples {
    /// Returns the touching pairs with their number of samples, the most frequent first.
    pub fn by_frequency(&self) -> Vec<((PartId, PartId), usize)> {
        let mut pairs: Vec<_> = self.pairs.iter().map(|(&pair, &count)| (pair, count)).collect();
        pairs.sort_by_key(|&(pair, count)| (Reverse(count), pair));
        pairs
    }
}

/// Passes every pose to `each`; returns the elapsed time [s].
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

/// Runs every pose three times: alone, with the intersection test, with all pairs.
pub fn samples(model: &Model, poses: &mut dyn Poses, query: SelfQuery) -> Result<Samples, Error> {
    let mut scratch = SelfQueryScratch::default();
    let mut colliding = 0;
    let posing = each_pose(poses, |_| Ok(()))?;
    let asking = each_pose(poses, |poses| {
        colliding += usize::from(model.self_intersects(poses, query, &mut scratch)?);
        Ok(())
    })?;
    let found = pairs(model, poses, query)?;
    assert_eq!(colliding, found.colliding, "yes or no is whether there is a pair");
    Ok(Samples { posing, asking, ..found })
}

/// Runs every pose once, with all pairs; the other times are 0.
pub fn pairs(model: &Model, poses: &mut dyn Poses, query: SelfQuery) -> Result<Samples, Error> {
    let mut scratch = SelfQueryScratch::default();
    let (mut pairs, mut colliding) = (BTreeMap::new(), 0);
    let pairing = each_pose(poses, |poses| {
        let found = model.self_pairs(poses, query, &mut scratch)?;
        colliding += usize::from(!found.is_empty());
        found.iter().for_each(|&pair| *pairs.entry(pair).or_insert(0) += 1);
        Ok(())
    })?;
    Ok(Samples { count: poses.count(), colliding, pairs, posing: 0.0, asking: 0.0, pairing })
}
