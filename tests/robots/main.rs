//! Robots and meshes from files: real ones, read a second time by other means, and small ones made by the tests.

#[allow(dead_code)]
#[path = "../support/block.rs"]
mod block;
#[path = "../support/data.rs"]
mod data;
#[allow(dead_code)]
#[path = "../support/fcl.rs"]
mod fcl;
#[path = "../support/folder.rs"]
mod folder;
#[allow(dead_code)]
#[path = "../support/random.rs"]
mod random;
#[path = "../support/robot_text.rs"]
mod robot_text;

#[path = "../../examples/self_collision/arm.rs"]
mod arm;
mod hostile;
mod oracle;
mod real;
mod scenery;
mod small;
mod zero;
