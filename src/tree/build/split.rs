//! Where a node is cut in two, top-down.

use std::cmp::Ordering;

use super::primitive::Primitive;
use super::{Build, Split};
use crate::num::Scalar;
use crate::num::linear::dot;
use crate::shape::Obb;

/// Nodes of at most so many leaves are cut so that leaves are full. More: fewer leaves yet, and cuts further from where
/// they belong.
const LEAVES: usize = 16;

/// Where the centroid of a primitive lies along the axis, and its place in the node.
type Keyed = (f64, u32);

/// Parts primitives in two; what it works in is kept from node to node.
pub(super) struct Splitter<S, const N: usize> {
    build: Build,
    keyed: Vec<Keyed>,
    /// Which go to the first half, by place.
    lower: Vec<bool>,
    upper: Vec<Primitive<S, N>>,
}

impl<S: Scalar, const N: usize> Splitter<S, N> {
    pub fn new(build: &Build) -> Self {
        Splitter { build: *build, keyed: Vec::new(), lower: Vec::new(), upper: Vec::new() }
    }

    /// Parts the primitives in two across the first axis of `oriented`, longest first, on which their centroids
    /// differ; `None` if they differ on none. In each half they stay in order.
    pub fn halves<T: Scalar>(
        &mut self,
        oriented: &Obb<T>,
        primitives: &mut [Primitive<S, N>],
    ) -> Option<usize> {
        let wide = oriented.wide();
        let half = wide.half_extents;
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| half[j].total_cmp(&half[i]).then(i.cmp(&j)));
        for axis in axes {
            let along = |p: &Primitive<S, N>| dot(wide.axes[axis], p.centroid());
            self.keyed.clear();
            self.keyed.extend(primitives.iter().map(along).zip(0..));
            let first = self.keyed[0].0;
            if self.keyed.iter().any(|&(key, _)| key != first) {
                self.choose(primitives);
                return Some(self.part(primitives));
            }
        }
        None
    }

    /// Says which go to the first half.
    fn choose(&mut self, primitives: &[Primitive<S, N>]) {
        let count = primitives.len();
        let middle = match self.build.split {
            Split::AreaMedian => half_the_surface(primitives, &mut self.keyed),
            Split::Median | Split::BottomUp => count / 2,
            Split::Mean => {
                let mean = self.keyed.iter().map(|&(key, _)| key).sum::<f64>() / count as f64;
                self.lower.clear();
                self.lower.extend(self.keyed.iter().map(|&(key, _)| key < mean));
                match self.lower.iter().filter(|&&lower| lower).count() {
                    below if below == self.full(below, count) => return,
                    below => below,
                }
            }
        };
        let middle = self.full(middle, count);
        self.keyed.select_nth_unstable_by(middle, in_order);
        self.lower.clear();
        self.lower.resize(count, false);
        self.keyed[..middle].iter().for_each(|&(_, place)| self.lower[place as usize] = true);
    }

    /// The place nearest to `middle` that leaves neither half empty (where it does, the median) and near the leaves takes
    /// no more of them than need be.
    fn full(&self, middle: usize, count: usize) -> usize {
        let middle = if middle == 0 || middle == count { count / 2 } else { middle };
        let leaf = self.build.leaf_primitives.max(1);
        if leaf == 1 || count > LEAVES.saturating_mul(leaf) {
            return middle;
        }
        let fits = |first: &usize| {
            first.div_ceil(leaf) + (count - first).div_ceil(leaf) == count.div_ceil(leaf)
        };
        (1..count).filter(fits).min_by_key(|first| first.abs_diff(middle)).unwrap_or(middle)
    }

    /// Moves the first half to the front and says how many they are.
    fn part(&mut self, primitives: &mut [Primitive<S, N>]) -> usize {
        self.upper.clear();
        let mut first = 0;
        for place in 0..primitives.len() {
            let primitive = primitives[place];
            if self.lower[place] {
                primitives[first] = primitive;
                first += 1;
            } else {
                self.upper.push(primitive);
            }
        }
        primitives[first..].copy_from_slice(&self.upper);
        first
    }
}

/// The order is total, so the halves are the same sets whatever a sort or selection does inside.
fn in_order(a: &Keyed, b: &Keyed) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// The first half ends where it has half of the surface or more, but leaves something.
fn half_the_surface<S: Scalar, const N: usize>(
    primitives: &[Primitive<S, N>],
    keyed: &mut [Keyed],
) -> usize {
    keyed.sort_unstable_by(in_order);
    let surface = |&(_, place): &Keyed| primitives[place as usize].surface;
    let whole: f64 = keyed.iter().map(surface).sum();
    if whole <= 0.0 {
        return keyed.len() / 2;
    }
    let mut sum = 0.0;
    let reaches = |keyed: &Keyed| {
        sum += surface(keyed);
        sum >= 0.5 * whole
    };
    let last = keyed.iter().position(reaches).unwrap_or(0);
    (last + 1).min(keyed.len() - 1)
}
