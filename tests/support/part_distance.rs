//! Distance of two parts over all pairs of primitives, in double precision and independent
//! arithmetic.

use boxwood::num::Scalar;
use boxwood::shape::Pose;
use boxwood::tree::{NodeId, ObbTree};

use crate::box_distance;
use crate::plain_box::{PlainBox, V, inner, minus};
use crate::random_parts::{place, put, solids, triangles};
use crate::triangle_distance::{Bounds, Triangle, point_triangle, sets_below};

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

/// Like [`distance`], or `most` if that is less.
pub fn below(a: &Placed, b: &Placed, most: f64) -> f64 {
    let mut least = sets_below(&a.triangles, &b.triangles, most);
    for q in &b.blocks {
        least = triangles_block(&a.triangles, q, least);
    }
    for p in &a.blocks {
        least = triangles_block(&b.triangles, p, least);
        for q in &b.blocks {
            least = blocks(p, q, least);
        }
    }
    least
}

fn holds(block: &PlainBox, p: V) -> bool {
    let from = minus(p, block.center);
    (0..3).all(|i| inner(from, block.axes[i]).abs() <= block.half[i])
}

/// Computes the distance over twelve triangles of the surface, or `most` if that is less; zero if a
/// corner is inside.
fn triangles_block(triangles: &[Triangle], block: &PlainBox, most: f64) -> f64 {
    match triangles.iter().flatten().any(|&p| holds(block, p)) {
        true => 0.0,
        false => sets_below(triangles, &surface(block), most),
    }
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

/// Computes the distance of two boxes, or `most` if that is less.
fn blocks(a: &PlainBox, b: &PlainBox, most: f64) -> f64 {
    let [around_a, around_b] = [a, b].map(|block| Bounds::new(&block.corners([0.0; 3])));
    if around_a.squared_distance(&around_b) > most * most {
        return most;
    }
    if holds(a, b.center) || holds(b, a.center) {
        return 0.0;
    }
    triangles_block(&surface(a), b, most.min(box_distance::distance(a, b)))
}

/// Computes the distance of a point from the nearest primitive.
pub fn from(p: V, part: &Placed) -> f64 {
    let flat = part.triangles.iter().map(|t| point_triangle(p, *t));
    let solid = part.blocks.iter().map(|block| block.distance(p));
    flat.chain(solid).fold(f64::MAX, f64::min)
}

compiled_here! { Placed::new }
