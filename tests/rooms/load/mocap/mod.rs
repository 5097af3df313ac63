//! Recorded motion from files: real ones against a second reader with matrices, small ones, and
//! characters of bone boxes.

mod bone_boxes;
pub mod matrix_oracle;
mod real_files;
pub(super) mod small;
