//! Models: part ids, scaled ones, capsules for parts, and coverage of a bending skin by rigid parts.

mod capsules;
mod coverage;
mod part_ids;
mod scaled;
