//! Blows: runs of frames in which the two touch, and who struck.

use boxwood::{CharacterKey, Error, Hit, Pose, Scene};

use crate::cast::RATE;
use crate::play::deepest;

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
    /// How many of the frames from the first to the last have a hit.
    pub touching: usize,
    /// How fast the parts of red and blue move at the deepest contact of the first frame: how far
    /// that point of the part has come since the frame before. Metres a second.
    pub speeds: [f32; 2],
    /// The deepest hit of all its frames.
    pub deepest: Hit,
}

impl Blow {
    /// Whose part was faster as the blow began: 0 for red, 1 for blue.
    pub fn attacker(&self) -> Option<usize> {
        let [red, blue] = self.speeds;
        match red - blue {
            ahead if ahead >= FASTER => Some(0),
            ahead if ahead <= -FASTER => Some(1),
            _ => None,
        }
    }

    /// Frames from the first to the last, both counted.
    pub fn lasts(&self) -> usize {
        self.last - self.first + 1
    }
}

/// All blows of a fight, frame by frame.
pub struct Blows {
    all: Vec<Blow>,
    /// Where the parts were in the frame before.
    before: [Vec<Pose>; 2],
}

impl Blows {
    pub fn new(frames: usize) -> Self {
        let room = (frames / (PAUSE + 1) + 1).min(ROOM);
        Blows { all: Vec::with_capacity(room), before: [Vec::new(), Vec::new()] }
    }

    /// Takes the hits of the next frame, in which the scene still is.
    pub fn see(
        &mut self,
        number: usize,
        (scene, keys): (&Scene, [CharacterKey; 2]),
        hits: &[Hit],
    ) -> Result<(), Error> {
        let poses = [scene.poses(keys[0])?, scene.poses(keys[1])?];
        if let Some(hit) = deepest(hits) {
            self.touch(number, hit, poses);
        }
        for (before, poses) in self.before.iter_mut().zip(poses) {
            before.clear();
            before.extend_from_slice(poses);
        }
        Ok(())
    }

    fn touch(&mut self, number: usize, hit: &Hit, poses: [&[Pose]; 2]) {
        if self.going(number).is_none() {
            let speeds = self.speeds(hit, poses);
            let (first, last) = (number, number);
            self.all.push(Blow { first, last, touching: 0, speeds, deepest: *hit });
        }
        let Some(blow) = self.all.last_mut() else { return };
        blow.last = number;
        blow.touching += 1;
        if hit.depth > blow.deepest.depth {
            blow.deepest = *hit;
        }
    }

    /// How fast either part moves at the point; in the first frame of all, not at all.
    fn speeds(&self, hit: &Hit, poses: [&[Pose]; 2]) -> [f32; 2] {
        [hit.a, hit.b].map(|site| site.part.index()).into_iter().enumerate().fold(
            [0.0; 2],
            |mut speeds, (side, part)| {
                if let Some(before) = self.before[side].get(part) {
                    let there = poses[side][part].inverse_transform_point(&hit.point);
                    speeds[side] = (hit.point - before * there).norm() * RATE;
                }
                speeds
            },
        )
    }

    /// The blow that a frame belongs to if it has a hit.
    pub fn going(&self, number: usize) -> Option<&Blow> {
        self.all.last().filter(|blow| number - blow.last <= PAUSE)
    }

    pub fn into_all(self) -> Vec<Blow> {
        self.all
    }
}
