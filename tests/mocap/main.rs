//! Recorded motion from files: real ones, read a second time with matrices, small ones, broken ones, and characters of their bones.

mod character;
#[path = "../support/data.rs"]
mod data;
#[path = "../support/folder.rs"]
mod folder;
mod hostile;
mod oracle;
mod real;
mod small;
