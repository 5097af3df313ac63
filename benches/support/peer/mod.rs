//! The peers, parry3d and parry2d 0.31, and obvhs 0.4. Their interfaces change between versions, so all calls are
//! here.

pub mod broad_phase;
pub mod crowd;
pub mod distances;
pub mod frames;
pub mod motions;
pub mod people;
pub mod planar;
pub mod query_shapes;
pub mod rays;
pub mod rings;
pub mod solids;
