//! The root of a tree, placed for the SAT prefilter, and the distance bounds that it gives.

use super::root_box::{F32_ROUNDING, RootBox, l1_distance};
use crate::num::Scalar;
use crate::num::linear::{
    IDENTITY, Vec3, absolute_sum, add, length, matrix_product, relative_axes, rotate, rotate_back,
    sub,
};
use crate::pair::rounded::slack_box::{face_axes_distance, positive_part};
use crate::sat::prefilter::PrefilterBox;
use crate::shape::{Placement, WideObb};
use crate::tree::{Accuracy, Counts, CutBounds, Geometry, NodeId, ObbTree};

impl<T: Scalar> ObbTree<T> {
    /// Returns the root's aligned box, placed.
    pub(crate) fn placed_root(&self, placement: &Placement) -> PrefilterBox {
        let RootBox { center, half, .. } = self.root;
        PrefilterBox::new(placement.point(center), &placement.rotation, half, self.pads(placement))
    }

    /// Returns centre and half extents of the root's aligned box in the part's frame.
    pub(crate) fn root_box(&self) -> (Vec3, Vec3) {
        (self.root.center, self.root.half)
    }

    /// Returns the root's oriented box, placed.
    pub(crate) fn placed_oriented_root(&self, placement: &Placement) -> PrefilterBox {
        let root = self.node(NodeId::ROOT).oriented.wide();
        let axes = matrix_product(&placement.rotation, &root.axes);
        PrefilterBox::new(
            placement.point(root.center),
            &axes,
            root.half_extents,
            self.pads(placement),
        )
    }

    /// Returns `true` if [`ObbTree::placed_root`] is the oriented box too.
    pub(crate) fn root_oriented_is_aligned(&self) -> bool {
        self.root.oriented_is_aligned
    }

    pub(crate) fn has_root_hull(&self) -> bool {
        self.hulls.hull(0).is_some()
    }

    /// Returns `true` if the geometry is one hand-made box.
    pub(crate) fn is_single_box(&self) -> bool {
        matches!(&self.geometry, Geometry::Boxes(boxes) if boxes.len() == 1)
    }

    /// Returns `true` if the tree is a single axis-aligned box that is all the geometry, up to much
    /// less than the prefilter resolves.
    pub(crate) fn box_is_geometry(&self) -> bool {
        let (Some(([center, half], _)), Geometry::Boxes(solids)) =
            (self.single_aabb(), &self.geometry)
        else {
            return false;
        };
        let off = |solid: WideObb| {
            l1_distance(center, solid.center) + l1_distance(half, solid.half_extents)
        };
        let size = half[0] + half[1] + half[2];
        let is = |solid: WideObb| solid.axes == IDENTITY && off(solid) <= size * F32_ROUNDING;
        matches!(&solids[..], [solid] if is(solid.wide()))
    }

    /// Returns centre and half extents of the only box, if it is axis-aligned, and its bounds.
    #[inline(always)]
    pub(crate) fn single_aabb(&self) -> Option<([Vec3; 2], CutBounds)> {
        let is_single = self.nodes.len() == 1 && self.root.oriented_is_aligned;
        is_single.then(|| ([self.root.center, self.root.half], self.cut_bounds[0]))
    }

    /// Returns the sizes that enter the pads beside the box: the share of the radius about the
    /// origin, and an upper bound on the distance of any point from the world's origin.
    fn pads(&self, placement: &Placement) -> [f64; 2] {
        let [x, y, z] = placement.position;
        [
            T::REACH_SHARE * self.radius_about_origin,
            x.abs() + y.abs() + z.abs() + self.radius_about_origin,
        ]
    }
}

/// Returns `true` if the aligned boxes of the roots of these trees bound their distance at an
/// accuracy: at a cut, oriented boxes decide, which may reach beyond the aligned ones, unless a
/// tree is a single box.
fn roots_bound_distance<T: Scalar>(trees: &[&ObbTree<T>], accuracy: Accuracy) -> bool {
    accuracy == Accuracy::Exact || trees.iter().all(|tree| tree.single_aabb().is_some())
}

/// Returns a lower bound on the distance of two parts by the aligned boxes of their roots, which
/// may be negative; `None` unless the accuracy is `Exact` or both trees are single boxes.
pub(crate) fn root_distance<T: Scalar>(
    [(a, place), (b, other)]: [(&ObbTree<T>, &Placement); 2],
    accuracy: Accuracy,
    counts: &mut Counts,
) -> Option<f64> {
    if !roots_bound_distance(&[a, b], accuracy) {
        return None;
    }
    counts.boxes[0] += 1;
    let ((center_a, half_a), (center_b, half_b)) = (a.root_box(), b.root_box());
    let rotation = relative_axes(&place.rotation, &other.rotation);
    let offset = rotate_back(&place.rotation, sub(other.position, place.position));
    let t = sub(add(rotate(&rotation, center_b), offset), center_a);
    // The pad is that of two nodes; sums of coordinates are no less than lengths and need no root.
    let radii = a.wide_radius_about_origin() + b.wide_radius_about_origin();
    let (far, sizes) = (radii + absolute_sum(offset), absolute_sum(half_a) + absolute_sum(half_b));
    let pad = T::LEAF_SLACK * sizes + far / (1u64 << 40) as f64;
    Some(face_axes_distance(&rotation, t, half_a, half_b) - 2.0 * pad)
}

/// Like [`root_distance`], for a part and a point.
pub(crate) fn root_distance_from_point<T: Scalar>(
    (tree, place): (&ObbTree<T>, &Placement),
    accuracy: Accuracy,
    point: Vec3,
    counts: &mut Counts,
) -> Option<f64> {
    if !roots_bound_distance(&[tree], accuracy) {
        return None;
    }
    counts.boxes[0] += 1;
    let (center, half) = tree.root_box();
    let offset = rotate_back(&place.rotation, sub(point, place.position));
    let t = sub(offset, center);
    let outside = [0, 1, 2].map(|i| positive_part(t[i].abs() - half[i]));
    // The pad is that of a node and a point, as for two nodes.
    let far = tree.wide_radius_about_origin() + absolute_sum(offset);
    let pad = T::LEAF_SLACK * absolute_sum(half) + far / (1u64 << 40) as f64;
    Some(length(outside) - 2.0 * pad)
}
