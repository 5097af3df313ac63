//! The pairs of parts of two characters, or of one, whose boxes are near each other: the candidates
//! of a snapshot, and those of a motion, whose boxes contain the tick.

use super::hits::PairScratch;
use crate::broad_phase::{BlockOverlaps, Nearness};
use crate::model::{MarginRequest, PartId};
use crate::narrow_phase::Candidate;
use crate::num::{Scalar, set_bits};
use crate::scene::Snapshot;
use crate::scene::filter::pair_filter::PairFilter;

impl<T: Scalar> Snapshot<'_, T> {
    /// Calls `visit` with each pair of parts that a filter accepts and whose boxes are no further
    /// apart than the margin, and with what `prepare` returns for the first part of the pair.
    /// Returns the number of comparisons.
    #[inline(always)]
    pub(in crate::scene) fn visit_part_pairs<P>(
        &self,
        (filter, margin): (&PairFilter<'_, T>, MarginRequest),
        work: &mut PairScratch,
        prepare: impl Fn(PartId) -> P,
        mut visit: impl FnMut(&P, Candidate),
    ) -> u64 {
        let (buffers, [index_a, index_b]) = (self.buffers, filter.indices);
        let [one, other] = filter.indices.map(|index| &buffers.entries[index as usize]);
        let [model_a, model_b] = filter.characters.map(|character| &character.model);
        if index_a == index_b {
            let (boxes, near) = ((&buffers.part_aabbs, one.range), &mut work.self_overlaps);
            let compared = model_a.self_overlaps(buffers.simd, (boxes, margin), near);
            for &(first, second) in near.iter() {
                if let Some(parts) = filter.candidate(first, second) {
                    visit(&prepare(first), parts);
                }
            }
            return compared;
        }
        let (mut compared, near) = (0, &mut work.block_overlaps);
        let around = [one.bounds_f32, other.bounds_f32];
        let around = (around, Nearness::from_margin(margin.margin));
        for (first_a, piece) in one.range.chunks() {
            let ranges = [piece, other.range];
            let (count, tests) = buffers.part_aabbs.find_near(buffers.simd, ranges, around, near);
            compared += tests;
            for &BlockOverlaps { one, first, with } in &near[..count] {
                let slot = first_a + one as usize;
                if !filter.may_contain_first(slot) {
                    continue;
                }
                let part_a = model_a.part_at(slot);
                let prepared = prepare(part_a);
                for lane in set_bits(with.into()) {
                    let part_b = model_b.part_at(first as usize + lane);
                    if let Some(parts) = filter.candidate(part_a, part_b) {
                        visit(&prepared, parts);
                    }
                }
            }
        }
        compared
    }
}
