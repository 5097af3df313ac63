//! Robots from MJCF files: the CMU humanoid, read a second time by splitting its text, what drives it, small files and broken ones.

mod groups;
mod humanoid;
mod oracle;
mod retarget;
mod small;
