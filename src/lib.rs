//! boxwood
pub mod draw;
pub mod error;
mod fit;
pub mod load;
pub mod model;
pub mod motion;
pub mod num;
pub mod pair;
pub mod scene;
pub mod shape;
pub mod tree;

pub use error::Error;
pub use model::{Accuracy, PartId};
pub use nalgebra;
pub use scene::{CharacterKey, Detail, Query, Site};
pub use tree::{Build, Counts, LEVELS, NodeId};

/// A scene.
pub type Scene = scene::Scene<f32>;
/// A snapshot.
pub type Snapshot<'a> = scene::Snapshot<'a, f32>;
/// Answers.
pub type Hits = scene::Hits<f32>;
/// An answer.
pub type Hit = scene::Hit<f32>;
/// Buffers.
pub type Buffers = scene::Buffers<f32>;
/// Spawn.
pub type Spawn = scene::Spawn<f32>;
/// Report.
pub type Report = scene::Report<f32>;
/// Model.
pub type Model = model::Model<f32>;
/// Aabb.
pub type Aabb = shape::Aabb<f32, 3>;
/// Obb.
pub type Obb = shape::Obb<f32>;
/// Mesh.
pub type Mesh = shape::Mesh<f32>;
/// Geometry.
pub type Geometry = tree::Geometry<f32>;
/// Tree.
pub type ObbTree = tree::ObbTree<f32>;
/// Pose.
pub type Pose = shape::Pose<f32>;
