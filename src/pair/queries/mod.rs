//! The query traits of shapes, and the same queries as methods.
//!
//! `traits` has `IntersectsQuery`, `ClosestPointsQuery`, `ContactQuery` and `SeparatingAxisQuery`,
//! which the folders of `pair` implement for their shapes; generic code imports them. `methods`
//! gives every shape the queries as methods, so that other code imports nothing.
//!
//! A new shape needs a row in `methods`, and implementations beside its kernels.

pub(super) mod methods;
pub(super) mod traits;
