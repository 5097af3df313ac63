//! Frusta: separating axes against boxes and triangles, their faces against balls, capsules and
//! segments.

use nalgebra::Point3;

use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, add, scale, sub};
use crate::pair::IntersectsQuery;
use crate::sat::polytope::FrustumHull;
use crate::shape::{Aabb, Capsule, Frustum, Obb, Segment, Sphere, Triangle, WideObb, wide_point};

/// Returns a bound on the rounding of differences and products of such coordinates: `64 e` of the
/// largest.
fn coordinate_error(corners: &[Vec3; 8], others: &[Vec3]) -> f64 {
    let far = corners.iter().chain(others).flatten().fold(0.0, |far: f64, x| far.max(x.abs()));
    far / (1u64 << 47) as f64
}

fn wide_hull<T: Scalar>(frustum: &Frustum<T>) -> FrustumHull {
    FrustumHull::from_corners(frustum.corners().map(wide_point))
}

macro_rules! both_ways {
    ($($kind:ty, $meets:expr;)*) => {$(
        impl<T: Scalar> IntersectsQuery<$kind> for Frustum<T> {
            fn intersects(&self, other: &$kind) -> bool {
                let meets: fn(&FrustumHull, &$kind) -> bool = $meets;
                meets(&wide_hull(self), other)
            }
        }
        impl<T: Scalar> IntersectsQuery<Frustum<T>> for $kind {
            fn intersects(&self, other: &Frustum<T>) -> bool {
                IntersectsQuery::intersects(other, self)
            }
        }
    )*};
}

both_ways! {
    Aabb<T, 3>, |hull, other| {
        let end = 4.0 * f64::MAX_COORDINATE;
        let [low, high] = [other.min, other.max].map(|p| wide_point(p).map(|x| x.clamp(-end, end)));
        if !(0..3).all(|i| low[i] <= high[i]) {
            return false;
        }
        let (center, half_extents) = (scale(add(low, high), 0.5), scale(sub(high, low), 0.5));
        let pad = coordinate_error(hull.corners(), &[low, high]);
        hull.may_overlap_box(&WideObb { center, axes: IDENTITY, half_extents }, pad)
    };
    Obb<T>, |hull, other| {
        let other = other.wide();
        let pad = coordinate_error(hull.corners(), &other.corners());
        hull.may_overlap_box(&other, pad)
    };
    Triangle<T>, |hull, other| {
        let corners = other.corners().map(wide_point);
        hull.may_overlap_triangle(&corners, coordinate_error(hull.corners(), &corners))
    };
}

macro_rules! both_ways_by_faces {
    ($($kind:ty, $point:expr;)*) => {$(
        impl<T: Scalar> IntersectsQuery<$kind> for Frustum<T> {
            /// Tests a point of the shape against the inside, then the shape against all faces.
            fn intersects(&self, other: &$kind) -> bool {
                let point: fn(&$kind) -> Point3<T> = $point;
                self.contains(point(other)) || self.face_triangles().any(|face| other.intersects(&face))
            }
        }
        impl<T: Scalar> IntersectsQuery<Frustum<T>> for $kind {
            fn intersects(&self, other: &Frustum<T>) -> bool {
                IntersectsQuery::intersects(other, self)
            }
        }
    )*};
}

both_ways_by_faces! {
    Sphere<T, 3>, |ball| ball.center();
    Capsule<T>, |capsule| capsule.segment().a();
    Segment<T>, |segment| segment.a();
}
