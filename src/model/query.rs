//! A model against itself, from poses alone: no scene, no keys, any thread.

use std::ops::ControlFlow;

use super::{Model, PartId, Placed};
use crate::error::Error;
use crate::num::Scalar;
use crate::shape::{Pose, check_poses};
use crate::tree::{self, Accuracy, Counts, TreePair};

/// What self-collision queries write on; keep one a thread, and no query allocates after the first.
#[derive(Debug, Clone, Default)]
pub struct Scratch<T: Scalar> {
    placed: Vec<Placed<T>>,
    pairs: Vec<(PartId, PartId)>,
    tree: tree::Scratch,
}

impl<T: Scalar> Scratch<T> {
    /// The tests made by the last query.
    pub fn counts(&self) -> &Counts {
        &self.tree.counts
    }
}

impl<T: Scalar> Model<T> {
    /// Whether two parts touch that the rules do not ignore, each part placed by its pose (part to world).
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is a pose for every part, [`Error::NotFinite`], [`Error::OutOfRange`],
    /// [`Error::NotUnit`] naming the pose.
    pub fn self_intersects(
        &self,
        poses: &[Pose<T>],
        accuracy: Accuracy,
        scratch: &mut Scratch<T>,
    ) -> Result<bool, Error> {
        let found = self.visit_touching_parts(poses, accuracy, scratch, |_| ControlFlow::Break(()));
        Ok(found?.is_break())
    }

    /// The pairs of parts that touch and that the rules do not ignore, the lesser first, ascending.
    ///
    /// # Errors
    /// As [`Model::self_intersects`].
    pub fn self_pairs<'s>(
        &self,
        poses: &[Pose<T>],
        accuracy: Accuracy,
        scratch: &'s mut Scratch<T>,
    ) -> Result<&'s [(PartId, PartId)], Error> {
        let mut pairs = std::mem::take(&mut scratch.pairs);
        pairs.clear();
        let visited = self.visit_touching_parts(poses, accuracy, scratch, |pair| {
            pairs.push(pair);
            ControlFlow::Continue(())
        });
        scratch.pairs = pairs;
        visited.map(|_| scratch.pairs.as_slice())
    }

    fn visit_touching_parts(
        &self,
        poses: &[Pose<T>],
        accuracy: Accuracy,
        scratch: &mut Scratch<T>,
        mut visit: impl FnMut((PartId, PartId)) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        self.check_part_poses(poses)?;
        let Scratch { placed, tree, .. } = scratch;
        tree.counts = Counts::default();
        placed.clear();
        placed.extend(
            self.parts.iter().zip(poses).map(|(part, pose)| Placed::new(part.tree(), pose)),
        );
        for (i, a) in placed.iter().enumerate() {
            for (j, b) in placed.iter().enumerate().skip(i + 1) {
                let pair = (PartId::new(i), PartId::new(j));
                if self.ignores(pair.0, pair.1) {
                    continue;
                }
                tree.counts.parts += 1;
                if !a.bounds.intersects(&b.bounds) {
                    continue;
                }
                let seat_a = self.seat(pair.0, &poses[i], &a.placement, 0);
                let seat_b = self.seat(pair.1, &poses[j], &b.placement, 0);
                let (Some(seat_a), Some(seat_b)) = (seat_a, seat_b) else { continue };
                let trees = TreePair::between(seat_a, seat_b);
                let stop = |_, _| ControlFlow::Break(());
                if trees.visit_touching(accuracy.depth(), tree, stop).is_break()
                    && visit(pair).is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
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
