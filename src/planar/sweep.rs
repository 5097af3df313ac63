//! Sweeps of two planar shapes: time of impact and contact.

use nalgebra::SVector;

use super::contact::{distance_bound, ratio_point};
use super::core::PlanarCore;
use super::outline::{Outline2, Outlined};
use super::outline_pair::OutlinePair;
use super::vector::{Vec2, add, dot, left, scale, sub};
use super::{ConvexPolygon, Obb2, moving_circle};
use crate::num::{Scalar, tolerance};
use crate::pair::sweep::{Motion, TimeSpan, UnroundedHit, impact_time};
use crate::pair::{CastHit, Sweep};
use crate::shape::{Aabb, Sphere};

/// Height below the outermost corner up to which others count as equally high, as a share of the
/// size.
const HEIGHT_ERROR: f64 = 1e-6;

/// Sweeps two shapes in an order that depends only on their numbers.
fn sweep_outlines<T: Scalar>(
    a: &impl Outlined<T>,
    motion: Motion<2>,
    b: &impl Outlined<T>,
) -> Option<CastHit<T, 2>> {
    let (a, b) = (a.outline()?, b.outline()?);
    if b.precedes(&a) {
        return Some(first_touch(&b, &a, &motion.swapped())?.reversed());
    }
    first_touch(&a, &b, &motion)
}

/// Returns the first contact of two outlines in motion.
fn first_touch<T: Scalar, A: PlanarCore, B: PlanarCore>(
    a: &Outline2<A>,
    b: &Outline2<B>,
    motion: &Motion<2>,
) -> Option<CastHit<T, 2>> {
    let pair = OutlinePair::new(a, b);
    let slack = pair.slack() + tolerance::SWEEP_SLACK * motion.length();
    let (passage, normal) = if OutlinePair::<A, B>::ROUND {
        circle_touch(&pair, motion, slack)?
    } else {
        polygon_touch(&pair, motion, slack)?
    };
    let started_inside = !pair.are_separated();
    let enter = if started_inside { 0.0 } else { passage.enter };
    let time = impact_time::<T>(enter);
    let rest = started_inside || enter <= 0.0;
    let touch = UnroundedHit {
        leave: passage.leave,
        normal: if rest { pair.least_overlap().0 } else { normal },
        point: if started_inside {
            ratio_point(a, b)
        } else {
            touching_point(a, b, (normal, motion, time.wide()))
        },
        started_inside,
        slack: distance_bound(a, b, slack),
    };
    Some(touch.rounded(time, motion))
}

/// Returns the time interval of overlap on all axes, and the direction of the axis entered last.
fn polygon_touch<A: PlanarCore, B: PlanarCore>(
    pair: &OutlinePair<'_, A, B>,
    motion: &Motion<2>,
    slack: f64,
) -> Option<(TimeSpan, Vec2)> {
    let (mut passage, mut last, mut normal) = (TimeSpan::ALWAYS, f64::NEG_INFINITY, [1.0, 0.0]);
    for axis in pair.axes() {
        let ([low, high], axis, size) = (axis.overlap_range, axis.along, axis.size);
        if size == 0.0 {
            continue;
        }
        let speed = dot(axis, motion.relative);
        let enter = passage.narrow(low - slack * size, high + slack * size, speed)?;
        if enter > last {
            (last, normal) = (enter, scale(axis, if speed < 0.0 { -1.0 } else { 1.0 } / size));
        }
    }
    Some((passage, normal))
}

/// Returns the time interval in which a circle and another outline overlap, and the direction at
/// its start.
fn circle_touch<A: PlanarCore, B: PlanarCore>(
    pair: &OutlinePair<'_, A, B>,
    motion: &Motion<2>,
    slack: f64,
) -> Option<(TimeSpan, Vec2)> {
    let radius = pair.a.radius + pair.b.radius + slack;
    pair.with_circle(
        |center, of| circle_entry(of, center, scale(motion.relative, -1.0), radius),
        |center, of| {
            let (passage, outward) = circle_entry(of, center, motion.relative, radius)?;
            Some((passage, scale(outward, -1.0)))
        },
    )
}

/// Returns the time interval in which the centre of a circle is within `radius` of an outline, and
/// the direction from the outline to it at its start.
fn circle_entry<C: PlanarCore>(
    of: &Outline2<C>,
    center: Vec2,
    velocity: Vec2,
    radius: f64,
) -> Option<(TimeSpan, Vec2)> {
    let touch = moving_circle::first_touch(of, center, velocity, radius);
    // No edge need be near a centre deep inside, which then stays inside.
    touch.or_else(|| of.contains(center).then_some((TimeSpan::ALWAYS, [1.0, 0.0])))
}

/// Returns the contact point: the middle of the overlap of the outermost edges or corners of both
/// shapes at a time.
fn touching_point<A: PlanarCore, B: PlanarCore>(
    a: &Outline2<A>,
    b: &Outline2<B>,
    (normal, motion, time): (Vec2, &Motion<2>, f64),
) -> Vec2 {
    let moved = |at: Vec2, by: Vec2| add(at, scale(by, time));
    let (at_a, at_b) = (moved(a.center, motion.first), moved(b.center, motion.second));
    // Relative to the first centre: far from the origin the coordinates would be rounded.
    let (low_a, high_a, top) = outermost(a, [0.0; 2], normal, 1.0);
    let (low_b, high_b, bottom) = outermost(b, sub(at_b, at_a), normal, -1.0);
    let middle = 0.5 * (low_a.max(low_b) + high_a.min(high_b));
    let local = add(scale(left(normal), middle), scale(normal, 0.5 * (top + bottom)));
    add(at_a, local)
}

/// Returns the edge or corner of an outline around `at` that is outermost along `sign * normal`:
/// its ends along the tangent left of `normal`, and its height along `normal`.
fn outermost<C: PlanarCore>(
    of: &Outline2<C>,
    at: Vec2,
    normal: Vec2,
    sign: f64,
) -> (f64, f64, f64) {
    let height = |corner: Vec2| sign * dot(normal, corner);
    let top = of.corners().map(height).fold(f64::NEG_INFINITY, f64::max);
    let level = top - HEIGHT_ERROR * of.radius_about_center();
    let outer = of.corners().filter(|&corner| height(corner) >= level);
    let ends = outer.map(|corner| dot(left(normal), add(at, corner)));
    let (low, high) =
        ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    (low, high, dot(normal, at) + sign * (top + of.radius))
}

/// Implements [`Sweep`] for pairs of planar shapes, except those implemented for any dimension.
macro_rules! swept {
    ($($a:ty, $b:ty, $how:literal;)*) => {$(
        impl<T: Scalar> Sweep<T, 2, $b> for $a {
            #[doc = $how]
            fn sweep_both(
                &self,
                displacement: SVector<T, 2>,
                other: &$b,
                other_displacement: SVector<T, 2>,
            ) -> Option<CastHit<T, 2>> {
                sweep_outlines(self, Motion::new(displacement, other_displacement)?, other)
            }
        }
    )*};
}

swept! {
    Obb2<T>, Obb2<T>, "The times of entering and leaving on each of the 4 axes, then those common to all.";
    Obb2<T>, ConvexPolygon<T>, "The times on the axes of the box and of each edge, then those common to all.";
    ConvexPolygon<T>, Obb2<T>, "The times on the axes of each edge and of the box, then those common to all.";
    ConvexPolygon<T>, ConvexPolygon<T>, "The times on the axes of all edges, then those common to all.";
    Obb2<T>, Aabb<T, 2>, "As two oriented boxes; never hits a box that is empty or not finite.";
    Aabb<T, 2>, Obb2<T>, "As two oriented boxes; a box that is empty or not finite never hits.";
    ConvexPolygon<T>, Aabb<T, 2>, "As against an oriented box; never hits a box that is empty or not finite.";
    Aabb<T, 2>, ConvexPolygon<T>, "As of an oriented box; a box that is empty or not finite never hits.";
    Sphere<T, 2>, Obb2<T>, "The first touch of the centre with the edges moved out by the radius or circles around the corners.";
    Obb2<T>, Sphere<T, 2>, "As the circle against the box, with the result reversed.";
    Sphere<T, 2>, ConvexPolygon<T>, "The first touch of the centre with the edges moved out by the radius or circles around the corners.";
    ConvexPolygon<T>, Sphere<T, 2>, "As the circle against the polygon, with the result reversed.";
}
