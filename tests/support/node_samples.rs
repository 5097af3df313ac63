//! The farthest of many points of a node's box from the primitives of the node.

use boxwood::num::Scalar;
use boxwood::tree::{Geometry, NodeId, ObbTree};

use crate::exact_parts_by_hulls::{Body, winding};
use crate::placed_corners::Placed;
use crate::plain_box::{PlainBox, V, minus, norm, plus, times};
use crate::random::Random;
use crate::random_parts::{solids, triangles, upright};
use crate::triangle_distance::{Triangle, point_triangle, solid_angle};

const SAMPLES: usize = 10_000;

/// Primitive with a bounding ball, which skips distant ones.
pub struct Target {
    middle: V,
    radius: f64,
    shape: Shape,
}

enum Shape {
    Triangle(Triangle),
    Box(PlainBox),
}

impl Shape {
    fn distance(&self, p: V) -> f64 {
        match self {
            Shape::Triangle(triangle) => point_triangle(p, *triangle),
            Shape::Box(block) => block.distance(p),
        }
    }
}

/// Returns the primitives of a node.
pub fn targets<T: Scalar>(tree: &ObbTree<T>, node: NodeId) -> Vec<Target> {
    let of_triangle = |triangle: Triangle| {
        let middle = times(triangle.into_iter().fold([0.0; 3], plus), 1.0 / 3.0);
        let radius = triangle.iter().map(|&c| norm(minus(c, middle))).fold(0.0, f64::max);
        Target { middle, radius, shape: Shape::Triangle(triangle) }
    };
    let of_box = |block: PlainBox| Target {
        middle: block.center,
        radius: block.radius(),
        shape: Shape::Box(block),
    };
    let mut found: Vec<Target> = triangles(tree, node).into_iter().map(of_triangle).collect();
    found.extend(solids(tree, node).into_iter().map(of_box));
    found
}

/// Computes the distance of a point from the nearest primitive, or some distance up to `enough` if
/// that is no farther; `guess`, the index of the primitive, is tried first the next time.
pub fn nearest(targets: &[Target], p: V, enough: f64, guess: &mut usize) -> f64 {
    let mut least = targets[*guess].shape.distance(p);
    for (index, target) in targets.iter().enumerate() {
        if least <= enough {
            break;
        }
        if norm(minus(p, target.middle)) - target.radius < least {
            let distance = target.shape.distance(p);
            if distance < least {
                (least, *guess) = (distance, index);
            }
        }
    }
    least
}

/// The inside of a solid, decided exactly near its surface and by solid angles elsewhere; other
/// geometry has none.
pub struct Inside {
    solid: Option<(Body, Vec<Triangle>)>,
    still: Placed,
    /// Distance from the surface at which solid angles decide.
    far: f64,
}

impl Inside {
    pub fn new<T: Scalar>(tree: &ObbTree<T>) -> Self {
        let is_solid = matches!(tree.geometry(), Geometry::Solid(_));
        let solid = is_solid.then(|| (Body::of(tree.geometry()), triangles(tree, NodeId::ROOT)));
        let corners = solid.iter().flat_map(|(_, triangles)| triangles.iter().flatten());
        let far = 1e-6 * corners.map(|&corner| norm(corner)).fold(0.0, f64::max);
        let still = Placed::of::<f64>(&upright([0.0; 3]), &upright([0.0; 3]));
        Inside { solid, still, far }
    }

    /// Returns `true` for a point inside, given its distance from the surface.
    pub fn contains(&self, p: V, distance: f64) -> bool {
        let Some((body, triangles)) = &self.solid else { return false };
        if distance <= self.far {
            return winding(&self.still, body, p) != 0;
        }
        let angles = triangles.iter().map(|&triangle| solid_angle(p, triangle));
        angles.sum::<f64>().abs() > 2.0 * std::f64::consts::PI
    }
}

/// Returns the greatest distance among many points of the box of a node: its corners, then points
/// of its faces and edges, then of its inside.
pub fn sampled<T: Scalar>(tree: &ObbTree<T>, node: NodeId, random: &mut Random) -> f64 {
    // The nearest surface of a solid may belong to another node.
    let solid = matches!(tree.geometry(), Geometry::Solid(_));
    let targets = targets(tree, if solid { NodeId::ROOT } else { node });
    let block = PlainBox::of(tree.node(node).oriented());
    let (mut farthest, mut guess) = (0.0f64, 0);
    let inside = Inside::new(tree);
    for sample in 0..SAMPLES {
        let share: V = std::array::from_fn(|i| match sample % 4 == 0 && random.chance(0.5) {
            _ if sample < 8 => [-1.0, 1.0][sample >> i & 1],
            true => random.sign(),
            false => random.between(-1.0, 1.0),
        });
        let p = (0..3)
            .fold(block.center, |p, k| plus(p, times(block.axes[k], share[k] * block.half[k])));
        let distance = nearest(&targets, p, farthest, &mut guess);
        if distance > farthest && !inside.contains(p, distance) {
            farthest = distance;
        }
    }
    farthest
}

compiled_here! { targets, sampled }
