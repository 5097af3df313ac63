//! Sweep of two axis-aligned boxes.

use nalgebra::SVector;

use super::motion::impact_time;
use super::{Motion, Sweep, TimeSpan, UnroundedHit};
use crate::num::Scalar;
use crate::pair::results::CastHit;
use crate::shape::Aabb;

impl<T: Scalar, const D: usize> Sweep<T, D> for Aabb<T, D> {
    /// Intersects the contact intervals of all axes. An axis without relative speed is a test at
    /// rest. An empty box is never hit. Only the time is rounded, so the slack is that of the time.
    ///
    /// Source: Ericson, Real-Time Collision Detection (2005), 5.5.8.
    fn sweep_both(
        &self,
        displacement: SVector<T, D>,
        other: &Self,
        other_displacement: SVector<T, D>,
    ) -> Option<CastHit<T, D>> {
        let motion = Motion::new(displacement, other_displacement)?;
        if self.is_empty() || other.is_empty() {
            return None;
        }
        let (mut passage, mut entered) = (TimeSpan::ALWAYS, (f64::NEG_INFINITY, 0));
        for i in 0..D {
            let low = other.min[i].wide() - self.max[i].wide();
            let high = other.max[i].wide() - self.min[i].wide();
            let enter = passage.narrow(low, high, motion.relative[i])?;
            entered = if enter > entered.0 { (enter, i) } else { entered };
        }
        let time = impact_time::<T>(passage.enter);
        let contact = self.contact(other);
        let along = if motion.relative[entered.1] > 0.0 { 1.0 } else { -1.0 };
        let normal = std::array::from_fn(|i| if i == entered.1 { along } else { 0.0 });
        let touch = UnroundedHit {
            leave: passage.leave,
            normal: contact.map_or(normal, |c| c.normal.map(T::wide).into()),
            point: contact.map_or_else(
                || self.shared_middle(other, &motion, time.wide()),
                |c| c.point.coords.map(T::wide).into(),
            ),
            started_inside: contact.is_some(),
            slack: 0.0,
        };
        Some(touch.rounded(time, &motion))
    }
}

impl<T: Scalar, const D: usize> Aabb<T, D> {
    /// Returns the middle of the shared region at a time, axis by axis.
    fn shared_middle(&self, other: &Self, motion: &Motion<D>, time: f64) -> [f64; D] {
        std::array::from_fn(|i| {
            let (a, b) = (motion.first[i] * time, motion.second[i] * time);
            let low = (self.min[i].wide() + a).max(other.min[i].wide() + b);
            let high = (self.max[i].wide() + a).min(other.max[i].wide() + b);
            match (low.is_finite(), high.is_finite()) {
                (true, true) => 0.5 * low + 0.5 * high,
                (true, false) => low,
                (false, true) => high,
                (false, false) => 0.0,
            }
        })
    }
}
