//! Recorded motion from files: real ones, read a second time with matrices, small ones, broken ones, and characters of their bones.

mod character;
mod hostile;
pub mod oracle;
mod real;
pub(super) mod small;
