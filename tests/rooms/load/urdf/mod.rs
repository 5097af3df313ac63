//! Robots and meshes from files: real ones beside a second reader, and small ones made by the
//! tests.

#[path = "../../../../examples/self_collision/arm.rs"]
mod arm;
mod hostile;
mod obj_files;
mod parry;
mod real_robots;
pub(super) mod small;
mod zero_configuration;
