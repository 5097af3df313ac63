//! Test of whether one part lies inside the other without touching its surface.

use super::enclosure::{Enclosure, Probe};
use super::{OrderedPair, PlacedTree, TreePair, TreeScratch};
use crate::num::Scalar;
use crate::num::linear::{Vec3, relative, sub, turn_back};
use crate::shape::{ExactRelation, Relation};

/// Returns `true` if one part lies inside the other, given that the roots touch.
pub(super) fn either<T: Scalar>(pair: &TreePair<'_, T>, scratch: &mut TreeScratch) -> bool {
    common(pair, scratch).is_some()
}

/// Returns a world point of a component of one part that lies in the other, a solid mesh, or on its
/// surface.
///
/// The roots have to touch. Where the surfaces are disjoint, this decides whether the parts share a
/// point: each component lies wholly inside or outside, so one point of it suffices.
pub(super) fn common<T: Scalar>(pair: &TreePair<'_, T>, scratch: &mut TreeScratch) -> Option<Vec3> {
    let OrderedPair { first, second, .. } = pair.ordered_pair();
    let (of_first, of_second) = (first.tree.enclosure(), second.tree.enclosure());
    of_first
        .and_then(|outer| any_inside((first, outer), second, scratch))
        .or_else(|| of_second.and_then(|outer| any_inside((second, outer), first, scratch)))
}

fn any_inside<T: Scalar>(
    (outer, enclosure): (&PlacedTree<'_, T>, Enclosure<'_, T>),
    inner: &PlacedTree<'_, T>,
    scratch: &mut TreeScratch,
) -> Option<Vec3> {
    let (place, other) = (outer.placement(), inner.placement());
    let rotation = relative(&place.rotation, &other.rotation);
    let offset = turn_back(&place.rotation, sub(other.position, place.position));
    let relation = Relation::new(rotation, offset, outer.tree.reach + inner.tree.reach);
    let held = inner.tree.components.iter().copied().find(|&point| {
        let exactly = || {
            let relation = ExactRelation::new(&outer.pose, &inner.pose);
            (relation.second(point), relation.scale())
        };
        let probe = Probe { point: relation.seen(point), doubt: relation.doubt, exactly };
        scratch.counts.points += 1;
        enclosure.holds(&probe, &mut scratch.path)
    });
    held.map(|point| other.point(point))
}
