//! The query traits, and their methods on shapes.

pub(super) mod methods;
pub(super) mod pairs;
pub(super) mod queries;
