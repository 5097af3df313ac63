//! Models: part ids, scaled models, capsules of parts, batches of configurations, distances of all
//! pairs, pairs that are tested whatever their groups, and coverage of a bending skin by rigid parts.

mod capsules;
mod collision_batch;
mod coverage;
mod part_ids;
mod scaled;
mod self_distances;
mod tested_pairs;
