//! Times at which a point in straight motion is in an interval, in several at once, or in a ball.

use super::motion::{dot, plus, times};

/// Error of one division and one subtraction: 4 e of a time.
const TIME_ERROR: f64 = 1.0 / (1u64 << 51) as f64;

/// Times, before 0 and after 1 too, at which no axis so far separates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeSpan {
    pub enter: f64,
    pub leave: f64,
}

impl TimeSpan {
    pub const ALWAYS: TimeSpan = TimeSpan { enter: f64::NEG_INFINITY, leave: f64::INFINITY };

    /// Clips to the times at which `speed * t` lies in `low..=high`, and returns the beginning of
    /// those alone; `None` if no time of `0..=1` is left. Without speed it is a test at rest.
    #[inline]
    pub fn narrow(&mut self, low: f64, high: f64, speed: f64) -> Option<f64> {
        let enter = self.narrow_always(low, high, speed)?;
        self.overlaps_motion().then_some(enter)
    }

    /// Like [`TimeSpan::narrow`], for all times; `None` if none is left.
    #[inline]
    pub fn narrow_always(&mut self, low: f64, high: f64, speed: f64) -> Option<f64> {
        if speed == 0.0 {
            return (low <= 0.0 && 0.0 <= high).then_some(f64::NEG_INFINITY);
        }
        let (near, far) = if speed > 0.0 { (low, high) } else { (high, low) };
        let (enter, leave) = (near / speed, far / speed);
        // An infinite quotient means never or always, and has no error.
        let lost = |time: f64| if time.is_finite() { TIME_ERROR * time.abs() } else { 0.0 };
        let (enter, leave) = (enter - lost(enter), leave + lost(leave));
        self.enter = if enter > self.enter { enter } else { self.enter };
        self.leave = if leave < self.leave { leave } else { self.leave };
        (self.enter <= self.leave).then_some(enter)
    }

    /// Returns the times common to both; none if the span ends before it begins.
    #[inline]
    pub fn intersection(&self, other: TimeSpan) -> TimeSpan {
        TimeSpan {
            enter: if other.enter > self.enter { other.enter } else { self.enter },
            leave: if other.leave < self.leave { other.leave } else { self.leave },
        }
    }

    /// Returns `true` if there is a time in `0..=1`.
    #[inline]
    pub fn overlaps_motion(&self) -> bool {
        self.enter <= self.leave && self.enter <= 1.0 && self.leave >= 0.0
    }
}

/// Returns the times at which `offset + velocity t` is within `radius` of the origin; `None` if
/// never.
pub(crate) fn chord<const D: usize>(
    offset: [f64; D],
    velocity: [f64; D],
    radius: f64,
) -> Option<TimeSpan> {
    let speed_squared = dot(velocity, velocity);
    let nearest = -dot(offset, velocity) / speed_squared;
    let across = plus(offset, times(velocity, nearest));
    Approach {
        nearest,
        speed_squared,
        least_squared: dot(across, across),
        squared_at_start: dot(offset, offset),
    }
    .times_within(radius)
}

/// Nearest approach of a point in straight motion to the origin.
pub(super) struct Approach {
    /// Time of the nearest approach; arbitrary without a motion.
    pub nearest: f64,
    /// Square of the velocity.
    pub speed_squared: f64,
    /// Square of the distance then.
    pub least_squared: f64,
    /// Square of the distance at time 0.
    pub squared_at_start: f64,
}

impl Approach {
    /// Returns the times within `radius`; `None` if never.
    ///
    /// Uses the nearest approach: the discriminant of the motion, a difference of squares, would
    /// lose half the digits.
    #[inline]
    pub fn times_within(&self, radius: f64) -> Option<TimeSpan> {
        let bar = radius * radius;
        if self.speed_squared == 0.0 {
            return (self.squared_at_start <= bar).then_some(TimeSpan::ALWAYS);
        }
        // The root is NaN only if there is no chord.
        let half = (bar - self.least_squared).sqrt() / self.speed_squared.sqrt();
        let (enter, leave) = (self.nearest - half, self.nearest + half);
        (self.least_squared <= bar).then_some(TimeSpan { enter, leave })
    }
}
