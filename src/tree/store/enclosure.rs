//! Exact test of whether a point is inside a closed mesh, by its winding number.
//!
//! A point is outside if a ray from it leaves through the surface as often as it enters, otherwise
//! inside, also where the surface is turned inside out. The ray runs along x. A corner or an edge
//! on the ray is passed as if the point lay slightly further along y, and by far less along z.
//! Source: Edelsbrunner and Mücke, Simulation of Simplicity (1990).

use std::cmp::Ordering;
use std::cmp::Ordering::{Equal, Greater, Less};

use crate::num::exact::{Exact, ExactVec};
use crate::num::linear::{Vec3, cross, dot, sub};
use crate::num::{Scalar, exact};
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::shape::{Aabb, Mesh};
use crate::tree::Geometry;
use crate::tree::node::OrderedNodes;

/// Point in the frame of a mesh: rounded, and on request exact, as a numerator and a common
/// denominator.
pub(in crate::tree) struct InsideProbe<E> {
    pub point: Vec3,
    /// Upper bound on the error of each coordinate of `point` [part units].
    pub error: f64,
    pub exact_point: E,
}

/// Closed mesh with the boxes of its tree.
#[derive(Debug, Clone, Copy)]
pub(in crate::tree) struct Enclosure<'a, T: Scalar> {
    mesh: &'a Mesh<T>,
    ordered: OrderedNodes<'a, T>,
}

impl<'a, T: Scalar> Enclosure<'a, T> {
    /// Returns the enclosure of a solid mesh; `None` for other geometry.
    pub fn new(geometry: &'a Geometry<T>, ordered: OrderedNodes<'a, T>) -> Option<Self> {
        match geometry {
            Geometry::Solid(mesh) => Some(Enclosure { mesh, ordered }),
            _ => None,
        }
    }

    /// Returns `true` if the point is inside the surface or on it.
    pub fn contains<E: Fn() -> (ExactVec, Exact)>(
        &self,
        probe: &InsideProbe<E>,
        path: &mut Vec<u32>,
    ) -> bool {
        let mut steps = u64::MAX;
        self.contains_within_steps(probe, path, &mut steps) == Some(true)
    }

    /// Returns [`Enclosure::contains`] if it needs at most `steps` steps, and subtracts those used;
    /// `None` if it needs more. A step is a visited node or triangle.
    pub fn contains_within_steps<E: Fn() -> (ExactVec, Exact)>(
        &self,
        probe: &InsideProbe<E>,
        path: &mut Vec<u32>,
        steps: &mut u64,
    ) -> Option<bool> {
        if (0..3).any(|i| is_beside(self.ordered.nodes[0].aligned(), probe, i)) {
            return Some(false);
        }
        let (mut winding, mut exact_point) = (0, None);
        path.clear();
        path.push(0);
        while let Some(id) = path.pop() {
            let node = &self.ordered.nodes[id as usize];
            *steps = steps.checked_sub(1)?;
            if !ray_may_hit(node.aligned(), probe) {
                continue;
            }
            if node.first_child > 0 {
                path.extend([node.first_child, node.first_child + 1]);
                continue;
            }
            *steps = steps.checked_sub(u64::from(node.end - node.start))?;
            for &primitive in self.ordered.primitives(node) {
                let corners = self.mesh.triangle(primitive as usize).corners;
                let crossing = crossing(&corners, probe.point, probe.error)
                    .or_else(|| cold_exact_crossing(&corners, probe, &mut exact_point));
                let Some(crossing) = crossing else { return Some(true) };
                winding += crossing;
            }
        }
        Some(winding != 0)
    }
}

/// Returns `true` if the point is certainly outside the box along axis `i`.
fn is_beside<T: Scalar, E>(bounds: &Aabb<T, 3>, probe: &InsideProbe<E>, i: usize) -> bool {
    let InsideProbe { point: p, error, .. } = probe;
    p[i] + error < bounds.min[i].wide() || p[i] - error > bounds.max[i].wide()
}

/// Returns `true` if the ray may hit the box.
fn ray_may_hit<T: Scalar, E>(bounds: &Aabb<T, 3>, probe: &InsideProbe<E>) -> bool {
    probe.point[0] - probe.error <= bounds.max[0].wide()
        && !is_beside(bounds, probe, 1)
        && !is_beside(bounds, probe, 2)
}

/// Counts the crossing of the triangle by the ray along x from `p`: 1 if the ray leaves, -1 if it
/// enters, 0 if it misses; `None` if rounding could change that.
fn crossing(corners: &TriangleCorners, p: Vec3, error: f64) -> Option<i32> {
    let from = corners.map(|c| sub(c, p));
    let size = |axes: &[usize]| {
        let entries = from.iter().flat_map(|v| axes.iter().map(|&i| v[i].abs()));
        entries.fold(0.0, f64::max) + 2.0 * error
    };
    // Differences are off by `error + e m`; products of two by `4 m` times that, plus their own
    // rounding.
    let flat = size(&[1, 2]);
    let limit = 8.0 * flat * (error + flat / (1u64 << 50) as f64);
    let orientation = |i: usize| {
        let (a, b) = (from[i], from[(i + 1) % 3]);
        certain_sign(a[1] * b[2] - a[2] * b[1], limit)
    };
    let orientations = [orientation(0), orientation(1), orientation(2)];
    if orientations.contains(&Some(Less)) && orientations.contains(&Some(Greater)) {
        return Some(0);
    }
    let facing = (orientations[0] == orientations[1] && orientations[1] == orientations[2])
        .then_some(orientations[0])??;
    let normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
    let m = size(&[0, 1, 2]);
    // The limit is that of `pair::rounded::triangle_exact`; here differences are up to twice `m`.
    let limit = 160.0 * 2.0 * m * m * (error + m / (1u64 << 50) as f64);
    signed_crossing(facing, certain_sign(dot(normal, from[0]), limit)?)
}

fn certain_sign(value: f64, limit: f64) -> Option<Ordering> {
    match value {
        v if v > limit => Some(Greater),
        v if v < -limit => Some(Less),
        _ => None,
    }
}

/// Counts the crossing of a triangle that spans the ray's line and faces along x or against it;
/// `side` is the sign of the plane's distance from the point along the normal. `None` if the point
/// is in the plane, and so on the triangle.
fn signed_crossing(facing: Ordering, side: Ordering) -> Option<i32> {
    match (facing, side) {
        (_, Equal) => None,
        (Greater, Greater) => Some(1),
        (Less, Less) => Some(-1),
        _ => Some(0),
    }
}

/// Computes [`exact_crossing`]. Not inlined: exact numbers would take up much of the caller's
/// stack, which alone costs more than all other work.
#[cold]
#[inline(never)]
fn cold_exact_crossing<E: Fn() -> (ExactVec, Exact)>(
    corners: &TriangleCorners,
    probe: &InsideProbe<E>,
    exactly: &mut Option<(ExactVec, Exact)>,
) -> Option<i32> {
    let (point, scale) = exactly.get_or_insert_with(|| (probe.exact_point)());
    exact_crossing(&corners.map(|c| exact::scale(&exact::exact(c), scale)), point)
}

/// Computes [`crossing`] with exact numbers; `None` if the point is on the triangle.
fn exact_crossing(corners: &[ExactVec; 3], p: &ExactVec) -> Option<i32> {
    let from: [ExactVec; 3] = std::array::from_fn(|i| exact::sub(&corners[i], p));
    let orientation = |i: usize| edge_orientation(&from[i], &from[(i + 1) % 3]);
    let orientations = [orientation(0), orientation(1), orientation(2)];
    if orientations[0] == Equal
        || orientations[0] != orientations[1]
        || orientations[1] != orientations[2]
    {
        return Some(0);
    }
    let edges = [exact::sub(&corners[1], &corners[0]), exact::sub(&corners[2], &corners[0])];
    let normal = exact::cross(&edges[0], &edges[1]);
    signed_crossing(orientations[0], exact::dot(&normal, &from[0]).sign())
}

/// Orientation of the edge from `a` to `b` about the ray, both relative to the point, seen along x.
/// A point on the line of the edge counts as moved slightly along y, or, for an edge along y, along
/// z.
fn edge_orientation(a: &ExactVec, b: &ExactVec) -> Ordering {
    let area = &(&a[1] * &b[2]) - &(&a[2] * &b[1]);
    let (up_y, up_z) = ((&a[2] - &b[2]).sign(), (&b[1] - &a[1]).sign());
    area.sign().then(up_y).then(up_z)
}
