//! What holds a region, put to many boxes in its place: never too few are said to be met.

use crate::num::Level;
use crate::num::linear::Vec3;
use crate::scene::crowd::{Behind, Crowd, Node};
use crate::scene::cull::{filled, in_box};
use crate::scene::rows::{Block, Single};

/// A box, or a half-space, which no box holds. World.
#[derive(Debug, Clone, Copy)]
pub(super) enum Outer {
    Box(Single),
    Half { normal: Vec3, offset: f64 },
}

impl Outer {
    /// Leaves in `places` the characters whose boxes share a point with it, and perhaps more; ascending. Returns how many boxes were
    /// looked at.
    pub fn of_crowd(
        &self,
        (level, crowd): (Level, &Crowd),
        stack: &mut Vec<Behind>,
        places: &mut Vec<u32>,
    ) -> u64 {
        match self {
            Outer::Box(bounds) => {
                let met = |node: &Node| in_box(level, bounds, &node.boxes, node.len);
                crowd.met(met, stack, places)
            }
            Outer::Half { normal, offset } => {
                let met = |node: &Node| in_half((normal, *offset), &node.boxes[0], node.len);
                crowd.met(met, stack, places)
            }
        }
    }

    /// A bit for each part of a character, at most 64, whose box shares a point with it, and perhaps more.
    pub fn of_parts(&self, level: Level, blocks: &[Block], len: usize) -> u64 {
        match self {
            Outer::Box(bounds) => in_box(level, bounds, blocks, len),
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
