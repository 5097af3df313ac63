//! A capsule or a ball on the way to a triangle or a flat convex polygon.

use nalgebra::Vector3;

use super::motion::moment;
use super::outline::{Outline, SLACKS};
use super::{CastHit, Motion, Sweep, TimeSpan, Touch};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, length, scale, sub};
use crate::pair::near::Near;
use crate::pair::polygon::near_outline;
use crate::shape::{
    Capsule, PlaneFrame, Polygon3, Sphere, Triangle, clamp_to_unit, closest_parameter,
    outline_edges, wide_point,
};

/// A direction between points closer than this share of the sizes is noise. No unit.
const NOISE: f64 = 1e-9;

/// A segment and its radius, the ends in an order that does not depend on which is called first.
#[derive(Clone, Copy)]
struct SweptCore {
    ends: [Vec3; 2],
    radius: f64,
}

impl SweptCore {
    fn of<T: Scalar>(body: &Capsule<T>) -> Self {
        let [a, b] = body.segment().wide();
        let ends = if b < a { [b, a] } else { [a, b] };
        SweptCore { ends, radius: body.radius().wide() }
    }

    fn ball<T: Scalar>(ball: &Sphere<T, 3>) -> Self {
        SweptCore { ends: [wide_point(ball.center()); 2], radius: ball.radius().wide() }
    }

    /// The answer against corners seen from the first end.
    fn sweep<T: Scalar>(
        &self,
        motion: &Motion<3>,
        corners: &[Vec3],
        (frame, uneven): (Option<PlaneFrame>, f64),
    ) -> Option<CastHit<T, 3>> {
        let core = sub(self.ends[1], self.ends[0]);
        let mut outline = Outline::new(corners, core, self.radius, motion.relative);
        outline.slack += uneven;
        if outline.is_missed() {
            return None;
        }
        outline.frame = frame.or_else(|| PlaneFrame::of(corners));
        let near = outline.near(0.0);
        let started_inside = length(near.offset) <= self.radius + outline.rest;
        let meeting = if outline.is_still() {
            let close = length(near.offset) <= self.radius + outline.slack;
            close.then_some((TimeSpan::ALWAYS, [0.0; 3]))
        } else {
            outline.meeting().map(|m| (m.passage, m.normal))
        };
        // Inside with all of the way: nothing is left of it.
        let inside = || started_inside.then_some((TimeSpan::ALWAYS, [0.0; 3]));
        let (passage, across) = meeting.or_else(inside)?;
        let time = if started_inside { T::zero() } else { moment::<T>(passage.enter) };
        let (normal, point) = outline.contact(time.wide(), across);
        let point = add(add(self.ends[0], point), scale(motion.second, time.wide()));
        let slack = SLACKS * outline.slack;
        let touch = Touch { leave: passage.leave, normal, point, started_inside, slack };
        Some(touch.hit(time, motion))
    }
}

/// The first touch of a capsule on its way with a convex outline, flat up to `uneven`, that stands
/// still; `None` as for [`Sweep::sweep_both`].
pub(crate) fn sweep_to_outline<T: Scalar>(
    body: &Capsule<T>,
    displacement: Vector3<T>,
    corners: impl ExactSizeIterator<Item = Vec3>,
    uneven: f64,
) -> Option<CastHit<T, 3>> {
    let motion = Motion::new(displacement, Vector3::zeros())?;
    let core = SweptCore::of(body);
    with_slice(corners.map(|p| sub(p, core.ends[0])), |corners| {
        core.sweep(&motion, corners, (None, uneven))
    })
}

/// The point of a convex flat outline nearest to a point.
pub(crate) fn nearest_on_outline(
    point: Vec3,
    corners: impl ExactSizeIterator<Item = Vec3>,
) -> Vec3 {
    with_slice(corners.map(|p| sub(p, point)), |corners| {
        let frame = PlaneFrame::of(corners);
        add(near_outline(&[[0.0; 3]; 2], (corners, [0.0; 3]), frame.as_ref()).on_b(), point)
    })
}

/// Hands on a slice without an allocation unless it is a long one.
fn with_slice<R>(
    corners: impl ExactSizeIterator<Item = Vec3>,
    ask: impl FnOnce(&[Vec3]) -> R,
) -> R {
    let mut few = [[0.0; 3]; 32];
    let count = corners.len();
    if count > few.len() {
        return ask(&corners.collect::<Vec<Vec3>>());
    }
    few.iter_mut().zip(corners).for_each(|(place, corner)| *place = corner);
    ask(&few[..count])
}

impl Outline<'_> {
    /// The closest points at a time.
    fn near(&self, time: f64) -> Near {
        near_outline(&self.segment(time), (self.corners, [0.0; 3]), self.frame.as_ref())
    }

    /// The normal from the segment to the polygon, and a point of both, where they touch at that
    /// time; `across` is the direction across the features that meet.
    fn contact(&self, time: f64, across: Vec3) -> (Vec3, Vec3) {
        let near = self.near(time);
        let gap = length(near.offset);
        let size = length(self.core) + self.corners.iter().fold(0.0, |sum, &c| sum + length(c));
        if gap > NOISE * size {
            let normal = scale(near.offset, 1.0 / gap);
            // Half way back where they overlap, as the point of a contact is.
            let depth = self.radius - gap;
            let back = if time == 0.0 && depth > 0.0 { 0.5 * depth } else { 0.0 };
            let level = dot(self.core, normal).abs() <= NOISE * length(self.core);
            let middle = if level { self.middle(time, gap + self.slack) } else { None };
            let on_b = middle.unwrap_or(near.on_b());
            return (normal, add(on_b, scale(normal, back)));
        }
        if time > 0.0 && dot(across, across) > 0.0 {
            return (across, near.on_b());
        }
        let (normal, overlap) = self.least_overlap();
        let along = dot(self.core, normal);
        let deepest = if along > NOISE * size {
            self.core
        } else if along < -NOISE * size {
            [0.0; 3]
        } else {
            near.on_a
        };
        (normal, add(deepest, scale(normal, 0.5 * (self.radius - overlap))))
    }

    /// The point of the polygon nearest to the middle of the stretch of the segment that is within
    /// `most` of it: where the two lie along each other, the middle of where they touch.
    ///
    /// The stretch ends at an end, where an edge is crossed, or beside a corner; `None` if it does
    /// nowhere: then it is a point.
    fn middle(&self, time: f64, most: f64) -> Option<Vec3> {
        let [a, b] = self.segment(time);
        let at = |share: f64| {
            let p = add(a, scale(self.core, share));
            near_outline(&[p, p], (self.corners, [0.0; 3]), self.frame.as_ref())
        };
        let crossed = outline_edges(self.corners).filter_map(|[c, d]| {
            let out = self.frame.as_ref()?.out_of_edge(c, d)?;
            let [from, to] = [a, b].map(|p| dot(out, sub(p, c)));
            Some(clamp_to_unit(from / (from - to)))
        });
        let beside = self.corners.iter().map(|&c| closest_parameter(sub(c, a), self.core));
        let (mut low, mut high) = (1.0, 0.0);
        for share in [0.0, 1.0].into_iter().chain(crossed).chain(beside) {
            if length(at(share).offset) <= most {
                low = if share < low { share } else { low };
                high = if share > high { share } else { high };
            }
        }
        (low <= high).then(|| at(0.5 * (low + high)).on_b())
    }
}

/// What can be swept through triangles and polygons: a capsule, or a ball as one whose ends agree.
macro_rules! swept {
    ($($kind:ty, $core:path;)*) => {$(
        impl<T: Scalar> Sweep<T, 3, Triangle<T>> for $kind {
            /// The first time at which the distance of the core from the triangle falls to the
            /// radius: the least over faces, edges, corners and ends, each counted only while its
            /// closest points lie within both. A core that pierces the triangle has distance 0. The
            /// triangle may be degenerate; its two sides are alike.
            fn sweep_both(
                &self,
                displacement: Vector3<T>,
                other: &Triangle<T>,
                other_displacement: Vector3<T>,
            ) -> Option<CastHit<T, 3>> {
                let motion = Motion::new(displacement, other_displacement)?;
                let core = $core(self);
                let corners = other.corners().map(|p| sub(wide_point(p), core.ends[0]));
                core.sweep(&motion, &corners, (None, 0.0))
            }
        }
        impl<T: Scalar> Sweep<T, 3, $kind> for Triangle<T> {
            /// As the other against the triangle, told from the other side.
            fn sweep_both(
                &self,
                displacement: Vector3<T>,
                other: &$kind,
                other_displacement: Vector3<T>,
            ) -> Option<CastHit<T, 3>> {
                let hit = other.sweep_both(other_displacement, self, displacement);
                hit.map(|hit| hit.reversed())
            }
        }
        impl<T: Scalar> Sweep<T, 3, Polygon3<T>> for $kind {
            /// As against a triangle. The slack holds the polygon's
            /// [unevenness](Polygon3::unevenness): the time is not late for its corners as given
            /// either.
            fn sweep_both(
                &self,
                displacement: Vector3<T>,
                other: &Polygon3<T>,
                other_displacement: Vector3<T>,
            ) -> Option<CastHit<T, 3>> {
                let motion = Motion::new(displacement, other_displacement)?;
                let core = $core(self);
                let corners: Vec<Vec3> =
                    other.feet().iter().map(|&p| sub(p, core.ends[0])).collect();
                let origin = sub(other.frame().origin, core.ends[0]);
                let frame = PlaneFrame { origin, ..*other.frame() };
                core.sweep(&motion, &corners, (Some(frame), other.wide_unevenness()))
            }
        }
        impl<T: Scalar> Sweep<T, 3, $kind> for Polygon3<T> {
            /// As the other against the polygon, told from the other side.
            fn sweep_both(
                &self,
                displacement: Vector3<T>,
                other: &$kind,
                other_displacement: Vector3<T>,
            ) -> Option<CastHit<T, 3>> {
                let hit = other.sweep_both(other_displacement, self, displacement);
                hit.map(|hit| hit.reversed())
            }
        }
    )*};
}

swept! {
    Capsule<T>, SweptCore::of;
    Sphere<T, 3>, SweptCore::ball;
}
