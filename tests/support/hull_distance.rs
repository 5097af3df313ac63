//! Separation of the convex hulls of two sets of points: by parry3d's GJK over the points
//! themselves, with its direction checked against every point.

use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{ClosestPoints, details};
use parry3d_f64::shape::SupportMap;

use crate::plain_box::{V, inner, minus, norm};

struct Points(Vec<V>);

impl SupportMap for Points {
    fn local_support_point(&self, direction: Vector) -> Vector {
        let along = |p: &&V| inner(**p, [direction.x, direction.y, direction.z]);
        let farthest = self.0.iter().max_by(|p, q| along(p).total_cmp(&along(q)));
        let [x, y, z] = *farthest.expect("points");
        Vector::new(x, y, z)
    }
}

/// Computes the distance of a point from the hull of some points, an upper bound up to rounding:
/// that of a point of the hull.
pub fn to_point(hull: &[V], point: V) -> f64 {
    let (hull, point) = (Points(hull.to_vec()), Points(vec![point]));
    let found =
        details::closest_points_support_map_support_map(&Pose::IDENTITY, &hull, &point, f64::MAX);
    match found {
        ClosestPoints::WithinMargin(p, q) => norm(minus([q.x, q.y, q.z], [p.x, p.y, p.z])),
        _ => 0.0,
    }
}

/// Returns `true` if a direction proves the hulls of the points to be separate.
///
/// # Panics
/// If there are no points.
pub fn are_apart(a: &[V], b: &[V]) -> bool {
    let [a, b] = [a, b].map(|points| Points(points.to_vec()));
    let pose = Pose::IDENTITY;
    let found = details::closest_points_support_map_support_map(&pose, &a, &b, f64::MAX);
    let ClosestPoints::WithinMargin(p, q) = found else { return false };
    let direction = minus([q.x, q.y, q.z], [p.x, p.y, p.z]);
    let along = |points: &Points| -> Vec<f64> {
        points.0.iter().map(|&point| inner(point, direction)).collect()
    };
    let most = along(&a).into_iter().fold(f64::MIN, f64::max);
    let least = along(&b).into_iter().fold(f64::MAX, f64::min);
    most < least
}
