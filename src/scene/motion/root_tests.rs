//! Tests of the root boxes of many candidates at once, in single precision.
//!
//! Two parts that are before the tick further apart than they [approach](PartTravel::approach), the
//! margin and the tolerance together are never within the margin and the tolerance during the tick:
//! no search finds them near enough to report, so that they can be dropped at once. Most parts
//! whose swept boxes overlap are. Balls around the roots are tested first, then the boxes.
//!
//! The boxes at either end of the tick decide about most of the rest there as the exact test would.

use super::part_travel::PartTravel;
use super::scene_motion::SceneMotion;
use super::scratch::RootVerdict;
use crate::model::{Model, PartId, RootBoxes};
use crate::motion::RigidMotion;
use crate::narrow_phase::{Candidate, PosedRoot};
use crate::num::{Scalar, SimdLevel};
use crate::sat::prefilter::{BATCH, PrefilterQueue};
use crate::scene::Snapshot;
use crate::shape::Pose;

/// An end of the tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TickEnd {
    Start,
    End,
}

/// The parts of a character at an end of the tick, for tests in single precision.
#[derive(Clone, Copy)]
pub(super) struct PosedCharacter<'a, T: Scalar> {
    model: &'a Model<T>,
    roots: &'a RootBoxes,
    poses: &'a [Pose<T>],
    /// Travel of each part; `None` if the character does not move.
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
            TickEnd::Start => motion.source().poses_before(index),
            TickEnd::End => &character.poses,
        };
        let model = &*character.model;
        Some(PosedCharacter { model, roots, poses, travels: motion.travels(index) })
    }

    fn root(&self, part: PartId) -> PosedRoot<'_, T> {
        self.roots.posed_root(part, self.poses)
    }

    /// Returns the travel of a part, in `still` if it does not move.
    #[inline]
    pub fn travel<'t>(&'t self, part: PartId, still: &'t mut PartTravel) -> &'t PartTravel {
        let index = part.index();
        match self.travels {
            Some(travels) => &travels[index],
            None => {
                let ends = [RigidMotion::normalised(&self.poses[index]); 2];
                *still = PartTravel::new(self.model.tree(part), &ends, (0.0, 0.0));
                still
            }
        }
    }
}

/// Candidates of a search, the last of which wait for the test of their roots.
pub(super) struct CandidateTests<'w> {
    pub candidates: &'w mut Vec<Candidate>,
    pub queue: &'w mut PrefilterQueue,
    pub simd: SimdLevel,
    /// The margin and the tolerance.
    pub distance: f64,
}

impl CandidateTests<'_> {
    /// Appends a candidate about which single precision decides nothing.
    pub fn push(&mut self, candidate: Candidate) {
        self.flush();
        self.candidates.push(candidate);
    }

    /// Appends a candidate of two characters, unless the roots show that it stays apart; `travel`
    /// is that of its first part.
    #[inline(always)]
    pub fn push_posed<T: Scalar>(
        &mut self,
        candidate: Candidate,
        [a, b]: &[PosedCharacter<'_, T>; 2],
        travel: &PartTravel,
    ) {
        let (first, second) = (candidate.a.1, candidate.b.1);
        let mut still = PartTravel::default();
        let other = b.travel(second, &mut still);
        // The ways alone decide about most.
        if travel.is_far(other, self.distance + travel.ways(other)) {
            return;
        }
        let distance = self.distance + travel.approach(other);
        if travel.is_far(other, distance) {
            return;
        }
        self.candidates.push(candidate);
        self.queue.push_posed(&a.root(first).posed, &b.root(second).posed, distance);
        if self.queue.is_full() {
            self.flush();
        }
    }

    /// Tests the candidates in the queue, and drops those that stay apart.
    pub fn flush(&mut self) {
        let CandidateTests { candidates, queue, simd, .. } = self;
        if queue.len() == 0 {
            return;
        }
        let start = candidates.len() - queue.len();
        let apart = queue.masks_posed(*simd).apart;
        let mut kept = start;
        for at in start..candidates.len() {
            if apart >> (at - start) & 1 == 0 {
                candidates[kept] = candidates[at];
                kept += 1;
            }
        }
        candidates.truncate(kept);
    }
}

/// Computes the verdicts of the roots of candidates about an end of the tick, given the margin.
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
