//! Pushes: walkers moved by moving bodies, and out of brushes they are inside of.

use nalgebra::{Point3, Vector3};

use super::slide::{SlideLists, Slider};
use super::walker::{Standing, WalkScratch, Walker};
use super::world::{BodyId, BrushFilter, BrushId, BrushWorld};
use crate::error::Error;
use crate::num::linear::{Vec3, add, length, scale, sub};
use crate::num::{Scalar, check_coordinates};
use crate::shape::{nearest_point, wide_point};

/// What became of a walker in the way of a moving body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PushOutcome<T: Scalar> {
    /// The body did not come to it.
    Clear,
    /// It was moved by so much.
    Moved(Vector3<T>),
    /// It could not get out of the way: it is between the body and a brush, and the body has come
    /// only so far. The walker is where it could get to, or, if it stands on the body, will be
    /// after its next walk with the body so far.
    Crushed {
        /// The brush it is pressed against.
        against: BrushId,
        /// The displacement of the body up to there.
        pushed: Vector3<T>,
    },
}

impl<T: Scalar> Walker<T> {
    /// Moves a walker out of the way of a body that [`BrushWorld::set_offset`] has just moved, from
    /// the offset it had before.
    ///
    /// Whoever is in the way moves along by what is left of the body's displacement, swept against
    /// all other brushes. Who stands on the body is carried by the next [`Walker::walk`] instead,
    /// and is only told here whether there is room for that: between a lift and a ceiling it is
    /// crushed as others are.
    ///
    /// # Errors
    /// As [`Walker::slide`].
    pub fn push(
        &self,
        world: &BrushWorld,
        at: &mut Standing<T>,
        body: BodyId,
        before: Vector3<T>,
        scratch: &mut WalkScratch,
    ) -> Result<PushOutcome<T>, Error> {
        let (mut slider, from, _) = self.begin(world, at, before, scratch)?;
        let now = world.body_offset(body);
        let way = sub(now, world.up().to_z(wide_point(before.into())));
        let lists = &mut scratch.lists;
        let reach = 2.0 * length(way) + 4.0 * slider.skin;
        slider.gather(from, [reach; 3], &self.filter, lists);
        let rides = at.ground().is_some_and(|id| world.body(id) == Some(body));
        // Seen from the body the walker comes towards it; it begins where the body was.
        let free = if rides { 0.0 } else { slider.met_by(from, way, body, lists) };
        if free >= 1.0 {
            return Ok(PushOutcome::Clear);
        }
        slider.without = Some(body);
        let rest = scale(way, 1.0 - free);
        let (end, wall) = slider.straight(from, rest, lists);
        let moved = sub(end, from);
        let narrow = |v: Vec3| nearest_point(world.up().undo_to_z(v)).coords;
        // Who is carried slides along what is in the way.
        let last = if rides { slider.slide(from, rest, false, lists) } else { end };
        // What is thinner than its step would be past the walker at its end.
        let squeezed = slider.pressed_by(last, sub(rest, sub(last, from)), body, lists);
        if rides && !(squeezed && wall.is_some()) {
            return Ok(PushOutcome::Clear);
        }
        if !rides {
            at.position = nearest_point(world.up().undo_to_z(end));
        }
        Ok(match wall {
            Some(wall) if squeezed => PushOutcome::Crushed {
                against: world.entries()[wall.index as usize].id,
                pushed: narrow(add(scale(way, free), moved)),
            },
            _ => PushOutcome::Moved(narrow(moved)),
        })
    }

    /// Moves a walker that is inside brushes, or too near, out of them: of the deepest brush first
    /// by its shallowest way that ends free, upward before downward; at most 32 times.
    ///
    /// # Errors
    /// [`Error::NoRoom`], naming a brush it is still in; nothing has changed then. As
    /// [`Walker::slide`].
    pub fn push_out(&self, world: &BrushWorld, place: Point3<T>) -> Result<Standing<T>, Error> {
        check_coordinates(place.coords.as_slice(), "place", 0)?;
        let (mut slider, mut lists) = (self.slider(world)?, SlideLists::default());
        let mut at = world.up().to_z(wide_point(place));
        for _ in 0..32 {
            slider.gather(at, [slider.skin; 3], &self.filter, &mut lists);
            match slider.way_out(at, &mut lists, &self.filter) {
                Ok(None) => return Ok(self.standing(&mut slider, at, &lists)),
                Ok(Some(next)) => at = next,
                Err(index) => return Err(Error::NoRoom { brush: world.entries()[index].id.0 }),
            }
        }
        slider.gather(at, [slider.skin; 3], &self.filter, &mut lists);
        match slider.in_the_way(at, &lists) {
            Some(index) => Err(Error::NoRoom { brush: world.entries()[index].id.0 }),
            None => Ok(self.standing(&mut slider, at, &lists)),
        }
    }
}

impl Slider<'_> {
    /// The share of a body's displacement after which it comes to the cylinder; 1 if it does not.
    pub fn met_by(&mut self, place: Vec3, way: Vec3, body: BodyId, lists: &SlideLists) -> f64 {
        self.casts += 1;
        // The body is at its end already: as seen from it, the cylinder has come from further on.
        let mover = self.mover(add(place, way), scale(way, -1.0));
        let mut first = 1.0;
        for &index in &lists.near {
            let index = index as usize;
            if self.world.entries()[index].body == body
                && let Some(met) = self.world.passage(index, &mover, first)
            {
                first = if met.enter > 0.0 { met.enter } else { 0.0 };
            }
        }
        first
    }

    /// Whether a body that has moved on by `way`, to where it is, has left the cylinder less than
    /// half of its skin on the way.
    fn pressed_by(&self, place: Vec3, way: Vec3, body: BodyId, lists: &SlideLists) -> bool {
        let shrunk = self.shrunk(add(place, way), scale(way, -1.0));
        let own = |index: usize| self.world.entries()[index].body == body;
        let met = |index: usize| own(index) && self.world.meets(index, &shrunk);
        lists.near.iter().any(|&index| met(index as usize))
    }

    /// One step out of the brushes at a place: `Ok(None)` if it is free, the next place, or the
    /// brush that has no way out.
    pub fn way_out(
        &self,
        place: Vec3,
        lists: &mut SlideLists,
        filter: &BrushFilter,
    ) -> Result<Option<Vec3>, usize> {
        let Some(near) = self.in_the_way(place, lists) else { return Ok(None) };
        let mover = self.mover(place, [0.0; 3]);
        let mut deepest: Option<(usize, f64)> = None;
        for index in self.asked(lists) {
            let depth = self.world.sums.depth(index, &self.world.seen_from(index, &mover)).0;
            if depth > 0.0 && deepest.is_none_or(|deepest| depth > deepest.1) {
                deepest = Some((index, depth));
            }
        }
        let index = deepest.map_or(near, |(index, _)| index);
        let mut ways: Vec<(f64, Vec3)> = Vec::new();
        let seen = self.world.seen_from(index, &mover);
        self.world.sums.planes(index, &seen, |depth, normal| ways.push((depth, normal)));
        // The shallowest first, of equals what leads up.
        ways.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1[2].total_cmp(&a.1[2])));
        let end = |way: &(f64, Vec3)| (self.round)(add(place, scale(way.1, way.0)));
        let mut least = None;
        for way in &ways {
            let next = end(way);
            self.gather(next, [self.skin; 3], filter, lists);
            if self.is_free(next, lists) {
                return Ok(Some(next));
            }
            // Out of this brush at least, if nothing is free.
            let seen = self.world.seen_from(index, &self.mover(next, [0.0; 3]));
            let out = self.world.sums.depth(index, &seen).0 < self.skin / 2.0;
            least = least.or(out.then_some(next));
        }
        match least {
            Some(next) if next != place => Ok(Some(next)),
            _ => Err(index),
        }
    }
}
