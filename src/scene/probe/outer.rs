//! What holds a region, put to many boxes in its place: never too few are said to be met.

use super::scan::NearTo;
use crate::model::rows::{BLOCK, Block, Single};
use crate::num::lanes::Lanes;
use crate::num::linear::Vec3;
use crate::scene::crowd::{Behind, Crowd};
use crate::scene::cull::{filled, in_box};

/// A box, or a half-space, which no box holds. World.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outer {
    Box(Single),
    Half { normal: Vec3, offset: f64 },
}

impl Outer {
    /// Leaves in `places` the characters whose boxes share a point with it, and perhaps more; ascending. Returns how many boxes were
    /// looked at.
    #[inline(always)]
    pub fn of_crowd<L: Lanes>(
        &self,
        token: L::Token,
        crowd: &Crowd,
        (stack, near): (&mut Vec<Behind>, &mut Vec<NearTo>),
    ) -> u64 {
        let (first, mut looked_at) = (near.len(), 0);
        stack.clear();
        let mut next = crowd.root();
        while let Some(id) = next {
            let node = crowd.node(id);
            looked_at += BLOCK as u64;
            let mut bits = match self {
                Outer::Box(bounds) => in_box::<L>(token, bounds, &node.boxes, node.len),
                Outer::Half { normal, offset } => {
                    in_half((normal, *offset), &node.boxes[0], node.len)
                }
            };
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
        if near.len() > first + 1 {
            near[first..].sort_unstable();
        }
        looked_at
    }

    /// A bit for each part of a character, at most 64, whose box shares a point with it, and perhaps more.
    #[inline(always)]
    pub fn of_parts<L: Lanes>(&self, token: L::Token, blocks: &[Block], len: usize) -> u64 {
        match self {
            Outer::Box(bounds) => in_box::<L>(token, bounds, blocks, len),
            // The same is asked of each part next.
            Outer::Half { .. } => filled(len),
        }
    }
}

/// A bit for each of the first `len` boxes whose corner that is furthest in is in the half-space. What single precision has no numbers for is.
fn in_half((normal, offset): (&Vec3, f64), block: &Block, len: usize) -> u64 {
    let rows = [0, 1, 2].map(|i| if normal[i] > 0.0 { &block[i] } else { &block[i + 3] });
    let along = |i: usize, lane: usize| normal[i] * f64::from(rows[i][lane]);
    let is_out = |lane: usize| along(0, lane) + along(1, lane) + along(2, lane) > offset;
    (0..len).fold(0, |bits, lane| bits | u64::from(!is_out(lane)) << lane)
}
