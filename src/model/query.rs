//! Self-collision of a model from poses alone: no scene, no keys, on any thread.

use super::precompiled::SelfTouching;
use super::rules::AskedMargin;
use super::{Model, Part, PartId, Ranked, Roots, near_box};
use crate::broad_phase::{Aabb16, NOTHING, Nearness, PlacingParts, SIDE_BY_SIDE};
use crate::error::Error;
use crate::num::{Scalar, SimdLevel};
use crate::sat::prefilter::{BATCH, PrefilterQueue};
use crate::shape::{Aabb, Pose, check_poses};
use crate::tree::{
    self, Accuracy, Ask, Counts, ObbTree, Report, Seats, TreePair, check_margin, part_slack,
};

/// The scratch memory of self-collision queries; reuse one per thread, and no query allocates after
/// the first.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
/// # use boxwood::{Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
/// # let model = parts.build(&Build::default())?;
/// use boxwood::{Accuracy, SelfQueryScratch};
///
/// let mut scratch = SelfQueryScratch::default(); // one a thread
/// assert!(!model.self_intersects(&model.bind_poses(), Accuracy::Exact, &mut scratch)?);
/// assert_eq!(scratch.counts().primitives, 0); // one part has no other part to meet
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SelfQueryScratch<T: Scalar> {
    /// The world boxes of the parts.
    pub(super) boxes: Vec<Aabb<T, 3>>,
    blocks: Vec<Aabb16>,
    /// The pairs found by the broad phase, and those that touch.
    candidates: Vec<(PartId, PartId)>,
    pairs: Vec<(PartId, PartId)>,
    queue: PrefilterQueue,
    pub(super) ranked: Vec<Ranked<(PartId, PartId)>>,
    pub(super) tree: tree::TreeScratch,
    pub(super) report: Report<T>,
}

impl<T: Scalar> SelfQueryScratch<T> {
    /// Scratch for queries with that instruction set: the same results, at another speed.
    pub fn with_simd_level(level: SimdLevel) -> Self {
        SelfQueryScratch {
            tree: tree::TreeScratch::with_simd_level(level),
            ..SelfQueryScratch::default()
        }
    }

    /// The tests made by the last query.
    pub fn counts(&self) -> &Counts {
        &self.report.counts
    }

    /// The report of the last query. A yes-or-no query that stops early reports only the part it
    /// did.
    pub fn report(&self) -> &Report<T> {
        &self.report
    }
}

/// A question about self-collision: how accurately, and up to what distance parts count as
/// touching. An [`Accuracy`] alone is one without a margin.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Accuracy, Build, Geometry, Model, Obb, SelfQuery, SelfQueryScratch};
///
/// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// let block = || Geometry::Boxes(vec![cube]);
/// let parts = Model::builder().part("a", None, block()).part("b", None, block());
/// let model = parts.build(&Build::default())?;
/// let (mut poses, mut scratch) = (model.bind_poses(), SelfQueryScratch::default());
/// poses[1].translation.vector.x = 1.25; // unit cubes: a gap of 0.25
/// let exactly = SelfQuery::new(Accuracy::Exact);
/// assert!(!model.self_intersects(&poses, exactly, &mut scratch)?);
/// assert!(model.self_intersects(&poses, exactly.margin(0.25), &mut scratch)?);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SelfQuery {
    accuracy: Accuracy,
    margin: f64,
}

impl SelfQuery {
    /// Parts that touch, or are within the model's own margins.
    pub fn new(accuracy: Accuracy) -> Self {
        SelfQuery { accuracy, margin: 0.0 }
    }

    /// Parts that are no further apart than this count as touching, too; where the
    /// [model's own margin](Model::margin) of two parts is more, that counts. World units.
    pub fn margin(self, margin: f64) -> Self {
        SelfQuery { margin, ..self }
    }

    fn asking(self, first_only: bool) -> Ask {
        Ask { accuracy: self.accuracy, margin: self.margin, first_only }
    }
}

impl From<Accuracy> for SelfQuery {
    fn from(accuracy: Accuracy) -> Self {
        SelfQuery::new(accuracy)
    }
}

impl<T: Scalar> Model<T> {
    /// Whether two parts touch that the rules do not ignore and whose groups interact, each part
    /// placed by its pose (part to world). Within a [margin](SelfQuery::margin) is touching; asked
    /// with an [`Accuracy`], within the [model's own](Model::margin).
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is a pose for every part, [`Error::NotFinite`],
    /// [`Error::OutOfRange`], [`Error::NotUnit`] naming the pose; [`Error::NotFinite`] and
    /// [`Error::Negative`] for a tolerance or a margin.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Accuracy, Build, Geometry, Model, Obb, SelfQueryScratch};
    ///
    /// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// let model = Model::builder()
    ///     .part("a", None, Geometry::Boxes(vec![cube]))
    ///     .part("b", None, Geometry::Boxes(vec![cube]))
    ///     .build(&Build::default())?;
    /// let at = |x| [Isometry3::identity(), Isometry3::translation(x, 0.0, 0.0)];
    /// let mut scratch = SelfQueryScratch::default();
    /// assert!(model.self_intersects(&at(0.9), Accuracy::Exact, &mut scratch)?);
    /// assert!(!model.self_intersects(&at(1.1), Accuracy::Exact, &mut scratch)?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn self_intersects(
        &self,
        poses: &[Pose<T>],
        query: impl Into<SelfQuery>,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Result<bool, Error> {
        let ask = query.into().asking(true);
        T::precompiled(SelfTouching(ask), (self, poses, scratch))?;
        Ok(!scratch.pairs.is_empty())
    }

    /// Finds the pairs of parts that touch, that the rules do not ignore and whose groups interact,
    /// the lesser first, ascending.
    ///
    /// # Errors
    /// As [`Model::self_intersects`].
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Accuracy, Build, Geometry, Model, Obb, SelfQueryScratch};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let block = || Geometry::Boxes(vec![cube]);
    /// let parts = Model::builder().part("a", None, block()).part("b", None, block());
    /// let model = parts.build(&Build::default())?; // both in one place
    /// let mut scratch = SelfQueryScratch::default();
    /// let pairs = model.self_pairs(&model.bind_poses(), Accuracy::Exact, &mut scratch)?;
    /// assert_eq!(pairs, [(model.part("a")?, model.part("b")?)]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn self_pairs<'s>(
        &self,
        poses: &[Pose<T>],
        query: impl Into<SelfQuery>,
        scratch: &'s mut SelfQueryScratch<T>,
    ) -> Result<&'s [(PartId, PartId)], Error> {
        let ask = query.into().asking(false);
        T::precompiled(SelfTouching(ask), (self, poses, scratch))?;
        Ok(&scratch.pairs)
    }

    pub(super) fn find_touching(
        &self,
        poses: &[Pose<T>],
        ask: Ask,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Result<(), Error> {
        scratch.tree.counts = Counts::default();
        scratch.report = Report::default();
        scratch.candidates.clear();
        scratch.pairs.clear();
        self.check_part_poses(poses)?;
        ask.accuracy.check()?;
        check_margin(ask.margin, 0)?;
        let roots = self.broad_phase_f32(poses, ask, scratch);
        if roots.is_none() {
            self.broad_phase_f64(poses, ask, scratch);
        }
        // A budget is shared by all candidates, so it needs them in one traversal.
        match roots.filter(|_| !matches!(ask.accuracy, Accuracy::Budget(_))) {
            Some(roots) => self.narrow_phase_by_sat((roots, poses), ask, scratch),
            None => self.narrow_phase(poses, ask, scratch),
        }
        scratch.report.counts = scratch.tree.counts;
        Ok(())
    }

    /// Broad phase on boxes placed in single precision: finds the pairs that the rules do not
    /// ignore, whose groups interact and whose boxes overlap or are within the margin, ascending.
    /// `None` if these parts have to be placed in double precision.
    fn broad_phase_f32(
        &self,
        poses: &[Pose<T>],
        ask: Ask,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Option<&Roots> {
        let roots = self.roots.as_ref()?;
        let SelfQueryScratch { blocks, candidates, tree, .. } = scratch;
        blocks.resize(roots.blocks.len(), NOTHING);
        tree.level.run(PlacingParts {
            boxes: &roots.blocks,
            poses,
            present: roots.solid,
            blocks,
        })?;
        tree.counts.parts = self.overlaps(tree.level, (blocks, asked(ask)), candidates);
        if self.grouped > 0 {
            candidates.retain(|&pair| self.groups_interact(pair));
        }
        Some(roots)
    }

    /// Broad phase on boxes placed in double precision, padded as in scenes, so that boxes that
    /// barely touch along a face normal give the same result.
    fn broad_phase_f64(&self, poses: &[Pose<T>], ask: Ask, scratch: &mut SelfQueryScratch<T>) {
        let SelfQueryScratch { boxes, candidates, tree, .. } = scratch;
        self.place_boxes(poses, near_box, boxes);
        let uniform = Nearness::within(self.most_margin(asked(ask)));
        for (i, a) in boxes.iter().enumerate() {
            self.each_later(i, |j| {
                let pair = (PartId::new(i), PartId::new(j));
                tree.counts.parts += 1;
                let near = match self.rules.has_margins() {
                    true => Nearness::within(self.asked_margin(pair, asked(ask))),
                    false => uniform,
                };
                if near.holds(a, &boxes[j]) && self.groups_interact(pair) {
                    candidates.push(pair);
                }
            });
        }
    }

    /// Narrow phase on candidates in batches: an f32 SAT on root boxes decides most of them; the
    /// others are traversed.
    fn narrow_phase_by_sat(
        &self,
        (roots, poses): (&Roots, &[Pose<T>]),
        ask: Ask,
        scratch: &mut SelfQueryScratch<T>,
    ) {
        let SelfQueryScratch { candidates, queue, pairs, tree, report, .. } = scratch;
        for chunk in candidates.chunks(BATCH) {
            for &(a, b) in chunk {
                let margin = self.asked_margin((a, b), asked(ask));
                queue.push_posed(&roots.posed(a, poses), &roots.posed(b, poses), margin);
            }
            let masks = queue.masks_posed(tree.level);
            for (at, &pair) in chunk.iter().enumerate() {
                let is = |bits: u64| bits >> at & 1 == 1;
                let decided = match is(masks.overlap) && roots.tell(ask.accuracy, pair) {
                    true => Some(true),
                    false => is(masks.apart).then_some(false),
                };
                tree.counts.boxes[0] += u64::from(decided.is_some());
                let margin = self.asked_margin(pair, asked(ask));
                let trees = || self.trees(pair, poses).with_margin(margin);
                if !decided.unwrap_or_else(|| trees().touches_at(ask.accuracy, tree)) {
                    continue;
                }
                let of_parts = [pair.0, pair.1].map(|part| self.tree(part));
                let slack = part_slack(of_parts, ask.accuracy, margin);
                pairs.push(pair);
                report.slack = if slack > report.slack { slack } else { report.slack };
                if ask.first_only {
                    return;
                }
            }
        }
    }

    /// Narrow phase on candidates without the SAT on root boxes: each is traversed.
    fn narrow_phase(&self, poses: &[Pose<T>], ask: Ask, scratch: &mut SelfQueryScratch<T>) {
        let SelfQueryScratch { candidates, pairs, tree, report, .. } = scratch;
        let trees = |index: u32| {
            let pair = candidates[index as usize];
            self.trees(pair, poses).with_margin(self.asked_margin(pair, asked(ask)))
        };
        report.met = ask.each_touching(candidates.len() as u32, trees, tree, |index, slack| {
            pairs.push(candidates[index as usize]);
            report.slack = if slack > report.slack { slack } else { report.slack };
        });
    }

    /// Two parts placed by their poses.
    pub(super) fn trees(&self, (a, b): (PartId, PartId), poses: &[Pose<T>]) -> TreePair<'_, T> {
        let seat = |part: PartId| self.seat(part, &poses[part.index()], 0);
        TreePair::between(Seats::new(seat(a), seat(b)))
    }

    /// Calls `each` with every later part that the rules do not ignore with this one.
    #[inline]
    pub(super) fn each_later(&self, part: usize, mut each: impl FnMut(usize)) {
        if self.len() <= SIDE_BY_SIDE {
            let mut left = self.rules.later(part);
            while left != 0 {
                each(left.trailing_zeros() as usize);
                left &= left - 1;
            }
            return;
        }
        let ignored = |other: usize| self.ignores(PartId::new(part), PartId::new(other));
        (part + 1..self.len()).filter(|&other| !ignored(other)).for_each(each);
    }

    /// Whether the groups of two parts interact.
    #[inline]
    pub(super) fn groups_interact(&self, (a, b): (PartId, PartId)) -> bool {
        let groups = |part: PartId| self.parts[part.index()].groups;
        self.grouped == 0 || groups(a).interacts_with(groups(b))
    }

    /// Computes the box of each part, placed by its pose; empty for parts without geometry.
    pub(super) fn place_boxes(
        &self,
        poses: &[Pose<T>],
        place: impl Fn(&ObbTree<T>, &Pose<T>) -> Aabb<T, 3>,
        boxes: &mut Vec<Aabb<T, 3>>,
    ) {
        boxes.clear();
        let parts = self.parts.iter().zip(poses);
        let placed = |(part, pose): (&Part<T>, &Pose<T>)| {
            part.tree().map_or_else(Aabb::empty, |tree| place(tree, pose))
        };
        boxes.extend(parts.map(placed));
    }

    /// Refuses the wrong number of poses, and invalid poses.
    pub(crate) fn check_part_poses(&self, poses: &[Pose<T>]) -> Result<(), Error> {
        if poses.len() != self.parts.len() {
            let (expected, found) = (self.parts.len(), poses.len());
            return Err(Error::WrongCount { field: "poses", expected, found });
        }
        check_poses(poses, "pose")
    }
}

/// The margin of a query, the model's own where they are more.
fn asked(ask: Ask) -> AskedMargin {
    AskedMargin { least: ask.margin, own: true }
}
