//! The skin: one closed surface over all bodies, with the numbers of the file.

use nalgebra::{Point3, Vector3};

use super::body_field::Field;
use super::surface_nets::net;
use super::weights::{Weights, weights};
use crate::fighter::skeleton::COUNT;

/// The skin of the file, in the frame of the model.
pub struct Skin {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub weights: Vec<Weights>,
    pub triangles: Vec<[u16; 3]>,
    /// Matrices model -> joint in the stance of the positions, columns first.
    pub inverse_binds: [[f32; 16]; COUNT],
}

/// Builds the skin of the figure.
pub fn skin() -> Skin {
    let field = Field::new();
    let net = net(&field);
    let places: Vec<[f32; 3]> = net.points.iter().map(|p| (*p).into()).map(rounded).collect();
    let triangles = net.triangles();
    let small = |at: usize| u16::try_from(at).expect("fewer corners than that");
    Skin {
        normals: normals(&places, &triangles),
        positions: places,
        weights: weights(&field, &net),
        triangles: triangles.iter().map(|triangle| triangle.map(small)).collect(),
        inverse_binds: field.poses.map(|pose| {
            let columns = pose.inverse().to_homogeneous();
            std::array::from_fn(|at| fine(columns.as_slice()[at]))
        }),
    }
}

/// Rounds a point to steps of 2^-16: 15 micrometres.
fn rounded(point: [f64; 3]) -> [f32; 3] {
    const STEPS: f64 = 65_536.0;
    // Adding zero replaces -0.
    point.map(|x| ((x * STEPS).round() / STEPS + 0.0) as f32)
}

/// Rounds rotations and translations to steps of 2^-20.
pub fn fine(number: f64) -> f32 {
    const STEPS: f64 = 1_048_576.0;
    ((number * STEPS).round() / STEPS + 0.0) as f32
}

/// Normals of the vertices: mean of the triangles around each, weighted by area.
fn normals(places: &[[f32; 3]], triangles: &[[usize; 3]]) -> Vec<[f32; 3]> {
    let mut sums = vec![Vector3::<f64>::zeros(); places.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|at| Point3::from(places[at].map(f64::from)));
        let area = (b - a).cross(&(c - a));
        triangle.iter().for_each(|&at| sums[at] += area);
    }
    sums.into_iter().map(|sum| sum.normalize().map(fine).into()).collect()
}
