//! Robots and meshes from files: real ones against a second reader, and small ones made by the
//! tests.

#[path = "../../../../examples/shared/arm.rs"]
mod arm;
mod dae_files;
mod empty_robots;
mod gltf_meshes;
mod hostile;
mod ignored_pairs;
mod limits;
mod obj_files;
mod parry;
mod pieces;
mod real_robots;
pub(super) mod small;
mod srdf;
mod text;
mod xacro;
mod zero_configuration;
