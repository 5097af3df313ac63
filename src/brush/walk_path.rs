//! Record of the straight legs along which a walker moved.

use crate::num::linear::{Vec3, length, sub};
use crate::shape::UpAxis;

/// Straight motion of an upright cylinder, with z up; a jump is not a leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PathLeg {
    pub start: Vec3,
    pub end: Vec3,
    /// Radius and half height of the cylinder, without a skin.
    pub size: [f64; 2],
}

impl PathLeg {
    /// Creates the leg of a cylinder that stays where it is.
    fn at_rest(place: Vec3, size: [f64; 2]) -> PathLeg {
        PathLeg { start: place, end: place, size }
    }

    /// Returns the displacement.
    pub fn displacement(&self) -> Vec3 {
        sub(self.end, self.start)
    }
}

/// Leg with its shares of the whole path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TimedLeg {
    pub leg: PathLeg,
    /// Lengths of the path before the leg, and up to its end [length units].
    pub lengths: [f64; 2],
    /// Set for the first and for the last leg.
    pub is_first: bool,
    pub is_last: bool,
}

/// Path of a walker: the legs of its last move, or of all moves of a tick.
#[derive(Debug, Clone, Default)]
pub(super) struct WalkPath {
    legs: Vec<PathLeg>,
    up: UpAxis,
    /// Set if moves add to the path until the next tick.
    is_tick: bool,
}

impl WalkPath {
    /// Clears the path; the moves after it add to it.
    pub fn begin_tick(&mut self) {
        self.legs.clear();
        self.is_tick = true;
    }

    /// Begins a move: replaces the path outside of a tick.
    pub fn begin_move(&mut self, place: Vec3, size: [f64; 2], up: UpAxis) {
        if !self.is_tick || self.up != up {
            self.legs.clear();
        }
        self.up = up;
        let rest = PathLeg::at_rest(place, size);
        // A walker that goes on from where it was needs no leg at rest.
        if self.legs.last().is_none_or(|last| last.end != rest.start || last.size != rest.size) {
            self.legs.push(rest);
        }
    }

    /// Adds the motion from one position to another; nothing if they are equal.
    pub fn add(&mut self, start: Vec3, end: Vec3, size: [f64; 2]) {
        if start != end {
            self.legs.push(PathLeg { start, end, size });
        }
    }

    /// Returns the number of legs.
    pub fn len(&self) -> usize {
        self.legs.len()
    }

    /// Forgets the legs after the first `len`: the moves were only tried.
    pub fn truncate(&mut self, len: usize) {
        self.legs.truncate(len);
    }

    /// Forgets some legs: others were taken in their place.
    pub fn remove(&mut self, range: std::ops::Range<usize>) {
        self.legs.drain(range);
    }

    /// Returns the up axis of the world that the legs are in.
    pub fn up(&self) -> UpAxis {
        self.up
    }

    /// Returns the length of the path [length units].
    pub fn length(&self) -> f64 {
        self.legs.iter().fold(0.0, |sum, leg| sum + length(leg.displacement()))
    }

    /// Returns the legs in order, without rests from which the walker moves on.
    pub fn legs(&self) -> impl Iterator<Item = TimedLeg> + '_ {
        let (mut before, count, mut is_first) = (0.0, self.legs.len(), true);
        self.legs.iter().enumerate().filter_map(move |(index, leg)| {
            let next = self.legs.get(index + 1);
            let moves_on = |next: &PathLeg| next.start == leg.end && next.size == leg.size;
            if leg.start == leg.end && next.is_some_and(moves_on) {
                return None;
            }
            let after = before + length(leg.displacement());
            let lengths = [before, after];
            let is_last = index + 1 == count;
            let timed = TimedLeg { leg: *leg, lengths, is_first, is_last };
            (before, is_first) = (after, false);
            Some(timed)
        })
    }
}
