//! Broad phase: finds world boxes that overlap, lie within a margin, or may be hit by a ray.
//! Independent of models and scenes: it works on numbers, boxes and ranges of them.
//!
//! World AABBs are stored 16 to a block as structure of arrays ([`Aabb16`]), rounded outward to
//! single precision, so that no test misses an overlap. Parts of characters are kept in lists with
//! a range for each character ([`Aabb16List`]). Characters are kept in BVHs for rays and volumes,
//! one of those at rest and one of those that move ([`CharacterBvhs`]), which also find what is
//! within a distance that shrinks on the way ([`DistanceLimit`]). Pairs of characters that overlap
//! are found by sweep and prune of those that move, and by queries of these against the BVH of
//! those at rest ([`CharacterSweep`]).

mod aabb16;
mod aabb_list;
mod character_aabb;
mod character_bvh;
mod distance_limit;
mod lazy;
mod nearness;
mod part_boxes;
mod ray_slabs;
mod sweep_and_prune;

pub(crate) use aabb_list::{
    Aabb16List, AabbRange, BlockOverlaps, MASK_BITS, MASK_BLOCKS, OverlapMasks, WordDistances,
};
pub(crate) use aabb16::{
    Aabb16, AabbF32, BLOCK, EMPTY_BLOCK, near_mask, overlap_mask, prefix_mask, write_boxes,
};
pub(crate) use character_aabb::CharacterAabb;
pub(crate) use character_bvh::{
    CharacterBvh, CharacterBvhs, CharacterNode, ChildRef, NearChild, RayCharactersKernel,
    spatial_order,
};
pub(crate) use distance_limit::DistanceLimit;
pub(crate) use lazy::Lazy;
pub(crate) use nearness::{NearKernel, Nearness, NearnessDispatch};
pub(crate) use part_boxes::{
    BoundsF32, GrownBoxesKernel, MAX_F32_DISTANCE, PartBox16, PartBoxesKernel, part_at_slot,
};
pub(crate) use ray_slabs::{
    RayBoxesKernel, RayEntries, RaySlabs, WorldRay, entry_lower_bound, l1_radius,
};
pub(crate) use sweep_and_prune::{CharacterList, CharacterSweep};

collect_tests!(aabb_list);
