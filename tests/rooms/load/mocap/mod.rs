//! Recorded motion from files: real ones, read a second time with matrices, small ones, broken
//! ones, and characters of their bones.

mod bone_boxes;
mod hostile;
pub mod matrix_oracle;
mod real_files;
mod small;
