//! Primitives gathered in the order of the tree: building reads their corners again and again.

use crate::fit::{Ends, Spread};
use crate::num::Scalar;
use crate::num::linear::{Mat3, Vec3, add, scale};
use crate::shape::{Mesh, Obb, WideTriangle};
use crate::tree::Geometry;

/// A primitive of `N` corners: a triangle has three, a box eight.
#[derive(Debug, Clone, Copy)]
pub(super) struct Primitive<S, const N: usize> {
    corners: [[S; 3]; N],
    /// How much surface it has, to compare with: the area of a triangle, an eighth of that of a box.
    pub surface: f64,
    pub index: u32,
}

impl<T: Scalar> Primitive<T, 3> {
    pub fn triangles(mesh: &Mesh<T>) -> Vec<Self> {
        let triangle = |index: u32| {
            let corners = mesh.corners(index as usize);
            let surface = WideTriangle::new(corners).area();
            Primitive { corners: corners.map(|c| [c.x, c.y, c.z]), surface, index }
        };
        (0..mesh.triangles().len() as u32).map(triangle).collect()
    }
}

impl Primitive<f64, 8> {
    pub fn boxes<T: Scalar>(boxes: &[Obb<T>]) -> Vec<Self> {
        let one = |(b, index): (&Obb<T>, u32)| {
            let (corners, surface) = (b.wide().corners(), crate::fit::surface(b));
            Primitive { corners, surface, index }
        };
        boxes.iter().zip(0..).map(one).collect()
    }
}

impl<S: Scalar, const N: usize> Primitive<S, N> {
    #[inline]
    pub fn corners(&self) -> [Vec3; N] {
        let mut wide = [[0.0; 3]; N];
        for (wide, corner) in wide.iter_mut().zip(&self.corners) {
            *wide = [corner[0].wide(), corner[1].wide(), corner[2].wide()];
        }
        wide
    }

    #[inline]
    pub fn centroid(&self) -> Vec3 {
        scale(self.corners().into_iter().fold([0.0; 3], add), 1.0 / N as f64)
    }
}

/// How far the corners go; `along` says what is measured.
pub(super) fn ends<S: Scalar, const N: usize>(
    primitives: &[Primitive<S, N>],
    along: impl Fn(Vec3) -> Vec3,
) -> Ends {
    let mut ends = Ends::NONE;
    for primitive in primitives {
        primitive.corners().into_iter().for_each(|corner| ends.add(along(corner)));
    }
    ends
}

/// The axes along which the geometry spreads most: of all primitives, or of so many of them taken at even steps.
pub(super) fn spread<S: Scalar, const N: usize>(
    primitives: &[Primitive<S, N>],
    enough: usize,
) -> Mat3 {
    let mut spread = Spread::new(primitives[0].centroid());
    for primitive in primitives.iter().step_by(primitives.len().div_ceil(enough)) {
        let corners = primitive.corners();
        match corners[..] {
            [a, b, c] => spread.add_triangle([a, b, c], primitive.surface),
            _ => corners.iter().for_each(|&corner| spread.add_point(corner, 1.0)),
        }
    }
    spread.axes()
}

/// A frame that fits one primitive by itself, if it has one.
pub(super) fn frame<T: Scalar>(geometry: &Geometry<T>, index: u32) -> Option<Mat3> {
    match geometry {
        Geometry::None => None,
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            crate::fit::triangle_frame(&mesh.triangle(index as usize))
        }
        Geometry::Boxes(boxes) => Some(boxes[index as usize].wide().axes),
    }
}
