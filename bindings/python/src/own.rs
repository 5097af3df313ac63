//! Queries about one configuration of a robot: against itself and against a world.

use boxwood::f64::{CollisionBatchScratch, Pose, SelfQueryScratch};
use boxwood::load;
use boxwood::nalgebra::Point3;
use boxwood::robot::EdgeScratch;
use boxwood::{Accuracy, Error, PairQuery, SelfQuery};

use crate::places::{Places, Row};
use crate::rows::Lease;
use crate::world::{World, WorldScratch};

/// Scratch memory of a robot's queries.
#[derive(Debug, Default)]
pub struct RobotScratch {
    /// Poses of the links in the frame of the base.
    pub poses: Vec<Pose>,
    /// Poses of the links in the frame of the world, for a base that is elsewhere.
    placed: Vec<Pose>,
    pub own: SelfQueryScratch,
    pub batch: CollisionBatchScratch,
    pub edge: EdgeScratch<f64>,
}

/// Scratch memory of a thread.
pub struct Thread<'p> {
    pub robot: Lease<'p, RobotScratch>,
    pub world: Option<Lease<'p, WorldScratch>>,
}

/// Query that runs for every configuration.
pub struct Question<'a> {
    pub robot: &'a load::Robot<f64>,
    pub world: Option<&'a World>,
    /// `true` to test the robot's parts against each other.
    pub own: bool,
    pub accuracy: Accuracy,
    pub margin: f64,
    pub places: Places,
}

/// The closest points of two parts, or of a part and one of the world.
#[derive(Debug, Clone, Copy)]
pub struct Nearest {
    pub distance: f64,
    pub a: i64,
    pub b: i64,
    pub on_a: Point3<f64>,
    pub on_b: Point3<f64>,
}

impl RobotScratch {
    /// Returns the poses of the links in the world.
    pub fn in_world(&mut self, base: Option<&Pose>) -> &[Pose] {
        let Some(base) = base else { return &self.poses };
        self.placed.clear();
        self.placed.extend(self.poses.iter().map(|pose| base * pose));
        &self.placed
    }
}

impl<'p> Thread<'p> {
    /// Places the robot, whose links are posed, and the items in the world of a row; returns that
    /// world and the poses of the links in it. `None` without a world.
    pub fn placed_in_world(
        &mut self,
        places: &Places,
        row: usize,
    ) -> Result<Option<(&mut WorldScratch, &[Pose])>, Error> {
        let Some(world) = self.world.as_deref_mut() else { return Ok(None) };
        let poses = self.robot.in_world(places.base(row));
        if let Some(items) = places.items(row) {
            world.move_items(items)?;
        }
        world.scene.set_parts(world.key, poses)?;
        Ok(Some((world, poses)))
    }
}

impl Question<'_> {
    /// Poses all links in the frame of the base; refuses values that are not finite or beyond the
    /// limits.
    pub fn pose(&self, thread: &mut Thread<'_>, row: Row<'_>) -> Result<(), Error> {
        self.robot.mechanism.poses(row.values, &mut thread.robot.poses)
    }

    pub fn collides(&self, thread: &mut Thread<'_>, row: Row<'_>) -> Result<bool, Error> {
        self.pose(thread, row)?;
        let RobotScratch { poses, own, .. } = &mut *thread.robot;
        let query = SelfQuery::new(self.accuracy).margin(self.margin);
        if self.own && self.robot.model.self_intersects(poses, query, own)? {
            return Ok(true);
        }
        self.posed_hits_world(thread, row.index)
    }

    /// Returns a query with the accuracy and the margin.
    pub fn configured(&self, query: PairQuery<'static>) -> PairQuery<'static> {
        query.accuracy(self.accuracy).margin(self.margin)
    }

    /// Returns `true` if the robot touches the world.
    pub fn hits_world(&self, thread: &mut Thread<'_>, row: Row<'_>) -> Result<bool, Error> {
        self.pose(thread, row)?;
        self.posed_hits_world(thread, row.index)
    }

    fn posed_hits_world(&self, thread: &mut Thread<'_>, row: usize) -> Result<bool, Error> {
        let Some((world, _)) = thread.placed_in_world(&self.places, row)? else {
            return Ok(false);
        };
        let query = self.configured(PairQuery::of(world.key));
        let now = world.scene.snapshot(&mut world.buffers);
        now.intersects(&query, world.hits.scratch())
    }

    /// Appends the touching pairs of parts; indices of the world's parts follow those of the
    /// robot's.
    pub fn pairs(
        &self,
        thread: &mut Thread<'_>,
        row: Row<'_>,
        pairs: &mut Vec<[i64; 2]>,
    ) -> Result<(), Error> {
        self.pose(thread, row)?;
        let RobotScratch { poses, own, .. } = &mut *thread.robot;
        let query = SelfQuery::new(self.accuracy).margin(self.margin);
        if self.own {
            let found = self.robot.model.self_pairs(poses, query, own)?;
            pairs.extend(found.iter().map(|(a, b)| [a.index() as i64, b.index() as i64]));
        }
        self.posed_world_pairs(thread, row.index, pairs)
    }

    /// Appends the pairs with parts of the world.
    pub fn world_pairs(
        &self,
        thread: &mut Thread<'_>,
        row: Row<'_>,
        pairs: &mut Vec<[i64; 2]>,
    ) -> Result<(), Error> {
        self.pose(thread, row)?;
        self.posed_world_pairs(thread, row.index, pairs)
    }

    fn posed_world_pairs(
        &self,
        thread: &mut Thread<'_>,
        row: usize,
        pairs: &mut Vec<[i64; 2]>,
    ) -> Result<(), Error> {
        let Some((world, _)) = thread.placed_in_world(&self.places, row)? else {
            return Ok(());
        };
        let query = self.configured(PairQuery::of(world.key));
        let now = world.scene.snapshot(&mut world.buffers);
        now.pairs(&query, &mut world.hits)?;
        for (a, b) in world.hits.pairs() {
            pairs.push([a.part.index() as i64, world.part_index(*b)?]);
        }
        Ok(())
    }

    /// Returns the closest points, in the world; `None` if all parts are further apart than `most`.
    pub fn nearest(
        &self,
        thread: &mut Thread<'_>,
        row: Row<'_>,
        most: f64,
    ) -> Result<Option<Nearest>, Error> {
        self.pose(thread, row)?;
        let RobotScratch { poses, own, .. } = &mut *thread.robot;
        let mut nearest = None;
        if self.own {
            let found = self.robot.model.self_distance(poses, self.accuracy, most, own)?;
            let placed = |point| self.places.base(row.index).map_or(point, |base| base * point);
            nearest = found.map(|found| Nearest {
                distance: found.distance,
                a: found.a.part.index() as i64,
                b: found.b.part.index() as i64,
                on_a: placed(found.on_a),
                on_b: placed(found.on_b),
            });
        }
        let Some((world, _)) = thread.placed_in_world(&self.places, row.index)? else {
            return Ok(nearest);
        };
        let most = nearest.map_or(most, |nearest| nearest.distance);
        let query = PairQuery::of(world.key).accuracy(self.accuracy).max_distance(most);
        let now = world.scene.snapshot(&mut world.buffers);
        let found = now.distance(&query, world.hits.scratch())?;
        let found = found.filter(|found| nearest.is_none_or(|own| found.distance < own.distance));
        let Some(found) = found else { return Ok(nearest) };
        Ok(Some(Nearest {
            distance: found.distance,
            a: found.a.part.index() as i64,
            b: world.part_index(found.b)?,
            on_a: found.on_a,
            on_b: found.on_b,
        }))
    }
}

/// Largest number of configurations that are tested along one edge, and of pieces of one.
pub const MAX_STEPS: f64 = 1e7;

/// Fraction of the edge of a row at which it first collides; not a number if it does not.
pub fn first(
    question: &Question<'_>,
    thread: &mut Thread<'_>,
    (index, [from, to]): (usize, [&[f64]; 2]),
    steps: &[f64],
) -> Result<f64, Error> {
    let ways = from.iter().zip(to).zip(steps);
    let most = ways.map(|((from, to), step)| (to - from).abs() / step).fold(0.0, f64::max);
    if most > MAX_STEPS {
        return Err(Error::BadQuery { reason: "the edge needs more than ten million steps" });
    }
    let count = most.ceil().max(1.0);
    let mut values = from.to_vec();
    for step in 0..=count as usize {
        let share = step as f64 / count;
        place_between([from, to], share, &mut values);
        if question.collides(thread, Row { index, values: &values })? {
            return Ok(share);
        }
    }
    Ok(f64::NAN)
}

/// Computes the joint values at a share of an edge.
pub fn place_between([from, to]: [&[f64]; 2], share: f64, values: &mut [f64]) {
    for ((value, &from), &to) in values.iter_mut().zip(from).zip(to) {
        // Clamped to the ends, which rounding may exceed.
        let between = from + (to - from) * share;
        let within = between.max(from.min(to)).min(from.max(to));
        *value = if share == 1.0 { to } else { within };
    }
}

/// Random numbers in `0.0..1.0` by SplitMix64. Source: Steele, Lea, Flood, Fast splittable
/// pseudorandom number generators (2014).
pub struct Uniform(pub u64);

impl Uniform {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
