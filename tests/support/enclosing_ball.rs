//! The smallest enclosing ball by brute force over all sets of points, and in exact arithmetic.

use boxwood::num::Scalar;
use boxwood::shape::Sphere;
use nalgebra::{DMatrix, DVector, Point, SVector};
use num_bigint::BigInt;

use crate::exact_boxes::{range, whole};

/// Returns `true` if all points are in the ball, in exact arithmetic.
pub fn holds_exactly<T: Scalar, const D: usize>(
    ball: &Sphere<T, D>,
    points: &[Point<T, D>],
) -> bool {
    let center = ball.center().map(T::wide);
    let radius = ball.radius().wide();
    points.iter().all(|p| {
        let p = p.map(T::wide);
        let low = range(p.iter().chain(center.iter()).chain([&radius])).0;
        let squared: BigInt = (0..D)
            .map(|i| whole::<BigInt>(p[i], low) - whole::<BigInt>(center[i], low))
            .map(|d| &d * &d)
            .sum();
        let radius = whole::<BigInt>(radius, low);
        squared <= &radius * &radius
    })
}

/// Computes the least radius of any ball through up to `D + 1` of the points that contains all:
/// normal equations by nalgebra.
pub fn least_radius<T: Scalar, const D: usize>(points: &[Point<T, D>]) -> f64 {
    let all: Vec<SVector<f64, D>> = points.iter().map(|p| p.coords.map(T::wide)).collect();
    let mut best = f64::INFINITY;
    for set in 1u32..1 << all.len() {
        let on: Vec<&SVector<f64, D>> =
            (0..all.len()).filter(|i| set >> i & 1 == 1).map(|i| &all[i]).collect();
        if on.len() > D + 1 {
            continue;
        }
        let columns: Vec<DVector<f64>> = on[1..]
            .iter()
            .map(|p| DVector::from_iterator(D, (*p - on[0]).iter().copied()))
            .collect();
        let center = if columns.is_empty() {
            *on[0]
        } else {
            let v = DMatrix::from_columns(&columns);
            let right = DVector::from_iterator(
                columns.len(),
                columns.iter().map(|c| 0.5 * c.norm_squared()),
            );
            let Some(shares) = (v.transpose() * &v).full_piv_lu().solve(&right) else { continue };
            let step = v * shares;
            on[0] + SVector::from_iterator(step.iter().copied())
        };
        let radius = all.iter().map(|p| (p - center).norm()).fold(0.0, f64::max);
        best = best.min(radius);
    }
    best
}

/// Instantiates the generic functions here, where they are optimized: in the plane and in space.
#[doc(hidden)]
pub fn compiled_here() -> [*const (); 8] {
    [
        least_radius::<f32, 2> as *const (),
        least_radius::<f64, 2> as *const (),
        least_radius::<f32, 3> as *const (),
        least_radius::<f64, 3> as *const (),
        holds_exactly::<f32, 2> as *const (),
        holds_exactly::<f64, 2> as *const (),
        holds_exactly::<f32, 3> as *const (),
        holds_exactly::<f64, 3> as *const (),
    ]
}
