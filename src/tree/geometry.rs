//! What a part is made of, as trees see it: primitives with corners.

use crate::num::Scalar;
use crate::num::linear::{Mat3, Vec3, scale};
use crate::shape::{Aabb, Mesh, Obb, wide_point};

/// What a part is made of, in its own frame.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Geometry<T: Scalar> {
    /// Nothing: a joint that only moves others.
    None,
    /// Triangles: a surface without an inside.
    Surface(Mesh<T>),
    /// A closed mesh and all it winds around: the inside belongs to the part. A mesh with holes is refused;
    /// see [`Mesh::capped`].
    Solid(Mesh<T>),
    /// Hand-made boxes: solid.
    Boxes(Vec<Obb<T>>),
}

impl<T: Scalar> Geometry<T> {
    /// How many primitives there are.
    pub fn len(&self) -> usize {
        match self {
            Geometry::None => 0,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => mesh.triangles().len(),
            Geometry::Boxes(boxes) => boxes.len(),
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The triangles, if it is made of triangles.
    pub fn mesh(&self) -> Option<&Mesh<T>> {
        match self {
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => Some(mesh),
            Geometry::None | Geometry::Boxes(_) => None,
        }
    }

    /// The corners of one primitive; it is their convex hull.
    pub(crate) fn corners(&self, index: u32) -> Corners {
        let mut corners = Corners { points: [[0.0; 3]; 8], len: 0 };
        match self {
            Geometry::None => {}
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                corners.points[..3].copy_from_slice(&mesh.triangle(index as usize).corners);
                corners.len = 3;
            }
            Geometry::Boxes(boxes) => {
                corners.points = boxes[index as usize].wide().corners();
                corners.len = 8;
            }
        }
        corners
    }

    /// The smallest aligned box of one primitive, rounded outward where it is not exact.
    pub(crate) fn aabb(&self, index: u32) -> Aabb<T, 3> {
        match self {
            Geometry::None => Aabb::empty(),
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                Aabb::around(mesh.corners(index as usize))
            }
            Geometry::Boxes(boxes) => boxes[index as usize].aabb(),
        }
    }

    pub(crate) fn centroid(&self, index: u32) -> Vec3 {
        match self {
            Geometry::None => [0.0; 3],
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                mesh.triangle(index as usize).centroid()
            }
            Geometry::Boxes(boxes) => wide_point(boxes[index as usize].center()),
        }
    }

    /// How much surface one primitive has: the area of a triangle, an eighth of that of a box. Only for comparing.
    pub(crate) fn surface(&self, index: u32) -> f64 {
        match self {
            Geometry::None => 0.0,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => mesh.triangle(index as usize).area(),
            Geometry::Boxes(boxes) => crate::fit::surface(&boxes[index as usize]),
        }
    }

    /// A frame that fits one primitive by itself, if it has one.
    pub(crate) fn frame(&self, index: u32) -> Option<Mat3> {
        match self {
            Geometry::None => None,
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                crate::fit::triangle_frame(&mesh.triangle(index as usize))
            }
            Geometry::Boxes(boxes) => Some(boxes[index as usize].wide().axes),
        }
    }

    /// Adds one primitive to the moments of a node.
    pub(crate) fn add_to(&self, spread: &mut crate::fit::Spread, index: u32) {
        match self {
            Geometry::None => {}
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                spread.add_triangle(&mesh.triangle(index as usize))
            }
            Geometry::Boxes(boxes) => {
                let wide = boxes[index as usize].wide();
                wide.corners().iter().for_each(|&corner| spread.add_point(corner, 1.0));
            }
        }
    }

    /// The stored bits, in order.
    pub(crate) fn for_each_bits(&self, mut each: impl FnMut(u64)) {
        match self {
            Geometry::None => each(0),
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
                each(u64::from(matches!(self, Geometry::Solid(_))));
                mesh.vertices().iter().flat_map(|v| v.iter()).for_each(|c| each(c.bits()));
                mesh.triangles().iter().flatten().for_each(|&v| each(u64::from(v)));
            }
            Geometry::Boxes(boxes) => boxes.iter().flat_map(|b| b.bits()).for_each(each),
        }
    }
}

/// Up to eight points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corners {
    points: [Vec3; 8],
    len: usize,
}

impl Corners {
    pub fn iter(self) -> impl Iterator<Item = Vec3> + Clone {
        self.points.into_iter().take(self.len)
    }

    pub fn mean(&self) -> Vec3 {
        let sum = self.iter().fold([0.0; 3], crate::num::linear::add);
        scale(sum, 1.0 / self.len.max(1) as f64)
    }
}
