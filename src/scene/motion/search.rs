//! The search for impacts: intervals of the tick, the earlier half first, and the pairs of parts
//! that are still open in each.
//!
//! The halves of an interval, and what a test says of it, depend on the pair of parts alone, so
//! that the impact of a pair does not depend on which others are searched with it.

use nalgebra::Vector3;

use super::impact::Impact;
use super::part_poses::{MovingPart, PartPoses};
use super::part_travel::PartTravel;
use super::path::STEPS;
use super::root_tests::{CandidateTests, PosedCharacter, TickEnd, find_verdicts};
use super::scene_motion::SceneMotion;
use super::scratch::{Found, Interval, MotionScratch, RootVerdict};
use super::swept_boxes::swept_aabb;
use crate::broad_phase::Nearness;
use crate::error::Error;
use crate::model::{MarginRequest, PartId};
use crate::narrow_phase::Candidate;
use crate::num::Scalar;
use crate::num::linear::{Vec3, length, scale, sub};
use crate::pair::ClosestPoints;
use crate::scene::filter::pair_query::{PairQuery, QueryScope};
use crate::scene::pairs::hits::PairScratch;
use crate::scene::{NodeRef, QueryScratch, Snapshot};
use crate::shape::{nearest_point, wide_point};
use crate::tree::{
    Accuracy, Counts, IntervalAnswer, IntervalPair, NodeId, OrderedPair, PartMotion, PlacedTree,
    Push, TreePair, TreeScratch,
};

/// The result that a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// Any impact.
    Any,
    /// The first impact.
    First,
    /// The first impact of each pair of parts.
    All,
}

/// A running search.
pub(super) struct MotionSearch<'a, 'q, T: Scalar> {
    motion: SceneMotion<'a, T>,
    now: Snapshot<'a, T>,
    query: &'q PairQuery<'q>,
    goal: Goal,
    tolerance: f64,
    /// First and last step that the query is about.
    window: [u32; 2],
}

impl<'a, 'q, T: Scalar> MotionSearch<'a, 'q, T> {
    /// Creates the search; checks the query.
    pub fn new(
        motion: SceneMotion<'a, T>,
        query: &'q PairQuery<'q>,
        goal: Goal,
    ) -> Result<Self, Error> {
        let now = motion.swept();
        let accuracy = query.options.overlap_accuracy();
        accuracy.check()?;
        query.check_margin(false)?;
        query.check(now.scene)?;
        match accuracy {
            Accuracy::Within(tolerance) if tolerance > 0.0 => {
                Ok(MotionSearch { motion, now, query, goal, tolerance, window: motion.steps() })
            }
            _ => Err(Error::BadQuery {
                reason: "motion needs the accuracy `Within` a length above zero: at no time can \
                         two moving parts be proved to touch first",
            }),
        }
    }

    /// Searches; the impacts found are in the scratch memory.
    pub fn run(&self, scratch: &mut QueryScratch<T>) -> Result<(), Error> {
        scratch.clear(self.now.buffers.simd);
        // Borrowed, not taken: it is large.
        let QueryScratch { motion: work, narrow, pairs, .. } = scratch;
        work.clear(self.motion.source().part_count());
        self.collect((&mut *work, pairs), &mut narrow.tree.counts)?;
        self.candidate_tests(work).flush();
        Candidate::sort(&mut work.candidates, &mut work.sorting, |candidate| candidate);
        work.is_found.resize(work.candidates.len(), false);
        self.find_start_verdicts(work);
        self.search(work, &mut narrow.tree);
        Ok(())
    }

    /// Collects the pairs of parts whose swept boxes overlap, without those that surely stay apart.
    fn collect(
        &self,
        (work, pairs): (&mut MotionScratch, &mut PairScratch),
        counts: &mut Counts,
    ) -> Result<(), Error> {
        let (now, query) = (self.now, self.query);
        let nearness = Nearness::from_margin(query.margin);
        let entries = &now.buffers.entries;
        let is_near = |a: u32, b: u32| entries[a as usize].is_near(&entries[b as usize], nearness);
        let mut sets = std::mem::take(&mut pairs.sets);
        let found = now.find_character_sets(query, &mut sets);
        let [first, second] = &sets;
        let mut collect =
            |a, b, pairs: &mut PairScratch| self.collect_parts([a, b], (&mut *work, pairs), counts);
        if found.is_ok() {
            match query.scope {
                QueryScope::All => {
                    let mut within = std::mem::take(&mut pairs.margin_pairs);
                    let near = match query.margin > 0.0 {
                        true => {
                            now.buffers.find_near_pairs(&mut within, nearness);
                            &within
                        }
                        false => now.buffers.near_pairs(),
                    };
                    near.pairs.iter().for_each(|&(a, b)| collect(a, b, pairs));
                    counts.characters += near.compared;
                    pairs.margin_pairs = within;
                }
                QueryScope::Between(..) => {
                    for (&a, &b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
                        if is_near(a, b) {
                            collect(a, b, pairs);
                        }
                    }
                    counts.characters += (first.len() * second.len()) as u64;
                }
                QueryScope::Of(_) => {
                    let mut near = std::mem::take(&mut pairs.near_indices);
                    let (list, mut compared) = (now.buffers.character_list(), 0);
                    for &a in first {
                        let one = (entries[a as usize].bounds_f32, nearness);
                        compared += list.find_near(now.buffers.simd, one, &mut near);
                        for &b in near.iter().filter(|b| !first.contains(b)) {
                            if is_near(a, b) {
                                collect(a, b, pairs);
                            }
                        }
                    }
                    counts.characters += compared;
                    pairs.near_indices = near;
                }
                QueryScope::Within(_) => {
                    for (at, &a) in first.iter().enumerate() {
                        collect(a, a, pairs);
                        for &b in first[at + 1..].iter().filter(|&&b| is_near(a, b)) {
                            collect(a, b, pairs);
                        }
                    }
                    counts.characters += (first.len() * first.len().saturating_sub(1) / 2) as u64;
                }
            }
        }
        pairs.sets = sets;
        found
    }

    /// Collects the pairs of parts of two characters, or of one.
    fn collect_parts(
        &self,
        indices: [u32; 2],
        (work, pairs): (&mut MotionScratch, &mut PairScratch),
        counts: &mut Counts,
    ) {
        let filter = self.now.pair_filter(self.query, indices);
        if filter.rejects_all() {
            return;
        }
        let margin = self.query.margin;
        let [a, b] = indices
            .map(|index| PosedCharacter::new(&self.motion, self.now, (index, TickEnd::Start)));
        let posed = a.zip(b).map(|(a, b)| [a, b]);
        let mut tests = self.candidate_tests(work);
        let mut push = |travel: &PartTravel, candidate| match &posed {
            Some(posed) => tests.push_posed(candidate, posed, travel),
            None => tests.push(candidate),
        };
        let travel = |part| match &posed {
            Some([one, _]) => *one.travel(part, &mut PartTravel::default()),
            None => PartTravel::default(),
        };
        counts.parts += match indices[0] == indices[1] {
            true => {
                let margin = MarginRequest { margin, use_model_margins: false };
                let near = &mut pairs.self_overlaps;
                let push = |candidate: Candidate| push(&travel(candidate.a.1), candidate);
                self.now.visit_own_pairs((&filter, margin), near, push)
            }
            false => {
                let near = &mut pairs.block_overlaps;
                let keep_all = |_, near: &mut [_]| near.len();
                self.now.visit_part_pairs((&filter, margin), near, keep_all, travel, push)
            }
        };
    }

    fn candidate_tests<'w>(&self, work: &'w mut MotionScratch) -> CandidateTests<'w> {
        CandidateTests {
            candidates: &mut work.candidates,
            queue: &mut work.roots,
            simd: self.now.buffers.simd,
            distance: self.query.margin + self.tolerance,
        }
    }

    /// Computes the verdicts of the roots of the candidates about the start of the tick.
    fn find_start_verdicts(&self, work: &mut MotionScratch) {
        let MotionScratch { candidates, roots, verdicts, .. } = work;
        verdicts[0].clear();
        if self.window[0] == 0 {
            let of = (candidates.iter().copied(), TickEnd::Start, self.query.margin);
            find_verdicts((&self.motion, self.now), of, roots, &mut verdicts[0]);
        }
    }

    /// Computes the verdicts of the roots of the candidates that are answers about the end of the
    /// tick.
    fn find_end_verdicts(&self, found: &[Found], work: &mut MotionScratch) {
        let MotionScratch { candidates, roots, verdicts, .. } = work;
        verdicts[1].clear();
        if self.window[1] == STEPS {
            let of = found.iter().map(|found| candidates[found.candidate as usize]);
            let of = (of, TickEnd::End, self.query.margin);
            find_verdicts((&self.motion, self.now), of, roots, &mut verdicts[1]);
        }
    }

    /// Searches the impacts of the candidates.
    fn search(&self, work: &mut MotionScratch, tree: &mut TreeScratch) {
        work.open.extend(0..work.candidates.len() as u32);
        let open = [0, work.open.len()];
        work.intervals.push(Interval { start: 0, end: STEPS, open });
        // Candidates are sorted, so the first found of one time is the first by order.
        let mut first = u32::MAX;
        while let Some(interval) = work.intervals.pop() {
            let [from, to] = self.window;
            let is_outside = interval.end <= from && from < STEPS || interval.start >= to && to > 0;
            if is_outside && interval.end - interval.start < STEPS
                || self.goal != Goal::All && interval.start > first
            {
                continue;
            }
            work.open.truncate(interval.open[1]);
            for at in interval.open[0]..interval.open[1] {
                let candidate = work.open[at];
                if work.is_found[candidate as usize] {
                    continue;
                }
                match self.test(candidate, interval, work, tree) {
                    Outcome::Apart => {}
                    Outcome::Open => work.open.push(candidate),
                    Outcome::Found(found) => {
                        work.is_found[candidate as usize] = true;
                        first = first.min(found.clear_until);
                        work.found.push(found);
                        match self.goal {
                            Goal::Any => return,
                            // None of the rest has an earlier impact, and of equal ones this is
                            // the first by order.
                            Goal::First => break,
                            Goal::All => {}
                        }
                    }
                }
            }
            let open = [interval.open[1], work.open.len()];
            let Interval { start, end, .. } = interval;
            if open[0] < open[1] {
                let middle = u32::midpoint(start, end);
                work.intervals.push(Interval { start: middle, end, open });
                work.intervals.push(Interval { start, end: middle, open });
            }
        }
        let key = |found: &Found| (found.clear_until, found.candidate);
        work.found.sort_unstable_by_key(key);
        let mut found = std::mem::take(&mut work.found);
        let answers = if self.goal == Goal::All { found.len() } else { found.len().min(1) };
        self.find_end_verdicts(&found[..answers], work);
        for (index, found) in found[..answers].iter_mut().enumerate() {
            self.complete(index, found, work, tree);
        }
        work.found = found;
    }

    /// Tests a candidate in an interval.
    fn test(
        &self,
        candidate: u32,
        Interval { start, end, .. }: Interval,
        work: &mut MotionScratch,
        tree: &mut TreeScratch,
    ) -> Outcome {
        let of = work.candidates[candidate as usize];
        let is_whole = end - start == STEPS;
        // Nothing comes to be inside a solid but through its surface: one test suffices, at the
        // start. What the roots show needs no interval.
        let verdict = work.verdicts[0].get(candidate as usize).copied();
        let verdict = verdict.filter(|_| is_whole).unwrap_or(RootVerdict::Undecided);
        if verdict == RootVerdict::Touching {
            return Outcome::Found(self.found_at_start(candidate, &of, (work, tree)));
        }
        let middle = u32::midpoint(start, end);
        let placed = self.placed_parts(&of, middle, &mut work.poses);
        let pair = self.pair([&placed[0], &placed[1]]);
        let half = f64::from(end - start) / f64::from(2 * STEPS);
        let interval =
            IntervalPair::new(&pair, placed.map(|one| one.motion), (half, self.tolerance));
        if interval.roots_stay_apart(&mut tree.counts) {
            return Outcome::Apart;
        }
        let [from, to] = self.window;
        let may_touch = is_whole && verdict == RootVerdict::Undecided;
        if may_touch && self.touches_at(&of, from, (work, tree)) {
            return Outcome::Found(self.found_at_start(candidate, &of, (work, tree)));
        }
        let answer = match from == to {
            true => IntervalAnswer::Apart,
            false => interval.search(tree),
        };
        if matches!(answer, IntervalAnswer::Apart | IntervalAnswer::SurfacesApart) {
            return Outcome::Apart;
        }
        // Candidates are about the whole tick first, and few come this far.
        if is_whole && !self.swept_boxes_are_near(&of, &mut work.poses) {
            return Outcome::Apart;
        }
        let is_inside = from <= start && end <= to;
        match answer {
            _ if !is_inside && end - start > 2 => Outcome::Open,
            IntervalAnswer::Close(near) => {
                let ordered = pair.ordered_pair();
                let [on_a, on_b] = [near.closest.on_a, near.closest.on_b()]
                    .map(|point| pair.placements()[0].point(point));
                let (mut nodes, mut points) = (near.nodes, [on_a, on_b]);
                if ordered.swapped {
                    nodes.swap(0, 1);
                    points.swap(0, 1);
                }
                let slack = pair.beyond_margin(near.distance);
                let clear_until = start.max(from);
                let at = Approach { clear_until, time: middle, nodes, points, slack };
                Outcome::Found(self.found(candidate, &of, (at, end), (work, tree)))
            }
            _ if end - start <= 2 => {
                // The shortest interval: whatever their distance.
                let (nodes, points, distance) = self.closest(&pair, tree);
                let slack = pair.beyond_margin(distance);
                let clear_until = start.max(from);
                let at = Approach { clear_until, time: middle, nodes, points, slack };
                Outcome::Found(self.found(candidate, &of, (at, end), (work, tree)))
            }
            _ => Outcome::Open,
        }
    }

    /// Returns the impact of a candidate that may touch in an interval with that end, to be
    /// [completed](Self::complete).
    fn found(
        &self,
        candidate: u32,
        of: &Candidate,
        (mut at, end): (Approach, u32),
        (work, tree): (&mut MotionScratch, &mut TreeScratch),
    ) -> Found {
        let last = self.window[1];
        if at.slack > 0.0 && end >= last && self.touches_at(of, last, (work, tree)) {
            (at.time, at.slack) = (last, 0.0);
            let pair = self.pair_at(of, last, work);
            (at.nodes, at.points, _) = self.closest_of_touching(&pair, tree);
        }
        let Approach { clear_until, time, nodes, points, slack } = at;
        let touches = [false; 2];
        Found { candidate, clear_until, time, nodes, points, normal: None, slack, touches }
    }

    /// Returns the impact of a candidate that touches at the start, to be
    /// [completed](Self::complete).
    fn found_at_start(
        &self,
        candidate: u32,
        of: &Candidate,
        (work, tree): (&mut MotionScratch, &mut TreeScratch),
    ) -> Found {
        let from = self.window[0];
        let (nodes, points, _) = self.closest_of_touching(&self.pair_at(of, from, work), tree);
        let (clear_until, time, slack) = (from, from, 0.0);
        let touches = [true, false];
        Found { candidate, clear_until, time, nodes, points, normal: None, slack, touches }
    }

    /// Returns the leaves and the closest points of two parts, and an upper bound on their
    /// distance, 0 if they touch.
    fn closest(
        &self,
        pair: &TreePair<'a, T>,
        tree: &mut TreeScratch,
    ) -> ([u32; 2], [Vec3; 2], f64) {
        Self::closest_points(pair, pair.distance_checked(Accuracy::Exact, f64::INFINITY, tree))
    }

    /// Like [`closest`](Self::closest), for parts that touch, or are within the margin.
    fn closest_of_touching(
        &self,
        pair: &TreePair<'a, T>,
        tree: &mut TreeScratch,
    ) -> ([u32; 2], [Vec3; 2], f64) {
        Self::closest_points(pair, pair.distance_of_touching(tree))
    }

    fn closest_points(
        pair: &TreePair<'a, T>,
        near: Option<ClosestPoints<T, NodeId>>,
    ) -> ([u32; 2], [Vec3; 2], f64) {
        match near {
            Some(near) => {
                let nodes = [near.a, near.b].map(|node| node.index() as u32);
                let distance = near.distance.wide();
                let distance = if distance > 0.0 { distance + near.slack.wide() } else { 0.0 };
                (nodes, [near.on_a, near.on_b].map(wide_point), distance)
            }
            // Only a distance that is not a number has no closest points.
            None => ([0; 2], [pair.placements()[0].position; 2], f64::INFINITY),
        }
    }

    /// Computes what only impacts that are answers need: the normal, and whether the two touch at
    /// the end.
    fn complete(
        &self,
        index: usize,
        found: &mut Found,
        work: &mut MotionScratch,
        tree: &mut TreeScratch,
    ) {
        let of = work.candidates[found.candidate as usize];
        found.touches[1] = match work.verdicts[1].get(index) {
            Some(RootVerdict::Apart) => false,
            Some(RootVerdict::Touching) => true,
            _ => self.touches_at(&of, self.window[1], (work, tree)),
        };
        if found.touches[0] {
            return;
        }
        let between = sub(found.points[1], found.points[0]);
        let apart = length(between);
        found.normal = Some(match found.slack > 0.0 && apart > 0.0 {
            true => scale(between, 1.0 / apart),
            // Just before they touch.
            false => {
                let before = self.pair_at(&of, found.clear_until, work);
                self.direction(&before, tree)
            }
        });
    }

    /// Returns the direction from the first part to the second: that of their closest points or, if
    /// they touch, that in which the least translation separates them.
    fn direction(&self, pair: &TreePair<'a, T>, tree: &mut TreeScratch) -> Vec3 {
        let pair = pair.with_margin(0.0);
        let (_, [on_a, on_b], _) = self.closest(&pair, tree);
        let between = sub(on_b, on_a);
        let distance = length(between);
        if distance > 0.0 {
            return scale(between, 1.0 / distance);
        }
        match pair.separation(&Push::least(), tree) {
            Ok(Some(push)) => wide_point(push.normal.into_inner().into()),
            _ => [1.0, 0.0, 0.0],
        }
    }

    /// Returns `true` if a candidate touches at a step.
    fn touches_at(
        &self,
        of: &Candidate,
        step: u32,
        (work, tree): (&mut MotionScratch, &mut TreeScratch),
    ) -> bool {
        self.pair_at(of, step, work).touches_at(Accuracy::Exact, tree)
    }

    /// Returns the parts of a candidate at a step; at both ends of the tick at their stored poses.
    fn pair_at(&self, of: &Candidate, step: u32, work: &mut MotionScratch) -> TreePair<'a, T> {
        if step > 0 && step < STEPS {
            let [a, b] = self.placed_parts(of, step, &mut work.poses);
            return self.pair([&a, &b]);
        }
        let tree = |(character, part): (u32, PartId)| {
            let later = self.now.placed_tree((character, part));
            let before = || self.motion.source().poses_before(character)[part.index()];
            PlacedTree { pose: if step == 0 { before() } else { later.pose }, ..later }
        };
        let ordered = OrderedPair::new(tree(of.a), tree(of.b));
        TreePair::from_ordered(ordered).with_margin(self.query.margin)
    }

    fn pair(&self, [a, b]: [&PlacedPart<'a, T>; 2]) -> TreePair<'a, T> {
        let ordered = OrderedPair::new(a.tree, b.tree);
        TreePair::from_ordered(ordered).with_margin(self.query.margin)
    }

    /// Places both parts of a candidate at a step.
    fn placed_parts(
        &self,
        of: &Candidate,
        step: u32,
        poses: &mut PartPoses,
    ) -> [PlacedPart<'a, T>; 2] {
        let source = self.motion.source();
        [of.a, of.b].map(|(character, part)| {
            let tree = self.now.placed_tree((character, part));
            if source.rests(character) {
                return PlacedPart { tree, motion: PartMotion::default() };
            }
            let part = (character, part.index());
            let MovingPart { pose, linear, angular } = poses.at(&source, part, step);
            let (bounds, radius) =
                (poses.bounds(&source, part), tree.tree.wide_radius_about_origin());
            let motion = PartMotion {
                linear,
                angular,
                acceleration: bounds.acceleration_within(radius),
                error: bounds.error_within(radius, T::ROUNDING),
            };
            PlacedPart { tree: PlacedTree { pose: pose.pose(), ..tree }, motion }
        })
    }

    /// Returns `true` if the boxes that contain the parts during the tick, by their paths, are no
    /// further apart than the margin.
    fn swept_boxes_are_near(&self, of: &Candidate, poses: &mut PartPoses) -> bool {
        let source = self.motion.source();
        let [one, other] = [of.a, of.b].map(|(character, part)| {
            let part = (character, part.index());
            swept_aabb(&source, part, || poses.bounds(&source, part))
        });
        one.is_near(other, Nearness::from_margin(self.query.margin))
    }

    /// Returns the first impact of a search that ran.
    pub fn first(&self, work: &MotionScratch) -> Option<Impact<T>> {
        work.found.first().map(|found| self.impact(work, found))
    }

    /// Writes all impacts of a search that ran.
    pub fn all(&self, work: &MotionScratch, impacts: &mut Vec<Impact<T>>) {
        impacts.extend(work.found.iter().map(|found| self.impact(work, found)));
    }

    fn impact(&self, work: &MotionScratch, found: &Found) -> Impact<T> {
        let candidate = &work.candidates[found.candidate as usize];
        let nodes = found.nodes.map(|node| NodeId::new(node as usize));
        let key = candidate.key(nodes[0], nodes[1]);
        let (a, b): (NodeRef, NodeRef) = self.now.node_refs(key);
        let share = |step: u32| f64::from(step) / f64::from(STEPS);
        let [on_a, on_b] = found.points.map(nearest_point);
        let impact = Impact {
            a,
            b,
            clear_until: share(found.clear_until),
            time: share(found.time),
            slack: T::at_least(found.slack),
            met: found.slack <= self.tolerance,
            on_a,
            on_b,
            normal: found.normal.map(|normal| Vector3::from(normal.map(T::nearest))),
            touching_at_start: found.touches[0],
            touching_at_end: found.touches[1],
        };
        if self.now.is_swapped(self.query, key) { impact.reversed() } else { impact }
    }
}

/// A part at a step, and its motion there.
#[derive(Clone, Copy)]
struct PlacedPart<'a, T: Scalar> {
    tree: PlacedTree<'a, T>,
    motion: PartMotion,
}

/// Two parts near each other at a time.
struct Approach {
    clear_until: u32,
    time: u32,
    nodes: [u32; 2],
    points: [Vec3; 2],
    slack: f64,
}

/// The result of a test of a candidate in an interval.
enum Outcome {
    Apart,
    Open,
    Found(Found),
}
