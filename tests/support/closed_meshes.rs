//! Closed meshes for tests of solids, counter-clockwise from outside.

use std::f64::consts::TAU;

use boxwood::num::Scalar;
use boxwood::shape::Mesh;
use boxwood::tree::Geometry;
use nalgebra::Point3;

use crate::plain_box::V;
use crate::random_parts::vector;

/// Corners and triples of their indices.
pub type Faces = (Vec<V>, Vec<[u32; 3]>);

pub fn surface<T: Scalar>((corners, triangles): Faces) -> Geometry<T> {
    let corners = corners.into_iter().map(|p| Point3::from(vector(p))).collect();
    Geometry::Surface(Mesh::new(corners, triangles).expect("a mesh"))
}

pub fn solid<T: Scalar>((corners, triangles): Faces) -> Geometry<T> {
    let corners = corners.into_iter().map(|p| Point3::from(vector(p))).collect();
    Geometry::Solid(Mesh::new(corners, triangles).expect("a mesh"))
}

/// Returns an axis-aligned box with those half extents.
pub fn cube(half: V) -> Faces {
    let corner = |bits: usize| -> V {
        std::array::from_fn(|k| if bits >> k & 1 == 1 { half[k] } else { -half[k] })
    };
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    ((0..8).map(corner).collect(), halves.collect())
}

/// Returns a cube of size 1 whose sides are cut into `n` times `n` squares.
pub fn cut_cube(n: usize) -> Faces {
    let (mut corners, mut faces) = (Vec::new(), Vec::new());
    for side in 0..6 {
        let (axis, sign) = (side / 2, if side % 2 == 0 { -0.5 } else { 0.5 });
        let first = corners.len() as u32;
        let row = n as u32 + 1;
        for i in 0..=n {
            for j in 0..=n {
                let mut p = [0.0; 3];
                p[axis] = sign;
                p[(axis + 1) % 3] = i as f64 / n as f64 - 0.5;
                p[(axis + 2) % 3] = j as f64 / n as f64 - 0.5;
                corners.push(p);
            }
        }
        for i in 0..n as u32 {
            for j in 0..n as u32 {
                let at = first + i * row + j;
                faces.push([at, at + row, at + row + 1]);
                faces.push([at, at + row + 1, at + 1]);
            }
        }
    }
    (corners, faces)
}

/// Returns a sphere of rings from pole to pole, with twice as many corners around.
pub fn sphere(radius: f64, rings: usize) -> Faces {
    let around = 2 * rings;
    let mut corners = vec![[0.0, 0.0, -radius], [0.0, 0.0, radius]];
    for ring in 1..rings {
        let polar = 0.5 * TAU * ring as f64 / rings as f64;
        corners.extend((0..around).map(|k| {
            let angle = TAU * k as f64 / around as f64;
            let wide = radius * polar.sin();
            [wide * angle.cos(), wide * angle.sin(), -radius * polar.cos()]
        }));
    }
    let at = |ring: usize, k: usize| -> u32 {
        match ring {
            0 => 0,
            ring if ring == rings => 1,
            ring => (2 + (ring - 1) * around + k % around) as u32,
        }
    };
    let quads = (0..rings).flat_map(|ring| (0..around).map(move |k| (ring, k)));
    let halves = quads.flat_map(|(r, k)| {
        let (a, b, c, d) = (at(r, k), at(r, k + 1), at(r + 1, k + 1), at(r + 1, k));
        [[a, b, c], [a, c, d]]
    });
    let triangles = halves.filter(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]).collect();
    (corners, triangles)
}

/// Returns a torus around z: `wide` from its middle to the tube's, `thick` the tube's radius.
pub fn torus(wide: f64, thick: f64, around: usize, tube: usize) -> Faces {
    let corner = |i: usize, j: usize| -> V {
        let (u, v) = (TAU * i as f64 / around as f64, TAU * j as f64 / tube as f64);
        let out = wide + thick * v.cos();
        [out * u.cos(), out * u.sin(), thick * v.sin()]
    };
    let corners = (0..around * tube).map(|at| corner(at / tube, at % tube)).collect();
    let at = |i: usize, j: usize| (i % around * tube + j % tube) as u32;
    let quads = (0..around).flat_map(|i| (0..tube).map(move |j| (i, j)));
    let halves = quads.flat_map(|(i, j)| {
        let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        [[a, b, c], [a, c, d]]
    });
    (corners, halves.collect())
}

/// Returns a cube with a smaller cube removed from its middle.
pub fn shell(outer: f64, inner: f64) -> Faces {
    both(cube([outer; 3]), turned_over(cube([inner; 3])))
}

/// Turns the surface inside out.
pub fn turned_over((corners, triangles): Faces) -> Faces {
    (corners, triangles.into_iter().map(|[a, b, c]| [a, c, b]).collect())
}

/// Joins two surfaces into one mesh, however they overlap.
pub fn both((mut corners, mut triangles): Faces, other: Faces) -> Faces {
    let first = corners.len() as u32;
    corners.extend(other.0);
    triangles.extend(other.1.into_iter().map(|t| t.map(|i| i + first)));
    (corners, triangles)
}

pub fn shifted((corners, triangles): Faces, by: V) -> Faces {
    (corners.into_iter().map(|p| crate::plain_box::plus(p, by)).collect(), triangles)
}

compiled_here! { surface, solid }
