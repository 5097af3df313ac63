//! Contact of two bodies: of their geometries, not of boxes around them.

use nalgebra::{Point3, Unit, Vector3};

use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, rotate, rotate_back, scale, sub};
use crate::pair::Contact;
use crate::shape::{nearest_point, wide_point};
use crate::tree::{Accuracy, NodeId, Push, TreePair, TreeScratch};

/// Facts known about two bodies that a query reports.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReportedBodies<T: Scalar> {
    /// `true` if they certainly share a point.
    pub touch: bool,
    /// Upper bound on their distance beyond the margin of the pair [world units].
    pub slack: T,
    /// Direction to prefer for the normal. [world frame]
    pub preferred: Option<Vec3>,
}

impl<T: Scalar> TreePair<'_, T> {
    /// Measures the contact of two bodies that are reported: exactly, whatever the accuracy that
    /// found them.
    ///
    /// If they share a point, normal and depth are those of their
    /// [separation](TreePair::separation), and the point is the centroid of their [intersection
    /// curve](TreePair::intersection_curve), or without one the middle of the two points that
    /// separate last. If they are disjoint, the depth is minus their distance, and point and normal
    /// are the middle and the direction of their closest points.
    pub(crate) fn body_contact(
        &self,
        reported: &ReportedBodies<T>,
        scratch: &mut TreeScratch,
    ) -> Contact<T> {
        let (exact, margin) = (self.with_margin(0.0), self.margin);
        // A curve also proves that they touch.
        let (curve, are_placed) = exact.curve_and_lists(scratch);
        let touch = reported.touch || curve.is_some() || exact.touches_at(Accuracy::Exact, scratch);
        if !touch {
            return exact.disjoint_contact((reported.slack, margin), scratch);
        }
        let preferred = reported
            .preferred
            .map(|normal| Unit::new_unchecked(Vector3::from(normal.map(T::nearest))));
        let push = Push::least().near(preferred);
        let last = exact.separation_of_touching(&push, are_placed, scratch);
        let Some((normal, last)) = last else { return exact.root_contact() };
        let centre = || midpoint(wide_point(last.on_a), wide_point(last.on_b));
        let point = curve.map_or_else(centre, |curve| wide_point(curve.centroid));
        let depth = if last.shift.wide() > 0.0 { last.shift } else { T::zero() };
        exact.contact_at(point, normal, depth, exact.primitive_slack())
    }

    /// Measures two bodies that share no point.
    fn disjoint_contact(&self, (slack, margin): (T, f64), scratch: &mut TreeScratch) -> Contact<T> {
        let closest = self.closest_incumbent(Accuracy::Exact, f64::INFINITY, scratch);
        let Some(closest) = closest else { return self.root_contact() };
        // The report proves that they are no further apart.
        let limit = slack.wide() + margin;
        let most = T::at_most(limit);
        let distance = T::at_least(closest.distance);
        let distance = if distance < most { distance } else { most };
        let beyond = T::at_least((distance.wide() - margin).max(0.0));
        let slack = if beyond < slack { beyond } else { slack };
        let placement = &self.placements()[0];
        let point = placement.point(midpoint(closest.closest.on_a, closest.closest.on_b()));
        let direction = match direction_of(closest.closest.offset) {
            Some(direction) => rotate(&placement.rotation, direction),
            // The distance underflows.
            None => return Contact { depth: -distance, slack, ..self.root_contact() },
        };
        let swapped = self.ordered_pair().swapped;
        let normal = if swapped { scale(direction, -1.0) } else { direction };
        self.contact_at(point, normal, -distance, slack)
    }

    /// Returns the contact of the boxes around both bodies.
    fn root_contact(&self) -> Contact<T> {
        self.contact(NodeId::ROOT, NodeId::ROOT)
    }

    fn contact_at(&self, point: Vec3, normal: Vec3, depth: T, slack: T) -> Contact<T> {
        let point = nearest_point(point);
        let normal = Vector3::from(normal.map(T::nearest));
        Contact { point, point_error: self.farthest_common(point), normal, depth, slack }
    }

    /// Returns an upper bound on the distance of a point from any point that both bodies share: all
    /// of these are in both root boxes. [world units]
    fn farthest_common(&self, point: Point3<T>) -> T {
        let ordered = self.ordered_pair();
        let (trees, placements) = ([ordered.first.tree, ordered.second.tree], self.placements());
        let farthest = [0, 1].map(|side| {
            let root = trees[side].nodes[0].oriented.wide().placed(&placements[side]);
            let offset = rotate_back(&root.axes, sub(wide_point(point), root.center));
            let far = [0, 1, 2].map(|i| offset[i].abs() + root.half_extents[i]);
            length(far) + self.leaf_error(&root, &root)
        });
        T::at_least(if farthest[1] < farthest[0] { farthest[1] } else { farthest[0] })
    }
}

fn midpoint(a: Vec3, b: Vec3) -> Vec3 {
    scale(add(a, b), 0.5)
}

/// Returns the unit vector along an offset, however short; `None` for a zero offset.
fn direction_of(offset: Vec3) -> Option<Vec3> {
    let largest = offset.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    (largest > 0.0).then(|| {
        let offset = offset.map(|x| x / largest);
        scale(offset, 1.0 / length(offset))
    })
}
