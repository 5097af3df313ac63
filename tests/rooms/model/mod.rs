//! Models: part ids, scaled models, capsules of parts, distances of all pairs, and coverage of a bending skin by rigid
//! parts.

mod capsules;
mod coverage;
mod part_ids;
mod scaled;
mod self_distances;
