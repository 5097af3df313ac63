//! Rays as query volumes: against world boxes in single precision, 16 at once.

use super::local_ray::{LocalRay, WideRay};
use super::ray_cast::{RayCast, RayHit};
use super::volume::{BlockHits, Boxes, Near, Volume, WORLD};
use crate::model::rows::{BLOCK, Block};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::num::simd::{Floats, Lanes};
use crate::shape::{Aabb, Placement};
use crate::tree::{NodeId, ObbTree};

/// A ray that is asked about.
pub(super) struct RayVolume {
    ray: WideRay,
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
        let ray = WideRay { from, along, end: cast.max_length.map_or(f64::INFINITY, T::wide) };
        Some(RayVolume { ray, slabs: RaySlabs::new(&ray, out), out })
    }

    #[inline(always)]
    fn test_block<L: Floats>(&self, token: L::Token, boxes: Boxes, near: &mut Near) -> BlockHits {
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

/// What rounding to single precision may hide, as a share of all numbers that go in: `64 u`, where
/// coordinates are off by `5 u`.
const HIDDEN_BY_RAY: f32 = 1.0 / (1 << 18) as f32;

/// The most units of the ray for one of a coordinate.
const FASTEST: f32 = 1.0 / HIDDEN_BY_RAY;

/// What it may hide of a length along a ray: `16 u`, where it is off by `5 u`.
const LENGTH_SHARE: f32 = 1.0 / (1 << 20) as f32;

/// A ray, for the test of Kay and Kajiya, Ray Tracing Complex Scenes (1986), of many boxes at once.
///
/// Boxes are grown by what rounding may hide: so only the shares of lengths are left to spare.
/// Where the ray hardly moves along a coordinate it is taken to move faster, but not so fast that
/// it leaves a slab thickened by as much before it has passed everything: so nothing is divided by
/// zero.
///
/// All this is to spare many times over what a ray is met with in a part: so no box is passed over
/// that would be met there, and no answer depends on it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RaySlabs {
    /// Where it starts, as seen by the lower ends of boxes, and by the higher.
    low: [f32; 3],
    high: [f32; 3],
    /// Units of the ray for one of the coordinate.
    rate: [f32; 3],
    end: f32,
    /// Whether single precision has numbers for all this.
    fits: bool,
}

impl RaySlabs {
    /// For boxes no further out than that, as [`out`](crate::scene::crowd::out) has it.
    #[inline(always)]
    pub fn new(ray: &WideRay, out: f32) -> Self {
        let [from, along] = [ray.from, ray.along].map(|v| v.map(|x| x as f32));
        // No box is further along: by as much as rounding may hide the ray leaves its line there.
        let size = sum(from) + out;
        let pad = 2.0 * HIDDEN_BY_RAY * size;
        let rate = along.map(|x| {
            let rate = (1.0 / x).abs();
            (if rate < FASTEST { rate } else { FASTEST }).copysign(x)
        });
        RaySlabs {
            low: from.map(|x| x + pad),
            high: from.map(|x| x - pad),
            rate,
            end: later(ray.end),
            fits: (1e-20..1e30).contains(&size),
        }
    }

    /// From now on it ends there, or a little later.
    #[inline(always)]
    pub fn end_at(&mut self, end: f64) {
        self.end = self.end.low(later(end));
    }

    /// Whether what begins there is beyond its end.
    #[inline(always)]
    pub fn ends_before(&self, near: f32) -> bool {
        near > self.end
    }

    /// A bit for each of the boxes that the ray may meet, and how far along it they begin.
    #[inline(always)]
    pub fn meets<L: Floats>(&self, token: L::Token, block: &Block, begins: &mut Near) -> u32 {
        if !self.fits {
            *begins = [0.0; BLOCK];
            return u32::MAX >> (32 - BLOCK);
        }
        let (mut bits, mut lane) = (0, 0);
        while lane < BLOCK {
            let (mut near, mut far) = (L::splat(token, 0.0), L::splat(token, self.end));
            for i in 0..3 {
                let rate = L::splat(token, self.rate[i]);
                let low = L::load(token, &block[i][lane..]) - L::splat(token, self.low[i]);
                let high = L::load(token, &block[i + 3][lane..]) - L::splat(token, self.high[i]);
                let ends = [low * rate, high * rate];
                near = near.high(ends[0].low(ends[1]));
                far = far.low(ends[0].high(ends[1]));
            }
            near.store(&mut begins[lane..]);
            let far = far * L::splat(token, 1.0 + LENGTH_SHARE);
            bits |= L::bits(near.within(far)) << lane;
            lane += L::LEN;
        }
        bits
    }
}

/// A little later than that.
#[inline(always)]
fn later(end: f64) -> f32 {
    end as f32 * (1.0 + 4.0 * LENGTH_SHARE) + f32::MIN_POSITIVE
}

#[inline(always)]
fn sum(v: [f32; 3]) -> f32 {
    v[0].abs() + v[1].abs() + v[2].abs()
}
