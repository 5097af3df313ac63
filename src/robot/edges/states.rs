//! The state of a search: intervals, pairs along an edge, links and parts at a sample.

use crate::num::linear::{Vec3, add, cross, sub};

/// Number of halvings of an edge down to one step.
pub(super) const LEVELS: u32 = 30;

/// Number of steps of an edge: fractions of samples are multiples of `1 / STEPS`.
pub(super) const STEPS: u32 = 1 << LEVELS;

/// Returns the fraction of a step.
pub(super) fn fraction(step: u32) -> f64 {
    f64::from(step) / f64::from(STEPS)
}

/// An interval of the edge in steps, and the range of open pairs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    pub start: u32,
    pub end: u32,
    pub open: [usize; 2],
}

impl Interval {
    pub fn middle_step(&self) -> u32 {
        u32::midpoint(self.start, self.end)
    }

    /// Returns half the length as a share of the edge.
    pub fn half(&self) -> f64 {
        f64::from(self.end - self.start) / f64::from(2 * STEPS)
    }

    /// Returns `true` for an interval without a step inside its halves.
    pub fn is_shortest(&self) -> bool {
        self.end - self.start <= 2
    }

    pub fn halves(&self, open: [usize; 2]) -> [Interval; 2] {
        let middle = self.middle_step();
        [Interval { end: middle, open, ..*self }, Interval { start: middle, open, ..*self }]
    }
}

/// The second part of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Other {
    /// Index of a part of the robot.
    Robot(u32),
    /// Index of an obstacle.
    Obstacle(u32),
}

/// A pair along an edge.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairMotion {
    pub a: u32,
    pub b: Other,
    pub base: Option<u32>,
    pub margin: f64,
    /// Radii of both balls, errors and margin.
    pub reach: f64,
    /// Largest accelerations and speeds of both centres together.
    pub center_acceleration: f64,
    pub center_speed: f64,
    /// Largest acceleration of any point of each part, and the errors of its samples.
    pub accelerations: [f64; 2],
    pub errors: [f64; 2],
    /// Approach beyond which the trees are not tested.
    pub hopeless: f64,
}

/// Bounds of one side of a pair.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SideBounds {
    /// Radius of the ball.
    pub radius: f64,
    /// Largest acceleration and speed of the ball's centre.
    pub center: [f64; 2],
    /// Largest acceleration of any point.
    pub acceleration: f64,
    pub error: f64,
}

impl PairMotion {
    /// Returns the bounds of a pair from those of both sides.
    pub fn new(
        (a, b, base): (u32, Other, Option<u32>),
        sides: [SideBounds; 2],
        margin: f64,
    ) -> Self {
        let [first, second] = &sides;
        PairMotion {
            a,
            b,
            base,
            margin,
            reach: (first.radius + second.radius) + 2.0 * (first.error + second.error) + margin,
            center_acceleration: first.center[0] + second.center[0],
            center_speed: first.center[1] + second.center[1],
            accelerations: sides.map(|side| side.acceleration),
            errors: sides.map(|side| side.error),
            hopeless: 2.0 * first.radius.min(second.radius),
        }
    }
}

/// The result of a test of a pair in an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Outcome {
    /// Proved apart, further than this.
    Apart(f64),
    /// Proved apart by their surfaces; one may be inside the other, a solid, and is then so during
    /// the whole interval.
    SurfacesApart,
    Open,
    /// Distance beyond the margin, no more than the tolerance.
    Close(f64),
}

/// Velocity of a link in the world.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LinkTwist {
    pub angular: Vec3,
    /// Velocity of the point at the origin of the world.
    pub linear: Vec3,
}

impl LinkTwist {
    /// Returns the velocity of a point.
    #[inline]
    pub fn velocity(&self, point: Vec3) -> Vec3 {
        add(self.linear, cross(self.angular, point))
    }

    /// Returns the twist seen from another link.
    #[inline]
    pub fn relative_to(&self, base: &LinkTwist) -> LinkTwist {
        LinkTwist {
            angular: sub(self.angular, base.angular),
            linear: sub(self.linear, base.linear),
        }
    }
}

/// A part at a sample.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PartSample {
    /// Origin of the part.
    pub origin: Vec3,
    /// Centre of its ball, and its velocity.
    pub center: Vec3,
    pub velocity: Vec3,
}
