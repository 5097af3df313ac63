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
    /// Coordinates, by corner and axis.
    pub corners: [[Vec<S>; 3]; N],
    /// Surface of each, for comparison: the area of a triangle, an eighth of that of a box.
    pub surface: Vec<f64>,
    pub index: Vec<u32>,
}

impl<T: Scalar> Primitives<T, 3> {
    pub fn triangles(mesh: &Mesh<T>) -> Self {
        let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
        let row = |corner: usize, axis: usize| {
            triangles.iter().map(|t| vertices[t[corner] as usize][axis]).collect()
        };
        Primitives {
            corners: [0, 1, 2].map(|corner| [0, 1, 2].map(|axis| row(corner, axis))),
            surface: (0..triangles.len()).map(|index| mesh.triangle(index).area()).collect(),
            index: (0..triangles.len() as u32).collect(),
        }
    }
}

impl Primitives<f64, 8> {
    pub fn boxes<T: Scalar>(boxes: &[Obb<T>]) -> Self {
        let row = |corner: usize, axis: usize| {
            boxes.iter().map(|b| b.wide().corners()[corner][axis]).collect()
        };
        Primitives {
            corners: std::array::from_fn(|corner| [0, 1, 2].map(|axis| row(corner, axis))),
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
        let mut corners = [[&self.corners[0][0][range.clone()]; 3]; N];
        for (corner, rows) in corners.iter_mut().zip(&self.corners) {
            for (part, row) in corner.iter_mut().zip(rows) {
                *part = &row[range.clone()];
            }
        }
        PrimitiveSlice { corners, surface: &self.surface[range] }
    }

    /// Writes a range to the same range of `to`, permuted by `order`, which has indices within the
    /// range.
    pub fn permute_range(&self, range: Range<usize>, order: &[u32], to: &mut Self) {
        for (rows, to) in self.corners.iter().zip(&mut to.corners) {
            let [x, y, z] = rows.each_ref().map(|row| &row[range.clone()]);
            let [u, v, w] = to.each_mut().map(|row| &mut row[range.clone()]);
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
            corners: std::array::from_fn(|_| [(); 3].map(|()| vec![S::zero(); len])),
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
        for (row, to) in self.corners.iter().flatten().zip(to.corners.iter_mut().flatten()) {
            to[range.clone()].copy_from_slice(&row[range.clone()]);
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
