//! Convex shapes, meshes and poses: plain data in the caller's unit, checked on construction.
//!
//! - Boxes and bounding volumes: [`Aabb`], [`Obb`], [`Kdop`] with [`Dop8`], [`Dop14`], [`Dop18`].
//! - Round shapes: [`Sphere`], [`Capsule`], [`Cylinder`], [`Ellipsoid`], [`UprightCylinder`].
//! - Flat shapes: [`Segment`], [`Triangle`], [`Polygon3`], [`Ray`], [`Plane`].
//! - Solids with corners: [`ConvexHull`], [`Frustum`].
//! - Geometry of parts: [`Mesh`], [`HeightField`]. Poses of parts: [`mod@pose`].
//! - One of the shapes that overlap queries and shape casts take: [`QueryShape`].
//!
//! Every shape has a checked constructor, and the methods `contains`, `closest_point`, `support`,
//! `aabb` and `transformed` where they make sense. Tests of two shapes are in [`mod@crate::pair`].
//!
//! Shapes store `T`, `f32` or `f64`. Each has a crate-private `wide()`, its double-precision form,
//! which all computations use; results are rounded back once. Read `aabb.rs` and `obb.rs` first:
//! the other shapes follow their pattern.

mod aabb;
mod bounded_half_space;
mod capsule;
mod convex_hull;
mod cylinder;
mod ellipsoid;
mod frustum;
mod half_spaces;
mod height_field;
mod kdop;
mod mesh;
mod obb;
mod plane;
mod plane_frame;
mod polygon;
pub mod pose;
mod query_shape;
mod ray;
mod relative_pose;
mod rounding;
mod scaled;
mod segment;
mod sphere;
mod subdivision;
mod support_table;
mod topology;
mod triangle;
mod triangle_frame;
mod upright_cylinder;
mod wide_triangle;

pub use aabb::Aabb;
pub use capsule::Capsule;
pub use convex_hull::ConvexHull;
pub use cylinder::Cylinder;
pub(crate) use cylinder::WideCylinder;
pub use ellipsoid::Ellipsoid;
pub use frustum::Frustum;
pub(crate) use frustum::{face_normals, normalised};
pub(crate) use half_spaces::SlabIntersection;
pub use height_field::HeightField;
pub use kdop::{Dop8, Dop14, Dop18, Kdop, Slabs, SpaceDop8};
pub use mesh::Mesh;
pub use obb::Obb;
pub(crate) use obb::WideObb;
pub use plane::Plane;
pub(crate) use plane::WidePlane;
pub(crate) use plane_frame::PlaneFrame;
pub use polygon::Polygon3;
pub(crate) use polygon::{is_outside_edge, outline_edges};
pub use pose::Pose;
pub(crate) use pose::{
    Placement, are_composable, check_poses, rotated, rounded_pose, transformed_points,
};
pub use query_shape::QueryShape;
pub use ray::Ray;
pub(crate) use relative_pose::{ExactRelativePose, RelativePose};
pub(crate) use rounding::{
    check_sizes, checked_axes, nearest_matrix, nearest_point, wide_matrix, wide_point,
};
pub use segment::Segment;
pub use sphere::Sphere;
pub use triangle::Triangle;
pub(crate) use triangle_frame::triangle_frame;
pub use upright_cylinder::{UpAxis, UprightCylinder};
pub(crate) use wide_triangle::{
    WideTriangle, clamp_to_unit, closest_on_segment, closest_parameter,
};

collect_tests!(plane_frame, pose, support_table, topology, triangle_frame, wide_triangle);
