//! Overlap of two trees: the wide traversal, the plain one, budgets, contacts, curves.

pub(super) mod budget;
pub(super) mod contacts;
pub(super) mod curve;
pub(super) mod deepest;
pub(super) mod one_by_one;
pub(super) mod wide;
