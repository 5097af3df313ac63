//! Separating axes of two boxes: the one of the 15 along which they are farthest apart.

use nalgebra::Vector3;

use super::reach::{gap_along, gap_of_aligned};
use crate::num::linear::{IDENTITY, Vec3, cross, dot, length, scale, sub};
use crate::num::{Scalar, precompiled};
use crate::pair::queries::traits::{IntersectsQuery, SeparatingAxisQuery};
use crate::pair::results::{SeparatingAxis, rounded_vector};
use crate::sat::{BoxPair, sat_tolerance, sorted_boxes};
use crate::shape::{Aabb, Obb, WideObb, wide_point};

/// Returns the axis of the 15 that separates two boxes by most beyond the slack of the test, of
/// unit length up to the rounding of stored axes; `None` if none does.
fn best_axis(first: &WideObb, second: &WideObb, slack: f64) -> Option<Vec3> {
    let BoxPair { rotation, t, a, b } = BoxPair::new(first, second);
    // Separations times the length of an axis are compared by squares, without roots and divisions.
    let (mut best, mut index) = ([0.0, 1.0], None);
    let mut add = |axis: usize, [distance, radius, square]: [f64; 3]| {
        let beyond = distance.abs() - radius - slack;
        if beyond > 0.0 && beyond * beyond * best[1] > best[0] * square {
            (best, index) = ([beyond * beyond, square], Some(axis));
        }
    };
    for (i, &along) in t.iter().enumerate() {
        add(i, [along, rotation.radius_on_first_face(i, [a, b]), 1.0]);
    }
    for j in 0..3 {
        let radius = rotation.radius_on_second_face(j, [a, b]);
        add(3 + j, [rotation.distance_on_second_face(j, t), radius, 1.0]);
    }
    for (i, j) in (0..9).map(|edges| (edges / 3, edges % 3)) {
        let radius = rotation.radius_on_edges([i, j], [a, b]);
        let square = rotation.squared_sine(i, j);
        add(6 + 3 * i + j, [rotation.distance_on_edges([i, j], t), radius, square]);
    }
    let axis = match index? {
        i @ 0..3 => first.axes[i],
        j @ 3..6 => second.axes[j - 3],
        edges => {
            let [i, j] = [(edges - 6) / 3, (edges - 6) % 3];
            let axis = cross(first.axes[i], second.axes[j]);
            scale(axis, 1.0 / length(axis))
        }
    };
    let is_behind = dot(axis, sub(second.center, first.center)) < 0.0;
    Some(if is_behind { scale(axis, -1.0) } else { axis })
}

precompiled! {
    fn oriented_axis<'a, T>(a: &'a Obb<T>, b: &'a Obb<T>) -> Option<SeparatingAxis<T>> {
        axis_of_oriented(a, b)
    }

    fn mixed_axis<'a, T>(
        aligned: &'a Aabb<T, 3>,
        oriented: &'a Obb<T>,
    ) -> Option<SeparatingAxis<T>> {
        axis_of_mixed(aligned, oriented)
    }
}

fn axis_of_oriented<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> Option<SeparatingAxis<T>> {
    // The prefilters of the test decide most overlaps at a tenth of the cost.
    if IntersectsQuery::intersects(a, b) {
        return None;
    }
    let ([first, second], swapped) = sorted_boxes(a, b);
    let (wide_first, wide_second) = (first.wide(), second.wide());
    let slack = sat_tolerance::<T>(&wide_first, &wide_second);
    let direction = rounded_vector(best_axis(&wide_first, &wide_second, slack)?);
    let gap = gap_along(first, second, wide_point(direction.into()))?;
    let axis = SeparatingAxis { direction, gap };
    Some(if swapped { axis.reversed() } else { axis })
}

/// Takes the greatest of the certified gaps along all axes: a formula by half extents would lose
/// the digits of a small gap above a vast floor.
fn axis_of_mixed<T: Scalar>(aligned: &Aabb<T, 3>, oriented: &Obb<T>) -> Option<SeparatingAxis<T>> {
    if IntersectsQuery::intersects(aligned, oriented) {
        return None;
    }
    let own = oriented.wide().axes;
    let crossed = IDENTITY.iter().flat_map(|&edge| own.map(|other| cross(edge, other)));
    let mut best: Option<SeparatingAxis<T>> = None;
    for axis in IDENTITY.into_iter().chain(own).chain(crossed) {
        let unit = scale(axis, 1.0 / length(axis));
        for direction in [unit, scale(unit, -1.0)] {
            let direction = rounded_vector(direction);
            let gap = gap_along(aligned, oriented, wide_point(direction.into()));
            let Some(gap) = gap.filter(|&gap| best.is_none_or(|best| gap > best.gap)) else {
                continue;
            };
            best = Some(SeparatingAxis { direction, gap });
        }
    }
    best
}

impl<T: Scalar> SeparatingAxisQuery for Obb<T> {
    type Scalar = T;

    #[inline]
    fn separating_axis(&self, other: &Self) -> Option<SeparatingAxis<T>> {
        oriented_axis(self, other)
    }

    #[inline]
    fn gap_along(&self, other: &Self, direction: Vector3<T>) -> Option<T> {
        let ([first, second], swapped) = sorted_boxes(self, other);
        let direction = wide_point(direction.into());
        gap_along(first, second, if swapped { scale(direction, -1.0) } else { direction })
    }
}

impl<T: Scalar> SeparatingAxisQuery<Obb<T>> for Aabb<T, 3> {
    type Scalar = T;

    #[inline]
    fn separating_axis(&self, other: &Obb<T>) -> Option<SeparatingAxis<T>> {
        mixed_axis(self, other)
    }

    #[inline]
    fn gap_along(&self, other: &Obb<T>, direction: Vector3<T>) -> Option<T> {
        gap_along(self, other, wide_point(direction.into()))
    }
}

impl<T: Scalar> SeparatingAxisQuery<Aabb<T, 3>> for Obb<T> {
    type Scalar = T;

    #[inline]
    fn separating_axis(&self, other: &Aabb<T, 3>) -> Option<SeparatingAxis<T>> {
        mixed_axis(other, self).map(|axis| axis.reversed())
    }

    #[inline]
    fn gap_along(&self, other: &Aabb<T, 3>, direction: Vector3<T>) -> Option<T> {
        gap_along(other, self, wide_point((-direction).into()))
    }
}

impl<T: Scalar> SeparatingAxisQuery for Aabb<T, 3> {
    type Scalar = T;

    /// Returns the axis of the coordinates with the greatest gap, the first of equals.
    fn separating_axis(&self, other: &Self) -> Option<SeparatingAxis<T>> {
        let mut best: Option<SeparatingAxis<T>> = None;
        for i in 0..3 {
            let is_behind = other.max[i] < self.min[i];
            let mut direction = Vector3::zeros();
            direction[i] = if is_behind { -T::one() } else { T::one() };
            let Some(gap) = self.gap_along(other, direction) else { continue };
            if best.is_none_or(|best| gap > best.gap) {
                best = Some(SeparatingAxis { direction, gap });
            }
        }
        best
    }

    fn gap_along(&self, other: &Self, direction: Vector3<T>) -> Option<T> {
        gap_of_aligned(self, other, wide_point(direction.into()))
    }
}
