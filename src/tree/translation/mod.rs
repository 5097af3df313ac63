//! Motion of trees along a line: first contact, passages, casts, separation.

pub(super) mod first_contact;
pub(super) mod passage;
pub(super) mod path;
pub(super) mod push;
pub(super) mod separation;
pub(super) mod shape_cast;
pub(super) mod witness_cache;
