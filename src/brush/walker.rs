//! Walkers: upright cylinders that walk through a world of brushes.

use nalgebra::{Point3, Vector3};

use super::body::{BodyId, BodyPose};
use super::cylinder_casts::CylinderAt;
use super::placed_cylinder::PlacedCylinder;
use super::slide::{BlockingWall, SlideLists, Slider};
use super::walker_state::WalkerState;
use super::world::{BrushFilter, BrushId, BrushWorld};
use crate::error::Error;
use crate::num::linear::{Vec3, length, sub};
use crate::num::{Scalar, check_coordinates, check_size, checked_size};
use crate::shape::{UprightCylinder, nearest_point, wide_point};

/// Parameters of a walking cylinder: its size, its skin, the steps it climbs and the slopes it can
/// stand on.
///
/// The skin is its distance from brushes. No stored position is ever nearer to one than half the
/// skin. A cylinder at rest stays in place bit for bit, and it moves along walls and floors of many
/// brushes as along a single one.
///
/// ```
/// use boxwood::brush::{Brush, BrushFilter, BrushWorld, WalkScratch, Walker};
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
///
/// let slab = Aabb::new(Point3::new(-9.0, -9.0, -1.0), Point3::new(9.0, 9.0, 0.0));
/// let mut level = BrushWorld::builder();
/// level.push(Brush::from_aabb(&slab)?, CollisionGroups::ALL);
/// let level = level.build()?;
///
/// let walker = Walker::new(UprightCylinder::new(0.4, 0.9)?).step(0.45);
/// let mut scratch = WalkScratch::new();
/// let mut at = walker.stand(&level, Point3::new(0.0, 0.0, 1.0), &mut scratch)?;
/// for _ in 0..60 {
///     walker.walk(&level, &mut at, Vector3::new(0.05, 0.0, -0.1), &mut scratch)?;
/// }
/// assert!(at.ground().is_some());
/// assert!((at.position().x - 3.0).abs() < 1e-4 && (at.position().z - 0.9).abs() < 0.002);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Walker<T: Scalar> {
    cylinder: UprightCylinder<T>,
    skin: Option<T>,
    pub(super) step: T,
    floor: T,
    rests_on_heads: bool,
    pub(super) filter: BrushFilter,
}

/// Report of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct WalkReport<T: Scalar> {
    /// Displacement from the old position to the new one [length units].
    pub moved: Vector3<T>,
    /// Brush the walker stands on afterwards.
    pub ground: Option<BrushId>,
    /// Set if the walker climbed a step.
    pub stepped: bool,
    /// Number of straight pieces of the move.
    pub bumps: u32,
    /// Number of casts among the brushes near the move.
    pub casts: u32,
    /// Other cylinder whose top the walker came down on, by its index in the list of
    /// [`Walker::walk_among`], or by its order in a [`WalkerCrowd`](super::WalkerCrowd).
    pub head: Option<u64>,
    /// Moving brush that left no free place between itself and another cylinder: the two cylinders
    /// overlap now, and may only part.
    pub squeezed: Option<Squeeze>,
}

/// Moving brush and other cylinder that left a walker no free place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Squeeze {
    /// Brush that moved the walker.
    pub brush: BrushId,
    /// Other cylinder, which the walker overlaps now: its index in the list of
    /// [`Walker::walk_among`], or its order in a [`WalkerCrowd`](super::WalkerCrowd).
    pub other: u64,
}

/// Brush that blocked a move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct BlockingBrush<T: Scalar> {
    /// Id of the brush.
    pub brush: BrushId,
    /// Outward unit normal of the brush.
    pub normal: Vector3<T>,
}

/// Buffers of the moves and placements of walkers, reused by the caller so that none allocates.
#[derive(Debug, Clone, Default)]
pub struct WalkScratch {
    pub(super) lists: SlideLists,
    /// Other cylinders of [`Walker::walk_among`].
    placed: Vec<PlacedCylinder>,
}

impl<T: Scalar> WalkReport<T> {
    /// Creates the report of a walker that has not moved.
    pub(super) fn at_rest(ground: Option<BrushId>) -> Self {
        let moved = Vector3::zeros();
        WalkReport { moved, ground, stepped: false, bumps: 0, casts: 0, head: None, squeezed: None }
    }
}

impl WalkScratch {
    /// Creates empty buffers.
    pub fn new() -> Self {
        WalkScratch::default()
    }
}

const DEFAULT_SKIN_RATIO: f64 = 1.0 / 512.0;

impl<T: Scalar> Walker<T> {
    /// Creates a walker of this size: no steps, ground up to a slope of 45 degrees, a skin of 1/512
    /// of the radius, blocked by all brushes.
    pub fn new(cylinder: UprightCylinder<T>) -> Self {
        Walker {
            cylinder,
            skin: None,
            step: T::zero(),
            floor: T::nearest(std::f64::consts::FRAC_1_SQRT_2),
            rests_on_heads: false,
            filter: BrushFilter::default(),
        }
    }

    /// Sets the distance from brushes [length units].
    pub fn skin(mut self, skin: impl Into<f64>) -> Self {
        self.skin = Some(T::nearest(skin.into()));
        self
    }

    /// Sets the height of the highest step that the walker climbs, and descends without falling
    /// [length units].
    pub fn step(mut self, step: impl Into<f64>) -> Self {
        self.step = T::nearest(step.into());
        self
    }

    /// Sets the steepest ground: the least cosine of the angle between its normal and up.
    pub fn floor(mut self, cosine: impl Into<f64>) -> Self {
        self.floor = T::nearest(cosine.into());
        self
    }

    /// Sets if the walker stays on the top of another cylinder that it falls on. Default: it slips
    /// off, away from the axis of that cylinder, by as much as it would have fallen.
    ///
    /// A head is never ground: a walker on it is in the air, and is not carried. It is in the
    /// report, [`WalkReport::head`], in both cases.
    pub fn rests_on_heads(mut self, rests: bool) -> Self {
        self.rests_on_heads = rests;
        self
    }

    /// Sets the brushes that block the walker. Its groups also decide which other walkers of a
    /// [`WalkerCrowd`](super::WalkerCrowd) block it: those whose groups interact with its own.
    pub fn filter(mut self, filter: BrushFilter) -> Self {
        self.filter = filter;
        self
    }

    /// Returns the size.
    pub fn cylinder(&self) -> UprightCylinder<T> {
        self.cylinder
    }

    /// Returns the distance that the walker stays away from the brushes of this world: the skin
    /// that was set, or by default the greater of 1/512 of its radius and 64 units in the last
    /// place of the world's largest coordinate [length units].
    ///
    /// # Errors
    /// [`Error::BadQuery`] for a skin too small for the world: below 16 such units, or `2^-40` of
    /// that coordinate.
    pub fn skin_in(&self, world: &BrushWorld) -> Result<T, Error> {
        let radius = self.cylinder.radius().wide();
        let size = world.max_coordinate + radius + self.cylinder.half_height().wide();
        let unit = 2.0 * T::ROUNDING * size;
        let unit =
            if unit > size / (1u64 << 44) as f64 { unit } else { size / (1u64 << 44) as f64 };
        let Some(skin) = self.skin else {
            let (share, least) = (radius * DEFAULT_SKIN_RATIO, 64.0 * unit);
            return Ok(T::at_least(if share > least { share } else { least }));
        };
        check_size(skin, "skin")?;
        match skin.wide() >= 16.0 * unit {
            true => Ok(skin),
            false => Err(Error::BadQuery { reason: "the skin is too small for this world" }),
        }
    }

    /// Creates the state of a walker whose centre is at a position and finds its ground;
    /// [`Walker::stand_at_feet`] takes the point that it stands on. Where the cylinder only
    /// touches brushes, or is nearer than its skin, it is moved away from them by up to its skin.
    ///
    /// # Errors
    /// [`Error::NoRoom`], naming a brush that the cylinder is inside of by more than 1/64 of its
    /// skin, or that it can not be moved away from; [`Error::NotFinite`], [`Error::OutOfRange`] for
    /// the position; as [`Walker::skin_in`].
    pub fn stand(
        &self,
        world: &BrushWorld,
        place: Point3<T>,
        scratch: &mut WalkScratch,
    ) -> Result<WalkerState<T>, Error> {
        check_coordinates(place.coords.as_slice(), "place", 0)?;
        let (slider, lists) = (self.slider(world)?, &mut scratch.lists);
        let at = world.up().to_z(wide_point(place));
        slider.gather(at, [slider.skin; 3], &self.filter, lists);
        match slider.first_containing(at, lists) {
            Some(index) => Err(Error::NoRoom { brush: world.entries()[index].id.0 }),
            None => self.push_out(world, place, scratch),
        }
    }

    /// Creates the state of a walker that stands with the middle of its foot on a point, such as
    /// the start of a player (`LevelEntity::feet` of a loaded level), and finds its ground. It is
    /// above the point by its skin, as a walker at rest is.
    ///
    /// On a slope or an edge, where the rim of the foot would be inside the ground, it stands as
    /// much higher as it must: at most a step, or what the steepest ground that it can stand on
    /// takes, and only if there is room to sink from there.
    ///
    /// # Errors
    /// The errors of [`Walker::stand`].
    ///
    /// ```
    /// # use boxwood::brush::{Brush, BrushWorld, WalkScratch, Walker};
    /// # use boxwood::{Aabb, CollisionGroups, UprightCylinder, nalgebra::Point3};
    /// # let slab = Aabb::new(Point3::new(-9.0, -9.0, -1.0), Point3::new(9.0, 9.0, 0.0));
    /// # let mut level = BrushWorld::builder();
    /// # let floor = level.push(Brush::from_aabb(&slab)?, CollisionGroups::ALL);
    /// # let level = level.build()?;
    /// let walker = Walker::new(UprightCylinder::new(0.4, 0.9)?);
    /// let (on_floor, mut scratch) = (Point3::new(2.0, 0.0, 0.0), WalkScratch::new());
    /// let at = walker.stand_at_feet(&level, on_floor, &mut scratch)?;
    /// assert_eq!(at.ground(), Some(floor));
    /// assert!((at.position().z - 0.9).abs() < 0.001); // the centre
    /// assert!(walker.stand(&level, on_floor, &mut scratch).is_err()); // half of it in the floor
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn stand_at_feet(
        &self,
        world: &BrushWorld,
        feet: Point3<T>,
        scratch: &mut WalkScratch,
    ) -> Result<WalkerState<T>, Error> {
        check_coordinates(feet.coords.as_slice(), "feet", 0)?;
        let (up, slider) = (world.up(), self.slider(world)?);
        let mut place = up.to_z(wide_point(feet));
        place[2] = T::at_least(place[2] + slider.half_height + slider.skin).wide();
        let center = |place: Vec3| nearest_point(up.undo_to_z(place));
        let at_feet = self.stand(world, center(place), scratch);
        if !matches!(at_feet, Err(Error::NoRoom { .. })) {
            return at_feet;
        }
        let place = self.lowest_above(slider, place, &mut scratch.lists);
        self.stand(world, center(place), scratch).or(at_feet)
    }

    /// Moves by as much of the displacement as the brushes allow, sliding along walls. No steps, no
    /// ground: for a thrown object or a camera.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`]; as [`Walker::skin_in`]. Nothing has moved then.
    pub fn slide(
        &self,
        world: &BrushWorld,
        at: &mut WalkerState<T>,
        displacement: Vector3<T>,
        scratch: &mut WalkScratch,
    ) -> Result<WalkReport<T>, Error> {
        let (mut slider, from, wish) = self.begin_move(world, at, displacement, scratch)?;
        let lists = &mut scratch.lists;
        let reach = length(wish) + 2.0 * slider.skin;
        slider.gather(from, [reach; 3], &self.filter, lists);
        let end = slider.slide(from, wish, false, lists);
        Ok(self.finish_move(&mut slider, at, end, false, lists))
    }

    /// Moves as a walker does: carried by its ground, sliding along walls, up and down steps,
    /// snapped to the ground it stands on.
    ///
    /// `displacement` is that of the whole tick, falling included. While the walker stands on
    /// ground, the falling part is not used: it follows the ground instead. Ground too steep to
    /// stand on blocks like a wall, and the walker slides down it.
    ///
    /// # Errors
    /// The errors of [`Walker::slide`].
    pub fn walk(
        &self,
        world: &BrushWorld,
        at: &mut WalkerState<T>,
        displacement: Vector3<T>,
        scratch: &mut WalkScratch,
    ) -> Result<WalkReport<T>, Error> {
        self.walk_past(world, at, displacement, &[], scratch)
    }

    /// Moves like [`Walker::walk`] among other cylinders at rest, which block it as brushes do: it
    /// keeps its skin from them and slides along them. For many walkers that all move,
    /// [`WalkerCrowd`](super::WalkerCrowd) has a grid.
    ///
    /// Others whose groups do not interact with those of the walker's filter do not block. No step
    /// is taken up onto others, and their tops are no ground: a walker that falls on one slips off,
    /// see [`Walker::rests_on_heads`]. An other that is nearer than half the skin at the start may
    /// only be left: the two get no deeper. Where a moving ground carries the walker into an other
    /// and nothing else is free, the two overlap afterwards, and [`WalkReport::squeezed`] has both.
    ///
    /// The order of the list decides at ties only: the first of equally near ones blocks.
    ///
    /// # Errors
    /// The errors of [`Walker::walk`], also for the centres. Nothing has moved then.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushWorld, CylinderAt, WalkScratch, Walker};
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
    ///
    /// let slab = Aabb::new(Point3::new(-9.0, -9.0, -1.0), Point3::new(9.0, 9.0, 0.0));
    /// let mut level = BrushWorld::builder();
    /// level.push(Brush::from_aabb(&slab)?, CollisionGroups::ALL);
    /// let level = level.build()?;
    ///
    /// let size = UprightCylinder::new(0.4, 0.9)?;
    /// let (walker, mut scratch) = (Walker::new(size), WalkScratch::new());
    /// let mut at = walker.stand_at_feet(&level, Point3::origin(), &mut scratch)?;
    /// let center = Point3::new(2.0, 0.0, 0.9);
    /// let guard = CylinderAt { cylinder: size, center, groups: CollisionGroups::ALL };
    /// let way = Vector3::new(3.0, 0.0, -0.1);
    /// walker.walk_among(&level, &mut at, way, &[guard], &mut scratch)?;
    /// assert!((at.position().x - 1.2).abs() < 0.01); // in front of the guard
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn walk_among(
        &self,
        world: &BrushWorld,
        at: &mut WalkerState<T>,
        displacement: Vector3<T>,
        others: &[CylinderAt<T>],
        scratch: &mut WalkScratch,
    ) -> Result<WalkReport<T>, Error> {
        for (index, other) in others.iter().enumerate() {
            check_coordinates(other.center.coords.as_slice(), "center", index)?;
        }
        // Taken out of the scratch, which the move writes to while it reads them.
        let mut placed = std::mem::take(&mut scratch.placed);
        placed.clear();
        placed.extend(others.iter().map(|other| PlacedCylinder {
            center: world.up().to_z(wide_point(other.center)),
            radius: other.cylinder.radius().wide(),
            half_height: other.cylinder.half_height().wide(),
            groups: other.groups,
        }));
        let report = self.walk_past(world, at, displacement, &placed, scratch);
        scratch.placed = placed;
        report
    }

    /// Returns the brushes that blocked the last move, in order.
    pub fn blocked_by<'s>(
        &self,
        world: &'s BrushWorld,
        scratch: &'s WalkScratch,
    ) -> impl Iterator<Item = BlockingBrush<T>> + 's {
        scratch.lists.walls.iter().filter_map(|wall| {
            Some(BlockingBrush {
                brush: world.entries()[wall.brush()?].id,
                normal: nearest_point(world.up().undo_to_z(wall.normal)).coords,
            })
        })
    }

    /// Returns the walker with another half height, its feet where they were: to crouch or stand
    /// up.
    ///
    /// # Errors
    /// [`Error::NoRoom`], naming a brush in the way; [`Error::NotFinite`], [`Error::Negative`].
    /// Nothing has changed then.
    pub fn resize(
        &self,
        world: &BrushWorld,
        at: &mut WalkerState<T>,
        half_height: impl Into<f64>,
        scratch: &mut WalkScratch,
    ) -> Result<Walker<T>, Error> {
        let half_height = T::nearest(checked_size::<T>(half_height, "half height")?);
        let cylinder = UprightCylinder::new(self.cylinder.radius(), half_height)?;
        let resized = Walker { cylinder, skin: Some(self.skin_in(world)?), ..*self };
        let lift = half_height.wide() - self.cylinder.half_height().wide();
        let mut place = world.up().to_z(wide_point(at.position));
        // The feet may rise by rounding, never sink.
        place[2] = T::at_least(place[2] + lift).wide();
        let (slider, lists) = (resized.slider(world)?, &mut scratch.lists);
        slider.gather(place, [slider.skin; 3], &self.filter, lists);
        if let Some(index) = slider.first_blocking(place, lists) {
            return Err(Error::NoRoom { brush: world.entries()[index].id.0 });
        }
        at.position = nearest_point(world.up().undo_to_z(place));
        lists.path.begin_move(place, slider.size(), world.up());
        Ok(resized)
    }
}

impl<T: Scalar> Walker<T> {
    pub(super) fn slider<'w>(&self, world: &'w BrushWorld) -> Result<Slider<'w>, Error> {
        check_size(self.step, "step")?;
        Ok(Slider {
            world,
            others: &[],
            radius: self.cylinder.radius().wide(),
            half_height: self.cylinder.half_height().wide(),
            skin: self.skin_in(world)?.wide(),
            floor: self.floor.wide(),
            round: |place| place.map(|x| T::nearest(x).wide()),
            ignored_body: None,
            bumps: 0,
            casts: 0,
        })
    }

    pub(super) fn begin_move<'w>(
        &self,
        world: &'w BrushWorld,
        at: &WalkerState<T>,
        displacement: Vector3<T>,
        scratch: &mut WalkScratch,
    ) -> Result<(Slider<'w>, Vec3, Vec3), Error> {
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        scratch.lists.walls.clear();
        let (up, slider) = (world.up(), self.slider(world)?);
        let [from, wish] = [at.position, displacement.into()].map(|v| up.to_z(wide_point(v)));
        scratch.lists.path.begin_move(from, slider.size(), up);
        Ok((slider, from, wish))
    }

    /// Returns the position to which the cylinder sinks towards `place` from as far above as ground
    /// or a step takes. It is free if it was free there.
    fn lowest_above(&self, mut slider: Slider<'_>, place: Vec3, lists: &mut SlideLists) -> Vec3 {
        let (cosine, step) = (slider.floor, self.step.wide());
        let is_slope = cosine > 0.0 && cosine < 1.0;
        let slope = if is_slope { (1.0 - cosine * cosine).sqrt() / cosine } else { 0.0 };
        let rim = slider.radius * slope;
        let rise = if rim > step { rim } else { step } + 2.0 * slider.skin;
        let top = [place[0], place[1], T::at_least(place[2] + rise).wide()];
        slider.gather(place, [0.0, 0.0, rise], &self.filter, lists);
        slider.move_straight(top, [0.0, 0.0, place[2] - top[2]], lists).0
    }

    /// Walks among other cylinders: a ride on the ground, then the walk itself.
    fn walk_past(
        &self,
        world: &BrushWorld,
        at: &mut WalkerState<T>,
        displacement: Vector3<T>,
        others: &[PlacedCylinder],
        scratch: &mut WalkScratch,
    ) -> Result<WalkReport<T>, Error> {
        let (slider, from, wish) = self.begin_move(world, at, displacement, scratch)?;
        let mut slider = Slider { others, ..slider };
        let lists = &mut scratch.lists;
        let (carry, body) = self.ground_displacement(world, at, from);
        let reach = self.walk_reach(&slider, at.ground.is_some(), wish);
        let reach = [reach + length(carry); 3];
        slider.gather(from, reach, &self.filter, lists);
        slider.gather_others(from, reach, &self.filter, lists);
        let (mut place, mut squeezed) = (from, None);
        if carry != [0.0; 3] {
            let legs = lists.path.len();
            let (end, brush) = slider.ride(place, carry, body, lists);
            place = end;
            if let Some(brush) = brush {
                lists.path.truncate(legs);
                place = slider.ride_through_others(from, carry, body, lists);
                let brush = world.entries()[brush].id;
                let pair = |other: usize| Squeeze { brush, other: other as u64 };
                squeezed = slider.first_other_inside(place, lists).map(pair);
            }
        }
        let walked = self.walk_from(&mut slider, at.ground.is_some(), place, wish, lists);
        let report = self.finish_move(&mut slider, at, walked.end, walked.stepped, lists);
        let head = walked.head.map(|index| index as u64);
        Ok(WalkReport { head, squeezed, ..report })
    }

    /// Returns how far a walk can take a walker along each axis: to slip off a head takes as much
    /// again as the fall [length units].
    pub(super) fn walk_reach(&self, slider: &Slider<'_>, is_on_ground: bool, wish: Vec3) -> f64 {
        let may_slip = !(slider.others.is_empty() || is_on_ground && wish[2] <= 0.0);
        let slip = if may_slip { wish[2].abs() } else { 0.0 };
        length(wish) + slip + self.step.wide() + 4.0 * slider.skin
    }

    /// Walks from a position, without a ride: a slide, then a step or the way down to the ground.
    pub(super) fn walk_from(
        &self,
        slider: &mut Slider<'_>,
        is_on_ground: bool,
        begin: Vec3,
        wish: Vec3,
        lists: &mut SlideLists,
    ) -> WalkEnd {
        let step = self.step.wide();
        let stood = is_on_ground && wish[2] <= 0.0;
        let fall = -wish[2];
        let wish = if stood { [wish[0], wish[1], 0.0] } else { wish };
        lists.walls.clear();
        let plain = lists.path.len();
        let mut end = slider.slide(begin, wish, true, lists);
        let mut stepped = false;
        let plain = plain..lists.path.len();
        let is_step = |wall: &BlockingWall| wall.normal[2] < slider.floor && wall.brush().is_some();
        let blocked = lists.walls.iter().any(is_step);
        if stood
            && step > 0.0
            && blocked
            && let Some(up) = self.step_up(slider, begin, end, wish, lists)
        {
            (end, stepped) = (up, true);
            lists.path.remove(plain);
        }
        if stood && !stepped {
            let above = end;
            end = self.snap_to_ground(slider, above, step, lists);
            lists.path.add(above, end, slider.size());
        }
        let is_head = |wall: &&BlockingWall| wall.cylinder().is_some() && wall.normal[2] > 0.5;
        let head = lists.walls.iter().find(is_head).and_then(BlockingWall::cylinder);
        if let Some(below) = head.filter(|_| !stood && !self.rests_on_heads) {
            end = slider.slip_off(end, below, fall, lists);
        }
        WalkEnd { end, stepped, head }
    }

    /// Returns the displacement of the ground since the walker stood on it, and the ground's body.
    pub(super) fn ground_displacement(
        &self,
        world: &BrushWorld,
        at: &WalkerState<T>,
        from: Vec3,
    ) -> (Vec3, Option<BodyId>) {
        let Some(body) = at.ground.and_then(|id| world.body(id)) else { return ([0.0; 3], None) };
        (world.body_pose(body).carried_displacement(from, &at.ground_pose), Some(body))
    }

    /// Moves up by a step, on, and down by as much. Returns the end, and adds its legs to the path,
    /// if that is on ground and further than `plain`.
    fn step_up(
        &self,
        slider: &mut Slider<'_>,
        begin: Vec3,
        plain: Vec3,
        wish: Vec3,
        lists: &mut SlideLists,
    ) -> Option<Vec3> {
        let (walls, legs) = (lists.walls.len(), lists.path.len());
        let (top, _) = slider.move_straight(begin, [0.0, 0.0, self.step.wide()], lists);
        lists.path.add(begin, top, slider.size());
        let over = slider.slide(top, wish, true, lists);
        lists.walls.truncate(walls);
        let (end, wall) = slider.move_straight(over, [0.0, 0.0, begin[2] - top[2]], lists);
        let gain = |to: Vec3| {
            let way = sub(to, begin);
            way[0] * way[0] + way[1] * way[1]
        };
        let lands = wall.is_some_and(|wall| slider.is_ground(&wall));
        if !lands || gain(end) <= gain(plain) * (1.0 + 1e-9) {
            lists.path.truncate(legs);
            return None;
        }
        lists.path.add(over, end, slider.size());
        Some(end)
    }

    /// Moves down onto ground at most a step below; returns `position` if there is none.
    fn snap_to_ground(
        &self,
        slider: &mut Slider<'_>,
        place: Vec3,
        step: f64,
        lists: &SlideLists,
    ) -> Vec3 {
        let (end, wall) =
            slider.move_straight(place, [0.0, 0.0, -(step + 2.0 * slider.skin)], lists);
        match wall {
            Some(wall) if slider.is_ground(&wall) => end,
            _ => place,
        }
    }

    pub(super) fn state_at(
        &self,
        slider: &mut Slider<'_>,
        at: Vec3,
        lists: &SlideLists,
    ) -> WalkerState<T> {
        let world = slider.world;
        let ground = slider.ground(at, 2.0 * slider.skin, lists);
        let ground = ground.and_then(|wall| wall.brush()).map(|index| &world.entries()[index]);
        let ground_pose =
            ground.map_or(BodyPose::default(), |ground| *world.body_pose(ground.body));
        WalkerState {
            position: nearest_point(world.up().undo_to_z(at)),
            ground: ground.map(|ground| ground.id),
            ground_pose,
        }
    }

    pub(super) fn finish_move(
        &self,
        slider: &mut Slider<'_>,
        at: &mut WalkerState<T>,
        end: Vec3,
        stepped: bool,
        lists: &SlideLists,
    ) -> WalkReport<T> {
        let before = at.position;
        *at = self.state_at(slider, end, lists);
        WalkReport {
            moved: at.position - before,
            ground: at.ground,
            stepped,
            bumps: slider.bumps,
            casts: slider.casts,
            head: None,
            squeezed: None,
        }
    }
}

/// End of a walk: its position, and how it was reached.
pub(super) struct WalkEnd {
    pub end: Vec3,
    pub stepped: bool,
    /// Index of the other cylinder that the walker came down on.
    pub head: Option<usize>,
}
