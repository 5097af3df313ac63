//! Pairs of characters near each other, by sweep and prune.

use super::aabb_list::{Aabb16List, AabbRange};
use super::aabb16::{Aabb16, AabbF32, BLOCK, near_mask};
use super::character_aabb::CharacterAabb;
use super::character_bvh::{CharacterBvh, NearCharactersKernel};
use super::nearness::{NearKernel, Nearness, NearnessDispatch};
use crate::num::counting_sort::PairSort;
use crate::num::simd::Floats;
use crate::num::sorting::sort_nearly_sorted;
use crate::num::{Scalar, SimdLevel};

/// Pairs of characters near each other, and scratch memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct CharacterSweep {
    /// Indices of characters with boxes near each other and not both at rest, the lesser first;
    /// ascending.
    pub pairs: Vec<(u32, u32)>,
    /// Number of boxes compared.
    pub compared: u64,
    /// Start of the box of each moving character along the axis, and the character's index; sorted.
    order: Vec<(f64, u32)>,
    sorting: PairSort,
    boxes: Aabb16List,
    range: AabbRange,
    /// Traversal stack of the BVH over those at rest.
    stack: Vec<u32>,
}

impl CharacterSweep {
    /// Finds all pairs.
    ///
    /// Moving characters are paired by sweep and prune (Baraff 1992) along the coordinate of the
    /// largest spread: with boxes sorted by their start, only those that start before a box ends
    /// can overlap it. A large box is compared with many others, but adds no comparisons to small
    /// ones. Characters at rest are found by their BVH.
    pub fn find<T: Scalar, E: AsRef<CharacterAabb<T>>>(
        &mut self,
        (entries, resting): (&[E], &CharacterBvh),
        simd: SimdLevel,
        near: Nearness,
    ) {
        let axis = spread_axis(entries);
        self.sort_moving(entries, axis);
        let character = |i: u32| self.order[i as usize].1;
        let sorted =
            self.order.iter().map(|&(_, place)| entries[place as usize].as_ref().bounds_f32);
        self.range = self.boxes.fill(sorted);
        let (blocks, len) = (self.boxes.range_blocks(self.range), self.range.len);
        self.pairs.clear();
        let found = &mut self.pairs;
        self.compared =
            simd.run(NearnessDispatch(SweepAndPrune { blocks, len, axis, near, found }));
        let (moving, stack) = (found.len(), &mut self.stack);
        self.compared += simd.run(NearnessDispatch(NearCharactersKernel {
            bvh: resting,
            blocks,
            len,
            near,
            stack,
            found,
        }));
        let mut index = 0;
        // Changed in place: in a dense crowd there are far more pairs than characters.
        self.pairs.retain_mut(|pair| {
            let (a, b) =
                (character(pair.0), if index < moving { character(pair.1) } else { pair.1 });
            index += 1;
            *pair = (a.min(b), a.max(b));
            entries[a as usize].as_ref().is_near(entries[b as usize].as_ref(), near)
        });
        self.sorting.sort(&mut self.pairs, entries.len());
    }

    /// Sorts the moving characters that have a box by the start of the box.
    fn sort_moving<T: Scalar, E: AsRef<CharacterAabb<T>>>(&mut self, entries: &[E], axis: usize) {
        let start = |place: u32| {
            let CharacterAabb { at_rest, bounds, .. } = entries.get(place as usize)?.as_ref();
            (!at_rest && !bounds.is_empty()).then(|| bounds.min[axis].wide())
        };
        let there = (0..entries.len() as u32).filter_map(|place| Some((start(place)?, place)));
        // Reuses the last order, which is nearly sorted. The result is the same: the order is
        // total.
        self.order.retain_mut(|(at, place)| start(*place).map(|begins| *at = begins).is_some());
        if self.order.len() < there.clone().count() {
            self.order.clear();
            self.order.extend(there);
        }
        sort_nearly_sorted(&mut self.order);
    }
}

/// Returns the coordinate along which the centres of moving characters differ most from their mean.
fn spread_axis<T: Scalar, E: AsRef<CharacterAabb<T>>>(entries: &[E]) -> usize {
    let moving = || entries.iter().map(AsRef::as_ref).filter(|entry| !entry.at_rest);
    let boxes = || moving().map(|entry| &entry.bounds).filter(|bounds| !bounds.is_empty());
    let middle = |i: usize| boxes().map(move |b| 0.5 * (b.min[i].wide() + b.max[i].wide()));
    let count = boxes().count().max(1) as f64;
    let spread = [0, 1, 2].map(|i| {
        let mean = middle(i).sum::<f64>() / count;
        middle(i).map(|x| (x - mean).abs()).sum::<f64>()
    });
    (1..3).fold(0, |best, i| if spread[i] > spread[best] { i } else { best })
}

/// Appends a pair for every bit that is set, ascending.
#[inline(always)]
fn push_pairs(found: &mut Vec<(u32, u32)>, one: usize, first: usize, mut bits: u32) {
    while bits != 0 {
        found.push((one as u32, first as u32 + bits.trailing_zeros()));
        bits &= bits - 1;
    }
}

/// Kernel of sweep and prune along a coordinate by which the boxes are sorted, ascending. Writes to
/// `found` the indices of all pairs of near boxes, and returns the number of comparisons.
struct SweepAndPrune<'a> {
    blocks: &'a [Aabb16],
    len: usize,
    axis: usize,
    near: Nearness,
    found: &'a mut Vec<(u32, u32)>,
}

impl NearKernel for SweepAndPrune<'_> {
    type Output = u64;

    #[inline(always)]
    fn nearness(&self) -> Nearness {
        self.near
    }

    #[inline(always)]
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> u64 {
        let SweepAndPrune { blocks, len, axis, near: nearness, found } = self;
        let mut compared = 0;
        for i in 0..len {
            let one = AabbF32::from_block(&blocks[i / BLOCK], i);
            // The boxes after this one, in its own block.
            let mut after = !1 << (i % BLOCK);
            for (j, others) in blocks.iter().enumerate().skip(i / BLOCK) {
                if others[axis][0] - one.0[axis + 3] > nearness.margin {
                    break;
                }
                compared += BLOCK as u64;
                let with = near_mask::<L, APART>(token, nearness, one, others);
                push_pairs(found, i, j * BLOCK, with & after);
                after = u32::MAX;
            }
        }
        compared
    }
}
