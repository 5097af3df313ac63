//! Blows: runs of frames in which the two touch, and the attacker of each.

use boxwood::nalgebra::Vector3;
use boxwood::{CharacterKey, Error, Hit, Pose, Scene};

use super::cast::RATE;

/// Number of frames without contact that end a blow.
pub const PAUSE: usize = 3;

/// Smallest lead in speed that makes an attacker [m/s].
pub const FASTER: f32 = 0.001;

/// Largest initial capacity for blows: a fight with fewer allocates nothing for them later.
const ROOM: usize = 4096;

/// A run from the first frame in which the two touch to the last before a pause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blow {
    /// First and last frame with a hit.
    pub first: usize,
    pub last: usize,
    /// Frame of the deepest hit, and that hit.
    pub deepest: (usize, Hit),
    /// Fastest contact of red, and of blue.
    pub fastest: [Impact; 2],
}

/// The deepest contact of a frame, and the speed of a part at it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    pub frame: usize,
    /// Speed of the part at the point of contact, from its motion since the frame before, without
    /// pushes [m/s].
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

    /// Side of the fastest part: 0 for red, 1 for blue.
    pub fn attacker(&self) -> Option<usize> {
        let [red, blue] = self.fastest.map(|impact| impact.speed);
        match red - blue {
            ahead if ahead >= FASTER => Some(0),
            ahead if ahead <= -FASTER => Some(1),
            _ => None,
        }
    }

    /// Returns the contact at which the attacker was fastest; the deepest if there is no attacker.
    pub fn impact(&self) -> Impact {
        let (frame, hit) = self.deepest;
        let speed = self.fastest[0].speed.max(self.fastest[1].speed);
        self.attacker().map_or(Impact { frame, speed, hit }, |side| self.fastest[side])
    }

    /// Number of frames from the first to the last, both counted.
    pub fn lasts(&self) -> usize {
        self.last - self.first + 1
    }
}

/// All blows of a fight, collected frame by frame.
pub struct Blows {
    all: Vec<Blow>,
    /// Poses of the parts in the frame before, and displacements by pushes.
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

    /// Adds the hits of the next frame; the scene must be in that frame.
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

    /// Speed of both parts at the point; zero in the first frame of all [m/s].
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

    /// Returns the blow to which hits in a frame belong.
    pub fn going(&self, number: usize) -> Option<&Blow> {
        self.all.last().filter(|blow| number - blow.last <= PAUSE)
    }

    pub fn into_all(self) -> Vec<Blow> {
        self.all
    }
}

/// Returns the deepest of some hits.
pub fn deepest(hits: &[Hit]) -> Option<&Hit> {
    hits.iter().max_by(|a, b| a.depth.total_cmp(&b.depth))
}
