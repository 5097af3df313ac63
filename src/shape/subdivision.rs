//! Subdivision of meshes: bisects long edges, so that boxes of single triangles fit closely.

use std::collections::HashMap;

use nalgebra::Point3;

use super::Mesh;
use crate::error::Error;
use crate::num::{Scalar, checked_size};

/// Largest number of triangles of a subdivided mesh.
const MAX_TRIANGLES: usize = 1 << 22;

impl<T: Scalar> Mesh<T> {
    /// Subdivides the mesh: the same surface in triangles whose edges are at most `longest`, in the
    /// mesh's unit.
    ///
    /// A box around a triangle sticks out in proportion to the triangle's length. Shorter edges
    /// make the boxes at the leaves of a tree fit more closely, at the price of more boxes. This
    /// pays for surfaces whose answers end at boxes; `Accuracy::Exact` gains nothing, and the hulls
    /// of solids little.
    ///
    /// Bisects every edge that is too long, in all triangles that share it, until none is. A closed
    /// mesh therefore remains closed; so does a mesh with repeated vertices, as midpoints of equal
    /// edges are equal. A midpoint is rounded to `T`, and the surface moves by that rounding.
    /// Vertices keep their indices, and new ones follow. Triangles do not keep their indices.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] and [`Error::Negative`] naming the length;
    /// [`Error::BadQuery`] if more than 4,194,304 triangles would be needed.
    ///
    /// ```
    /// use boxwood::Mesh;
    /// use boxwood::nalgebra::Point3;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point3::from);
    /// let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]])?;
    /// let cut = mesh.subdivided(1.5)?;
    /// let ends = |i: usize, k: usize| (cut.corners(i)[k] - cut.corners(i)[(k + 1) % 3]).norm();
    /// assert!((0..cut.triangles().len()).all(|i| (0..3).all(|k| ends(i, k) <= 1.5)));
    /// assert_eq!(cut.vertices()[..3], mesh.vertices()[..]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn subdivided(&self, longest: impl Into<f64>) -> Result<Self, Error> {
        self.subdivided_to(checked_size::<T>(longest, "longest")?)
    }

    fn subdivided_to(&self, longest: f64) -> Result<Self, Error> {
        if self.exceeds_max_triangles(longest) {
            return Err(too_many_triangles());
        }
        let mut cut = self.clone();
        // Ends even for a length of zero: an edge between neighbouring numbers has no midpoint.
        while cut.bisect_long_edges(longest)? {}
        Ok(cut)
    }

    /// Returns `true` if the area alone requires more than [`MAX_TRIANGLES`]: the largest triangle
    /// with such edges is equilateral, of area `sqrt(3) / 4` times the squared edge.
    fn exceeds_max_triangles(&self, longest: f64) -> bool {
        let coordinates = self.vertices.iter().flat_map(|vertex| vertex.coords.iter());
        let far = coordinates.fold(0.0, |far: f64, x| far.max(x.wide().abs()));
        // Neighbouring numbers have no midpoint.
        let edge = longest.max(4.0 * T::ROUNDING * far);
        let areas = (0..self.triangles.len()).map(|i| self.triangle(i).area());
        0.99 * areas.sum::<f64>() > MAX_TRIANGLES as f64 * 0.4331 * edge * edge
    }

    /// Bisects every edge that is too long once; returns `true` if there was one.
    fn bisect_long_edges(&mut self, longest: f64) -> Result<bool, Error> {
        let mut middles: HashMap<[u32; 2], Option<u32>> = HashMap::new();
        let mut triangles = Vec::with_capacity(self.triangles.len());
        for &triangle in &self.triangles {
            let middle = [0, 1, 2].map(|k| {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                let ends = [a.min(b), a.max(b)];
                *middles
                    .entry(ends)
                    .or_insert_with(|| add_midpoint(&mut self.vertices, ends, longest))
            });
            split_triangle(&self.vertices, triangle, middle, &mut triangles);
            if triangles.len() > MAX_TRIANGLES {
                return Err(too_many_triangles());
            }
        }
        let has_cut = triangles.len() > self.triangles.len();
        self.triangles = triangles;
        Ok(has_cut)
    }
}

fn too_many_triangles() -> Error {
    Error::BadQuery { reason: "edges this short need more than 4,194,304 triangles" }
}

/// Adds the midpoint of an edge that is too long and returns its index; `None` for other edges.
fn add_midpoint<T: Scalar>(
    vertices: &mut Vec<Point3<T>>,
    ends: [u32; 2],
    longest: f64,
) -> Option<u32> {
    let [a, b] = ends.map(|end| vertices[end as usize]);
    if squared_length([a, b]) <= longest * longest {
        return None;
    }
    let half = |i: usize| T::nearest(0.5 * a[i].wide() + 0.5 * b[i].wide());
    let between = Point3::new(half(0), half(1), half(2));
    if between == a || between == b {
        return None;
    }
    vertices.push(between);
    Some(vertices.len() as u32 - 1)
}

/// Splits a triangle at its edges' midpoints, wound as it is. `middles[k]` is on the edge from
/// corner `k` to the next.
fn split_triangle<T: Scalar>(
    vertices: &[Point3<T>],
    corners: [u32; 3],
    middles: [Option<u32>; 3],
    out: &mut Vec<[u32; 3]>,
) {
    // Rotated until the first edge is cut and the last is not, where possible.
    let turn = (0..3).find(|&k| middles[k].is_some() && middles[(k + 2) % 3].is_none());
    let turn = turn.unwrap_or(0);
    let [a, b, c] = [0, 1, 2].map(|k| corners[(turn + k) % 3]);
    let [ab, bc, ca] = [0, 1, 2].map(|k| middles[(turn + k) % 3]);
    match (ab, bc, ca) {
        (Some(ab), Some(bc), Some(ca)) => {
            out.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        (Some(ab), Some(bc), None) => {
            out.push([ab, b, bc]);
            let length = |x: u32, y: u32| squared_length([x, y].map(|i| vertices[i as usize]));
            // Four corners remain; the shorter diagonal cuts them.
            match length(a, bc) <= length(ab, c) {
                true => out.extend([[a, ab, bc], [a, bc, c]]),
                false => out.extend([[a, ab, c], [ab, bc, c]]),
            }
        }
        (Some(ab), None, None) => out.extend([[a, ab, c], [ab, b, c]]),
        _ => out.push(corners),
    }
}

/// The square of the distance of two points, in double precision.
fn squared_length<T: Scalar>([a, b]: [Point3<T>; 2]) -> f64 {
    let along = |i: usize| a[i].wide() - b[i].wide();
    along(0) * along(0) + along(1) * along(1) + along(2) * along(2)
}
