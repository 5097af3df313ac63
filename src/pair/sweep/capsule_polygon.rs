//! Sweep of a capsule or ball against a triangle or flat convex polygon.

use nalgebra::Vector3;

use super::motion::impact_time;
use super::outline::{MAX_SLACKS, Outline};
use super::{Motion, Sweep, TimeSpan, UnroundedHit};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, length, scale, sub};
use crate::pair::faceted::polygon::closest_on_outline;
use crate::pair::results::CastHit;
use crate::pair::rounded::cores::ClosestOnCores;
use crate::shape::{
    Capsule, PlaneFrame, Polygon3, Sphere, Triangle, clamp_to_unit, closest_parameter,
    outline_edges, wide_point,
};

/// Distance below which the direction between two points is noise, as a share of the sizes.
const OFFSET_ERROR: f64 = 1e-9;

/// Segment and radius; the ends are in an order that depends on their values only.
#[derive(Clone, Copy)]
struct SweptCore {
    ends: [Vec3; 2],
    radius: f64,
}

impl SweptCore {
    fn from_capsule<T: Scalar>(body: &Capsule<T>) -> Self {
        let [a, b] = body.segment().wide();
        let ends = if b < a { [b, a] } else { [a, b] };
        SweptCore { ends, radius: body.radius().wide() }
    }

    fn from_sphere<T: Scalar>(ball: &Sphere<T, 3>) -> Self {
        SweptCore { ends: [wide_point(ball.center()); 2], radius: ball.radius().wide() }
    }

    /// Sweeps against corners relative to the first end.
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
        outline.frame = frame.or_else(|| PlaneFrame::from_corners(corners));
        let near = outline.closest_at(0.0);
        let started_inside = length(near.offset) <= self.radius + outline.rest_slack;
        let meeting = if outline.is_still() {
            let close = length(near.offset) <= self.radius + outline.slack;
            close.then_some((TimeSpan::ALWAYS, [0.0; 3]))
        } else {
            outline.first_contact().map(|m| (m.passage, m.normal))
        };
        // The start overlaps during the whole motion, so the surfaces have no first contact.
        let inside = || started_inside.then_some((TimeSpan::ALWAYS, [0.0; 3]));
        let (passage, across) = meeting.or_else(inside)?;
        let time = if started_inside { T::zero() } else { impact_time::<T>(passage.enter) };
        let (normal, point) = outline.contact(time.wide(), across);
        let point = add(add(self.ends[0], point), scale(motion.second, time.wide()));
        let slack = MAX_SLACKS * outline.slack;
        let touch = UnroundedHit { leave: passage.leave, normal, point, started_inside, slack };
        Some(touch.rounded(time, motion))
    }
}

/// Sweeps a capsule against a resting convex outline, flat up to `uneven`; `None` as for
/// [`Sweep::sweep_both`].
#[cfg(feature = "levels")]
pub(crate) fn sweep_to_outline<T: Scalar>(
    body: &Capsule<T>,
    displacement: Vector3<T>,
    corners: impl ExactSizeIterator<Item = Vec3>,
    uneven: f64,
) -> Option<CastHit<T, 3>> {
    let motion = Motion::new(displacement, Vector3::zeros())?;
    let core = SweptCore::from_capsule(body);
    with_slice(corners.map(|p| sub(p, core.ends[0])), |corners| {
        core.sweep(&motion, corners, (None, uneven))
    })
}

/// Returns the distance of a segment from a flat convex outline; zero where it is noise, and has no
/// direction.
#[cfg(feature = "levels")]
pub(crate) fn distance_to_outline(
    ends: [Vec3; 2],
    corners: impl ExactSizeIterator<Item = Vec3>,
) -> f64 {
    let core = sub(ends[1], ends[0]);
    with_slice(corners.map(|p| sub(p, ends[0])), |corners| {
        let frame = PlaneFrame::from_corners(corners);
        let near = closest_on_outline(&[[0.0; 3], core], corners, [0.0; 3], frame.as_ref());
        let size = length(core) + corners.iter().fold(0.0, |sum, &c| sum + length(c));
        let gap = length(near.offset);
        if gap > OFFSET_ERROR * size { gap } else { 0.0 }
    })
}

/// Returns the point of a flat convex outline nearest to `point`.
#[cfg(feature = "levels")]
pub(crate) fn nearest_on_outline(
    point: Vec3,
    corners: impl ExactSizeIterator<Item = Vec3>,
) -> Vec3 {
    with_slice(corners.map(|p| sub(p, point)), |corners| {
        let frame = PlaneFrame::from_corners(corners);
        add(closest_on_outline(&[[0.0; 3]; 2], corners, [0.0; 3], frame.as_ref()).on_b(), point)
    })
}

/// Calls `ask` with a slice; only long ones are allocated.
#[cfg(feature = "levels")]
fn with_slice<R>(
    corners: impl ExactSizeIterator<Item = Vec3>,
    ask: impl FnOnce(&[Vec3]) -> R,
) -> R {
    let mut few = [[0.0; 3]; 32];
    let count = corners.len();
    if count > few.len() {
        return ask(&corners.collect::<Vec<Vec3>>());
    }
    few.iter_mut().zip(corners).for_each(|(slot, corner)| *slot = corner);
    ask(&few[..count])
}

impl Outline<'_> {
    /// Returns the closest points at a time.
    fn closest_at(&self, time: f64) -> ClosestOnCores {
        closest_on_outline(&self.segment_at(time), self.corners, [0.0; 3], self.frame.as_ref())
    }

    /// Returns the normal from the segment to the polygon, and a common point, at the time of
    /// contact; `across` is the direction across the touching features.
    fn contact(&self, time: f64, across: Vec3) -> (Vec3, Vec3) {
        let near = self.closest_at(time);
        let gap = length(near.offset);
        let size = length(self.core) + self.corners.iter().fold(0.0, |sum, &c| sum + length(c));
        if gap > OFFSET_ERROR * size {
            let normal = scale(near.offset, 1.0 / gap);
            // Half way back for an overlap, like the point of a contact.
            let depth = self.radius - gap;
            let back = if time == 0.0 && depth > 0.0 { 0.5 * depth } else { 0.0 };
            let is_parallel = dot(self.core, normal).abs() <= OFFSET_ERROR * length(self.core);
            let middle =
                if is_parallel { self.contact_middle(time, gap + self.slack) } else { None };
            let on_b = middle.unwrap_or(near.on_b());
            return (normal, add(on_b, scale(normal, back)));
        }
        if time > 0.0 && dot(across, across) > 0.0 {
            return (across, near.on_b());
        }
        let (normal, overlap) = self.least_overlap();
        let along = dot(self.core, normal);
        let deepest = if along > OFFSET_ERROR * size {
            self.core
        } else if along < -OFFSET_ERROR * size {
            [0.0; 3]
        } else {
            near.on_a
        };
        (normal, add(deepest, scale(normal, 0.5 * (self.radius - overlap))))
    }

    /// Returns the point of the polygon nearest to the middle of the part of the segment that is
    /// within `most` of the polygon; `None` if that part is a single point.
    ///
    /// The part ends at an end of the segment, where an edge is crossed, or beside a corner.
    fn contact_middle(&self, time: f64, most: f64) -> Option<Vec3> {
        let [a, b] = self.segment_at(time);
        let at = |share: f64| {
            let p = add(a, scale(self.core, share));
            closest_on_outline(&[p, p], self.corners, [0.0; 3], self.frame.as_ref())
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

/// Implements sweeps of capsules, and of balls as capsules with equal ends.
macro_rules! swept {
    ($($kind:ty, $core:path;)*) => {$(
        impl<T: Scalar> Sweep<T, 3, Triangle<T>> for $kind {
            /// Finds the first time at which the distance of the core from the triangle is the
            /// radius: the least over faces, edges, corners and ends, each counted only while its
            /// closest points lie within both features. A core that pierces the triangle has
            /// distance 0. The triangle may be degenerate; its two sides are alike.
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
            /// Sweeps as against a triangle. The slack includes the polygon's
            /// [unevenness](Polygon3::unevenness), so that the time is not late for its original
            /// corners.
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
    Capsule<T>, SweptCore::from_capsule;
    Sphere<T, 3>, SweptCore::from_sphere;
}
