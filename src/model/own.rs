//! Broad phase within one model: which of its parts' AABBs overlap, many at a time.

use super::rows::{BLOCK, Block, Single, overlaps};
use super::rules::Rules;
use super::{Model, PartId};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::{Scalar, SimdLevel};

impl<T: Scalar> Model<T> {
    /// Leaves in `found` every two parts that the rules do not ignore and whose world boxes
    /// overlap, ascending; returns the number of boxes compared. For at most
    /// [`SIDE_BY_SIDE`](super::SIDE_BY_SIDE) parts.
    pub(crate) fn overlaps(
        &self,
        level: SimdLevel,
        blocks: &[Block],
        found: &mut Vec<(PartId, PartId)>,
    ) -> u64 {
        found.clear();
        level.run(Own { blocks, parts: self.parts.len(), rules: &self.rules, found })
    }
}

struct Own<'a> {
    blocks: &'a [Block],
    parts: usize,
    rules: &'a Rules,
    found: &'a mut Vec<(PartId, PartId)>,
}

impl FloatKernel for Own<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let Own { blocks, parts, rules, found } = self;
        let mut compared = 0;
        for part in 0..parts {
            let asked = rules.later(part);
            if asked == 0 {
                continue;
            }
            let (mut near, home) = (0, part / BLOCK);
            let one = Single::of(&blocks[home], part);
            for (index, block) in blocks.iter().enumerate().skip(home) {
                compared += BLOCK as u64;
                near |= u64::from(overlaps::<L>(token, one, block)) << (index * BLOCK);
            }
            let mut left = near & asked;
            while left != 0 {
                let other = left.trailing_zeros() as usize;
                found.push((PartId::new(part), PartId::new(other)));
                left &= left - 1;
            }
        }
        compared
    }
}
