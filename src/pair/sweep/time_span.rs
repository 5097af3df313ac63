//! The times at which something that moves straight ahead is in an interval, in several at once, in
//! a ball.

use super::motion::{dot, plus, times};

/// What dividing and subtracting once each may lose: 4 e of a time.
const LOST: f64 = 1.0 / (1u64 << 51) as f64;

/// The times, before 0 and after 1 too, at which none of the axes seen so far says apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeSpan {
    pub enter: f64,
    pub leave: f64,
}

impl TimeSpan {
    pub const ALWAYS: TimeSpan = TimeSpan { enter: f64::NEG_INFINITY, leave: f64::INFINITY };

    /// Keeps the times at which `speed * t` lies in `low..=high`. When that alone begins; `None` if
    /// no time of 0..=1 is left. Without speed it is a test at rest.
    #[inline]
    pub fn narrow(&mut self, low: f64, high: f64, speed: f64) -> Option<f64> {
        let enter = self.narrow_always(low, high, speed)?;
        self.any().then_some(enter)
    }

    /// As [`TimeSpan::narrow`], of all times; `None` if none is left.
    #[inline]
    pub fn narrow_always(&mut self, low: f64, high: f64, speed: f64) -> Option<f64> {
        if speed == 0.0 {
            return (low <= 0.0 && 0.0 <= high).then_some(f64::NEG_INFINITY);
        }
        let (near, far) = if speed > 0.0 { (low, high) } else { (high, low) };
        let (enter, leave) = (near / speed, far / speed);
        // Of an infinite quotient, which says never or always, nothing is lost.
        let lost = |time: f64| if time.is_finite() { LOST * time.abs() } else { 0.0 };
        let (enter, leave) = (enter - lost(enter), leave + lost(leave));
        self.enter = if enter > self.enter { enter } else { self.enter };
        self.leave = if leave < self.leave { leave } else { self.leave };
        (self.enter <= self.leave).then_some(enter)
    }

    /// The times common to both; none if they end before they begin.
    #[inline]
    pub fn shared(&self, other: TimeSpan) -> TimeSpan {
        TimeSpan {
            enter: if other.enter > self.enter { other.enter } else { self.enter },
            leave: if other.leave < self.leave { other.leave } else { self.leave },
        }
    }

    /// Whether there is a time in 0..=1.
    #[inline]
    pub fn any(&self) -> bool {
        self.enter <= self.leave && self.enter <= 1.0 && self.leave >= 0.0
    }
}

/// The times at which `offset + velocity t` is within `radius` of the origin; `None` if never.
pub(crate) fn chord<const D: usize>(
    offset: [f64; D],
    velocity: [f64; D],
    radius: f64,
) -> Option<TimeSpan> {
    let square = dot(velocity, velocity);
    let nearest = -dot(offset, velocity) / square;
    let across = plus(offset, times(velocity, nearest));
    Approach { nearest, square, across: dot(across, across), now: dot(offset, offset) }
        .within(radius)
}

/// How something that moves straight ahead comes nearest to the origin.
pub(super) struct Approach {
    /// When; anything without a motion.
    pub nearest: f64,
    /// Of the velocity.
    pub square: f64,
    /// The square of the distance then.
    pub across: f64,
    /// At time 0.
    pub now: f64,
}

impl Approach {
    /// The times at which it is within `radius`; `None` if never.
    ///
    /// By the nearest approach, not by the discriminant of the motion, whose difference of squares
    /// loses half the digits.
    #[inline]
    pub fn within(&self, radius: f64) -> Option<TimeSpan> {
        let bar = radius * radius;
        if self.square == 0.0 {
            return (self.now <= bar).then_some(TimeSpan::ALWAYS);
        }
        // Negative under the root only where there is no chord.
        let half = (bar - self.across).sqrt() / self.square.sqrt();
        let (enter, leave) = (self.nearest - half, self.nearest + half);
        (self.across <= bar).then_some(TimeSpan { enter, leave })
    }
}
