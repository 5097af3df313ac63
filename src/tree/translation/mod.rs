//! Motion of trees along a line: first contact, passages, casts, separation.
//!
//! `FirstContactSearch` finds the first contact of two bodies while one is shifted; trait
//! `TranslationPair` is what it asks of them. `TranslationQuery` implements that for two placed
//! trees and gives a `Passage`, `ShapeCastQuery` for a `MovingShape` and one tree.
//! `search_separation` improves a few starting directions that a `Push` allows, each evaluated by
//! its last contact, for a short shift that separates (`Separation`). `WitnessCache` has the
//! contacts of earlier directions.
//!
//! Read `first_contact` first, then `passage`, `shape_cast` and `separation`.

pub(super) mod first_contact;
pub(super) mod passage;
pub(super) mod path;
pub(super) mod push;
pub(super) mod separation;
pub(super) mod shape_cast;
pub(super) mod witness_cache;
