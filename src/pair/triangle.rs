//! Closest points of two triangles.

use super::near::{Between, Near, meet_exactly, parted};
use super::point::Face;
use super::segment::pierced;
use super::triangles::{Corners, touch};
use crate::num::linear::{IDENTITY, Vec3, dot, sub};
use crate::shape::Relation;

impl Between<Corners> for Corners {
    /// Takes a point where an edge pierces the other triangle; else the closest of two edges, or of
    /// a corner and the inside of the other.
    fn near(&self, other: &Corners) -> Near {
        let verdict = by_signs(self, other);
        let crossing = || (verdict != Some(false)).then(|| crossing(self, other)).flatten();
        crossing().unwrap_or_else(|| of_edges_and_corners(self, other))
    }

    fn meets(&self, other: &Corners) -> bool {
        by_signs(self, other).unwrap_or_else(|| closely(self, other).is_none())
    }

    fn apart(&self, other: &Corners) -> Option<Near> {
        match by_signs(self, other) {
            Some(true) => None,
            Some(false) => Some(of_edges_and_corners(self, other)),
            None => closely(self, other),
        }
    }
}

fn by_signs(a: &Corners, b: &Corners) -> Option<bool> {
    touch(a, b, &Relation { rotation: IDENTITY, offset: [0.0; 3], doubt: 0.0 })
}

/// Returns the closest points of two triangles that are nearly touching; `None` if they share a
/// point.
fn closely(a: &Corners, b: &Corners) -> Option<Near> {
    let near = a.near(b);
    let apart = a.surely_apart(b, &near) || parted(a, b, &near) || !meet_exactly(*a, *b);
    apart.then_some(near)
}

/// Returns a point where an edge of one triangle pierces the inside of the other.
fn crossing(a: &Corners, b: &Corners) -> Option<Near> {
    let (a, b) = (Face::new(a), Face::new(b));
    let found = (0..3).find_map(|i| pierced(&a.edge(i), &b).or_else(|| pierced(&b.edge(i), &a)));
    found.map(Near::common)
}

/// Returns the closest points of disjoint triangles. Source: Larsen, Gottschalk, Lin, Manocha, Fast
/// Proximity Queries with Swept Sphere Volumes (1999), with [`separates_third_corners`] as the
/// early out.
fn of_edges_and_corners(first: &Corners, second: &Corners) -> Near {
    let (a, b) = (Face::new(first), Face::new(second));
    let mut best: Option<Near> = None;
    for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
        let near = a.edge(i).near(&b.edge(j));
        if ends(&near, first[(i + 2) % 3], second[(j + 2) % 3]) {
            return near;
        }
        best = Some(best.map_or(near, |best| best.or(near)));
    }
    let best = first.iter().filter_map(|p| b.foot(*p)).fold(best, least);
    let feet = second.iter().filter_map(|p| a.foot(*p)).map(Near::reversed);
    feet.fold(best, least).unwrap_or(Near::new(first[0], sub(second[0], first[0])))
}

fn least(best: Option<Near>, near: Near) -> Option<Near> {
    Some(best.map_or(near, |best| best.or(near)))
}

/// Returns `true` if the closest points of two edges are those of the triangles: the third corners
/// lie on opposite sides of the offset. Always `false` for close edges, whose offset has no certain
/// direction.
#[inline]
fn ends(near: &Near, third_a: Vec3, third_b: Vec3) -> bool {
    let (to_a, to_b) = (sub(third_a, near.on_a), sub(third_b, near.on_b()));
    let size = dot(to_a, to_a) + dot(to_b, to_b);
    near.squared > size * (1.0 / (1u64 << 14) as f64)
        && dot(near.offset, to_a) <= 0.0
        && dot(near.offset, to_b) >= 0.0
}
