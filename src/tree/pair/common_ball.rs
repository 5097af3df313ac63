//! Lower bound on the least translation that separates two bodies, by balls about a common point.
//!
//! If a point is `r` deep inside one body and `s` deep inside the other, the balls of these radii
//! about it, each fixed to its body, overlap until the second body has moved by `r + s` in any
//! direction.

use nalgebra::Point3;

use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, length, rotate_back, scale, sub};
use crate::pair::ConvexShape;
use crate::pair::convex::Support;
use crate::shape::{Placement, Pose, WideObb, WideTriangle, wide_point};
use crate::tree::{Geometry, ObbTree, TreePair, TreeScratch};

/// Number of points tried between the two that separate last.
const SAMPLE_COUNT: usize = 7;

/// Upper bound on rounding, as a share of the distances from the origins: `2^13 e`.
const ROUNDING_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

impl<T: Scalar> TreePair<'_, T> {
    /// Returns a lower bound on the least translation that separates the two; zero if none is found
    /// [world units]. `points` lie on either surface, first and second of the ordered pair.
    pub(crate) fn separation_lower_bound(
        &self,
        points: [Point3<T>; 2],
        scratch: &mut TreeScratch,
    ) -> f64 {
        let [on_first, on_second] = points.map(wide_point);
        let ordered = self.ordered_pair();
        let ordered = [&ordered.first, &ordered.second];
        let mut depth = |side: usize, point: Vec3| {
            let (placed, placement) = (ordered[side], &self.placements()[side]);
            depth_inside(placed.tree, (&placed.pose, placement), point, &mut scratch.path)
        };
        // Pad for the rounding of stored surface points.
        let pad = |v: Vec3| {
            (4.0 * T::ROUNDING + ROUNDING_ERROR) * (length(v) + ordered[0].tree.radius_about_origin)
        };
        let mut most =
            (depth(1, on_first) - pad(on_first)).max(depth(0, on_second) - pad(on_second)).max(0.0);
        let difference = sub(on_first, on_second);
        for k in 1..=SAMPLE_COUNT {
            let share = k as f64 / (SAMPLE_COUNT + 1) as f64;
            let point = add(on_second, scale(difference, share));
            let first = depth(0, point);
            if first > 0.0 {
                let second = depth(1, point);
                let depth_sum = if second > 0.0 { first + second } else { 0.0 };
                most = most.max(depth_sum);
            }
        }
        most
    }
}

/// Returns the depth of a world point inside a solid part, rounded down; 0 outside and for
/// surfaces.
fn depth_inside<T: Scalar>(
    tree: &ObbTree<T>,
    (pose, place): (&Pose<T>, &Placement),
    point: Vec3,
    path: &mut Vec<u32>,
) -> f64 {
    let local = rotate_back(&place.rotation, sub(point, place.position));
    let extent = length(point) + length(place.position) + tree.radius_about_origin;
    let depth = match tree.geometry() {
        Geometry::Boxes(boxes) => boxes
            .iter()
            .map(|b| depth_in_box::<T>(&b.wide(), local))
            .fold(0.0, |most, depth| if depth > most { depth } else { most }),
        Geometry::Convex(shapes) => {
            let solids = shapes.iter().filter(|shape| !matches!(shape, ConvexShape::Triangle(_)));
            solids.map(|shape| depth_in_rounded(shape.body(), local)).fold(0.0, f64::max)
        }
        Geometry::Solid(_) if tree.contains_point(pose, place, point, path) => {
            distance_to_surface(tree, local, path)
        }
        _ => 0.0,
    };
    (depth - ROUNDING_ERROR * extent).max(0.0)
}

/// Returns the distance of a point inside a box from its faces; negative outside.
fn depth_in_box<T: Scalar>(solid: &WideObb, point: Vec3) -> f64 {
    let local = rotate_back(&solid.axes, sub(point, solid.center)).map(f64::abs);
    let face_distances = [0, 1, 2].map(|i| solid.half_extents[i] - local[i]);
    // Pad for stored axes that are not orthogonal.
    face_distances[0].min(face_distances[1]).min(face_distances[2]) - T::LEAF_SLACK * solid.radius()
}

/// Returns a lower bound on the depth of a point in a rounded body: the radius less the distance
/// from the core. Zero without a radius.
fn depth_in_rounded(body: &dyn Support, point: Vec3) -> f64 {
    let radius = body.radius();
    let core = body.core().filter(|_| radius > 0.0);
    let core_distance = core.and_then(|core| core.distance_to(point));
    core_distance.map_or(0.0, |way| radius - way)
}

/// Returns the distance of a point from the nearest triangle.
fn distance_to_surface<T: Scalar>(tree: &ObbTree<T>, point: Vec3, path: &mut Vec<u32>) -> f64 {
    let Some(mesh) = tree.geometry().mesh() else { return 0.0 };
    let mut least = f64::INFINITY;
    let squared_distance = |id: u32| {
        let (center, half) = tree.nodes[id as usize].aligned.wide();
        let out = [0, 1, 2].map(|i| ((point[i] - center[i]).abs() - half[i]).max(0.0));
        dot(out, out)
    };
    path.clear();
    path.push(0);
    while let Some(id) = path.pop() {
        if squared_distance(id) >= least {
            continue;
        }
        let node = &tree.nodes[id as usize];
        if node.first_child > 0 {
            let (left, right) = (node.first_child, node.first_child + 1);
            let near_left = squared_distance(left) <= squared_distance(right);
            path.extend(if near_left { [right, left] } else { [left, right] });
            continue;
        }
        for &primitive in &tree.order[node.primitive_range()] {
            let triangle = WideTriangle { corners: mesh.triangle(primitive as usize).corners };
            let off = sub(triangle.closest_point(point), point);
            least = least.min(dot(off, off));
        }
    }
    least.sqrt()
}
