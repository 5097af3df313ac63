//! Sweep of two balls, in any dimension.

use nalgebra::SVector;

use super::motion::{dot, impact_time, minus, plus, times, unit_or};
use super::time_span::Approach;
use super::{Motion, Sweep, UnroundedHit};
use crate::num::{Scalar, tolerance};
use crate::pair::results::CastHit;
use crate::shape::Sphere;

impl<T: Scalar, const D: usize> Sweep<T, D> for Sphere<T, D> {
    /// Computes the chord of the first centre's path in a ball of both radii around the second.
    fn sweep_both(
        &self,
        displacement: SVector<T, D>,
        other: &Self,
        other_displacement: SVector<T, D>,
    ) -> Option<CastHit<T, D>> {
        let motion = Motion::new(displacement, other_displacement)?;
        let wide = |s: &Self| -> [f64; D] { s.center().coords.map(T::wide).into() };
        let (a, b) = (wide(self), wide(other));
        let (radius_a, radius_b) = (self.radius().wide(), other.radius().wide());
        let (offset, radius) = (minus(b, a), radius_a + radius_b);
        let (squared_at_start, speed_squared) =
            (dot(offset, offset), dot(motion.relative, motion.relative));
        let nearest = dot(offset, motion.relative) / speed_squared;
        if surely_misses(offset, motion.relative, nearest, radius) {
            return None;
        }
        let size = squared_at_start.sqrt() + motion.length() + radius;
        let slack = tolerance::SWEEP_SLACK * size;
        let across = minus(offset, times(motion.relative, nearest));
        let approach = Approach {
            nearest,
            speed_squared,
            least_squared: dot(across, across),
            squared_at_start,
        };
        let passage = approach.times_within(radius + slack)?;
        if !passage.overlaps_motion() {
            return None;
        }
        let time = impact_time::<T>(passage.enter);
        let (a, b) = (moved_by(a, motion.first, time), moved_by(b, motion.second, time));
        let share = if radius > 0.0 { (radius_b / radius, radius_a / radius) } else { (0.5, 0.5) };
        // Concentric and at relative rest: the smaller ball is behind, in either order.
        let aside = if radius_a <= radius_b { 1.0 } else { -1.0 };
        let still = std::array::from_fn(|i| if i == 0 { aside } else { 0.0 });
        let way = if motion.length() > 0.0 { motion.relative } else { still };
        let touch = UnroundedHit {
            leave: passage.leave,
            normal: unit_or(minus(b, a), way),
            point: plus(times(a, share.0), times(b, share.1)),
            started_inside: squared_at_start.sqrt() <= radius * (1.0 + tolerance::SWEEP_SLACK),
            slack: 2.0 * slack,
        };
        Some(touch.rounded(time, &motion))
    }
}

/// Returns `true` if two balls certainly miss each other: their nearest approach exceeds the radii
/// by more than any rounding. Needs no root.
#[inline(always)]
fn surely_misses<const D: usize>(
    offset: [f64; D],
    relative: [f64; D],
    nearest: f64,
    radius: f64,
) -> bool {
    // Clamped to the start, also without a motion.
    let time = if nearest > 0.0 { nearest } else { 0.0 };
    let away = minus(offset, times(relative, if time < 1.0 { time } else { 1.0 }));
    let far = radius
        + 4.0
            * tolerance::SWEEP_SLACK
            * (taxicab_length(offset) + taxicab_length(relative) + radius);
    dot(away, away) > far * far
}

/// Returns an upper bound on the length, without a root.
#[inline(always)]
fn taxicab_length<const D: usize>(a: [f64; D]) -> f64 {
    a.iter().fold(0.0, |sum, x| sum + x.abs())
}

fn moved_by<T: Scalar, const D: usize>(at: [f64; D], by: [f64; D], time: T) -> [f64; D] {
    plus(at, times(by, time.wide()))
}
