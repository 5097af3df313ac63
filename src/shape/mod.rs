//! Shapes: plain data, checked on construction. Lengths are in the caller's unit.

mod aabb;
mod capsule;
mod closed;
mod mesh;
mod obb;
mod plane;
mod pose;
mod ray;
mod segment;
mod sphere;
mod triangle;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use mesh::Mesh;
pub use obb::Obb;
pub(crate) use obb::{WideObb, nearest_matrix, nearest_point, wide_matrix, wide_point};
pub use plane::Plane;
pub use pose::Pose;
pub(crate) use pose::{Placement, check_poses};
pub use ray::Ray;
pub use segment::Segment;
pub use sphere::Sphere;
pub(crate) use triangle::Triangle;
