//! A lower bound on the way until two bodies are apart: balls around a point of both.
//!
//! If a point is `r` deep inside one body and `s` deep inside the other, the balls of these radii
//! around it, one moving with each body, overlap until the second has moved by `r + s`, whichever
//! way.

use nalgebra::Point3;

use super::{Geometry, ObbTree, TreePair, TreeScratch};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, dot, length, scale, sub, turn_back};
use crate::pair::ConvexShape;
use crate::pair::convex::Support;
use crate::shape::{Placement, Pose, WideObb, WideTriangle, wide_point};

/// Points between the two that part last that are tried.
const BETWEEN: usize = 7;

/// More than rounding may be, as a share of the distances from the origins: `2^13 e`.
const ROUNDED: f64 = 1.0 / (1u64 << 40) as f64;

impl<T: Scalar> TreePair<'_, T> {
    /// No shorter move of the second takes the two apart. World units; zero if no such bound is
    /// found. Given points of either, in the order of the arithmetic.
    pub(crate) fn least_way(&self, points: [Point3<T>; 2], scratch: &mut TreeScratch) -> f64 {
        let [on_first, on_second] = points.map(wide_point);
        let seats = self.seats();
        let seats = [&seats.first, &seats.second];
        let mut depth = |side: usize, point: Vec3| {
            let (seat, place) = (seats[side], &self.places()[side]);
            depth_inside(seat.tree, (&seat.pose, place), point, &mut scratch.path)
        };
        // Points of the surfaces are rounded as they are stored.
        let rounded = |v: Vec3| (4.0 * T::ROUNDING + ROUNDED) * (length(v) + seats[0].tree.reach);
        let mut most = (depth(1, on_first) - rounded(on_first))
            .max(depth(0, on_second) - rounded(on_second))
            .max(0.0);
        let way = sub(on_first, on_second);
        for k in 1..=BETWEEN {
            let share = k as f64 / (BETWEEN + 1) as f64;
            let point = add(on_second, scale(way, share));
            let first = depth(0, point);
            if first > 0.0 {
                let second = depth(1, point);
                let both = if second > 0.0 { first + second } else { 0.0 };
                most = most.max(both);
            }
        }
        most
    }
}

/// How deep a world point is inside a solid part, rounded down; 0 outside, and of surfaces.
fn depth_inside<T: Scalar>(
    tree: &ObbTree<T>,
    (pose, place): (&Pose<T>, &Placement),
    point: Vec3,
    path: &mut Vec<u32>,
) -> f64 {
    let local = turn_back(&place.rotation, sub(point, place.position));
    let far = length(point) + length(place.position) + tree.reach;
    let depth = match tree.geometry() {
        Geometry::Boxes(boxes) => boxes
            .iter()
            .map(|b| depth_in_box::<T>(&b.wide(), local))
            .fold(0.0, |most, depth| if depth > most { depth } else { most }),
        Geometry::Convex(shapes) => {
            let solids = shapes.iter().filter(|shape| !matches!(shape, ConvexShape::Triangle(_)));
            solids.map(|shape| depth_in(shape.body(), local)).fold(0.0, f64::max)
        }
        Geometry::Solid(_) if tree.contains_point(pose, place, point, path) => {
            distance_to_surface(tree, local, path)
        }
        _ => 0.0,
    };
    (depth - ROUNDED * far).max(0.0)
}

/// How far a point is from the faces of a box that holds it; negative outside.
fn depth_in_box<T: Scalar>(solid: &WideObb, point: Vec3) -> f64 {
    let local = turn_back(&solid.axes, sub(point, solid.center)).map(f64::abs);
    let room = [0, 1, 2].map(|i| solid.half_extents[i] - local[i]);
    // Stored axes are not quite at right angles.
    room[0].min(room[1]).min(room[2]) - T::LEAF_SLACK * solid.radius()
}

/// How deep a point surely is inside a body with a radius: by that less its way from the core. Of
/// others nothing is known.
fn depth_in(body: &dyn Support, point: Vec3) -> f64 {
    let radius = body.radius();
    let core = body.core().filter(|_| radius > 0.0);
    let near = core.and_then(|core| core.distance_to(point));
    near.map_or(0.0, |way| radius - way)
}

/// The distance of a point from the nearest triangle.
fn distance_to_surface<T: Scalar>(tree: &ObbTree<T>, point: Vec3, path: &mut Vec<u32>) -> f64 {
    let Some(mesh) = tree.geometry().mesh() else { return 0.0 };
    let mut least = f64::INFINITY;
    let apart = |id: u32| {
        let (center, half) = tree.nodes[id as usize].aligned.wide();
        let out = [0, 1, 2].map(|i| ((point[i] - center[i]).abs() - half[i]).max(0.0));
        dot(out, out)
    };
    path.clear();
    path.push(0);
    while let Some(id) = path.pop() {
        if apart(id) >= least {
            continue;
        }
        let node = &tree.nodes[id as usize];
        if node.child > 0 {
            let (left, right) = (node.child, node.child + 1);
            let near_left = apart(left) <= apart(right);
            path.extend(if near_left { [right, left] } else { [left, right] });
            continue;
        }
        for &primitive in &tree.order[node.range()] {
            let triangle = WideTriangle { corners: mesh.triangle(primitive as usize).corners };
            let off = sub(triangle.nearest(point), point);
            least = least.min(dot(off, off));
        }
    }
    least.sqrt()
}
