//! Boxes and frusta seen from a part that is one box along its frame: nothing is put together that
//! this box does not need.

use super::local::{Kind, Local, SHARE, seen_solid};
use crate::num::linear::{Vec3, dot, sub};
use crate::sat::box_meets_aligned;
use crate::sat::polytope::Hull;
use crate::shape::{Placement, WideObb};

/// A region with edges seen from a part.
pub(super) struct Edged<'k> {
    kind: Edges<'k>,
    /// As that of [`Local`].
    pub doubt: f64,
}

enum Edges<'k> {
    Solid(WideObb),
    Hull(&'k Hull, &'k Placement),
}

impl<'k> Edged<'k> {
    /// What is seen from the world there; `None` for what has no edges. `reach` is how far the
    /// part's points are from its origin.
    #[inline(always)]
    pub fn new(world: &'k Local, place: &'k Placement, reach: f64) -> Option<Self> {
        let (kind, far) = match &world.kind {
            Kind::Solid(solid) => {
                let (seen, far) = seen_solid(solid, place);
                (Edges::Solid(seen), far)
            }
            Kind::Hull(hull, _) => {
                (Edges::Hull(hull, place), farthest(hull.corners(), place.position))
            }
            _ => return None,
        };
        Some(Edged { kind, doubt: (far + reach) * SHARE })
    }

    /// As [`Local::meets_upright`].
    #[inline(always)]
    pub fn meets_upright(&self, only: [Vec3; 2]) -> bool {
        match &self.kind {
            Edges::Solid(solid) => box_meets_aligned(solid, only, self.doubt),
            Edges::Hull(hull, place) => hull.meets_aligned(place, only, self.doubt),
        }
    }
}

/// How far the furthest corner is from there.
#[inline(always)]
pub(super) fn farthest(corners: &[Vec3], from: Vec3) -> f64 {
    let mut most = 0.0;
    for &corner in corners {
        let to = sub(corner, from);
        let square = dot(to, to);
        most = if square > most { square } else { most };
    }
    most.sqrt()
}
