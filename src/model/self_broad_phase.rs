//! Broad phase within one model: finds the parts whose world boxes overlap, many at a time.

use super::pair_rules::MarginRequest;
use super::tested_pairs::TestedPairs;
use super::{Model, PartId};
use crate::broad_phase::{
    Aabb16, Aabb16List, AabbF32, AabbRange, BLOCK, MASK_BITS, MASK_BLOCKS, NearKernel, Nearness,
    NearnessDispatch, near_mask,
};
use crate::num::simd::Floats;
use crate::num::{Scalar, SimdLevel};

impl<T: Scalar> Model<T> {
    /// Writes to `found` all pairs of parts that the rules do not ignore and whose world boxes
    /// overlap or are within the margin, ascending; returns the number of boxes compared.
    pub(crate) fn self_overlaps(
        &self,
        simd: SimdLevel,
        ((list, range), asked): ((&Aabb16List, AabbRange), MarginRequest),
        found: &mut Vec<(PartId, PartId)>,
    ) -> u64 {
        found.clear();
        let (rules, tested) = (&self.rules, &self.tested_pairs);
        let most = rules.max_margin_for(asked);
        let (blocks, above) = (list.range_blocks(range), list.summary_blocks(range));
        let nearness = Nearness::from_margin(most);
        let own = SelfOverlapKernel { blocks, above, len: range.len, tested, nearness, found };
        let compared = simd.run(NearnessDispatch(own));
        if asked.use_model_margins && most > 0.0 && rules.has_margins() {
            let one =
                |place: PartId| AabbF32::from_block(&blocks[place.index() / BLOCK], place.index());
            found.retain(|&(a, b)| match rules.margin(self.parts_at((a, b)), asked) {
                margin if margin == most => true,
                margin => one(a).is_near(one(b), Nearness::from_margin(margin)),
            });
        }
        if !self.order.is_empty() {
            found.iter_mut().for_each(|pair| *pair = self.parts_at(*pair));
        }
        if !found.is_sorted() {
            found.sort_unstable();
        }
        compared
    }

    /// The parts at two slots, the lesser first.
    #[inline]
    pub(super) fn parts_at(&self, (a, b): (PartId, PartId)) -> (PartId, PartId) {
        let (a, b) = (self.part_at(a.index()), self.part_at(b.index()));
        if a < b { (a, b) } else { (b, a) }
    }
}

struct SelfOverlapKernel<'a> {
    blocks: &'a [Aabb16],
    /// A box around each block, if there are many blocks.
    above: &'a [Aabb16],
    len: usize,
    tested: &'a TestedPairs,
    nearness: Nearness,
    /// Pairs of slots.
    found: &'a mut Vec<(PartId, PartId)>,
}

impl NearKernel for SelfOverlapKernel<'_> {
    type Output = u64;

    #[inline(always)]
    fn nearness(&self) -> Nearness {
        self.nearness
    }

    #[inline(always)]
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> u64 {
        let SelfOverlapKernel { blocks, above, len, tested, nearness, found } = self;
        let mut compared = 0;
        for (word, of_word) in blocks.chunks(MASK_BLOCKS).enumerate() {
            let around = above.get(word * MASK_BLOCKS / BLOCK);
            for slot in 0..len.min((word + 1) * MASK_BITS) {
                let asked = tested.later_mask(slot, word);
                if asked == 0 {
                    continue;
                }
                let one = AabbF32::from_block(&blocks[slot / BLOCK], slot);
                let mut close = u32::MAX;
                if let Some(around) = around {
                    compared += BLOCK as u64;
                    close = near_mask::<L, APART>(token, nearness, one, around)
                        >> (word * MASK_BLOCKS % BLOCK);
                }
                let (mut beside, first) = (0, (slot / BLOCK).saturating_sub(word * MASK_BLOCKS));
                for (j, block) in of_word.iter().enumerate().skip(first) {
                    if close >> j & 1 == 1 {
                        compared += BLOCK as u64;
                        let with = near_mask::<L, APART>(token, nearness, one, block);
                        beside |= u64::from(with) << (j * BLOCK);
                    }
                }
                let mut left = beside & asked;
                while left != 0 {
                    let other = word * MASK_BITS + left.trailing_zeros() as usize;
                    found.push((PartId::new(slot), PartId::new(other)));
                    left &= left - 1;
                }
            }
        }
        compared
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::Isometry3;

    use super::*;
    use crate::broad_phase::write_boxes;
    use crate::num::SplitMix64;
    use crate::tree::{Build, Geometry};

    /// A model of parts without geometry at random positions, with some ignored pairs.
    fn model(chance: &mut SplitMix64, parts: usize) -> std::sync::Arc<Model<f32>> {
        let mut builder = Model::builder();
        for part in 0..parts {
            let [x, y, z] = chance.point(4.0).map(|x| x as f32);
            let none = builder.part(part.to_string(), None, Geometry::None);
            builder = none.bind(Isometry3::translation(x, y, z));
        }
        for _ in 0..chance.below(2 * parts * parts) {
            let [a, b] = [0; 2].map(|_| chance.below(parts).to_string());
            builder = builder.ignore(a, b);
        }
        builder.build(&Build::default()).expect("a model")
    }

    /// Compares with testing pair by pair, for numbers of parts below, at and above those with a
    /// spatial order and boxes around blocks.
    pub fn tested_pairs_and_their_boxes_as_one_by_one() {
        let (mut chance, mut found, mut near) = (SplitMix64(17), Vec::new(), 0);
        for parts in [1, 2, 20, 63, 64, 65, 130, 300] {
            let model = model(&mut chance, parts);
            let pairs = (0..parts).flat_map(|a| (a + 1..parts).map(move |b| (a, b)));
            let pairs = pairs.map(|(a, b)| (PartId::new(a), PartId::new(b)));
            let asked: Vec<_> = pairs.filter(|&(a, b)| !model.ignores(a, b)).collect();
            let mut tested: Vec<_> = model.tested_pairs().collect();
            tested.sort_unstable();
            assert_eq!(tested, asked, "{parts} parts");

            // Some parts have no box.
            let boxes: Vec<Option<AabbF32>> = (0..parts)
                .map(|part| {
                    let at = model.parts()[part].bind().translation.vector;
                    let one =
                        |radius| AabbF32::from_ball([at.x, at.y, at.z].map(f64::from), radius);
                    (chance.below(9) > 0).then(|| one(chance.between(0.0, 2.0)))
                })
                .collect();
            let range = AabbRange { block: 0, len: parts };
            let mut list = Aabb16List::default();
            list.resize(range.total_block_count());
            let places = (0..parts).map(|place| boxes[model.part_at(place).index()]);
            let boxed = places.map(|one| one.unwrap_or(AabbF32::EMPTY));
            write_boxes(list.blocks_mut(), boxed);
            range.write_summary(list.blocks_mut());
            for least in [0.0, 0.25] {
                let within = Nearness::from_margin(least);
                let is_near = |&(a, b): &(PartId, PartId)| {
                    let two = boxes[a.index()].zip(boxes[b.index()]);
                    two.is_some_and(|(a, b)| a.is_near(b, within))
                };
                let expected: Vec<_> = asked.iter().copied().filter(is_near).collect();
                near += expected.len();
                for simd in SimdLevel::all() {
                    let margin = MarginRequest { margin: least, use_model_margins: true };
                    model.self_overlaps(simd, ((&list, range), margin), &mut found);
                    assert_eq!(found, expected, "{parts} parts within {least} at {simd:?}");
                }
            }
        }
        assert!(near > 1_000, "{near}");
    }
}
