//! Rays put to the crowd, some at once.

use super::ask::sum_up;
use super::queue::{Next, Queue};
use super::results::QueryResults;
use super::walk::Walk;
use super::{HitMode, QueryFilter, RayCast, RayHits};
use crate::broad_phase::BLOCK;
use crate::broad_phase::CharacterNode;
use crate::broad_phase::{RayEntries, RaySlabs};
use crate::num::Scalar;
use crate::num::simd::{FloatKernel, Floats};
use crate::scene::Snapshot;

/// As many rays as are aimed at once: what is kept of them is 4 KB.
const AT_ONCE: usize = 32;

/// A ray, and what of the root of the tree over the characters it may meet.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Aimed {
    begins: RayEntries,
    bits: u32,
    pub slabs: RaySlabs,
}

/// Rays, one after the other: chosen once for all of them is the level that what is done with lanes
/// is compiled for.
pub(super) struct Volley<'q, 'a, T: Scalar> {
    pub now: &'q Snapshot<'a, T>,
    pub asked: (&'q QueryFilter<'q>, HitMode),
    pub one: Option<u32>,
    pub beams: &'q [RayCast<T>],
    pub struck: &'q mut RayHits<T>,
}

impl<T: Scalar> FloatKernel for Volley<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let Volley { now, asked, one, beams, struck } = self;
        let QueryResults { answers, ends, work, report, .. } = struck;
        let (out, nodes) = now.around(one);
        let mut aimed = std::mem::take(&mut work.aimed);
        aimed.resize(AT_ONCE, Aimed::default());
        for beams in beams.chunks(AT_ONCE) {
            for (beam, aimed) in beams.iter().zip(&mut aimed) {
                aimed.at::<L>(token, beam, out, nodes.last());
            }
            for (beam, aimed) in beams.iter().zip(&aimed) {
                let mut walk = Walk::new(now, asked, work, report);
                walk.shoot::<L>(token, (beam, aimed), nodes, one);
                if !work.found.is_empty() {
                    answers.extend(work.found.iter().map(|raw| now.ray_hit(beam, raw)));
                    sum_up(&work.found, report);
                }
                ends.push(answers.len());
            }
        }
        work.aimed = aimed;
    }
}

impl Aimed {
    /// What all rays need alike before they are followed: none waits for what another comes to.
    #[inline(always)]
    fn at<L: Floats>(
        &mut self,
        token: L::Token,
        beam: &RayCast<impl Scalar>,
        out: f32,
        root: Option<&CharacterNode>,
    ) {
        self.slabs = RaySlabs::new(&beam.way(), out);
        if let Some(root) = root {
            self.bits = meets::<L>(token, &self.slabs, root, &mut self.begins);
        }
    }

    /// What it comes to first; what else there is at the root is put into the queue.
    #[inline(always)]
    pub fn first(&self, root: &CharacterNode, queue: &mut Queue) -> Option<Next> {
        if self.bits == 0 { None } else { Some(spread(root, &self.begins, self.bits, queue)) }
    }
}

/// A bit for each box of a node that the ray may meet, and how far along it they begin.
#[inline(always)]
pub(super) fn meets<L: Floats>(
    token: L::Token,
    slabs: &RaySlabs,
    node: &CharacterNode,
    begins: &mut RayEntries,
) -> u32 {
    // There are no more than 16 of them.
    slabs.meets::<L>(token, &node.boxes[0], begins) & ((1 << (node.len % 32)) - 1)
}

/// What of a node is to be looked at, of which there is something: the nearest, and the others put
/// into the queue.
#[inline(always)]
pub(super) fn spread(
    node: &CharacterNode,
    begins: &RayEntries,
    mut bits: u32,
    queue: &mut Queue,
) -> Next {
    let mut nearest = behind(node, begins, bits);
    bits &= bits - 1;
    while bits != 0 {
        let next = behind(node, begins, bits);
        bits &= bits - 1;
        let (less, more) = if next < nearest { (next, nearest) } else { (nearest, next) };
        nearest = less;
        queue.push(more);
    }
    nearest
}

/// What is behind the first of the boxes.
#[inline(always)]
fn behind(node: &CharacterNode, begins: &RayEntries, bits: u32) -> Next {
    let lane = bits.trailing_zeros() as usize % BLOCK;
    Next::new(begins[lane], node.behind[lane])
}
