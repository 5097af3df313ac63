//! Robots and meshes from files: real ones, read a second time by other means, and small ones made by the tests.

#[allow(dead_code)]
#[path = "../support/block.rs"]
mod block;
#[path = "../support/data.rs"]
mod data;
#[path = "../support/folder.rs"]
mod folder;
#[allow(dead_code)]
#[path = "../support/random.rs"]
mod random;
#[path = "../support/robot_text.rs"]
mod robot_text;

mod hostile;
mod oracle;
mod real;
mod small;
mod zero;
