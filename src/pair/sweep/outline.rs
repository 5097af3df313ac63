//! Sweep of a segment with a radius against the outline of a flat convex polygon.
//!
//! Let the origin be one end of the segment and `w` the other. The segment and the polygon are
//! within the radius exactly while a point, from the origin along `v`, is within it of the
//! Minkowski sum of the polygon and the segment from 0 to `-w`. That sum is a convex body whose
//! faces are the polygon at both ends and a parallelogram for each edge. So the times of contact
//! are one interval, and outside the body its ends come from the nearest feature:
//!
//! | of the segment | of the polygon | region near the feature |
//! |---|---|---|
//! | end | face | a face: its plane, between its edges |
//! | inside | edge | a parallelogram: `T = (+-r |r1 x r2| - (P2-P1).(r1 x r2)) / (v.(r1 x r2))` |
//! | end | edge | a cylinder about the edge, between its ends |
//! | inside | corner | a cylinder along the segment, between its ends |
//! | end | corner | a ball |
//!
//! Each feature counts only in its own convex region, where the closest points lie within both
//! features. Together the regions cover the surface of the body and the radius about it. Parallel
//! lines have no parallelogram; the cylinders and balls cover that case. Sources: Ericson,
//! Real-Time Collision Detection (2005), 5.5.2 to 5.5.7, and the formula for two lines of the
//! articles this crate follows.

use super::motion::unit_or;
use super::{TimeSpan, chord};
use crate::num::linear::{Vec3, add, cross, dot, length, orthogonal_part, scale, sub};
use crate::num::tolerance;
use crate::shape::{PlaneFrame, outline_edges};

/// Component of a velocity that counts as rounding, as a share of the velocity.
const MIN_SPEED_SHARE: f64 = 1.0 / (1u64 << 50) as f64;

/// Length that the slack of neighbouring features covers, as a share of the slack.
const COVERED_SHARE: f64 = 0.25;

/// Slack of a distance at rest, as a share of the slack of a sweep: `32 e` of the sizes.
const REST_SHARE: f64 = 0.25;

/// Upper bound on the distance from contact, in slacks: features are enlarged by the slack on all
/// sides, and the radius by the slack.
pub(super) const MAX_SLACKS: f64 = 6.0;

/// Segment and polygon relative to the first end of the segment.
pub(super) struct Outline<'a> {
    pub corners: &'a [Vec3],
    /// Frame of the polygon; `None` if the corners are on one line.
    pub frame: Option<PlaneFrame>,
    /// Offset from the first end of the segment to the second.
    pub core: Vec3,
    pub radius: f64,
    /// Velocity of the segment relative to the polygon.
    pub velocity: Vec3,
    /// Error of distances on the way [length units].
    pub slack: f64,
    /// Error of distances at the start [length units].
    pub rest_slack: f64,
}

/// First contact interval, and the direction across the features that touch first.
pub(super) struct OutlineContact {
    pub passage: TimeSpan,
    /// Unit normal, from the segment to the polygon.
    pub normal: Vec3,
}

/// Union of the contact intervals of all features; it is an interval.
struct ContactUnion {
    first: Option<OutlineContact>,
    leave: f64,
}

impl ContactUnion {
    fn add(&mut self, passage: Option<TimeSpan>, normal: Vec3) {
        let Some(passage) = passage else { return };
        self.leave = if passage.leave > self.leave { passage.leave } else { self.leave };
        let sooner = self.first.as_ref().is_none_or(|m| passage.enter < m.passage.enter);
        if passage.overlaps_motion() && sooner {
            self.first = Some(OutlineContact { passage, normal });
        }
    }
}

impl<'a> Outline<'a> {
    /// Makes an outline without a frame.
    pub fn new(corners: &'a [Vec3], core: Vec3, radius: f64, velocity: Vec3) -> Self {
        let reach = corners.iter().map(|&c| length(c));
        let reach = reach.fold(0.0, |most, x| if x > most { x } else { most });
        let size = reach + length(core) + radius;
        let slack = tolerance::SWEEP_SLACK * (size + length(velocity));
        let rest_slack = REST_SHARE * tolerance::SWEEP_SLACK * size;
        Outline { corners, frame: None, core, radius, velocity, slack, rest_slack }
    }

    /// Returns `true` if the motion misses the aligned box of the polygon.
    pub fn is_missed(&self) -> bool {
        let reach = self.padded_radius();
        let mut passage = TimeSpan::ALWAYS;
        let misses = |i: usize| {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for corner in self.corners {
                low = if corner[i] < low { corner[i] } else { low };
                high = if corner[i] > high { corner[i] } else { high };
            }
            let back = if self.core[i] > 0.0 { self.core[i] } else { 0.0 };
            let ahead = if self.core[i] < 0.0 { -self.core[i] } else { 0.0 };
            passage.narrow(low - back - reach, high + ahead + reach, self.velocity[i]).is_none()
        };
        (0..3).any(misses)
    }

    /// Returns `true` if the relative motion is below its error.
    pub fn is_still(&self) -> bool {
        length(self.velocity) <= COVERED_SHARE * self.slack
    }

    /// Returns the contact of the surfaces; `None` if it misses `0..=1`, or if the whole motion is
    /// inside.
    pub fn first_contact(&self) -> Option<OutlineContact> {
        let mut union = ContactUnion { first: None, leave: f64::NEG_INFINITY };
        let starts = [[0.0; 3], self.core];
        let starts = if length(self.core) > 0.0 { &starts[..] } else { &starts[..1] };
        for &start in starts {
            self.add_face(start, &mut union);
        }
        for [a, b] in outline_edges(self.corners) {
            self.add_parallelogram(a, sub(b, a), &mut union);
            starts.iter().for_each(|&start| self.add_edge(sub(a, start), sub(b, a), &mut union));
            self.add_edge(a, scale(self.core, -1.0), &mut union);
            starts.iter().for_each(|&start| self.add_corner(sub(a, start), &mut union));
        }
        let leave = union.leave;
        union.first.map(|m| OutlineContact { passage: TimeSpan { leave, ..m.passage }, ..m })
    }

    fn padded_radius(&self) -> f64 {
        self.radius + self.slack
    }

    /// Adds an end of the segment against the inside of the polygon.
    fn add_face(&self, start: Vec3, union: &mut ContactUnion) {
        let Some(frame) = self.frame.filter(|f| f.width > COVERED_SHARE * self.slack) else {
            return;
        };
        let mut region = Region::starting_at(self, start);
        let mut within =
            region.clip(frame.normal, frame.origin, [-self.padded_radius(), self.padded_radius()]);
        for [a, b] in outline_edges(self.corners) {
            if let Some(out) = frame.out_of_edge(a, b) {
                within = within && region.clip(out, a, [f64::NEG_INFINITY, self.slack]);
            }
        }
        // Bounds the tips of a sliver, which its edges leave long.
        let ends = [frame.span[0] - self.slack, frame.span[1] + self.slack];
        if within && region.clip(frame.x, frame.origin, ends) {
            union.add(Some(region.passage), self.facing_motion(frame.normal));
        }
    }

    /// Adds the inside of the segment against the inside of the edge `u` that begins at `base`.
    fn add_parallelogram(&self, base: Vec3, u: Vec3, union: &mut ContactUnion) {
        let w = scale(self.core, -1.0);
        let (long, short) = if dot(u, u) >= dot(w, w) { (u, w) } else { (w, u) };
        let (span, side) = (length(long), length(short));
        if side <= COVERED_SHARE * self.slack {
            return;
        }
        let (x, along) = (scale(long, 1.0 / span), scale(short, 1.0 / side));
        let across = orthogonal_part(along, x);
        let sine = length(across);
        if side * sine <= COVERED_SHARE * self.slack {
            return;
        }
        let y = orthogonal_part(scale(across, 1.0 / sine), x);
        let y = scale(y, 1.0 / length(y));
        let normal = cross(x, y);
        let beside = cross(along, normal);
        let mut region = Region::starting_at(self, [0.0; 3]);
        let bounds = |a: f64, b: f64| {
            let (low, high) = (if a < b { a } else { b }, if a < b { b } else { a });
            [low - self.slack, high + self.slack]
        };
        let tilt = dot(short, x);
        let (low, high) =
            (if tilt < 0.0 { tilt } else { 0.0 }, if tilt > 0.0 { tilt } else { 0.0 });
        let within = region.clip(normal, base, [-self.padded_radius(), self.padded_radius()])
            && region.clip(y, base, bounds(0.0, dot(short, y)))
            && region.clip(beside, base, bounds(0.0, dot(long, beside)))
            && region.clip(x, base, bounds(low, span + high));
        if within {
            union.add(Some(region.passage), self.facing_motion(normal));
        }
    }

    /// Adds the moving point against the inside of the segment from `base` along `along`.
    fn add_edge(&self, base: Vec3, along: Vec3, union: &mut ContactUnion) {
        let span = length(along);
        if span <= COVERED_SHARE * self.slack {
            return;
        }
        let axis = scale(along, 1.0 / span);
        let mut region = Region::starting_at(self, [0.0; 3]);
        if !region.clip(axis, base, [-self.slack, span + self.slack]) {
            return;
        }
        let across = orthogonal_part(self.velocity, axis);
        let still = length(across) <= MIN_SPEED_SHARE * length(self.velocity);
        let across = if still { [0.0; 3] } else { across };
        let offset = orthogonal_part(scale(base, -1.0), axis);
        let near =
            chord(offset, across, self.padded_radius()).map(|c| region.passage.intersection(c));
        union.add(near.filter(|p| p.enter <= p.leave), unit_or(across, self.velocity));
    }

    /// Adds the moving point against a corner.
    fn add_corner(&self, corner: Vec3, union: &mut ContactUnion) {
        let near = chord(scale(corner, -1.0), self.velocity, self.padded_radius());
        union.add(near, unit_or(self.velocity, self.velocity));
    }

    /// Returns the normal, reversed if it points against the motion.
    fn facing_motion(&self, normal: Vec3) -> Vec3 {
        if dot(normal, self.velocity) < 0.0 { scale(normal, -1.0) } else { normal }
    }

    /// Returns the direction and depth of the least overlap of a segment and polygon that share
    /// points.
    ///
    /// The shortest way out of the Minkowski sum is along a normal of its faces: that of the
    /// polygon, or a cross product of its edges with the segment. Of equals the first counts, on
    /// the side that the motion comes from. Source: Ericson, Real-Time Collision Detection (2005),
    /// 5.2.
    pub fn least_overlap(&self) -> (Vec3, f64) {
        let face = self.frame.map(|frame| frame.normal).into_iter();
        let sides = outline_edges(self.corners).map(|[a, b]| cross(sub(b, a), self.core));
        let sides = sides.filter(|n| length(*n) > 0.0).map(|n| scale(n, 1.0 / length(n)));
        let mut best = (unit_or(self.velocity, self.velocity), f64::INFINITY);
        for normal in face.chain(sides) {
            let normal = self.facing_motion(normal);
            for toward in [normal, scale(normal, -1.0)] {
                let depth = self.overlap(toward);
                best = if depth < best.1 - COVERED_SHARE * self.slack {
                    (toward, depth)
                } else {
                    best
                };
            }
        }
        if best.1 < f64::INFINITY { best } else { (best.0, 0.0) }
    }

    /// Returns the translation of the polygon along a direction until it is past the segment.
    fn overlap(&self, toward: Vec3) -> f64 {
        let end = dot(self.core, toward);
        let most = if end > 0.0 { end } else { 0.0 };
        let depths = self.corners.iter().map(|&c| most - dot(c, toward));
        depths.fold(0.0, |depth, x| if x > depth { x } else { depth })
    }

    /// Returns the segment at a time.
    pub fn segment_at(&self, time: f64) -> [Vec3; 2] {
        let shift = scale(self.velocity, time);
        [shift, add(self.core, shift)]
    }
}

/// Times at which a moving point is between pairs of planes.
struct Region {
    from: Vec3,
    velocity: Vec3,
    passage: TimeSpan,
}

impl Region {
    fn starting_at(outline: &Outline<'_>, from: Vec3) -> Self {
        Region { from, velocity: outline.velocity, passage: TimeSpan::ALWAYS }
    }

    /// Clips the times to those at which the point's coordinate along the unit `axis`, relative to
    /// `base`, is in an interval; `false` if none are left.
    fn clip(&mut self, axis: Vec3, base: Vec3, [low, high]: [f64; 2]) -> bool {
        let at = dot(axis, sub(self.from, base));
        self.passage.narrow_always(low - at, high - at, dot(axis, self.velocity)).is_some()
    }
}
