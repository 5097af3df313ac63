//! One ray against the characters and their parts.

use std::ops::ControlFlow::{self, Continue};

use super::aim::Aimed;
use super::line::Line;
use super::queue::Next;
use super::seek::Seek;
use super::walk::{Host, Walk};
use super::{HitMode, RayCast};
use crate::broad_phase::BLOCK;
use crate::broad_phase::{self, RaySlabs};
use crate::broad_phase::{Behind, CharacterNode};
use crate::broad_phase::{RatedRay, WorldRay};
use crate::num::Scalar;
use crate::num::simd::Floats;
use crate::scene::Snapshot;
use crate::shape::{Aabb, wide_point};

/// Rounding of lengths along a ray seen from the world and from a part. No unit.
const SLANT: f64 = 1.0 / (1u64 << 42) as f64;

impl<'a, T: Scalar> Snapshot<'a, T> {
    /// How far out all characters or the one are, and the tree over all.
    pub(super) fn around(&self, one: Option<u32>) -> (f32, &'a [CharacterNode]) {
        let Some(place) = one else {
            let crowd = self.buffers.crowd();
            return (crowd.out, crowd.nodes());
        };
        let bounds = &self.buffers.entries[place as usize].bounds;
        (broad_phase::out([wide_point(bounds.min), wide_point(bounds.max)]), &[])
    }
}

impl<'a, T: Scalar> Walk<'a, '_, T> {
    /// Everything the ray meets that is wanted, in the order of answers.
    #[inline(always)]
    pub fn shoot<L: Floats>(
        &mut self,
        token: L::Token,
        (beam, aimed): (&RayCast<T>, &Aimed),
        nodes: &'a [CharacterNode],
        one: Option<u32>,
    ) {
        self.work.queue.clear();
        let (buffers, way, mut slabs) = (self.now.buffers, beam.way(), aimed.slabs);
        let mut first = self.first((aimed, nodes), one);
        if first.is_none() {
            return;
        }
        while let Some(seen) = (Seek {
            slabs: &slabs,
            buffers,
            nodes,
            first: first.take(),
            queue: &mut self.work.queue,
            begins: &mut self.work.begins,
            counts: &mut self.report.counts,
        })
        .run::<L>(token)
        {
            let flow = self.shoot_character(&way, &mut slabs, seen);
            if flow.is_break() || self.work.queue.is_empty() {
                break;
            }
        }
        if self.work.found.len() > 1 {
            self.work.found.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.key.cmp(&b.key)));
        }
    }

    /// What is looked at first: none where the ray passes everything, or one character has no
    /// boxes.
    #[inline(always)]
    fn first(
        &mut self,
        (aimed, nodes): (&Aimed, &[CharacterNode]),
        one: Option<u32>,
    ) -> Option<Next> {
        let Some(place) = one else {
            let root = nodes.last()?;
            self.report.counts.characters += BLOCK as u64;
            return aimed.first(root, &mut self.work.queue);
        };
        self.report.counts.characters += 1;
        let bounds = &self.now.buffers.entries[place as usize].bounds;
        (!bounds.is_empty()).then(|| Next::new(0.0, Behind::character(place)))
    }

    /// The parts of a character that the ray may meet, unless it is left out.
    // Called: in lanes' registers its few numbers in double precision would only be moved about.
    #[inline(never)]
    fn shoot_character(
        &mut self,
        way: &WorldRay,
        slabs: &mut RaySlabs,
        (place, mut bits): (u32, u64),
    ) -> ControlFlow<()> {
        if self.is_excluded(place) {
            return Continue(());
        }
        let host = self.host(place);
        if !self.has_rows(place) {
            self.shoot_many(way, &host)?;
            self.shorten(slabs);
            return Continue(());
        }
        while bits != 0 {
            let part = self.nearest(bits);
            bits &= !(1 << part);
            let begins = self.begins(part);
            if slabs.ends_before(begins) {
                break;
            }
            if !host.placed[part].bounds.is_empty() {
                self.shoot_box(way, (&host, part), begins == 0.0)?;
            }
            self.shorten(slabs);
        }
        Continue(())
    }

    /// Nothing beyond what was hit first is looked at.
    #[inline(always)]
    fn shorten(&self, slabs: &mut RaySlabs) {
        if self.wanted == HitMode::Closest
            && let Some(best) = self.best()
        {
            slabs.end_at(best.t);
        }
    }

    /// A character with so many parts that no blocks hold their boxes.
    fn shoot_many(&mut self, way: &WorldRay, host: &Host<'a, T>) -> ControlFlow<()> {
        let rated = RatedRay::new(*way);
        let met = |bounds: &Aabb<T, 3>| rated.enters(bounds).is_some();
        self.each_of_many(host, met, |walk, part| match rated.enters(&host.placed[part].bounds) {
            Some(t) if !walk.is_behind(t, t * SLANT) => walk.shoot_box(way, (host, part), t == 0.0),
            _ => Continue(()),
        })
    }

    /// The one of some parts, at least one, whose box begins nearest.
    #[inline]
    fn nearest(&self, mut bits: u64) -> usize {
        let mut nearest = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        while bits != 0 {
            let part = bits.trailing_zeros() as usize;
            nearest = if self.begins(part) < self.begins(nearest) { part } else { nearest };
            bits &= bits - 1;
        }
        nearest
    }

    /// Where the box of a part begins.
    #[inline]
    fn begins(&self, part: usize) -> f32 {
        self.work.begins.as_flattened()[part % 64]
    }

    /// A part whose world box the ray may meet, or start in.
    #[inline(always)]
    fn shoot_box(
        &mut self,
        way: &WorldRay,
        (host, part): (&Host<'a, T>, usize),
        starts: bool,
    ) -> ControlFlow<()> {
        if !self.includes(host, part) {
            return Continue(());
        }
        let seat = host.seat(part);
        let inside = starts && self.holds(&seat, way.from);
        let line = Line::new(way, &seat.placed.placement, seat.tree);
        self.shoot_part(&seat, &line, inside)?;
        if self.wanted == HitMode::All {
            self.settled = self.work.found.len();
        }
        Continue(())
    }
}
