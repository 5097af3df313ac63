//! Overlap, distance and contact of any two shapes in the plane.

use super::contact::contact;
use super::distance::distance_apart;
use super::outline::Outlined;
use super::outline_pair::OutlinePair;
use super::vector::greater;
use super::{ConvexPolygon, Obb2};
use crate::num::Scalar;
use crate::pair::{Contact, ContactQuery, IntersectsQuery};
use crate::shape::{Aabb, Sphere};

/// Solid shape in the plane: [`Obb2`], [`ConvexPolygon`], circle ([`Sphere`] of two dimensions),
/// axis-aligned box ([`Aabb`] of two). Sealed.
///
/// An axis-aligned box that is empty, not finite, or so large that the square of its size is not
/// finite (some `1e154`) overlaps none of the others.
///
/// ```
/// use boxwood::nalgebra::{Point2, Vector2};
/// use boxwood::{Obb2, Sphere2, planar::Shape};
///
/// let board = Obb2::from_angle(Point2::origin(), 0.0, Vector2::new(2.0, 1.0))?;
/// let disc = Sphere2::new(Point2::new(0.0, 1.5), 1.0)?;
/// let contact = Shape::contact(&board, &disc).expect("they touch");
/// assert_eq!((contact.normal, contact.depth), (Vector2::y(), 0.5)); // from board to disc
/// # Ok::<(), boxwood::Error>(())
/// ```
pub trait Shape<T: Scalar>: Outlined<T> {
    /// Returns `true` if the two share a point; touching counts.
    ///
    /// Shapes that share a point are never found apart; shapes found touching are no further apart
    /// than the `slack` of [`Shape::contact`]. Source: Ericson, Real-Time Collision Detection
    /// (2005), 5.2.1, in the plane.
    #[inline]
    fn intersects<B: Shape<T>>(&self, other: &B) -> bool {
        match prefilter(self, other) {
            Prefilter::Never => false,
            Prefilter::Decided(apart) => !apart,
            Prefilter::Undecided => outlines_intersect(self, other),
        }
    }

    /// Returns the distance of the two, rounded up: zero exactly where they
    /// [intersect](Shape::intersects), infinite where one is empty or not finite.
    /// `other.distance(self)` is equal, bit for bit.
    #[inline]
    fn distance<B: Shape<T>>(&self, other: &B) -> T {
        match prefilter(self, other) {
            Prefilter::Never => T::nearest(f64::INFINITY),
            Prefilter::Decided(false) => T::zero(),
            Prefilter::Decided(true) => rounded_distance(self, other),
            Prefilter::Undecided if outlines_intersect(self, other) => T::zero(),
            Prefilter::Undecided => rounded_distance(self, other),
        }
    }

    /// Returns the contact of the two; `None` if they are apart.
    ///
    /// The point divides the segment of the centres (of area, for a polygon) in the ratio of the
    /// radii about them, which are half the diagonals of boxes; the normal is the direction of
    /// least overlap. `other.contact(self)` is the [reversed](Contact::reversed) contact, bit for
    /// bit, except for two shapes of the same bits, which have no order.
    #[inline]
    fn contact<B: Shape<T>>(&self, other: &B) -> Option<Contact<T, 2>> {
        match prefilter(self, other) {
            Prefilter::Never | Prefilter::Decided(true) => None,
            Prefilter::Decided(false) => outline_contact(self, other, true),
            Prefilter::Undecided => outline_contact(self, other, false),
        }
    }
}

enum Prefilter {
    /// One of the two overlaps nothing.
    Never,
    /// Certain verdict: `true` if the two are apart.
    Decided(bool),
    /// The two are close, or deciding takes more operations.
    Undecided,
}

/// Runs the cheap test for these two shapes. Outlines are local here, so that only their used parts
/// are computed.
#[inline(always)]
fn prefilter<T: Scalar>(a: &impl Outlined<T>, b: &impl Outlined<T>) -> Prefilter {
    if let Some((p, q)) = a.circle_or_aabb().zip(b.circle_or_aabb()) {
        return p
            .are_apart(&q, T::IS_SINGLE)
            .map_or_else(|| never_or_undecided(a, b), Prefilter::Decided);
    }
    let (Some(a), Some(b)) = (a.outline(), b.outline()) else { return Prefilter::Never };
    OutlinePair::new(&a, &b).prefilter().map_or(Prefilter::Undecided, Prefilter::Decided)
}

/// Returns the prefilter result for a circle or box that
/// [`CircleOrAabb`](super::circle_or_aabb::CircleOrAabb) leaves undecided.
#[cold]
fn never_or_undecided<T: Scalar>(a: &impl Outlined<T>, b: &impl Outlined<T>) -> Prefilter {
    let both = a.outline().zip(b.outline());
    both.map_or(Prefilter::Never, |_| Prefilter::Undecided)
}

#[inline(never)]
fn outlines_intersect<T: Scalar>(a: &impl Outlined<T>, b: &impl Outlined<T>) -> bool {
    let both = a.outline().zip(b.outline());
    both.is_some_and(|(a, b)| !OutlinePair::new(&a, &b).are_separated())
}

/// Returns the distance of two shapes that are apart, rounded up.
#[inline(always)]
fn rounded_distance<T: Scalar>(one: &impl Outlined<T>, other: &impl Outlined<T>) -> T {
    let away = match one.circle_or_aabb().zip(other.circle_or_aabb()) {
        Some((a, b)) => a.distance(&b),
        None => outline_distance(one, other),
    };
    T::at_least(greater(away, 0.0))
}

/// Returns the distance of two shapes that are apart, by their outlines.
#[inline(never)]
fn outline_distance<T: Scalar>(one: &impl Outlined<T>, other: &impl Outlined<T>) -> f64 {
    one.outline().zip(other.outline()).map_or(f64::INFINITY, |(a, b)| distance_apart(&a, &b))
}

/// Returns the contact by outlines, in an order that depends only on the numbers; the overlap test
/// is skipped if `known`.
#[inline(never)]
fn outline_contact<T: Scalar>(
    a: &impl Outlined<T>,
    b: &impl Outlined<T>,
    known: bool,
) -> Option<Contact<T, 2>> {
    let (a, b) = (a.outline()?, b.outline()?);
    if b.precedes(&a) { Some(contact(&b, &a, known)?.reversed()) } else { contact(&a, &b, known) }
}

impl<T: Scalar> Shape<T> for Obb2<T> {}
impl<T: Scalar> Shape<T> for ConvexPolygon<T> {}
impl<T: Scalar> Shape<T> for Sphere<T, 2> {}
impl<T: Scalar> Shape<T> for Aabb<T, 2> {}

macro_rules! queries {
    ($($a:ty: $($b:ty),*;)*) => {$($(
        impl<T: Scalar> IntersectsQuery<$b> for $a {
            #[inline]
            fn intersects(&self, other: &$b) -> bool {
                Shape::intersects(self, other)
            }
        }

        impl<T: Scalar> ContactQuery<$b> for $a {
            type Answer = Contact<T, 2>;
            #[inline]
            fn contact(&self, other: &$b) -> Option<Contact<T, 2>> {
                Shape::contact(self, other)
            }
        }
    )*)*};
}

// Pairs of axis-aligned boxes have their own implementations, in any dimension.
queries! {
    Obb2<T>: Obb2<T>, ConvexPolygon<T>, Sphere<T, 2>, Aabb<T, 2>;
    ConvexPolygon<T>: Obb2<T>, ConvexPolygon<T>, Sphere<T, 2>, Aabb<T, 2>;
    Sphere<T, 2>: Obb2<T>, ConvexPolygon<T>, Sphere<T, 2>, Aabb<T, 2>;
    Aabb<T, 2>: Obb2<T>, ConvexPolygon<T>, Sphere<T, 2>;
}

macro_rules! methods {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> $kind {
            /// Returns `true` if the two share a point; touching counts. See [`Shape::intersects`].
            #[inline]
            pub fn intersects<B>(&self, other: &B) -> bool
            where
                Self: IntersectsQuery<B>,
            {
                IntersectsQuery::intersects(self, other)
            }

            /// Returns the distance of the two: zero exactly where they intersect. See
            /// [`Shape::distance`].
            #[inline]
            pub fn distance<B: Shape<T>>(&self, other: &B) -> T {
                Shape::distance(self, other)
            }

            /// Returns the contact of the two; `None` if they are apart. See [`Shape::contact`].
            #[inline]
            pub fn contact<B>(&self, other: &B) -> Option<<Self as ContactQuery<B>>::Answer>
            where
                Self: ContactQuery<B>,
            {
                ContactQuery::contact(self, other)
            }
        }
    )*};
}

methods!(Obb2<T>, ConvexPolygon<T>);
