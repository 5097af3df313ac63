//! The pairs of parts of two characters, or of one, whose boxes are near each other: the candidates
//! of a snapshot, and those of a motion, whose boxes contain the tick.

use crate::broad_phase::{BlockOverlaps, Nearness};
use crate::model::{MarginRequest, PartId};
use crate::narrow_phase::Candidate;
use crate::num::{Scalar, set_bits};
use crate::scene::Snapshot;
use crate::scene::filter::pair_filter::PairFilter;

impl<T: Scalar> Snapshot<'_, T> {
    /// Calls `visit` with each pair of parts of two characters that a filter accepts and whose
    /// boxes are no further apart than the margin, and with what `prepare` returns for the first
    /// part. `drop_pairs` may drop some of the pairs of up to 64 parts of the first
    /// character: it gets the position of the first of these among the boxes. Returns the number
    /// of comparisons.
    #[inline(always)]
    pub(in crate::scene) fn visit_part_pairs<P>(
        &self,
        (filter, margin): (&PairFilter<'_, T>, f64),
        near: &mut Vec<BlockOverlaps>,
        mut drop_pairs: impl FnMut(usize, &mut [BlockOverlaps]) -> usize,
        prepare: impl Fn(PartId) -> P,
        mut visit: impl FnMut(&P, Candidate),
    ) -> u64 {
        let (buffers, mut compared) = (self.buffers, 0);
        let [one, other] = filter.indices.map(|index| &buffers.entries[index as usize]);
        let [model_a, model_b] = filter.characters.map(|character| &character.model);
        let around = ([one.bounds_f32, other.bounds_f32], Nearness::from_margin(margin));
        for (first_a, piece) in one.range.chunks() {
            let ranges = [piece, other.range];
            let (count, tests) = buffers.part_aabbs.find_near(buffers.simd, ranges, around, near);
            compared += tests;
            let count = drop_pairs(first_a, &mut near[..count]);
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

    /// Like [`Snapshot::visit_part_pairs`], for the pairs of one character.
    #[inline(always)]
    pub(in crate::scene) fn visit_own_pairs(
        &self,
        (filter, margin): (&PairFilter<'_, T>, MarginRequest),
        near: &mut Vec<(PartId, PartId)>,
        visit: impl FnMut(Candidate),
    ) -> u64 {
        let (buffers, [index, _]) = (self.buffers, filter.indices);
        let boxes = (&buffers.part_aabbs, buffers.entries[index as usize].range);
        let model = &filter.characters[0].model;
        let compared = model.self_overlaps(buffers.simd, (boxes, margin), near);
        near.iter().filter_map(|&(a, b)| filter.candidate(a, b)).for_each(visit);
        compared
    }
}
