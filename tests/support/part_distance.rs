//! Distance of two parts over all pairs of primitives, in double precision and independent
//! arithmetic.

use boxwood::num::Scalar;
use boxwood::shape::Pose;
use boxwood::tree::{NodeId, ObbTree};

use crate::box_distance;
use crate::plain_box::{PlainBox, V, inner, minus, norm};
use crate::random_parts::{place, put, solids, triangles};
use crate::triangle_distance::{Triangle, point_triangle, triangle_triangle};

/// Primitives of a part in the world.
pub struct Placed {
    pub triangles: Vec<Triangle>,
    pub blocks: Vec<PlainBox>,
}

impl Placed {
    pub fn new<T: Scalar>(tree: &ObbTree<T>, pose: &Pose<T>) -> Self {
        Placed {
            triangles: triangles(tree, NodeId::ROOT)
                .iter()
                .map(|corners| corners.map(|p| put(pose, p)))
                .collect(),
            blocks: solids(tree, NodeId::ROOT).iter().map(|block| place(block, pose)).collect(),
        }
    }

    /// Returns a point of the part.
    pub fn corner(&self) -> V {
        self.triangles.first().map_or_else(|| self.blocks[0].center, |corners| corners[0])
    }
}

/// Computes the least distance of primitives; zero if they share a point.
pub fn distance(a: &Placed, b: &Placed) -> f64 {
    below(a, b, f64::MAX)
}

/// Like [`distance`], if below `most`; triangles whose coordinates are further apart than the least
/// so far are skipped.
pub fn below(a: &Placed, b: &Placed, most: f64) -> f64 {
    let mut least = most;
    let of_b: Vec<[V; 2]> = b.triangles.iter().map(around).collect();
    for p in &a.triangles {
        let from = around(p);
        for (q, to) in b.triangles.iter().zip(&of_b) {
            let aside = |k: usize| (to[0][k] - from[1][k]).max(from[0][k] - to[1][k]).max(0.0);
            if norm([aside(0), aside(1), aside(2)]) <= least {
                least = least.min(triangle_triangle(*p, *q));
            }
        }
        b.blocks.iter().for_each(|q| least = least.min(triangle_block(*p, q)));
    }
    for p in &a.blocks {
        b.triangles.iter().for_each(|q| least = least.min(triangle_block(*q, p)));
        b.blocks.iter().for_each(|q| least = least.min(blocks(p, q)));
    }
    least
}

/// Returns the least and the greatest coordinates.
fn around(triangle: &Triangle) -> [V; 2] {
    let fold = |pick: fn(f64, f64) -> f64| {
        [0, 1, 2].map(|k| pick(pick(triangle[0][k], triangle[1][k]), triangle[2][k]))
    };
    [fold(f64::min), fold(f64::max)]
}

fn holds(block: &PlainBox, p: V) -> bool {
    let from = minus(p, block.center);
    (0..3).all(|i| inner(from, block.axes[i]).abs() <= block.half[i])
}

/// Computes the distance over twelve triangles of the surface, or zero if a corner is inside.
fn triangle_block(triangle: Triangle, block: &PlainBox) -> f64 {
    if triangle.iter().any(|&p| holds(block, p)) {
        return 0.0;
    }
    let distances = surface(block).map(|face| triangle_triangle(triangle, face));
    distances.into_iter().fold(f64::MAX, f64::min)
}

fn surface(block: &PlainBox) -> [Triangle; 12] {
    let corner = |bits: usize| block.corner(bits, [0.0; 3]);
    std::array::from_fn(|k| {
        let (axis, upper, half) = (k / 4, k / 2 % 2, k % 2);
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let from = upper << axis;
        let third = if half == 0 { u } else { v };
        [corner(from), corner(from | u | v), corner(from | third)]
    })
}

fn blocks(a: &PlainBox, b: &PlainBox) -> f64 {
    if holds(a, b.center) || holds(b, a.center) {
        return 0.0;
    }
    let faces = surface(a).map(|face| triangle_block(face, b));
    let least = faces.into_iter().fold(f64::MAX, f64::min);
    least.min(box_distance::distance(a, b))
}

/// Computes the distance of a point from the nearest primitive.
pub fn from(p: V, part: &Placed) -> f64 {
    let flat = part.triangles.iter().map(|t| point_triangle(p, *t));
    let solid = part.blocks.iter().map(|block| block.distance(p));
    flat.chain(solid).fold(f64::MAX, f64::min)
}

compiled_here! { Placed::new }
