//! Robots from MJCF files: the CMU humanoid, read a second time by splitting its text, its
//! actuators, small files and broken ones.

mod contype_conaffinity;
mod humanoid;
mod retarget;
mod small;
mod text_oracle;
