//! Overlap of two trees: the wide traversal, the plain one, budgets, contacts, curves.
//!
//! `one_by_one` has the queries: it decides each pair of nodes at the cut (`CutPair`) and has the
//! plain traversal, one pair of nodes at a time. `WideTraversal` finds the same pairs by tests of
//! eight nodes against eight, as far as the `TraversalGoal` needs. `BudgetTraversal` opens the
//! loosest pair first, until a number of tests is spent. `ContactBatch` computes the contacts of
//! several pairs at once; `deepest` computes few of them to find the deepest. `IntersectionCurve`
//! is the curve in which two surfaces cross. `deep` finds primitives that overlap so deeply that
//! they touch while the parts move a little.
//!
//! Read `one_by_one` first, then `wide`; the module `tree` describes the descent.

pub(super) mod budget;
pub(super) mod contacts;
pub(super) mod curve;
pub(super) mod deep;
pub(super) mod deepest;
pub(super) mod one_by_one;
pub(super) mod wide;
