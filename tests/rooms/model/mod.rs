//! Models: part ids, scaled models, capsules of parts, and coverage of a bending skin by rigid
//! parts.

mod capsules;
mod coverage;
mod part_ids;
mod scaled;
