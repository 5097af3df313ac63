//! boxwood
pub mod error;
mod fit;
pub mod load;
pub mod model;
pub mod motion;
pub mod num;
pub mod pair;
pub mod shape;
pub mod tree;

pub use error::Error;
pub use tree::Build;
