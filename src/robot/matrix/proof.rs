//! The proofs for one pair: boxes of joint values, split until the two parts are further apart at
//! the centre than they may approach within the box, or overlap there by more than that.

use super::ranges::{PairSide, Range};
use super::result::PairVerdict;
use crate::model::{Model, PartId};
use crate::motion::Mechanism;
use crate::num::Scalar;
use crate::robot::chains::ChainLink;
use crate::shape::{Pose, rounded_pose};
use crate::tree::{Accuracy, OrderedPair, TreePair, TreeScratch};

/// A pair of parts whose joint values are split.
#[derive(Debug, Clone)]
pub(super) struct PairProof<'a, T: Scalar> {
    pub mechanism: &'a Mechanism,
    pub model: &'a Model<T>,
    pub links: &'a [ChainLink],
    /// Range of each actuator within its limits.
    pub limits: &'a [Range],
    pub sides: [PairSide; 2],
    pub margin: f64,
    /// Distance by which poses are off, both parts together.
    pub error: f64,
    /// Approach in a box below which it is not split.
    pub resolution: f64,
    pub budget: usize,
}

/// Scratch memory of proofs.
#[derive(Debug, Clone, Default)]
pub(super) struct ProofScratch<T: Scalar> {
    /// Boxes, one after another: a range for each actuator.
    boxes: Vec<Range>,
    values: Vec<T>,
    wide: Vec<f64>,
    wide_poses: Vec<Pose<f64>>,
    poses: Vec<Pose<T>>,
    /// Motion by each actuator, not cut at the chord of half a turn.
    motions: Vec<f64>,
    /// Primitives that overlapped last by more than the two parts move.
    overlap: Option<[u32; 2]>,
    tree: TreeScratch,
}

/// Verdict on a statement at the centre of a box of joint values.
#[derive(Debug, Clone, Copy, PartialEq)]
enum CenterVerdict {
    /// The statement holds in the whole box.
    Holds,
    /// The statement is false at the centre.
    Fails,
    /// The box has to be split.
    Open,
}

/// End of the proof of a statement about all boxes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ProofEnd {
    /// The statement holds everywhere.
    Proved,
    /// The statement is false at the centre where the scratch memory is posed.
    Refuted,
    /// A box is too small to be split, or the budget is spent; the scratch memory is posed at the
    /// centre of that box, and so many boxes were not tested yet.
    Open(usize),
}

/// Share of the approach in a box by which boxes of trees may be coarse.
const COARSENESS: f64 = 0.125;

/// A proof that two parts always touch may take one of so many splits of the budget: where one
/// succeeds, few suffice, and each takes longer than in a proof that they never do.
const ALWAYS_SHARE: usize = 16;

impl<'a, T: Scalar> PairProof<'a, T> {
    /// Returns the actuators that move the two parts against each other, ascending.
    pub fn actuators(&self) -> Vec<usize> {
        let joints = self.sides.iter().flat_map(|side| &side.joints);
        let rules = joints.filter_map(|&link| self.links[link as usize].joint);
        let mut found: Vec<usize> = rules.map(|joint| joint.rule.actuator).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Proves that the two never touch, or finds values at which they do; returns the verdict and
    /// the number of splits.
    pub fn never(&self, work: &mut ProofScratch<T>) -> (PairVerdict<T>, usize) {
        let (end, splits) = self.split(self.budget, work, |approach, work| {
            match self.touches(approach + self.error, work) {
                false => CenterVerdict::Holds,
                true if self.touches(0.0, work) => CenterVerdict::Fails,
                true => CenterVerdict::Open,
            }
        });
        let verdict = match end {
            ProofEnd::Proved => PairVerdict::Never,
            ProofEnd::Refuted => PairVerdict::Sometimes { witness: work.values.clone() },
            ProofEnd::Open(rest) => self.open_verdict(rest, work),
        };
        (verdict, splits)
    }

    /// Returns `true` if it is proved that the two touch everywhere, by primitives that overlap by
    /// more than the two move within a box; and the number of splits.
    pub fn always(&self, work: &mut ProofScratch<T>) -> (bool, usize) {
        work.overlap = None;
        let budget = self.budget / ALWAYS_SHARE;
        let (end, splits) = self.split(budget, work, |approach, work| {
            let motion = approach + self.error;
            let pair = self.pair(0.0, work);
            match pair.lasting_overlap(motion, work.overlap, &mut work.tree) {
                None if self.touches(0.0, work) => CenterVerdict::Open,
                None => CenterVerdict::Fails,
                found => {
                    work.overlap = found;
                    CenterVerdict::Holds
                }
            }
        });
        (end == ProofEnd::Proved, splits)
    }

    /// Splits the box of all values until a verdict at the centre of each box ends the proof;
    /// returns its end, and the number of splits, at most `budget`. `verdict` gets the approach of
    /// the two within the box.
    fn split(
        &self,
        budget: usize,
        work: &mut ProofScratch<T>,
        verdict: impl Fn(f64, &mut ProofScratch<T>) -> CenterVerdict,
    ) -> (ProofEnd, usize) {
        let (width, moving) = (self.limits.len(), self.actuators());
        work.boxes.clear();
        work.boxes.extend_from_slice(self.limits);
        let (mut splits, mut open) = (0, 1);
        while open > 0 {
            open -= 1;
            let at = open * width;
            let approach = self.place_center(at, work);
            match verdict(approach, work) {
                CenterVerdict::Holds => {
                    work.boxes.truncate(at);
                    continue;
                }
                CenterVerdict::Fails => return (ProofEnd::Refuted, splits),
                CenterVerdict::Open => {}
            }
            let widest = |most: Option<usize>, &actuator: &usize| match most {
                Some(most) if work.motions[most] >= work.motions[actuator] => Some(most),
                _ => Some(actuator),
            };
            let widest = moving.iter().fold(None, widest);
            if approach <= self.resolution || widest.is_none() || splits == budget {
                return (ProofEnd::Open(open), splits);
            }
            splits += 1;
            let actuator = widest.unwrap_or_default();
            work.boxes.truncate(at + width);
            work.boxes.extend_from_within(at..at + width);
            let [low, high] = work.boxes[at + actuator];
            let middle = 0.5 * (low + high);
            work.boxes[at + actuator] = [low, middle];
            work.boxes[at + width + actuator] = [middle, high];
            open += 2;
        }
        (ProofEnd::Proved, splits)
    }

    /// Returns the verdict on a pair of which a box stays open: undecided, unless the two touch at
    /// the centre of one of the boxes not tested yet.
    fn open_verdict(&self, rest: usize, work: &mut ProofScratch<T>) -> PairVerdict<T> {
        let mut least_gap = self.distance(work);
        for other in (0..rest).rev() {
            self.place_center(other * self.limits.len(), work);
            if self.touches(0.0, work) {
                return PairVerdict::Sometimes { witness: work.values.clone() };
            }
            least_gap = self.distance(work).min(least_gap);
        }
        PairVerdict::Undecided { least_gap }
    }

    /// Poses the robot at the centre of a box; returns an upper bound on the approach of the two
    /// parts within the box.
    fn place_center(&self, at: usize, work: &mut ProofScratch<T>) -> f64 {
        let ranges = &work.boxes[at..at + self.limits.len()];
        work.values.clear();
        work.values.extend(ranges.iter().map(|[low, high]| T::nearest(0.5 * (low + high))));
        work.wide.clear();
        work.wide.extend(work.values.iter().map(|value| value.wide()));
        self.mechanism.poses_unchecked(&work.wide, &mut work.wide_poses);
        work.poses.clear();
        work.poses.extend(work.wide_poses.iter().map(rounded_pose::<T>));
        work.motions.clear();
        work.motions.resize(self.limits.len(), 0.0);
        let (wide, motions, mut approach) = (&work.wide, &mut work.motions, 0.0);
        let half = |actuator: usize| {
            let ([low, high], value) = (ranges[actuator], wide[actuator]);
            (high - value).max(value - low)
        };
        for side in &self.sides {
            side.visit_motions((self.links, &work.wide_poses), half, |actuator, bound, uncut| {
                approach += bound;
                motions[actuator] += uncut;
            });
        }
        approach * (1.0 + 1e-9)
    }

    /// Returns the trees of both parts at the current centre, with a margin beyond their own.
    fn pair(&self, beyond: f64, work: &ProofScratch<T>) -> TreePair<'a, T> {
        let [a, b] = [0, 1].map(|side| {
            let part = self.sides[side].part as usize;
            self.model.placed_tree(PartId::new(part), &work.poses[part], 0)
        });
        TreePair::from_ordered(OrderedPair::new(a, b)).with_margin(self.margin + beyond)
    }

    /// Returns `true` unless the two parts are proved further apart than a distance beyond their
    /// margin; at a distance of zero, exactly if they touch.
    fn touches(&self, beyond: f64, work: &mut ProofScratch<T>) -> bool {
        let accuracy = match beyond > 0.0 {
            true => Accuracy::Within(COARSENESS * beyond),
            false => Accuracy::Exact,
        };
        self.pair(beyond, work).touches_at(accuracy, &mut work.tree)
    }

    fn distance(&self, work: &mut ProofScratch<T>) -> f64 {
        let pair = self.pair(0.0, work).with_margin(0.0);
        let near = pair.distance_checked(Accuracy::Exact, f64::INFINITY, &mut work.tree);
        near.map_or(f64::INFINITY, |near| near.distance.wide())
    }
}
