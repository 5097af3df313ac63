//! boxwood
pub mod error;
mod fit;
pub mod motion;
pub mod num;
pub mod pair;
pub mod shape;
pub mod tree;

pub use error::Error;
