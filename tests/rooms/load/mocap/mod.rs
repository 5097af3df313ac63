//! Recorded motion from files: real ones beside a second reader with matrices, small ones, broken
//! ones, and characters of bone boxes.

mod bone_boxes;
mod hostile;
pub mod matrix_oracle;
mod real_files;
pub(super) mod small;
