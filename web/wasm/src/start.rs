//! Start of two characters: far enough apart that they touch only while they play.

use std::f32::consts::PI;

use boxwood::load::Loaded;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Aabb, Buffers, CharacterKey, Error, PairQuery, Pose, QueryScratch, Scene, Spawn};

use crate::play::{Play, STRIDE};

/// Distance at the start of the fight's scripts: a stride more than where the blows land [m].
const SCRIPTED: f32 = 1.12 + STRIDE;

/// Number of frames of the search, and the step between tested ones.
const SEARCHED: usize = 120;
const EVERY: usize = 6;

/// Factor of the distance between two steps of the search.
const NEARER: f32 = 0.96;

/// Two characters and their clips.
pub(crate) type Cast<'a> = [(&'a Loaded<f32>, Play); 2];

/// Start of both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    /// Distance of blue from red, along Z.
    pub distance: f32,
    /// Translation of blue sideways and up.
    aside: Vector3<f32>,
    /// Translations that bring each of them to the origin: recorded people may be anywhere.
    home: [Vector3<f32>; 2],
}

impl Start {
    /// Returns the start of scripts; otherwise the largest tested distance at which something
    /// touches within the first two seconds, with both on one floor or, if nothing touches, with
    /// their centres at one height.
    pub fn find(cast: &Cast<'_>) -> Result<Start, Error> {
        let home = [home(&cast[0])?, home(&cast[1])?];
        let at = |distance, aside| Start { distance, aside, home };
        if cast.iter().all(|(_, play)| play.is_scripted()) {
            return Ok(at(SCRIPTED, Vector3::zeros()));
        }
        let mut rehearsal = Rehearsal::new(cast)?;
        let sizes = [bounds(&cast[0])?, bounds(&cast[1])?].map(|bounds| bounds.sizes().norm());
        let farthest = 2.0 * sizes[0].max(sizes[1]);
        for aside in [Vector3::zeros(), rehearsal.aside(home)?] {
            let mut start = at(farthest, aside);
            while start.distance > 0.02 * farthest {
                if rehearsal.meets(&start)? {
                    // One step closer, so that more than a bare touch happens.
                    return Ok(Start { distance: start.distance * NEARER, ..start });
                }
                start.distance *= NEARER;
            }
        }
        Ok(at(0.0, rehearsal.aside(home)?))
    }

    /// Returns the poses of both: red is at the origin looking along +Z, blue looks back at it.
    pub fn places(&self) -> [Pose; 2] {
        let place = self.aside + Vector3::z() * self.distance;
        let facing = [Isometry3::identity(), Isometry3::new(place, Vector3::y() * PI)];
        [0, 1].map(|side| match self.home[side] {
            home if home == Vector3::zeros() => facing[side],
            home => facing[side] * Isometry3::from(home),
        })
    }
}

/// Inserts both; red is before blue in all answers.
pub(crate) fn insert(
    scene: &mut Scene,
    cast: [&Loaded<f32>; 2],
) -> Result<[CharacterKey; 2], Error> {
    let red = scene.insert(&cast[0].model, Spawn::default().order(0))?;
    Ok([red, scene.insert(&cast[1].model, Spawn::default().order(1))?])
}

/// Box of a character in its first frame.
fn bounds((loaded, play): &(&Loaded<f32>, Play)) -> Result<Aabb, Error> {
    let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
    let key = scene.insert(&loaded.model, Spawn::default())?;
    let (joints, _) = play.sample(loaded, 0, &mut buffers.joints)?;
    scene.set_joints(key, &Pose::identity(), joints)?;
    scene.snapshot(&mut buffers).character_aabb(key)
}

/// Translation that brings a character to the origin. If the origin is not below the box of the
/// first frame, the centre of the box is moved there; if the box is far above or below the origin,
/// its lowest end is.
fn home(one: &(&Loaded<f32>, Play)) -> Result<Vector3<f32>, Error> {
    let bounds = bounds(one)?;
    let Some(middle) = bounds.center() else { return Ok(Vector3::zeros()) };
    if one.1.is_scripted() {
        return Ok(Vector3::zeros());
    }
    let away = |axis: usize| bounds.min[axis] > 0.0 || bounds.max[axis] < 0.0;
    let aside = if away(0) || away(2) { -middle.coords } else { Vector3::zeros() };
    let high = bounds.min.y > bounds.sizes().y || bounds.max.y < 0.0;
    Ok(Vector3::new(aside.x, if high { -bounds.min.y } else { 0.0 }, aside.z))
}

struct Rehearsal<'a> {
    cast: &'a Cast<'a>,
    scene: Scene,
    keys: [CharacterKey; 2],
    buffers: Buffers,
    scratch: QueryScratch,
}

impl<'a> Rehearsal<'a> {
    fn new(cast: &'a Cast<'a>) -> Result<Self, Error> {
        let mut scene = Scene::new();
        let keys = insert(&mut scene, cast.map(|(loaded, _)| loaded))?;
        let (buffers, scratch) = (Buffers::new(), QueryScratch::new());
        Ok(Rehearsal { cast, scene, keys, buffers, scratch })
    }

    /// Returns `true` if something touches within the first two seconds.
    fn meets(&mut self, start: &Start) -> Result<bool, Error> {
        let query = PairQuery::between(self.keys[0], self.keys[1]);
        for frame in (0..SEARCHED).step_by(EVERY) {
            self.pose(start, frame)?;
            let now = self.scene.snapshot(&mut self.buffers);
            if now.intersects(&query, &mut self.scratch)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Translation of blue's centre to the height and side of red's.
    fn aside(&mut self, home: [Vector3<f32>; 2]) -> Result<Vector3<f32>, Error> {
        self.pose(&Start { distance: 0.0, aside: Vector3::zeros(), home }, 0)?;
        let now = self.scene.snapshot(&mut self.buffers);
        let mut middles = [Vector3::zeros(); 2];
        for (middle, key) in middles.iter_mut().zip(self.keys) {
            let center = now.character_aabb(key)?.center();
            *middle = center.map_or(Vector3::zeros(), |center| center.coords);
        }
        let between = middles[0] - middles[1];
        Ok(Vector3::new(between.x, between.y, 0.0))
    }

    fn pose(&mut self, start: &Start, frame: usize) -> Result<(), Error> {
        for (side, place) in start.places().iter().enumerate() {
            let (loaded, play) = self.cast[side];
            let (joints, forward) = play.sample(loaded, frame, &mut self.buffers.joints)?;
            let at = place * Isometry3::translation(0.0, 0.0, forward);
            self.scene.set_joints(self.keys[side], &at, joints)?;
        }
        Ok(())
    }
}
