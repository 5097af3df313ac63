//! Separating axes of convex shapes: the direction of the closest points, certified by the reaches
//! of both shapes.

use nalgebra::Vector3;

use super::reach::{ReachBound, gap_along};
use crate::num::Scalar;
use crate::num::linear::{Vec3, scale};
use crate::pair::convex::{ConvexBody, ConvexShape, ordered_by_bits, with_pair};
use crate::pair::queries::traits::SeparatingAxisQuery;
use crate::pair::results::{SeparatingAxis, rounded_vector};
use crate::pair::rounded::rounded_shape::RoundedShape;
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Dop14, Dop18, Ellipsoid, Frustum, Obb, Polygon3, Segment,
    SpaceDop8, Sphere, Triangle, wide_point,
};

/// Share of the distance that the gap along the offset of closed forms may fall short of it; beyond
/// that GJK searches a better direction.
const CLOSED_FORM_LOSS: f64 = 1.0 / (1u64 << 20) as f64;

/// Returns the axis of two shapes, the first in a fixed order.
fn axis_between<T: Scalar>(
    first: &(impl ConvexBody + ReachBound),
    second: &(impl ConvexBody + ReachBound),
) -> Option<SeparatingAxis<T>> {
    let certified = |direction: Vec3| -> Option<SeparatingAxis<T>> {
        let direction = rounded_vector(direction);
        let gap = gap_along(first, second, wide_point(direction.into()))?;
        Some(SeparatingAxis { direction, gap })
    };
    with_pair(first, second, |pair| {
        let closed = pair.closed_direction();
        let axis = closed.and_then(|(direction, _)| certified(direction));
        // The direction across a small gap is that of rounded closest points.
        let is_tight = closed
            .zip(axis)
            .is_some_and(|((_, gap), axis)| axis.gap.wide() >= (1.0 - CLOSED_FORM_LOSS) * gap);
        if is_tight {
            return axis;
        }
        let searched = pair.farthest_direction().and_then(certified);
        match (axis, searched) {
            (Some(closed), Some(searched)) if closed.gap >= searched.gap => Some(closed),
            (closed, searched) => searched.or(closed),
        }
    })
    .flatten()
}

/// Implements the axis of one kind with some others, in both orders.
macro_rules! axes {
    ($($first:ty: $($second:ty),*;)*) => { $($(axes!(@ $first, $second);)*)* };
    (@ $first:ty, $second:ty) => {
        impl<T: Scalar> SeparatingAxisQuery<$second> for $first {
            type Scalar = T;
            fn separating_axis(&self, other: &$second) -> Option<SeparatingAxis<T>> {
                axis_between(self, other)
            }
            fn gap_along(&self, other: &$second, direction: Vector3<T>) -> Option<T> {
                gap_along(self, other, wide_point(direction.into()))
            }
        }
        impl<T: Scalar> SeparatingAxisQuery<$first> for $second {
            type Scalar = T;
            fn separating_axis(&self, other: &$first) -> Option<SeparatingAxis<T>> {
                axis_between(other, self).map(|axis| axis.reversed())
            }
            fn gap_along(&self, other: &$first, direction: Vector3<T>) -> Option<T> {
                gap_along(other, self, wide_point((-direction).into()))
            }
        }
    };
}

axes! {
    Capsule<T>: Sphere<T, 3>;
    Segment<T>: Sphere<T, 3>, Capsule<T>;
    Triangle<T>: Sphere<T, 3>, Capsule<T>, Segment<T>;
    Aabb<T, 3>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>;
    Obb<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>;
    Polygon3<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>;
    Frustum<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Polygon3<T>;
    Cylinder<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Polygon3<T>,
        Frustum<T>;
    Ellipsoid<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Polygon3<T>,
        Frustum<T>, Cylinder<T>;
    ConvexHull<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>,
        Polygon3<T>, Frustum<T>, Cylinder<T>, Ellipsoid<T>;
    Dop14<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Polygon3<T>,
        Frustum<T>, Cylinder<T>, Ellipsoid<T>, ConvexHull<T>, Dop18<T>, SpaceDop8<T>;
    Dop18<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Polygon3<T>,
        Frustum<T>, Cylinder<T>, Ellipsoid<T>, ConvexHull<T>, SpaceDop8<T>;
    SpaceDop8<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Polygon3<T>,
        Frustum<T>, Cylinder<T>, Ellipsoid<T>, ConvexHull<T>;
}

/// Orders two shapes of one kind by their stored bits; `true` if they were swapped.
fn ordered<'a, K: RoundedShape>(a: &'a K, b: &'a K) -> ([&'a K; 2], bool) {
    let swapped = b.precedes(a);
    (if swapped { [b, a] } else { [a, b] }, swapped)
}

/// Implements the axis of two shapes of one kind, in the order of their bits.
macro_rules! axes_of_equals {
    ($order:ident: $($kind:ty),*) => {$(
        impl<T: Scalar> SeparatingAxisQuery for $kind {
            type Scalar = T;
            fn separating_axis(&self, other: &Self) -> Option<SeparatingAxis<T>> {
                let ([a, b], swapped) = $order(self, other);
                let axis = axis_between(a, b)?;
                Some(if swapped { axis.reversed() } else { axis })
            }
            fn gap_along(&self, other: &Self, direction: Vector3<T>) -> Option<T> {
                let ([a, b], swapped) = $order(self, other);
                let direction = wide_point(direction.into());
                gap_along(a, b, if swapped { scale(direction, -1.0) } else { direction })
            }
        }
    )*};
}

axes_of_equals!(ordered: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>);
axes_of_equals! {
    ordered_by_bits: Polygon3<T>, Frustum<T>, Cylinder<T>, Ellipsoid<T>, ConvexHull<T>, ConvexShape<T>
}
