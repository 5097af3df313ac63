//! Broad phase within one model: which of its parts' AABBs overlap, many at a time.

use super::rules::{AskedMargin, Rules};
use super::{Model, PartId};
use crate::broad_phase::{Aabb16, AabbF32, BLOCK, Nearness, OverlapMasks, near};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::{Scalar, SimdLevel, set_bits};

impl<T: Scalar> Model<T> {
    /// Leaves in `found` every two parts that the rules do not ignore and whose world boxes
    /// overlap, or are within the margin, ascending; returns the number of boxes compared. For at
    /// most [`SIDE_BY_SIDE`](crate::broad_phase::SIDE_BY_SIDE) parts.
    pub(crate) fn overlaps(
        &self,
        level: SimdLevel,
        (blocks, asked): (&[Aabb16], AskedMargin),
        found: &mut Vec<(PartId, PartId)>,
    ) -> u64 {
        found.clear();
        let (parts, rules) = (self.parts.len(), &self.rules);
        let most = rules.most_margin(asked);
        let nearness = Nearness::within(most);
        let compared = level.run(Own { blocks, parts, rules, nearness, found });
        if asked.own && most > 0.0 && rules.has_margins() {
            let one = |part: PartId| AabbF32::of(&blocks[part.index() / BLOCK], part.index());
            found.retain(|&(a, b)| match rules.margin((a, b), asked) {
                margin if margin == most => true,
                margin => one(a).is_near(one(b), Nearness::within(margin)),
            });
        }
        compared
    }

    /// Retains the pairs within one character that are to be tested: each once, and none that the
    /// rules ignore. Returns a bit for each part with pairs left.
    pub(crate) fn keep_asked(&self, near: u64, masks: &mut OverlapMasks) -> u64 {
        let mut kept = 0;
        for part in set_bits(near) {
            masks[part] &= self.rules.later(part);
            kept |= u64::from(masks[part] != 0) << part;
        }
        kept
    }
}

struct Own<'a> {
    blocks: &'a [Aabb16],
    parts: usize,
    rules: &'a Rules,
    nearness: Nearness,
    found: &'a mut Vec<(PartId, PartId)>,
}

impl FloatKernel for Own<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        match self.nearness.may_be_apart() {
            true => self.find::<L, true>(token),
            false => self.find::<L, false>(token),
        }
    }
}

impl Own<'_> {
    #[inline(always)]
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> u64 {
        let Own { blocks, parts, rules, nearness, found } = self;
        let mut compared = 0;
        for part in 0..parts {
            let asked = rules.later(part);
            if asked == 0 {
                continue;
            }
            let (mut beside, home) = (0, part / BLOCK);
            let one = AabbF32::of(&blocks[home], part);
            for (index, block) in blocks.iter().enumerate().skip(home) {
                compared += BLOCK as u64;
                beside |=
                    u64::from(near::<L, APART>(token, nearness, one, block)) << (index * BLOCK);
            }
            let mut left = beside & asked;
            while left != 0 {
                let other = left.trailing_zeros() as usize;
                found.push((PartId::new(part), PartId::new(other)));
                left &= left - 1;
            }
        }
        compared
    }
}
