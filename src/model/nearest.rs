//! How far apart the parts of a model are that may touch, from poses alone; and the order in which pairs of parts are looked at.

use std::cmp::Ordering;

use super::masks::near;
use super::precompiled::SelfApart;
use super::rows::{Block, Single};
use super::{Model, PartId, Placed, SelfQueryScratch};
use crate::error::Error;
use crate::num::{Scalar, SimdLevel};
use crate::pair::ClosestPoints;
use crate::shape::{Aabb, Placement, Pose};
use crate::tree::{Accuracy, Counts, NodeId, ObbTree, Report, check_distance, roots_beyond};

/// A node of the tree of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartNode {
    /// Which part.
    pub part: PartId,
    /// Which node of its tree.
    pub node: NodeId,
}

impl<T: Scalar> Model<T> {
    /// Where two parts are closest that the rules do not ignore and whose groups meet, each part placed by its pose (part to world):
    /// how far a robot is from itself. `None` if all are further apart than `max_distance`, up to rounding, which may be infinite, or there
    /// are no such parts. Of pairs equally far apart the one whose world boxes are nearer, then the first.
    ///
    /// Zero where two touch or overlap: at [`Accuracy::Exact`] wherever they [do](Model::self_intersects), else where their boxes do. Each two
    /// as [`TreePair::distance`](crate::tree::TreePair::distance) has it, which says what the distance may be off; [`ClosestPoints::slack`] is how
    /// much further apart the geometry can be.
    ///
    /// # Errors
    /// As [`Model::self_intersects`]; [`Error::BadQuery`] for a budget, [`Error::NotFinite`] and [`Error::Negative`] for the cut-off.
    pub fn self_distance(
        &self,
        poses: &[Pose<T>],
        accuracy: Accuracy,
        max_distance: f64,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, PartNode>>, Error> {
        T::precompiled(SelfApart { accuracy, max_distance }, (self, poses, scratch))
    }

    pub(super) fn closest_two(
        &self,
        poses: &[Pose<T>],
        SelfApart { accuracy, max_distance }: SelfApart,
        scratch: &mut SelfQueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, PartNode>>, Error> {
        let SelfQueryScratch { boxes, ranked, tree, report, .. } = scratch;
        (*report, tree.counts) = (Report::default(), Counts::default());
        let exact = |tree: &ObbTree<T>, pose: &Pose<T>| Placed::new(Some(tree), pose).bounds;
        self.check_part_poses(poses)?;
        check_distance(accuracy, max_distance)?;
        self.place_boxes(poses, exact, boxes);
        let mut compared = 0;
        let pairs = Placing { model: self, boxes };
        let found =
            nearest(&pairs, max_distance, (ranked, &mut compared), |&pair, max_distance| {
                let place = |part: PartId| Placement::new(&poses[part.index()]);
                let (a, b) = (place(pair.0), place(pair.1));
                let roots = [(self.tree(pair.0), &a), (self.tree(pair.1), &b)];
                if max_distance < f64::INFINITY
                    && roots_beyond(roots, (accuracy, max_distance), &mut tree.counts)
                {
                    return None;
                }
                self.trees(pair, poses).distance_checked(accuracy, max_distance, tree)
            });
        tree.counts.parts = compared;
        report.counts = tree.counts;
        let found = found.map(|((a, b), found)| {
            let named = |part, node| PartNode { part, node };
            found.between(named(a, found.a), named(b, found.b))
        });
        report.slack = found.map_or(T::zero(), |found| found.slack);
        Ok(found)
    }
}

/// Parts of one model: pairs that the rules do not ignore and whose groups meet.
struct Placing<'a, T: Scalar> {
    model: &'a Model<T>,
    boxes: &'a [Aabb<T, 3>],
}

impl<T: Scalar> Gaps for Placing<'_, T> {
    type Pair = (PartId, PartId);

    #[inline(always)]
    fn each(&self, most: f64, mut tell: impl FnMut(Ranked<Self::Pair>) -> f64) -> u64 {
        let (mut most, mut compared) = (Most::new(most), 0);
        for (i, a) in self.boxes.iter().enumerate().filter(|(_, a)| !a.is_empty()) {
            self.model.each_later(i, |j| {
                let (b, pair) = (&self.boxes[j], (PartId::new(i), PartId::new(j)));
                compared += 1;
                if !most.are_beyond(a, b)
                    && let Some(least) = most.holds(a, b)
                    && !b.is_empty()
                    && self.model.meet(pair)
                {
                    most = Most::new(tell(Ranked { least, pair }));
                }
            });
        }
        compared
    }
}

/// Pairs of parts, by how far apart their world boxes are.
pub(crate) trait Gaps {
    /// Equally near ones come in its order.
    type Pair: Copy + Ord;

    /// Tells of the pairs whose boxes are no further apart than that, in any order; the answer is the most from then on. Returns how many
    /// pairs of boxes were compared.
    fn each(&self, most: f64, tell: impl FnMut(Ranked<Self::Pair>) -> f64) -> u64;
}

/// Two parts whose world boxes are that far apart. World units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ranked<P> {
    pub least: f64,
    pub pair: P,
}

impl<P: Ord> Ranked<P> {
    /// The nearest first; of equally near ones the first.
    fn order(&self, other: &Self) -> Ordering {
        self.least.total_cmp(&other.least).then_with(|| self.pair.cmp(&other.pair))
    }
}

/// The closest of some pairs, each looked at with what is still of interest as cut-off, the nearest boxes first, until none can be closer.
/// Adds up how many pairs of boxes were compared; what is left in `ranked` means nothing.
pub(crate) fn nearest<G: Gaps, T: Scalar>(
    pairs: &G,
    max_distance: f64,
    (ranked, compared): (&mut Vec<Ranked<G::Pair>>, &mut u64),
    mut look: impl FnMut(&G::Pair, f64) -> Option<ClosestPoints<T, NodeId>>,
) -> Option<(G::Pair, ClosestPoints<T, NodeId>)> {
    let mut first: Option<Ranked<G::Pair>> = None;
    *compared += pairs.each(max_distance, |one| {
        let nearest = first.filter(|first| first.order(&one).is_lt()).unwrap_or(one);
        first = Some(nearest);
        nearest.least
    });
    let first = first?.pair;
    let mut best = look(&first, max_distance).map(|found| (first, found));
    // Few boxes are as near as what was found: the others need no sorting.
    let most = best.map_or(max_distance, |(_, found)| found.distance.wide().min(max_distance));
    if most == 0.0 && best.is_some() {
        return best;
    }
    ranked.clear();
    *compared += pairs.each(most, |one| {
        if one.pair != first {
            ranked.push(one);
        }
        most
    });
    ranked.sort_unstable_by(Ranked::order);
    for Ranked { least, pair } in ranked {
        let max_distance = best.map_or(max_distance, |(_, best)| best.distance.wide());
        if *least > max_distance || max_distance == 0.0 && best.is_some() {
            break;
        }
        if let Some(found) = look(pair, max_distance)
            && best.is_none_or(|(_, best)| found.distance < best.distance)
        {
            best = Some((*pair, found));
        }
    }
    best
}

/// How far apart boxes may be. World units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Most<T> {
    most: f64,
    /// A box whose squared distance is more than this, by the arithmetic of `T`, is further away.
    squared: T,
    /// The same in single precision.
    single: f32,
}

impl<T: Scalar> Most<T> {
    pub fn new(most: f64) -> Self {
        // Two products, two sums and a difference are rounded, each by less than `2^-23`.
        let squared = most * most * (1.0 + 1.0 / (1 << 18) as f64);
        Most { most, squared: T::at_least(squared), single: f32::at_least(squared) }
    }

    /// [`at_least`] of the boxes, if it is no more.
    #[inline(always)]
    pub fn holds(&self, a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> Option<f64> {
        let least = at_least(a, b);
        if least <= self.most { Some(least) } else { None }
    }

    /// Whether the boxes are further apart: told without a root, and without double precision, of most that are.
    #[inline(always)]
    pub fn are_beyond(&self, a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> bool {
        let ([p, q, r], [x, y, z]): ([T; 3], [T; 3]) = (a.min.coords.into(), a.max.coords.into());
        let ([i, j, k], [u, v, w]): ([T; 3], [T; 3]) = (b.min.coords.into(), b.max.coords.into());
        let (x, y, z) = (gap(p, u, i, x), gap(q, v, j, y), gap(r, w, k, z));
        x * x + y * y + z * z > self.squared
    }

    /// A bit for each of at most 64 parts whose boxes may be as near as that.
    #[inline]
    pub fn near(&self, one: &Aabb<T, 3>, others: &[Placed<T>]) -> u64 {
        let mut bits = 0;
        for (bit, other) in others.iter().enumerate() {
            bits |= u64::from(!self.are_beyond(one, &other.bounds)) << (bit % 64);
        }
        bits
    }

    /// The same of boxes in single precision that hold theirs, side by side.
    #[inline]
    pub fn near_in(&self, level: SimdLevel, one: Single, others: (&[Block], usize)) -> u64 {
        near(level, one, others, self.single)
    }
}

/// No two points of the boxes are closer, surely.
fn at_least<T: Scalar>(a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> f64 {
    let gap = |i: usize| gap(a.min[i].wide(), b.max[i].wide(), b.min[i].wide(), a.max[i].wide());
    let (x, y, z) = (gap(0), gap(1), gap(2));
    (x * x + y * y + z * z).sqrt() * (1.0 - 1.0 / (1u64 << 48) as f64)
}

/// Along a coordinate how far one that begins at `a` and ends at `d` is from one that begins at `c` and ends at `b`.
#[inline(always)]
fn gap<T: Scalar>(a: T, b: T, c: T, d: T) -> T {
    let (above, below) = (a - b, c - d);
    let most = if below > above { below } else { above };
    if most > T::zero() { most } else { T::zero() }
}
