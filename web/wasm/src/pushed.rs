//! Displacements of two characters by pushes, frame by frame.

use boxwood::nalgebra::{Unit, Vector3};
use boxwood::{Push, Separation};

/// Distance that each goes beyond half of a push, because poses are rounded [m].
const BEYOND: f32 = 1e-5;

/// Share of earlier pushes that remains after a frame without one: both approach again.
const KEPT: f32 = 0.98;

/// Displacement of each along the ground, and direction of the last push.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pushed {
    pub by: [Vector3<f32>; 2],
    near: Option<Unit<Vector3<f32>>>,
}

impl Pushed {
    /// Query for the next push: along the ground, near the last direction.
    pub fn question(&self) -> Push {
        Push::across(Vector3::y_axis()).near(self.near)
    }

    /// Returns the state of the next frame: both move by half of the push.
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
