//! Where a node is cut in two, top-down.

use std::cmp::Ordering;

use super::growing::Pages;
use super::primitives::Primitives;
use super::{Build, Split};
use crate::num::doubles::{Doubles, Kernel};
use crate::num::linear::{Vec3, dot, splat};
use crate::num::{Level, Scalar};
use crate::tree::Node;

/// Nodes of at most so many leaves are cut so that leaves are full. More: fewer leaves yet, and cuts further from where
/// they belong.
const LEAVES: usize = 16;

/// Where the centroid of a primitive lies along the axis, and its place in the node.
type Keyed = (f64, u32);

/// Parts primitives in two; what it works in is kept from node to node.
pub(super) struct Splitter {
    build: Build,
    level: Level,
    /// Where the centroids lie along the axis.
    keys: Vec<f64>,
    keyed: Vec<Keyed>,
    /// Which go to the first half, by place.
    lower: Vec<bool>,
    /// The places, those of the first half first.
    order: Vec<u32>,
}

impl Splitter {
    pub fn new(build: &Build) -> Self {
        Splitter {
            build: *build,
            level: Level::best(),
            keys: Vec::new(),
            keyed: Vec::new(),
            lower: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Parts the primitives of a node in two across the first axis of its oriented box, longest first, on which their
    /// centroids differ, and says how many the first half are; `None` if they differ on none. In each half they stay in
    /// order.
    pub fn halves<T: Scalar, S: Scalar, const N: usize>(
        &mut self,
        node: &Node<T>,
        pages: &mut Pages<S, N>,
    ) -> Option<usize> {
        let (wide, range, primitives) = (node.oriented.wide(), node.range(), &pages.now);
        let half = wide.half_extents;
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| half[j].total_cmp(&half[i]).then(i.cmp(&j)));
        for axis in axes {
            self.keys.clear();
            self.keys.resize(range.len(), 0.0);
            let (axis, heights) = (wide.axes[axis], &mut self.keys[..]);
            self.level.run_doubles(Heights { primitives, first: range.start, axis, heights });
            if self.keys.iter().any(|&key| key != self.keys[0]) {
                self.choose(&primitives.surface[range.clone()]);
                let first = self.part();
                primitives.reorder(range, &self.order, &mut pages.next);
                return Some(first);
            }
        }
        None
    }

    /// Says which go to the first half.
    fn choose(&mut self, surfaces: &[f64]) {
        let count = self.keys.len();
        let middle = match self.build.split {
            Split::AreaMedian => half_the_surface(&self.keys, surfaces),
            Split::Median | Split::BottomUp => count / 2,
            Split::Mean => {
                let mean = self.keys.iter().sum::<f64>() / count as f64;
                self.lower.clear();
                self.lower.extend(self.keys.iter().map(|&key| key < mean));
                match self.lower.iter().filter(|&&lower| lower).count() {
                    below if below == self.full(below, count) => return,
                    below => below,
                }
            }
        };
        let middle = self.full(middle, count);
        self.keyed.clear();
        self.keyed.extend(self.keys.iter().copied().zip(0..));
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
        let fits = |first: usize| {
            first.div_ceil(leaf) + (count - first).div_ceil(leaf) == count.div_ceil(leaf)
        };
        let near = (0..count).flat_map(|off| [middle.checked_sub(off), Some(middle + off)]);
        let inside = near.flatten().filter(|&first| first > 0 && first < count);
        inside.into_iter().find(|&first| fits(first)).unwrap_or(middle)
    }

    /// Puts the places of the first half to the front and says how many they are.
    fn part(&mut self) -> usize {
        let first = self.lower.iter().filter(|&&lower| lower).count();
        self.order.clear();
        self.order.resize(self.lower.len(), 0);
        let (mut below, mut above) = (0, first);
        for (place, &lower) in (0..).zip(&self.lower) {
            // Without a branch: which way it goes can not be foretold.
            self.order[if lower { below } else { above }] = place;
            below += usize::from(lower);
            above += usize::from(!lower);
        }
        first
    }
}

/// Where the centroids of a range of primitives lie along an axis.
struct Heights<'a, S, const N: usize> {
    primitives: &'a Primitives<S, N>,
    first: usize,
    axis: Vec3,
    heights: &'a mut [f64],
}

impl<S: Scalar, const N: usize> Kernel for Heights<'_, S, N> {
    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let (start, whole) = (self.first, self.heights.len() / D::LEN * D::LEN);
        let (several, rest) = self.heights.split_at_mut(whole);
        for (at, heights) in several.chunks_exact_mut(D::LEN).enumerate() {
            height::<D, S, N>(token, self.primitives, start + at * D::LEN, self.axis)
                .store(heights);
        }
        for (at, height) in rest.iter_mut().enumerate() {
            *height = self::height::<f64, S, N>((), self.primitives, start + whole + at, self.axis);
        }
    }
}

#[inline(always)]
fn height<D: Doubles, S: Scalar, const N: usize>(
    token: D::Token,
    primitives: &Primitives<S, N>,
    from: usize,
    axis: Vec3,
) -> D {
    dot(splat(token, axis), primitives.centroids(token, from))
}

/// The order is total, so the halves are the same sets whatever a sort or selection does inside.
fn in_order(a: &Keyed, b: &Keyed) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// The first half ends where it has half of the surface or more, but leaves something.
fn half_the_surface(keys: &[f64], surfaces: &[f64]) -> usize {
    let mut keyed: Vec<Keyed> = keys.iter().copied().zip(0..).collect();
    keyed.sort_unstable_by(in_order);
    let surface = |&(_, place): &Keyed| surfaces[place as usize];
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
