//! Filters: which characters and parts a query tests.

pub(super) mod answer_options;
pub(super) mod excluded;
pub(super) mod ignored;
pub(super) mod normal_hint;
pub(super) mod pair_filter;
pub(super) mod pair_query;
pub(super) mod part_set;
pub(super) mod query_filter;

collect_tests!(part_set);
