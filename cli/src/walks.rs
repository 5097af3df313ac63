//! Walks of an upright cylinder among brushes, along a list of positions or at random.
//!
//! The command-line tool and the example `walk_brushes` share this module: it needs only the
//! library.

use std::fmt;

use boxwood::Error;
use boxwood::brush::{BrushWorld, WalkScratch, Walker, WalkerState};
use boxwood::nalgebra::{Point3, Vector2, Vector3};
use boxwood::shape::UprightCylinder;

use crate::random::Random;

/// Size of the walking cylinder [m].
pub const RADIUS: f64 = 0.5;
pub const HALF_HEIGHT: f64 = 0.875;

/// Half height of the cylinder while crouching [m].
pub const CROUCHED: f64 = 0.5;

/// Size of a unit of Quake's maps [m]: a power of two, so that all lengths are exact.
pub const SCALE: f64 = 1.0 / 32.0;

/// Walking speed [m/s].
pub const SPEED: f64 = 5.0;

/// Frames per second.
pub const RATE: f64 = 60.0;

/// Height of the highest step [m].
const STEP: f64 = 0.5625;

/// Acceleration of the fall [m/s^2].
const FALL: f64 = 9.81;

/// The record of a walk.
#[derive(Debug, Clone, Default)]
pub struct Walk {
    /// Positions of the centre, one a frame.
    pub points: Vec<Point3<f64>>,
    /// Half height at each position.
    pub halves: Vec<f64>,
    /// Numbers of frames in which it climbed a step, and in which it was in the air.
    pub steps: u32,
    pub airborne: u32,
    /// Number of frames in which it had no space to stand up.
    pub refused: u32,
    /// Number of positions of its list that it reached.
    pub reached: usize,
    /// Largest number of casts in a frame.
    pub casts: u32,
}

impl Walk {
    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.points.len().saturating_sub(1)
    }

    /// Length of the path [m].
    pub fn length(&self) -> f64 {
        self.points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
    }
}

impl fmt::Display for Walk {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            to,
            "walk: {} frames, {:.2} m; up steps in {}, in the air in {}; at most {} casts a frame",
            self.frames(),
            self.length(),
            self.steps,
            self.airborne,
            self.casts
        )
    }
}

/// A walker with its record.
pub struct Tourist<'w> {
    world: &'w BrushWorld,
    walker: Walker<f64>,
    pub at: WalkerState<f64>,
    falling: f64,
    scratch: WalkScratch,
    pub walk: Walk,
}

impl<'w> Tourist<'w> {
    pub fn new(world: &'w BrushWorld, place: Point3<f64>) -> Result<Self, Error> {
        let walker = Walker::new(UprightCylinder::new(RADIUS, HALF_HEIGHT)?).step(STEP);
        let mut scratch = WalkScratch::new();
        let at = walker.push_out(world, place, &mut scratch)?;
        let mut walk = Walk::default();
        walk.points.push(at.position());
        walk.halves.push(HALF_HEIGHT);
        Ok(Tourist { world, walker, at, falling: 0.0, scratch, walk })
    }

    /// Walks one frame in a direction; returns the horizontal distance.
    pub fn frame(&mut self, heading: Vector2<f64>) -> Result<f64, Error> {
        let by = heading * (SPEED / RATE);
        self.falling = match self.at.ground() {
            Some(_) => 0.0,
            None => self.falling - FALL / (RATE * RATE),
        };
        let displacement = Vector3::new(by.x, by.y, self.falling);
        let report = self.walker.walk(self.world, &mut self.at, displacement, &mut self.scratch)?;
        if self.at.ground().is_none() {
            self.falling = report.moved.z.min(0.0);
        }
        self.walk.steps += u32::from(report.stepped);
        self.walk.airborne += u32::from(report.ground.is_none());
        self.walk.casts = self.walk.casts.max(report.casts);
        self.walk.points.push(self.at.position());
        self.walk.halves.push(self.walker.cylinder().half_height());
        Ok(report.moved.xy().norm())
    }

    /// Crouches, or stands up if there is space.
    pub fn crouch(&mut self, crouched: bool) {
        let half = if crouched { CROUCHED } else { HALF_HEIGHT };
        if self.walker.cylinder().half_height() == half {
            return;
        }
        match self.walker.resize(self.world, &mut self.at, half, &mut self.scratch) {
            Ok(walker) => self.walker = walker,
            Err(_) => self.walk.refused += 1,
        }
    }
}

/// Walks from a position for `frames` frames. The direction changes at random, and where the walker
/// is blocked.
pub fn at_random(
    world: &BrushWorld,
    place: Point3<f64>,
    frames: u32,
    seed: u64,
) -> Result<Walk, Error> {
    let mut tourist = Tourist::new(world, place)?;
    let mut random = Random(seed);
    let mut heading = Vector2::x();
    for _ in 0..frames {
        let moved = tourist.frame(heading)?;
        if moved < 0.3 * SPEED / RATE || random.bits().is_multiple_of(128) {
            let angle = random.between(0.0, std::f64::consts::TAU);
            heading = Vector2::new(angle.cos(), angle.sin());
        }
    }
    Ok(tourist.walk)
}
