//! Robots and meshes from files: real ones, read a second time by other means, and small ones made by the tests.

#[path = "../../../../examples/self_collision/arm.rs"]
mod arm;
mod hostile;
mod parry;
mod real;
mod scenery;
pub(super) mod small;
mod zero;
