//! Regions put to one character.

use super::early::outer_of;
use super::local::Local;
use super::results::QueryResults;
use super::walk::Walk;
use super::{HitMode, Overlaps, QueryFilter, QueryShape};
use crate::num::Scalar;
use crate::num::simd::{FloatKernel, Floats};
use crate::scene::{NodeRef, Snapshot};
use crate::shape::wide_point;

/// Regions put to the character at that place; the level is chosen once for all of them.
pub(super) struct Alone<'q, 'a, T: Scalar> {
    pub now: &'q Snapshot<'a, T>,
    pub asked: (&'q QueryFilter<'q>, HitMode),
    pub one: u32,
    pub regions: &'q [QueryShape<T>],
    pub inside: &'q mut Overlaps<T>,
}

impl<T: Scalar> FloatKernel for Alone<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let Alone { now, asked, one, regions, inside } = self;
        let QueryResults { answers, ends, work, report, .. } = inside;
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
    fn put_to<L: Floats>(
        &mut self,
        token: L::Token,
        region: &QueryShape<T>,
        one: u32,
        answers: &mut Vec<NodeRef>,
    ) {
        if let Some(outer) = region.outer() {
            let bits = self.parts_near::<L>(token, &outer, one);
            if bits != 0 {
                self.touch_one(region, (one, bits), answers);
            }
        } else if let QueryShape::HalfSpace(plane) = region {
            self.dip_alone::<L>(token, (plane, one), answers);
        } else {
            self.search_alone::<L>(token, region, one, answers);
        }
    }

    /// What is not round.
    #[inline(always)]
    fn search_alone<L: Floats>(
        &mut self,
        token: L::Token,
        region: &QueryShape<T>,
        one: u32,
        answers: &mut Vec<NodeRef>,
    ) {
        let reach = 2.0 * f64::from(self.now.around(Some(one)).0);
        if let (QueryShape::Frustum(frustum), HitMode::Any) = (region, self.wanted) {
            let corners = frustum.corners().map(wide_point);
            let outer = outer_of(&corners, reach);
            let bits = self.parts_near::<L>(token, &outer, one);
            if bits != 0 && !self.holds_middle(&corners, (one, bits), answers) {
                self.search_one((region, &Local::of_world(region, reach)), (one, bits), answers);
            }
            return;
        }
        let world = Local::of_world(region, reach);
        let bits = self.parts_near::<L>(token, &world.outer(), one);
        if bits != 0 {
            self.search_one((region, &world), (one, bits), answers);
        }
    }

    fn search_one(
        &mut self,
        asked: (&QueryShape<T>, &Local),
        (one, bits): (u32, u64),
        answers: &mut Vec<NodeRef>,
    ) {
        let _ = self.search_character(asked, one, bits);
        self.hand_over(answers);
    }
}
