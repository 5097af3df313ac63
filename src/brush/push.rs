//! Pushes: walkers moved by moving bodies, and out of brushes they are inside of.

use nalgebra::{Isometry3, Point3, Vector3};

use super::body::{BodyId, BodyMotion, BodyPose};
use super::slide::{SlideLists, Slider};
use super::walker::{WalkScratch, Walker};
use super::walker_state::WalkerState;
use super::world::{BrushFilter, BrushId, BrushWorld};
use crate::error::Error;
use crate::num::linear::{Vec3, add, length, scale, sub};
use crate::num::sorting::insertion_sort;
use crate::num::{Scalar, check_coordinates};
use crate::shape::{nearest_point, wide_point};

/// Result of a push by a moving body.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum PushOutcome<T: Scalar> {
    /// The body does not touch the walker, or carries it without resistance.
    Clear,
    /// The walker was moved by this displacement [length units].
    Moved(Vector3<T>),
    /// The walker could not escape: it is between the body and a brush, and the body can move only
    /// part of its way. The walker is at the last free position, or, if it stands on the body, will
    /// be there after its next walk with the body moved so far.
    Crushed {
        /// Brush that the walker is pressed against.
        against: BrushId,
        /// Share of the body's motion up to there, of both its displacement and its rotation.
        share: T,
    },
}

impl<T: Scalar> Walker<T> {
    /// Moves a walker out of the way of a body that [`BrushWorld::set_pose`] has just moved;
    /// `before` is the pose which that call returned.
    ///
    /// The body moves and rotates evenly, the shorter way. A walker in its way moves along with it
    /// for the rest of the motion, swept straight ahead against all other brushes. For a rotation
    /// the walker's path relative to the body is cut into straight pieces, off by at most 1/16 of
    /// its skin. A walker on the body is carried by the next [`Walker::walk`] instead; this call
    /// only tests if there is room for that: between a lift and a ceiling it is crushed like
    /// others.
    ///
    /// # Errors
    /// The errors of [`Walker::slide`], and of [`BrushWorld::set_pose`] for body and pose;
    /// [`Error::BadQuery`] if the body rotates so far, so far away from the walker, that it takes
    /// more than 4,096 pieces. Nothing has moved then.
    ///
    /// ```
    /// use boxwood::brush::{Brush, BrushWorld, PushOutcome, WalkScratch, Walker};
    /// use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// use boxwood::{Aabb, CollisionGroups, UprightCylinder};
    ///
    /// let mut level = BrushWorld::builder();
    /// let door = level.body();
    /// let leaf = Aabb::new(Point3::new(0.0, -0.1, 0.0), Point3::new(2.0, 0.1, 2.0));
    /// level.push_to(door, Brush::from_aabb(&leaf)?, CollisionGroups::ALL);
    /// let mut level = level.build()?;
    ///
    /// let walker = Walker::new(UprightCylinder::new(0.4, 0.9)?);
    /// let mut scratch = WalkScratch::new();
    /// let mut at = walker.stand(&level, Point3::new(1.0, 0.6, 1.0), &mut scratch)?;
    /// let before = level.set_pose(door, Isometry3::rotation(Vector3::z() * 0.5))?; // it swings
    /// let pushed = walker.push(&level, &mut at, door, &before, &mut scratch)?;
    /// assert!(matches!(pushed, PushOutcome::Moved(by) if by.y > 0.3 && by.x < 0.0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn push(
        &self,
        world: &BrushWorld,
        at: &mut WalkerState<T>,
        body: BodyId,
        before: &Isometry3<T>,
        scratch: &mut WalkScratch,
    ) -> Result<PushOutcome<T>, Error> {
        let (mut slider, from, _) = self.begin_move(world, at, Vector3::zeros(), scratch)?;
        let before = BodyPose::from_isometry(before, world.up())?;
        let (target, len) = (body.index(), world.bodies.len());
        let out = Error::IndexOutOfRange { field: "body", index: 0, target, len };
        let now = world.bodies.get(target).ok_or(out)?.pose;
        let motion = BodyMotion::new(before, now, from, slider.skin / 16.0)?;
        let lists = &mut scratch.lists;
        let reach = 2.0 * motion.max_displacement(from) + 4.0 * slider.skin;
        slider.gather(from, [reach; 3], &self.filter, lists);
        // The walker moves towards the body in the body's frame, beginning at its old pose.
        let rides = at.ground().is_some_and(|id| world.body(id) == Some(body));
        let met = match rides {
            true => Some((0.0, motion.relative_position(from, 0))),
            false => slider.first_contact_with(from, &motion, body, lists),
        };
        let Some((free, touch)) = met else { return Ok(PushOutcome::Clear) };
        slider.ignored_body = Some(body);
        let rest = sub(touch, from);
        let (end, wall) = slider.move_straight(from, rest, lists);
        let moved = sub(end, from);
        // A carried walker slides along obstacles, in its next walk: here that is only tried.
        let legs = lists.path.len();
        let last = if rides { slider.slide(from, rest, false, lists) } else { end };
        lists.path.truncate(legs);
        // The whole path is tested: a body thinner than its step could be past the walker at the
        // end.
        let squeezed = slider.is_pressed_by(touch, last, body, lists);
        if rides && !(squeezed && wall.is_some()) {
            return Ok(PushOutcome::Clear);
        }
        if !rides {
            at.position = nearest_point(world.up().undo_to_z(end));
            lists.path.add(from, end, slider.size());
        }
        let along = if length(rest) > 0.0 { length(moved) / length(rest) } else { 0.0 };
        Ok(match wall.and_then(|wall| wall.brush()) {
            Some(index) if squeezed => PushOutcome::Crushed {
                against: world.entries()[index].id,
                share: T::at_most(free + (1.0 - free) * along),
            },
            _ => PushOutcome::Moved(nearest_point(world.up().undo_to_z(moved)).coords),
        })
    }

    /// Moves a walker that is inside brushes, or too near, out of them: out of the deepest brush
    /// first, by its shortest displacement that ends free, upward before downward; at most 32
    /// times.
    ///
    /// # Errors
    /// [`Error::NoRoom`], naming a brush it is still in; nothing has changed then. As
    /// [`Walker::slide`].
    pub fn push_out(
        &self,
        world: &BrushWorld,
        place: Point3<T>,
        scratch: &mut WalkScratch,
    ) -> Result<WalkerState<T>, Error> {
        check_coordinates(place.coords.as_slice(), "place", 0)?;
        let (mut slider, lists) = (self.slider(world)?, &mut scratch.lists);
        let mut at = world.up().to_z(wide_point(place));
        for _ in 0..32 {
            slider.gather(at, [slider.skin; 3], &self.filter, lists);
            match slider.escape_step(at, lists, &self.filter) {
                Ok(None) => return Ok(self.placed_at(&mut slider, at, lists)),
                Ok(Some(next)) => at = next,
                Err(index) => return Err(Error::NoRoom { brush: world.entries()[index].id.0 }),
            }
        }
        slider.gather(at, [slider.skin; 3], &self.filter, lists);
        match slider.first_blocking(at, lists) {
            Some(index) => Err(Error::NoRoom { brush: world.entries()[index].id.0 }),
            None => Ok(self.placed_at(&mut slider, at, lists)),
        }
    }

    /// Returns the state at a free position, which is the whole path of the placement.
    fn placed_at(
        &self,
        slider: &mut Slider<'_>,
        at: Vec3,
        lists: &mut SlideLists,
    ) -> WalkerState<T> {
        lists.path.begin_move(at, slider.size(), slider.world.up());
        self.state_at(slider, at, lists)
    }
}

impl Slider<'_> {
    /// Returns the share of a body's motion after which it touches the cylinder, and the cylinder's
    /// position then in the frame of the body at its last pose; `None` if it does not touch.
    pub fn first_contact_with(
        &mut self,
        place: Vec3,
        motion: &BodyMotion,
        body: BodyId,
        lists: &SlideLists,
    ) -> Option<(f64, Vec3)> {
        self.casts += 1;
        let mut start = motion.relative_position(place, 0);
        for piece in 0..motion.segment_count() {
            let end = motion.relative_position(place, piece + 1);
            let mover = self.mover(start, sub(end, start));
            let times = lists.near.iter().filter_map(|&index| {
                let own = self.world.entries()[index as usize].body == body;
                own.then(|| self.world.crossing(index as usize, &mover, 1.0)).flatten()
            });
            let first =
                times.fold(1.0, |first, met| if met.enter < first { met.enter } else { first });
            if first < 1.0 {
                let first = if first > 0.0 { first } else { 0.0 };
                let share = (f64::from(piece) + first) / f64::from(motion.segment_count());
                return Some((share, mover.at(first)));
            }
            start = end;
        }
        None
    }

    /// Returns `true` if a body leaves the cylinder less than half its skin while, in the body's
    /// frame, the cylinder moves from one position to another.
    fn is_pressed_by(&self, from: Vec3, to: Vec3, body: BodyId, lists: &SlideLists) -> bool {
        self.first_pressing_between(from, to, body, lists).is_some()
    }

    /// Moves one step out of the brushes: `Ok(None)` if the position is free, the next position, or
    /// the brush that can not be left.
    pub fn escape_step(
        &self,
        place: Vec3,
        lists: &mut SlideLists,
        filter: &BrushFilter,
    ) -> Result<Option<Vec3>, usize> {
        let Some(near) = self.first_blocking(place, lists) else { return Ok(None) };
        let mover = self.mover(place, [0.0; 3]);
        let mut deepest: Option<(usize, f64)> = None;
        for index in self.tested_brushes(lists) {
            let depth = self.world.sums.depth(index, &self.world.to_brush_frame(index, &mover)).0;
            if depth > 0.0 && deepest.is_none_or(|deepest| depth > deepest.1) {
                deepest = Some((index, depth));
            }
        }
        let index = deepest.map_or(near, |(index, _)| index);
        // Taken out of the lists, which are gathered anew while it is read.
        let mut ways = std::mem::take(&mut lists.ways);
        ways.clear();
        let seen = self.world.to_brush_frame(index, &mover);
        let pose = self.world.body_pose(self.world.entries()[index].body);
        self.world
            .sums
            .for_each_plane(index, &seen, |depth, n| ways.push((depth, pose.to_world_vector(n))));
        // Shortest first; of equals the highest.
        insertion_sort(&mut ways, |a, b| a.0.total_cmp(&b.0).then(b.1[2].total_cmp(&a.1[2])));
        let found = self.free_end(place, &ways, index, lists, filter);
        lists.ways = ways;
        found
    }

    /// Returns the end of the first displacement that is free, or else of the first that leaves
    /// the brush; the brush if there is none.
    fn free_end(
        &self,
        place: Vec3,
        ways: &[(f64, Vec3)],
        index: usize,
        lists: &mut SlideLists,
        filter: &BrushFilter,
    ) -> Result<Option<Vec3>, usize> {
        let end = |way: &(f64, Vec3)| (self.round)(add(place, scale(way.1, way.0)));
        let mut least = None;
        for way in ways {
            let next = end(way);
            self.gather(next, [self.skin; 3], filter, lists);
            if self.is_free(next, lists) {
                return Ok(Some(next));
            }
            // Fallback if nothing is free: a position outside of this brush at least.
            let seen = self.world.to_brush_frame(index, &self.mover(next, [0.0; 3]));
            let out = self.world.sums.depth(index, &seen).0 < self.skin / 2.0;
            least = least.or(out.then_some(next));
        }
        match least {
            Some(next) if next != place => Ok(Some(next)),
            _ => Err(index),
        }
    }
}
