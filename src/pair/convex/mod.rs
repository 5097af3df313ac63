//! Convex primitives, and GJK and EPA for all shapes with a support mapping.
//!
//! A kind of primitive is one file and a line in the table of [`ConvexShape`]. Read `support`,
//! `gjk`, then `penetration`.

mod body;
mod capsule;
mod convex_kind;
mod convex_shape;
mod cylinder;
mod direction_ellipsoid;
mod double_double;
mod ellipsoid;
mod fine_simplex;
mod gjk;
mod hull;
mod kdop;
mod oriented_box;
mod penetration;
mod queries;
mod simplex;
mod sphere;
mod support;
mod triangle;
mod verdict;

pub use self::convex_shape::ConvexShape;
pub(crate) use self::convex_shape::distance_to;
pub(in crate::pair) use body::{ConvexBody, with_pair};
pub(crate) use gjk::ConvexPair;
pub(crate) use kdop::KdopBody;
pub(in crate::pair) use queries::ordered_by_bits;
pub(crate) use support::{ClosedCore, Rounded, RoundedPoints, Support};

collect_tests!(fine_simplex, gjk, penetration);
