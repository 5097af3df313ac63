//! Many characters on many threads. Neither the assignment to threads nor their number changes a
//! bit of an answer: each thread processes neighbours in the order of answers, and the results are
//! joined in that order.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::placement::PlacementBatch;
use crate::narrow_phase::Goal;
use crate::num::Scalar;
use crate::scene::Scene;
use crate::scene::pairs::hits::QueryScratch;
use crate::scene::pairs::search::PairSearch;

/// Number of character pairs that pays for a task.
const PAIRS_PER_TASK: usize = 128;

/// Number of characters that pays for a task.
const CHARACTERS_PER_TASK: usize = 64;

/// Number of tasks per thread, so that threads that finish early get more work.
const TASKS_PER_THREAD: usize = 4;

pub(in crate::scene) fn piece_count(things: usize, least: usize) -> usize {
    let threads = rayon::current_num_threads();
    if threads < 2 { 1 } else { (things / least).clamp(1, threads * TASKS_PER_THREAD) }
}

impl<T: Scalar> PairSearch<'_, '_, T> {
    /// Searches these pairs of characters in parallel. Returns `false`, without searching, if they
    /// are too few or a budget is shared by all.
    pub(in crate::scene) fn all_by_threads(&mut self, pairs: &[(u32, u32)]) -> bool {
        let (snapshot, goal) = (self.snapshot, self.narrow.goal);
        let (query, hints) = (self.query, self.hints);
        let pieces = piece_count(pairs.len(), PAIRS_PER_TASK);
        if pieces == 1 || self.narrow.is_budgeted() {
            return false;
        }
        let mut workers = std::mem::take(self.workers);
        workers.resize_with(pieces.max(workers.len()), QueryScratch::default);
        let found_one = AtomicBool::new(false);
        let slacks = workers[..pieces].par_iter_mut().enumerate().map(|(piece, work)| {
            let mut search = PairSearch::new(snapshot, query, hints, goal, work);
            for group in
                pairs[piece_range(pairs, piece, pieces)].chunk_by(|one, next| one.0 == next.0)
            {
                if found_one.load(Relaxed) || search.search_group(group).is_break() {
                    break;
                }
            }
            search.narrow.finish();
            if goal == Goal::Any && !search.narrow.work.found.is_empty() {
                found_one.store(true, Relaxed);
            }
            search.narrow.slack
        });
        let slack = slacks.reduce(T::zero, |a, b| if b > a { b } else { a });
        self.narrow.raise_slack(slack);
        for work in &workers[..pieces] {
            self.narrow.work.append(&work.narrow);
        }
        *self.workers = workers;
        true
    }
}

/// Returns the pairs of one piece; all pairs of a first character are in the same piece.
fn piece_range(pairs: &[(u32, u32)], piece: usize, pieces: usize) -> Range<usize> {
    let start = |piece: usize| {
        let even = piece * pairs.len() / pieces;
        let before = if even == 0 { None } else { pairs.get(even - 1) };
        let same = pairs[even..].iter().take_while(|pair| before.is_some_and(|b| b.0 == pair.0));
        even + same.count()
    };
    start(piece)..start(piece + 1)
}

impl<T: Scalar> PlacementBatch<'_, T> {
    /// Places the changed characters, in parallel unless they are few.
    pub(in crate::scene) fn place_by_threads(self, scene: &Scene<T>) {
        let pieces = piece_count(self.changed.len(), CHARACTERS_PER_TASK);
        self.place_in_pieces(scene, pieces);
    }

    fn place_in_pieces(self, scene: &Scene<T>, pieces: usize) {
        if pieces < 2 || self.changed.len() < 2 {
            self.place_characters(scene);
            return;
        }
        let ((left, right), half) = (self.split(), pieces / 2);
        rayon::join(
            || left.place_in_pieces(scene, half),
            || right.place_in_pieces(scene, pieces - half),
        );
    }
}
