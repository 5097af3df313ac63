//! Ground truth of two touching parts: position and depth of the contact, measured and not bounded.

use std::ops::ControlFlow;

use nalgebra::{Point3, Vector3};

use super::lines::{LineMeshes, escape_distance, rotated_back};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};
use crate::shape::Placement;
use crate::tree::{Geometry, OrderedPair, PlacedTree, TreePair, TreeScratch};

const GRID_LINES: usize = 40;

/// True intersection of two parts, in the world.
///
/// Measured in double precision along a grid of parallel lines, accurate to the spacing of the
/// lines; for thinner volumes, by the curve along which the surfaces cross.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::accuracy::Case;
///
/// let case = Case::new([&tree, &tree], [Isometry3::identity(); 2])?; // both in one place
/// let truth = case.truth.expect("they share a volume");
/// assert!(truth.centroid().coords.norm() < 0.01);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Truth {
    centroid: Vec3,
    solid: bool,
    /// Triangles of both parts, in the world.
    triangles: [Vec<[Vec3; 3]>; 2],
}

impl Truth {
    /// Measures a pair; `None` if there is neither a volume nor a curve.
    pub(super) fn measure<T: Scalar>(pair: &TreePair<'_, T>) -> Option<Self> {
        let (first, second) = in_given_order(pair);
        let geometry = [first.tree.geometry(), second.tree.geometry()];
        let triangles = [
            world_triangles(geometry[0], &first.placement()),
            world_triangles(geometry[1], &second.placement()),
        ];
        let solid = geometry.iter().all(|g| matches!(g, Geometry::Solid(_) | Geometry::Boxes(_)));
        let volume = solid.then(|| volume_centroid(&triangles)).flatten();
        let centroid = volume.or_else(|| curve_centroid(pair, &triangles))?;
        Some(Truth { centroid, solid, triangles })
    }

    /// Returns the centroid of the intersection: of the volume if both parts are solid and it is
    /// thick enough to be measured, otherwise of the curve along which they cross.
    pub fn centroid(&self) -> Point3<f64> {
        self.centroid.into()
    }

    /// Returns the displacement of the second along a unit direction after which no line of the
    /// grid or through a vertex hits both; less than the truth where edges cross between the lines.
    /// `None` unless both are solid.
    pub(super) fn separating_translation(&self, direction: Vector3<f64>) -> Option<f64> {
        if !self.solid {
            return None;
        }
        let (meshes, _) = LineMeshes::rotated(&self.triangles, direction.into());
        let mut lines = meshes.grid(GRID_LINES / 2);
        lines.extend(meshes.corners());
        Some(escape_distance(&meshes, &lines))
    }
}

/// Returns the parts in the caller's order: the pair may swap them.
fn in_given_order<'p, 'a, T: Scalar>(
    pair: &'p TreePair<'a, T>,
) -> (&'p PlacedTree<'a, T>, &'p PlacedTree<'a, T>) {
    let OrderedPair { first, second, swapped, .. } = pair.ordered_pair();
    if *swapped { (second, first) } else { (first, second) }
}

/// Returns the triangles of a geometry in the world; twelve for a box.
fn world_triangles<T: Scalar>(geometry: &Geometry<T>, placement: &Placement) -> Vec<[Vec3; 3]> {
    match geometry {
        // Round geometry is not measured.
        Geometry::None | Geometry::Convex(_) => Vec::new(),
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => (0..mesh.triangles().len())
            .map(|i| mesh.triangle(i).corners.map(|p| placement.point(p)))
            .collect(),
        Geometry::Boxes(boxes) => {
            const QUADS: [[usize; 4]; 6] = [
                [0, 2, 3, 1],
                [4, 5, 7, 6],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 4, 6, 2],
                [1, 3, 7, 5],
            ];
            let faces = |corners: [Vec3; 8]| {
                let halves = QUADS.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
                halves.map(move |t| t.map(|i| corners[i])).collect::<Vec<_>>()
            };
            boxes.iter().flat_map(|b| faces(b.wide().placed(placement).corners())).collect()
        }
    }
}

/// Returns the centroid of the common volume, along a grid of lines; `None` if fewer than eight
/// intervals overlap.
fn volume_centroid(triangles: &[Vec<[Vec3; 3]>; 2]) -> Option<Vec3> {
    // Unit direction that is unlikely to be parallel to an axis of either part.
    let (meshes, axes) = LineMeshes::rotated(triangles, [0.36, 0.48, 0.8]);
    let lines = meshes.grid(GRID_LINES);
    let (mut whole, mut moment, mut met) = (0.0, [0.0; 3], 0);
    for line in lines {
        let (first, second) = (meshes.inside_intervals(0, line), meshes.inside_intervals(1, line));
        for a in &first {
            for b in &second {
                let (low, high) = (a[0].max(b[0]), a[1].min(b[1]));
                if low < high {
                    let middle = [line[0], line[1], 0.5 * (low + high)];
                    (whole, met) = (whole + (high - low), met + 1);
                    moment = add(moment, scale(middle, high - low));
                }
            }
        }
    }
    (met >= 8).then(|| rotated_back(&axes, scale(moment, 1.0 / whole)))
}

/// Returns the centroid of the segments that touching triangles share, by length.
fn curve_centroid<T: Scalar>(
    pair: &TreePair<'_, T>,
    triangles: &[Vec<[Vec3; 3]>; 2],
) -> Option<Vec3> {
    let (first, second) = in_given_order(pair);
    if [first, second].iter().any(|placed| placed.tree.geometry().mesh().is_none()) {
        return None;
    }
    let (mut whole, mut moment) = (0.0, [0.0; 3]);
    let _ = pair.visit_primitives(&mut TreeScratch::default(), |i, j| {
        let (a, b) = (&triangles[0][i as usize], &triangles[1][j as usize]);
        let points: Vec<Vec3> = edge_crossings(a, b).chain(edge_crossings(b, a)).collect();
        // A point can occur twice, so the ends are the two furthest apart.
        let ends = points.iter().flat_map(|&p| points.iter().map(move |&q| (p, q)));
        let apart = |(p, q): &(Vec3, Vec3)| length(sub(*p, *q));
        if let Some((p, q)) = ends.max_by(|a, b| apart(a).total_cmp(&apart(b))) {
            // A segment without length counts a little.
            let weight = length(sub(p, q)) + 1e-12;
            whole += weight;
            moment = add(moment, scale(add(p, q), 0.5 * weight));
        }
        ControlFlow::Continue(())
    });
    (whole > 0.0).then(|| scale(moment, 1.0 / whole))
}

/// Returns the points where edges of triangle `a` cross triangle `b`.
fn edge_crossings<'a>(a: &'a [Vec3; 3], b: &'a [Vec3; 3]) -> impl Iterator<Item = Vec3> + 'a {
    let normal = cross(sub(b[1], b[0]), sub(b[2], b[0]));
    (0..3).filter_map(move |i| {
        let (p, q) = (a[i], a[(i + 1) % 3]);
        let (d, e) = (dot(normal, sub(p, b[0])), dot(normal, sub(q, b[0])));
        let share = d / (d - e);
        if !(0.0..=1.0).contains(&share) {
            return None;
        }
        let point = add(p, scale(sub(q, p), share));
        let side =
            |k: usize| dot(normal, cross(sub(b[(k + 1) % 3], b[k]), sub(point, b[k]))) >= 0.0;
        (0..3).all(side).then_some(point)
    })
}
