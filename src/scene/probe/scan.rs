//! Regions against the characters and their parts.

use std::ops::ControlFlow::{self, Continue};

use super::local::Local;
use super::outer::{Outer, of_crowd};
use super::results::QueryResults;
use super::walk::{Host, Walk};
use super::{HitMode, Overlaps, QueryFilter, QueryShape};
use crate::broad_phase::in_box;
use crate::broad_phase::{AabbF32, BLOCK};
use crate::num::Scalar;
use crate::num::simd::{FloatKernel, Floats};
use crate::scene::{NodeRef, Snapshot};
use crate::shape::Aabb;

/// As many points and balls as take a step together.
const AT_ONCE: usize = 32;

/// So many parts are asked at once, where a region with edges may meet them.
const FEW: u32 = 4;

/// Regions put to everyone: the level is chosen once for all of them, as
/// [`Volley`](super::aim::Volley) has it for rays.
///
/// Points and balls take each step [`AT_ONCE`]: while one waits for memory the next is worked on.
pub(super) struct Search<'q, 'a, T: Scalar> {
    pub now: &'q Snapshot<'a, T>,
    pub asked: (&'q QueryFilter<'q>, HitMode),
    pub regions: &'q [QueryShape<T>],
    pub inside: &'q mut Overlaps<T>,
}

impl<T: Scalar> FloatKernel for Search<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let Search { now, asked, regions, inside } = self;
        for regions in regions.chunks(AT_ONCE) {
            inside.of_all::<L>(token, (now, asked), regions);
        }
    }
}

impl<T: Scalar> Overlaps<T> {
    /// Some regions put to everyone.
    #[inline(always)]
    fn of_all<L: Floats>(
        &mut self,
        token: L::Token,
        (now, asked): (&Snapshot<'_, T>, (&QueryFilter<'_>, HitMode)),
        regions: &[QueryShape<T>],
    ) {
        let QueryResults { answers, ends, work, report, .. } = self;
        work.near.clear();
        let mut rounds = std::mem::take(&mut work.rounds);
        rounds.clear();
        let mut walk = Walk::new(now, asked, work, report);
        for region in regions {
            rounds.push(match region.outer() {
                Some(outer) => (outer, walk.near::<L>(token, &outer)),
                None => (AabbF32::NOTHING, (0, 0)),
            });
        }
        let any = asked.1 == HitMode::Any;
        for (outer, range) in &mut rounds {
            if !any {
                range.1 = walk.nearby_parts::<L>(token, outer, *range);
            }
        }
        for (region, &(ref outer, range)) in regions.iter().zip(&rounds) {
            let touch = |walk: &mut Walk<'_, '_, T>, range, answers: &mut Vec<NodeRef>| {
                walk.touch_all(region, range, answers);
            };
            match region {
                QueryShape::HalfSpace(plane) => walk.dip_all::<L>(token, plane, answers),
                _ if region.is_empty() => {}
                _ if region.round().is_none() => walk.search_other::<L>(token, region, answers),
                _ if any => walk.by_steps::<L>(token, (outer, range), answers, touch),
                _ => touch(&mut walk, range, answers),
            }
            ends.push(answers.len());
        }
        walk.work.rounds = rounds;
    }
}

/// A character and a bit for each part that may be met; all where no blocks hold the boxes of its
/// parts.
pub(super) type NearTo = (u32, u64);

/// What holds a point or a ball, and where those near begin and end among all near.
pub(super) type Round = (AabbF32, (usize, usize));

impl<'a, T: Scalar> Walk<'a, '_, T> {
    /// What is not round: seen from the world it is too large to be kept for later.
    #[inline(always)]
    fn search_other<L: Floats>(
        &mut self,
        token: L::Token,
        region: &QueryShape<T>,
        answers: &mut Vec<NodeRef>,
    ) {
        // Only culls, so it may be taken for further off than it is.
        let world = Local::of_world(region, 2.0 * f64::from(self.now.around(None).0));
        let outer = world.outer();
        let range = self.near::<L>(token, &outer);
        self.by_steps::<L>(token, (&outer, range), answers, |walk, range, answers| {
            walk.search((region, &world), range, answers);
        });
        self.work.near.truncate(range.0);
    }

    /// Looks into those near whose parts may be met: into all at once, or, where anything will do,
    /// into one after another until something is found.
    #[inline(always)]
    fn by_steps<L: Floats>(
        &mut self,
        token: L::Token,
        (outer, (from, to)): (&AabbF32, (usize, usize)),
        answers: &mut Vec<NodeRef>,
        look: impl Fn(&mut Self, (usize, usize), &mut Vec<NodeRef>),
    ) {
        let step = if self.wanted == HitMode::Any { 1 } else { to - from };
        let (mut next, before) = (from, answers.len());
        while next < to && answers.len() == before {
            let end = self.nearby_parts::<L>(token, outer, (next, next + step));
            look(self, (next, end), answers);
            next += step;
        }
    }

    /// Which characters may be met: a range of those near, ascending unless anything will do.
    #[inline(always)]
    fn near<L: Floats>(&mut self, token: L::Token, outer: &AabbF32) -> (usize, usize) {
        let first = self.work.near.len();
        let (crowd, stack) = (self.now.buffers.crowd(), &mut self.work.nodes);
        let sought = Outer { outer, near: &mut self.work.near };
        self.report.counts.characters += of_crowd::<L>(token, crowd, sought, stack);
        let near = &mut self.work.near[first..];
        if near.len() > 1 && self.wanted != HitMode::Any {
            near.sort_unstable();
        }
        (first, self.work.near.len())
    }

    /// Which parts of theirs may be. Characters without any are dropped from the range; returns its
    /// new end.
    #[inline(always)]
    fn nearby_parts<L: Floats>(
        &mut self,
        token: L::Token,
        outer: &AabbF32,
        (from, to): (usize, usize),
    ) -> usize {
        let mut end = from;
        for at in from..to {
            let place = self.work.near[at].0;
            let bits = self.parts_near::<L>(token, outer, place);
            self.work.near[end] = (place, bits);
            end += usize::from(bits != 0);
        }
        end
    }

    /// A bit for each part of one that may be; all where no blocks hold their boxes.
    #[inline(always)]
    pub(super) fn parts_near<L: Floats>(
        &mut self,
        token: L::Token,
        outer: &AabbF32,
        place: u32,
    ) -> u64 {
        let buffers = self.now.buffers;
        let range = buffers.entries[place as usize].rows;
        self.report.counts.parts += range.len.next_multiple_of(BLOCK) as u64;
        match range.len {
            0 => u64::MAX,
            _ => in_box::<L>(token, outer, buffers.rows.range(range)),
        }
    }

    /// Puts what was found behind the answers.
    #[inline(always)]
    pub(super) fn hand_over(&mut self, answers: &mut Vec<NodeRef>) {
        if !self.work.held.is_empty() {
            self.hand_all(answers);
        }
    }

    #[inline(never)]
    fn hand_all(&mut self, answers: &mut Vec<NodeRef>) {
        let mut slack = 0.0;
        for held in &self.work.held {
            answers.push(self.now.node_ref(held.key));
            slack = if held.slack > slack { held.slack } else { slack };
        }
        self.work.held.clear();
        self.state(slack);
    }

    /// The slack is that at least.
    #[inline(always)]
    pub(super) fn state(&mut self, slack: f64) {
        if slack > self.report.slack.wide() {
            self.report.slack = T::at_least(slack);
        }
    }

    /// All that is in the region, in the order of answers.
    // Not inlined, as `shoot_character` in `shoot` is not.
    #[inline(never)]
    fn search(
        &mut self,
        asked: (&QueryShape<T>, &Local),
        (from, to): (usize, usize),
        answers: &mut Vec<NodeRef>,
    ) {
        for at in from..to {
            let (place, bits) = self.work.near[at];
            if self.search_character(asked, place, bits).is_break() {
                break;
            }
        }
        self.hand_over(answers);
    }

    /// Those parts of a character, unless it is left out.
    #[inline]
    pub(super) fn search_character(
        &mut self,
        (region, world): (&QueryShape<T>, &Local),
        place: u32,
        mut bits: u64,
    ) -> ControlFlow<()> {
        let (bounds, rows) =
            (&self.now.buffers.entries[place as usize].bounds, self.has_rows(place));
        // The test against one part costs as much as that against all, or less where it is told
        // apart.
        let few = rows && (world.is_solid() || world.is_angular() && bits.count_ones() <= FEW);
        let near = few || in_world(world, bounds);
        if self.is_excluded(place) || !near {
            return Continue(());
        }
        let host = self.host(place);
        if !rows {
            return self.search_many((region, Some(world)), &host);
        }
        while bits != 0 {
            let part = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.search_part((&host, part), (region, Some(world)))?;
        }
        Continue(())
    }

    /// A character with so many parts that no blocks hold their boxes.
    pub(super) fn search_many(
        &mut self,
        (region, world): (&QueryShape<T>, Option<&Local>),
        host: &Host<'a, T>,
    ) -> ControlFlow<()> {
        let round;
        let near = match world {
            Some(world) => world,
            None => {
                round = Local::of_world(region, 0.0);
                &round
            }
        };
        let met = |bounds: &Aabb<T, 3>| in_world(near, bounds);
        self.each_of_many(host, met, |walk, part| walk.search_part((host, part), (region, world)))
    }
}

/// Whether a part or character may be met, by its world box.
pub(super) fn in_world<T: Scalar>(world: &Local, bounds: &Aabb<T, 3>) -> bool {
    !bounds.is_empty() && world.meets_aligned(bounds)
}
