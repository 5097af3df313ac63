//! Shapes: plain data, checked on construction. Lengths are in the caller's unit.

mod aabb;
mod capsule;
mod closed;
mod ellipsoid;
mod frustum;
mod half_spaces;
mod kdop;
mod mesh;
mod obb;
mod plane;
pub mod pose;
mod ray;
mod segment;
mod sphere;
mod triangle;
mod wide_triangle;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use ellipsoid::Ellipsoid;
pub use frustum::Frustum;
pub use kdop::{Dop8, Dop14, Dop18, Kdop, Slabs};
pub use mesh::Mesh;
pub use obb::Obb;
pub(crate) use obb::{WideObb, nearest_matrix, nearest_point, wide_matrix, wide_point};
use obb::{check_sizes, checked_axes};
pub use plane::Plane;
pub(crate) use plane::WidePlane;
pub use pose::Pose;
pub(crate) use pose::{Placement, check_poses};
use pose::{moved, turned};
pub use ray::Ray;
pub use segment::Segment;
pub use sphere::Sphere;
pub use triangle::Triangle;
use wide_triangle::nearest_on_segment;
pub(crate) use wide_triangle::{WideTriangle, share, within};
