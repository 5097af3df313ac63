//! Closest points of two triangles.

use super::near::{Between, Line, Near, meet_exactly, parted};
use super::point::Face;
use super::relation::Relation;
use super::segment::pierced;
use super::triangles::{Corners, touch};
use crate::num::linear::{IDENTITY, Vec3, dot, sub};

impl Between<Corners> for Corners {
    /// Two edges, or a corner and the inside of the other, are closest; or an edge pierces the other.
    /// Source: Larsen, Gottschalk, Lin, Manocha, Fast Proximity Queries with Swept Sphere Volumes (1999), whose early end is
    /// that of [`ends`] here.
    fn near(&self, other: &Corners) -> Near {
        let (a, b) = (Face::new(self), Face::new(other));
        let mut best: Option<Near> = None;
        for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
            let near = a.edge(i).near(&b.edge(j));
            if ends(&near, self[(i + 2) % 3], other[(j + 2) % 3]) {
                return near;
            }
            best = Some(best.map_or(near, |best| best.or(near)));
        }
        let best = self.iter().filter_map(|p| b.foot(*p)).fold(best, least);
        let feet = other.iter().filter_map(|p| a.foot(*p)).map(Near::reversed);
        let best = feet.fold(best, least);
        let through = |line: Line, face: &Face| pierced(&line, face).map(Near::common);
        let crossings = (0..3).filter_map(|i| through(a.edge(i), &b).or(through(b.edge(i), &a)));
        crossings.fold(best, least).unwrap_or(Near::new(self[0], sub(other[0], self[0])))
    }

    fn meets(&self, other: &Corners) -> bool {
        let here = Relation { rotation: IDENTITY, offset: [0.0; 3], doubt: 0.0 };
        touch(self, other, &here).unwrap_or_else(|| {
            let near = self.near(other);
            !self.surely_apart(other, &near)
                && !parted(self, other, &near)
                && meet_exactly(*self, *other)
        })
    }
}

fn least(best: Option<Near>, near: Near) -> Option<Near> {
    Some(best.map_or(near, |best| best.or(near)))
}

/// Whether the closest points of two edges are those of the triangles: the third corners lie off to either side. Not asked
/// of what is close: the way between is short then and its direction rounded.
#[inline]
fn ends(near: &Near, third_a: Vec3, third_b: Vec3) -> bool {
    let (to_a, to_b) = (sub(third_a, near.on_a), sub(third_b, near.on_b()));
    let size = dot(to_a, to_a) + dot(to_b, to_b);
    near.squared > size * (1.0 / (1u64 << 14) as f64)
        && dot(near.offset, to_a) <= 0.0
        && dot(near.offset, to_b) >= 0.0
}
