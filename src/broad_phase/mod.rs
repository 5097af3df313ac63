//! The broad phase: which world boxes overlap, are near, or may be met. Knows numbers, boxes and
//! ranges of them, neither models nor scenes.
//!
//! World AABBs are stored 16 to a block as structure of arrays ([`Aabb16`]), rounded outward to
//! single precision, so that no test says too few. Over the parts of characters: lists with a range
//! for each ([`Aabb16List`]). Over characters: trees for rays and volumes, one of those at rest and
//! one of those that move ([`CharacterBvhs`]); for all pairs sweep and prune of those that move,
//! which then look into the tree of those at rest ([`CharacterSweep`]).

mod aabb16;
mod aabb_list;
mod character_aabb;
mod character_bvh;
mod lazy;
mod nearness;
mod place;
mod ray_slabs;
mod sweep_and_prune;

pub(crate) use aabb_list::{
    Aabb16List, AabbRange, BlockOverlaps, MASK_BITS, MASK_BLOCKS, OverlapMasks, near_one,
};
#[cfg(test)]
pub(crate) use aabb16::NOTHING;
pub(crate) use aabb16::{Aabb16, AabbF32, BLOCK, filled, near, overlaps, write_boxes};
pub(crate) use character_aabb::CharacterAabb;
pub(crate) use character_bvh::{
    AlongRay, Behind, CharacterBvh, CharacterBvhs, CharacterNode, arranged,
};
pub(crate) use lazy::Lazy;
pub(crate) use nearness::{ByNearness, NearKernel, Nearness};
pub(crate) use place::{FARTHEST, PartBox16, PlacedEnds, PlacingParts, part_at};
pub(crate) use ray_slabs::{BoxesAlongRay, RayEntries, RaySlabs, WorldRay, earliest, out};
pub(crate) use sweep_and_prune::{CharacterList, CharacterSweep};
