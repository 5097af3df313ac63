//! The broad phase: which characters are near each other.

use super::boxes::Entry;
use crate::model::rows::{Range, Rows, Single};
use crate::num::{Level, Scalar};

/// The characters that are near each other, and what finding them writes on.
#[derive(Debug, Clone, Default)]
pub(super) struct Near {
    /// The places of all whose boxes overlap and that are not both at rest, the lesser first; ascending.
    pub pairs: Vec<(u32, u32)>,
    /// How many boxes were compared.
    pub compared: u64,
    order: Vec<(f64, u32)>,
    rows: Rows,
    range: Range,
}

impl Near {
    /// Finds them anew.
    ///
    /// Sweep and prune (Baraff 1992) along the coordinate along which the characters are most spread: sorted by where they begin, only
    /// boxes that begin before one ends can overlap it. A large box is compared with many, but no small one with more because of it.
    pub fn find<T: Scalar>(&mut self, entries: &[Entry<T>], level: Level) {
        let axis = longest(entries);
        let present = entries.iter().zip(0..).filter(|(entry, _)| !entry.bounds.is_empty());
        self.order.clear();
        self.order.extend(present.map(|(entry, place)| (entry.bounds.min[axis].wide(), place)));
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let place = |i: u32| self.order[i as usize].1;
        let sorted = self.order.iter().map(|&(_, place)| entries[place as usize].around);
        self.range = self.rows.fill(sorted);
        self.compared = self.rows.sweep(level, self.range, axis, &mut self.pairs);
        // In their own room: of a crowd in one place the pairs are far more than the characters.
        self.pairs.retain_mut(|pair| {
            let (a, b) = (place(pair.0), place(pair.1));
            *pair = (a.min(b), a.max(b));
            entries[a as usize].near(&entries[b as usize])
        });
        self.pairs.sort_unstable();
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

    /// Leaves in `found` the places of those whose boxes, in single precision, overlap that one; ascending. Returns how many were compared.
    pub fn near(&self, level: Level, one: Single, found: &mut Vec<u32>) -> u64 {
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
