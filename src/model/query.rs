//! Self-collision of a model from poses alone, on any thread, without a scene.

use super::pair_rules::MarginRequest;
use super::{Model, Part, PartDistance, PartId, RootBoxes, padded_world_aabb};
use crate::broad_phase::{Aabb16List, AabbRange, Nearness, PartBoxesKernel};
use crate::error::Error;
use crate::motion::Mechanism;
use crate::narrow_phase::{
    BoundedCandidate, Candidate, Goal, LeafBoxes, NarrowPhase, NarrowPhaseScratch, PlacedTrees,
};
use crate::num::{Scalar, SimdLevel, precompiled};
use crate::sat::prefilter::BATCH;
use crate::shape::{Aabb, Pose, check_poses};
use crate::tree::{Accuracy, Counts, ObbTree, PlacedTree, Report, check_margin};

/// Scratch memory of self-collision queries. Reuse one per thread: only the first query allocates.
///
/// ```
/// # boxwood::fixture_model!(cube, model);
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
    rows: Aabb16List,
    /// The pairs that the broad phase found, then those that touch.
    pairs: Vec<(PartId, PartId)>,
    pub(super) narrow: NarrowPhaseScratch<T>,
    pub(super) ranked: Vec<BoundedCandidate<(PartId, PartId)>>,
    pub(super) distances: Vec<PartDistance<T>>,
    pub(super) report: Report<T>,
}

impl<T: Scalar> SelfQueryScratch<T> {
    /// Creates scratch memory for queries with that instruction set: equal results, at another
    /// speed.
    pub fn with_simd_level(simd: SimdLevel) -> Self {
        let mut scratch = SelfQueryScratch::default();
        scratch.narrow.clear(simd);
        scratch
    }

    /// The instruction set of the queries.
    pub(super) fn simd_level(&self) -> SimdLevel {
        self.narrow.tree.simd
    }

    /// The tests made by the last query.
    pub fn counts(&self) -> &Counts {
        &self.report.counts
    }

    /// The report of the last query. For a yes-or-no query that stopped early, it covers the tests
    /// made.
    pub fn report(&self) -> &Report<T> {
        &self.report
    }
}

/// A query about self-collision: its accuracy, and the distance up to which parts count as
/// touching. An [`Accuracy`] converts to one without a margin.
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
    /// Creates a query for parts that touch or are within the model's own margins.
    pub fn new(accuracy: Accuracy) -> Self {
        SelfQuery { accuracy, margin: 0.0 }
    }

    /// Sets the distance up to which parts count as touching; the [model's own
    /// margin](Model::margin) of two parts counts where it is larger. World units.
    pub fn margin(self, margin: impl Into<f64>) -> Self {
        SelfQuery { margin: margin.into(), ..self }
    }

    /// The accuracy.
    pub(super) fn accuracy(self) -> Accuracy {
        self.accuracy
    }

    /// The margin of the query alone.
    pub(super) fn own_margin(self) -> f64 {
        self.margin
    }

    /// Checks the tolerance and the margin.
    pub(super) fn check(self) -> Result<(), Error> {
        self.accuracy.check()?;
        check_margin(self.margin, 0)
    }

    /// The margin of the query, or the model's own where it is larger.
    pub(crate) fn asked_margin(self) -> MarginRequest {
        MarginRequest { margin: self.margin, use_model_margins: true }
    }
}

impl From<Accuracy> for SelfQuery {
    fn from(accuracy: Accuracy) -> Self {
        SelfQuery::new(accuracy)
    }
}

precompiled! {
    /// Finds the parts that touch, or with `true` the first two of them; if given, only of some
    /// pairs.
    fn find_touching<'a, T>(
        model: &'a Model<T>,
        poses: &'a [Pose<T>],
        query: SelfQuery,
        any: bool,
        among: Option<&'a [(PartId, PartId)]>,
        scratch: &'a mut SelfQueryScratch<T>,
    ) -> Result<(), Error> {
        model.find_touching(poses, query, any, among, scratch)
    }
}

impl<T: Scalar> Model<T> {
    /// Returns `true` if two parts touch that the rules do not ignore and whose groups interact,
    /// each placed by its pose (part to world). Parts within the query's
    /// [margin](SelfQuery::margin) or the [model's own](Model::margin) count as touching; an
    /// [`Accuracy`] has no margin.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is one pose for every part, [`Error::NotFinite`],
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
        find_touching(self, poses, query.into(), true, None, scratch)?;
        Ok(!scratch.pairs.is_empty())
    }

    /// Finds the pairs of parts that touch, that the rules do not ignore and whose groups interact;
    /// the lesser part first, ascending.
    ///
    /// # Errors
    /// The errors of [`Model::self_intersects`].
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
        find_touching(self, poses, query.into(), false, None, scratch)?;
        Ok(&scratch.pairs)
    }

    /// Returns two parts that touch, as [`Model::self_intersects`] finds them; if given, only of
    /// the pairs `among`, ascending.
    ///
    /// # Errors
    /// The errors of [`Model::self_intersects`].
    pub(crate) fn any_touching(
        &self,
        poses: &[Pose<T>],
        query: SelfQuery,
        among: Option<&[(PartId, PartId)]>,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Result<Option<(PartId, PartId)>, Error> {
        find_touching(self, poses, query, true, among, scratch)?;
        Ok(scratch.pairs.first().copied())
    }

    /// Finds the pairs that touch, as [`Model::self_pairs`]; if given, only of the pairs `among`,
    /// ascending.
    ///
    /// # Errors
    /// The errors of [`Model::self_intersects`].
    pub(crate) fn touching_among<'s>(
        &self,
        poses: &[Pose<T>],
        query: SelfQuery,
        among: Option<&[(PartId, PartId)]>,
        scratch: &'s mut SelfQueryScratch<T>,
    ) -> Result<&'s [(PartId, PartId)], Error> {
        find_touching(self, poses, query, false, among, scratch)?;
        Ok(&scratch.pairs)
    }

    /// Returns `true` if two parts with geometry touch, as [`Model::self_intersects`] says, for
    /// [checked](Model::check_part_poses) poses.
    pub(crate) fn touches(
        &self,
        poses: &[Pose<T>],
        (a, b): (PartId, PartId),
        query: SelfQuery,
        scratch: &mut SelfQueryScratch<T>,
    ) -> bool {
        let placed = ModelTrees { model: self, poses, asked: query.asked_margin() };
        let pair = placed.tree_pair(&placed.candidate(a, b));
        pair.touches_at(query.accuracy, &mut scratch.narrow.tree)
    }

    fn find_touching(
        &self,
        poses: &[Pose<T>],
        query: SelfQuery,
        any: bool,
        among: Option<&[(PartId, PartId)]>,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Result<(), Error> {
        let simd = scratch.narrow.tree.simd;
        scratch.narrow.clear(simd);
        scratch.report = Report::default();
        scratch.pairs.clear();
        self.check_part_poses(poses)?;
        query.check()?;
        let placed = ModelTrees { model: self, poses, asked: query.asked_margin() };
        let roots = self.broad_phase_f32(&placed, scratch);
        if roots.is_none() {
            self.broad_phase_f64(&placed, scratch);
        }
        if let Some(among) = among {
            scratch.pairs.retain(|pair| among.binary_search(pair).is_ok());
        }
        let goal = if any { Goal::Any } else { Goal::Parts };
        let SelfQueryScratch { pairs, narrow, report, .. } = scratch;
        let mut narrow = NarrowPhase::new(placed, goal, query.accuracy, narrow);
        let posed = roots.filter(|_| !narrow.is_budgeted());
        for batch in pairs.chunks(BATCH) {
            for &(a, b) in batch {
                let candidate = placed.candidate(a, b);
                match posed {
                    Some(roots) => {
                        let (a, b) = (roots.posed_root(a, poses), roots.posed_root(b, poses));
                        let margin = placed.margin(&candidate);
                        narrow.work.candidates.push_posed((candidate, margin), &a, &b);
                    }
                    None => narrow.work.candidates.push(candidate),
                }
            }
            // Stops early: any pair will do. A budget needs all pairs first.
            if any && !narrow.is_budgeted() && narrow.run().is_break() {
                break;
            }
        }
        narrow.finish();
        (report.slack, report.met) = (narrow.slack, narrow.is_complete);
        report.counts = narrow.work.tree.counts;
        pairs.clear();
        let part = |index: u32| PartId::new(index as usize);
        let found = narrow.work.found.iter();
        pairs.extend(found.map(|found| (part(found.key[1]), part(found.key[4]))));
        Ok(())
    }

    /// Broad phase on boxes placed in single precision: finds the pairs that the rules do not
    /// ignore, whose groups interact and whose boxes overlap or are within the margin, ascending.
    /// `None` if the parts require double precision.
    fn broad_phase_f32(
        &self,
        ModelTrees { poses, asked, .. }: &ModelTrees<'_, T>,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Option<&RootBoxes> {
        let roots = self.roots.as_ref()?;
        let SelfQueryScratch { rows, pairs, narrow: NarrowPhaseScratch { tree, .. }, .. } = scratch;
        let range = AabbRange { block: 0, len: self.len() };
        rows.resize(range.total_block_count());
        let (boxes, order, blocks) = (&roots.blocks[..], &self.order[..], rows.blocks_mut());
        tree.simd.run(PartBoxesKernel { boxes, order, poses, enabled: &[], blocks })?;
        range.write_summary(blocks);
        tree.counts.parts = self.self_overlaps(tree.simd, ((rows, range), *asked), pairs);
        if self.defaults.grouped > 0 {
            pairs.retain(|&pair| self.groups_interact(pair));
        }
        Some(roots)
    }

    /// Broad phase on boxes placed in double precision, padded as in scenes, so that boxes that
    /// barely touch along a face normal give equal results.
    fn broad_phase_f64(
        &self,
        ModelTrees { poses, asked, .. }: &ModelTrees<'_, T>,
        scratch: &mut SelfQueryScratch<T>,
    ) {
        let SelfQueryScratch { boxes, pairs, narrow: NarrowPhaseScratch { tree, .. }, .. } =
            scratch;
        self.place_boxes(poses, padded_world_aabb, boxes);
        let uniform = Nearness::from_margin(self.max_margin(*asked));
        for pair in self.tested_pairs() {
            tree.counts.parts += 1;
            let near = match self.rules.has_margins() {
                true => Nearness::from_margin(self.requested_margin(pair, *asked)),
                false => uniform,
            };
            let (a, b) = (&boxes[pair.0.index()], &boxes[pair.1.index()]);
            if near.are_near(a, b) && self.groups_interact(pair) {
                pairs.push(pair);
            }
        }
        pairs.sort_unstable();
    }

    /// All pairs of parts that the rules do not ignore, the lesser first.
    pub(crate) fn tested_pairs(&self) -> impl Iterator<Item = (PartId, PartId)> + '_ {
        (0..self.len()).flat_map(move |one| {
            let behind = self.tested_pairs.later_slots(one);
            behind.map(move |other| self.parts_at((PartId::new(one), PartId::new(other))))
        })
    }

    /// Returns `true` if the groups of two parts interact, or do not count.
    #[inline]
    pub(crate) fn groups_interact(&self, (a, b): (PartId, PartId)) -> bool {
        let groups = |part: PartId| self.parts[part.index()].groups;
        self.defaults.grouped == 0
            || groups(a).interacts_with(groups(b))
            || self.rules.is_ungrouped(a, b)
    }

    /// Returns `true` if two parts are tested within a character whatever their groups.
    #[inline]
    pub(crate) fn is_ungrouped(&self, a: PartId, b: PartId) -> bool {
        self.rules.is_ungrouped(a, b)
    }

    /// Returns `true` if some two parts are tested within a character whatever their groups.
    pub(crate) fn has_ungrouped_pairs(&self) -> bool {
        self.rules.has_ungrouped()
    }

    /// Computes the box of each part, placed by its pose; empty for parts without geometry.
    pub(super) fn place_boxes(
        &self,
        poses: &[Pose<T>],
        world_aabb: impl Fn(&ObbTree<T>, &Pose<T>) -> Aabb<T, 3>,
        boxes: &mut Vec<Aabb<T, 3>>,
    ) {
        boxes.clear();
        let parts = self.parts.iter().zip(poses);
        let placed = |(part, pose): (&Part<T>, &Pose<T>)| {
            part.tree().map_or_else(Aabb::empty, |tree| world_aabb(tree, pose))
        };
        boxes.extend(parts.map(placed));
    }

    /// Rejects a wrong number of poses.
    pub(crate) fn check_pose_count(&self, found: usize) -> Result<(), Error> {
        let expected = self.parts.len();
        match found == expected {
            true => Ok(()),
            false => Err(Error::WrongCount { field: "poses", expected, found }),
        }
    }

    /// Rejects a mechanism that does not have one link for each part.
    pub(crate) fn check_links(&self, mechanism: &Mechanism) -> Result<(), Error> {
        let (expected, found) = (mechanism.links().len(), self.len());
        match expected == found {
            true => Ok(()),
            false => Err(Error::WrongCount { field: "parts", expected, found }),
        }
    }

    /// Rejects a wrong number of poses, and invalid poses.
    pub(crate) fn check_part_poses(&self, poses: &[Pose<T>]) -> Result<(), Error> {
        self.check_pose_count(poses.len())?;
        check_poses(poses, "pose")
    }
}

/// The parts of a model, placed by their poses, for the narrow phase.
#[derive(Clone, Copy)]
pub(super) struct ModelTrees<'a, T: Scalar> {
    pub model: &'a Model<T>,
    pub poses: &'a [Pose<T>],
    pub asked: MarginRequest,
}

impl<T: Scalar> ModelTrees<'_, T> {
    /// The candidate of two parts of the only character.
    pub fn candidate(&self, a: PartId, b: PartId) -> Candidate {
        Candidate { a: (0, a), b: (0, b) }
    }
}

impl<'a, T: Scalar> PlacedTrees<'a, T> for ModelTrees<'a, T> {
    #[inline]
    fn tree(&self, (_, part): (u32, PartId)) -> &'a ObbTree<T> {
        self.model.tree(part)
    }

    #[inline]
    fn pose(&self, (_, part): (u32, PartId)) -> &'a Pose<T> {
        &self.poses[part.index()]
    }

    #[inline]
    fn placed_tree(&self, (_, part): (u32, PartId)) -> PlacedTree<'a, T> {
        self.model.placed_tree(part, &self.poses[part.index()], 0)
    }

    fn leaf_boxes(&self, (_, part): (u32, PartId)) -> LeafBoxes<'a> {
        self.model.leaf_boxes(part)
    }

    #[inline]
    fn margin(&self, Candidate { a, b }: &Candidate) -> f64 {
        self.model.requested_margin((a.1, b.1), self.asked)
    }
}
