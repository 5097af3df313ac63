//! boxwood
pub mod error;
pub mod motion;
pub mod num;
pub mod shape;

pub use error::Error;
