//! The plane of a face from three points on it.

use nalgebra::{Unit, Vector3};

use super::read::MAX_COORDINATE;
use crate::num::linear::{Vec3, cross, dot, length, scale as scaled, sub};
use crate::shape::{Plane, UpAxis};

/// Number of steps per unit of the lattice on which planes are computed with integers.
const LATTICE_STEPS: f64 = 1024.0;

/// Largest coordinate of a lattice point, in steps: the square of a normal is then under `2^120`.
const MAX_LATTICE_COORDINATE: f64 = (1u64 << 27) as f64;

/// The least squared sine of the angle at the second point: `2^-40` squared.
const MIN_SINE_SQUARED: f64 = 1.0 / (1u128 << 80) as f64;

/// Returns the plane through the three points in the frame of the level, with the normal
/// `(p1 - p2) x (p3 - p2)`, out of the brush.
///
/// Faces of one plane have equal bits, whichever points each is written with, if their points are
/// on the lattice.
pub(super) fn plane(points: &[Vec3; 3], scale: f64, up: UpAxis) -> Result<Plane<f64>, String> {
    for &x in points.iter().flatten() {
        // The comparison is false for NaN.
        if x.abs() <= MAX_COORDINATE {
            continue;
        }
        return Err(match x.is_finite() {
            true => format!("{x:e} is larger than {MAX_COORDINATE:e}"),
            false => format!("{x} is not finite"),
        });
    }
    let found = match lattice_points(points) {
        Some(steps) => exact_plane(&steps, scale),
        None => rounded_plane(points, scale),
    };
    let (normal, offset) = found.ok_or("its three points are in a line")?;
    let normal = Unit::new_unchecked(Vector3::from(up.undo_to_z(normal)));
    Plane::new(normal, offset).map_err(|error| error.to_string())
}

/// Returns the points in steps of the lattice, if all are on it.
fn lattice_points(points: &[Vec3; 3]) -> Option<[[i128; 3]; 3]> {
    let step = |x: f64| x * LATTICE_STEPS;
    let on = |x: f64| step(x).abs() <= MAX_LATTICE_COORDINATE && step(x) == (step(x) as i64) as f64;
    let all = points.iter().flatten().all(|&x| on(x));
    all.then(|| points.map(|point| point.map(|x| i128::from(step(x) as i64))))
}

/// Returns normal and offset, exact up to their last rounding; `None` for points on a line.
fn exact_plane([p1, p2, p3]: &[[i128; 3]; 3], scale: f64) -> Option<(Vec3, f64)> {
    let way = |p: &[i128; 3]| [p[0] - p2[0], p[1] - p2[1], p[2] - p2[2]];
    let (a, b) = (way(p1), way(p3));
    let normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    // Without common factors the normal is equal for all points of the plane.
    let common = normal.into_iter().fold(0, greatest_common_divisor);
    if common == 0 {
        return None;
    }
    let normal = normal.map(|x| x / common);
    let product = |u: &[i128; 3], v: &[i128; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let length = (product(&normal, &normal) as f64).sqrt();
    let offset = product(&normal, p2) as f64 / LATTICE_STEPS * scale / length;
    Some((normal.map(|x| x as f64 / length), offset))
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns normal and offset in double precision; `None` for points nearly on a line.
fn rounded_plane([p1, p2, p3]: &[Vec3; 3], scale: f64) -> Option<(Vec3, f64)> {
    let (a, b) = (sub(*p1, *p2), sub(*p3, *p2));
    let normal = cross(a, b);
    if dot(normal, normal) <= dot(a, a) * dot(b, b) * MIN_SINE_SQUARED {
        return None;
    }
    let normal = scaled(normal, 1.0 / length(normal));
    Some((normal, dot(normal, *p2) * scale))
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn faces_of_one_plane_have_the_same_bits() {
        // 3x + 4y + 12z = 26, in units of an eighth.
        let at = |x: f64, y: f64| [x, y, (26.0 - 3.0 * x - 4.0 * y) / 12.0];
        let first = [at(2.0, 5.0), at(2.0, 2.0), at(6.0, -1.0)];
        let second = [at(-10.0, 20.0), at(-10.0, -4.0), at(42.0, -34.0)];
        for up in [UpAxis::X, UpAxis::Y, UpAxis::Z] {
            let planes = [first, second].map(|points| plane(&points, 0.3, up).expect("a plane"));
            assert_eq!(planes[0], planes[1]);
        }
        assert!(lattice_points(&first).is_some() && lattice_points(&second).is_some());
        let tenths = first.map(|point| point.map(|x| x / 10.0));
        assert!(lattice_points(&tenths).is_none());
        let (exact, near) = (
            exact_plane(&lattice_points(&first).expect("whole"), 0.1),
            rounded_plane(&tenths, 1.0),
        );
        let (Some((n, o)), Some((m, p))) = (exact, near) else { panic!("{exact:?}, {near:?}") };
        assert!(length(sub(n, m)) < 1e-14 && (o - p).abs() < 1e-14, "{n:?} {o} {m:?} {p}");
    }

    pub fn axes_change_places_and_no_bit() {
        let top = [[0.0, 0.0, 7.0], [0.0, -1.0, 7.0], [-1.0, 0.0, 7.0]];
        let made = |up| plane(&top, 0.5, up).expect("a plane");
        for (up, normal) in [
            (UpAxis::X, Vector3::x_axis()),
            (UpAxis::Y, Vector3::y_axis()),
            (UpAxis::Z, Vector3::z_axis()),
        ] {
            assert_eq!((made(up).normal(), made(up).offset()), (normal, 3.5));
        }
    }

    pub fn no_plane_without_three_points() {
        let refused = |points| plane(&points, 1.0, UpAxis::Z).unwrap_err();
        let line = "its three points are in a line";
        assert_eq!(refused([[1.0; 3], [2.0; 3], [5.0; 3]]), line);
        assert_eq!(refused([[0.1; 3], [0.1; 3], [0.3; 3]]), line);
        assert_eq!(refused([[0.0; 3], [1e8; 3], [1e8 + 1.0, 1e8 + 1.0, 1e8 + 1.0]]), line);
        assert_eq!(refused([[f64::NAN; 3], [0.0; 3], [1.0; 3]]), "NaN is not finite");
        assert_eq!(refused([[0.0; 3], [f64::INFINITY; 3], [1.0; 3]]), "inf is not finite");
        assert_eq!(refused([[0.0; 3], [1e300; 3], [1.0; 3]]), "1e300 is larger than 1.073741824e9");
    }
}
