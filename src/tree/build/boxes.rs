//! The boxes of one node.

use std::ops::Range;

use super::Fit;
use crate::fit::{Spread, around, refined, surface};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Mat3, Vec3};
use crate::shape::{Aabb, Obb, wide_matrix};
use crate::tree::{Geometry, Node};

/// A leaf around the primitives in that range of the order, its bound still to be found.
pub(super) fn node<T: Scalar>(
    geometry: &Geometry<T>,
    order: &[u32],
    range: Range<usize>,
    fit: Fit,
) -> Node<T> {
    let primitives = &order[range.clone()];
    let aligned = primitives.iter().fold(Aabb::empty(), |b, &p| b.merged(&geometry.aabb(p)));
    let oriented = oriented(geometry, primitives, fit);
    let (first, last) = (range.start as u32, range.end as u32);
    Node { aligned, oriented, bound: T::zero(), child: 0, first, last }
}

fn oriented<T: Scalar>(geometry: &Geometry<T>, primitives: &[u32], fit: Fit) -> Obb<T> {
    if let (Geometry::Boxes(boxes), [only]) = (geometry, primitives) {
        return boxes[*only as usize];
    }
    let points: Vec<Vec3> = primitives.iter().flat_map(|&p| geometry.corners(p).iter()).collect();
    let along = |axes: &Mat3| around(axes, points.iter().copied());
    match fit {
        Fit::Aligned => along(&IDENTITY),
        Fit::Spread => along(&spread(geometry, primitives)),
        Fit::Best => best(geometry, primitives, along),
        Fit::Refined => {
            let start: Obb<T> = best(geometry, primitives, along);
            // The best for one triangle is the least there is.
            if primitives.len() == 1 {
                return start;
            }
            smaller(start, along(&refined(&wide_matrix(&start.axes()), &points)))
        }
    }
}

/// The best of a few fits: along the part's frame, along the spread of the geometry, along its first primitive.
fn best<T: Scalar>(
    geometry: &Geometry<T>,
    primitives: &[u32],
    along: impl Fn(&Mat3) -> Obb<T>,
) -> Obb<T> {
    let own = (primitives.len() <= 4).then(|| geometry.frame(primitives[0])).flatten();
    let others = [Some(spread(geometry, primitives)), own];
    others.iter().flatten().fold(along(&IDENTITY), |best, axes| smaller(best, along(axes)))
}

fn spread<T: Scalar>(geometry: &Geometry<T>, primitives: &[u32]) -> Mat3 {
    let mut spread = Spread::new(geometry.corners(primitives[0]).mean());
    primitives.iter().for_each(|&p| geometry.add_to(&mut spread, p));
    spread.axes()
}

/// The one with less surface, the first of equals.
fn smaller<T: Scalar>(a: Obb<T>, b: Obb<T>) -> Obb<T> {
    if surface(&b) < surface(&a) { b } else { a }
}
