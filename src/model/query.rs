//! A model against itself, from poses alone: no scene, no keys, any thread.

use super::apiece::SelfTouching;
use super::{Model, Part, PartId, Ranked, near_box};
use crate::error::Error;
use crate::num::Scalar;
use crate::shape::{Aabb, Pose, check_poses};
use crate::tree::{self, Accuracy, Ask, Counts, ObbTree, Report, Seats, TreePair};

/// What self-collision queries write on; keep one a thread, and no query allocates after the first.
#[derive(Debug, Clone, Default)]
pub struct Scratch<T: Scalar> {
    /// The world boxes of the parts.
    pub(super) boxes: Vec<Aabb<T, 3>>,
    /// Pairs that may touch, and those that do.
    candidates: Vec<(PartId, PartId)>,
    pairs: Vec<(PartId, PartId)>,
    pub(super) ranked: Vec<Ranked<(PartId, PartId)>>,
    pub(super) tree: tree::Scratch,
    pub(super) report: Report<T>,
}

impl<T: Scalar> Scratch<T> {
    /// The tests made by the last query.
    pub fn counts(&self) -> &Counts {
        &self.report.counts
    }

    /// What the last query says about itself. A yes or no that may stop anywhere answers for what it looked at.
    pub fn report(&self) -> &Report<T> {
        &self.report
    }
}

impl<T: Scalar> Model<T> {
    /// Whether two parts touch that the rules do not ignore and whose groups meet, each part placed by its pose (part to
    /// world).
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is a pose for every part, [`Error::NotFinite`], [`Error::OutOfRange`],
    /// [`Error::NotUnit`] naming the pose; [`Error::NotFinite`] and [`Error::Negative`] for a tolerance.
    pub fn self_intersects(
        &self,
        poses: &[Pose<T>],
        accuracy: Accuracy,
        scratch: &mut Scratch<T>,
    ) -> Result<bool, Error> {
        let ask = Ask { accuracy, first_only: true };
        T::apiece(SelfTouching(ask), (self, poses, scratch))?;
        Ok(!scratch.pairs.is_empty())
    }

    /// The pairs of parts that touch, that the rules do not ignore and whose groups meet, the lesser first, ascending.
    ///
    /// # Errors
    /// As [`Model::self_intersects`].
    pub fn self_pairs<'s>(
        &self,
        poses: &[Pose<T>],
        accuracy: Accuracy,
        scratch: &'s mut Scratch<T>,
    ) -> Result<&'s [(PartId, PartId)], Error> {
        let ask = Ask { accuracy, first_only: false };
        T::apiece(SelfTouching(ask), (self, poses, scratch))?;
        Ok(&scratch.pairs)
    }

    pub(super) fn find_touching(
        &self,
        poses: &[Pose<T>],
        ask: Ask,
        scratch: &mut Scratch<T>,
    ) -> Result<(), Error> {
        let Scratch { boxes, candidates, pairs, tree, report, .. } = scratch;
        tree.counts = Counts::default();
        *report = Report::default();
        candidates.clear();
        pairs.clear();
        // As scenes have them, so that boxes that all but touch along a face normal are told alike.
        self.place_boxes(poses, near_box, boxes)?;
        ask.accuracy.check()?;
        self.find_candidates(boxes, candidates, &mut tree.counts);
        let seat = |part: PartId| self.seat(part, &poses[part.index()], 0);
        let trees = |index: u32| {
            let (a, b) = candidates[index as usize];
            TreePair::between(Seats::new(seat(a), seat(b)))
        };
        report.met = ask.each_touching(candidates.len() as u32, trees, tree, |index, slack| {
            pairs.push(candidates[index as usize]);
            report.slack = if slack > report.slack { slack } else { report.slack };
        });
        report.counts = tree.counts;
        Ok(())
    }

    /// Pairs the rules do not ignore, whose groups meet and whose boxes overlap, ascending.
    fn find_candidates(
        &self,
        boxes: &[Aabb<T, 3>],
        candidates: &mut Vec<(PartId, PartId)>,
        counts: &mut Counts,
    ) {
        for (i, a) in boxes.iter().enumerate() {
            for (j, b) in boxes.iter().enumerate().skip(i + 1) {
                let pair = (PartId::new(i), PartId::new(j));
                if self.tests(pair) {
                    counts.parts += 1;
                    if a.intersects(b) {
                        candidates.push(pair);
                    }
                }
            }
        }
    }

    /// Whether the rules do not ignore the two, and their groups meet.
    pub(super) fn tests(&self, (a, b): (PartId, PartId)) -> bool {
        let meet = || self.parts[a.index()].groups.meets(self.parts[b.index()].groups);
        !self.ignores(a, b) && (self.grouped == 0 || meet())
    }

    /// The box of each part, placed by its pose, which is checked; empty for parts without geometry.
    pub(super) fn place_boxes(
        &self,
        poses: &[Pose<T>],
        place: impl Fn(&ObbTree<T>, &Pose<T>) -> Aabb<T, 3>,
        boxes: &mut Vec<Aabb<T, 3>>,
    ) -> Result<(), Error> {
        boxes.clear();
        self.check_part_poses(poses)?;
        let parts = self.parts.iter().zip(poses);
        let placed = |(part, pose): (&Part<T>, &Pose<T>)| {
            part.tree().map_or_else(Aabb::empty, |tree| place(tree, pose))
        };
        boxes.extend(parts.map(placed));
        Ok(())
    }

    /// Refuses the wrong number of poses, and poses that are not sound.
    pub(crate) fn check_part_poses(&self, poses: &[Pose<T>]) -> Result<(), Error> {
        if poses.len() != self.parts.len() {
            let (expected, found) = (self.parts.len(), poses.len());
            return Err(Error::WrongCount { field: "poses", expected, found });
        }
        check_poses(poses, "pose")
    }
}
