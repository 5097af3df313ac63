//! Primitives of a part as structure of arrays, in the order of the tree.

use std::ops::Range;

use crate::fit::surface_cost;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale, splat};
use crate::num::simd::Doubles;
use crate::shape::{Mesh, Obb};

/// Primitives of `N` corners: triangles have three, boxes eight. One array for each coordinate, so
/// that consecutive primitives load into lanes.
#[derive(Debug)]
pub(super) struct Primitives<S, const N: usize> {
    /// Coordinates, by corner, then axis, then primitive: one allocation, as small parts have many
    /// builds.
    coordinates: Vec<S>,
    /// Surface of each, for comparison: the area of a triangle, an eighth of that of a box.
    pub surface: Vec<f64>,
    pub index: Vec<u32>,
}

impl<T: Scalar> Primitives<T, 3> {
    pub fn triangles(mesh: &Mesh<T>) -> Self {
        let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
        let len = triangles.len();
        let mut coordinates = vec![T::zero(); 9 * len];
        for corner in 0..3 {
            let rows = &mut coordinates[3 * corner * len..][..3 * len];
            let (x, yz) = rows.split_at_mut(len);
            let (y, z) = yz.split_at_mut(len);
            for (((x, y), z), triangle) in x.iter_mut().zip(y).zip(z).zip(triangles) {
                let vertex = &vertices[triangle[corner] as usize];
                (*x, *y, *z) = (vertex.x, vertex.y, vertex.z);
            }
        }
        Primitives {
            coordinates,
            surface: (0..triangles.len()).map(|index| mesh.triangle(index).area()).collect(),
            index: (0..triangles.len() as u32).collect(),
        }
    }
}

impl Primitives<f64, 8> {
    pub fn boxes<T: Scalar>(boxes: &[Obb<T>]) -> Self {
        let mut coordinates = vec![0.0; 24 * boxes.len()];
        for (index, solid) in boxes.iter().enumerate() {
            let corners = solid.wide().corners();
            for (row, &x) in corners.as_flattened().iter().enumerate() {
                coordinates[row * boxes.len() + index] = x;
            }
        }
        Primitives {
            coordinates,
            surface: boxes.iter().map(|b| surface_cost(b.wide().half_extents)).collect(),
            index: (0..boxes.len() as u32).collect(),
        }
    }
}

impl<S: Scalar, const N: usize> Primitives<S, N> {
    pub fn len(&self) -> usize {
        self.index.len()
    }

    #[inline]
    pub fn at(&self, index: usize) -> [Vec3; N] {
        self.slice(index..index + 1).load((), 0)
    }

    pub fn centroid(&self, index: usize) -> Vec3 {
        centroid((), self.at(index))
    }

    /// Returns the arrays of a range.
    #[inline(always)]
    pub fn slice(&self, range: Range<usize>) -> PrimitiveSlice<'_, S, N> {
        let mut corners = [[&self.coordinates[..0]; 3]; N];
        for (corner, rows) in corners.iter_mut().enumerate() {
            for (axis, row) in rows.iter_mut().enumerate() {
                *row = &self.row(corner, axis)[range.clone()];
            }
        }
        PrimitiveSlice { corners, surface: &self.surface[range] }
    }

    /// Returns one coordinate of one corner of all primitives.
    #[inline(always)]
    fn row(&self, corner: usize, axis: usize) -> &[S] {
        let len = self.index.len();
        &self.coordinates[(3 * corner + axis) * len..][..len]
    }

    /// Writes a range to the same range of `to`, permuted by `order`, which has indices within the
    /// range.
    pub fn permute_range(&self, range: Range<usize>, order: &[u32], to: &mut Self) {
        let len = self.index.len();
        for corner in 0..N {
            let x = &self.row(corner, 0)[range.clone()];
            let y = &self.row(corner, 1)[range.clone()];
            let z = &self.row(corner, 2)[range.clone()];
            let (u, vw) = to.coordinates[3 * corner * len..][..3 * len].split_at_mut(len);
            let (v, w) = vw.split_at_mut(len);
            let (u, v, w) = (&mut u[range.clone()], &mut v[range.clone()], &mut w[range.clone()]);
            for (((u, v), w), &place) in u.iter_mut().zip(v).zip(w).zip(order) {
                let source = place as usize;
                (*u, *v, *w) = (x[source], y[source], z[source]);
            }
        }
        let (surface, index) = (&self.surface[range.clone()], &self.index[range.clone()]);
        let (s, i) = (&mut to.surface[range.clone()], &mut to.index[range]);
        for ((s, i), &place) in s.iter_mut().zip(i).zip(order) {
            (*s, *i) = (surface[place as usize], index[place as usize]);
        }
    }

    /// Returns zeroed arrays of equal length.
    pub fn zeroed_like(&self) -> Self {
        let len = self.index.len();
        Primitives {
            coordinates: vec![S::zero(); 3 * N * len],
            surface: vec![0.0; len],
            index: vec![0; len],
        }
    }

    /// Returns all primitives, permuted by `order`.
    pub fn permuted(self, order: &[u32]) -> Self {
        let mut to = self.zeroed_like();
        self.permute_range(0..order.len(), order, &mut to);
        to
    }

    /// Copies a range to the same range of `to`.
    pub fn copy_range(&self, range: Range<usize>, to: &mut Self) {
        for first in (0..3 * N).map(|row| row * self.index.len()) {
            let own = first + range.start..first + range.end;
            to.coordinates[own.clone()].copy_from_slice(&self.coordinates[own]);
        }
        to.surface[range.clone()].copy_from_slice(&self.surface[range.clone()]);
        to.index[range.clone()].copy_from_slice(&self.index[range]);
    }
}

/// Range of the arrays of primitives.
#[derive(Clone, Copy)]
pub(super) struct PrimitiveSlice<'a, S, const N: usize> {
    pub corners: [[&'a [S]; 3]; N],
    pub surface: &'a [f64],
}

impl<S: Scalar, const N: usize> PrimitiveSlice<'_, S, N> {
    /// Returns the first primitives. Arrays of one known length share their bounds checks.
    #[inline(always)]
    pub fn first(&self, len: usize) -> Self {
        let mut corners = self.corners;
        for row in corners.as_flattened_mut() {
            *row = &row[..len];
        }
        PrimitiveSlice { corners, surface: &self.surface[..len] }
    }

    /// Loads the corners of consecutive primitives, one for each lane.
    #[inline(always)]
    pub fn load<D: Doubles>(&self, token: D::Token, from: usize) -> [Vec3<D>; N] {
        let mut corners = [[D::splat(token, 0.0); 3]; N];
        for (corner, [x, y, z]) in corners.iter_mut().zip(&self.corners) {
            *corner = [
                D::widened(token, &x[from..from + D::LEN]),
                D::widened(token, &y[from..from + D::LEN]),
                D::widened(token, &z[from..from + D::LEN]),
            ];
        }
        corners
    }

    /// Loads the corners of primitives at even steps, one for each lane; zeros past the end.
    #[inline(always)]
    pub fn sampled<D: Doubles>(&self, token: D::Token, from: usize, step: usize) -> [Vec3<D>; N] {
        let mut corners = [[D::splat(token, 0.0); 3]; N];
        for (corner, [x, y, z]) in corners.iter_mut().zip(&self.corners) {
            *corner = [
                D::sampled(token, &x[from..], step),
                D::sampled(token, &y[from..], step),
                D::sampled(token, &z[from..], step),
            ];
        }
        corners
    }
}

/// Returns the mean of the corners.
#[inline(always)]
pub(super) fn centroid<D: Doubles, const N: usize>(
    token: D::Token,
    corners: [Vec3<D>; N],
) -> Vec3<D> {
    let mut sum = splat(token, [0.0; 3]);
    for corner in corners {
        sum = add(sum, corner);
    }
    scale(sum, D::splat(token, 1.0 / N as f64))
}
