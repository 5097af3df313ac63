//! What holds a region, put to many boxes in its place: never too few are said to be met.

use crate::num::Level;
use crate::num::linear::Vec3;
use crate::scene::crowd::{Behind, Crowd};
use crate::scene::cull::{filled, in_box};
use crate::scene::rows::{BLOCK, Block, Single};

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
            Outer::Box(bounds) => crowd.in_box(level, bounds, stack, places),
            Outer::Half { normal, offset } => in_half((normal, *offset), crowd, stack, places),
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

/// [`Outer::of_crowd`] of a half-space, box by box.
fn in_half(
    half: (&Vec3, f64),
    crowd: &Crowd,
    stack: &mut Vec<Behind>,
    places: &mut Vec<u32>,
) -> u64 {
    let mut looked_at = 0;
    places.clear();
    stack.clear();
    stack.extend(crowd.root());
    while let Some(id) = stack.pop() {
        let node = crowd.node(id);
        looked_at += BLOCK as u64;
        for lane in (0..node.len).filter(|&lane| is_in(half, &node.boxes[0], lane)) {
            match node.behind[lane].as_character() {
                Some(place) => places.push(place),
                None => stack.push(node.behind[lane]),
            }
        }
    }
    places.sort_unstable();
    looked_at
}

/// Whether the corner of a box that is furthest in is in the half-space. What single precision has no numbers for is.
fn is_in((normal, offset): (&Vec3, f64), block: &Block, lane: usize) -> bool {
    let along = |i: usize| {
        let row = if normal[i] > 0.0 { i } else { i + 3 };
        normal[i] * f64::from(block[row][lane])
    };
    let outside = along(0) + along(1) + along(2) > offset;
    !outside
}
