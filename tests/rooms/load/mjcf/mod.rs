//! Robots from MJCF files: the CMU humanoid against a second reader that splits its text, its
//! actuators, small files and invalid ones. Expected values of small files are from MuJoCo 4.0.0.

mod bugs;
mod contype_conaffinity;
mod copies;
mod couplings;
mod files;
mod humanoid;
mod meshes;
mod pairs;
mod pieces;
mod planes;
mod probe;
mod retarget;
pub(super) mod small;
mod text_oracle;
