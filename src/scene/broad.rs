//! The broad phase: which characters are near each other.

use super::boxes::Entry;
use crate::model::Nearness;
use crate::model::rows::{Range, Rows, Single};
use crate::num::{Scalar, SimdLevel};

/// The characters that are near each other, and what finding them writes on.
#[derive(Debug, Clone, Default)]
pub(super) struct Near {
    /// The places of all whose boxes are near and that are not both at rest, the lesser first;
    /// ascending.
    pub pairs: Vec<(u32, u32)>,
    /// How many boxes were compared.
    pub compared: u64,
    /// Where each begins, and its place: by that in the end.
    order: Vec<(f64, u32)>,
    sorting: Sorting,
    rows: Rows,
    range: Range,
}

impl Near {
    /// Finds them anew.
    ///
    /// Sweep and prune (Baraff 1992) along the coordinate along which the characters are most
    /// spread: sorted by where they begin, only boxes that begin before one ends can overlap it. A
    /// large box is compared with many, but no small one with more because of it.
    pub fn find<T: Scalar>(&mut self, entries: &[Entry<T>], level: SimdLevel, near: Nearness) {
        let axis = longest(entries);
        self.line_up(entries, axis);
        let place = |i: u32| self.order[i as usize].1;
        let sorted = self.order.iter().map(|&(_, place)| entries[place as usize].around);
        self.range = self.rows.fill(sorted);
        self.compared = self.rows.sweep(level, self.range, (axis, near), &mut self.pairs);
        // In their own room: of a crowd in one place the pairs are far more than the characters.
        self.pairs.retain_mut(|pair| {
            let (a, b) = (place(pair.0), place(pair.1));
            *pair = (a.min(b), a.max(b));
            entries[a as usize].near(&entries[b as usize], near)
        });
        self.sorting.sort(&mut self.pairs, entries.len());
    }

    /// Sorts all that are there by where they begin.
    fn line_up<T: Scalar>(&mut self, entries: &[Entry<T>], axis: usize) {
        let begin = |place: u32| {
            let bounds = &entries.get(place as usize)?.bounds;
            (!bounds.is_empty()).then(|| bounds.min[axis].wide())
        };
        let there = (0..entries.len() as u32).filter_map(|place| Some((begin(place)?, place)));
        // Whoever is there was the last time, mostly, and nearly in that order: the order there is
        // of them all is only one.
        self.order.retain_mut(|(at, place)| begin(*place).map(|begins| *at = begins).is_some());
        if self.order.len() < there.clone().count() {
            self.order.clear();
            self.order.extend(there);
        }
        sort_again(&mut self.order);
    }
}

/// Sorts what is nearly sorted, else as well as anything is.
fn sort_again(order: &mut [(f64, u32)]) {
    let by = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let mut moves = 8 * order.len();
    for next in 1..order.len() {
        let (one, mut at) = (order[next], next);
        while at > 0 && by(&one, &order[at - 1]).is_lt() {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = one;
        moves = moves.saturating_sub(next - at);
        if moves == 0 {
            return order.sort_unstable_by(by);
        }
    }
}

/// Room to sort pairs in.
#[derive(Debug, Clone, Default)]
struct Sorting {
    pairs: Vec<(u32, u32)>,
    /// Where those of each place go.
    starts: Vec<usize>,
}

impl Sorting {
    /// Ascending pairs of places below `count`: by the second, and then, of which none overtakes
    /// another, by the first (Knuth, The Art of Computer Programming 3, 5.2.5). Nothing is
    /// compared, so that nothing is guessed wrong.
    fn sort(&mut self, pairs: &mut Vec<(u32, u32)>, count: usize) {
        self.pairs.resize(pairs.len(), (0, 0));
        self.share_out(pairs, count, |pair| pair.1);
        std::mem::swap(pairs, &mut self.pairs);
        self.share_out(pairs, count, |pair| pair.0);
        std::mem::swap(pairs, &mut self.pairs);
    }

    /// Puts them by that place.
    fn share_out(&mut self, from: &[(u32, u32)], count: usize, of: impl Fn(&(u32, u32)) -> u32) {
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for pair in from {
            self.starts[of(pair) as usize + 1] += 1;
        }
        for place in 1..count {
            self.starts[place] += self.starts[place - 1];
        }
        for pair in from {
            let start = &mut self.starts[of(pair) as usize];
            self.pairs[*start] = *pair;
            *start += 1;
        }
    }
}

/// The boxes of all characters by place, for what is asked of one beside all.
#[derive(Debug, Clone, Default)]
pub(super) struct Everyone {
    rows: Rows,
    range: Range,
}

impl Everyone {
    pub fn fill<T: Scalar>(&mut self, entries: &[Entry<T>]) {
        self.range = self.rows.fill(entries.iter().map(|entry| entry.around));
    }

    /// Leaves in `found` the places of those whose boxes, in single precision, are near that one;
    /// ascending. Returns how many were compared.
    pub fn near(&self, level: SimdLevel, one: (Single, Nearness), found: &mut Vec<u32>) -> u64 {
        self.rows.beside(level, self.range, one, found)
    }
}

/// The coordinate whose middles differ most from their mean.
fn longest<T: Scalar>(entries: &[Entry<T>]) -> usize {
    let boxes = || entries.iter().map(|entry| &entry.bounds).filter(|bounds| !bounds.is_empty());
    let middle = |i: usize| boxes().map(move |b| 0.5 * (b.min[i].wide() + b.max[i].wide()));
    let count = boxes().count().max(1) as f64;
    let spread = [0, 1, 2].map(|i| {
        let mean = middle(i).sum::<f64>() / count;
        middle(i).map(|x| (x - mean).abs()).sum::<f64>()
    });
    (1..3).fold(0, |best, i| if spread[i] > spread[best] { i } else { best })
}
