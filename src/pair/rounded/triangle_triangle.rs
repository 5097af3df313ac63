//! Closest points of two triangles.

use super::cores::{ClosestOnCores, CorePair, is_separating_offset, triangles_overlap_exactly};
use super::point::Face;
use super::segment::piercing_point;
use super::triangle_exact;
use super::triangle_exact::TriangleCorners;
use crate::num::linear::{IDENTITY, Vec3, dot, sub};
use crate::shape::RelativePose;

impl CorePair<TriangleCorners> for TriangleCorners {
    /// Takes a point where an edge pierces the other triangle; else the closest of two edges, or of
    /// a corner and the inside of the other.
    fn closest(&self, other: &TriangleCorners) -> ClosestOnCores {
        let verdict = overlap_by_signs(self, other);
        let crossing = || (verdict != Some(false)).then(|| piercing(self, other)).flatten();
        crossing().unwrap_or_else(|| closest_features(self, other))
    }

    fn overlaps(&self, other: &TriangleCorners) -> bool {
        overlap_by_signs(self, other)
            .unwrap_or_else(|| closest_unless_overlapping(self, other).is_none())
    }

    fn closest_if_disjoint(&self, other: &TriangleCorners) -> Option<ClosestOnCores> {
        match overlap_by_signs(self, other) {
            Some(true) => None,
            Some(false) => Some(closest_features(self, other)),
            None => closest_unless_overlapping(self, other),
        }
    }
}

fn overlap_by_signs(a: &TriangleCorners, b: &TriangleCorners) -> Option<bool> {
    triangle_exact::overlap_by_signs(
        a,
        b,
        &RelativePose { rotation: IDENTITY, offset: [0.0; 3], error: 0.0 },
    )
}

/// Returns the closest points of two triangles that are nearly touching; `None` if they share a
/// point.
fn closest_unless_overlapping(a: &TriangleCorners, b: &TriangleCorners) -> Option<ClosestOnCores> {
    let near = a.closest(b);
    let apart = a.is_surely_disjoint(b, &near)
        || is_separating_offset(a, b, &near)
        || !triangles_overlap_exactly(*a, *b);
    apart.then_some(near)
}

/// Returns a point where an edge of one triangle pierces the inside of the other.
fn piercing(a: &TriangleCorners, b: &TriangleCorners) -> Option<ClosestOnCores> {
    let (a, b) = (Face::new(a), Face::new(b));
    let found = (0..3)
        .find_map(|i| piercing_point(&a.edge(i), &b).or_else(|| piercing_point(&b.edge(i), &a)));
    found.map(ClosestOnCores::common)
}

/// Returns the closest points of disjoint triangles. Source: Larsen, Gottschalk, Lin, Manocha, Fast
/// Proximity Queries with Swept Sphere Volumes (1999), with [`separates_third_corners`] as the
/// early out.
fn closest_features(first: &TriangleCorners, second: &TriangleCorners) -> ClosestOnCores {
    let (a, b) = (Face::new(first), Face::new(second));
    let mut best: Option<ClosestOnCores> = None;
    for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
        let near = a.edge(i).closest(&b.edge(j));
        if separates_third_corners(&near, first[(i + 2) % 3], second[(j + 2) % 3]) {
            return near;
        }
        best = Some(best.map_or(near, |best| best.nearer(near)));
    }
    let best = first.iter().filter_map(|p| b.foot(*p)).fold(best, nearer_of);
    let feet = second.iter().filter_map(|p| a.foot(*p)).map(ClosestOnCores::reversed);
    feet.fold(best, nearer_of).unwrap_or(ClosestOnCores::new(first[0], sub(second[0], first[0])))
}

fn nearer_of(best: Option<ClosestOnCores>, near: ClosestOnCores) -> Option<ClosestOnCores> {
    Some(best.map_or(near, |best| best.nearer(near)))
}

/// Returns `true` if the closest points of two edges are those of the triangles: the third corners
/// lie on opposite sides of the offset. Always `false` for close edges, whose offset has no certain
/// direction.
#[inline]
fn separates_third_corners(near: &ClosestOnCores, third_a: Vec3, third_b: Vec3) -> bool {
    let (to_a, to_b) = (sub(third_a, near.on_a), sub(third_b, near.on_b()));
    let size = dot(to_a, to_a) + dot(to_b, to_b);
    near.squared > size * (1.0 / (1u64 << 14) as f64)
        && dot(near.offset, to_a) <= 0.0
        && dot(near.offset, to_b) >= 0.0
}
