//! Sweep of a ball against the solid side of a plane.

use nalgebra::Vector3;

use super::motion::{impact_time, length, plus, times};
use super::{Motion, Sweep, TimeSpan, UnroundedHit};
use crate::num::linear::{add, dot, scale};
use crate::num::{Scalar, tolerance};
use crate::pair::results::CastHit;
use crate::shape::{Plane, Sphere, wide_point};

impl<T: Scalar> Sweep<T, 3, Plane<T>> for Sphere<T, 3> {
    /// Sweeps the lowest point against the solid side: a ball behind the plane starts inside. The
    /// plane from either side, and other shapes: [`Plane::sweep_surface`], [`Plane::sweep_solid`].
    fn sweep_both(
        &self,
        displacement: Vector3<T>,
        other: &Plane<T>,
        other_displacement: Vector3<T>,
    ) -> Option<CastHit<T, 3>> {
        let motion = Motion::new(displacement, other_displacement)?;
        let (plane, center) = (other.wide(), wide_point(self.center()));
        let up = scale(plane.normal, 1.0 / plane.length);
        let radius = self.radius().wide();
        let height = plane.height(center) - radius;
        let size = length(center) + plane.offset.abs() + radius + motion.length();
        let slack = tolerance::SWEEP_SLACK * size;
        let mut passage = TimeSpan::ALWAYS;
        passage.narrow(f64::NEG_INFINITY, slack - height, dot(up, motion.relative))?;
        let time = impact_time::<T>(passage.enter);
        let started_inside = height <= 0.0;
        // Deepest point of the ball; half way back for a start inside, like the point of a contact.
        let down = if started_inside { -radius - 0.5 * height } else { -radius };
        let low = add(center, scale(up, down));
        let touch = UnroundedHit {
            leave: passage.leave,
            normal: scale(up, -1.0),
            point: plus(low, times(motion.first, time.wide())),
            started_inside,
            slack: 2.0 * slack,
        };
        Some(touch.rounded(time, &motion))
    }
}

impl<T: Scalar> Sweep<T, 3, Sphere<T, 3>> for Plane<T> {
    fn sweep_both(
        &self,
        displacement: Vector3<T>,
        other: &Sphere<T, 3>,
        other_displacement: Vector3<T>,
    ) -> Option<CastHit<T, 3>> {
        let hit = other.sweep_both(other_displacement, self, displacement);
        hit.map(|hit| hit.reversed())
    }
}
