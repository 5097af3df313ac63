//! Any two shapes of the plane: do they touch, and where.

use super::contact::{Couple, contact};
use super::outline::Outlined;
use super::{ConvexPolygon, Obb};
use crate::num::Scalar;
use crate::pair::{Contact, Overlap, Touching};
use crate::shape::{Aabb, Sphere};

/// A solid of the plane: [`Obb`], [`ConvexPolygon`], circle ([`Sphere`] of two dimensions), aligned box ([`Aabb`] of two).
/// Sealed.
///
/// An aligned box that is empty, not finite, or so large that the square of its size is not (some `1e154`) meets none of the others.
pub trait Shape<T: Scalar>: Outlined<T> {
    /// Whether the two share a point; touching counts.
    ///
    /// Shapes that share a point are never called apart; shapes called touching are no further apart than the `slack`
    /// of [`Shape::contact`]. Source: Ericson, Real-Time Collision Detection (2005), 5.2.1, in the plane.
    fn intersects<B: Shape<T>>(&self, other: &B) -> bool {
        let both = self.outline().zip(other.outline());
        both.is_some_and(|(a, b)| !Couple::new(&a, &b).apart())
    }

    /// How far the two are apart, rounded up: zero exactly where they [intersect](Shape::intersects), infinite where one meets
    /// nothing. `other.distance(self)` is the same, bit for bit.
    fn distance<B: Shape<T>>(&self, other: &B) -> T {
        let Some((a, b)) = self.outline().zip(other.outline()) else {
            return T::nearest(f64::INFINITY);
        };
        let couple = Couple::new(&a, &b);
        if couple.apart() { T::at_least(couple.gap()) } else { T::zero() }
    }

    /// Where the two touch; `None` if they are apart.
    ///
    /// The point divides the segment of the centres (of area, for a polygon) in the ratio of the radii around them, which are
    /// half the diagonals of boxes; the normal is the direction of least overlap.
    /// `other.contact(self)` is the [reversed](Contact::reversed) answer, bit for bit, but for two shapes of the same
    /// bits, which have no order.
    fn contact<B: Shape<T>>(&self, other: &B) -> Option<Contact<T, 2>> {
        let (a, b) = (self.outline()?, other.outline()?);
        if b.precedes(&a) { Some(contact(&b, &a)?.reversed()) } else { contact(&a, &b) }
    }
}

impl<T: Scalar> Shape<T> for Obb<T> {}
impl<T: Scalar> Shape<T> for ConvexPolygon<T> {}
impl<T: Scalar> Shape<T> for Sphere<T, 2> {}
impl<T: Scalar> Shape<T> for Aabb<T, 2> {}

macro_rules! asked {
    ($($a:ty: $($b:ty),*;)*) => {$($(
        impl<T: Scalar> Overlap<$b> for $a {
            fn intersects(&self, other: &$b) -> bool {
                Shape::intersects(self, other)
            }
        }

        impl<T: Scalar> Touching<$b> for $a {
            type Answer = Contact<T, 2>;
            fn contact(&self, other: &$b) -> Option<Contact<T, 2>> {
                Shape::contact(self, other)
            }
        }
    )*)*};
}

// Two aligned boxes have answers of their own, in any dimension.
asked! {
    Obb<T>: Obb<T>, ConvexPolygon<T>, Sphere<T, 2>, Aabb<T, 2>;
    ConvexPolygon<T>: Obb<T>, ConvexPolygon<T>, Sphere<T, 2>, Aabb<T, 2>;
    Sphere<T, 2>: Obb<T>, ConvexPolygon<T>, Sphere<T, 2>, Aabb<T, 2>;
    Aabb<T, 2>: Obb<T>, ConvexPolygon<T>, Sphere<T, 2>;
}

macro_rules! methods {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> $kind {
            /// Whether the two share a point; touching counts. See [`Shape::intersects`].
            pub fn intersects<B>(&self, other: &B) -> bool
            where
                Self: Overlap<B>,
            {
                Overlap::intersects(self, other)
            }

            /// How far the two are apart: zero exactly where they intersect. See [`Shape::distance`].
            pub fn distance<B: Shape<T>>(&self, other: &B) -> T {
                Shape::distance(self, other)
            }

            /// Where the two touch; `None` if they are apart. See [`Shape::contact`].
            pub fn contact<B>(&self, other: &B) -> Option<<Self as Touching<B>>::Answer>
            where
                Self: Touching<B>,
            {
                Touching::contact(self, other)
            }
        }
    )*};
}

methods!(Obb<T>, ConvexPolygon<T>);
