//! How far the corners of a box are from a primitive, several corners at a time.

use super::target::Target;
use crate::num::doubles::{Doubles, MOST};
use crate::num::linear::{Vec3, add, splat, splat_all, turn};
use crate::shape::WideObb;

/// On which side of the centre each corner is, by axis.
const SIDES: [[f64; MOST]; 3] = [
    [-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0],
    [-1.0, -1.0, 1.0, 1.0, -1.0, -1.0, 1.0, 1.0],
    [-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0],
];

/// How far each corner is, in the order of [`WideObb::corners`].
#[inline(always)]
pub(super) fn distances<D: Doubles>(
    token: D::Token,
    target: &Target,
    wide: &WideObb,
) -> [f64; MOST] {
    let mut distances = [0.0; MOST];
    if let Target::Triangle(spanned) = target {
        let spanned = spanned.splat::<D>(token);
        for first in (0..MOST).step_by(D::LEN) {
            let corners = corners::<D>(token, wide, first);
            spanned.distances(token, corners).store(&mut distances[first..]);
        }
    } else {
        for (distance, corner) in distances.iter_mut().zip(wide.corners()) {
            *distance = target.distance(corner);
        }
    }
    distances
}

/// As many corners as there are lanes.
#[inline(always)]
fn corners<D: Doubles>(token: D::Token, wide: &WideObb, first: usize) -> Vec3<D> {
    let mut along = splat::<D>(token, wide.half_extents);
    for (half, sides) in along.iter_mut().zip(&SIDES) {
        *half = D::load(token, &sides[first..]) * *half;
    }
    add(splat(token, wide.center), turn(&splat_all(token, &wide.axes), along))
}
