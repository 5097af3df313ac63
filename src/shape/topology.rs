//! Topology of triangle meshes: vertex welding, boundary edges, caps over holes, enclosed volume.

use std::collections::{BTreeMap, HashMap};

use nalgebra::Point3;

use super::{Mesh, nearest_point, wide_point};
use crate::num::linear::{Vec3, add, cross, dot, scale, sub};
use crate::num::{Fingerprint, Scalar};

impl<T: Scalar> Mesh<T> {
    /// The index of the first vertex with the same coordinates, for each vertex: files repeat
    /// vertices for normals and textures.
    pub(crate) fn weld_indices(&self) -> Vec<u32> {
        const FREE: u32 = u32::MAX;
        // Adding zero turns minus zero into plus zero.
        let position_bits = |v: &Point3<T>| [v.x, v.y, v.z].map(|c| (c + T::zero()).bits());
        let vertices = self.vertices();
        // Half of the slots are free, so probe runs are short.
        let mask = (2 * vertices.len()).next_power_of_two() - 1;
        let mut slots = vec![FREE; mask + 1];
        let first = |(vertex, id): (&Point3<T>, u32)| {
            let own = position_bits(vertex);
            let mut hash = Fingerprint::default();
            own.iter().for_each(|&bits| hash.add(bits));
            let mut slot = hash.value() as usize & mask;
            while slots[slot] != FREE && position_bits(&vertices[slots[slot] as usize]) != own {
                slot = (slot + 1) & mask;
            }
            if slots[slot] == FREE {
                slots[slot] = id;
            }
            slots[slot]
        };
        vertices.iter().zip(0..).map(first).collect()
    }

    /// The boundary: directed edges that triangles pass more often this way than back, each
    /// repeated by the difference. Vertices with the same coordinates count as the first of them.
    /// Ascending; empty if the surface is closed.
    ///
    /// The surface ends at these edges, or triangles of opposite winding share them.
    pub fn open_edges(&self) -> Vec<[u32; 2]> {
        let welds = self.weld_indices();
        let mut passes: Vec<([u32; 2], i64)> = Vec::with_capacity(3 * self.triangles().len());
        for triangle in self.triangles() {
            let [a, b, c] = triangle.map(|v| welds[v as usize]);
            for (from, to) in [(a, b), (b, c), (c, a)] {
                passes.push(if from < to { ([from, to], 1) } else { ([to, from], -1) });
            }
        }
        passes.sort_unstable();
        let summed = passes
            .chunk_by(|a, b| a.0 == b.0)
            .map(|same| (same[0].0, same.iter().map(|&(_, pass)| pass).sum::<i64>()));
        let open = summed.filter(|([from, to], count)| from != to && *count != 0);
        let directed = open.flat_map(|([from, to], count)| {
            let edge = if count > 0 { [from, to] } else { [to, from] };
            std::iter::repeat_n(edge, count.unsigned_abs() as usize)
        });
        let mut edges: Vec<_> = directed.collect();
        edges.sort_unstable();
        edges
    }

    /// The mesh closed by a triangle fan over every hole, around the mean of its corners.
    ///
    /// A hole is any closed loop of [open edges](Mesh::open_edges), of any shape. Every mesh can be
    /// capped: the boundary of triangles consists of closed loops.
    pub fn capped(&self) -> Self {
        self.capped_around(|_, center| center)
    }

    /// Returns the mesh closed by a fan over every hole, around the point that `apex` returns for
    /// the hole's loop of vertices and the mean of their positions. A hole of three corners is
    /// closed by one triangle, without an apex.
    pub(crate) fn capped_around(&self, mut apex: impl FnMut(&[u32], Vec3) -> Vec3) -> Self {
        let (mut vertices, mut triangles) = (self.vertices().to_vec(), self.triangles().to_vec());
        for hole in self.hole_loops() {
            if let [a, b, c] = hole[..] {
                triangles.push([a, c, b]);
                continue;
            }
            let corners = hole.iter().map(|&v| wide_point(vertices[v as usize]));
            let center = scale(corners.fold([0.0; 3], add), 1.0 / hole.len() as f64);
            let middle = vertices.len() as u32;
            vertices.push(nearest_point(apex(&hole, center)));
            let next = hole.iter().cycle().skip(1);
            triangles.extend(hole.iter().zip(next).map(|(&from, &to)| [to, from, middle]));
        }
        Mesh { vertices, triangles }
    }

    /// The vertices around each hole, along its open edges.
    pub(crate) fn hole_loops(&self) -> Vec<Vec<u32>> {
        boundary_loops(&self.open_edges())
    }

    /// The enclosed volume: positive where triangles are counter-clockwise seen from outside.
    /// Meaningful for closed meshes; where the surface crosses itself, each region counts by its
    /// winding number.
    pub fn volume(&self) -> T {
        let origin = wide_point(self.vertices()[0]);
        let corner = |p: Point3<T>| -> Vec3 { sub(wide_point(p), origin) };
        let sixfold = |triangle: usize| {
            let [a, b, c] = self.corners(triangle).map(corner);
            dot(a, cross(b, c))
        };
        T::nearest((0..self.triangles().len()).map(sixfold).sum::<f64>() / 6.0)
    }
}

/// Splits directed edges into closed loops without repeated vertices.
fn boundary_loops(edges: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let mut onward: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    edges.iter().rev().for_each(|&[from, to]| onward.entry(from).or_default().push(to));
    let mut loops = Vec::new();
    for &[start, _] in edges {
        let mut path = vec![start];
        let mut path_index = HashMap::from([(start, 0)]);
        while let Some(next) = path.last().and_then(|at| onward.get_mut(at)?.pop()) {
            match path_index.get(&next) {
                Some(&first) => {
                    loops.push(path[first..].to_vec());
                    for corner in path.drain(first + 1..) {
                        path_index.remove(&corner);
                    }
                }
                None => {
                    path_index.insert(next, path.len());
                    path.push(next);
                }
            }
        }
    }
    loops
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    fn mesh(corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh<f64> {
        let vertices = corners.iter().map(|&c| c.into()).collect();
        Mesh::new(vertices, triangles.to_vec()).expect("a mesh")
    }

    const CORNERS: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    pub fn a_tetrahedron_is_closed_however_its_corners_are_repeated() {
        let closed = mesh(&CORNERS, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]);
        assert_eq!(closed.open_edges(), [[0; 2]; 0]);
        assert_eq!(closed.capped(), closed);
        assert!((closed.volume() - 1.0 / 6.0).abs() < 1e-15);
        let soup: Vec<[f64; 3]> =
            closed.triangles().iter().flatten().map(|&v| CORNERS[v as usize]).collect();
        let soup = mesh(&soup, &[[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]);
        assert_eq!(soup.open_edges(), [[0; 2]; 0]);
    }

    pub fn holes_are_named_and_capped() {
        let open = mesh(&CORNERS, &[[0, 2, 1], [0, 1, 3], [1, 2, 3]]);
        assert_eq!(open.open_edges(), [[0, 2], [2, 3], [3, 0]]);
        let capped = open.capped();
        assert_eq!(capped.triangles().len(), 4);
        assert!(capped.open_edges().is_empty());
    }
}
