//! Degenerate parts (no interior, width or length) with integer coordinates, where exact touching
//! is common.

use boxwood::num::Scalar;
use boxwood::shape::Pose;
use boxwood::tree::Geometry;

use crate::plain_box::{UPRIGHT, V, plus, times};
use crate::random::Random;
use crate::random_parts::{mesh, pose, solid};
use crate::triangle_distance::Triangle;

pub const KINDS: usize = 8;

/// Draws a plate, a rod, a point or a cube, as a box; or triangles that are a point, a segment,
/// flat in one plane, or slivers.
pub fn awkward<T: Scalar>(random: &mut Random, kind: usize, size: f64) -> Geometry<T> {
    let one = |half: V| Geometry::Boxes(vec![solid([0.0; 3], &UPRIGHT, times(half, size))]);
    let some = |triangles: &[Triangle]| {
        let sized = triangles.iter().map(|corners| corners.map(|p| times(p, size)));
        mesh(&sized.collect::<Vec<_>>())
    };
    match kind % KINDS {
        0 => one([1.0, 1.0, 0.0]),
        1 => one([0.0, 1.0, 0.0]),
        2 => one([0.0; 3]),
        3 => one([1.0; 3]),
        4 => some(&[[[1.0, 0.0, 0.0]; 3]]),
        5 => some(&[[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0; 3]]]),
        6 => some(&[
            [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0]],
            [[-1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]],
        ]),
        _ => some(&[0.0, 0.5, 1.0].map(|from| sliver(random, from))),
    }
}

/// Returns a triangle two units long with almost no width.
fn sliver(random: &mut Random, from: f64) -> Triangle {
    let aside = times(random.direction(), random.decade(-12.0, -4.0));
    [[from, -1.0, 0.0], [from, 1.0, 0.0], plus([from, 0.0, 0.0], aside)]
}

/// Draws a pose without rounding: a rotation that maps the axes on each other, at an integer
/// position.
pub fn whole_pose<T: Scalar>(random: &mut Random, reach: usize, unit: f64) -> Pose<T> {
    let at = std::array::from_fn(|_| unit * (random.below(2 * reach + 1) as f64 - reach as f64));
    let mut q = [0.5, 0.5, 0.5, 0.5].map(|x| x * random.sign());
    if random.chance(0.4) {
        q = [0.0; 4];
        q[random.below(4)] = 1.0;
    }
    pose(q, at)
}

compiled_here! { awkward, whole_pose }
