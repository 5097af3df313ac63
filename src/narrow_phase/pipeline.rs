//! Pipeline from candidates to answers: prefilter, traversal, contacts.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use super::candidates::{Candidate, CandidateQueue, QueuedCandidate};
use super::contacts::ContactScratch;
use super::found_pairs::FoundPairs;
use super::leaf_boxes::{LeafBoxFilter, cuts_at_leaves};
use super::placed_trees::{Goal, PlacedTrees};
use super::prefilter::{PairMasks, RootPrefilter};
use crate::num::{Scalar, SimdLevel};
use crate::pair::Contact;
use crate::sat::prefilter::BATCH;
use crate::tree::{
    Accuracy, BudgetEnd, BudgetTraversal, Counts, DecidedBy, NodeId, NodePair, ObbTree, OpenPair,
    TreePair, TreeScratch, cut_slack, part_slack,
};

/// Number of candidates whose roots are tested together when any hit will do: one per lane.
const ANY_HIT_CHUNK: usize = 8;

/// Scratch memory of the narrow phase: that of each stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct NarrowPhaseScratch<T: Scalar> {
    pub candidates: CandidateQueue,
    leaf_boxes: LeafBoxFilter,
    roots: RootPrefilter,
    pub tree: TreeScratch,
    touches: Vec<NodePair>,
    pub(super) contacts: ContactScratch<T>,
    pub found: FoundPairs,
}

impl<T: Scalar> NarrowPhaseScratch<T> {
    /// Clears the last query and sets the SIMD level of the next.
    pub fn clear(&mut self, simd: SimdLevel) {
        self.candidates.clear(simd);
        self.roots.clear();
        self.contacts.clear();
        self.found.clear();
        (self.tree.simd, self.tree.counts) = (simd, Counts::default());
    }

    /// Returns the contacts, by the indices in [`FoundPairs`].
    pub fn contacts(&self) -> &[Contact<T>] {
        &self.contacts.all
    }

    /// Returns `true` if the contact of that index is one of bodies.
    pub fn is_measured(&self, index: u32) -> bool {
        index < self.contacts.measured_len
    }

    /// Appends the answers of another query.
    #[cfg(feature = "rayon")]
    pub fn append(&mut self, other: &Self) {
        self.found.append(&other.found, self.contacts.all.len() as u32);
        self.contacts.all.extend_from_slice(&other.contacts.all);
        // Without a budget, which threads do not share, all are of one kind.
        self.contacts.measured_len += other.contacts.measured_len;
        self.tree.counts += other.tree.counts;
    }
}

/// State of a narrow phase.
pub(crate) struct NarrowPhase<'a, 'w, T: Scalar, P> {
    pub placed: P,
    pub goal: Goal,
    pub accuracy: Accuracy,
    pub work: &'w mut NarrowPhaseScratch<T>,
    /// Largest slack of the pairs of parts found; the same for every goal. [world units]
    pub slack: T,
    /// Terms of the largest slack of roots so far. Slack grows with each term, so a pair with no
    /// larger term is skipped.
    max_terms: [f64; 4],
    /// `true` unless the budget was exhausted before the accuracy was reached.
    pub is_complete: bool,
    trees: PhantomData<&'a T>,
}

impl<'a, 'w, T: Scalar, P: PlacedTrees<'a, T>> NarrowPhase<'a, 'w, T, P> {
    pub fn new(
        placed: P,
        goal: Goal,
        accuracy: Accuracy,
        work: &'w mut NarrowPhaseScratch<T>,
    ) -> Self {
        let (slack, max_terms) = (T::zero(), [0.0; 4]);
        let (is_complete, trees) = (true, PhantomData);
        NarrowPhase { placed, goal, accuracy, work, slack, max_terms, is_complete, trees }
    }

    /// Returns `true` if a budget of tests is spent on all candidates together.
    pub fn is_budgeted(&self) -> bool {
        matches!(self.accuracy, Accuracy::Budget(_))
    }

    /// Runs all candidates collected so far, in the order of answers, so that these need no
    /// sorting. Breaks once any hit is enough.
    pub fn run(&mut self) -> ControlFlow<()> {
        if self.work.candidates.len() == 0 {
            return ControlFlow::Continue(());
        }
        self.work.candidates.prefilter();
        self.work.tree.counts.boxes[0] += self.work.candidates.take_dropped_count();
        if self.work.candidates.has_leaf_boxes && cuts_at_leaves(self.accuracy) {
            let NarrowPhaseScratch { candidates, leaf_boxes, tree, .. } = &mut *self.work;
            leaf_boxes.drop_separated(&mut candidates.candidates, &self.placed, tree);
        }
        self.work.candidates.sort();
        let mut all = std::mem::take(&mut self.work.candidates.candidates);
        // Small chunks: a query for any hit ends with the first.
        let size = if self.goal == Goal::Any { ANY_HIT_CHUNK } else { BATCH };
        let flow = all.chunks(size).try_for_each(|chunk| {
            let NarrowPhaseScratch { roots, tree, .. } = &mut *self.work;
            let masks = roots.masks(chunk, &self.placed, self.goal, self.accuracy, tree);
            let mut kept = chunk.iter().enumerate();
            kept.try_for_each(|(at, kept)| self.handle_candidate(&kept.parts, at, &masks))
        });
        all.clear();
        self.work.candidates.candidates = all;
        flow
    }

    /// Handles one candidate, given the masks of the prefilter.
    #[inline]
    fn handle_candidate(
        &mut self,
        parts: &Candidate,
        at: usize,
        masks: &PairMasks,
    ) -> ControlFlow<()> {
        match masks.verdict(at) {
            Some(true) => self.report_roots(parts),
            Some(false) => {}
            None => self.traverse(parts),
        }
        match self.goal == Goal::Any && !self.work.found.is_empty() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Runs the remaining candidates, or spends a budget on all of them; then computes the queued
    /// contacts.
    pub fn finish(&mut self) {
        match self.accuracy {
            Accuracy::Budget(tests) => self.run_budget(tests),
            _ => _ = self.run(),
        }
        let NarrowPhaseScratch { contacts, tree, .. } = &mut *self.work;
        if self.goal.has_contacts() {
            contacts.finish(tree.simd);
            self.finish_single_boxes();
        }
    }

    fn run_budget(&mut self, tests: u32) {
        let mut kept = std::mem::take(&mut self.work.candidates.candidates);
        // Sorted: the same order whichever side is first.
        QueuedCandidate::sort(&mut kept);
        let pair = |index: u32| self.placed.tree_pair(&kept[index as usize].parts);
        let (pairs, first_only) = (kept.len() as u32, self.goal == Goal::Any);
        let traversal = BudgetTraversal { pairs, tests, first_only };
        let BudgetEnd { is_complete, mut tests_left } = traversal.run(pair, &mut self.work.tree);
        self.is_complete = is_complete;
        let open_pairs = std::mem::take(&mut self.work.tree.open_pairs);
        let mut touches = std::mem::take(&mut self.work.touches);
        for open in open_pairs.chunk_by(|a, b| a.pair == b.pair) {
            let candidate = &kept[open[0].pair as usize].parts;
            touches.clear();
            touches.extend(open.iter().map(|open| open.nodes));
            self.work.tree.clear_pair_cache();
            let (pair, completed) =
                (self.placed.tree_pair(candidate), OpenPair::completed_accuracy(open));
            if self.goal == Goal::BodyContacts && tests_left > 0 {
                let before = self.work.tree.counts;
                self.add_body_hit(candidate, &pair, completed);
                let spent = tests_since(&before, &self.work.tree.counts);
                tests_left = tests_left.saturating_sub(spent);
            } else {
                self.add_hits(candidate, &pair, completed, &touches);
            }
        }
        self.work.tree.open_pairs = open_pairs;
        (self.work.candidates.candidates, self.work.touches) = (kept, touches);
    }

    /// Traverses the trees of two parts whose world boxes overlap, or are within the margin.
    fn traverse(&mut self, candidate: &Candidate) {
        let (pair, accuracy) = (self.placed.tree_pair(candidate), self.accuracy);
        if self.goal.names_parts_only() {
            if pair.touches_at(accuracy, &mut self.work.tree) {
                match self.goal {
                    Goal::BodyContacts => self.add_body_hit(candidate, &pair, accuracy),
                    _ => self.add_hits(candidate, &pair, accuracy, &[]),
                }
            }
            return;
        }
        let mut touches = std::mem::take(&mut self.work.touches);
        if self.goal == Goal::DeepestContacts {
            pair.deepest_candidates(accuracy, &mut self.work.tree, &mut touches);
        } else {
            touches.clear();
            let _ = pair.visit_checked(accuracy, &mut self.work.tree, |touch| {
                touches.push(touch);
                ControlFlow::Continue(())
            });
        }
        if !touches.is_empty() {
            self.add_hits(candidate, &pair, accuracy, &touches);
        }
        self.work.touches = touches;
    }

    /// Reports two parts by their roots, whose boxes overlap and decide. Only without a margin.
    fn report_roots(&mut self, candidate: &Candidate) {
        let touch = NodePair { a: NodeId::ROOT, b: NodeId::ROOT, by: DecidedBy::Boxes };
        let NarrowPhaseScratch { tree, contacts, .. } = &mut *self.work;
        let contact = match self.goal {
            Goal::BodyContacts => self.measure(candidate, self.accuracy),
            Goal::DeepestContacts | Goal::Contacts => {
                contacts.push(&self.placed.ordered_pair(candidate), touch, tree)
            }
            Goal::Any | Goal::Parts | Goal::Nodes => 0,
        };
        self.work.found.push(candidate.key(touch.a, touch.b), contact);
        let [a, b] = [candidate.a, candidate.b].map(|part| self.placed.tree(part));
        match self.accuracy {
            Accuracy::Depth(_) => self.raise_slack_by_roots([a, b]),
            accuracy => self.raise_slack(part_slack([a, b], accuracy, 0.0)),
        }
    }

    /// Raises the slack to that of two parts whose root boxes decide.
    fn raise_slack_by_roots(&mut self, [a, b]: [&ObbTree<T>; 2]) {
        let (first, second) = (a.cut_bounds(0), b.cut_bounds(0));
        let radii = a.wide_radius_about_origin() + b.wide_radius_about_origin();
        let inexact = f64::from(a.has_inexact_shapes() || b.has_inexact_shapes());
        let terms = [first.bound + second.bound, first.radius + second.radius, radii, inexact];
        if (0..4).any(|i| terms[i] > self.max_terms[i]) {
            let slack = cut_slack([a, b], 0, 0.0);
            if slack > self.slack {
                (self.slack, self.max_terms) = (slack, terms);
            }
        }
    }

    /// Measures two parts that are reported, and adds their contact to the answer.
    fn add_body_hit(&mut self, candidate: &Candidate, pair: &TreePair<'a, T>, accuracy: Accuracy) {
        let slack = pair.report_slack(accuracy, &mut self.work.tree);
        let contact = self.measure(candidate, accuracy);
        self.work.found.push(candidate.key(NodeId::ROOT, NodeId::ROOT), contact);
        self.raise_slack(slack);
    }

    /// Adds the node pairs of two parts that touch to the answer, at least one unless it names
    /// parts only; `accuracy` is the one that was reached for these two parts.
    fn add_hits(
        &mut self,
        candidate: &Candidate,
        pair: &TreePair<'_, T>,
        accuracy: Accuracy,
        touches: &[NodePair],
    ) {
        let NarrowPhaseScratch { tree, contacts, found, .. } = &mut *self.work;
        let slack = pair.report_slack(accuracy, tree);
        match self.goal {
            Goal::Any | Goal::Parts => found.push(candidate.key(NodeId::ROOT, NodeId::ROOT), 0),
            // A budget that ended before the two were measured.
            Goal::BodyContacts | Goal::DeepestContacts => {
                if let Some(touch) = contacts.deepest(pair, touches, tree) {
                    let at = contacts.push(pair.ordered_pair(), touch, tree);
                    found.push(candidate.key(touch.a, touch.b), at);
                }
            }
            Goal::Contacts => touches.iter().for_each(|&touch| {
                let at = contacts.push(pair.ordered_pair(), touch, tree);
                found.push(candidate.key(touch.a, touch.b), at);
            }),
            Goal::Nodes => touches.iter().for_each(|touch| {
                found.push(candidate.key(touch.a, touch.b), 0);
            }),
        }
        self.raise_slack(slack);
    }

    /// Raises the slack of the answer to at least `slack`.
    pub fn raise_slack(&mut self, slack: T) {
        if slack > self.slack {
            self.slack = slack;
        }
    }
}

/// Returns the number of tests made since `before`, at least one.
fn tests_since(before: &Counts, now: &Counts) -> u32 {
    let all = |counts: &Counts| counts.tests() + counts.hulls + counts.primitives + counts.points;
    u32::try_from(all(now) - all(before)).unwrap_or(u32::MAX).max(1)
}
