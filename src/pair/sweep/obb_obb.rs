//! Sweep of two oriented boxes.

use nalgebra::SVector;

use super::motion::{impact_time, length, plus, times};
use super::{Motion, Sweep, UnroundedHit, touching_features};
use crate::num::linear::{relative_axes, rotate, rotate_back, sub};
use crate::num::{Scalar, tolerance};
use crate::pair::results::CastHit;
use crate::sat::{RelativeRotation, sat_tolerance, sorted_wide_boxes};
use crate::shape::{Obb, WideObb};

impl<T: Scalar> Sweep<T, 3> for Obb<T> {
    /// Intersects the contact intervals of the 15 axes.
    ///
    /// Source: Ericson, Real-Time Collision Detection (2005), 5.5.2, with the slack of the test at
    /// rest.
    fn sweep_both(
        &self,
        displacement: SVector<T, 3>,
        other: &Self,
        other_displacement: SVector<T, 3>,
    ) -> Option<CastHit<T, 3>> {
        let motion = Motion::new(displacement, other_displacement)?;
        let ((first, second), swapped) = sorted_wide_boxes(self, other);
        if swapped {
            return Some(first_touch(&first, &second, &motion.swapped())?.reversed());
        }
        first_touch(&first, &second, &motion)
    }
}

fn first_touch<T: Scalar>(a: &WideObb, b: &WideObb, motion: &Motion<3>) -> Option<CastHit<T, 3>> {
    let axes = RelativeRotation::new(relative_axes(&a.axes, &b.axes));
    let t = rotate_back(&a.axes, sub(b.center, a.center));
    let d = rotate_back(&a.axes, motion.relative);
    let (half_a, half_b) = (a.half_extents, b.half_extents);
    let leaf = sat_tolerance::<T>(a, b);
    let slack = leaf + tolerance::SWEEP_SLACK * (length(t) + length(d));
    let (passage, direction) = axes.passage([t, d], [half_a, half_b], slack)?;
    let time = impact_time::<T>(passage.enter);
    let gap = tolerance::gap(slack, a.radius() + b.radius(), Some(axes.least_sine()));
    let mut touch = UnroundedHit {
        leave: passage.leave,
        normal: rotate(&a.axes, direction),
        point: [0.0; 3],
        started_inside: false,
        slack: gap,
    };
    if passage.enter > 0.0 {
        let moved = |solid: &WideObb, by| WideObb {
            center: plus(solid.center, times(by, time.wide())),
            ..*solid
        };
        let (a, b) = (moved(a, motion.first), moved(b, motion.second));
        touch.point = touching_features::common_point(&a, &b, touch.normal);
    } else {
        touch.started_inside = !axes.apart(t, half_a, half_b, leaf);
        touch.normal = rotate(&a.axes, axes.least_overlap::<T>((), t, [half_a, half_b]).direction);
        touch.point = crate::pair::contact::wide_diagonal_ratio((), a, b);
    }
    Some(touch.rounded(time, motion))
}
