//! Queries of two shapes in both orders: one answer, reversed bit for bit.

use boxwood::num::Scalar;
use boxwood::pair::{ClosestPoints, ClosestPointsQuery, Contact, ContactQuery, IntersectsQuery};

/// Returns the overlap of two shapes, and their closest points.
pub fn asked<A, B, T: Scalar>(a: &A, b: &B) -> (bool, ClosestPoints<T>)
where
    A: IntersectsQuery<B> + ClosestPointsQuery<B, Scalar = T>,
    B: IntersectsQuery<A> + ClosestPointsQuery<A, Scalar = T>,
{
    let (touch, closest) = (a.intersects(b), ClosestPointsQuery::closest_points(a, b));
    assert_eq!(touch, b.intersects(a));
    let back = ClosestPointsQuery::closest_points(b, a).reversed();
    // NaN is unequal even to itself.
    assert!(closest == back || closest.distance.wide() == f64::INFINITY);
    assert_eq!(touch, closest.distance.wide() == 0.0);
    assert_eq!(ClosestPointsQuery::distance(a, b), closest.distance);
    (touch, closest)
}

/// Returns the contact of two shapes.
pub fn touching<A, B>(a: &A, b: &B) -> Option<Contact<f64>>
where
    A: ContactQuery<B, Answer = Contact<f64>>,
    B: ContactQuery<A, Answer = Contact<f64>>,
{
    let contact = a.contact(b);
    assert_eq!(contact, b.contact(a).map(|contact| contact.reversed()));
    contact
}
