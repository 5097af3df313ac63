//! Heights of points along a direction.

use nalgebra::{Point3, Vector3};

pub fn heights(points: &[Point3<f64>], normal: Vector3<f64>) -> Vec<f64> {
    points.iter().map(|p| p.coords.dot(&normal)).collect()
}

/// Returns the least extent of the points along the directions between them.
pub fn outer_thickness(points: &[Point3<f64>]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let Some(n) = (b - a).cross(&(c - a)).try_normalize(1e-9) else {
                    continue;
                };
                let heights = || points.iter().map(|p| n.dot(&(p - a)));
                least = least.min(heights().fold(0.0, f64::max) - heights().fold(0.0, f64::min));
            }
        }
    }
    least
}
