//! Sweep of a ball and a box: aligned in any dimension, oriented in space.

use nalgebra::{Point, SVector};

use super::motion::{impact_time, length, minus, plus, times, unit_or};
use super::{Motion, Sweep, TimeSpan, UnroundedHit, chord};
use crate::num::linear::{rotate, rotate_back};
use crate::num::{Scalar, tolerance};
use crate::pair::results::CastHit;
use crate::shape::{Aabb, Obb, Sphere};

impl<T: Scalar, const D: usize> Sweep<T, D, Aabb<T, D>> for Sphere<T, D> {
    /// Compares the squared distance of the centre from the box with the squared radius. It is a
    /// parabola between the times at which the centre crosses the planes of the faces. An empty or
    /// infinite box is never hit.
    fn sweep_both(
        &self,
        displacement: SVector<T, D>,
        other: &Aabb<T, D>,
        other_displacement: SVector<T, D>,
    ) -> Option<CastHit<T, D>> {
        let motion = Motion::new(displacement, other_displacement)?;
        let wide = |p: Point<T, D>| -> [f64; D] { p.coords.map(T::wide).into() };
        let (center, min, max) = (wide(self.center()), wide(other.min), wide(other.max));
        let finite = min.iter().chain(&max).all(|x| x.is_finite());
        if other.is_empty() || !finite {
            return None;
        }
        let (low, high) = (minus(min, center), minus(max, center));
        let room = BallFrameBox { low, high, radius: self.radius().wide() };
        let rest = tolerance::SWEEP_SLACK * room.size();
        let slack = rest + tolerance::SWEEP_SLACK * motion.length();
        let found = room.first_touch(motion.relative, [rest, slack])?;
        let time = impact_time::<T>(found.passage.enter);
        let moving = times(motion.relative, time.wide());
        let local = std::array::from_fn(|i| {
            let shift = motion.second[i] * time.wide();
            (center[i] + moving[i]).clamp(min[i], max[i]) + shift
        });
        let touch = UnroundedHit {
            leave: found.passage.leave,
            normal: room.normal(moving, motion.relative),
            point: local,
            started_inside: found.started_inside,
            slack: 2.0 * slack,
        };
        Some(touch.rounded(time, &motion))
    }
}

impl<T: Scalar, const D: usize> Sweep<T, D, Sphere<T, D>> for Aabb<T, D> {
    fn sweep_both(
        &self,
        displacement: SVector<T, D>,
        other: &Sphere<T, D>,
        other_displacement: SVector<T, D>,
    ) -> Option<CastHit<T, D>> {
        let hit = other.sweep_both(other_displacement, self, displacement);
        hit.map(|hit| hit.reversed())
    }
}

impl<T: Scalar> Sweep<T, 3, Obb<T>> for Sphere<T, 3> {
    /// Sweeps in the frame of the box. The slack is that of two boxes, as stored axes are not quite
    /// orthogonal.
    fn sweep_both(
        &self,
        displacement: SVector<T, 3>,
        other: &Obb<T>,
        other_displacement: SVector<T, 3>,
    ) -> Option<CastHit<T, 3>> {
        let motion = Motion::new(displacement, other_displacement)?;
        let solid = other.wide();
        let center: [f64; 3] = self.center().coords.map(T::wide).into();
        let local = rotate_back(&solid.axes, minus(center, solid.center));
        let half = solid.half_extents;
        let radius = self.radius().wide();
        let room =
            BallFrameBox { low: minus(half.map(|h| -h), local), high: minus(half, local), radius };
        let rest = T::LEAF_SLACK * (solid.radius() + radius) + tolerance::SWEEP_SLACK * room.size();
        let slack = rest + tolerance::SWEEP_SLACK * motion.length();
        let velocity = rotate_back(&solid.axes, motion.relative);
        let found = room.first_touch(velocity, [rest, slack])?;
        let time = impact_time::<T>(found.passage.enter);
        let moving = times(velocity, time.wide());
        let inside = std::array::from_fn(|i| (local[i] + moving[i]).clamp(-half[i], half[i]));
        let shift = times(motion.second, time.wide());
        let touch = UnroundedHit {
            leave: found.passage.leave,
            normal: rotate(&solid.axes, room.normal(moving, velocity)),
            point: plus(plus(solid.center, rotate(&solid.axes, inside)), shift),
            started_inside: found.started_inside,
            slack: 2.0 * slack,
        };
        Some(touch.rounded(time, &motion))
    }
}

impl<T: Scalar> Sweep<T, 3, Sphere<T, 3>> for Obb<T> {
    fn sweep_both(
        &self,
        displacement: SVector<T, 3>,
        other: &Sphere<T, 3>,
        other_displacement: SVector<T, 3>,
    ) -> Option<CastHit<T, 3>> {
        let hit = other.sweep_both(other_displacement, self, displacement);
        hit.map(|hit| hit.reversed())
    }
}

/// Box relative to the initial centre of a ball, with the ball's radius.
struct BallFrameBox<const D: usize> {
    low: [f64; D],
    high: [f64; D],
    radius: f64,
}

struct BallBoxContact {
    passage: TimeSpan,
    started_inside: bool,
}

impl<const D: usize> BallFrameBox<D> {
    /// Returns an upper bound on all lengths that occur.
    fn size(&self) -> f64 {
        length(self.low) + length(self.high) + self.radius
    }

    /// Returns the offset from the nearest point of the box to `at`.
    fn offset_outside(&self, at: [f64; D]) -> [f64; D] {
        std::array::from_fn(|i| at[i] - at[i].clamp(self.low[i], self.high[i]))
    }

    /// Returns the contact interval of ball and box; `None` if it misses `0..=1`. The slacks are
    /// those at the start and on the way.
    fn first_touch(&self, velocity: [f64; D], [rest, slack]: [f64; 2]) -> Option<BallBoxContact> {
        let passage = self.contact_interval(velocity, self.radius + slack)?;
        let started_inside = length(self.offset_outside([0.0; D])) <= self.radius + rest;
        passage.overlaps_motion().then_some(BallBoxContact { passage, started_inside })
    }

    /// Returns all times at which the centre is within `radius` of the box.
    fn contact_interval(&self, velocity: [f64; D], radius: f64) -> Option<TimeSpan> {
        let slabs: [TimeSpan; D] = std::array::from_fn(|i| self.slab(i, velocity[i]));
        let (mut union, mut from) = (None, f64::NEG_INFINITY);
        // No more than 2 D planes are crossed; each step goes to the next.
        for _ in 0..2 * D + 1 {
            let ends = slabs.iter().flat_map(|slab| [slab.enter, slab.leave]);
            let until = ends.filter(|&end| end > from).fold(f64::INFINITY, f64::min);
            let (mut offset, mut speed) = ([0.0; D], [0.0; D]);
            for i in 0..D {
                let before = until <= slabs[i].enter;
                if before || from >= slabs[i].leave {
                    // A slab that is never entered has both ends at plus infinity.
                    let ahead = if velocity[i] == 0.0 {
                        self.low[i] > 0.0
                    } else {
                        before == (velocity[i] > 0.0)
                    };
                    offset[i] = if ahead { -self.low[i] } else { -self.high[i] };
                    speed[i] = velocity[i];
                }
            }
            let piece = chord(offset, speed, radius)
                .map(|c| TimeSpan { enter: c.enter.max(from), leave: c.leave.min(until) });
            let piece = piece.filter(|p| p.enter <= p.leave);
            union = union_span(union, piece);
            if until == f64::INFINITY {
                break;
            }
            from = until;
        }
        union
    }

    /// Returns the times at which the centre is between the two planes of an axis; plus infinity if
    /// never.
    fn slab(&self, i: usize, speed: f64) -> TimeSpan {
        let (low, high) = (self.low[i], self.high[i]);
        if speed == 0.0 {
            let never = TimeSpan { enter: f64::INFINITY, leave: f64::INFINITY };
            return if low <= 0.0 && 0.0 <= high { TimeSpan::ALWAYS } else { never };
        }
        let (near, far) = if speed > 0.0 { (low, high) } else { (high, low) };
        TimeSpan { enter: near / speed, leave: far / speed }
    }

    /// Returns the direction from the ball to the box for the centre at `at`.
    fn normal(&self, at: [f64; D], velocity: [f64; D]) -> [f64; D] {
        let outward = self.offset_outside(at);
        let error = 1e-9 * self.size();
        if length(outward) > error {
            return times(unit_or(outward, velocity), -1.0);
        }
        // Inside or on the surface: takes the nearest face.
        let (mut nearest, mut normal) = (f64::INFINITY, [0.0; D]);
        for i in 0..D {
            for (depth, sign) in [(at[i] - self.low[i], 1.0), (self.high[i] - at[i], -1.0)] {
                // Ties go to the face that the ball moves through.
                let better = depth < nearest - error;
                let is_tie = depth < nearest + error && sign * velocity[i] > 0.0;
                if better || is_tie {
                    nearest = depth;
                    normal = [0.0; D];
                    normal[i] = sign;
                }
            }
        }
        normal
    }
}

fn union_span(a: Option<TimeSpan>, b: Option<TimeSpan>) -> Option<TimeSpan> {
    match (a, b) {
        (Some(a), Some(b)) => {
            Some(TimeSpan { enter: a.enter.min(b.enter), leave: a.leave.max(b.leave) })
        }
        (a, b) => a.or(b),
    }
}
