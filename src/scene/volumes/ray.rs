//! Rays as query volumes: against world boxes in single precision, 16 at once.

use super::local_ray::LocalRay;
use super::ray_cast::{RayCast, RayHit};
use super::volume::{BlockBoxes, BlockHits, Volume, WORLD};
use crate::broad_phase::{RayEntries, RaySlabs, WorldRay};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::num::simd::Floats;
use crate::shape::{Aabb, Placement};
use crate::tree::{NodeId, ObbTree};

/// A ray that is asked about.
pub(super) struct RayVolume {
    ray: WorldRay,
    slabs: RaySlabs,
    /// How far out boxes are.
    out: f32,
}

impl<T: Scalar> Volume<T> for RayVolume {
    type Answer = RayHit<T>;
    type Local<'p> = LocalRay;

    const NEAREST_FIRST: bool = true;
    const TESTS_CHARACTERS: bool = false;
    const TESTS_PARTS: bool = false;

    #[inline(always)]
    fn new(cast: &RayCast<T>, out: f32) -> Option<Self> {
        let (from, along) = cast.ray.wide();
        let ray = WorldRay { from, along, end: cast.max_length.map_or(f64::INFINITY, T::wide) };
        Some(RayVolume { ray, slabs: RaySlabs::new(&ray, out), out })
    }

    #[inline(always)]
    fn test_block<L: Floats>(
        &self,
        token: L::Token,
        boxes: BlockBoxes,
        near: &mut RayEntries,
    ) -> BlockHits {
        BlockHits { met: self.slabs.meets::<L>(token, boxes.0, near), inside: 0 }
    }

    fn enters(&self, bounds: &Aabb<T, 3>) -> Option<f64> {
        let seen = LocalRay::new(&self.ray, &WORLD, ([0.0; 3], f64::from(self.out)));
        let piece = seen.through_aligned(bounds)?;
        Some(f64::max(0.0, piece.from + seen.shift))
    }

    #[inline(always)]
    fn in_part<'p>(&'p self, place: &'p Placement, tree: &ObbTree<T>) -> LocalRay {
        let middle = tree.node(NodeId::ROOT).aligned().wide().0;
        LocalRay::new(&self.ray, place, (middle, tree.wide_reach()))
    }

    fn point(&self) -> Option<Vec3> {
        None
    }

    #[inline(always)]
    fn start(&self) -> Option<Vec3> {
        Some(self.ray.from)
    }

    #[inline(always)]
    fn end_at(&mut self, t: f64) {
        self.slabs.end_at(t);
    }

    #[inline(always)]
    fn ends_before(&self, near: f32) -> bool {
        self.slabs.ends_before(near)
    }
}
