//! Many characters by many threads. Which thread takes what, and how many there are, changes no bit
//! of an answer: each takes neighbours in the order of the answers, which are put together in that
//! order.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rayon::prelude::*;

use super::Scene;
use super::hits::QueryScratch;
use super::pair_search::PairSearch;
use super::placing::Placing;
use crate::narrow_phase::Goal;
use crate::num::Scalar;

/// Pairs of characters that are worth a thread of their own.
const PAIRS: usize = 128;

/// Characters that are worth a thread of their own.
const CHARACTERS: usize = 64;

/// Pieces for each thread, so that those who are done early find more.
const PIECES: usize = 4;

pub(super) fn pieces(things: usize, least: usize) -> usize {
    let threads = rayon::current_num_threads();
    if threads < 2 { 1 } else { (things / least).clamp(1, threads * PIECES) }
}

impl<T: Scalar> PairSearch<'_, '_, T> {
    /// Every two of these characters, unless they are too few to share out, or a budget is to be
    /// spent on all together. Says whether it did.
    pub(super) fn all_by_threads(&mut self, pairs: &[(u32, u32)]) -> bool {
        let (snapshot, query, goal) = (self.snapshot, self.query, self.narrow.goal);
        let pieces = pieces(pairs.len(), PAIRS);
        if pieces == 1 || self.narrow.is_budgeted() {
            return false;
        }
        let mut workers = std::mem::take(self.workers);
        workers.resize_with(pieces.max(workers.len()), QueryScratch::default);
        let found_one = AtomicBool::new(false);
        let told = workers[..pieces].par_iter_mut().enumerate().map(|(piece, work)| {
            let mut search = PairSearch::new(snapshot, query, goal, work);
            for group in pairs[range(pairs, piece, pieces)].chunk_by(|one, next| one.0 == next.0) {
                if found_one.load(Relaxed) || search.group(group).is_break() {
                    break;
                }
            }
            search.narrow.finish();
            if goal == Goal::Any && !search.narrow.work.found.is_empty() {
                found_one.store(true, Relaxed);
            }
            search.narrow.slack
        });
        let slack = told.reduce(T::zero, |a, b| if b > a { b } else { a });
        self.narrow.raise(slack);
        for work in &workers[..pieces] {
            self.narrow.work.append(&work.narrow);
        }
        *self.workers = workers;
        true
    }
}

/// The pairs of one piece: all of a first character's are in one.
fn range(pairs: &[(u32, u32)], piece: usize, pieces: usize) -> Range<usize> {
    let start = |piece: usize| {
        let even = piece * pairs.len() / pieces;
        let before = if even == 0 { None } else { pairs.get(even - 1) };
        let same = pairs[even..].iter().take_while(|pair| before.is_some_and(|b| b.0 == pair.0));
        even + same.count()
    };
    start(piece)..start(piece + 1)
}

impl<T: Scalar> Placing<'_, T> {
    /// Places the parts of all characters, by several threads unless they are few.
    pub(super) fn place_by_threads(self, scene: &Scene<T>) {
        let pieces = pieces(self.entries.len(), CHARACTERS);
        self.in_pieces(scene, pieces);
    }

    fn in_pieces(self, scene: &Scene<T>, pieces: usize) {
        if pieces < 2 || self.entries.len() < 2 {
            self.place(scene);
            return;
        }
        let ((left, right), half) = (self.split(), pieces / 2);
        rayon::join(|| left.in_pieces(scene, half), || right.in_pieces(scene, pieces - half));
    }
}
