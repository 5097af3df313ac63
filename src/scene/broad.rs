//! The broad phase: which characters are near each other.

use super::boxes::Entry;
use super::cull;
use super::rows::{Range, Rows};
use crate::num::linear::{Vec3, add, length, scale, sub};
use crate::num::{Level, Scalar};
use crate::shape::{Aabb, wide_point};

/// What the sweep writes on.
#[derive(Debug, Clone, Default)]
pub(super) struct Sweep {
    order: Vec<(f64, u32)>,
    rows: Rows,
    range: Range,
    /// The ends of the box around all.
    around: [Vec3; 2],
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
        let sorted = self.order.iter().map(|&(_, place)| entries[place as usize].bounds);
        self.range = self.rows.fill(sorted);
        self.around = ends(entries);
        let compared = self.rows.sweep(level, self.range, axis, &mut self.found);
        pairs.clear();
        let found = self.found.iter().map(|&(i, j)| (place(i), place(j)));
        let near = found.filter(|&(a, b)| entries[a as usize].near(&entries[b as usize]));
        pairs.extend(near.map(|(a, b)| (a.min(b), a.max(b))));
        pairs.sort_unstable();
        compared
    }

    /// Leaves in `places` the characters whose boxes share a point with that box, and perhaps more; ascending.
    pub fn in_box(&self, level: Level, bounds: [Vec3; 2], places: &mut Vec<u32>) {
        places.clear();
        cull::in_box(level, self.rows.range(self.range), bounds, places);
        self.named(places);
    }

    /// Leaves in `places` the characters whose boxes a ray from a point along a way meets before its end, and perhaps more; ascending.
    pub fn on_ray(&self, level: Level, (from, way, end): (Vec3, Vec3, f64), places: &mut Vec<u32>) {
        places.clear();
        let [low, high] = self.around;
        let (middle, radius) = (scale(add(low, high), 0.5), 0.5 * length(sub(high, low)));
        // Beyond there is nothing.
        let end = end.min((length(sub(middle, from)) + radius) * (1.0 + 1e-6));
        if end.is_finite() {
            let blocks = self.rows.range(self.range);
            cull::on_segment(level, blocks, (from, way, end), self.far(), places);
        } else {
            places.extend(0..self.order.len() as u32);
        }
        self.named(places);
    }

    /// No coordinate of a box is larger.
    pub fn far(&self) -> f64 {
        let ends = self.around.iter().flatten();
        ends.fold(0.0, |far: f64, x| if x.is_finite() { far.max(x.abs()) } else { far })
    }

    /// From places in the order of the sweep to those of characters.
    fn named(&self, places: &mut [u32]) {
        places.iter_mut().for_each(|place| *place = self.order[*place as usize].1);
        places.sort_unstable();
    }
}

/// The ends of the box around all characters.
fn ends<T: Scalar>(entries: &[Entry<T>]) -> [Vec3; 2] {
    let all = entries.iter().fold(Aabb::empty(), |all, entry| all.merged(&entry.bounds));
    [wide_point(all.min), wide_point(all.max)]
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
