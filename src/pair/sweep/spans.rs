//! Two boxes on the way, seen along the 15 axes: of some axes all at once, as no quotient waits for another.

use super::Passage;
use super::passage::LOST;
use crate::num::linear::{Vec3, dot};
use crate::num::tolerance::PARALLEL_SINE;
use crate::pair::axes::Axes;

/// Seen along some axes, each as long as it is: how far from the first the second is, how far both reach, how fast the first moves.
struct Spans<const N: usize> {
    distance: [f64; N],
    reach: [f64; N],
    speed: [f64; N],
}

/// When the boxes are not apart along an axis.
struct Times<const N: usize> {
    enter: [f64; N],
    leave: [f64; N],
}

impl<const N: usize> Spans<N> {
    const NONE: Self = Spans { distance: [0.0; N], reach: [0.0; N], speed: [0.0; N] };

    /// An axis without speed is a test at rest.
    #[inline(always)]
    fn times(&self, slack: f64) -> Times<N> {
        let mut times = Times { enter: [0.0; N], leave: [0.0; N] };
        for k in 0..N {
            let (distance, speed, reach) =
                (self.distance[k], self.speed[k], self.reach[k] + slack);
            let ahead = reach.copysign(speed);
            let (enter, leave) = ((distance - ahead) / speed, (distance + ahead) / speed);
            let still = if distance.abs() <= reach { f64::NEG_INFINITY } else { f64::INFINITY };
            let moves = speed != 0.0;
            times.enter[k] = if moves { enter - LOST * enter.abs() } else { still };
            times.leave[k] = if moves { leave + LOST * leave.abs() } else { f64::INFINITY };
        }
        times
    }
}

impl<const N: usize> Times<N> {
    /// The times common to all, of those.
    #[inline(always)]
    fn common(&self, mut passage: Passage) -> Passage {
        for k in 0..N {
            let (enter, leave) = (self.enter[k], self.leave[k]);
            passage.enter = if enter > passage.enter { enter } else { passage.enter };
            passage.leave = if leave < passage.leave { leave } else { passage.leave };
        }
        passage
    }
}

impl Axes {
    /// When the first, moving by `d` while time goes from 0 to 1, is not apart from the second by
    /// more than `slack`, and the direction entered last, towards the second; `None` if never in 0..=1.
    ///
    /// `t` and `d` come as a pair, in the frame of the first, `a` and `b` are half extents. Nearly parallel edges count for the time, not
    /// for the direction.
    #[inline]
    pub fn passage(
        &self,
        [t, d]: [Vec3; 2],
        [a, b]: [Vec3; 2],
        slack: f64,
    ) -> Option<(Passage, Vec3)> {
        let faces = self.faces([t, d], [a, b]);
        let face_times = faces.times(slack);
        let passage = face_times.common(Passage::ALWAYS);
        if !passage.any() {
            return None;
        }
        let edges = self.edges([t, d], [a, b]);
        let edge_times = edges.times(slack);
        let passage = edge_times.common(passage);
        if !passage.any() {
            return None;
        }
        let (mut last, mut axis, mut speed) = (f64::NEG_INFINITY, 0, 0.0);
        for (k, enter) in face_times.enter.into_iter().enumerate() {
            if enter > last {
                (last, axis, speed) = (enter, k, faces.speed[k]);
            }
        }
        for (k, enter) in edge_times.enter.into_iter().enumerate() {
            if enter > last && self.square(k / 3, k % 3) >= PARALLEL_SINE * PARALLEL_SINE {
                (last, axis, speed) = (enter, 6 + k, edges.speed[k]);
            }
        }
        let sign = if speed < 0.0 { -1.0 } else { 1.0 };
        Some((passage, self.direction((), axis as f64).map(|x| sign * x)))
    }

    /// Along the normals of the faces of both.
    #[inline(always)]
    fn faces(&self, [t, d]: [Vec3; 2], [a, b]: [Vec3; 2]) -> Spans<6> {
        let (r, abs, mut spans) = (&self.rotation, &self.absolute, Spans::NONE);
        for i in 0..3 {
            (spans.distance[i], spans.speed[i]) = (t[i], d[i]);
            spans.reach[i] = a[i] + (abs[0][i] * b[0] + abs[1][i] * b[1] + abs[2][i] * b[2]);
        }
        for j in 0..3 {
            (spans.distance[3 + j], spans.speed[3 + j]) = (dot(t, r[j]), dot(d, r[j]));
            spans.reach[3 + j] = b[j] + (abs[j][0] * a[0] + abs[j][1] * a[1] + abs[j][2] * a[2]);
        }
        spans
    }

    /// Across an edge of each.
    #[inline(always)]
    fn edges(&self, [t, d]: [Vec3; 2], [a, b]: [Vec3; 2]) -> Spans<9> {
        let (r, abs, mut spans) = (&self.rotation, &self.absolute, Spans::NONE);
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let k = 3 * i + j;
                spans.distance[k] = t[i2] * r[j][i1] - t[i1] * r[j][i2];
                spans.speed[k] = d[i2] * r[j][i1] - d[i1] * r[j][i2];
                let reach_a = a[i1] * abs[j][i2] + a[i2] * abs[j][i1];
                let reach_b = b[j1] * abs[j2][i] + b[j2] * abs[j1][i];
                spans.reach[k] = reach_a + reach_b;
            }
        }
        spans
    }
}
