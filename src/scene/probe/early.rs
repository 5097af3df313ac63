//! Frusta of which anything will do: before its faces are found, its middles are put to the boxes
//! of the parts.
//!
//! # What is certain
//! A mean of the corners is in the frustum. It is reckoned from the first corner on, so seen from a
//! part it is off by a share of how far out the corners are there, as everything that is seen from
//! there: so what it is in is met by all axes too.

use super::ball::Ball;
use super::edged::farthest;
use super::half::pad;
use super::local::{SHARE, ends_of, grown};
use super::walk::{Walk, decides};
use crate::broad_phase::AabbF32;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale, sub, turn_back};
use crate::scene::NodeRef;
use crate::tree::Coarsest;

/// What holds a frustum of these corners, put to boxes no further out than that.
pub(super) fn outer_of(corners: &[Vec3; 8], reach: f64) -> AabbF32 {
    grown(ends_of(corners), (farthest(corners, [0.0; 3]) + reach) * SHARE)
}

/// The mean of some corners, seen from the first.
fn mean(corners: &[Vec3]) -> Vec3 {
    let mut sum = [0.0; 3];
    for &corner in corners {
        sum = add(sum, sub(corner, corners[0]));
    }
    scale(sum, 1.0 / corners.len() as f64)
}

impl<T: Scalar> Walk<'_, '_, T> {
    /// Whether one of those parts of a character, one box along its frame, holds the middle of the
    /// frustum or that of its near face; then takes note of it.
    #[inline(never)]
    pub(super) fn holds_middle(
        &mut self,
        corners: &[Vec3; 8],
        (place, mut bits): (u32, u64),
        answers: &mut Vec<NodeRef>,
    ) -> bool {
        if self.is_excluded(place) || !self.has_rows(place) {
            return false;
        }
        let (host, middles) = (self.host(place), [mean(&corners[..4]), mean(corners)]);
        while bits != 0 {
            let part = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let (placement, tree) = (&host.placed[part].placement, host.tree(part));
            let Some(([center, half], Coarsest { bound, radius })) = tree.only_box() else {
                continue;
            };
            let out = sub(corners[0], placement.position);
            let holds = |middle: Vec3| {
                let seen = turn_back(&placement.rotation, add(out, middle));
                Ball { center: seen, radius: 0.0, doubt: 0.0 }.meets((center, half))
            };
            self.report.counts.boxes[0] += 1;
            if !(holds(middles[0]) || holds(middles[1])) || !self.includes(&host, part) {
                continue;
            }
            let doubt = (farthest(corners, placement.position) + tree.wide_reach()) * SHARE;
            let slack = bound + pad::<T>(doubt, radius);
            if decides(self.targets.overlap_accuracy(), slack) {
                answers.push(self.now.node_ref([place, part as u32, 0]));
                self.state(slack);
                return true;
            }
        }
        false
    }
}
