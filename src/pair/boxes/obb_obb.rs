//! Pairs of oriented boxes: intersection, contact, closest points.

use super::box_contact;
use crate::num::{Scalar, precompiled};
use crate::pair::obb_distance;
use crate::pair::queries::traits::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use crate::pair::results::{ClosestPoints, Contact};
use crate::sat::{boxes_overlap, prefilter, sorted_boxes};
use crate::shape::Obb;

impl<T: Scalar> IntersectsQuery for Obb<T> {
    /// Tests the 15 axes; touching counts.
    ///
    /// Boxes that share a point are always reported. Reported boxes are no further apart than the
    /// `slack` of [`Obb::contact`]. Source: Ericson, Real-Time Collision Detection (2005), 4.4.1,
    /// with an absolute slack.
    #[inline]
    fn intersects(&self, other: &Self) -> bool {
        intersects(self, other)
    }
}

precompiled! {
    fn intersects<'a, T>(a: &'a Obb<T>, b: &'a Obb<T>) -> bool {
        prefilter::intersects(a, b).unwrap_or_else(|| boxes_overlap(a, b))
    }
}

impl<T: Scalar> ContactQuery for Obb<T> {
    type Answer = Contact<T>;

    /// Returns the contact; `None` if the boxes are disjoint.
    ///
    /// `other.contact(self)` is the [reversed](Contact::reversed) answer, bit for bit, except for
    /// two boxes of the same bits, whose normal is the same from both sides.
    fn contact(&self, other: &Self) -> Option<Contact<T>> {
        contact_precompiled(self, other)
    }
}

precompiled! {
    fn contact_precompiled<'a, T>(a: &'a Obb<T>, b: &'a Obb<T>) -> Option<Contact<T>> {
        contact(a, b)
    }
}

fn contact<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> Option<Contact<T>> {
    let ([first, second], swapped) = sorted_boxes(a, b);
    let contact = box_contact::contact(first, second)?;
    Some(if swapped { contact.reversed() } else { contact })
}

impl<T: Scalar> ClosestPointsQuery for Obb<T> {
    type Scalar = T;

    fn closest_points(&self, other: &Self) -> ClosestPoints<T> {
        closest_points(self, other)
    }

    fn distance(&self, other: &Self) -> T {
        distance(self, other)
    }
}

precompiled! {
    fn closest_points<'a, T>(a: &'a Obb<T>, b: &'a Obb<T>) -> ClosestPoints<T> {
        let (pair, swapped) = sorted_boxes(a, b);
        obb_distance::closest_points(pair, swapped)
    }

    fn distance<'a, T>(a: &'a Obb<T>, b: &'a Obb<T>) -> T {
        Scalar::at_least(obb_distance::distance(sorted_boxes(a, b).0))
    }
}
