//! The tree over the characters, searched for those whose boxes may be met.

use super::scan::NearTo;
use crate::broad_phase::{AabbF32, BLOCK, overlaps};
use crate::broad_phase::{Behind, CharacterBvh, CharacterNode};
use crate::num::simd::Floats;

/// What is put to boxes side by side.
pub(super) trait Sought {
    /// A bit for each box of a node that may be met; never too few.
    fn met<L: Floats>(&mut self, token: L::Token, node: &CharacterNode) -> u64;

    /// Takes note of a character whose box, the one at that place of the node looked at last, is
    /// met.
    fn take(&mut self, place: u32, lane: usize);
}

/// Lets it take all characters whose boxes it meets. Returns how many boxes were looked at.
#[inline(always)]
pub(super) fn of_crowd<L: Floats>(
    token: L::Token,
    crowd: &CharacterBvh,
    mut sought: impl Sought,
    stack: &mut Vec<Behind>,
) -> u64 {
    let mut looked_at = 0;
    stack.clear();
    let mut next = crowd.root();
    while let Some(id) = next {
        let node = crowd.node(id);
        looked_at += BLOCK as u64;
        let mut bits = sought.met::<L>(token, node);
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize % BLOCK;
            bits &= bits - 1;
            match node.behind[lane].as_character() {
                Some(place) => sought.take(place, lane),
                None => stack.push(node.behind[lane]),
            }
        }
        next = stack.pop();
    }
    looked_at
}

/// A box that holds a region.
pub(super) struct Outer<'k> {
    pub outer: &'k AabbF32,
    pub near: &'k mut Vec<NearTo>,
}

impl Sought for Outer<'_> {
    #[inline(always)]
    fn met<L: Floats>(&mut self, token: L::Token, node: &CharacterNode) -> u64 {
        u64::from(overlaps::<L>(token, *self.outer, &node.boxes[0]))
    }

    #[inline(always)]
    fn take(&mut self, place: u32, _: usize) {
        self.near.push((place, 0));
    }
}
