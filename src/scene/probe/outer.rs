//! A box that holds a region, put to many boxes in its place: never too few are said to be met.

use super::scan::NearTo;
use crate::model::rows::{BLOCK, Single, overlaps};
use crate::num::lanes::Lanes;
use crate::scene::crowd::{Behind, Crowd};

/// Leaves in `near` the characters whose boxes share a point with that one, and perhaps more. Returns how many boxes were
/// looked at.
#[inline(always)]
pub(super) fn of_crowd<L: Lanes>(
    token: L::Token,
    (outer, crowd): (&Single, &Crowd),
    (stack, near): (&mut Vec<Behind>, &mut Vec<NearTo>),
) -> u64 {
    let mut looked_at = 0;
    stack.clear();
    let mut next = crowd.root();
    while let Some(id) = next {
        let node = crowd.node(id);
        looked_at += BLOCK as u64;
        let mut bits = overlaps::<L>(token, *outer, &node.boxes[0]);
        while bits != 0 {
            let behind = node.behind[bits.trailing_zeros() as usize % BLOCK];
            match behind.as_character() {
                Some(place) => near.push((place, 0)),
                None => stack.push(behind),
            }
            bits &= bits - 1;
        }
        next = stack.pop();
    }
    looked_at
}
