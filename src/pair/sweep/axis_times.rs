//! Sweep of two boxes along the 15 axes, many axes at once so that no quotient waits for another.

use super::TimeSpan;
use crate::num::linear::Vec3;
use crate::num::tolerance::PARALLEL_SINE;
use crate::sat::RelativeRotation;

/// Error of subtracting, dividing, multiplying and subtracting again: 8 e of a time, twice the
/// bound.
const TIME_ERROR: f64 = 1.0 / (1u64 << 50) as f64;

/// Speed below which a box rests: far below the slack, and quotients of the greatest coordinates do
/// not overflow [length units].
const MIN_SPEED: f64 = 1e-230;

/// Projections on some axes, each scaled by the length of its axis: distance of the boxes, sum of
/// the projected radii, speed of the first box.
struct AxisProjections<const N: usize> {
    distance: [f64; N],
    projected_radius: [f64; N],
    speed: [f64; N],
}

/// Contact interval of each axis.
struct AxisTimes<const N: usize> {
    enter: [f64; N],
    leave: [f64; N],
}

impl<const N: usize> AxisProjections<N> {
    const NONE: Self =
        AxisProjections { distance: [0.0; N], projected_radius: [0.0; N], speed: [0.0; N] };

    #[inline(always)]
    fn contact_times(&self, slack: f64) -> AxisTimes<N> {
        let mut times = AxisTimes { enter: [0.0; N], leave: [0.0; N] };
        let mut still = false;
        for k in 0..N {
            let (distance, speed) = (self.distance[k], self.speed[k]);
            let ahead = (self.projected_radius[k] + slack).copysign(speed);
            let rate = 1.0 / speed;
            let (enter, leave) = ((distance - ahead) * rate, (distance + ahead) * rate);
            times.enter[k] = enter - TIME_ERROR * enter.abs();
            times.leave[k] = leave + TIME_ERROR * leave.abs();
            still |= speed.abs() < MIN_SPEED;
        }
        if still { self.times_with_rest(slack, times) } else { times }
    }

    /// Replaces the interval of each axis without speed by that of a test at rest.
    #[cold]
    fn times_with_rest(&self, slack: f64, mut times: AxisTimes<N>) -> AxisTimes<N> {
        for k in (0..N).filter(|&k| self.speed[k].abs() < MIN_SPEED) {
            let meets = self.distance[k].abs() <= self.projected_radius[k] + slack;
            times.enter[k] = if meets { f64::NEG_INFINITY } else { f64::INFINITY };
            times.leave[k] = f64::INFINITY;
        }
        times
    }
}

impl<const N: usize> AxisTimes<N> {
    /// Returns the times common to `passage` and all axes.
    #[inline(always)]
    fn intersection(&self, mut passage: TimeSpan) -> TimeSpan {
        for k in 0..N {
            let (enter, leave) = (self.enter[k], self.leave[k]);
            passage.enter = if enter > passage.enter { enter } else { passage.enter };
            passage.leave = if leave < passage.leave { leave } else { passage.leave };
        }
        passage
    }

    /// Returns a bit for each axis that is entered at the time `then`.
    #[inline(always)]
    fn entered_axes(&self, then: f64) -> u32 {
        (0..N).fold(0, |bits, k| bits | u32::from(self.enter[k] == then) << k)
    }
}

impl RelativeRotation {
    /// Returns the times at which the boxes are not separated by more than `slack`, and the
    /// direction entered last, towards the second box; `None` if there are none in `0..=1`. The
    /// first box moves by `d` while time goes from 0 to 1.
    ///
    /// `t` and `d` are in the frame of the first box, `a` and `b` are half extents. Nearly parallel
    /// edges count for the time, not for the direction.
    #[inline]
    pub fn passage(
        &self,
        [t, d]: [Vec3; 2],
        [a, b]: [Vec3; 2],
        slack: f64,
    ) -> Option<(TimeSpan, Vec3)> {
        let faces = self.face_projections([t, d], [a, b]);
        let face_times = faces.contact_times(slack);
        let passage = face_times.intersection(TimeSpan::ALWAYS);
        if !passage.overlaps_motion() {
            return None;
        }
        let edges = self.edge_projections([t, d], [a, b]);
        let edge_times = edges.contact_times(slack);
        let passage = edge_times.intersection(passage);
        if !passage.overlaps_motion() {
            return None;
        }
        let axis = self.last_entered_axis(
            [&face_times.enter, &edge_times.enter],
            face_times.entered_axes(passage.enter) | edge_times.entered_axes(passage.enter) << 6,
        );
        let speed = if axis < 6 { faces.speed[axis] } else { edges.speed[axis - 6] };
        let sign = if speed < 0.0 { -1.0 } else { 1.0 };
        Some((passage, self.unit_axis((), axis).map(|x| sign * x)))
    }

    /// Returns the axis entered last, the first of several. `bits` marks the axes entered last; all
    /// of them may be of parallel edges.
    #[inline(always)]
    fn last_entered_axis(&self, enters: [&[f64]; 2], bits: u32) -> usize {
        let axis = bits.trailing_zeros() as usize;
        match axis < 15 && !self.is_parallel(axis) {
            true => axis,
            false => self.last_entered_of_all(enters),
        }
    }

    #[cold]
    fn last_entered_of_all(&self, [faces, edges]: [&[f64]; 2]) -> usize {
        let (mut last, mut axis) = (f64::NEG_INFINITY, 0);
        for (k, &enter) in faces.iter().chain(edges).enumerate() {
            if enter > last && !self.is_parallel(k) {
                (last, axis) = (enter, k);
            }
        }
        axis
    }

    /// Returns `true` if the axis is across nearly parallel edges.
    #[inline(always)]
    fn is_parallel(&self, axis: usize) -> bool {
        axis >= 6
            && self.squared_sine((axis - 6) / 3, (axis - 6) % 3) < PARALLEL_SINE * PARALLEL_SINE
    }

    /// Projects on the face normals of both boxes.
    #[inline(always)]
    fn face_projections(&self, [t, d]: [Vec3; 2], boxes: [Vec3; 2]) -> AxisProjections<6> {
        let mut spans = AxisProjections::NONE;
        for i in 0..3 {
            (spans.distance[i], spans.speed[i]) = (t[i], d[i]);
            spans.projected_radius[i] = self.radius_on_first_face(i, boxes);
        }
        for j in 0..3 {
            spans.distance[3 + j] = self.distance_on_second_face(j, t);
            spans.speed[3 + j] = self.distance_on_second_face(j, d);
            spans.projected_radius[3 + j] = self.radius_on_second_face(j, boxes);
        }
        spans
    }

    /// Projects on the cross products of edges.
    #[inline(always)]
    fn edge_projections(&self, [t, d]: [Vec3; 2], boxes: [Vec3; 2]) -> AxisProjections<9> {
        let mut spans = AxisProjections::NONE;
        for i in 0..3 {
            for j in 0..3 {
                let k = 3 * i + j;
                spans.distance[k] = self.distance_on_edges([i, j], t);
                spans.speed[k] = self.distance_on_edges([i, j], d);
                spans.projected_radius[k] = self.radius_on_edges([i, j], boxes);
            }
        }
        spans
    }
}
