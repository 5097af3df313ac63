//! Tests of the root boxes of many candidates at once, in single precision.
//!
//! # Parts that stay apart
//! Let `c` be how far the centre of a part's root box gets from before the tick to after it, and
//! `A` the largest acceleration of its points. A point at `y` from the centre gets by `c + (R - 1)
//! y`, with `R` the turn in between, and is at every time within `A / 8` of moving there at constant
//! speed. `|(R - 1) y|` is at most `2 r |q - p|`, with `r` half the diagonal of the box, and `p` and
//! `q` the rotations at both ends as unit quaternions of the nearer signs: they differ by an angle
//! `w` with `|q - p| = 2 sin(w / 4)`, and the chord of the turn is `2 r sin(w / 2)`. So no two
//! points of two parts get nearer each other, or further apart, by more than
//!
//! ```text
//! |c_b - c_a| + s_a + s_b,    s = 2 r |q - p| + A / 8
//! ```
//!
//! Two parts that are before the tick further apart than that, the margin and the tolerance
//! together are never within the margin and the tolerance during the tick: no search finds them
//! near enough to report, so that they can be dropped at once. Most parts whose swept boxes overlap
//! are. Balls around the boxes are tested first, then the boxes.
//!
//! # Parts that touch at an end
//! The same test without `d` decides most of the rest as the exact test would.

use super::scene_motion::SceneMotion;
use crate::broad_phase::MAX_F32_DISTANCE;
use crate::model::{Model, PartId, RootBoxes};
use crate::motion::{RigidMotion, rotated};
use crate::narrow_phase::{Candidate, PosedRoot};
use crate::num::linear::{Vec3, add, dot, length, sub};
use crate::num::{Scalar, SimdLevel};
use crate::sat::prefilter::{BATCH, PrefilterQueue};
use crate::scene::Snapshot;
use crate::shape::{Pose, wide_point};
use crate::tree::ObbTree;

/// How far the points of a part get within a tick.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PartTravel {
    /// Centre of the root box before the tick. [world frame]
    center: Vec3,
    /// Way of the centre. [world frame]
    shift: Vec3,
    /// Radius of the root box. [world units]
    radius: f64,
    /// Largest distance of the way of a point from that of the centre. [world units]
    spread: f64,
}

impl PartTravel {
    /// Computes the travel of a part between two poses; `growth` bounds how far a point gets from
    /// moving at constant speed.
    pub fn new<T: Scalar>(tree: &ObbTree<T>, [before, after]: [&Pose<T>; 2], growth: f64) -> Self {
        let (center, half) = tree.root_box();
        let [from, to] = [before, after].map(RigidMotion::normalised);
        let [center, end] =
            [&from, &to].map(|end| add(end.position, rotated(end.rotation, center)));
        let squares = [1.0, -1.0].map(|sign| {
            let [x, y, z, w] = [0, 1, 2, 3].map(|i| to.rotation[i] - sign * from.rotation[i]);
            (x * x + y * y) + (z * z + w * w)
        });
        let turn = squares[0].min(squares[1]).sqrt();
        // Boxes contain the geometry up to rounding.
        let pad = 4.0 * T::LEAF_SLACK * tree.wide_radius_about_origin();
        let radius = length(half) * (1.0 + 1e-6) + pad;
        PartTravel {
            center,
            shift: sub(end, center),
            radius,
            spread: 2.0 * radius * turn * (1.0 + 1e-6) + growth,
        }
    }

    /// Returns an upper bound on how much nearer two points of two parts get. [world units]
    fn approach(&self, other: &Self) -> f64 {
        let between = length(sub(other.shift, self.shift));
        // Rounding of the places of both centres.
        let error = 1e-12 * (length(self.center) + length(other.center) + between);
        between * (1.0 + 1e-6) + (self.spread + other.spread) + error
    }

    /// Returns `true` if the balls around both roots are further apart than a distance.
    fn is_far(&self, other: &Self, distance: f64) -> bool {
        let between = sub(other.center, self.center);
        let reach = (self.radius + other.radius + distance) * (1.0 + 1e-6);
        dot(between, between) > reach * reach
    }
}

/// An end of the tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TickEnd {
    Start,
    End,
}

/// What the roots of a candidate say about an end of the tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RootVerdict {
    Apart,
    Touching,
    /// The trees have to be tested.
    Undecided,
}

/// The parts of a character at an end of the tick, for tests in single precision.
#[derive(Clone, Copy)]
pub(super) struct PosedCharacter<'a, T: Scalar> {
    model: &'a Model<T>,
    roots: &'a RootBoxes,
    poses: &'a [Pose<T>],
    /// How far each part gets; `None` if the character does not move.
    travels: Option<&'a [PartTravel]>,
}

impl<'a, T: Scalar> PosedCharacter<'a, T> {
    /// Returns the parts of a character; `None` if single precision decides nothing about them.
    pub fn new(
        motion: &SceneMotion<'a, T>,
        now: Snapshot<'a, T>,
        (index, end): (u32, TickEnd),
    ) -> Option<Self> {
        let (entry, character) = now.character(index);
        let roots = character.model.roots().filter(|_| entry.f32_ok)?;
        let poses = match end {
            TickEnd::Start => motion.poses_before(index),
            TickEnd::End => &character.poses,
        };
        let model = &*character.model;
        Some(PosedCharacter { model, roots, poses, travels: motion.travels(index) })
    }

    fn root(&self, part: PartId) -> PosedRoot<'_, T> {
        self.roots.posed_root(part, self.poses)
    }

    fn travel(&self, part: PartId) -> PartTravel {
        let index = part.index();
        match self.travels {
            Some(travels) => travels[index],
            None => PartTravel::new(self.model.tree(part), [&self.poses[index]; 2], 0.0),
        }
    }
}

/// Appends a candidate, unless the roots show that it stays apart: those that are not tested yet,
/// the last of all, wait in the queue. `distance` is the margin and the tolerance.
#[inline]
pub(super) fn push_candidate<T: Scalar>(
    (candidates, queue): (&mut Vec<Candidate>, &mut PrefilterQueue),
    simd: SimdLevel,
    candidate: Candidate,
    (posed, distance): (Option<[PosedCharacter<'_, T>; 2]>, f64),
) {
    let Some([a, b]) = posed else {
        flush_candidates((candidates, queue), simd);
        candidates.push(candidate);
        return;
    };
    let (first, second) = (candidate.a.1, candidate.b.1);
    let travels = [a.travel(first), b.travel(second)];
    let distance = distance + travels[0].approach(&travels[1]);
    if travels[0].is_far(&travels[1], distance) {
        return;
    }
    candidates.push(candidate);
    queue.push_posed(&a.root(first).posed, &b.root(second).posed, distance);
    if queue.is_full() {
        flush_candidates((candidates, queue), simd);
    }
}

/// Tests the candidates in the queue, and drops those that stay apart.
pub(super) fn flush_candidates(
    (candidates, queue): (&mut Vec<Candidate>, &mut PrefilterQueue),
    simd: SimdLevel,
) {
    if queue.len() == 0 {
        return;
    }
    let start = candidates.len() - queue.len();
    let apart = queue.masks_posed(simd).apart;
    let mut kept = start;
    for at in start..candidates.len() {
        if apart >> (at - start) & 1 == 0 {
            candidates[kept] = candidates[at];
            kept += 1;
        }
    }
    candidates.truncate(kept);
}

/// Computes what the roots of candidates say about an end of the tick, given the margin.
pub(super) fn find_verdicts<'a, T: Scalar>(
    (motion, now): (&SceneMotion<'a, T>, Snapshot<'a, T>),
    (candidates, end, margin): (impl Iterator<Item = Candidate>, TickEnd, f64),
    queue: &mut PrefilterQueue,
    verdicts: &mut Vec<RootVerdict>,
) {
    verdicts.clear();
    // Index of each candidate in the queue, and its flag: its boxes are its geometry.
    let (mut queued, mut are_geometry) = ([0; BATCH], 0_u64);
    let simd = now.buffers.simd;
    let flush = |queue: &mut PrefilterQueue,
                 queued: &[usize; BATCH],
                 are_geometry: u64,
                 verdicts: &mut Vec<RootVerdict>| {
        let len = queue.len();
        let masks = queue.masks_posed(simd);
        let touching = masks.overlapping & are_geometry;
        for (at, &index) in queued[..len].iter().enumerate() {
            verdicts[index] = match (masks.apart >> at & 1, touching >> at & 1) {
                (1, _) => RootVerdict::Apart,
                (_, 1) => RootVerdict::Touching,
                _ => RootVerdict::Undecided,
            };
        }
    };
    let mut last: [Option<(u32, Option<PosedCharacter<'a, T>>)>; 2] = [None; 2];
    for Candidate { a, b } in candidates {
        // Candidates are sorted by characters.
        let [first, second] = [(0, a), (1, b)].map(|(side, (character, _))| match last[side] {
            Some((known, posed)) if known == character => posed,
            _ => {
                let posed = PosedCharacter::new(motion, now, (character, end));
                last[side] = Some((character, posed));
                posed
            }
        });
        verdicts.push(RootVerdict::Undecided);
        let (Some(first), Some(second)) = (first, second) else { continue };
        let (first, second) = (first.root(a.1), second.root(b.1));
        let traits = first.traits.and(second.traits);
        let at = queue.len();
        queued[at] = verdicts.len() - 1;
        let is_geometry = traits.box_is_geometry && traits.oriented_is_aligned;
        are_geometry |= u64::from(is_geometry) << at;
        queue.push_posed(&first.posed, &second.posed, margin);
        if queue.is_full() {
            flush(queue, &queued, are_geometry, verdicts);
            are_geometry = 0;
        }
    }
    flush(queue, &queued, are_geometry, verdicts);
}

/// Returns `true` if the root of a part is placed in single precision without overflow.
pub(super) fn is_in_range<T: Scalar>(pose: &Pose<T>, radius: f64) -> bool {
    let [x, y, z] = wide_point(pose.translation.vector.into());
    x.abs() + y.abs() + z.abs() + 2.0 * radius <= MAX_F32_DISTANCE
}
