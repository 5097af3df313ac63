//! Whether a direction shows two hulls to be apart, and how far a point is from one.

use super::Corners;
use super::simplex::Simplex;
use crate::num::SimdLevel;
use crate::num::linear::{Mat3, Vec3, add, dot, scale, sub, turn, turn_back};
use crate::num::simd::{FloatKernel, Floats};

/// The most directions that are tried. More: no hull that is apart is taken for touching, at a cost
/// that few pairs need: four are enough for most.
const STEPS: usize = 12;

/// The same of a point and a hull, where it only costs time.
const POINT_STEPS: usize = 24;

/// By how much less than the farthest a corner may be that single precision takes for the farthest,
/// as a share of the unit of the corners: `16 u`.
const SUPPORT: f64 = 1.0 / (1u64 << 20) as f64;

/// More than what double precision rounds off, as a share of all sizes and distances.
const ROUNDED: f64 = 1.0 / (1u64 << 44) as f64;

/// How far beside a tetrahedron that counts as holding it a point may be, as a share of all sizes
/// and distances; see [`Simplex`].
const HELD: f64 = 1.0 / (1u64 << 28) as f64;

/// Two hulls, seen from the centre of the first.
pub(crate) struct HullPair<'a> {
    pub corners: [&'a Corners; 2],
    /// The axes of the second's frame.
    pub rotation: &'a Mat3,
    /// From the centre of the first to that of the second.
    pub offset: Vec3,
    /// They count as apart only by more than that: pads, and how far the offset may be off.
    pub margin: f64,
}

impl HullPair<'_> {
    /// Whether one of the directions tried shows them to be apart.
    pub fn are_apart(self, level: SimdLevel) -> bool {
        level.run(self)
    }

    /// All lengths are seen in this unit, so that no product overflows.
    fn unit(&self) -> f64 {
        let [a, b] = self.corners.map(|corners| corners.unit);
        2.0 * if a > b { a } else { b }
    }
}

impl FloatKernel for HullPair<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> bool {
        let inverse = 1.0 / self.unit();
        let [first, second] = self.corners;
        let offset = scale(self.offset, inverse);
        let far = offset[0].abs() + offset[1].abs() + offset[2].abs() + 4.0;
        let margin = self.margin * inverse + SUPPORT + ROUNDED * far;
        let (mut simplex, mut toward) = (Simplex::EMPTY, offset);
        let mut step = 0;
        while step < STEPS {
            step += 1;
            let direction = unit_size(toward);
            let a = first.corner(first.support::<L>(token, direction));
            let seen = turn_back(self.rotation, direction);
            let b = second.corner(second.support::<L>(token, [-seen[0], -seen[1], -seen[2]]));
            // The point of the difference of the two that is least along the direction.
            let b = add(offset, turn(self.rotation, scale(b, inverse)));
            let point = sub(b, scale(a, inverse));
            let along = dot(direction, point);
            if along > 0.0 && along * along > margin * margin * dot(direction, direction) {
                return true;
            }
            // No direction does better than the distance, and none is left that is new.
            if simplex.holds(point) {
                return false;
            }
            match simplex.add(point) {
                Some(nearest) if dot(nearest, nearest) > margin * margin => toward = nearest,
                _ => return false,
            }
        }
        false
    }
}

/// The same direction, its largest coordinate 1; along x if it has none.
#[inline(always)]
fn unit_size(v: Vec3) -> Vec3 {
    let (x, y, z) = (v[0].abs(), v[1].abs(), v[2].abs());
    let most = if x > y { x } else { y };
    let most = if most > z { most } else { z };
    match most > 0.0 && most < f64::INFINITY {
        true => [v[0] / most, v[1] / most, v[2] / most],
        false => [1.0, 0.0, 0.0],
    }
}

/// No less than the distance of a point, seen from the centre, from the convex hull of the corners;
/// and close to it, unless both are less than `enough`.
pub(crate) fn distance_to(corners: &Corners, point: Vec3, enough: f64, level: SimdLevel) -> f64 {
    level.run(ToHull { corners, point, enough })
}

struct ToHull<'a> {
    corners: &'a Corners,
    point: Vec3,
    enough: f64,
}

impl FloatKernel for ToHull<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> f64 {
        let unit = self.corners.unit;
        let point = scale(self.point, 1.0 / unit);
        let far = 4.0 + point[0].abs() + point[1].abs() + point[2].abs();
        let (rounding, held) = (ROUNDED * far, HELD * far);
        let (mut simplex, mut toward) = (Simplex::EMPTY, [-point[0], -point[1], -point[2]]);
        let (mut least, mut step) = (f64::INFINITY, 0);
        while step < POINT_STEPS {
            step += 1;
            let direction = unit_size(toward);
            let back = [-direction[0], -direction[1], -direction[2]];
            let corner = self.corners.corner(self.corners.support::<L>(token, back));
            let corner = sub(scale(corner, 1.0 / unit), point);
            if simplex.holds(corner) {
                break;
            }
            let Some(nearest) = simplex.add(corner) else { return held * unit };
            let distance = dot(nearest, nearest).sqrt();
            // Rounding may lead astray; what was found before still holds.
            if distance >= least {
                break;
            }
            (least, toward) = (distance, nearest);
            if (least + rounding) * unit <= self.enough {
                break;
            }
        }
        (least + 2.0 * rounding) * unit
    }
}
