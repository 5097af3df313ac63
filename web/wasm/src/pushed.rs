//! How far two characters have been pushed apart, frame by frame.

use boxwood::nalgebra::{Unit, Vector3};
use boxwood::{Push, Separation};

/// How far each goes beyond half of a push, in metres: poses are rounded.
const BEYOND: f32 = 1e-5;

/// What is left of earlier pushes in a frame without one: both close in again.
const KEPT: f32 = 0.98;

/// How far each was pushed along the ground, and in which direction the last time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pushed {
    pub by: [Vector3<f32>; 2],
    near: Option<Unit<Vector3<f32>>>,
}

impl Pushed {
    /// What to ask for: a way along the ground, near the last one.
    pub fn question(&self) -> Push {
        Push::across(Vector3::y_axis()).near(self.near)
    }

    /// The state of the next frame: both give way by half.
    pub fn next(mut self, push: Option<&Separation>) -> Pushed {
        self.near = push.map(|push| push.normal);
        let Some(push) = push else {
            self.by.iter_mut().for_each(|by| *by *= KEPT);
            return self;
        };
        let step = push.normal.into_inner() * (0.5 * push.depth + BEYOND);
        self.by[0] -= step;
        self.by[1] += step;
        self
    }
}
