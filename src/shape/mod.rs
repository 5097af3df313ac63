//! Shapes: plain data, checked on construction. Lengths are in the caller's unit.

mod aabb;
mod closed;
mod mesh;
mod obb;
pub mod pose;
mod triangle;

pub use aabb::Aabb;
pub use mesh::Mesh;
pub use obb::Obb;
pub(crate) use obb::{WideObb, nearest_matrix, nearest_point, wide_matrix, wide_point};
pub use pose::Pose;
pub(crate) use pose::{Placement, check_poses};
pub(crate) use triangle::Triangle;
