//! Test of whether one part lies inside the other without touching its surface.

use crate::num::Scalar;
use crate::num::linear::{Vec3, relative_axes, rotate_back, sub};
use crate::shape::{ExactRelativePose, RelativePose};
use crate::tree::store::enclosure::{Enclosure, InsideProbe};
use crate::tree::{OrderedPair, PlacedTree, TreePair, TreeScratch};

/// Returns `true` if one part lies inside the other, given that the roots touch.
pub(in crate::tree) fn either_inside<T: Scalar>(
    pair: &TreePair<'_, T>,
    scratch: &mut TreeScratch,
) -> bool {
    common_point(pair, scratch).is_some()
}

/// Returns a world point of a component of one part that lies in the other, a solid mesh, or on its
/// surface.
///
/// The roots have to touch. Where the surfaces are disjoint, this decides whether the parts share a
/// point: each component lies wholly inside or outside, so one point of it suffices.
pub(in crate::tree) fn common_point<T: Scalar>(
    pair: &TreePair<'_, T>,
    scratch: &mut TreeScratch,
) -> Option<Vec3> {
    let OrderedPair { first, second, .. } = pair.ordered_pair();
    let (of_first, of_second) = (first.tree.enclosure(), second.tree.enclosure());
    of_first
        .and_then(|outer| first_point_inside((first, outer), second, scratch))
        .or_else(|| of_second.and_then(|outer| first_point_inside((second, outer), first, scratch)))
}

fn first_point_inside<T: Scalar>(
    (outer, enclosure): (&PlacedTree<'_, T>, Enclosure<'_, T>),
    inner: &PlacedTree<'_, T>,
    scratch: &mut TreeScratch,
) -> Option<Vec3> {
    let (outer_placement, inner_placement) = (outer.placement(), inner.placement());
    let rotation = relative_axes(&outer_placement.rotation, &inner_placement.rotation);
    let offset = rotate_back(
        &outer_placement.rotation,
        sub(inner_placement.position, outer_placement.position),
    );
    let relation = RelativePose::new(
        rotation,
        offset,
        outer.tree.radius_about_origin + inner.tree.radius_about_origin,
    );
    let inside_point = inner.tree.components.iter().copied().find(|&point| {
        let exact_point = || {
            let relation = ExactRelativePose::new(&outer.pose, &inner.pose);
            (relation.second_point(point), relation.denominator())
        };
        let probe =
            InsideProbe { point: relation.to_first(point), error: relation.error, exact_point };
        scratch.counts.points += 1;
        enclosure.contains(&probe, &mut scratch.path)
    });
    inside_point.map(|point| inner_placement.point(point))
}
