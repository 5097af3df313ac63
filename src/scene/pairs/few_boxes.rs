//! Parts of few boxes far apart beside all parts of another character: the world boxes of the parts
//! are tested against the leaves many at a time, before the pairs become candidates.

use crate::broad_phase::{BLOCK, BlockOverlaps, MASK_BITS, MASK_BLOCKS};
use crate::model::PartId;
use crate::narrow_phase::{LeafBoxTest, cuts_at_leaves};
use crate::num::{Scalar, set_bits};
use crate::scene::Snapshot;
use crate::scene::filter::pair_filter::PairFilter;
use crate::scene::state::character::Character;
use crate::tree::{Accuracy, Counts};

/// Largest number of parts of a character that are tested against a whole character first.
const MAX_PARTS: usize = 4;

/// Two characters, one of which has a part of few boxes.
pub(super) struct FewBoxes {
    indices: [u32; 2],
    margin: f64,
    /// `true` for a character with such a part.
    have_any: [bool; 2],
}

impl FewBoxes {
    /// Returns `None` if neither character has a part of few boxes, or if the leaves are not the
    /// cut. Both must be placed in single precision.
    #[inline(always)]
    pub fn find<T: Scalar>(
        filter: &PairFilter<'_, T>,
        accuracy: Accuracy,
        margin: f64,
    ) -> Option<Self> {
        let has_any = |character: &Character<T>| {
            character.model.roots().is_some_and(|roots| roots.has_leaf_boxes())
        };
        let [a, b] = filter.characters;
        let have_any = [has_any(a), has_any(b)];
        let applies = (have_any[0] || have_any[1]) && cuts_at_leaves(accuracy);
        applies.then_some(FewBoxes { indices: filter.indices, margin, have_any })
    }

    /// Returns `true` if one of the characters consists of few parts of few boxes, and all of these
    /// are separated from the other character.
    #[inline(never)]
    pub fn are_separated<T: Scalar>(
        &self,
        filter: &PairFilter<'_, T>,
        counts: &mut Counts,
    ) -> bool {
        let now = filter.snapshot;
        // The predicate is called for each pair.
        !filter.has_predicate()
            && [0, 1].into_iter().any(|side| {
                let model = &filter.characters[side].model;
                self.have_any[side]
                    && model.len() <= MAX_PARTS
                    && model.parts().iter().all(|part| {
                        let other = now.character(self.indices[1 - side]).0.bounds_f32;
                        let test = self.test((now, side), part.id());
                        test.is_some_and(|test| !test.is_near(other, &mut counts.parts))
                    })
            })
    }

    /// Drops pairs of a part of few boxes and a part that is separated from all of them. `near` are
    /// pairs of up to [`MASK_BITS`] parts of the first character, from `first` on. Returns the
    /// number of entries left; those after them are unspecified.
    #[inline(never)]
    pub fn drop_separated<T: Scalar>(
        &self,
        (filter, first): (&PairFilter<'_, T>, usize),
        near: &mut [BlockOverlaps],
        counts: &mut Counts,
    ) -> usize {
        let now = filter.snapshot;
        if self.have_any[1] {
            self.drop_from_second((filter, first), near, counts);
        }
        if self.have_any[0] {
            for of_one in near.chunk_by_mut(|x, y| x.one == y.one) {
                let slot = first + of_one[0].one as usize;
                if let Some(mask) = self.near_mask((now, 0), (slot, 0), counts) {
                    let is_tested = |near: &&mut BlockOverlaps| (near.first as usize) < MASK_BITS;
                    let tested = of_one.iter_mut().filter(is_tested);
                    tested.for_each(|near| {
                        keep_lanes((filter, first), near, (mask >> near.first) as u32);
                    });
                }
            }
        }
        let mut left = 0;
        for index in 0..near.len() {
            near[left] = near[index];
            left += usize::from(near[left].with != 0);
        }
        left
    }

    /// Drops pairs of a part of few boxes of the second character.
    fn drop_from_second<T: Scalar>(
        &self,
        (filter, first): (&PairFilter<'_, T>, usize),
        near: &mut [BlockOverlaps],
        counts: &mut Counts,
    ) {
        let now = filter.snapshot;
        let mut with = [0; MASK_BLOCKS];
        for BlockOverlaps { first, with: bits, .. } in &*near {
            if let Some(with) = with.get_mut(*first as usize / BLOCK) {
                *with |= bits;
            }
        }
        for (block, with) in with.into_iter().enumerate() {
            for lane in set_bits(with.into()) {
                let slot = block * BLOCK + lane;
                let Some(mask) = self.near_mask((now, 1), (slot, first), counts) else { continue };
                let of_block = near.iter_mut().filter(|near| near.first as usize == block * BLOCK);
                for near in of_block {
                    let dropped = u32::from(mask >> near.one & 1 == 0) << lane;
                    keep_lanes((filter, first), near, !dropped);
                }
            }
        }
    }

    /// Returns a bit for each of [`MASK_BITS`] parts of the other character, from `first` on, that
    /// may touch a part of the first character (0) or the second (1), the part of the box `slot`;
    /// `None` unless that has few boxes.
    fn near_mask<T: Scalar>(
        &self,
        (now, side): (Snapshot<'_, T>, usize),
        (slot, first): (usize, usize),
        counts: &mut Counts,
    ) -> Option<u64> {
        let (character, other) =
            (now.character(self.indices[side]).1, now.character(self.indices[1 - side]).0);
        let part = character.model.part_at(slot);
        let test = self.test((now, side), part)?;
        let blocks = now.buffers.part_aabbs.range_blocks(other.range.chunk(first));
        let boxes = (other.bounds_f32, blocks);
        Some(test.near_mask(now.buffers.simd, boxes, &mut counts.parts))
    }

    /// Returns the test of a part of the first character (0) or the second (1); `None` unless the
    /// part has few boxes.
    fn test<'t, T: Scalar>(
        &self,
        (now, side): (Snapshot<'t, T>, usize),
        part: PartId,
    ) -> Option<LeafBoxTest<'t>> {
        let character = now.character(self.indices[side]).1;
        let leaves = character.model.leaf_boxes(part).leaves;
        if leaves.is_empty() {
            return None;
        }
        let (pose, tree) = (&character.poses[part.index()], character.model.tree(part));
        Some(LeafBoxTest::new(pose, (tree, leaves), self.margin))
    }
}

/// Drops all but some pairs of one part of the first character. The predicate is called for each
/// pair whose boxes overlap, those that are dropped included.
fn keep_lanes<T: Scalar>(
    (filter, first): (&PairFilter<'_, T>, usize),
    near: &mut BlockOverlaps,
    lanes: u32,
) {
    let dropped = near.with & !lanes;
    near.with &= lanes;
    if filter.has_predicate() {
        let [model_a, model_b] = filter.characters.map(|character| &character.model);
        let part_a = model_a.part_at(first + near.one as usize);
        for lane in set_bits(dropped.into()) {
            let _ = filter.accepts(part_a, model_b.part_at(near.first as usize + lane));
        }
    }
}
