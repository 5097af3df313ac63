//! Extremely thin triangles: slivers in any direction, needles whose short side is at one end, far
//! from the origin, tiny and huge.

use boxwood::num::Scalar;
use boxwood::tree::Geometry;

use crate::plain_box::{V, plus, times};
use crate::random::Random;
use crate::random_parts::mesh;
use crate::triangle_distance::Triangle;

/// Triangle of issue 53, whose normal by a cross product is off right angles by 20 roundings.
pub const OF_THE_ISSUE: Triangle = [
    [0.06084498, 0.03865925455719156, -0.028430522585903412],
    [-0.01163033, 0.025674982651482346, -0.01784322813093473],
    [0.06015251, 0.038565484933099414, -0.02828886233707679],
];

/// Sizes of slivers: unit size, tiny, huge.
pub const SIZES: [f64; 3] = [1.0, 1e-30, 1e25];

/// Draws a triangle with a corner at the origin, its height 1e-1 to 1e-12 of its length. The apex
/// is over any point of the longest side (a sliver) or close to its end (a needle): there its
/// coordinates are small, so single precision keeps the height.
pub fn sliver(random: &mut Random, size: f64) -> Triangle {
    let (along, aside) = (random.direction(), random.direction());
    let height = random.decade(-12.0, -1.0);
    let foot = match random.chance(0.5) {
        true => random.between(0.0, 1.0),
        false => random.decade(-12.0, -1.0),
    };
    let apex = plus(times(along, foot), times(aside, height));
    let mut corners = [[0.0; 3], along, apex].map(|p| times(p, size));
    corners.rotate_left(random.below(3));
    corners
}

/// Draws a part of one to four slivers that share the origin, moved by `away`.
pub fn slivers<T: Scalar>(random: &mut Random, size: f64, away: V) -> Geometry<T> {
    let count = 1 + random.below(4);
    let one = |random: &mut Random| sliver(random, size).map(|p| plus(p, away));
    mesh(&(0..count).map(|_| one(random)).collect::<Vec<_>>())
}

compiled_here! { slivers }
