//! Separating direction of two hulls, and distance of a point from a hull, by GJK.

use super::HullCorners;
use super::simplex::Simplex;
use crate::num::SimdLevel;
use crate::num::linear::{Mat3, Vec3, add, dot, rotate, rotate_back, scale, sub};
use crate::num::simd::{FloatKernel, Floats};

/// Limit of the directions tried. More would prove more separated hulls, at a cost that most pairs
/// do not need.
const MAX_STEPS: usize = 12;

/// Limit of the directions for a point and a hull, where a miss only costs time.
const MAX_POINT_STEPS: usize = 24;

/// Error of a support in single precision, as a share of the unit of the corners: `16 u`.
const SUPPORT_ERROR: f64 = 1.0 / (1u64 << 20) as f64;

/// Error of double precision, as a share of all sizes and distances.
const ROUNDING_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Distance outside a tetrahedron at which a point may count as inside, as a share of all sizes and
/// distances; see [`Simplex`].
const INSIDE_ERROR: f64 = 1.0 / (1u64 << 28) as f64;

/// Two hulls in the frame of the first, relative to its centre.
#[derive(Clone, Copy)]
pub(crate) struct HullPair<'a> {
    pub corners: [&'a HullCorners; 2],
    /// Axes of the second hull's frame.
    pub rotation: &'a Mat3,
    /// Offset from the first centre to the second.
    pub offset: Vec3,
    /// Sum of both pads, beyond which hulls count as separated.
    pub pads: f64,
    /// Error of the position of the second hull.
    pub error: f64,
}

impl HullPair<'_> {
    /// Returns `None` if a direction separates the hulls; otherwise an upper bound on the distance
    /// of the convex hulls of their corners.
    pub fn distance_bound(self, simd: SimdLevel) -> Option<f64> {
        self.search(simd, |_, _| true)
    }

    /// Like [`distance_bound`](Self::distance_bound), for directions that are accepted: `accepts`
    /// is called with each direction found that separates the hulls, of any length, from the first
    /// to the second, and with the gap beyond pads and error.
    pub fn search(self, simd: SimdLevel, accepts: impl FnMut(Vec3, f64) -> bool) -> Option<f64> {
        simd.run(SeparationSearch { hulls: self, accepts })
    }

    /// Returns the unit that all lengths are scaled by, so that no product overflows.
    fn unit(&self) -> f64 {
        let [a, b] = self.corners.map(|corners| corners.unit);
        2.0 * if a > b { a } else { b }
    }
}

struct SeparationSearch<'a, F> {
    hulls: HullPair<'a>,
    accepts: F,
}

impl<F: FnMut(Vec3, f64) -> bool> FloatKernel for SeparationSearch<'_, F> {
    type Output = Option<f64>;

    #[inline(always)]
    fn run<L: Floats>(mut self, token: L::Token) -> Option<f64> {
        let hulls = self.hulls;
        let inverse = 1.0 / hulls.unit();
        let [first, second] = hulls.corners;
        let offset = scale(hulls.offset, inverse);
        let far = offset[0].abs() + offset[1].abs() + offset[2].abs() + 4.0;
        let (doubt, rounded) = (hulls.error * inverse, ROUNDING_ERROR * far);
        let margin = hulls.pads * inverse + doubt + SUPPORT_ERROR + rounded;
        let (mut simplex, mut toward) = (Simplex::EMPTY, offset);
        let (mut step, mut least) = (0, f64::INFINITY);
        while step < MAX_STEPS {
            step += 1;
            let direction = scaled_direction(toward);
            let a = first.corner(first.support::<L>(token, direction));
            let seen = rotate_back(hulls.rotation, direction);
            let b = second.corner(second.support::<L>(token, [-seen[0], -seen[1], -seen[2]]));
            // Point of the difference with the least projection on the direction.
            let b = add(offset, rotate(hulls.rotation, scale(b, inverse)));
            let point = sub(b, scale(a, inverse));
            let along = dot(direction, point);
            let squared = dot(direction, direction);
            if along > 0.0
                && along * along > margin * margin * squared
                && (self.accepts)(direction, (along / squared.sqrt() - margin) * hulls.unit())
            {
                return None;
            }
            // A repeated point means that no direction improves the distance.
            if simplex.has_vertex(point) {
                break;
            }
            let Some(nearest) = simplex.add(point) else {
                least = if INSIDE_ERROR * far < least { INSIDE_ERROR * far } else { least };
                break;
            };
            let squared = dot(nearest, nearest);
            least = if squared < least * least { squared.sqrt() } else { least };
            if squared <= margin * margin {
                break;
            }
            toward = nearest;
        }
        Some((least + 2.0 * rounded + doubt) * hulls.unit())
    }
}

/// Scales a direction so that its largest coordinate is 1; the x axis if it is zero.
#[inline(always)]
fn scaled_direction(v: Vec3) -> Vec3 {
    let (x, y, z) = (v[0].abs(), v[1].abs(), v[2].abs());
    let most = if x > y { x } else { y };
    let most = if most > z { most } else { z };
    match most > 0.0 && most < f64::INFINITY {
        true => [v[0] / most, v[1] / most, v[2] / most],
        false => [1.0, 0.0, 0.0],
    }
}

/// Returns an upper bound on the distance of a point, relative to the centre, from the convex hull
/// of the corners. It is tight unless it is less than `enough`.
pub(crate) fn distance_to(corners: &HullCorners, point: Vec3, enough: f64, simd: SimdLevel) -> f64 {
    simd.run(PointHullKernel { corners, point, enough }).0
}

/// Returns the approximate shortest offset from a point, relative to the centre, to the convex hull
/// of the corners.
pub(crate) fn offset_to(corners: &HullCorners, point: Vec3, simd: SimdLevel) -> Vec3 {
    simd.run(PointHullKernel { corners, point, enough: 0.0 }).1
}

struct PointHullKernel<'a> {
    corners: &'a HullCorners,
    point: Vec3,
    enough: f64,
}

impl FloatKernel for PointHullKernel<'_> {
    /// Distance, and the offset in units of the corners.
    type Output = (f64, Vec3);

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> (f64, Vec3) {
        let unit = self.corners.unit;
        let point = scale(self.point, 1.0 / unit);
        let far = 4.0 + point[0].abs() + point[1].abs() + point[2].abs();
        let (rounding, held) = (ROUNDING_ERROR * far, INSIDE_ERROR * far);
        let (mut simplex, mut toward) = (Simplex::EMPTY, [-point[0], -point[1], -point[2]]);
        let (mut least, mut step) = (f64::INFINITY, 0);
        while step < MAX_POINT_STEPS {
            step += 1;
            let direction = scaled_direction(toward);
            let back = [-direction[0], -direction[1], -direction[2]];
            let corner = self.corners.corner(self.corners.support::<L>(token, back));
            let corner = sub(scale(corner, 1.0 / unit), point);
            if simplex.has_vertex(corner) {
                break;
            }
            let Some(nearest) = simplex.add(corner) else { return (held * unit, [0.0; 3]) };
            let distance = dot(nearest, nearest).sqrt();
            // Rounding may mislead a step; the distance found before remains valid.
            match distance < least {
                true => (least, toward) = (distance, nearest),
                false => break,
            }
            if (least + rounding) * unit <= self.enough {
                break;
            }
        }
        ((least + 2.0 * rounding) * unit, toward)
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::{IDENTITY, cross, length};
    use crate::shape::WideTriangle;

    /// Returns the distance of the origin from the hull of some points: 0 in one of their
    /// tetrahedra, else that of the nearest of their triangles.
    fn distance(points: &[Vec3]) -> f64 {
        let side = |[a, b, c]: [Vec3; 3], p: Vec3| dot(cross(sub(b, a), sub(c, a)), sub(p, a));
        let mut least = f64::INFINITY;
        for (i, &a) in points.iter().enumerate() {
            for (j, &b) in points[..i].iter().enumerate() {
                for (k, &c) in points[..j].iter().enumerate() {
                    least = least.min(WideTriangle { corners: [a, b, c] }.distance([0.0; 3]));
                    for &d in &points[..k] {
                        let faces =
                            [([a, b, c], d), ([a, b, d], c), ([a, c, d], b), ([b, c, d], a)];
                        let inside = |(face, other): ([Vec3; 3], Vec3)| {
                            side(face, [0.0; 3]) * side(face, other) > 0.0
                        };
                        if faces.into_iter().all(inside) {
                            return 0.0;
                        }
                    }
                }
            }
        }
        least
    }

    /// Returns points in a ball, on a plane, or nearly on a line.
    fn points(chance: &mut SplitMix64, kind: usize, at: Vec3) -> Vec<Vec3> {
        let flat = [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 1e-7, 1e-9]][kind % 3];
        let point = |p: Vec3| add(at, [p[0] * flat[0], p[1] * flat[1], p[2] * flat[2]]);
        (0..7).map(|_| point(chance.point(1.0))).collect()
    }

    pub fn distances_of_points_are_upper_bounds_and_close() {
        let mut chance = SplitMix64(11);
        for round in 0..900 {
            let size = [1e-6, 1.0, 1e9][round / 3 % 3];
            let at = chance.point(1.0);
            let own = points(&mut chance, round, at);
            let own: Vec<Vec3> = own.into_iter().map(|p| scale(p, size)).collect();
            let corners = HullCorners::from_points([0.0; 3], &own);
            let point = scale(chance.point(1.0), 2.0 * size);
            let kept: Vec<Vec3> = (0..own.len()).map(|i| sub(corners.corner(i), point)).collect();
            let expected = distance(&kept);
            for simd in SimdLevel::all() {
                let found = distance_to(&corners, point, 0.0, simd);
                let off = (found - expected) / corners.unit;
                assert!((-1e-12..1e-6).contains(&off), "round {round}: {found} for {expected}");
                let enough = 0.5 * corners.unit;
                let roughly = distance_to(&corners, point, enough, simd);
                assert!(roughly >= expected - 1e-12 * corners.unit);
                assert!(roughly <= enough || roughly <= found + 1e-6 * corners.unit);
            }
        }
    }

    pub fn separated_hulls_are_further_than_the_margin() {
        let mut chance = SplitMix64(12);
        let (mut told, mut not) = (0, 0);
        for round in 0..1_000 {
            let [a, b] = [0, 1].map(|i| points(&mut chance, round / 3_usize.pow(i), [0.0; 3]));
            let [a, b] = [&a, &b].map(|points| HullCorners::from_points([0.0; 3], points));
            let offset = scale(chance.point(1.0), 2.0);
            let margin = 0.3 * length(chance.point(1.0));
            let differences: Vec<Vec3> =
                (0..49).map(|i| sub(add(offset, b.corner(i % 7)), a.corner(i / 7))).collect();
            let [at_least, expected] = distance_bounds(&differences);
            let corners = [&a, &b];
            let (pads, error) = (0.9 * margin, 0.1 * margin);
            let pair = HullPair { corners, rotation: &IDENTITY, offset, pads, error };
            match pair.distance_bound(SimdLevel::best()) {
                None => assert!(expected > margin, "round {round}: {expected} and {margin}"),
                Some(gap) => {
                    assert!(gap >= at_least + error, "round {round}: {gap} and {at_least}");
                    // Twelve directions are nearly always enough.
                    match expected > 1.05 * margin + 1e-4 {
                        true => not += 1,
                        false => continue,
                    }
                }
            }
            told += 1;
        }
        assert!(told > 250 && 20 * not < told, "{told} {not}");
    }

    /// Returns bounds on the distance of the origin from the hull of many points, by Frank and
    /// Wolfe's steps.
    fn distance_bounds(points: &[Vec3]) -> [f64; 2] {
        let mut v = points[0];
        let lowest = |v: Vec3| {
            let nearest =
                points.iter().copied().reduce(|p, q| if dot(v, q) < dot(v, p) { q } else { p });
            nearest.expect("points")
        };
        for _ in 0..1_000 {
            let step = sub(lowest(v), v);
            let share = (-dot(v, step) / dot(step, step)).clamp(0.0, 1.0);
            if dot(step, step) == 0.0 || share == 0.0 {
                break;
            }
            v = add(v, scale(step, share));
        }
        let size = length(v);
        [if size > 0.0 { dot(v, lowest(v)) / size } else { 0.0 }, size]
    }
}
