//! Crowds: walkers that block each other and move in one fixed order.

use nalgebra::{Isometry3, Point3, Vector3};

use super::body::{BodyId, BodyMotion, BodyPose};
use super::crowd_grid::CrowdGrid;
use super::passages::{WalkLeg, legs_of, passages_of};
use super::placed_cylinder::PlacedCylinder;
use super::push::PushOutcome;
use super::slide::{Obstacle, SlideLists, Slider};
use super::walk_path::WalkPath;
use super::walker::{Squeeze, WalkReport, WalkScratch, Walker};
use super::walker_state::WalkerState;
use super::world::{BrushFilter, BrushId, BrushWorld};
use crate::error::Error;
use crate::num::linear::{Vec3, dot, length, sub};
use crate::num::{Scalar, check_coordinates};
use crate::pair::CastHit;
use crate::shape::{nearest_point, wide_point};

/// Greatest number of walkers that one push moves out of the way, one behind another.
const MAX_SHOVES: u32 = 64;

/// Crowd of walkers that see each other: a walker keeps its skin from the others as from brushes,
/// and slides along them.
///
/// Walkers move one after another, ascending by `order`, each against the end positions of those
/// before it and the start positions of those behind it. A pair that was apart before a tick is
/// apart after it, unless a moving brush leaves no free place: then [`WalkReport::squeezed`] of
/// both names the pair. A pair that is inside each other at first may only part. Riders of moving
/// bodies are carried before anybody walks, the foremost first, so that those behind find the place
/// free.
///
/// A tick is a [`push`](WalkerCrowd::push) for each body that has moved, then a
/// [`walk`](WalkerCrowd::walk). Results are a function of the walkers, the world and the
/// displacements; the history of insertions has no influence. Nothing is allocated once the buffers
/// are warm. A clone is a saved crowd.
///
/// Two walkers block each other if the groups of their filters interact. No step is taken up onto
/// others, and their heads are no ground: [`Walker::rests_on_heads`].
///
/// ```
/// use boxwood::brush::{Brush, BrushWorld, WalkScratch, Walker, WalkerCrowd};
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
///
/// let slab = Aabb::new(Point3::new(-9.0, -9.0, -1.0), Point3::new(9.0, 9.0, 0.0));
/// let mut level = BrushWorld::builder();
/// level.push(Brush::from_aabb(&slab)?, CollisionGroups::ALL);
/// let level = level.build()?;
///
/// let walker = Walker::new(UprightCylinder::new(0.4, 0.9)?).step(0.45);
/// let (mut crowd, mut scratch) = (WalkerCrowd::new(), WalkScratch::new());
/// for (order, x) in [(1, -2.0), (2, 2.0)] {
///     let at = walker.stand_at_feet(&level, Point3::new(x, 0.0, 0.0), &mut scratch)?;
///     crowd.insert(order, walker, at)?;
/// }
/// // Two walkers that want through each other.
/// for _ in 0..60 {
///     crowd.walk(&level, |one| {
///         let towards = if one.order == 1 { 0.05 } else { -0.05 };
///         Vector3::new(towards, 0.0, -0.1)
///     })?;
/// }
/// let [a, b] = [1, 2].map(|order| crowd.get(order).expect("a walker").state.position());
/// assert!(b.x - a.x >= 0.8 && b.x - a.x < 0.81);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WalkerCrowd<T: Scalar> {
    /// Ascending by order.
    walkers: Vec<CrowdWalker<T>>,
    /// Path of the current tick of each walker.
    paths: Vec<WalkPath>,
    pushing: bool,
    /// Set after a walk: the next call begins a tick.
    is_tick_over: bool,
    buffers: CrowdBuffers,
}

/// Walker of a [`WalkerCrowd`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct CrowdWalker<T: Scalar> {
    /// Number that the caller chose; walkers move ascending by it.
    pub order: u64,
    /// Size and rules of the walker.
    pub walker: Walker<T>,
    /// Position and ground.
    pub state: WalkerState<T>,
    /// Report of the last walk. [`WalkReport::moved`] is the displacement by the whole walk, rides
    /// and pushes by other walkers included, without the pushes before it.
    pub report: WalkReport<T>,
    /// Outcome of the last [`WalkerCrowd::push`].
    pub pushed: PushOutcome<T>,
    /// Position at the beginning of the walk.
    begin: Point3<T>,
}

#[derive(Debug, Clone, Default)]
struct CrowdBuffers {
    /// Walkers as obstacles, by their index.
    placed: Vec<PlacedCylinder>,
    grid: CrowdGrid,
    scratch: WalkScratch,
    wishes: Vec<Vec3>,
    riders: Vec<Rider>,
    /// Walkers of the chain that is being moved out of the way.
    is_in_chain: Vec<bool>,
    /// Walkers that the current body has pushed, or does not reach.
    is_pushed: Vec<bool>,
    shoves_left: u32,
}

/// Body that has moved and pushes.
struct BodyPush<'p, T: Scalar> {
    body: BodyId,
    before: &'p Isometry3<T>,
    pose_before: BodyPose,
}

/// Walker on a moving ground.
#[derive(Debug, Clone, Copy)]
struct Rider {
    index: usize,
    body: BodyId,
    carry: Vec3,
    /// Position along the displacement, times its length.
    front: f64,
}

impl<T: Scalar> Default for WalkerCrowd<T> {
    fn default() -> Self {
        WalkerCrowd::new()
    }
}

impl<T: Scalar> WalkerCrowd<T> {
    /// Creates a crowd without walkers.
    pub fn new() -> Self {
        WalkerCrowd {
            walkers: Vec::new(),
            paths: Vec::new(),
            pushing: false,
            is_tick_over: true,
            buffers: CrowdBuffers::default(),
        }
    }

    /// Sets if walkers push: one that walks into others moves them ahead, as far as there is room
    /// for them, before it walks itself. Default: others block.
    pub fn pushing(mut self, pushing: bool) -> Self {
        self.pushing = pushing;
        self
    }

    /// Inserts a walker. It may be inside others: then the pair may only part.
    ///
    /// # Errors
    /// [`Error::DuplicateOrder`] for an order that is taken.
    pub fn insert(
        &mut self,
        order: u64,
        walker: Walker<T>,
        state: WalkerState<T>,
    ) -> Result<(), Error> {
        let Err(index) = self.index(order) else { return Err(Error::DuplicateOrder { order }) };
        let report = WalkReport::at_rest(state.ground());
        let (pushed, begin) = (PushOutcome::Clear, state.position());
        let one = CrowdWalker { order, walker, state, report, pushed, begin };
        self.walkers.insert(index, one);
        self.paths.insert(index, WalkPath::default());
        Ok(())
    }

    /// Removes a walker; `None` if there is none of this order.
    pub fn remove(&mut self, order: u64) -> Option<CrowdWalker<T>> {
        let index = self.index(order).ok()?;
        self.paths.remove(index);
        Some(self.walkers.remove(index))
    }

    /// Sets size, rules and state of a walker: after a [`Walker::resize`], or to put it elsewhere.
    /// Returns `false` if there is none of this order.
    pub fn set(&mut self, order: u64, walker: Walker<T>, state: WalkerState<T>) -> bool {
        let Ok(index) = self.index(order) else { return false };
        (self.walkers[index].walker, self.walkers[index].state) = (walker, state);
        true
    }

    /// Returns a walker by its order.
    pub fn get(&self, order: u64) -> Option<&CrowdWalker<T>> {
        self.index(order).ok().map(|index| &self.walkers[index])
    }

    /// Returns all walkers, ascending by order.
    pub fn walkers(&self) -> &[CrowdWalker<T>] {
        &self.walkers
    }

    /// Returns the number of walkers.
    pub fn len(&self) -> usize {
        self.walkers.len()
    }

    /// Returns `true` if there is no walker.
    pub fn is_empty(&self) -> bool {
        self.walkers.is_empty()
    }

    /// Moves all walkers as [`Walker::walk`] does, among the others, and ends the tick.
    ///
    /// `displacement` is called for each walker, ascending by order, before any moves. It returns
    /// the displacement of the whole tick, falling included.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for a displacement, with the index of the walker
    /// in [`WalkerCrowd::walkers`]; as [`Walker::skin_in`]. Nothing has moved then.
    pub fn walk(
        &mut self,
        world: &BrushWorld,
        mut displacement: impl FnMut(&CrowdWalker<T>) -> Vector3<T>,
    ) -> Result<(), Error> {
        let wishes = &mut self.buffers.wishes;
        wishes.clear();
        for (index, one) in self.walkers.iter().enumerate() {
            one.walker.slider(world)?;
            let wish = displacement(one);
            check_coordinates(wish.as_slice(), "displacement", index)?;
            wishes.push(world.up().to_z(wide_point(wish.into())));
        }
        self.begin_calls(world);
        for one in &mut self.walkers {
            one.begin = one.state.position();
            (one.report.bumps, one.report.casts) = (0, 0);
        }
        self.carry_riders(world)?;
        for index in 0..self.walkers.len() {
            if self.pushing {
                self.push_ahead(world, index)?;
            }
            self.walk_one(world, index)?;
        }
        for one in &mut self.walkers {
            one.report.moved = one.state.position() - one.begin;
        }
        self.is_tick_over = true;
        Ok(())
    }

    /// Moves the walkers out of the way of a body that [`BrushWorld::set_pose`] has just moved, as
    /// [`Walker::push`] does for one; `before` is the pose which that call returned. Outcomes are
    /// in [`CrowdWalker::pushed`].
    ///
    /// A pushed walker moves others ahead that are in its way, as far as there is room for them: at
    /// most 64, one behind another. Where there is none, the brush counts: the walker is moved out
    /// of its way, into the others, and [`WalkReport::squeezed`] of both names the pair.
    ///
    /// # Errors
    /// The errors of [`Walker::push`]. Nothing has moved then.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushWorld, WalkScratch, Walker, WalkerCrowd};
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
    ///
    /// let mut level = BrushWorld::builder();
    /// let ram = level.body();
    /// let block = Aabb::new(Point3::new(-2.0, -1.0, 0.0), Point3::new(0.0, 1.0, 2.0));
    /// level.push_to(ram, Brush::from_aabb(&block)?, CollisionGroups::ALL);
    /// let mut level = level.build()?;
    ///
    /// let walker = Walker::new(UprightCylinder::new(0.4, 0.9)?);
    /// let (mut crowd, mut scratch) = (WalkerCrowd::new(), WalkScratch::new());
    /// for (order, x) in [(1, 0.5), (2, 1.4)] {
    ///     let at = walker.stand(&level, Point3::new(x, 0.0, 1.0), &mut scratch)?;
    ///     crowd.insert(order, walker, at)?;
    /// }
    /// let before = level.set_offset(ram, Vector3::new(1.0, 0.0, 0.0))?;
    /// crowd.push(&level, ram, &before)?;
    /// let [a, b] = [1, 2].map(|order| crowd.get(order).expect("a walker").state.position());
    /// assert!(a.x >= 1.4 && b.x - a.x >= 0.8); // both were moved
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn push(
        &mut self,
        world: &BrushWorld,
        body: BodyId,
        before: &Isometry3<T>,
    ) -> Result<(), Error> {
        let pose_before = BodyPose::from_isometry(before, world.up())?;
        let (target, len) = (body.index(), world.bodies.len());
        let out = Error::IndexOutOfRange { field: "body", index: 0, target, len };
        let now = world.bodies.get(target).ok_or(out)?.pose;
        for one in &self.walkers {
            let slider = one.walker.slider(world)?;
            let place = world.up().to_z(wide_point(one.state.position));
            BodyMotion::new(pose_before, now, place, slider.skin / 16.0)?;
        }
        self.begin_calls(world);
        let push = BodyPush { body, before, pose_before };
        self.buffers.is_pushed.clear();
        self.buffers.is_pushed.resize(self.walkers.len(), false);
        for index in 0..self.walkers.len() {
            if !self.buffers.is_pushed[index] {
                self.buffers.shoves_left = MAX_SHOVES;
                self.push_one(world, index, &push)?;
            }
        }
        Ok(())
    }

    /// Returns the straight legs of a walker's last tick like [`Walker::path`], pushes and the
    /// walk; none if there is no walker of this order.
    pub fn path(&self, order: u64) -> impl Iterator<Item = WalkLeg<T>> + '_ {
        let path = self.index(order).ok().map(|index| &self.paths[index]);
        path.into_iter().flat_map(|path| legs_of(path))
    }

    /// Writes to `hits` the brushes that a walker's last tick touches, with their times: triggers.
    /// Like [`Walker::passages`]; no hits if there is no walker of this order.
    ///
    /// # Errors
    /// The errors of [`Walker::passages`].
    pub fn passages(
        &self,
        order: u64,
        world: &BrushWorld,
        filter: &BrushFilter,
        hits: &mut Vec<CastHit<T, 3, BrushId>>,
    ) -> Result<(), Error> {
        hits.clear();
        match self.index(order) {
            Ok(index) => passages_of(&self.paths[index], world, filter, hits),
            Err(_) => Ok(()),
        }
    }

    fn index(&self, order: u64) -> Result<usize, usize> {
        self.walkers.binary_search_by_key(&order, |one| one.order)
    }
}

impl<T: Scalar> WalkerCrowd<T> {
    /// Begins a tick if the last one is over, and places all walkers as obstacles.
    fn begin_calls(&mut self, world: &BrushWorld) {
        if self.is_tick_over {
            self.is_tick_over = false;
            self.paths.iter_mut().for_each(WalkPath::begin_tick);
            for one in &mut self.walkers {
                (one.report.squeezed, one.pushed) = (None, PushOutcome::Clear);
            }
        }
        let placed = self.walkers.iter().map(|one| PlacedCylinder {
            center: world.up().to_z(wide_point(one.state.position)),
            radius: one.walker.cylinder().radius().wide(),
            half_height: one.walker.cylinder().half_height().wide(),
            groups: one.walker.filter.groups,
        });
        let buffers = &mut self.buffers;
        buffers.placed.clear();
        buffers.placed.extend(placed);
        buffers.grid.rebuild(&buffers.placed);
        buffers.is_in_chain.clear();
        buffers.is_in_chain.resize(buffers.placed.len(), false);
    }

    /// Calls `run` with a walker, its slider, its position, and the buffers of its move, which have
    /// its path; then moves the walker to the position that `run` returns.
    fn move_one<R, F>(&mut self, world: &BrushWorld, index: usize, run: F) -> Result<R, Error>
    where
        F: FnOnce(&mut CrowdWalker<T>, &mut Slider<'_>, Vec3, &mut MoveBuffers<'_>) -> (Vec3, R),
    {
        let CrowdBuffers { placed, grid, scratch, .. } = &mut self.buffers;
        let one = &mut self.walkers[index];
        let from = placed[index].center;
        let mut slider = Slider { others: placed, ..one.walker.slider(world)? };
        let lists = &mut scratch.lists;
        std::mem::swap(&mut lists.path, &mut self.paths[index]);
        lists.path.begin_move(from, slider.size(), world.up());
        lists.walls.clear();
        let mut buffers = MoveBuffers { index, grid, lists };
        let (end, result) = run(one, &mut slider, from, &mut buffers);
        std::mem::swap(&mut lists.path, &mut self.paths[index]);
        one.state.position = nearest_point(world.up().undo_to_z(end));
        placed[index].center = end;
        grid.relocate(index, end);
        Ok(result)
    }

    fn walk_one(&mut self, world: &BrushWorld, index: usize) -> Result<(), Error> {
        let wish = self.buffers.wishes[index];
        let head = self.move_one(world, index, |one, slider, from, buffers| {
            let is_on_ground = one.state.ground().is_some();
            let reach = one.walker.walk_reach(slider, is_on_ground, wish);
            buffers.gather(slider, from, reach, &one.walker);
            let lists = &mut *buffers.lists;
            let walked = one.walker.walk_from(slider, is_on_ground, from, wish, lists);
            let (bumps, casts) = (one.report.bumps, one.report.casts);
            let squeezed = one.report.squeezed;
            let state = &mut one.state;
            let report = one.walker.finish_move(slider, state, walked.end, walked.stepped, lists);
            let (bumps, casts) = (report.bumps + bumps, report.casts + casts);
            one.report = WalkReport { bumps, casts, squeezed, ..report };
            (walked.end, walked.head)
        })?;
        self.walkers[index].report.head = head.map(|head| self.walkers[head].order);
        Ok(())
    }

    /// Carries those who stand on moved bodies, the foremost of each body first.
    fn carry_riders(&mut self, world: &BrushWorld) -> Result<(), Error> {
        let mut riders = std::mem::take(&mut self.buffers.riders);
        riders.clear();
        for (index, one) in self.walkers.iter().enumerate() {
            let from = self.buffers.placed[index].center;
            let (carry, body) = one.walker.ground_displacement(world, &one.state, from);
            if let Some(body) = body.filter(|_| carry != [0.0; 3]) {
                riders.push(Rider { index, body, carry, front: dot(from, carry) });
            }
        }
        riders.sort_unstable_by(|a, b| {
            let foremost = b.front.total_cmp(&a.front);
            a.body.cmp(&b.body).then(foremost).then(a.index.cmp(&b.index))
        });
        for rider in &riders {
            self.carry_one(world, rider)?;
        }
        self.buffers.riders = riders;
        Ok(())
    }

    fn carry_one(&mut self, world: &BrushWorld, rider: &Rider) -> Result<(), Error> {
        let &Rider { index, body, carry, .. } = rider;
        let begin = self.buffers.placed[index].center;
        let is_pressed = self.move_one(world, index, |one, slider, from, buffers| {
            one.state.ground_pose = *world.body_pose(body);
            let reach = length(carry) + 4.0 * slider.skin;
            buffers.gather(slider, from, reach, &one.walker);
            let legs = buffers.lists.path.len();
            let (end, pressing) = slider.ride(from, carry, Some(body), buffers.lists);
            one.report.bumps += slider.bumps;
            one.report.casts += slider.casts;
            if pressing.is_none() {
                return (end, false);
            }
            buffers.lists.path.truncate(legs);
            (from, true)
        })?;
        if !is_pressed {
            return Ok(());
        }
        // Others are in the way of a ground that rises or a wall that rides along.
        self.buffers.shoves_left = MAX_SHOVES;
        self.shove(world, index, carry, Some(body), None)?;
        let place = self.buffers.placed[index].center;
        let rest = sub(carry, sub(place, begin));
        let pressing = self.move_one(world, index, |one, slider, from, buffers| {
            buffers.gather(slider, from, length(rest) + 4.0 * slider.skin, &one.walker);
            let Some(brush) = slider.first_pressing(from, body, buffers.lists) else {
                return (from, None);
            };
            let end = slider.ride_through_others(from, rest, Some(body), buffers.lists);
            (end, Some(brush))
        })?;
        match pressing {
            Some(brush) => self.name_squeezed(world, index, place, brush),
            None => Ok(()),
        }
    }

    /// Moves others ahead that are in the way of a walker.
    fn push_ahead(&mut self, world: &BrushWorld, index: usize) -> Result<(), Error> {
        let [x, y, _] = self.buffers.wishes[index];
        let way = [x, y, 0.0];
        let (other, rest) = self.move_one(world, index, |one, slider, from, buffers| {
            buffers.gather(slider, from, length(way), &one.walker);
            let (end, wall) = slider.move_straight(from, way, buffers.lists);
            let other = wall.and_then(|wall| wall.cylinder());
            (from, (other, sub(way, sub(end, from))))
        })?;
        let Some(other) = other else { return Ok(()) };
        self.buffers.shoves_left = MAX_SHOVES;
        self.buffers.is_in_chain[index] = true;
        self.shove(world, other, rest, None, None)?;
        self.buffers.is_in_chain[index] = false;
        Ok(())
    }

    /// Moves a walker straight ahead, and others that are in its way before it. Returns what ended
    /// the move.
    ///
    /// `ignored` is the body that pushes or carries, whose brushes do not block. Those in the way
    /// are pushed by `push` first; then its body blocks them.
    fn shove(
        &mut self,
        world: &BrushWorld,
        index: usize,
        way: Vec3,
        ignored: Option<BodyId>,
        push: Option<&BodyPush<'_, T>>,
    ) -> Result<Option<Obstacle>, Error> {
        let mut rest = way;
        self.buffers.is_in_chain[index] = true;
        let ended = loop {
            let (moved, obstacle) = self.move_one(world, index, |one, slider, from, buffers| {
                buffers.gather(slider, from, length(rest) + 4.0 * slider.skin, &one.walker);
                slider.ignored_body = ignored;
                let (end, wall) = slider.move_straight(from, rest, buffers.lists);
                buffers.lists.path.add(from, end, slider.size());
                (end, (sub(end, from), wall.map(|wall| wall.obstacle)))
            })?;
            rest = sub(rest, moved);
            let Some(Obstacle::Cylinder(other)) = obstacle else { break obstacle };
            let other = other as usize;
            if self.buffers.shoves_left == 0 || self.buffers.is_in_chain[other] {
                break obstacle;
            }
            self.buffers.shoves_left -= 1;
            // A body may pass a whole walker: each is pushed from where it was before the push.
            if let Some(push) = push
                && !self.buffers.is_pushed[other]
            {
                self.push_one(world, other, push)?;
                continue;
            }
            // A ground that has moved into a rider, whom it is yet to carry, does not block it.
            let ground = self.walkers[other].state.ground().and_then(|id| world.body(id));
            let ignored = match ground {
                Some(body) if self.is_pressed(world, other, body)? => Some(body),
                _ => None,
            };
            let before = self.buffers.placed[other].center;
            self.shove(world, other, rest, ignored, push)?;
            if self.buffers.placed[other].center == before {
                break obstacle;
            }
        };
        self.buffers.is_in_chain[index] = false;
        Ok(ended)
    }

    fn is_pressed(
        &mut self,
        world: &BrushWorld,
        index: usize,
        body: BodyId,
    ) -> Result<bool, Error> {
        self.move_one(world, index, |one, slider, from, buffers| {
            buffers.gather(slider, from, slider.skin, &one.walker);
            (from, slider.first_pressing(from, body, buffers.lists).is_some())
        })
    }

    /// Pushes a walker out of the way of a body, others ahead of it.
    fn push_one(
        &mut self,
        world: &BrushWorld,
        index: usize,
        push: &BodyPush<'_, T>,
    ) -> Result<(), Error> {
        self.buffers.is_pushed[index] = true;
        self.walkers[index].pushed = self.outcome_of_push(world, index, push)?;
        Ok(())
    }

    fn outcome_of_push(
        &mut self,
        world: &BrushWorld,
        index: usize,
        push: &BodyPush<'_, T>,
    ) -> Result<PushOutcome<T>, Error> {
        let (one, body) = (&self.walkers[index], push.body);
        if one.state.ground().is_some_and(|id| world.body(id) == Some(body)) {
            // Only tested here, and carried by the walk.
            let (walker, mut state) = (one.walker, one.state);
            let scratch = &mut self.buffers.scratch;
            return walker.push(world, &mut state, body, push.before, scratch);
        }
        let from = self.buffers.placed[index].center;
        let skin = one.walker.slider(world)?.skin;
        let motion = BodyMotion::new(push.pose_before, *world.body_pose(body), from, skin / 16.0)?;
        let reach = 2.0 * motion.max_displacement(from) + 4.0 * skin;
        let met = self.move_one(world, index, |one, slider, from, buffers| {
            buffers.gather(slider, from, reach, &one.walker);
            (from, slider.first_contact_with(from, &motion, body, buffers.lists))
        })?;
        let Some((free, touch)) = met else { return Ok(PushOutcome::Clear) };
        let way = sub(touch, from);
        let mut ended = self.shove(world, index, way, Some(body), Some(push))?;
        let place = self.buffers.placed[index].center;
        let pressing = self.move_one(world, index, |one, slider, at, buffers| {
            buffers.gather(slider, from, reach, &one.walker);
            (at, slider.first_pressing_between(touch, at, body, buffers.lists))
        })?;
        if let (Some(brush), Some(Obstacle::Cylinder(_))) = (pressing, ended) {
            ended = self.move_one(world, index, |_, slider, at, buffers| {
                buffers.lists.others.clear();
                slider.ignored_body = Some(body);
                let (end, wall) = slider.move_straight(at, sub(touch, at), buffers.lists);
                buffers.lists.path.add(at, end, slider.size());
                (end, wall.map(|wall| wall.obstacle))
            })?;
            self.name_squeezed(world, index, place, brush)?;
        }
        let moved = sub(self.buffers.placed[index].center, from);
        let along = if length(way) > 0.0 { length(moved) / length(way) } else { 0.0 };
        Ok(match ended {
            Some(Obstacle::Brush(wall)) if pressing.is_some() => PushOutcome::Crushed {
                against: world.entries()[wall as usize].id,
                share: T::at_most(free + (1.0 - free) * along),
            },
            _ => PushOutcome::Moved(nearest_point(world.up().undo_to_z(moved)).coords),
        })
    }

    /// Names a walker, and those that it is inside of now and deeper than at the position `before`,
    /// in each other's reports.
    fn name_squeezed(
        &mut self,
        world: &BrushWorld,
        index: usize,
        before: Vec3,
        brush: usize,
    ) -> Result<(), Error> {
        self.move_one(world, index, |one, slider, from, buffers| {
            buffers.gather(slider, from, slider.skin, &one.walker);
            let mover = slider.mover(from, [0.0; 3]);
            buffers.lists.others.retain(|&other| {
                let other = &slider.others[other as usize];
                let depth = |place: Vec3| other.depth(place, &mover);
                // Depths of walkers with another skin may begin within this one.
                depth(from).is_some_and(|now| depth(before).is_none_or(|before| now > before))
            });
            (from, ())
        })?;
        let brush = world.entries()[brush].id;
        let order = self.walkers[index].order;
        for &other in &self.buffers.scratch.lists.others {
            let both = [(index, self.walkers[other as usize].order), (other as usize, order)];
            for (named, other) in both {
                let squeezed = &mut self.walkers[named].report.squeezed;
                *squeezed = squeezed.or(Some(Squeeze { brush, other }));
            }
        }
        Ok(())
    }
}

/// Buffers of the move of one walker.
struct MoveBuffers<'b> {
    index: usize,
    grid: &'b CrowdGrid,
    lists: &'b mut SlideLists,
}

impl MoveBuffers<'_> {
    /// Lists the brushes and the other walkers near a move.
    fn gather<T: Scalar>(
        &mut self,
        slider: &Slider<'_>,
        place: Vec3,
        reach: f64,
        walker: &Walker<T>,
    ) {
        slider.gather(place, [reach; 3], &walker.filter, self.lists);
        let (own, near) = (self.index as u32, &mut self.lists.others);
        let others = slider.others;
        self.grid.for_each_overlap(others, &slider.bounds(place, [reach; 3]), |index| {
            let groups = others[index as usize].groups;
            if index != own && groups.interacts_with(walker.filter.groups) {
                near.push(index);
            }
        });
        near.sort_unstable();
    }
}
