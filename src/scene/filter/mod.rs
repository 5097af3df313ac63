//! Filters: which characters and parts a query tests.
//!
//! `PairQuery` is the caller's description of a pair query, `QueryFilter` that of a ray or an
//! overlap; both contain `AnswerOptions` (detail and accuracy). `FilterRule` has the conditions of
//! a query on two parts; `PairFilter` applies them, the groups of the parts and the scene's
//! `IgnoredPairs` to the parts of two characters, as masks of up to 64 parts and before any
//! geometry is tested. `PartSet` is a set of parts.
//!
//! Read `pair_query` first, then `pair_filter`.

pub(super) mod answer_options;
pub(super) mod excluded;
pub(super) mod ignored;
pub(super) mod normal_hint;
pub(super) mod pair_filter;
pub(super) mod pair_query;
pub(super) mod part_set;
pub(super) mod query_filter;

collect_tests!(part_set);
