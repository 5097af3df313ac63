//! One ray against the characters and their parts.

use std::ops::ControlFlow::{self, Continue};

use super::line::Line;
use super::queue::Next;
use super::seek::Seek;
use super::walk::{Host, Walk};
use super::{Beam, Wanted};
use crate::num::Scalar;
use crate::scene::crowd::{Behind, Node};
use crate::scene::cull::{self, Slabs};
use crate::scene::way::{Rated, Way};
use crate::shape::wide_point;

/// Rounding of lengths along a ray seen from the world and from a part. No unit.
const SLANT: f64 = 1.0 / (1u64 << 42) as f64;

impl<'a, T: Scalar> Walk<'a, '_, T> {
    /// Everything the ray meets that is wanted, in the order of answers.
    pub fn shoot(&mut self, beam: &Beam<T>, one: Option<u32>) {
        self.work.queue.clear();
        let buffers = self.now.buffers;
        let (out, nodes, mut first) = match one {
            Some(place) => self.only(place),
            None => self.everyone(),
        };
        let way = beam.way();
        let mut slabs = Slabs::new(&way, out);
        while let Some((place, bits)) = buffers.level.run(Seek {
            slabs: &slabs,
            buffers,
            nodes,
            first: first.take().map(|first| Next::new(0.0, first)),
            queue: &mut self.work.queue,
            begins: &mut self.work.begins,
            counts: &mut self.report.counts,
        }) {
            let flow = self.shoot_character(&way, &mut slabs, (place, bits));
            if flow.is_break() || self.work.queue.is_empty() {
                break;
            }
        }
        if self.work.found.len() > 1 {
            self.work.found.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.key.cmp(&b.key)));
        }
    }

    /// How far out one character is, and what to look at first.
    fn only(&mut self, place: u32) -> (f32, &'a [Node], Option<Behind>) {
        self.report.counts.characters += 1;
        let bounds = &self.now.buffers.entries[place as usize].bounds;
        let out = cull::out([wide_point(bounds.min), wide_point(bounds.max)]);
        (out, &[], (!bounds.is_empty()).then(|| Behind::character(place)))
    }

    /// How far out all characters are, the tree over them, and what to look at first.
    fn everyone(&self) -> (f32, &'a [Node], Option<Behind>) {
        let crowd = self.now.buffers.crowd();
        (crowd.out, crowd.nodes(), crowd.root())
    }

    /// The parts of a character that the ray may meet, unless it is left out.
    #[inline(never)]
    fn shoot_character(
        &mut self,
        way: &Way,
        slabs: &mut Slabs,
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
    fn shorten(&self, slabs: &mut Slabs) {
        if self.wanted == Wanted::Closest
            && let Some(best) = self.best()
        {
            slabs.end_at(best.t);
        }
    }

    /// A character with so many parts that no blocks hold their boxes.
    #[inline(never)]
    fn shoot_many(&mut self, way: &Way, host: &Host<'a, T>) -> ControlFlow<()> {
        let rated = Rated::new(*way);
        self.report.counts.parts += host.placed.len() as u64;
        for (part, placed) in host.placed.iter().enumerate() {
            let Some(t) = rated.enters(&placed.bounds) else { continue };
            if !self.is_behind(t, t * SLANT) {
                self.shoot_box(way, (host, part), t == 0.0)?;
            }
        }
        Continue(())
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
        way: &Way,
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
        if self.wanted == Wanted::All {
            self.settled = self.work.found.len();
        }
        Continue(())
    }
}
