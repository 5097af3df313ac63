//! Regions put to one character.

use super::local::{Local, WORLD};
use super::struck::Answers;
use super::walk::Walk;
use super::{Inside, Region, Targets, Wanted};
use crate::num::Scalar;
use crate::num::lanes::{Kernel, Lanes};
use crate::scene::{Site, Snapshot};

/// Regions put to the character at that place; the level is chosen once for all of them.
pub(super) struct Alone<'q, 'a, T: Scalar> {
    pub now: &'q Snapshot<'a, T>,
    pub asked: (&'q Targets, Wanted),
    pub one: u32,
    pub regions: &'q [Region<T>],
    pub inside: &'q mut Inside<T>,
}

impl<T: Scalar> Kernel for Alone<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) {
        let Alone { now, asked, one, regions, inside } = self;
        let Answers { answers, ends, work, report, .. } = inside;
        let mut walk = Walk::new(now, asked, work, report);
        for region in regions {
            if !region.is_empty() {
                walk.report.counts.characters += 1;
                walk.put_to::<L>(token, region, one, answers);
            }
            ends.push(answers.len());
        }
    }
}

impl<T: Scalar> Walk<'_, '_, T> {
    /// A region that is not empty.
    #[inline(always)]
    fn put_to<L: Lanes>(
        &mut self,
        token: L::Token,
        region: &Region<T>,
        one: u32,
        answers: &mut Vec<Site>,
    ) {
        if let Some(outer) = region.outer() {
            let bits = self.parts_near::<L>(token, &outer, one);
            if bits != 0 {
                self.touch_one(region, (one, bits), answers);
            }
        } else if let Region::HalfSpace(plane) = region {
            self.dip_alone::<L>(token, (plane, one), answers);
        } else {
            self.search_alone::<L>(token, region, one, answers);
        }
    }

    /// What is not round.
    #[inline(always)]
    fn search_alone<L: Lanes>(
        &mut self,
        token: L::Token,
        region: &Region<T>,
        one: u32,
        answers: &mut Vec<Site>,
    ) {
        let world = Local::new(region, &WORLD, 2.0 * f64::from(self.now.around(Some(one)).0));
        let bits = self.parts_near::<L>(token, &world.outer(), one);
        if bits != 0 {
            let _ = self.search_character((region, &world), one, bits);
            self.hand_over(answers);
        }
    }
}
