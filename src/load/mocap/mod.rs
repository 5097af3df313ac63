//! Motion capture files: BVH, and ASF with AMC.
//!
//! Both readers return `RecordedBones`, joints with a rotation and a position per frame, which
//! becomes a [`Recording`]: a skeleton and one clip. [`Recording::character`] adds boxes.

mod amc;
mod asf;
mod bone_boxes;
mod bones;
mod bvh;
mod euler;
mod recording;

pub use bone_boxes::BoneBoxes;
pub use recording::Recording;
pub(super) use recording::{read_amc, read_bvh};
