//! The query traits of shapes, and the same queries as methods.

pub(super) mod methods;
pub(super) mod traits;
