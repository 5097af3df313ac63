//! Splits by the surface area heuristic: the least sum of surface times number of primitives.
//!
//! Sources: Goldsmith, Salmon, Automatic Creation of Object Hierarchies for Ray Tracing (1987);
//! MacDonald, Booth, Heuristics for Ray Tracing Using Space Subdivision (1990); with bins: Wald, On
//! Fast Construction of SAH-based Bounding Volume Hierarchies (2007). Boxes here are oriented, so
//! primitives are also split by their normals: flat patches have thin boxes.

use std::ops::Range;

use super::primitives::Primitives;
use crate::fit::{AxisBounds, Covariance, surface_cost};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Mat3, Vec3, cross, dot, length, rotate_back, sub};
use crate::shape::WideObb;

/// Number of bins along a direction. More: splits closer to the best, in proportion to the time.
const BINS: usize = 16;

/// Number of directions: three of the node's box, three of the part's frame, three of normals.
const DIRECTIONS: usize = 9;

/// Data of one primitive.
struct SahItem<const N: usize> {
    corners: [Vec3; N],
    centroid: Vec3,
    /// Unit normal; zero for primitives without one.
    normal: Vec3,
    moments: Covariance,
}

/// Primitives of a node, and the directions to split them along.
pub(super) struct SahSplitter<const N: usize> {
    items: Vec<SahItem<N>>,
    origin: Vec3,
    axes: Mat3,
    keys: Vec<f64>,
}

/// Moments and number of some primitives.
#[derive(Clone, Copy)]
struct SahBin {
    sum: Covariance,
    count: usize,
}

impl<const N: usize> SahSplitter<N> {
    pub fn new<S: Scalar>(
        primitives: &Primitives<S, N>,
        range: Range<usize>,
        solid: &WideObb,
    ) -> Self {
        let none = Covariance::new((), solid.center);
        let item = |index: usize| {
            let corners = primitives.at(index);
            let (mut moments, mut normal) = (none, [0.0; 3]);
            super::measure::add_primitive((), &mut moments, &corners, primitives.surface[index]);
            if let [a, b, c] = corners[..] {
                let n = cross(sub(b, a), sub(c, a));
                let size = length(n);
                normal = if size > 0.0 { n.map(|x| x / size) } else { normal };
            }
            SahItem { corners, centroid: primitives.centroid(index), normal, moments }
        };
        SahSplitter {
            items: range.map(item).collect(),
            origin: solid.center,
            axes: solid.axes,
            keys: Vec::new(),
        }
    }

    /// Returns for each primitive `true` if it belongs to the first half of the best split; `None`
    /// if the primitives do not differ along any direction.
    pub fn best_split(&mut self) -> Option<Vec<bool>> {
        let mut best: Option<(f64, Vec<bool>)> = None;
        for direction in 0..DIRECTIONS {
            let Some((low, scale, cut)) = self.best_bin(direction) else { continue };
            let first: Vec<bool> =
                self.keys.iter().map(|&key| bin_index(key, low, scale) <= cut).collect();
            let cost = self.cost(&first);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, first));
            }
        }
        best.map(|(_, first)| first)
    }

    /// Returns the least key, the bins for each unit of key, and the last bin of the first half of
    /// the best split, by a rough cost.
    fn best_bin(&mut self, direction: usize) -> Option<(f64, f64, usize)> {
        let axis = match direction {
            3..6 => IDENTITY[direction - 3],
            _ => self.axes[direction % 3],
        };
        let key = |item: &SahItem<N>| match direction {
            6.. => dot(axis, item.normal),
            _ => dot(axis, item.centroid),
        };
        self.keys.clear();
        self.keys.extend(self.items.iter().map(key));
        let low = self.keys.iter().copied().fold(f64::INFINITY, f64::min);
        let high = self.keys.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scale = BINS as f64 / (high - low);
        if !(high > low && scale < f64::INFINITY) {
            return None;
        }
        let mut bins = [SahBin { sum: Covariance::new((), self.origin), count: 0 }; BINS];
        for (item, &key) in self.items.iter().zip(&self.keys) {
            let bin = &mut bins[bin_index(key, low, scale)];
            bin.sum.add(&item.moments.moments);
            bin.count += 1;
        }
        // Sums from the far end: the primitives behind each cut.
        let mut above = bins;
        for index in (0..BINS - 1).rev() {
            let next = above[index + 1];
            above[index].sum.add(&next.sum.moments);
            above[index].count += next.count;
        }
        let (mut below, mut best) =
            (SahBin { sum: Covariance::new((), self.origin), count: 0 }, None);
        for (place, bin) in bins[..BINS - 1].iter().enumerate() {
            below.sum.add(&bin.sum.moments);
            below.count += bin.count;
            let rest = &above[place + 1];
            if bin.count == 0 || rest.count == 0 {
                continue;
            }
            let sizes =
                Covariance::deviations_of_two((), [&below.sum, &rest.sum]).map(surface_cost);
            let cost = sizes[0] * below.count as f64 + sizes[1] * rest.count as f64;
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, place));
            }
        }
        best.map(|(_, place)| (low, scale, place))
    }

    /// Returns the cost of two halves, by boxes along their principal axes, the node's or the
    /// part's.
    fn cost(&self, first: &[bool]) -> f64 {
        let mut sums = [Covariance::new((), self.origin); 2];
        for (item, &first) in self.items.iter().zip(first) {
            sums[usize::from(!first)].add(&item.moments.moments);
        }
        let spread = Covariance::axes_of_two((), [&sums[0], &sums[1]]);
        let mut cost = 0.0;
        for (half, axes) in spread.into_iter().enumerate() {
            let mut ends = [AxisBounds::EMPTY; 3];
            let mut count = 0.0;
            for (item, _) in
                self.items.iter().zip(first).filter(|&(_, &first)| usize::from(!first) == half)
            {
                count += 1.0;
                for &corner in &item.corners {
                    ends[0].add(rotate_back(&axes, corner));
                    ends[1].add(rotate_back(&self.axes, corner));
                    ends[2].add(corner);
                }
            }
            let least = ends.map(|ends| surface_cost(sub(ends.high, ends.low)));
            cost += count * least[0].min(least[1]).min(least[2]);
        }
        cost
    }
}

fn bin_index(key: f64, low: f64, scale: f64) -> usize {
    (((key - low) * scale) as usize).min(BINS - 1)
}
