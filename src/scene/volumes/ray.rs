//! Rays as query volumes, tested against 16 world AABBs at once in single precision.

use super::local_ray::LocalRay;
use super::ray_cast::RayCast;
use super::volume::{BlockBoxes, BlockHits, BlockTest, Volume};
use crate::broad_phase::{RayEntries, RaySlabs, WorldRay};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::num::simd::Floats;
use crate::pair::RayHit;
use crate::scene::NodeRef;
use crate::shape::Placement;
use crate::tree::{NodeId, ObbTree};

/// A ray in the world.
pub(super) struct RayVolume {
    ray: WorldRay,
    slabs: RaySlabs,
}

impl BlockTest for RayVolume {
    #[inline(always)]
    fn test_block<L: Floats>(
        &self,
        token: L::Token,
        boxes: BlockBoxes,
        near: &mut RayEntries,
    ) -> BlockHits {
        BlockHits { hit: self.slabs.hit_mask::<L>(token, boxes.0, near), inside: 0 }
    }
}

impl<T: Scalar> Volume<T> for RayVolume {
    type Answer = RayHit<T, NodeRef>;
    type Local<'p> = LocalRay;

    const NEAREST_FIRST: bool = true;

    #[inline(always)]
    fn new(cast: &RayCast<T>, out: f32, _: bool) -> Option<Self> {
        let (from, direction) = cast.ray.wide();
        let ray = WorldRay { from, direction, end: cast.max_length.map_or(f64::INFINITY, T::wide) };
        Some(RayVolume { ray, slabs: RaySlabs::new(&ray, out) })
    }

    #[inline(always)]
    fn in_part_frame<'p>(&'p self, placement: &'p Placement, tree: &ObbTree<T>) -> LocalRay {
        let middle = tree.node(NodeId::ROOT).aligned().wide().0;
        LocalRay::new(&self.ray, placement, middle, tree.wide_radius_about_origin())
    }

    fn sample_point(&self) -> Option<Vec3> {
        None
    }

    #[inline(always)]
    fn ray_start(&self) -> Option<Vec3> {
        Some(self.ray.from)
    }

    #[inline(always)]
    fn shorten_to(&mut self, t: f64) {
        self.slabs.shorten(t);
    }

    #[inline(always)]
    fn ends_before(&self, near: f32) -> bool {
        self.slabs.ends_before(near)
    }
}
