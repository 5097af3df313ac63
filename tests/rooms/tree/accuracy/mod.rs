//! `Accuracy`: every value against an exact answer that shares no code with the crate.

mod box_pairs;
mod coincident_poses;
mod degenerate_solids;
mod every_accuracy;
mod extreme_sizes;
mod fcl_frames;
mod fcl_meshes;
pub mod hard_poses;
mod monotone;
mod nested_solids;
mod oracle_cases;
mod primitive_pairs;
mod reported_slack;
mod second_oracle;
mod triangle_pairs;
mod voxel_solids;
mod yes_or_no;
