//! Blows: runs of frames in which the two touch, and who struck.

use boxwood::nalgebra::Vector3;
use boxwood::{CharacterKey, Error, Hit, Pose, Scene};

use super::cast::RATE;
use super::play::deepest;

/// A blow is over once the two have not touched for this many frames.
pub const PAUSE: usize = 3;

/// Metres a second: who is faster by less than this is not the attacker.
pub const FASTER: f32 = 0.001;

/// Room for blows from the start: a fight of fewer allocates nothing for them later.
const ROOM: usize = 4096;

/// From the first frame in which the two touch to the last before a pause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blow {
    /// The first frame with a hit, and the last.
    pub first: usize,
    pub last: usize,
    /// The deepest hit of all its frames, and the frame.
    pub deepest: (usize, Hit),
    /// The fastest contact of red, and of blue.
    pub fastest: [Impact; 2],
}

/// A contact, the deepest of its frame, and how fast a part came to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    pub frame: usize,
    /// Metres a second: how far the point of the part has come since the frame before, by what its
    /// character plays alone.
    pub speed: f32,
    pub hit: Hit,
}

impl Blow {
    fn new(frame: usize, hit: &Hit) -> Self {
        let none = Impact { frame, speed: 0.0, hit: *hit };
        let deepest = (frame, *hit);
        Blow { first: frame, last: frame, deepest, fastest: [none; 2] }
    }

    fn add(&mut self, frame: usize, hit: &Hit, speeds: [f32; 2]) {
        self.last = frame;
        if hit.depth > self.deepest.1.depth {
            self.deepest = (frame, *hit);
        }
        for (fastest, speed) in self.fastest.iter_mut().zip(speeds) {
            if speed > fastest.speed {
                *fastest = Impact { frame, speed, hit: *hit };
            }
        }
    }

    /// Whose part was the fastest: 0 for red, 1 for blue.
    pub fn attacker(&self) -> Option<usize> {
        let [red, blue] = self.fastest.map(|impact| impact.speed);
        match red - blue {
            ahead if ahead >= FASTER => Some(0),
            ahead if ahead <= -FASTER => Some(1),
            _ => None,
        }
    }

    /// The contact at which the attacker was fastest; the deepest where nobody attacks.
    pub fn impact(&self) -> Impact {
        let (frame, hit) = self.deepest;
        let speed = self.fastest[0].speed.max(self.fastest[1].speed);
        self.attacker().map_or(Impact { frame, speed, hit }, |side| self.fastest[side])
    }

    /// Frames from the first to the last, both counted.
    pub fn lasts(&self) -> usize {
        self.last - self.first + 1
    }
}

/// All blows of a fight, frame by frame.
pub struct Blows {
    all: Vec<Blow>,
    /// Where the parts were in the frame before, and how far each character was pushed.
    before: [Vec<Pose>; 2],
    pushed: [Vector3<f32>; 2],
}

impl Blows {
    pub fn new(frames: usize) -> Self {
        let room = (frames / (PAUSE + 1) + 1).min(ROOM);
        Blows {
            all: Vec::with_capacity(room),
            before: [Vec::new(), Vec::new()],
            pushed: [Vector3::zeros(); 2],
        }
    }

    /// Takes the hits of the next frame, in which the scene still is.
    pub fn see(
        &mut self,
        number: usize,
        (scene, keys, pushed): (&Scene, [CharacterKey; 2], [Vector3<f32>; 2]),
        hits: &[Hit],
    ) -> Result<(), Error> {
        let poses = [scene.poses(keys[0])?, scene.poses(keys[1])?];
        if let Some(hit) = deepest(hits) {
            let speeds = self.speeds(hit, poses, pushed);
            self.touch(number, hit, speeds);
        }
        for (before, poses) in self.before.iter_mut().zip(poses) {
            before.clear();
            before.extend_from_slice(poses);
        }
        self.pushed = pushed;
        Ok(())
    }

    fn touch(&mut self, number: usize, hit: &Hit, speeds: [f32; 2]) {
        if self.going(number).is_none() {
            self.all.push(Blow::new(number, hit));
        }
        if let Some(blow) = self.all.last_mut() {
            blow.add(number, hit, speeds);
        }
    }

    /// How fast either part moves at the point; in the first frame of all, not at all.
    fn speeds(&self, hit: &Hit, poses: [&[Pose]; 2], pushed: [Vector3<f32>; 2]) -> [f32; 2] {
        let mut speeds = [0.0; 2];
        for (side, site) in [hit.a, hit.b].into_iter().enumerate() {
            let part = site.part.index();
            if let Some(before) = self.before[side].get(part) {
                let there = poses[side][part].inverse_transform_point(&hit.point);
                let push = pushed[side] - self.pushed[side];
                speeds[side] = (hit.point - before * there - push).norm() * RATE;
            }
        }
        speeds
    }

    /// The blow that a frame belongs to if it has a hit.
    pub fn going(&self, number: usize) -> Option<&Blow> {
        self.all.last().filter(|blow| number - blow.last <= PAUSE)
    }

    pub fn into_all(self) -> Vec<Blow> {
        self.all
    }
}
