//! Robots from MJCF files: the CMU humanoid, read a second time by splitting its text, its
//! actuators, small files and broken ones. Right values of small files are those of MuJoCo 4.0.0.

mod bugs;
mod contype_conaffinity;
mod copies;
mod couplings;
mod files;
mod humanoid;
mod meshes;
mod pieces;
mod probe;
mod retarget;
pub(super) mod small;
mod text_oracle;
