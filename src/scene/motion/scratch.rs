//! Scratch memory of searches for impacts.

use super::part_poses::PartPoses;
use crate::narrow_phase::Candidate;
use crate::num::counting_sort::CountingSort;
use crate::num::linear::Vec3;
use crate::sat::prefilter::PrefilterQueue;

/// Scratch memory of searches for impacts, and what the last one found.
#[derive(Debug, Clone, Default)]
pub(in crate::scene) struct MotionScratch {
    /// The pairs of parts whose swept boxes overlap, in the order of answers.
    pub(super) candidates: Vec<Candidate>,
    pub(super) sorting: CountingSort<Candidate>,
    /// The roots of the last candidates, which are not tested yet.
    pub(super) roots: PrefilterQueue,
    /// Verdicts of the roots of each candidate at the start, and of each answer at the end; empty
    /// if the query is not about that end.
    pub(super) verdicts: [Vec<RootVerdict>; 2],
    /// Flag per candidate: `true` if its impact is found.
    pub(super) is_found: Vec<bool>,
    /// Candidates that are open in the intervals on the stack.
    pub(super) open: Vec<u32>,
    pub(super) intervals: Vec<Interval>,
    pub(super) found: Vec<Found>,
    pub(super) poses: PartPoses,
}

/// An interval of the tick in steps, and the range of `MotionScratch::open` with the pairs that
/// were open in the interval that it is half of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    pub start: u32,
    pub end: u32,
    pub open: [usize; 2],
}

/// Verdict of the roots of a candidate about an end of the tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RootVerdict {
    Apart,
    Touching,
    /// The trees have to be tested.
    Undecided,
}

/// The impact of a candidate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub candidate: u32,
    pub clear_until: u32,
    pub time: u32,
    /// Leaves of both parts.
    pub nodes: [u32; 2],
    /// Points in the world, of either part.
    pub points: [Vec3; 2],
    /// Direction from the first part to the second; `None` if they touch at the start.
    pub normal: Option<Vec3>,
    /// Upper bound on the distance at the time beyond the margin.
    pub slack: f64,
    pub touches: [bool; 2],
}

impl MotionScratch {
    pub fn clear(&mut self, paths: usize) {
        self.candidates.clear();
        self.roots.clear();
        self.is_found.clear();
        self.open.clear();
        self.intervals.clear();
        self.found.clear();
        self.poses.reset(paths);
    }

    /// Returns the poses of parts, of that many paths, none of them computed.
    pub(super) fn start_poses(&mut self, paths: usize) -> &mut PartPoses {
        self.poses.reset(paths);
        &mut self.poses
    }

    /// Returns `true` if the last search found an impact.
    pub fn has_found(&self) -> bool {
        !self.found.is_empty()
    }
}
