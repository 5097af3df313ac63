//! Intersections of parallel lines with closed meshes.

use crate::fit::AxisBounds;
use crate::num::linear::{Vec3, add, cross, dot, length, scale};
use crate::num::sorting::{ascending_indices, sort_points};

/// Two meshes rotated so that the lines run along the third axis, with only the triangles that a
/// line through both can hit.
pub(super) struct LineMeshes {
    /// Triangles of the first and the second mesh, sorted by their least first coordinates.
    triangles: [Vec<[Vec3; 3]>; 2],
    /// Greatest first coordinate up to each triangle: monotonic, for a binary search.
    running_max: [Vec<f64>; 2],
    /// Low and high corner of the overlap of both bounds, projected along the lines.
    shared: [[f64; 2]; 2],
}

/// Interval of a line, from low to high.
pub(super) type LineInterval = [f64; 2];

impl LineMeshes {
    /// Rotates triangles so that `along`, unit, is the third axis; also returns the three axes.
    pub fn rotated(triangles: &[Vec<[Vec3; 3]>; 2], along: Vec3) -> (Self, [Vec3; 3]) {
        let across = if along[0].abs() < 0.6 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let u = cross(along, across);
        let u = scale(u, 1.0 / length(u));
        let axes = [u, cross(along, u), along];
        let turn = |p: Vec3| axes.map(|axis| dot(axis, p));
        let mut turned: [Vec<[Vec3; 3]>; 2] =
            triangles.each_ref().map(|mesh| mesh.iter().map(|t| t.map(turn)).collect());
        let [a, b] =
            turned.each_ref().map(|mesh| AxisBounds::from_points(mesh.iter().flatten().copied()));
        let low = [0, 1].map(|i| a.low[i].max(b.low[i]));
        let high = [0, 1].map(|i| a.high[i].min(b.high[i]));
        let met = |t: &[Vec3; 3]| {
            (0..2).all(|i| t.iter().any(|p| p[i] >= low[i]) && t.iter().any(|p| p[i] <= high[i]))
        };
        for mesh in &mut turned {
            mesh.retain(met);
            *mesh = ascending_indices(mesh.iter().map(least_x)).map(|place| mesh[place]).collect();
        }
        let running_max = turned.each_ref().map(|mesh| {
            let greatest = mesh.iter().map(|t| t[0][0].max(t[1][0]).max(t[2][0]));
            let grown = greatest.scan(f64::NEG_INFINITY, |most, x| {
                *most = most.max(x);
                Some(*most)
            });
            grown.collect()
        });
        (LineMeshes { triangles: turned, running_max, shared: [low, high] }, axes)
    }

    /// Returns a grid of `count` by `count` lines, each in the middle of its cell, over the overlap
    /// of both projections; empty where there is none.
    pub fn grid(&self, count: usize) -> Vec<[f64; 2]> {
        let [low, high] = self.shared;
        if low[0] >= high[0] || low[1] >= high[1] {
            return Vec::new();
        }
        let step = [0, 1].map(|i| (high[i] - low[i]) / count as f64);
        let place = |i: usize, k: usize| low[i] + (k as f64 + 0.5) * step[i];
        (0..count * count).map(|k| [place(0, k % count), place(1, k / count)]).collect()
    }

    /// Returns the lines through vertices in the overlap: they need the greatest displacement.
    pub fn corners(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let [low, high] = self.shared;
        let points = self.triangles.iter().flatten().flatten().map(|p| [p[0], p[1]]);
        points.filter(move |p| (0..2).all(|i| low[i] <= p[i] && p[i] <= high[i]))
    }

    /// Returns the heights at which a line crosses a mesh, and the changes of its winding number,
    /// in no order.
    fn crossings(&self, mesh: usize, line: [f64; 2]) -> Vec<(f64, i32)> {
        let triangles = &self.triangles[mesh];
        let from = self.running_max[mesh].partition_point(|&most| most <= line[0]);
        let to = triangles.partition_point(|t| least_x(t) <= line[0]).max(from);
        triangles[from..to].iter().filter_map(|t| crossing(t, line)).collect()
    }

    /// Returns the intervals of a line inside a mesh: where the winding number is not zero.
    pub fn inside_intervals(&self, mesh: usize, line: [f64; 2]) -> Vec<LineInterval> {
        let crossings = self.crossings(mesh, line);
        let (mut winding, mut begin, mut stretches) = (0, 0.0, Vec::new());
        for (at, turn) in
            ascending_indices(crossings.iter().map(|x| x.0)).map(|place| crossings[place])
        {
            if winding == 0 {
                begin = at;
            }
            winding += turn;
            if winding == 0 {
                stretches.push([begin, at]);
            }
        }
        stretches
    }
}

fn least_x(triangle: &[Vec3; 3]) -> f64 {
    triangle[0][0].min(triangle[1][0]).min(triangle[2][0])
}

/// Returns the height at which the line crosses the triangle, and 1 if it leaves the mesh upwards
/// there, -1 if it enters.
fn crossing(triangle: &[Vec3; 3], line: [f64; 2]) -> Option<(f64, i32)> {
    let from = triangle.map(|p| [p[0] - line[0], p[1] - line[1]]);
    for i in 0..2 {
        let side = from.map(|p| p[i] > 0.0);
        if side == [true; 3] || side == [false; 3] {
            return None;
        }
    }
    let area = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let shares = [area(from[1], from[2]), area(from[2], from[0]), area(from[0], from[1])];
    let out = shares.map(|share| share > 0.0);
    if out != [true; 3] && out != [false; 3] {
        return None;
    }
    let whole = shares[0] + shares[1] + shares[2];
    let height: f64 = (0..3).map(|i| shares[i] * triangle[i][2]).sum::<f64>() / whole;
    height.is_finite().then_some((height, if out[0] { 1 } else { -1 }))
}

/// Returns the least displacement of the second mesh up the lines after which it overlaps the first
/// on none of them.
pub(super) fn escape_distance(meshes: &LineMeshes, lines: &[[f64; 2]]) -> f64 {
    let mut blocked: Vec<LineInterval> = Vec::new();
    for &line in lines {
        let (first, second) = (meshes.inside_intervals(0, line), meshes.inside_intervals(1, line));
        for a in &first {
            blocked.extend(second.iter().map(|b| [a[0] - b[1], a[1] - b[0]]));
        }
    }
    sort_points(&mut blocked);
    let mut way = 0.0;
    for [low, high] in blocked {
        if low > way {
            break;
        }
        way = if high > way { high } else { way };
    }
    way
}

/// Transforms a point of the rotated frame back.
pub(super) fn rotated_back(axes: &[Vec3; 3], p: Vec3) -> Vec3 {
    add(scale(axes[0], p[0]), add(scale(axes[1], p[1]), scale(axes[2], p[2])))
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;

    pub fn no_triangle_that_a_line_crosses_is_passed_over() {
        let (mut chance, mut found) = (SplitMix64(11), 0);
        for size in [0.01, 0.3, 3.0] {
            let mut soup = || -> Vec<[Vec3; 3]> {
                let mut triangle = || {
                    let at = chance.point(1.0);
                    std::array::from_fn(|_| add(at, chance.point(size)))
                };
                (0..400).map(|_| triangle()).collect()
            };
            let (meshes, _) = LineMeshes::rotated(&[soup(), soup()], [0.36, 0.48, 0.8]);
            // Lines through vertices test comparisons of equal numbers, too.
            let lines = meshes.grid(20).into_iter().chain(meshes.corners().take(200));
            for (line, mesh) in lines.flat_map(|line| [(line, 0), (line, 1)]) {
                let all = meshes.triangles[mesh].iter().filter_map(|t| crossing(t, line));
                let all: Vec<(f64, i32)> = all.collect();
                assert_eq!(meshes.crossings(mesh, line), all, "{line:?}");
                found += all.len();
            }
        }
        assert!(found > 1_000, "{found}");
    }
}
