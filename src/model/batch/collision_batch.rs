//! Collision verdicts and touching pairs of many configurations of a robot, equal to those of
//! single queries.

use std::sync::Arc;

use super::batch_pair::{BatchCounts, BatchPair, BatchPart};
use super::filter::{BatchFilter, FilterScratch};
use super::obstacles::{Obstacle, ObstaclePair, PosedRobot};
use crate::error::Error;
use crate::model::{Model, Part, PartId, SelfQuery, SelfQueryScratch};
use crate::motion::{Mechanism, ROWS};
use crate::narrow_phase::{Goal, NarrowPhaseScratch};
use crate::num::{Scalar, SimdLevel, precompiled};
use crate::shape::{Pose, check_poses};
use crate::tree::Accuracy;

/// Collision query of many configurations of a robot: of its parts with each other and with static
/// obstacles.
///
/// Verdicts are those of [`Model::self_intersects`] for the poses of [`Mechanism::poses`], bit for
/// bit, and pairs those of [`Model::self_pairs`], for every [`SimdLevel`]. Rows are posed side by
/// side in single precision, and pairs of parts whose bounding balls or capsules are certainly
/// apart are dropped. Rows in which a point of the robot is certainly inside a box or another
/// convex shape of an obstacle collide. The exact query decides what is left. Immutable: share it
/// between threads, each with its own [`CollisionBatchScratch`], and give each thread a share of
/// the rows.
///
/// Part `i` of the model moves with link `i` of the mechanism, as in a loaded
/// [`Robot`](crate::load::Robot). Creating a batch fits a ball and a capsule to each part, which
/// takes as long as some thousand single queries, 4,000 for the Panda. The pairs that most likely
/// touch are tested first: by the overlap of their capsules, and by the rows before.
///
/// The filter supports chains of up to 400 joints and joint angles up to 8 radians; rows and robots
/// beyond that are decided by single queries, and so is [`Accuracy::Budget`].
///
/// ```
/// use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Accuracy, Build, CollisionBatch, Geometry, Model, Obb};
///
/// // A cube that slides along x, away from another.
/// let link = |name: &str, parent, joint| Link {
///     name: name.into(),
///     parent,
///     origin: Isometry3::identity(),
///     joint,
/// };
/// let slide = JointKind::Prismatic { axis: Vector3::x(), mimic: Mimic::direct(0) };
/// let links = vec![link("base", None, JointKind::Fixed), link("tool", Some(0), slide)];
/// let actuator = Actuator { name: "slide".into(), limits: Some([0.0, 4.0]) };
/// let robot = Mechanism::new(links, vec![actuator])?;
/// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// let block = || Geometry::Boxes(vec![cube]);
/// let parts = Model::builder().part("base", None, block()).part("tool", None, block());
/// let model = parts.build(&Build::default())?;
///
/// let wall = Model::builder().part("wall", None, block()).build(&Build::default())?;
/// let at = [Isometry3::translation(4.0, 0.0, 0.0)];
/// let batch = CollisionBatch::new(&robot.into(), &model, Accuracy::Exact)?;
/// let mut batch = batch.with_obstacle(&wall, &at)?;
/// let (mut verdicts, mut scratch) = ([false; 3], Default::default());
/// batch.check(&[0.5, 2.0, 3.5], &mut verdicts, &mut scratch)?;
/// assert_eq!(verdicts, [true, false, true]); // touches the base, nothing, the wall
///
/// batch.set_obstacle(0, &[Isometry3::translation(9.0, 0.0, 0.0)])?; // the wall moves away
/// batch.check(&[0.5, 2.0, 3.5], &mut verdicts, &mut scratch)?;
/// assert_eq!(verdicts, [true, false, false]);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionBatch<T: Scalar> {
    mechanism: Arc<Mechanism>,
    model: Arc<Model<T>>,
    query: SelfQuery,
    /// Accepted values of each actuator.
    ranges: Vec<[T; 2]>,
    obstacles: Vec<Obstacle<T>>,
    obstacle_pairs: Vec<ObstaclePair>,
    /// `None` if all rows are decided by single queries.
    filter: Option<BatchFilter>,
}

/// Scratch memory of batches. Reuse one per thread: only the first query allocates.
///
/// ```
/// use boxwood::{CollisionBatchScratch, SimdLevel};
///
/// let plain = CollisionBatchScratch::with_simd_level(SimdLevel::PLAIN); // equal verdicts, slower
/// # let _: CollisionBatchScratch = plain;
/// ```
#[derive(Debug, Clone, Default)]
pub struct CollisionBatchScratch<T: Scalar> {
    filter: FilterScratch,
    /// Poses of the links of a row in the frame of the base.
    poses: Vec<Pose<T>>,
    /// Poses of the links of a row in the world, if there is a base.
    placed: Vec<Pose<T>>,
    /// The robot's own open pairs of a row.
    open: Vec<(PartId, PartId)>,
    /// The open pairs that most likely touch.
    likely: LikelyPairs,
    /// Tests of each pair in this check, in the order of the filter's pairs.
    tallies: Vec<PairTally>,
    /// Open pairs of a row with obstacles.
    open_obstacles: Vec<ObstaclePair>,
    query: SelfQueryScratch<T>,
    world: NarrowPhaseScratch<T>,
    verdicts: Vec<bool>,
    pairs: Vec<BatchPair>,
    counts: BatchCounts,
}

/// A row that the filter left undecided.
#[derive(Debug, Clone, Copy)]
struct OpenRow<'a, T: Scalar> {
    index: usize,
    base: Option<&'a Pose<T>>,
    /// `false` if all pairs are open because the filter does not support the row.
    is_filtered: bool,
}

/// Rows of a query.
#[derive(Debug, Clone, Copy)]
struct BatchRows<'a, T: Scalar> {
    values: &'a [T],
    /// Poses of the base in the world: none, one for all rows, or one for each.
    bases: &'a [Pose<T>],
    count: usize,
}

impl<T: Scalar> BatchRows<'_, T> {
    /// Checks the number of bases and their poses.
    fn check_bases(&self) -> Result<(), Error> {
        let (expected, found) = (self.count, self.bases.len());
        match found == 1 || found == expected {
            true => check_poses(self.bases, "base"),
            false => Err(Error::WrongCount { field: "bases", expected, found }),
        }
    }
}

impl<T: Scalar> CollisionBatchScratch<T> {
    /// Creates scratch memory for queries with that instruction set: equal verdicts, at another
    /// speed.
    pub fn with_simd_level(simd: SimdLevel) -> Self {
        let mut scratch = CollisionBatchScratch {
            query: SelfQueryScratch::with_simd_level(simd),
            ..CollisionBatchScratch::default()
        };
        scratch.world.clear(simd);
        scratch
    }

    /// The numbers of rows and pairs that each stage of the last query left open.
    pub fn counts(&self) -> &BatchCounts {
        &self.counts
    }
}

precompiled! {
    fn check_rows<'a, T>(
        batch: &'a CollisionBatch<T>,
        rows: BatchRows<'a, T>,
        verdicts: &'a mut [bool],
        scratch: &'a mut CollisionBatchScratch<T>,
    ) -> Result<(), Error> {
        batch.check_rows(rows, verdicts, scratch)
    }

    fn find_pairs<'a, T>(
        batch: &'a CollisionBatch<T>,
        rows: BatchRows<'a, T>,
        scratch: &'a mut CollisionBatchScratch<T>,
    ) -> Result<(), Error> {
        batch.find_pairs(rows, scratch)
    }
}

impl<T: Scalar> CollisionBatch<T> {
    /// Creates a query of a robot with itself. An [`Accuracy`] is a query without a margin; the
    /// [model's own margins](Model::margin) count where they are larger.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless the model has one part for each link; [`Error::NotFinite`] and
    /// [`Error::Negative`] for a tolerance or a margin.
    pub fn new(
        mechanism: &Arc<Mechanism>,
        model: &Arc<Model<T>>,
        query: impl Into<SelfQuery>,
    ) -> Result<Self, Error> {
        let query = query.into();
        query.check()?;
        model.check_links(mechanism)?;
        let filter = match query.accuracy() {
            // A budget is spent on all pairs together.
            Accuracy::Budget(_) => None,
            _ => BatchFilter::new((mechanism, model), query),
        };
        let (mechanism, model) = (Arc::clone(mechanism), Arc::clone(model));
        let (obstacles, obstacle_pairs) = (Vec::new(), Vec::new());
        let ranges = mechanism.accepted_ranges();
        Ok(CollisionBatch { mechanism, model, query, ranges, obstacles, obstacle_pairs, filter })
    }

    /// Adds a static model, with the pose of each part (part to world). The robot's parts are
    /// tested against all of its parts whose [groups](crate::CollisionGroups) interact, with the
    /// accuracy and the margin of the query. A budget is spent on the obstacles apart from that of
    /// the robot itself.
    ///
    /// Each part of the robot is compared with each part of the obstacles in every row: a world of
    /// many parts belongs in a [`Scene`](crate::scene::Scene).
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is one pose for every part, [`Error::NotFinite`],
    /// [`Error::OutOfRange`], [`Error::NotUnit`] naming the pose.
    pub fn with_obstacle(
        mut self,
        model: &Arc<Model<T>>,
        poses: &[Pose<T>],
    ) -> Result<Self, Error> {
        self.obstacles.push(Obstacle::new(model, poses)?);
        self.add_obstacle_pairs(self.obstacles.len() - 1);
        Ok(self)
    }

    /// Sets the poses of an obstacle, by its number in the order in which obstacles were added:
    /// worlds whose obstacles move between checks. Places the boxes of all obstacles again; the
    /// volumes of the robot stay.
    ///
    /// # Errors
    /// [`Error::IndexOutOfRange`] without that obstacle; the errors of
    /// [`CollisionBatch::with_obstacle`] for the poses. Nothing is changed then.
    pub fn set_obstacle(&mut self, index: usize, poses: &[Pose<T>]) -> Result<(), Error> {
        let len = self.obstacles.len();
        let Some(obstacle) = self.obstacles.get_mut(index) else {
            return Err(Error::IndexOutOfRange { field: "obstacle", index: 0, target: index, len });
        };
        *obstacle = Obstacle::new(&obstacle.model, poses)?;
        self.obstacle_pairs.clear();
        if let Some(filter) = &mut self.filter {
            filter.clear_obstacles();
        }
        (0..len).for_each(|index| self.add_obstacle_pairs(index));
        Ok(())
    }

    /// Adds the pairs of the robot's parts with those of an obstacle.
    fn add_obstacle_pairs(&mut self, index: usize) {
        let obstacle = &self.obstacles[index];
        for (other, part) in parts_with_geometry(&obstacle.model) {
            let own = parts_with_geometry(&self.model);
            let tested = own.filter(|(_, own)| own.groups().interacts_with(part.groups()));
            let tested = tested.map(|(own, _)| own);
            if let Some(filter) = &mut self.filter {
                let tested = tested.clone();
                filter.add_obstacle(&self.model, tested, obstacle, other, self.query);
            }
            self.obstacle_pairs.extend(tested.map(|own| (own, (index as u32, other))));
        }
    }

    /// Writes `true` for each row whose configuration collides: two parts of the robot touch, or
    /// one touches an obstacle. `values` has one number for each actuator, row after row; a
    /// verdict for each row says how many there are.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there are as many values as rows and actuators; in
    /// [`Error::Row`] naming the first row that is refused, the errors of [`Mechanism::poses`] and
    /// [`Model::self_intersects`]. `verdicts` is unchanged then.
    pub fn check(
        &self,
        values: &[T],
        verdicts: &mut [bool],
        scratch: &mut CollisionBatchScratch<T>,
    ) -> Result<(), Error> {
        let rows = BatchRows { values, bases: &[], count: verdicts.len() };
        check_rows(self, rows, verdicts, scratch)
    }

    /// Like [`CollisionBatch::check`], with the base of the robot at a pose in the world: one for
    /// all rows, or one for each. Each link is at the product `base * pose` of the base and its
    /// pose of [`Mechanism::poses`]. Only pairs with obstacles depend on a base.
    ///
    /// # Errors
    /// The errors of [`CollisionBatch::check`]; [`Error::WrongCount`] for another number of bases,
    /// [`Error::NotFinite`], [`Error::OutOfRange`] and [`Error::NotUnit`] naming the base;
    /// [`Error::OutOfRange`] naming the row and a part that the base places too far, if an exact
    /// query needs its pose.
    ///
    /// ```
    /// use boxwood::motion::{JointKind, Link, Mechanism};
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Accuracy, Build, CollisionBatch, Geometry, Model, Obb};
    ///
    /// // A cart without joints, and a wall.
    /// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// let block = |name| Model::builder().part(name, None, Geometry::Boxes(vec![cube]));
    /// let cart = block("cart").build(&Build::default())?;
    /// let wall = block("wall").build(&Build::default())?;
    /// let origin = Isometry3::identity();
    /// let link = Link { name: "cart".into(), parent: None, origin, joint: JointKind::Fixed };
    /// let robot = Mechanism::new(vec![link], vec![])?.into();
    /// let at = |x| Isometry3::translation(x, 0.0, 0.0);
    ///
    /// let batch = CollisionBatch::new(&robot, &cart, Accuracy::Exact)?;
    /// let batch = batch.with_obstacle(&wall, &[at(4.0)])?;
    /// let (mut verdicts, mut scratch) = ([false; 3], Default::default());
    /// batch.check_with_bases(&[], &[at(0.0), at(2.9), at(3.1)], &mut verdicts, &mut scratch)?;
    /// assert_eq!(verdicts, [false, false, true]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn check_with_bases(
        &self,
        values: &[T],
        bases: &[Pose<T>],
        verdicts: &mut [bool],
        scratch: &mut CollisionBatchScratch<T>,
    ) -> Result<(), Error> {
        let rows = BatchRows { values, bases, count: verdicts.len() };
        rows.check_bases()?;
        check_rows(self, rows, verdicts, scratch)
    }

    /// Finds the pairs of parts that touch in each of `rows` configurations, ascending by row: in a
    /// row first those of [`Model::self_pairs`], in its order, then those with obstacles, ascending
    /// by the part of the robot, the obstacle and its part. Values as in [`CollisionBatch::check`].
    ///
    /// # Errors
    /// The errors of [`CollisionBatch::check`].
    ///
    /// ```
    /// # use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Accuracy, Build, Geometry, Model, Obb};
    /// # use boxwood::{CollisionBatch, CollisionBatchScratch};
    /// use boxwood::PartId;
    /// use boxwood::model::{BatchPair, BatchPart};
    /// # let link = |name: &str, parent, joint| Link {
    /// #     name: name.into(),
    /// #     parent,
    /// #     origin: Isometry3::identity(),
    /// #     joint,
    /// # };
    /// # let slide = JointKind::Prismatic { axis: Vector3::x(), mimic: Mimic::direct(0) };
    /// # let links = vec![link("base", None, JointKind::Fixed), link("tool", Some(0), slide)];
    /// # let actuator = Actuator { name: "slide".into(), limits: Some([0.0, 4.0]) };
    /// # let robot = Mechanism::new(links, vec![actuator])?;
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let block = || Geometry::Boxes(vec![cube]);
    /// # let parts = Model::builder().part("base", None, block()).part("tool", None, block());
    /// # let model = parts.build(&Build::default())?;
    /// # let wall = Model::builder().part("wall", None, block()).build(&Build::default())?;
    /// # let at = [Isometry3::translation(4.0, 0.0, 0.0)];
    /// # let batch = CollisionBatch::new(&robot.into(), &model, Accuracy::Exact)?;
    /// # let batch = batch.with_obstacle(&wall, &at)?;
    ///
    /// // The robot and the wall of the example above.
    /// let mut scratch = CollisionBatchScratch::default();
    /// let pairs = batch.pairs(&[0.5, 2.0, 3.5], 3, &mut scratch)?;
    /// let [base, tool] = [PartId::new(0), PartId::new(1)];
    /// let wall = BatchPart::Obstacle { index: 0, part: PartId::new(0) };
    /// assert_eq!(pairs[0], BatchPair { row: 0, a: base, b: BatchPart::Robot(tool) });
    /// assert_eq!(pairs[1..], [BatchPair { row: 2, a: tool, b: wall }]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn pairs<'s>(
        &self,
        values: &[T],
        rows: usize,
        scratch: &'s mut CollisionBatchScratch<T>,
    ) -> Result<&'s [BatchPair], Error> {
        find_pairs(self, BatchRows { values, bases: &[], count: rows }, scratch)?;
        Ok(&scratch.pairs)
    }

    /// Like [`CollisionBatch::pairs`], with the base of the robot at a pose in the world, as in
    /// [`CollisionBatch::check_with_bases`].
    ///
    /// # Errors
    /// The errors of [`CollisionBatch::check_with_bases`].
    pub fn pairs_with_bases<'s>(
        &self,
        values: &[T],
        bases: &[Pose<T>],
        rows: usize,
        scratch: &'s mut CollisionBatchScratch<T>,
    ) -> Result<&'s [BatchPair], Error> {
        let rows = BatchRows { values, bases, count: rows };
        rows.check_bases()?;
        find_pairs(self, rows, scratch)?;
        Ok(&scratch.pairs)
    }

    fn check_rows(
        &self,
        rows: BatchRows<'_, T>,
        verdicts: &mut [bool],
        scratch: &mut CollisionBatchScratch<T>,
    ) -> Result<(), Error> {
        scratch.verdicts.clear();
        scratch.verdicts.resize(rows.count, false);
        self.visit_undecided(Goal::Any, rows, scratch, |row, scratch| {
            scratch.verdicts[row.index] = self.any_touches(row, scratch)?;
            Ok(())
        })?;
        verdicts.copy_from_slice(&scratch.verdicts);
        Ok(())
    }

    fn find_pairs(
        &self,
        rows: BatchRows<'_, T>,
        scratch: &mut CollisionBatchScratch<T>,
    ) -> Result<(), Error> {
        scratch.pairs.clear();
        let found = self.visit_undecided(Goal::Parts, rows, scratch, |row, scratch| {
            self.add_pairs(row, scratch)
        });
        if found.is_err() {
            scratch.pairs.clear();
        }
        found
    }

    /// Runs the filter and visits the rows with pairs that it left open, posed. For verdicts, rows
    /// that certainly collide are not visited, but get their verdict.
    fn visit_undecided(
        &self,
        goal: Goal,
        rows: BatchRows<'_, T>,
        scratch: &mut CollisionBatchScratch<T>,
        mut visit: impl FnMut(OpenRow<'_, T>, &mut CollisionBatchScratch<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let BatchRows { values, bases, count } = rows;
        let width = self.mechanism.actuators().len();
        let (expected, found) = (count.saturating_mul(width), values.len());
        if expected != found {
            return Err(Error::WrongCount { field: "actuator values", expected, found });
        }
        let row_values = |row: usize| &values[row * width..(row + 1) * width];
        for row in 0..count {
            let mut ranges = row_values(row).iter().zip(&self.ranges);
            // Finds the error only on the failing path. NaN is in no range.
            if !ranges.all(|(value, [least, most])| value >= least && value <= most) {
                self.mechanism
                    .check_configuration(row_values(row))
                    .map_err(|error| error.in_row(row))?;
            }
        }
        let own_pairs = self.filter.as_ref().map_or(0, |own| own.pairs.len());
        scratch.counts = BatchCounts { rows: count as u64, ..BatchCounts::default() };
        scratch.tallies.clear();
        scratch.tallies.resize(own_pairs + self.obstacle_pairs.len(), PairTally::default());
        for start in (0..count).step_by(ROWS) {
            let len = ROWS.min(count - start);
            let mut undecided = u32::MAX >> (u32::BITS - len as u32);
            if let Some(filter) = &self.filter {
                let rows = start..start + len;
                scratch.filter.load_rows(&values[start * width..rows.end * width], width);
                // One base for all rows is loaded once.
                if start == 0 || bases.len() > 1 {
                    let bases = if bases.len() > 1 { &bases[rows] } else { bases };
                    filter.load_bases(bases, &mut scratch.filter);
                }
                filter.run(scratch.query.simd_level(), len, &mut scratch.filter);
                let filtered = undecided & !scratch.filter.unfiltered;
                undecided &= scratch.filter.undecided();
                let (counts, filtered) = (&mut scratch.counts, u64::from(filtered.count_ones()));
                counts.own_pairs += filtered * own_pairs as u64;
                counts.obstacle_pairs += filtered * self.obstacle_pairs.len() as u64;
                let found = &scratch.filter.counts;
                counts.own_after_balls += found.near_balls[0];
                counts.obstacles_after_balls += found.near_balls[1];
                counts.own_after_capsules += found.near_capsules[0];
                counts.obstacles_after_capsules += found.near_capsules[1];
                let colliding = undecided & scratch.filter.colliding;
                counts.colliding_rows += u64::from(colliding.count_ones());
                if goal == Goal::Any {
                    undecided &= !colliding;
                    for (lane, verdict) in
                        scratch.verdicts[start..start + len].iter_mut().enumerate()
                    {
                        *verdict |= colliding >> lane & 1 == 1;
                    }
                }
            }
            scratch.counts.exact_rows += u64::from(undecided.count_ones());
            while undecided != 0 {
                let lane = undecided.trailing_zeros() as usize;
                undecided &= undecided - 1;
                let index = start + lane;
                self.mechanism.poses_unchecked(row_values(index), &mut scratch.poses);
                let base = if bases.len() > 1 { bases.get(index) } else { bases.first() };
                let is_filtered = self.collect_open(lane, scratch);
                let row = OpenRow { index, base, is_filtered };
                visit(row, scratch).map_err(|error| error.in_row(index))?;
            }
        }
        Ok(())
    }

    /// Collects the open pairs of a row; returns `false` if it was not filtered, and all of its
    /// pairs are open.
    fn collect_open(&self, lane: usize, scratch: &mut CollisionBatchScratch<T>) -> bool {
        let CollisionBatchScratch { filter, open, likely, tallies, open_obstacles, .. } = scratch;
        open.clear();
        open_obstacles.clear();
        *likely = LikelyPairs::default();
        match &self.filter {
            Some(own) if filter.unfiltered >> lane & 1 == 0 => {
                let (pairs, others) = filter.open.split_at(own.pairs.len());
                let is_open = |open: &u32| open >> lane & 1 == 1;
                let pairs = own.pairs.iter().zip(pairs).enumerate();
                for (at, (pair, _)) in pairs.filter(|(_, (_, open))| is_open(open)) {
                    likely.add(at, tallies[at].score(filter.nearness[at].0[lane]));
                    open.push(pair.parts);
                }
                let others = self.obstacle_pairs.iter().zip(others).enumerate();
                for (at, (pair, _)) in others.filter(|(_, (_, open))| is_open(open)) {
                    let at = own.pairs.len() + at;
                    likely.add(at, tallies[at].score(filter.nearness[at].0[lane]));
                    open_obstacles.push(*pair);
                }
                true
            }
            _ => {
                open_obstacles.extend_from_slice(&self.obstacle_pairs);
                false
            }
        }
    }

    /// Returns `true` if any of the open pairs of a row touches, by single queries.
    fn any_touches(
        &self,
        row: OpenRow<'_, T>,
        scratch: &mut CollisionBatchScratch<T>,
    ) -> Result<bool, Error> {
        if let (Some(own), true) = (&self.filter, self.query.accuracy() == Accuracy::Exact)
            && self.any_likely_touches((row, own), scratch)?
        {
            return Ok(true);
        }
        let CollisionBatchScratch { poses, open, tallies, query, .. } = scratch;
        if !row.is_filtered || !open.is_empty() {
            let among = row.is_filtered.then_some(&open[..]);
            let found = self.model.any_touching(poses, self.query, among, query)?;
            if let Some(own) = &self.filter {
                // If a pair touches, it is not known which of the others were tested.
                let tested = found.as_ref().map_or(&open[..], std::slice::from_ref);
                for pair in tested {
                    if let Ok(at) = own.pairs.binary_search_by_key(pair, |own| own.parts) {
                        tallies[at].add(found.is_some());
                    }
                }
            }
            if found.is_some() {
                return Ok(true);
            }
        }
        if scratch.open_obstacles.is_empty() {
            return Ok(false);
        }
        Ok(self.touching_obstacles(row, Goal::Any, scratch)?.next().is_some())
    }

    /// Returns `true` if one of the likely pairs of a row touches; those that do not are no longer
    /// open.
    fn any_likely_touches(
        &self,
        (row, own): (OpenRow<'_, T>, &BatchFilter),
        scratch: &mut CollisionBatchScratch<T>,
    ) -> Result<bool, Error> {
        self.model.check_part_poses(&scratch.poses)?;
        let mut is_placed = false;
        for at in scratch.likely.indices() {
            let touches = match at.checked_sub(own.pairs.len()) {
                None => {
                    let CollisionBatchScratch { poses, open, query, .. } = &mut *scratch;
                    let parts = own.pairs[at].parts;
                    open.retain(|&pair| pair != parts);
                    self.model.touches(poses, parts, self.query, query)
                }
                Some(other) => {
                    if !is_placed {
                        self.place_in_world(row, scratch)?;
                        is_placed = true;
                    }
                    let pair = self.obstacle_pairs[other];
                    scratch.open_obstacles.retain(|&open| open != pair);
                    let CollisionBatchScratch { poses, placed, world, .. } = &mut *scratch;
                    self.posed_robot(row, poses, placed).touches(pair, world)
                }
            };
            scratch.tallies[at].add(touches);
            if touches {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds the pairs that touch in a row, by single queries of its open pairs.
    fn add_pairs(
        &self,
        row: OpenRow<'_, T>,
        scratch: &mut CollisionBatchScratch<T>,
    ) -> Result<(), Error> {
        let CollisionBatchScratch { poses, open, query, pairs, .. } = scratch;
        let pair = |a, b| BatchPair { row: row.index, a, b };
        let is_exact = self.query.accuracy() == Accuracy::Exact;
        if row.is_filtered && is_exact && open.len() <= LIKELY_PAIRS {
            // Few pairs need no broad phase of all parts.
            if !open.is_empty() {
                self.model.check_part_poses(poses)?;
            }
            for &(a, b) in &*open {
                if self.model.touches(poses, (a, b), self.query, query) {
                    pairs.push(pair(a, BatchPart::Robot(b)));
                }
            }
        } else if !row.is_filtered || !open.is_empty() {
            let among = row.is_filtered.then_some(&open[..]);
            let found = self.model.touching_among(poses, self.query, among, query)?;
            pairs.extend(found.iter().map(|&(a, b)| pair(a, BatchPart::Robot(b))));
        }
        if scratch.open_obstacles.is_empty() {
            return Ok(());
        }
        let mut pairs = std::mem::take(&mut scratch.pairs);
        let found = self.touching_obstacles(row, Goal::Parts, scratch).map(|found| {
            pairs.extend(found.map(|(a, (obstacle, part))| {
                pair(a, BatchPart::Obstacle { index: obstacle as usize, part })
            }));
        });
        scratch.pairs = pairs;
        found
    }

    /// Finds open pairs with obstacles that touch, ascending: all, or any one of them.
    fn touching_obstacles<'s>(
        &self,
        row: OpenRow<'_, T>,
        goal: Goal,
        scratch: &'s mut CollisionBatchScratch<T>,
    ) -> Result<impl Iterator<Item = ObstaclePair> + use<'s, T>, Error> {
        self.place_in_world(row, scratch)?;
        let CollisionBatchScratch { poses, placed, open_obstacles, world, .. } = scratch;
        Ok(self.posed_robot(row, poses, placed).touching(open_obstacles, goal, world))
    }

    /// Places the robot in the world if it has a base.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a part that the base places too far.
    fn place_in_world(
        &self,
        row: OpenRow<'_, T>,
        scratch: &mut CollisionBatchScratch<T>,
    ) -> Result<(), Error> {
        let Some(base) = row.base else { return Ok(()) };
        let CollisionBatchScratch { poses, placed, .. } = scratch;
        placed.clear();
        placed.extend(poses.iter().map(|pose| base * pose));
        // Products may be out of range.
        self.model.check_part_poses(placed)
    }

    /// Returns the robot among its obstacles: by its poses, or if there is a base by those placed.
    fn posed_robot<'r>(
        &'r self,
        row: OpenRow<'_, T>,
        poses: &'r [Pose<T>],
        placed: &'r [Pose<T>],
    ) -> PosedRobot<'r, T> {
        let poses = if row.base.is_some() { placed } else { poses };
        PosedRobot { model: &self.model, poses, obstacles: &self.obstacles, query: self.query }
    }
}

/// Number of pairs that are tested one by one, without a broad phase of all parts.
const LIKELY_PAIRS: usize = 3;

/// The open pairs of a row that most likely touch, the likeliest first: one that touches decides
/// its row.
#[derive(Debug, Clone, Copy, Default)]
struct LikelyPairs {
    /// Score, and the index of the pair.
    pairs: [(f32, usize); LIKELY_PAIRS],
}

impl LikelyPairs {
    fn add(&mut self, index: usize, score: f32) {
        let mut next = (score, index);
        for pair in self.pairs.iter_mut().filter(|pair| score > pair.0) {
            std::mem::swap(pair, &mut next);
        }
    }

    fn indices(self) -> impl Iterator<Item = usize> {
        self.pairs.into_iter().filter(|(score, _)| *score > 0.0).map(|(_, index)| index)
    }
}

/// Tests of a pair in one check of rows.
#[derive(Debug, Clone, Copy)]
struct PairTally {
    tests: u32,
    touches: u32,
    /// Share of tests in which it touched, by Laplace's rule of succession.
    share: f32,
}

impl Default for PairTally {
    fn default() -> Self {
        PairTally { tests: 0, touches: 0, share: 0.5 }
    }
}

impl PairTally {
    fn add(&mut self, touches: bool) {
        self.tests += 1;
        self.touches += u32::from(touches);
        self.share = (self.touches as f32 + 1.0) / (self.tests as f32 + 2.0);
    }

    /// Returns a positive number, the larger the likelier the pair touches: the more often it did,
    /// and the more its capsules overlap.
    #[inline]
    fn score(&self, nearness: f32) -> f32 {
        self.share * (1.5 - nearness)
    }
}

/// The parts of a model that have geometry.
fn parts_with_geometry<T: Scalar>(
    model: &Model<T>,
) -> impl Iterator<Item = (PartId, &Part<T>)> + Clone {
    let parts = model.parts().iter().enumerate();
    parts.map(|(part, own)| (PartId::new(part), own)).filter(|(_, own)| own.tree().is_some())
}
