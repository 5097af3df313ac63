//! Models: part ids, and coverage of a bending skin by rigid parts.

mod coverage;
mod part_ids;
mod scaled;
