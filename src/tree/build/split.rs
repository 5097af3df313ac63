//! Top-down splits of nodes.

use std::ops::Range;

use super::node_builder::PrimitiveBuffers;
use super::primitives::{PrimitiveSlice, Primitives, centroid};
use super::sah::SahSplitter;
use super::{Build, Split};
use crate::num::linear::{Vec3, dot, splat};
use crate::num::simd::{DoubleKernel, Doubles};
use crate::num::sorting::{KeyedIndex, compare_by_value, insertion_sort, sort_by_value};
use crate::num::{Scalar, SimdLevel};
use crate::shape::WideObb;
use crate::tree::Node;

/// Nodes of at most this many leaves are split so that leaves are full. More: fewer leaves, and
/// splits further from their best position.
const MAX_FILLED_LEAVES: usize = 16;

/// Splits the primitives of nodes; its buffers are reused.
pub(super) struct Splitter {
    build: Build,
    simd: SimdLevel,
    /// Coordinates of the centroids along the axis.
    keys: Vec<f64>,
    keyed: Vec<KeyedIndex>,
    /// Indices, those of the first half first.
    indices: Vec<u32>,
    /// Indices of the second half.
    second_half: Vec<u32>,
}

impl Splitter {
    pub fn new(build: &Build) -> Self {
        Splitter {
            build: *build,
            simd: SimdLevel::best(),
            keys: Vec::new(),
            keyed: Vec::new(),
            indices: Vec::new(),
            second_half: Vec::new(),
        }
    }

    /// Splits the primitives of a node, at least two, and returns the size of the first half. The
    /// split is across the first axis of its oriented box, longest first, along which the centroids
    /// differ, or by index if they differ along none. Each half keeps its order.
    pub fn split_node<T: Scalar, S: Scalar, const N: usize>(
        &mut self,
        depth: usize,
        node: &Node<T>,
        buffers: &mut PrimitiveBuffers<S, N>,
    ) -> usize {
        let (wide, range, primitives) =
            (node.oriented.wide(), node.primitive_range(), &buffers.current);
        let (build, count) = (self.build, range.len());
        let first = self
            .split_by_surface(primitives, range.clone(), &wide)
            .filter(|&first| build.fits_depth(depth, [first, count - first]))
            .or_else(|| self.split_by_centroid(depth, (primitives, range.clone()), &wide))
            .unwrap_or_else(|| self.split_by_index(count));
        primitives.permute_range(range, &self.indices, &mut buffers.next);
        first
    }

    /// Moves the indices of the first half to the front, across the first axis along which
    /// centroids differ; returns their number, or `None` if they differ along none.
    fn split_by_centroid<S: Scalar, const N: usize>(
        &mut self,
        depth: usize,
        (primitives, range): (&Primitives<S, N>, Range<usize>),
        solid: &WideObb,
    ) -> Option<usize> {
        let (half, count) = (solid.half_extents, range.len());
        let mut axes = [0, 1, 2];
        insertion_sort(&mut axes, |&i: &usize, &j| half[j].total_cmp(&half[i]));
        // Old contents are overwritten.
        self.keys.resize(count, 0.0);
        for axis in axes {
            let (rows, axis) = (primitives.slice(range.clone()), solid.axes[axis]);
            let (mut sum, keys) = (0.0, &mut self.keys[..]);
            self.simd.run_doubles(CentroidKeyKernel { rows, axis, keys, sum: &mut sum });
            if self.keys.iter().any(|&key| key != self.keys[0]) {
                let first = self.split_by_rule(sum, &primitives.surface[range]);
                // Uneven splits that would make the tree too deep are replaced by the median.
                return Some(match self.build.fits_depth(depth, [first, count - first]) {
                    true => first,
                    false => self.split_at(self.fitted_split(count / 2, count)),
                });
            }
        }
        None
    }

    /// Leaves all indices in order, for a split in the middle; returns the size of the first half.
    fn split_by_index(&mut self, count: usize) -> usize {
        self.indices.clear();
        self.indices.extend(0..count as u32);
        self.fitted_split(count / 2, count)
    }

    /// Moves the indices of the first half by the surface area heuristic to the front; returns
    /// their number, or `None` if another rule applies.
    fn split_by_surface<S: Scalar, const N: usize>(
        &mut self,
        primitives: &Primitives<S, N>,
        range: Range<usize>,
        solid: &WideObb,
    ) -> Option<usize> {
        if self.build.split != Split::Sah || self.is_near_leaves(range.len()) {
            return None;
        }
        let first = SahSplitter::new(primitives, range, solid).best_split()?;
        self.keys.clear();
        self.keys.resize(first.len(), 0.0);
        Some(self.partition_indices(|place, _| first[place as usize]))
    }

    /// Moves the indices of the first half to the front, given the sum of the keys; returns their
    /// number.
    fn split_by_rule(&mut self, sum: f64, surfaces: &[f64]) -> usize {
        let count = self.keys.len();
        let middle = match self.build.split {
            Split::AreaMedian => area_median(&self.keys, surfaces),
            Split::Median | Split::BottomUp => count / 2,
            Split::Mean | Split::Sah => {
                let mean = sum / count as f64;
                match self.partition_indices(|_, key| key < mean) {
                    below if below == self.fitted_split(below, count) => return below,
                    below => below,
                }
            }
        };
        self.split_at(self.fitted_split(middle, count))
    }

    /// Moves the `middle` indices with the least keys, of equal ones the first, to the front;
    /// returns their number.
    fn split_at(&mut self, middle: usize) -> usize {
        let mut keyed = std::mem::take(&mut self.keyed);
        keyed.clear();
        keyed.extend(self.keys.iter().copied().zip(0..));
        let (_, &mut least, _) = keyed.select_nth_unstable_by(middle, compare_by_value);
        self.keyed = keyed;
        self.partition_indices(|place, key| compare_by_value(&(key, place), &least).is_lt())
    }

    /// Stably partitions the indices by `lower`; returns the number for which it is `true`.
    fn partition_indices(&mut self, lower: impl Fn(u32, f64) -> bool) -> usize {
        let count = self.keys.len();
        self.indices.resize(count, 0);
        self.second_half.resize(count, 0);
        let (mut below, mut above) = (0, 0);
        for (index, &key) in (0..).zip(&self.keys) {
            // Both are written: the result cannot be predicted, and a branch would cost more.
            (self.indices[below], self.second_half[above]) = (index, index);
            let is_lower = lower(index, key);
            below += usize::from(is_lower);
            above += usize::from(!is_lower);
        }
        self.indices[below..].copy_from_slice(&self.second_half[..above]);
        below
    }

    /// Returns `true` if so few primitives are split so that leaves are full.
    fn is_near_leaves(&self, count: usize) -> bool {
        let leaf = self.build.leaf_primitives.max(1);
        leaf > 1 && count <= MAX_FILLED_LEAVES.saturating_mul(leaf)
    }

    /// Returns the split nearest to `middle` that leaves neither half empty (else the median) and,
    /// near the leaves, needs no more leaves than necessary.
    fn fitted_split(&self, middle: usize, count: usize) -> usize {
        let middle = if middle == 0 || middle == count { count / 2 } else { middle };
        let leaf = self.build.leaf_primitives.max(1);
        if !self.is_near_leaves(count) {
            return middle;
        }
        let leaves = count.div_ceil(leaf);
        let fits = |first: usize| {
            let is_inside = first > 0 && first < count;
            is_inside && first.div_ceil(leaf) + (count - first).div_ceil(leaf) == leaves
        };
        for off in 0..count {
            // The smaller first half wins a tie; zero does not fit.
            for first in [middle.saturating_sub(off), middle + off] {
                if fits(first) {
                    return first;
                }
            }
        }
        middle
    }
}

/// Kernel that projects the centroids of primitives on an axis.
struct CentroidKeyKernel<'a, S, const N: usize> {
    rows: PrimitiveSlice<'a, S, N>,
    axis: Vec3,
    keys: &'a mut [f64],
    /// Sum of the coordinates, added in order.
    sum: &'a mut f64,
}

impl<S: Scalar, const N: usize> DoubleKernel for CentroidKeyKernel<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let CentroidKeyKernel { rows, axis, keys, sum } = self;
        let (axes, whole) = (splat(token, axis), keys.len() / D::LEN * D::LEN);
        let rows = rows.first(keys.len());
        for from in (0..whole).step_by(D::LEN) {
            let key = dot(axes, centroid(token, rows.load::<D>(token, from)));
            key.store(&mut keys[from..]);
            keys[from..from + D::LEN].iter().for_each(|key| *sum += key);
        }
        for (from, key) in keys.iter_mut().enumerate().skip(whole) {
            *key = dot(axis, centroid((), rows.load((), from)));
            *sum += *key;
        }
    }
}

/// Returns the size of the first half of a split at half of the surface; neither half is empty.
fn area_median(keys: &[f64], surfaces: &[f64]) -> usize {
    let mut keyed: Vec<KeyedIndex> = keys.iter().copied().zip(0..).collect();
    sort_by_value(&mut keyed);
    let surface = |&(_, place): &KeyedIndex| surfaces[place as usize];
    let whole: f64 = keyed.iter().map(surface).sum();
    if whole <= 0.0 {
        return keyed.len() / 2;
    }
    let mut sum = 0.0;
    let reaches = |keyed: &KeyedIndex| {
        sum += surface(keyed);
        sum >= 0.5 * whole
    };
    let last = keyed.iter().position(reaches).unwrap_or(0);
    (last + 1).min(keyed.len() - 1)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SimdLevel;

    pub fn every_level_finds_the_same_heights() {
        let row: Vec<f32> = (0..29).map(|i| ((i * i * 7919) % 1000) as f32 / 300.0 - 1.7).collect();
        let rows =
            PrimitiveSlice { corners: [[&row[..], &row[..], &row[..]]; 3], surface: &[1.0; 29] };
        let at = |simd: SimdLevel| {
            let (mut keys, mut sum, axis) = (vec![0.0; 29], 0.0, [0.3, -0.4, 0.8]);
            let kernel = CentroidKeyKernel { rows, axis, keys: &mut keys, sum: &mut sum };
            simd.run_doubles(kernel);
            (keys, sum)
        };
        let plain = at(SimdLevel::PLAIN);
        assert_eq!(plain.1, plain.0.iter().sum::<f64>());
        SimdLevel::all().into_iter().for_each(|simd| assert_eq!(at(simd), plain, "{simd}"));
    }

    pub fn leaves_are_filled_as_near_to_the_middle_as_may_be() {
        let full = |leaf_primitives, middle, count| {
            Splitter::new(&Build { leaf_primitives, ..Build::fast() }).fitted_split(middle, count)
        };
        assert_eq!(full(4, 3, 8), 4);
        assert_eq!(full(4, 0, 100), 50);
        assert_eq!(full(4, 17, 65), 17);
        for (leaf, count) in (2..9).flat_map(|leaf| (leaf + 1..40).map(move |count| (leaf, count)))
        {
            for middle in 0..=count {
                let wanted = if middle % count == 0 { count / 2 } else { middle };
                let leaves = |first: &usize| {
                    first.div_ceil(leaf) + (count - first).div_ceil(leaf) == count.div_ceil(leaf)
                };
                let best = (1..count).filter(leaves).min_by_key(|first| first.abs_diff(wanted));
                if count <= MAX_FILLED_LEAVES * leaf {
                    assert_eq!(full(leaf, middle, count), best.unwrap_or(wanted));
                }
            }
        }
    }
}
