//! The broad phase: which characters are near each other.

use super::boxes::Entry;
use crate::model::rows::{Range, Rows};
use crate::num::{Level, Scalar};

/// What the sweep writes on.
#[derive(Debug, Clone, Default)]
pub(super) struct Sweep {
    order: Vec<(f64, u32)>,
    rows: Rows,
    range: Range,
    found: Vec<(u32, u32)>,
}

impl Sweep {
    /// Fills `pairs` with the places of all characters whose boxes overlap and that are not both at rest, the
    /// lesser first, ascending. Returns how many boxes were compared.
    ///
    /// Sweep and prune (Baraff 1992) along the coordinate along which the characters are most spread: sorted by where they begin, only
    /// boxes that begin before one ends can overlap it.
    pub fn overlaps<T: Scalar>(
        &mut self,
        entries: &[Entry<T>],
        level: Level,
        pairs: &mut Vec<(u32, u32)>,
    ) -> u64 {
        let axis = longest(entries);
        let present = entries.iter().zip(0..).filter(|(entry, _)| !entry.bounds.is_empty());
        self.order.clear();
        self.order.extend(present.map(|(entry, place)| (entry.bounds.min[axis].wide(), place)));
        self.order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let place = |i: u32| self.order[i as usize].1;
        let sorted = self.order.iter().map(|&(_, place)| entries[place as usize].around);
        self.range = self.rows.fill(sorted);
        let compared = self.rows.sweep(level, self.range, axis, &mut self.found);
        pairs.clear();
        let found = self.found.iter().map(|&(i, j)| (place(i), place(j)));
        let near = found.filter(|&(a, b)| entries[a as usize].near(&entries[b as usize]));
        pairs.extend(near.map(|(a, b)| (a.min(b), a.max(b))));
        pairs.sort_unstable();
        compared
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
