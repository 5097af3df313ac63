//! The farthest corner of a box from what is in it, by a look at one primitive: any one bounds the distance.

use super::cells::farthest;
use super::target::Target;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, scale, sub, turn_back};
use crate::shape::{WideObb, wide_point};
use crate::tree::Geometry;

/// Primitives among which the best one is sought, by their centroids. More: closer bounds of large nodes, in proportion to
/// the time.
const TRIED: usize = 16;

/// No corner of the box is further from the nearest of the primitives, but for rounding of the box's axes.
pub(super) fn bound<T: Scalar>(geometry: &Geometry<T>, primitives: &[u32], wide: &WideObb) -> f64 {
    let (mut least, mut best) = (f64::INFINITY, primitives[0]);
    for &primitive in primitives.iter().step_by(primitives.len().div_ceil(TRIED)) {
        let squared = squared(centroid(geometry, primitive), wide);
        if squared < least {
            (least, best) = (squared, primitive);
        }
    }
    let least = least.sqrt();
    match Target::of(geometry, best) {
        Some(target) => least.min(farthest(&target, &wide.corners(), least).0),
        None => least,
    }
}

/// A point of a primitive, up to rounding.
fn centroid<T: Scalar>(geometry: &Geometry<T>, index: u32) -> Vec3 {
    match geometry {
        Geometry::None => [0.0; 3],
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            let [a, b, c] = mesh.triangle(index as usize).corners;
            scale(add(add(a, b), c), 1.0 / 3.0)
        }
        Geometry::Boxes(boxes) => wide_point(boxes[index as usize].center()),
    }
}

/// The square of the distance from the point to the farthest corner.
fn squared(point: Vec3, wide: &WideObb) -> f64 {
    let along = turn_back(&wide.axes, sub(point, wide.center));
    (0..3).map(|i| wide.half_extents[i] + along[i].abs()).map(|far| far * far).sum()
}
