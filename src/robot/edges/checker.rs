//! The queries about edges.

use super::edge::{Edge, EdgePart, PathEdge};
use super::obstacles::Obstacles;
use super::pairs::{OwnPair, Pairing};
use super::samples::Sampling;
use super::scratch::EdgeScratch;
use super::search::{Answer, EdgeSearch, Found};
use super::states::{Other, STEPS, fraction};
use crate::error::Error;
use crate::model::{Model, PartId, SelfQuery};
use crate::motion::Mechanism;
use crate::num::{Scalar, precompiled};
use crate::robot::chains::{ChainLink, ChainTable, LinkMotion, SampleError, chain_links};
use crate::robot::part_ball::PartBall;
use crate::scene::{CharacterKey, Snapshot};
use crate::shape::{Pose, check_poses};
use crate::tree::{Accuracy, Counts, check_margin};

/// Checks whole edges of a robot: the straight ways between two configurations, on which every
/// joint moves at a constant rate.
///
/// Nothing is sampled and hoped for: a verdict of [`Edge::Free`] is a proof for every configuration
/// between, [`Edge::Collides`] names a configuration at which the exact test says so, and
/// [`Edge::Undecided`] is left only where two parts come within the tolerance.
///
/// - *Continuous joints* (actuators without limits) take the way of the given values: from 3 to -3
///   an edge turns back through 0. To go the short way round, add or subtract a full turn.
/// - *Mimic joints* follow their actuators.
/// - *Pairs* are those that [`Model::self_intersects`] tests, with the model's own margins where
///   these are larger than the [margin](EdgeChecker::margin).
///
/// ```
/// use boxwood::f64::{Geometry, Model, Obb};
/// use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::robot::{Edge, EdgeChecker, EdgeScratch};
/// use boxwood::Build;
///
/// // An arm of length 1 turns about z; a post stands at an angle of 90 degrees.
/// let still = |name: &str, x: f64, y: f64| Link {
///     name: name.into(),
///     parent: None,
///     origin: Isometry3::translation(x, y, 0.0),
///     joint: JointKind::Fixed,
/// };
/// let joint = JointKind::Revolute { axis: Vector3::z(), mimic: Mimic::direct(0) };
/// let arm = Link { name: "arm".into(), parent: None, origin: Isometry3::identity(), joint };
/// let shoulder = Actuator { name: "shoulder".into(), limits: Some([-3.0, 3.0]) };
/// let robot = Mechanism::new(vec![still("post", 0.0, 0.9), arm], vec![shoulder])?;
/// let cube = |center: f64, half: [f64; 3]| {
///     let half = Vector3::from(half);
///     let solid = Obb::from_pose(&Isometry3::translation(center, 0.0, 0.0), half);
///     solid.map(|solid| Geometry::Boxes(vec![solid]))
/// };
/// let model = Model::builder()
///     .part("post", None, cube(0.0, [0.01; 3])?)
///     .part("arm", None, cube(0.5, [0.5, 0.01, 0.01])?)
///     .build(&Build::default())?;
///
/// let (checker, mut scratch) = (EdgeChecker::new(&robot, &model)?, EdgeScratch::default());
/// assert!(checker.check(&[-1.0], &[1.5], &mut scratch)?.is_free()); // stops short of the post
/// let Edge::Collides { values, .. } = checker.check(&[0.0], &[3.0], &mut scratch)? else {
///     panic!("the post is in the way, and neither end shows it");
/// };
/// assert!((values[0] - 1.57).abs() < 0.03);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct EdgeChecker<'a, T: Scalar> {
    mechanism: &'a Mechanism,
    model: &'a Model<T>,
    links: Vec<ChainLink>,
    balls: Vec<Option<PartBall>>,
    pairs: Vec<OwnPair>,
    chains: ChainTable,
    obstacles: Obstacles<'a, T>,
    /// Pose of the model in the world; `None` for the frame of the world.
    base: Option<Pose<T>>,
    tests_itself: bool,
    margin: f64,
    tolerance: f64,
}

/// The tolerance of a checker that sets none. World units.
const DEFAULT_TOLERANCE: f64 = 0.001;

/// The collision that a query is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgeGoal {
    Any,
    First,
}

precompiled! {
    fn search<'a, T>(
        checker: &'a EdgeChecker<'a, T>,
        ends: [&'a [T]; 2],
        goal: EdgeGoal,
        scratch: &'a mut EdgeScratch<T>,
    ) -> Result<Answer, Error> {
        checker.search_checked(ends, goal, scratch)
    }
}

impl<'a, T: Scalar> EdgeChecker<'a, T> {
    /// Creates a checker of a robot: part `i` of the model moves with link `i` of the mechanism.
    /// Without a world, a margin of 0 and a tolerance of 0.001.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is a part for every link.
    pub fn new(mechanism: &'a Mechanism, model: &'a Model<T>) -> Result<Self, Error> {
        model.check_links(mechanism)?;
        let links = chain_links(mechanism);
        let balls = model.parts().iter().map(|part| part.tree().map(PartBall::of_tree)).collect();
        let has_geometry = |part: PartId| model.parts()[part.index()].tree().is_some();
        let mut chains = ChainTable::default();
        let pairs = model
            .tested_pairs()
            .filter(|&(a, b)| has_geometry(a) && has_geometry(b) && model.groups_interact((a, b)))
            .map(|(a, b)| {
                let base = mechanism.common_ancestor(a.index(), b.index()).map(|link| link as u32);
                let chain = |part: PartId| chains.add(&links, (base, part.index() as u32));
                OwnPair { parts: [a, b], base, chains: [a, b].map(chain) }
            })
            .collect();
        Ok(EdgeChecker {
            mechanism,
            model,
            links,
            balls,
            pairs,
            chains,
            obstacles: Obstacles::none(),
            base: None,
            tests_itself: true,
            margin: 0.0,
            tolerance: DEFAULT_TOLERANCE,
        })
    }

    /// Tests the robot also against all parts of a snapshot, which stand still. The robot's model
    /// frame is the world's, unless it has a [base](EdgeChecker::base). Groups of parts count;
    /// switched-off parts do not.
    ///
    /// # Errors
    /// None for a snapshot of its own scene.
    pub fn world(self, now: &Snapshot<'a, T>) -> Result<Self, Error> {
        self.world_without(now, &[])
    }

    /// Like [`EdgeChecker::world`], without the parts of some characters: the robot itself, if the
    /// scene has it.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn world_without(
        self,
        now: &Snapshot<'a, T>,
        without: &[CharacterKey],
    ) -> Result<Self, Error> {
        let obstacles = Obstacles::new(now, without, self.base.as_ref())?;
        Ok(EdgeChecker { obstacles, ..self })
    }

    /// Sets the pose of the robot's model in the world, at which it stands on the whole edge: that
    /// of a mobile base. Before or after the [world](EdgeChecker::world) is given; again for
    /// another place in the same world.
    ///
    /// Parts of the world are placed in the robot's frame, and their poses there are rounded to
    /// `T`. Verdicts are about these poses: they put points off by at most 2^-22 of the
    /// distances of base and part from the world's origin and the part's size in single precision,
    /// 2^-51 in double.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for the pose.
    pub fn base(mut self, base: &Pose<T>) -> Result<Self, Error> {
        check_poses(std::slice::from_ref(base), "base")?;
        self.base = Some(*base);
        self.obstacles.set_base(self.base.as_ref());
        Ok(self)
    }

    /// Sets whether the parts of the robot are tested against each other; they are by default.
    pub fn self_collision(self, tests_itself: bool) -> Self {
        EdgeChecker { tests_itself, ..self }
    }

    /// Sets the distance up to which parts count as touching; 0 by default. World units.
    pub fn margin(self, margin: impl Into<f64>) -> Self {
        EdgeChecker { margin: margin.into(), ..self }
    }

    /// Sets the distance beyond the margin below which two parts may be left
    /// [undecided](Edge::Undecided), above 0; 0.001 by default. World units. The smaller, the more
    /// intervals an edge takes that comes close; none is so short as to decide what the rounding of
    /// poses hides, some millionths of the robot's size in single precision.
    pub fn tolerance(self, tolerance: impl Into<f64>) -> Self {
        EdgeChecker { tolerance: tolerance.into(), ..self }
    }

    /// Checks an edge for any collision. Swapped ends give a verdict of the same kind.
    ///
    /// # Errors
    /// In [`Error::Row`], 0 for `from` and 1 for `to`: [`Error::WrongCount`] unless there is a
    /// value for each actuator, [`Error::NotFinite`] and [`Error::OutOfRange`] naming the value by
    /// the actuator's index, [`Error::BeyondLimits`] naming the actuator. [`Error::NotFinite`],
    /// [`Error::Negative`] and [`Error::BadQuery`] for the margin and the tolerance.
    pub fn check<'s>(
        &self,
        from: &[T],
        to: &[T],
        scratch: &'s mut EdgeScratch<T>,
    ) -> Result<Edge<'s, T>, Error> {
        self.search_edge([from, to], EdgeGoal::Any, scratch)
    }

    /// Checks an edge for its first collision: like [`EdgeChecker::check`], but
    /// [`Edge::Collides`] has the earliest fraction at which a sample touches, and the fraction
    /// before which the edge is proved free.
    ///
    /// Between the two, parts are within the tolerance, or proved apart.
    ///
    /// # Errors
    /// The errors of [`EdgeChecker::check`].
    pub fn first<'s>(
        &self,
        from: &[T],
        to: &[T],
        scratch: &'s mut EdgeScratch<T>,
    ) -> Result<Edge<'s, T>, Error> {
        self.search_edge([from, to], EdgeGoal::First, scratch)
    }

    /// Checks the edges of a path, in order, up to the first that is not free. `rows` has the
    /// configurations one after another; a single one is an edge of no length.
    ///
    /// # Errors
    /// [`Error::Empty`] without a row, [`Error::WrongCount`] unless the rows are complete; the
    /// errors of [`EdgeChecker::check`] with the index of the row. All rows are checked before any
    /// edge.
    pub fn check_path<'s>(
        &self,
        rows: &[T],
        scratch: &'s mut EdgeScratch<T>,
    ) -> Result<PathEdge<'s, T>, Error> {
        let width = self.mechanism.actuators().len();
        // A robot without actuators has one configuration.
        let count = rows.len().checked_div(width).unwrap_or(1);
        if count == 0 && rows.is_empty() {
            return Err(Error::Empty { field: "path" });
        }
        if count * width != rows.len() {
            let (expected, found) = ((count + 1) * width, rows.len());
            return Err(Error::WrongCount { field: "actuator values", expected, found });
        }
        let row = |index: usize| &rows[index * width..(index + 1) * width];
        self.check_settings()?;
        for index in 0..count {
            let checked = self.mechanism.check_configuration(row(index));
            checked.map_err(|error| error.in_row(index))?;
        }
        let edges = count.max(2) - 1;
        let mut clearance = f64::INFINITY;
        for index in 0..edges {
            let ends = [row(index), row((index + 1).min(count - 1))];
            let answer = search(self, ends, EdgeGoal::Any, scratch)?;
            match answer {
                Answer::Free(least) => clearance = clearance.min(least),
                other => return Ok(PathEdge { index, edge: self.edge(other, ends, scratch) }),
            }
        }
        let edge = Edge::Free { clearance_at_least: clearance };
        Ok(PathEdge { index: edges, edge })
    }

    fn search_edge<'s>(
        &self,
        ends: [&[T]; 2],
        goal: EdgeGoal,
        scratch: &'s mut EdgeScratch<T>,
    ) -> Result<Edge<'s, T>, Error> {
        self.check_ends(ends)?;
        let answer = search(self, ends, goal, scratch)?;
        Ok(self.edge(answer, ends, scratch))
    }

    fn check_settings(&self) -> Result<(), Error> {
        check_margin(self.margin, 0)?;
        Accuracy::Within(self.tolerance).check()?;
        match self.tolerance > 0.0 {
            true => Ok(()),
            false => Err(Error::BadQuery {
                reason: "edges need a tolerance above zero: where parts only graze, no number of \
                         samples decides",
            }),
        }
    }

    fn check_ends(&self, ends: [&[T]; 2]) -> Result<(), Error> {
        self.check_settings()?;
        let mut rows = ends.into_iter().enumerate();
        rows.try_for_each(|(row, values)| {
            self.mechanism.check_configuration(values).map_err(|error| error.in_row(row))
        })
    }

    fn pairing(&self) -> Pairing<'_, T> {
        let EdgeChecker { model, balls, obstacles, .. } = self;
        Pairing { model, balls, obstacles }
    }

    fn sampling<'e>(&'e self, ends: [&'e [T]; 2]) -> Sampling<'e, T> {
        let EdgeChecker { mechanism, links, balls, .. } = self;
        Sampling { mechanism, links, balls, ends }
    }

    /// Searches an edge with valid ends.
    fn search_checked(
        &self,
        ends: [&[T]; 2],
        goal: EdgeGoal,
        work: &mut EdgeScratch<T>,
    ) -> Result<Answer, Error> {
        (work.samples, work.tree.counts) = (0, Counts::default());
        let query = SelfQuery::new(Accuracy::Exact).margin(self.margin);
        let own = (self.tests_itself && !self.pairs.is_empty()).then_some(query);
        let (sampling, pairing, tolerance) = (self.sampling(ends), self.pairing(), self.tolerance);
        let search = EdgeSearch { sampling, pairing, own, tolerance };
        self.collect_pairs(&search, query, work);
        match goal {
            EdgeGoal::Any => search.any(work),
            EdgeGoal::First => search.first(work),
        }
    }

    /// Collects the pairs of the edge: own parts, and obstacles within reach.
    fn collect_pairs(
        &self,
        search: &EdgeSearch<'_, T>,
        query: SelfQuery,
        work: &mut EdgeScratch<T>,
    ) {
        work.links.clear();
        work.errors.clear();
        work.pairs.clear();
        for link in &self.links {
            let motion = LinkMotion::new(link, search.sampling.ends);
            let above =
                link.parent.map_or_else(SampleError::default, |at| work.errors[at as usize]);
            work.links.push(motion);
            work.errors.push(above.below(&motion));
        }
        if search.own.is_some() {
            self.chains.write_bounds(&work.links, &mut work.chains);
            for pair in &self.pairs {
                let [a, b] = pair.parts;
                let margin = self.model.requested_margin((a, b), query.asked_margin());
                let motion = search.pairing.own_motion(pair, margin, work);
                work.pairs.extend(motion);
            }
        }
        if self.obstacles.is_empty() {
            return;
        }
        // The ball of a part moves by at most half of its path from the middle of the edge.
        search.sampling.pose(STEPS / 2, work);
        search.sampling.compute_motions(work);
        let mut near = std::mem::take(&mut work.near);
        for (at, part) in self.model.parts().iter().enumerate() {
            let Some(swept) = search.pairing.swept_ball(at as u32, self.margin, work) else {
                continue;
            };
            self.obstacles.find_near(work.tree.simd, &swept, &mut near);
            for &obstacle in &near {
                if part.groups().interacts_with(self.obstacles.part(obstacle).groups) {
                    let pairing = &search.pairing;
                    let motion = pairing.obstacle_motion(at as u32, obstacle, self.margin, work);
                    work.pairs.extend(motion);
                }
            }
        }
        work.near = near;
    }

    /// Returns the verdict of an answer.
    fn edge<'s>(
        &self,
        answer: Answer,
        ends: [&[T]; 2],
        scratch: &'s mut EdgeScratch<T>,
    ) -> Edge<'s, T> {
        let (found, collides) = match answer {
            Answer::Free(clearance) => {
                // Obstacles out of reach are further away than the margin.
                let least = if self.obstacles.is_empty() { f64::INFINITY } else { self.margin };
                return Edge::Free { clearance_at_least: clearance.min(least) };
            }
            Answer::Collides(found) => (found, true),
            Answer::Undecided(found) => (found, false),
        };
        let Found { step, a, b, slack, clear_until } = found;
        self.sampling(ends).write_values(step, &mut scratch.values);
        let (values, a) = (&scratch.values[..], PartId::new(a as usize));
        let b = match b {
            Other::Robot(part) => EdgePart::Robot(PartId::new(part as usize)),
            Other::Obstacle(index) => {
                let obstacle = self.obstacles.part(index);
                EdgePart::World { character: obstacle.character, part: obstacle.part }
            }
        };
        let (fraction, clear_until) = (fraction(step), fraction(clear_until));
        match collides {
            true => Edge::Collides { fraction, values, a, b, clear_until },
            false => Edge::Undecided { fraction, values, a, b, slack },
        }
    }
}
