//! Frames of a clip, sixty a second.

use boxwood::motion::{Clip, Joints};
use boxwood::{Error, Pose};

use super::Poses;

const RATE: f32 = 60.0;

pub struct Frames<'c> {
    clip: &'c Clip<f32>,
    joints: Joints<f32>,
}

impl<'c> Frames<'c> {
    pub fn new(clip: &'c Clip<f32>) -> Self {
        Frames { clip, joints: Joints::new() }
    }
}

impl Poses for Frames<'_> {
    /// Number of frames, up to the last that is not past the end.
    fn count(&self) -> usize {
        1 + (self.clip.duration() * RATE) as usize
    }

    fn at(&mut self, index: usize) -> Result<&[Pose], Error> {
        self.clip.sample(index as f32 / RATE, &mut self.joints)
    }
}
