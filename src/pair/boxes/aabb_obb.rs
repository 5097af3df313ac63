//! Pairs of an aligned and an oriented box: intersection, closest points, contact.

use super::box_contact::BoxContact;
use crate::num::linear::{IDENTITY, add, scale, sub};
use crate::num::{Scalar, precompiled};
use crate::pair::obb_distance;
use crate::pair::queries::traits::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use crate::pair::results::ClosestPoints;
use crate::pair::results::Contact;
use crate::pair::rounded::slack_box::SlackBox;
use crate::sat::{BoxPair, sat_tolerance};
use crate::shape::{Aabb, Obb, WideObb};

impl<T: Scalar> IntersectsQuery<Obb<T>> for Aabb<T, 3> {
    #[inline]
    fn intersects(&self, other: &Obb<T>) -> bool {
        intersects(self, other)
    }
}

impl<T: Scalar> IntersectsQuery<Aabb<T, 3>> for Obb<T> {
    #[inline]
    fn intersects(&self, other: &Aabb<T, 3>) -> bool {
        intersects(other, self)
    }
}

impl<T: Scalar> ClosestPointsQuery<Obb<T>> for Aabb<T, 3> {
    type Scalar = T;

    #[inline]
    fn closest_points(&self, other: &Obb<T>) -> ClosestPoints<T> {
        closest_points(self, other, false)
    }

    #[inline]
    fn distance(&self, other: &Obb<T>) -> T {
        distance(self, other)
    }
}

impl<T: Scalar> ClosestPointsQuery<Aabb<T, 3>> for Obb<T> {
    type Scalar = T;

    #[inline]
    fn closest_points(&self, other: &Aabb<T, 3>) -> ClosestPoints<T> {
        closest_points(other, self, true)
    }

    #[inline]
    fn distance(&self, other: &Aabb<T, 3>) -> T {
        distance(other, self)
    }
}

precompiled! {
    fn intersects<'a, T>(aligned: &'a Aabb<T, 3>, oriented: &'a Obb<T>) -> bool {
        obb_distance::overlaps((aligned, oriented))
    }

    /// Computes the closest points; `swapped` names the oriented box first.
    fn closest_points<'a, T>(
        aligned: &'a Aabb<T, 3>,
        oriented: &'a Obb<T>,
        swapped: bool,
    ) -> ClosestPoints<T> {
        obb_distance::closest_points((aligned, oriented), swapped)
    }

    fn distance<'a, T>(aligned: &'a Aabb<T, 3>, oriented: &'a Obb<T>) -> T {
        Scalar::at_least(obb_distance::distance((aligned, oriented)))
    }
}

impl<T: Scalar> ContactQuery<Obb<T>> for Aabb<T, 3> {
    type Answer = Contact<T>;

    /// Returns the contact as for two [`Obb`]s; `None` exactly where the boxes do not intersect.
    /// For an infinite box, for example a floor, the point is near the oriented box.
    fn contact(&self, other: &Obb<T>) -> Option<Contact<T>> {
        if !IntersectsQuery::intersects(self, other) {
            return None;
        }
        let second = other.wide();
        let first = clipped_box(self, &second)?;
        let slack = sat_tolerance::<T>(&first, &second);
        let pair = BoxPair::new(&first, &second);
        Some(BoxContact::new::<T>((), &pair, [&first, &second], [slack, 0.0]).rounded())
    }
}

impl<T: Scalar> ContactQuery<Aabb<T, 3>> for Obb<T> {
    type Answer = Contact<T>;

    fn contact(&self, other: &Aabb<T, 3>) -> Option<Contact<T>> {
        ContactQuery::contact(other, self).map(|contact| contact.reversed())
    }
}

/// Distance at which sides of the aligned box are clipped, as a multiple of the distance that the
/// oriented box needs to leave the nearest side. Clipping keeps the digits that an infinite floor
/// would lose, and never changes the side of the least translation.
const CLIP_FACTOR: f64 = (1u64 << 26) as f64;

/// Returns the aligned box, clipped to what can matter to `other`; `None` if it is empty.
fn clipped_box<T: Scalar>(stored: &Aabb<T, 3>, other: &WideObb) -> Option<WideObb> {
    let [low, high] = SlackBox::finite_corners(stored)?;
    let sides = sub(low, other.center).into_iter().chain(sub(high, other.center));
    let near = sides
        .fold(f64::INFINITY, |least, side| if side.abs() < least { side.abs() } else { least });
    let most = CLIP_FACTOR * (near + other.radius());
    let cut = |x: f64, i: usize| match x - other.center[i] {
        side if most > 0.0 && side > most => other.center[i] + most,
        side if most > 0.0 && side < -most => other.center[i] - most,
        _ => x,
    };
    let [low, high] = [low, high].map(|end| [0, 1, 2].map(|i| cut(end[i], i)));
    let center = add(scale(low, 0.5), scale(high, 0.5));
    Some(WideObb { center, axes: IDENTITY, half_extents: sub(high, center) })
}
