//! Points and balls, which are asked about most: without the room that other regions take.

use std::ops::ControlFlow::{self, Break, Continue};

use super::half::pad;
use super::local::SHARE;
use super::walk::{Host, Walk, decides};
use super::{HitMode, QueryShape};
use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, sub, turn_back};
use crate::scene::NodeRef;
use crate::shape::Placement;
use crate::tree::Coarsest;

/// A ball, or a point, in some frame, in double precision.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    pub center: Vec3,
    pub radius: f64,
    /// What it and the frame are off. Units.
    pub doubt: f64,
}

impl Ball {
    /// Seen from a part; `reach` is how far its points are from its origin.
    #[inline(always)]
    pub fn new((center, radius): (Vec3, f64), place: &Placement, reach: f64) -> Self {
        let center = turn_back(&place.rotation, sub(center, place.position));
        // A sum, which is no less than the length, takes no root.
        let far = center[0].abs() + center[1].abs() + center[2].abs() + radius;
        Ball { center, radius, doubt: (far + reach) * SHARE }
    }

    /// Whether it may share a point with the box along its frame, given by centre and half extents.
    #[inline(always)]
    pub fn meets(&self, (center, half): (Vec3, Vec3)) -> bool {
        let [x, y, z] = sub(self.center, center);
        self.reaches([x.abs() - half[0], y.abs() - half[1], z.abs() - half[2]])
    }

    /// The same of one given by its ends, which may be further out than anything that its doubt
    /// knows of: nothing is rounded twice.
    #[inline(always)]
    pub fn meets_between(&self, [low, high]: [Vec3; 2]) -> bool {
        let beyond = |i: usize| f64::max(low[i] - self.center[i], self.center[i] - high[i]);
        self.reaches([beyond(0), beyond(1), beyond(2)])
    }

    /// Whether it reaches as far; what is below zero is no way.
    #[inline(always)]
    fn reaches(&self, [x, y, z]: Vec3) -> bool {
        let out = [positive(x), positive(y), positive(z)];
        let reach = self.radius + self.doubt;
        dot(out, out) <= reach * reach
    }
}

#[inline(always)]
fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}

impl<'a, T: Scalar> Walk<'a, '_, T> {
    /// What of the characters near a point or a ball it meets, in the order of answers.
    // Not inlined, as `shoot_character` in `shoot` is not.
    #[inline(never)]
    pub(super) fn touch_all(
        &mut self,
        region: &QueryShape<T>,
        (from, to): (usize, usize),
        answers: &mut Vec<NodeRef>,
    ) {
        for at in from..to {
            if self.touch_character(region, self.work.near[at], answers).is_break() {
                break;
            }
        }
    }

    /// What of one character it meets.
    #[inline(never)]
    pub(super) fn touch_one(
        &mut self,
        region: &QueryShape<T>,
        near: (u32, u64),
        answers: &mut Vec<NodeRef>,
    ) {
        let _ = self.touch_character(region, near, answers);
    }

    #[inline(always)]
    fn touch_character(
        &mut self,
        region: &QueryShape<T>,
        (place, mut bits): (u32, u64),
        answers: &mut Vec<NodeRef>,
    ) -> ControlFlow<()> {
        if self.is_excluded(place) {
            return Continue(());
        }
        let host = self.host(place);
        // All bits, too, where 64 parts are near.
        if bits == u64::MAX && !self.has_rows(place) {
            return self.touch_many(region, &host, answers);
        }
        while bits != 0 {
            let part = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            self.touch_part(region, (&host, part), answers)?;
        }
        Continue(())
    }

    /// A character with so many parts that no blocks hold their boxes.
    #[inline(never)]
    fn touch_many(
        &mut self,
        region: &QueryShape<T>,
        host: &Host<'a, T>,
        answers: &mut Vec<NodeRef>,
    ) -> ControlFlow<()> {
        let flow = self.search_many((region, None), host);
        self.hand_over(answers);
        flow
    }

    /// A part whose world box it may meet, by single precision.
    #[inline(always)]
    fn touch_part(
        &mut self,
        region: &QueryShape<T>,
        (host, part): (&Host<'a, T>, usize),
        answers: &mut Vec<NodeRef>,
    ) -> ControlFlow<()> {
        if !self.includes(host, part) {
            return Continue(());
        }
        let tree = host.tree(part);
        let (Some(round), Some(([center, half], Coarsest { bound, radius }))) =
            (region.round(), tree.only_box())
        else {
            return self.touch_tree(region, (host, part), answers);
        };
        let ball = Ball::new(round, &host.placed[part].placement, tree.wide_reach());
        let slack = bound + pad::<T>(ball.doubt, radius + ball.radius);
        if !decides(self.targets.overlap_accuracy(), slack) {
            return self.touch_tree(region, (host, part), answers);
        }
        self.report.counts.boxes[0] += 1;
        self.report.counts.oriented += 1;
        if !ball.meets((center, half)) {
            return Continue(());
        }
        answers.push(self.now.node_ref([host.place, part as u32, 0]));
        self.state(slack);
        if self.wanted == HitMode::Any { Break(()) } else { Continue(()) }
    }

    /// The same of a part that is more than one box along its frame.
    #[inline(never)]
    fn touch_tree(
        &mut self,
        region: &QueryShape<T>,
        (host, part): (&Host<'a, T>, usize),
        answers: &mut Vec<NodeRef>,
    ) -> ControlFlow<()> {
        let flow = self.search_part((host, part), (region, None));
        self.hand_over(answers);
        flow
    }
}
