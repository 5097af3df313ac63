//! Root box of a tree, placed for the SAT prefilter, and the distance bounds that it gives.

use super::{Accuracy, Coarsest, Counts, Geometry, Node, NodeId, ObbTree};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, add, product, relative, sub, turn, turn_back};
use crate::pair::apart::at_least_apart;
use crate::sat::prefilter::PrefilterBox;
use crate::shape::{Placement, WideObb, wide_matrix};

/// Aligned box of the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Root {
    center: Vec3,
    half: Vec3,
    /// `true` if the oriented box equals this one, up to much less than the prefilter resolves.
    upright: bool,
}

/// Rounding of single precision.
const SINGLE: f64 = f32::EPSILON as f64;

fn far(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).sum()
}

impl Root {
    pub fn new<T: Scalar>(root: &Node<T>) -> Self {
        let ((center, half), oriented) = (root.aligned.wide(), root.oriented.wide());
        let off = far(center, oriented.center) + far(half, oriented.half_extents);
        let size = half[0] + half[1] + half[2];
        let upright =
            wide_matrix(&root.oriented.axes()) == IDENTITY && off <= size * (0.5 * T::LEAF_SLACK);
        match upright {
            true => Root { center: oriented.center, half: oriented.half_extents, upright },
            false => Root { center, half, upright },
        }
    }
}

/// Returns `true` if the aligned boxes of the roots prove that two parts are further apart than
/// `most`. Only `Exact` and trees of a single box are tested: at a cut, oriented boxes decide,
/// which may reach beyond the aligned ones.
pub(crate) fn roots_beyond<T: Scalar>(
    [(a, place), (b, other)]: [(&ObbTree<T>, &Placement); 2],
    (accuracy, most): (Accuracy, f64),
    counts: &mut Counts,
) -> bool {
    let decides = accuracy == Accuracy::Exact || a.only_box().is_some() && b.only_box().is_some();
    if !decides {
        return false;
    }
    counts.boxes[0] += 1;
    let ((center_a, half_a), (center_b, half_b)) = (a.root_box(), b.root_box());
    let rotation = relative(&place.rotation, &other.rotation);
    let offset = turn_back(&place.rotation, sub(other.position, place.position));
    let t = sub(add(turn(&rotation, center_b), offset), center_a);
    // The pad is that of two nodes; sums of coordinates are no less than lengths and need no root.
    let sum = |v: Vec3| v[0].abs() + v[1].abs() + v[2].abs();
    let far = a.wide_reach() + b.wide_reach() + sum(offset);
    let pad = T::LEAF_SLACK * (sum(half_a) + sum(half_b)) + far / (1u64 << 40) as f64;
    at_least_apart(&rotation, t, half_a, half_b) - 2.0 * pad > most
}

impl<T: Scalar> ObbTree<T> {
    /// Returns the root's aligned box, placed.
    pub(crate) fn placed_root(&self, place: &Placement) -> PrefilterBox {
        let Root { center, half, .. } = self.root;
        PrefilterBox::new(place.point(center), &place.rotation, half, self.pads(place))
    }

    /// Returns centre and half extents of the root's aligned box in the part's frame.
    pub(crate) fn root_box(&self) -> (Vec3, Vec3) {
        (self.root.center, self.root.half)
    }

    /// Returns the root's oriented box, placed.
    pub(crate) fn placed_oriented_root(&self, place: &Placement) -> PrefilterBox {
        let root = self.node(NodeId::ROOT).oriented.wide();
        let axes = product(&place.rotation, &root.axes);
        PrefilterBox::new(place.point(root.center), &axes, root.half_extents, self.pads(place))
    }

    /// Returns `true` if [`ObbTree::placed_root`] is the oriented box too.
    pub(crate) fn is_upright(&self) -> bool {
        self.root.upright
    }

    pub(crate) fn has_root_hull(&self) -> bool {
        self.hulls.of(0).is_some()
    }

    /// Returns `true` if the tree is a single axis-aligned box that is all the geometry, up to much
    /// less than the prefilter resolves.
    pub(crate) fn is_whole(&self) -> bool {
        let (Some(([center, half], _)), Geometry::Boxes(solids)) =
            (self.only_box(), &self.geometry)
        else {
            return false;
        };
        let off = |solid: WideObb| far(center, solid.center) + far(half, solid.half_extents);
        let size = half[0] + half[1] + half[2];
        let is = |solid: WideObb| solid.axes == IDENTITY && off(solid) <= size * SINGLE;
        matches!(&solids[..], [solid] if is(solid.wide()))
    }

    /// Returns centre and half extents of the only box, if it is axis-aligned, and its bounds.
    #[inline(always)]
    pub(crate) fn only_box(&self) -> Option<([Vec3; 2], Coarsest)> {
        let alone = self.nodes.len() == 1 && self.root.upright;
        alone.then(|| ([self.root.center, self.root.half], self.coarsest[0]))
    }

    /// Returns the sizes that enter the pads beside the box: the share of the radius about the
    /// origin, and an upper bound on the distance of any point from the world's origin.
    fn pads(&self, place: &Placement) -> [f64; 2] {
        let [x, y, z] = place.position;
        [T::REACH_SHARE * self.reach, x.abs() + y.abs() + z.abs() + self.reach]
    }
}
