//! Regions against the characters and their parts.

use std::ops::ControlFlow::{self, Continue};

use super::ask::sum_up;
use super::local::{Local, WORLD};
use super::outer::Outer;
use super::struck::Answers;
use super::walk::{Host, Walk};
use super::{Inside, Region, Targets, Wanted};
use crate::model::rows::BLOCK;
use crate::num::Scalar;
use crate::num::lanes::{Kernel, Lanes};
use crate::scene::Snapshot;
use crate::shape::Aabb;

/// Regions: the level is chosen once for all of them, as [`Volley`](super::aim::Volley) has it for rays.
///
/// Points and balls take each step some at once: so none waits for what another comes upon in memory.
pub(super) struct Search<'q, 'a, T: Scalar> {
    pub now: &'q Snapshot<'a, T>,
    pub asked: (&'q Targets, Wanted),
    pub one: Option<u32>,
    pub regions: &'q [Region<T>],
    pub inside: &'q mut Inside<T>,
}

impl<T: Scalar> Kernel for Search<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) {
        let Search { now, asked, one, regions, inside } = self;
        let Answers { answers, ends, work, report, .. } = inside;
        for regions in regions.chunks(AT_ONCE) {
            work.near.clear();
            let mut near_to = [(0, 0); AT_ONCE];
            for (region, range) in regions.iter().zip(&mut near_to) {
                if let Some(outer) = region.outer() {
                    *range = Walk::new(now, asked, work, report).near::<L>(token, &outer, one);
                }
            }
            for (region, &range) in regions.iter().zip(&near_to) {
                if let Some(outer) = region.outer() {
                    Walk::new(now, asked, work, report).near_parts::<L>(token, &outer, range);
                }
            }
            for (region, range) in regions.iter().zip(near_to) {
                let mut walk = Walk::new(now, asked, work, report);
                if region.round().is_some() {
                    walk.search(region, None, range);
                } else if !region.is_empty() {
                    walk.search_alone::<L>(token, region, one);
                }
                if !work.found.is_empty() {
                    answers.extend(work.found.iter().map(|raw| now.site(raw.key)));
                    sum_up(&work.found, report);
                }
                ends.push(answers.len());
            }
        }
    }
}

/// As many points and balls as take a step at once.
const AT_ONCE: usize = 32;

/// A character and a bit for each part that may be met; none where no blocks hold the boxes of its parts.
pub(super) type NearTo = (u32, u64);

impl<'a, T: Scalar> Walk<'a, '_, T> {
    /// What is not round: seen from the world it is too large to be kept for later.
    #[inline(always)]
    fn search_alone<L: Lanes>(&mut self, token: L::Token, region: &Region<T>, one: Option<u32>) {
        let (out, _) = self.now.around(one);
        // Only culls, so it may be taken for further off than it is.
        let world = Local::new(region, &WORLD, 2.0 * f64::from(out));
        let outer = world.outer();
        let range = self.near::<L>(token, &outer, one);
        self.near_parts::<L>(token, &outer, range);
        self.search(region, Some(&world), range);
        self.work.near.truncate(range.0);
    }

    /// Which characters may be met: a range of those near.
    #[inline(always)]
    fn near<L: Lanes>(
        &mut self,
        token: L::Token,
        outer: &Outer,
        one: Option<u32>,
    ) -> (usize, usize) {
        let first = self.work.near.len();
        self.report.counts.characters += match one {
            None => {
                let room = (&mut self.work.nodes, &mut self.work.near);
                outer.of_crowd::<L>(token, self.now.buffers.crowd(), room)
            }
            Some(one) => {
                self.work.near.push((one, 0));
                1
            }
        };
        (first, self.work.near.len())
    }

    /// Which parts of theirs may be.
    #[inline(always)]
    fn near_parts<L: Lanes>(&mut self, token: L::Token, outer: &Outer, (from, to): (usize, usize)) {
        let buffers = self.now.buffers;
        for (place, bits) in &mut self.work.near[from..to] {
            let range = buffers.entries[*place as usize].rows;
            *bits = outer.of_parts::<L>(token, buffers.rows.range(range), range.len);
            self.report.counts.parts += range.len.next_multiple_of(BLOCK) as u64;
        }
    }

    /// All that is in the region, in the order of answers.
    // Called: see `shoot_character`.
    #[inline(never)]
    fn search(&mut self, region: &Region<T>, world: Option<&Local>, (from, to): (usize, usize)) {
        for at in from..to {
            let (place, bits) = self.work.near[at];
            if (bits != 0 || !self.has_rows(place))
                && self.search_character((region, world), place, bits).is_break()
            {
                break;
            }
        }
    }

    /// Those parts of a character, unless it is left out.
    #[inline(always)]
    fn search_character(
        &mut self,
        (region, world): (&Region<T>, Option<&Local>),
        place: u32,
        mut bits: u64,
    ) -> ControlFlow<()> {
        let bounds = &self.now.buffers.entries[place as usize].bounds;
        if self.is_excluded(place) || !world.is_none_or(|world| in_world(world, bounds)) {
            return Continue(());
        }
        let host = self.host(place);
        if !self.has_rows(place) {
            return self.search_many(region, world, &host);
        }
        while bits != 0 {
            let part = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.search_part((&host, part), (region, world))?;
        }
        Continue(())
    }

    /// A character with so many parts that no blocks hold their boxes.
    fn search_many(
        &mut self,
        region: &Region<T>,
        world: Option<&Local>,
        host: &Host<'a, T>,
    ) -> ControlFlow<()> {
        let round;
        let near = match world {
            Some(world) => world,
            None => {
                round = Local::new(region, &WORLD, 0.0);
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
