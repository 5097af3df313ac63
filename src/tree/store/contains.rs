//! Containment of a world point in a placed solid mesh.

use super::enclosure::InsideProbe;
use crate::num::Scalar;
use crate::num::linear::{Vec3, length, rotate_back, sub};
use crate::shape::ExactRelativePose;
use crate::shape::{Placement, Pose};
use crate::tree::ObbTree;

impl<T: Scalar> ObbTree<T> {
    /// Returns `true` if the part is a solid mesh and contains the world point, or has it on its
    /// surface. Exact.
    pub(crate) fn contains_point(
        &self,
        pose: &Pose<T>,
        placement: &Placement,
        point: Vec3,
        path: &mut Vec<u32>,
    ) -> bool {
        let Some(enclosure) = self.enclosure() else { return false };
        let local = rotate_back(&placement.rotation, sub(point, placement.position));
        // The error bound is that of `Relation`.
        let error = (self.radius_about_origin + length(local)) / (1u64 << 45) as f64;
        let exact_point = || {
            let relation = ExactRelativePose::new(pose, &Pose::identity());
            (relation.second_point(point), relation.denominator())
        };
        enclosure.contains(&InsideProbe { point: local, error, exact_point }, path)
    }
}
