//! The search along an edge: intervals, halved until each pair of parts is proved apart, touches at
//! a sample, or is within the tolerance.
//!
//! A query for any collision goes breadth first: the middle of the edge, its ends, then quarters
//! and so on. At each sample the whole configuration is tested exactly before any pair is tested
//! over its interval, so that collisions are found early, and pairs that are proved apart in an
//! interval are not tested in its halves. A query for the first collision goes depth first, the
//! earlier half first, and drops what lies behind the earliest collision found.

use super::pairs::{Outcome, Pairing};
use super::samples::Sampling;
use super::scratch::EdgeScratch;
use super::states::{Interval, Other, PairMotion, STEPS};
use crate::error::Error;
use crate::model::SelfQuery;
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
                if let Some(found) = self.touching(interval.middle(), work)? {
                    return Ok(Answer::Collides(found));
                }
                self.sampling.place(work);
                let first = work.open.len();
                for open in interval.open[0]..interval.open[1] {
                    let pair = work.open[open];
                    match self.test(pair, &interval, work) {
                        Tested::Apart(least) => clearance = clearance.min(least),
                        Tested::Open => work.open.push(pair),
                        Tested::Close(found) => near = near.or(Some(found)),
                        Tested::Touches(found) => return Ok(Answer::Collides(found)),
                    }
                }
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
            if let Some(found) = self.touching(interval.middle(), work)? {
                hit = Some(found);
            }
            self.sampling.place(work);
            for open in interval.open[0]..interval.open[1] {
                let pair = work.open[open];
                match self.test(pair, &interval, work) {
                    Tested::Apart(least) => clearance = clearance.min(least),
                    Tested::Open => work.open.push(pair),
                    Tested::Close(found) => near = near.or(Some(found)),
                    Tested::Touches(found) => {
                        hit = Some(found);
                        // The pair that touches here may touch earlier.
                        match interval.is_shortest() {
                            true => near = near.or(Some(found)),
                            false => work.open.push(pair),
                        }
                    }
                }
            }
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

    /// Poses the robot at a step and returns two parts of it that touch.
    ///
    /// At the ends also obstacles are tested, which are otherwise tested with their intervals.
    fn touching(&self, step: u32, work: &mut EdgeScratch<T>) -> Result<Option<Found>, Error> {
        self.sampling.pose(step, work);
        let found = |a, b| Found { step, a, b, slack: 0.0, clear_until: 0 };
        if let Some(query) = self.own {
            let touching =
                self.pairing.model.any_touching(&work.poses, query, None, &mut work.own)?;
            if let Some((a, b)) = touching {
                return Ok(Some(found(a.index() as u32, Other::Robot(b.index() as u32))));
            }
        }
        if step == 0 || step == STEPS {
            for at in 0..work.pairs.len() {
                let pair = work.pairs[at];
                if matches!(pair.b, Other::Obstacle(_)) && self.touches_exactly(&pair, work) {
                    return Ok(Some(found(pair.a, pair.b)));
                }
            }
        }
        Ok(None)
    }

    /// Returns `true` if the trees of a pair touch at the current sample.
    fn touches_exactly(&self, pair: &PairMotion, work: &mut EdgeScratch<T>) -> bool {
        self.pairing.placed(pair, work).touches_at(Accuracy::Exact, &mut work.tree)
    }

    /// Tests a pair in an interval whose middle is the current sample.
    fn test(&self, pair: u32, interval: &Interval, work: &mut EdgeScratch<T>) -> Tested {
        let of = work.pairs[pair as usize];
        let (step, clear_until) = (interval.middle(), interval.start);
        let outcome = self.pairing.test(&of, (interval.half(), self.tolerance), work);
        let found = |slack| Found { step, a: of.a, b: of.b, slack, clear_until };
        if let Outcome::Apart(least) = outcome {
            return Tested::Apart(least);
        }
        // Own parts were tested with their whole configuration.
        if matches!(of.b, Other::Obstacle(_)) && self.touches_exactly(&of, work) {
            return Tested::Touches(found(0.0));
        }
        match outcome {
            Outcome::Close(slack) => Tested::Close(found(slack)),
            // Nothing comes to be inside a solid but through its surface.
            Outcome::SurfacesApart => Tested::Apart(of.margin),
            _ if interval.is_shortest() => {
                let placed = self.pairing.placed(&of, work);
                let near = placed.distance_checked(Accuracy::Exact, f64::INFINITY, &mut work.tree);
                // Only a distance that is not a number has no closest points.
                let distance =
                    near.map_or(f64::INFINITY, |near| near.distance.wide() + near.slack.wide());
                Tested::Close(found(placed.beyond_margin(distance)))
            }
            _ => Tested::Open,
        }
    }
}

/// The result of a test of a pair in an interval, with its exact test at the sample.
enum Tested {
    /// Proved apart, further than this.
    Apart(f64),
    Open,
    Close(Found),
    Touches(Found),
}
