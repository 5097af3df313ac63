//! What a ray comes to: through the tree over the characters to the parts whose world boxes it may
//! meet, many boxes at a time.

use super::aim::{meets, spread};
use super::queue::{Next, Queue};
use crate::broad_phase::BLOCK;
use crate::broad_phase::CharacterNode;
use crate::broad_phase::{RayEntries, RaySlabs, filled};
use crate::num::Scalar;
use crate::num::simd::Floats;
use crate::scene::Buffers;
use crate::tree::Counts;

/// Where the boxes of up to 64 parts begin.
pub(super) type Begins = [RayEntries; 64 / BLOCK];

/// Looks for the next character some of whose parts may be met. Nearer ones mostly come first.
pub(super) struct Seek<'k, T: Scalar> {
    pub slabs: &'k RaySlabs,
    pub buffers: &'k Buffers<T>,
    /// Of the tree over the characters.
    pub nodes: &'k [CharacterNode],
    /// Looked at before what is left.
    pub first: Option<Next>,
    /// What is left to be looked at.
    pub queue: &'k mut Queue,
    /// Where the boxes of the parts of that character begin.
    pub begins: &'k mut Begins,
    pub counts: &'k mut Counts,
}

impl<T: Scalar> Seek<'_, T> {
    /// The place of a character, and a bit for each part; all where no blocks hold the boxes of its
    /// parts.
    #[inline(always)]
    pub fn run<L: Floats>(self, token: L::Token) -> Option<(u32, u64)> {
        let Seek { slabs, buffers, nodes, first, queue, begins, counts } = self;
        let mut next = first;
        loop {
            let at = match next.take() {
                Some(next) if slabs.ends_before(next.near()) => continue,
                Some(next) => next,
                None => match queue.pop() {
                    Some(next) if !slabs.ends_before(next.near()) => next,
                    // Nor is anything nearer.
                    _ => return None,
                },
            };
            let Some(place) = at.what().as_character() else {
                counts.characters += BLOCK as u64;
                next = open::<L>(token, slabs, &nodes[at.what().index()], queue);
                continue;
            };
            let range = buffers.entries[place as usize].rows;
            let (mut bits, mut first) = (0, 0);
            for (block, begins) in buffers.rows.range(range).iter().zip(begins.iter_mut()) {
                let with = slabs.meets::<L>(token, block, begins);
                bits |= u64::from(with) << first;
                first += BLOCK;
            }
            counts.parts += first as u64;
            bits &= filled(range.len);
            if bits != 0 {
                return Some((place, bits));
            }
            if range.len == 0 {
                return Some((place, u64::MAX));
            }
        }
    }
}

/// What of a node is to be looked at: the nearest, and the others put into the queue.
#[inline(always)]
fn open<L: Floats>(
    token: L::Token,
    slabs: &RaySlabs,
    node: &CharacterNode,
    queue: &mut Queue,
) -> Option<Next> {
    let mut begins: RayEntries = [0.0; BLOCK];
    let bits = meets::<L>(token, slabs, node, &mut begins);
    if bits == 0 { None } else { Some(spread(node, &begins, bits, queue)) }
}
