//! How far apart the parts of a model are that may touch, from poses alone; and the order in which pairs of parts are looked at.

use std::cmp::Ordering;

use super::apiece::SelfApart;
use super::{Model, PartId, Placed, Scratch};
use crate::error::Error;
use crate::num::Scalar;
use crate::shape::{Aabb, Pose};
use crate::tree::{Accuracy, Counts, Distance, ObbTree, Report, check_distance};

/// The two parts of a model that are closest, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelfDistance<T: Scalar> {
    /// The part of lower number.
    pub a: PartId,
    /// The other.
    pub b: PartId,
    /// How far they are apart, and where; the first tree is that of `a`. World.
    pub apart: Distance<T>,
}

impl<T: Scalar> Model<T> {
    /// Where two parts are closest that the rules do not ignore and whose groups meet, each part placed by its pose (part to world):
    /// the clearance of a robot from itself. `None` if all are further apart than `cutoff`, up to rounding, which may be infinite, or there
    /// are no such parts. Of pairs equally far apart the one whose world boxes are nearer, then the first.
    ///
    /// Zero where two touch or overlap: at [`Accuracy::Exact`] wherever they [do](Model::self_intersects), else where their boxes do. Each two
    /// as [`TreePair::distance`](crate::tree::TreePair::distance) has it, which says what the distance may be off; [`Distance::slack`] is how
    /// much further apart the geometry can be.
    ///
    /// # Errors
    /// As [`Model::self_intersects`]; [`Error::BadQuery`] for a budget, [`Error::NotFinite`] and [`Error::Negative`] for the cut-off.
    pub fn self_distance(
        &self,
        poses: &[Pose<T>],
        accuracy: Accuracy,
        cutoff: f64,
        scratch: &mut Scratch<T>,
    ) -> Result<Option<SelfDistance<T>>, Error> {
        T::apiece(SelfApart { accuracy, cutoff }, (self, poses, scratch))
    }

    pub(super) fn closest_two(
        &self,
        poses: &[Pose<T>],
        SelfApart { accuracy, cutoff }: SelfApart,
        scratch: &mut Scratch<T>,
    ) -> Result<Option<SelfDistance<T>>, Error> {
        let Scratch { boxes, ranked, tree, report, .. } = scratch;
        (*report, tree.counts) = (Report::default(), Counts::default());
        let exact = |tree: &ObbTree<T>, pose: &Pose<T>| Placed::new(Some(tree), pose).bounds;
        self.check_part_poses(poses)?;
        check_distance(accuracy, cutoff)?;
        self.place_boxes(poses, exact, boxes);
        ranked.clear();
        self.rank(boxes, cutoff, ranked);
        tree.counts.parts = ranked.len() as u64;
        let found = nearest(ranked, cutoff, |&pair, cutoff| {
            self.trees(pair, poses).distance_checked(accuracy, cutoff, tree)
        });
        report.counts = tree.counts;
        let found = found.map(|((a, b), apart)| SelfDistance { a, b, apart });
        report.slack = found.map_or(T::zero(), |found| found.apart.slack);
        Ok(found)
    }

    /// Pairs that the rules do not ignore, whose groups meet and whose world boxes are no further apart than the cut-off.
    fn rank(&self, boxes: &[Aabb<T, 3>], cutoff: f64, ranked: &mut Vec<Ranked<(PartId, PartId)>>) {
        for (i, a) in boxes.iter().enumerate().filter(|(_, a)| !a.is_empty()) {
            self.each_later(i, |j| {
                let (b, pair) = (&boxes[j], (PartId::new(i), PartId::new(j)));
                let least = at_least(a, b);
                if least <= cutoff && !b.is_empty() && self.meet(pair) {
                    ranked.push(Ranked { least, pair });
                }
            });
        }
    }
}

/// Two parts whose world boxes are that far apart. World units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ranked<P> {
    pub least: f64,
    pub pair: P,
}

impl<P: Ord> Ranked<P> {
    /// The nearest first; of equally near ones the first.
    fn order(&self, other: &Self) -> Ordering {
        self.least.total_cmp(&other.least).then_with(|| self.pair.cmp(&other.pair))
    }
}

/// The closest of some pairs, each looked at with what is still of interest as cut-off, the nearest boxes first, until none can be closer. What is
/// left of the pairs means nothing.
pub(crate) fn nearest<P: Copy + Ord, T: Scalar>(
    ranked: &mut Vec<Ranked<P>>,
    cutoff: f64,
    mut look: impl FnMut(&P, f64) -> Option<Distance<T>>,
) -> Option<(P, Distance<T>)> {
    let first = (0..ranked.len()).min_by(|&i, &j| ranked[i].order(&ranked[j]))?;
    let first = ranked.swap_remove(first).pair;
    let mut best = look(&first, cutoff).map(|found| (first, found));
    if let Some((_, found)) = &best {
        // Few boxes are as near as that: the others need no sorting.
        let within = found.distance.wide();
        ranked.retain(|other| other.least <= within);
    }
    ranked.sort_unstable_by(Ranked::order);
    for Ranked { least, pair } in ranked {
        let cutoff = best.map_or(cutoff, |(_, best)| best.distance.wide());
        if *least > cutoff || cutoff == 0.0 && best.is_some() {
            break;
        }
        if let Some(found) = look(pair, cutoff)
            && best.is_none_or(|(_, best)| found.distance < best.distance)
        {
            best = Some((*pair, found));
        }
    }
    best
}

/// No two points of the boxes are closer, surely.
pub(crate) fn at_least<T: Scalar>(a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> f64 {
    let gap = |i: usize| {
        let (below, above) = (b.min[i].wide() - a.max[i].wide(), a.min[i].wide() - b.max[i].wide());
        let most = if below > above { below } else { above };
        if most > 0.0 { most } else { 0.0 }
    };
    let (x, y, z) = (gap(0), gap(1), gap(2));
    (x * x + y * y + z * z).sqrt() * (1.0 - 1.0 / (1u64 << 48) as f64)
}
