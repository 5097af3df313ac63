//! Distance of the geometry of two nodes, by accelerated brute force.

use boxwood::num::Scalar;
use boxwood::shape::Pose;

use crate::box_distance::distance;
use crate::exact_parts::{Part, Primitive};
use crate::f64_sat::separation;
use crate::plain_box::{PlainBox, V, minus, norm, times};
use crate::random_parts::{place, put};
use crate::triangle_distance::{Triangle, ball_around, triangle_triangle};

/// Primitives of a part in the world, each with a bounding ball.
pub struct PrimitiveCloud {
    items: Vec<(Item, V, f64)>,
}

#[derive(Clone, Copy)]
enum Item {
    Triangle(Triangle),
    Solid(PlainBox),
}

impl PrimitiveCloud {
    pub fn new<T: Scalar>(part: &Part, pose: &Pose<T>) -> Self {
        let item = |primitive: &Primitive| match primitive {
            Primitive::Triangle(corners) => {
                let t = corners.map(|p| put(pose, p));
                let (center, radius) = ball_around(t);
                (Item::Triangle(t), center, radius)
            }
            Primitive::Solid(block) => {
                let block = place(block, pose);
                (Item::Solid(block), block.center, block.radius())
            }
        };
        PrimitiveCloud { items: part.primitives.iter().map(item).collect() }
    }
}

/// Primitives of two parts.
pub struct Nodes<'a> {
    pub a: &'a PrimitiveCloud,
    pub b: &'a PrimitiveCloud,
}

impl Nodes<'_> {
    /// Computes the distance of two sets of primitives, or an upper bound of it that is at most
    /// `enough`.
    pub fn distance(&self, a: &[u32], b: &[u32], enough: f64) -> f64 {
        let mut best = self.glimpse(a, b);
        if best <= enough {
            return best;
        }
        for (p, center_a, radius_a) in a.iter().map(|&i| self.a.items[i as usize]) {
            for (q, center_b, radius_b) in b.iter().map(|&j| self.b.items[j as usize]) {
                if norm(minus(center_b, center_a)) - radius_a - radius_b >= best {
                    continue;
                }
                best = best.min(between(p, q));
                if best <= enough {
                    return best;
                }
            }
        }
        best
    }

    /// Returns an upper bound: from one to the nearest by centres, and back, a few times.
    fn glimpse(&self, a: &[u32], b: &[u32]) -> f64 {
        let nearest = |cloud: &PrimitiveCloud, own: &[u32], to: V| -> u32 {
            let far = |i: u32| norm(minus(cloud.items[i as usize].1, to));
            *own.iter().min_by(|&&i, &&j| far(i).total_cmp(&far(j))).expect("a primitive")
        };
        let (mut i, mut best) = (a[0], f64::MAX);
        for _ in 0..3 {
            let j = nearest(self.b, b, self.a.items[i as usize].1);
            i = nearest(self.a, a, self.b.items[j as usize].1);
            best = best.min(between(self.a.items[i as usize].0, self.b.items[j as usize].0));
        }
        best
    }
}

fn between(p: Item, q: Item) -> f64 {
    match (p, q) {
        (Item::Triangle(p), Item::Triangle(q)) => triangle_triangle(p, q),
        (Item::Solid(p), Item::Solid(q)) => match separation(&p, &q) {
            gap if gap <= 0.0 => 0.0,
            _ => distance(&p, &q),
        },
        (Item::Solid(solid), Item::Triangle(t)) | (Item::Triangle(t), Item::Solid(solid)) => {
            solid_triangle(&solid, t)
        }
    }
}

/// Returns zero if a corner is inside, else the distance over the triangles of the surface.
fn solid_triangle(solid: &PlainBox, triangle: Triangle) -> f64 {
    if triangle.iter().any(|&p| solid.excess(p) <= 0.0) {
        return 0.0;
    }
    let corner = |signs: V| {
        (0..3).fold(solid.center, |p, k| {
            crate::plain_box::plus(p, times(solid.axes[k], signs[k] * solid.half[k]))
        })
    };
    let mut least = f64::MAX;
    for face in 0..6 {
        let (i, side) = (face / 2, if face % 2 == 0 { 1.0 } else { -1.0 });
        let at = |u: f64, v: f64| {
            let mut signs = [side; 3];
            (signs[(i + 1) % 3], signs[(i + 2) % 3]) = (u, v);
            corner(signs)
        };
        let [a, b, c, d] = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
        least = least.min(triangle_triangle([a, b, c], triangle));
        least = least.min(triangle_triangle([a, c, d], triangle));
    }
    least
}

compiled_here! { PrimitiveCloud::new }
