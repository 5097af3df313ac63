//! Where two characters start: far enough apart that they meet while they play.

use std::f32::consts::PI;

use boxwood::load::Loaded;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Aabb, Buffers, CharacterKey, Error, PairQuery, Pose, QueryScratch, Scene, Spawn};

use crate::play::{Play, STRIDE};

/// Where the scripts of the fight begin: a stride more than where its blows land.
const SCRIPTED: f32 = 1.12 + STRIDE;

/// Frames of the search, and how many are left out between two.
const SEARCHED: usize = 120;
const EVERY: usize = 6;

/// The step of the search.
const NEARER: f32 = 0.96;

/// Two characters and what they play.
pub(crate) type Cast<'a> = [(&'a Loaded<f32>, Play); 2];

/// Where both stand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    /// How far blue is from red, along Z.
    pub distance: f32,
    /// How far blue is moved sideways and up.
    aside: Vector3<f32>,
    /// What brings each of them home: recorded people stand anywhere.
    home: [Vector3<f32>; 2],
}

impl Start {
    /// As the fight wants it; or as far as something touches within the first two seconds, standing
    /// on one floor or, if nothing does, with their middles in one line.
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
                    // A little closer, so that it is more than a touch.
                    return Ok(Start { distance: start.distance * NEARER, ..start });
                }
                start.distance *= NEARER;
            }
        }
        Ok(at(0.0, rehearsal.aside(home)?))
    }

    /// Red is at the origin looking along +Z, blue looks back at it.
    pub fn places(&self) -> [Pose; 2] {
        let place = self.aside + Vector3::z() * self.distance;
        let facing = [Isometry3::identity(), Isometry3::new(place, Vector3::y() * PI)];
        [0, 1].map(|side| match self.home[side] {
            home if home == Vector3::zeros() => facing[side],
            home => facing[side] * Isometry3::from(home),
        })
    }
}

/// Adds both, red before blue in all answers.
pub(crate) fn insert(
    scene: &mut Scene,
    cast: [&Loaded<f32>; 2],
) -> Result<[CharacterKey; 2], Error> {
    let red = scene.insert(&cast[0].model, Spawn::default().order(0))?;
    Ok([red, scene.insert(&cast[1].model, Spawn::default().order(1))?])
}

/// The box of a character in its first frame.
fn bounds((loaded, play): &(&Loaded<f32>, Play)) -> Result<Aabb, Error> {
    let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
    let key = scene.insert(&loaded.model, Spawn::default())?;
    let (joints, _) = play.sample(loaded, 0, &mut buffers.joints)?;
    scene.set_joints(key, &Pose::identity(), joints)?;
    scene.snapshot(&mut buffers).character_aabb(key)
}

/// Where the origin is not below the box of the first frame, the middle of the box goes there, and
/// where it is above or far below, the lowest end.
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

/// A scene to try starts in.
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

    /// Whether something touches within the first two seconds.
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

    /// What brings the middle of blue to the height and side of the middle of red.
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
