//! Robots from MJCF files: the CMU humanoid, read a second time by splitting its text, what drives it, small files and broken ones.

#[path = "../mocap/oracle.rs"]
#[allow(dead_code)]
mod amc;
#[path = "../support/block.rs"]
#[allow(dead_code)]
mod block;
#[path = "../support/data.rs"]
mod data;
#[path = "../support/folder.rs"]
mod folder;
mod groups;
mod humanoid;
mod oracle;
#[path = "../support/random.rs"]
#[allow(dead_code)]
mod random;
mod retarget;
mod small;
