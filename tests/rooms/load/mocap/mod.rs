//! Recorded motion from files: real ones beside a second reader with matrices, small ones,
//! and characters of bone boxes.

mod bone_boxes;
pub mod matrix_oracle;
mod real_files;
pub(super) mod small;
