//! Any two shapes of the plane: do they touch, and where.

use super::contact::contact;
use super::couple::Couple;
use super::gap::between;
use super::outline::Outlined;
use super::vector::greater;
use super::{ConvexPolygon, Obb2};
use crate::num::Scalar;
use crate::pair::{Contact, ContactQuery, IntersectsQuery};
use crate::shape::{Aabb, Sphere};

/// A solid of the plane: [`Obb2`], [`ConvexPolygon`], circle ([`Sphere`] of two dimensions), aligned box ([`Aabb`] of two).
/// Sealed.
///
/// An aligned box that is empty, not finite, or so large that the square of its size is not (some `1e154`) meets none of the others.
pub trait Shape<T: Scalar>: Outlined<T> {
    /// Whether the two share a point; touching counts.
    ///
    /// Shapes that share a point are never called apart; shapes called touching are no further apart than the `slack`
    /// of [`Shape::contact`]. Source: Ericson, Real-Time Collision Detection (2005), 5.2.1, in the plane.
    #[inline]
    fn intersects<B: Shape<T>>(&self, other: &B) -> bool {
        match glance(self, other) {
            Glance::Nothing => false,
            Glance::Told(apart) => !apart,
            Glance::Close => closely(self, other),
        }
    }

    /// How far the two are apart, rounded up: zero exactly where they [intersect](Shape::intersects), infinite where one meets
    /// nothing. `other.distance(self)` is the same, bit for bit.
    #[inline]
    fn distance<B: Shape<T>>(&self, other: &B) -> T {
        match glance(self, other) {
            Glance::Nothing => T::nearest(f64::INFINITY),
            Glance::Told(false) => T::zero(),
            Glance::Told(true) => away(self, other),
            Glance::Close if closely(self, other) => T::zero(),
            Glance::Close => away(self, other),
        }
    }

    /// Where the two touch; `None` if they are apart.
    ///
    /// The point divides the segment of the centres (of area, for a polygon) in the ratio of the radii around them, which are
    /// half the diagonals of boxes; the normal is the direction of least overlap.
    /// `other.contact(self)` is the [reversed](Contact::reversed) answer, bit for bit, but for two shapes of the same
    /// bits, which have no order.
    #[inline]
    fn contact<B: Shape<T>>(&self, other: &B) -> Option<Contact<T, 2>> {
        match glance(self, other) {
            Glance::Nothing | Glance::Told(true) => None,
            Glance::Told(false) => touching(self, other, true),
            Glance::Close => touching(self, other, false),
        }
    }
}

/// What a glance at two shapes tells.
enum Glance {
    /// One of them meets nothing.
    Nothing,
    /// Whether they are apart.
    Told(bool),
    /// They are close, or it takes more than a glance.
    Close,
}

/// On outlines that go no further, so that only what is looked at of them is made.
#[inline(always)]
fn glance<T: Scalar>(a: &impl Outlined<T>, b: &impl Outlined<T>) -> Glance {
    if let Some((p, q)) = a.block().zip(b.block()) {
        return p.apart(&q, T::IS_SINGLE).map_or_else(|| closer(a, b), Glance::Told);
    }
    let (Some(a), Some(b)) = (a.outline(), b.outline()) else { return Glance::Nothing };
    Couple::new(&a, &b).glance().map_or(Glance::Close, Glance::Told)
}

/// Of two that have no more to show at a glance.
#[cold]
fn closer<T: Scalar>(a: &impl Outlined<T>, b: &impl Outlined<T>) -> Glance {
    let both = a.outline().zip(b.outline());
    both.map_or(Glance::Nothing, |_| Glance::Close)
}

#[inline(never)]
fn closely<T: Scalar>(a: &impl Outlined<T>, b: &impl Outlined<T>) -> bool {
    let both = a.outline().zip(b.outline());
    both.is_some_and(|(a, b)| !Couple::new(&a, &b).apart())
}

/// How far apart, rounded up, for two that are.
#[inline(always)]
fn away<T: Scalar>(one: &impl Outlined<T>, other: &impl Outlined<T>) -> T {
    let away = match one.block().zip(other.block()) {
        Some((a, b)) => a.away(&b),
        None => turned_away(one, other),
    };
    T::at_least(greater(away, 0.0))
}

#[inline(never)]
fn turned_away<T: Scalar>(one: &impl Outlined<T>, other: &impl Outlined<T>) -> f64 {
    one.outline().zip(other.outline()).map_or(f64::INFINITY, |(a, b)| between(&a, &b))
}

/// Where they touch; known to do or not.
#[inline(never)]
fn touching<T: Scalar>(
    a: &impl Outlined<T>,
    b: &impl Outlined<T>,
    told: bool,
) -> Option<Contact<T, 2>> {
    let (a, b) = (a.outline()?, b.outline()?);
    if b.precedes(&a) { Some(contact(&b, &a, told)?.reversed()) } else { contact(&a, &b, told) }
}

impl<T: Scalar> Shape<T> for Obb2<T> {}
impl<T: Scalar> Shape<T> for ConvexPolygon<T> {}
impl<T: Scalar> Shape<T> for Sphere<T, 2> {}
impl<T: Scalar> Shape<T> for Aabb<T, 2> {}

macro_rules! asked {
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

// Two aligned boxes have answers of their own, in any dimension.
asked! {
    Obb2<T>: Obb2<T>, ConvexPolygon<T>, Sphere<T, 2>, Aabb<T, 2>;
    ConvexPolygon<T>: Obb2<T>, ConvexPolygon<T>, Sphere<T, 2>, Aabb<T, 2>;
    Sphere<T, 2>: Obb2<T>, ConvexPolygon<T>, Sphere<T, 2>, Aabb<T, 2>;
    Aabb<T, 2>: Obb2<T>, ConvexPolygon<T>, Sphere<T, 2>;
}

macro_rules! methods {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> $kind {
            /// Whether the two share a point; touching counts. See [`Shape::intersects`].
            #[inline]
            pub fn intersects<B>(&self, other: &B) -> bool
            where
                Self: IntersectsQuery<B>,
            {
                IntersectsQuery::intersects(self, other)
            }

            /// How far the two are apart: zero exactly where they intersect. See [`Shape::distance`].
            #[inline]
            pub fn distance<B: Shape<T>>(&self, other: &B) -> T {
                Shape::distance(self, other)
            }

            /// Where the two touch; `None` if they are apart. See [`Shape::contact`].
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
