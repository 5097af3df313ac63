//! The search along an edge: intervals, halved until each pair of parts is proved apart, touches at
//! a sample, or is within the tolerance.
//!
//! A query for any collision goes breadth first: the middle of the edge, its ends, then quarters
//! and so on. At each sample the pairs that are not proved apart in its interval are tested
//! exactly, so that collisions are found early; the others are not tested in its halves. A query
//! for the first collision goes depth first, the earlier half first, and drops what lies behind the
//! earliest collision found.

use super::pairs::Pairing;
use super::samples::Sampling;
use super::scratch::EdgeScratch;
use super::states::{Interval, Other, Outcome, PairMotion, STEPS};
use crate::error::Error;
use crate::model::{PartId, SelfQuery};
use crate::num::Scalar;
use crate::tree::Accuracy;

/// Two parts at a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub step: u32,
    pub a: u32,
    pub b: Other,
    /// 0 if they touch.
    pub slack: f64,
    /// Step before which the edge is proved free.
    pub clear_until: u32,
}

/// The result of a search.
#[derive(Debug, Clone, Copy)]
pub(super) enum Answer {
    /// Proved free, with that clearance.
    Free(f64),
    Collides(Found),
    Undecided(Found),
}

/// A running search.
pub(super) struct EdgeSearch<'a, T: Scalar> {
    pub sampling: Sampling<'a, T>,
    pub pairing: Pairing<'a, T>,
    /// The robot's own query; `None` if it is not tested against itself.
    pub own: Option<SelfQuery>,
    pub tolerance: f64,
}

impl<T: Scalar> EdgeSearch<'_, T> {
    /// Searches any collision; the pairs are in the scratch memory.
    pub fn any(&self, work: &mut EdgeScratch<T>) -> Result<Answer, Error> {
        self.start(work);
        let (mut clearance, mut near): (f64, Option<Found>) = (f64::INFINITY, None);
        let whole = Interval { start: 0, end: STEPS, open: [0, work.open.len()] };
        work.intervals.push(whole);
        let mut done = 0;
        while done < work.intervals.len() {
            // All intervals of one level of halving.
            let end = work.intervals.len();
            while done < end {
                let interval = work.intervals[done];
                done += 1;
                let (touching, apart) = self.test_interval(&interval, work)?;
                if let Some(found) = touching {
                    return Ok(Answer::Collides(found));
                }
                let first = work.open.len();
                let (close, settled) = self.settle(&interval, work);
                near = near.or(close);
                clearance = clearance.min(apart).min(settled);
                let open = [first, work.open.len()];
                if first < open[1] {
                    work.intervals.extend(interval.halves(open));
                }
            }
            if end == 1 && (work.intervals.len() > 1 || near.is_some()) {
                // Ends are proved free with their intervals; tested early, they show collisions.
                for step in [0, STEPS] {
                    if let Some(found) = self.touching(step, work)? {
                        return Ok(Answer::Collides(found));
                    }
                }
            }
            if let Some(found) = near {
                return Ok(Answer::Undecided(found));
            }
        }
        Ok(Answer::Free(clearance))
    }

    /// Searches the first collision; the pairs are in the scratch memory.
    pub fn first(&self, work: &mut EdgeScratch<T>) -> Result<Answer, Error> {
        self.start(work);
        if let Some(found) = self.touching(0, work)? {
            return Ok(Answer::Collides(found));
        }
        let mut hit = self.touching(STEPS, work)?;
        let (mut clearance, mut near): (f64, Option<Found>) = (f64::INFINITY, None);
        let whole = Interval { start: 0, end: STEPS, open: [0, work.open.len()] };
        work.intervals.push(whole);
        while let Some(interval) = work.intervals.pop() {
            if hit.is_some_and(|hit| interval.start >= hit.step) {
                continue;
            }
            work.open.truncate(interval.open[1]);
            let (touching, apart) = self.test_interval(&interval, work)?;
            hit = touching.or(hit);
            // A pair that touches in the middle stays open: it may touch earlier.
            let (close, settled) = self.settle(&interval, work);
            near = near.or(close);
            clearance = clearance.min(apart).min(settled);
            let open = [interval.open[1], work.open.len()];
            if open[0] < open[1] {
                let [earlier, later] = interval.halves(open);
                work.intervals.extend([later, earlier]);
            }
        }
        let clear_until = near.map_or(STEPS, |near| near.clear_until);
        Ok(match (hit, near) {
            (Some(hit), _) => {
                Answer::Collides(Found { clear_until: clear_until.min(hit.step), ..hit })
            }
            (None, Some(near)) => Answer::Undecided(near),
            (None, None) => Answer::Free(clearance),
        })
    }

    fn start(&self, work: &mut EdgeScratch<T>) {
        work.intervals.clear();
        work.open.clear();
        work.open.extend(0..work.pairs.len() as u32);
    }

    /// Poses the robot at a step, an end of the edge, and returns two parts that touch.
    fn touching(&self, step: u32, work: &mut EdgeScratch<T>) -> Result<Option<Found>, Error> {
        self.sampling.pose(step, work);
        let own = self.own_touching(step, work)?;
        Ok(own.or_else(|| {
            let mut pairs = 0..work.pairs.len();
            pairs.find_map(|at| match work.pairs[at].b {
                Other::Obstacle(_) => self.touching_pair(at as u32, step, work),
                Other::Robot(_) => None,
            })
        }))
    }

    /// Returns two parts of the robot that touch at a step, the current sample.
    fn own_touching(&self, step: u32, work: &mut EdgeScratch<T>) -> Result<Option<Found>, Error> {
        let Some(query) = self.own else { return Ok(None) };
        let model = self.pairing.model;
        let touching = model.any_touching(&work.poses, query, None, &mut work.own)?;
        let found = |(a, b): (PartId, PartId)| {
            let (a, b) = (a.index() as u32, Other::Robot(b.index() as u32));
            Found { step, a, b, slack: 0.0, clear_until: 0 }
        };
        Ok(touching.map(found))
    }

    /// Returns the two parts of a pair if their trees touch at a step, the current sample.
    fn touching_pair(&self, pair: u32, step: u32, work: &mut EdgeScratch<T>) -> Option<Found> {
        let of = work.pairs[pair as usize];
        let touches = self.pairing.placed(&of, work).touches_at(Accuracy::Exact, &mut work.tree);
        touches.then_some(Found { step, a: of.a, b: of.b, slack: 0.0, clear_until: 0 })
    }

    /// Tests the open pairs of an interval. Returns two parts that touch in its middle, and the
    /// least clearance of the pairs that are proved apart; the others are left in `undecided`.
    fn test_interval(
        &self,
        interval: &Interval,
        work: &mut EdgeScratch<T>,
    ) -> Result<(Option<Found>, f64), Error> {
        let step = interval.middle_step();
        self.sampling.pose(step, work);
        self.sampling.compute_motions(work);
        let (mut clearance, mut own) = (f64::INFINITY, 0);
        work.undecided.clear();
        for open in interval.open[0]..interval.open[1] {
            let pair = work.open[open];
            let of = work.pairs[pair as usize];
            match self.pairing.test(&of, (interval.half(), self.tolerance), work) {
                Outcome::Apart(least) => clearance = clearance.min(least),
                outcome => {
                    own += usize::from(matches!(of.b, Other::Robot(_)));
                    work.undecided.push((pair, outcome));
                }
            }
        }
        // Pairs that are disjoint in the whole interval do not touch in its middle.
        let together = own > FEW_PAIRS;
        if together && let Some(found) = self.own_touching(step, work)? {
            return Ok((Some(found), clearance));
        }
        let mut pairs = 0..work.undecided.len();
        let touching = pairs.find_map(|at| {
            let (pair, _) = work.undecided[at];
            let is_tested = together && matches!(work.pairs[pair as usize].b, Other::Robot(_));
            if is_tested { None } else { self.touching_pair(pair, step, work) }
        });
        Ok((touching, clearance))
    }

    /// Appends the undecided pairs of an interval that its halves have to decide to the open pairs.
    /// Returns the first that is within the tolerance, and the least clearance of the others.
    fn settle(&self, interval: &Interval, work: &mut EdgeScratch<T>) -> (Option<Found>, f64) {
        let (mut close, mut clearance) = (None, f64::INFINITY);
        for at in 0..work.undecided.len() {
            let (pair, outcome) = work.undecided[at];
            let of = work.pairs[pair as usize];
            let slack = match outcome {
                Outcome::Apart(least) => {
                    clearance = clearance.min(least);
                    continue;
                }
                // Nothing comes to be inside a solid but through its surface.
                Outcome::SurfacesApart => {
                    clearance = clearance.min(of.margin);
                    continue;
                }
                Outcome::Open if !interval.is_shortest() => {
                    work.open.push(pair);
                    continue;
                }
                Outcome::Close(slack) => slack,
                Outcome::Open => self.distance_beyond_margin(&of, work),
            };
            let (step, clear_until) = (interval.middle_step(), interval.start);
            close = close.or(Some(Found { step, a: of.a, b: of.b, slack, clear_until }));
        }
        (close, clearance)
    }

    /// Returns by how much the distance of a pair at the current sample exceeds its margin.
    fn distance_beyond_margin(&self, pair: &PairMotion, work: &mut EdgeScratch<T>) -> f64 {
        let placed = self.pairing.placed(pair, work);
        let near = placed.distance_checked(Accuracy::Exact, f64::INFINITY, &mut work.tree);
        // Only a distance that is not a number has no closest points.
        let distance = near.map_or(f64::INFINITY, |near| near.distance.wide() + near.slack.wide());
        placed.beyond_margin(distance)
    }
}

/// Number of own pairs up to which each is tested by itself; more cost less together.
const FEW_PAIRS: usize = 3;
