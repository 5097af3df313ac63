//! Half-spaces: seen from a part, and put to boxes side by side in single precision, which tells
//! those that are surely out or in.
//!
//! # What is certain
//! Let `u = 2^-24` and `|n| |x|` be summed over the coordinates. A height is off by less than
//! `8 u |n| |x|`: the normal is rounded, there are a product and two sums, and for what is between
//! two heights two products and a sum more. [`HIDDEN`] is twice that, of all there is.
//!
//! What is in by that shares a point with the half-space exactly, so it is met in double precision
//! too, where there is more to spare than rounding hides: nothing has to be asked.

use crate::broad_phase::CharacterNode;
use crate::broad_phase::filled;
use crate::broad_phase::{Aabb16, BLOCK};
use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, length, turn_back};
use crate::num::simd::Floats;
use crate::shape::{Placement, WidePlane};

use super::local::SHARE;
use super::outer::Sought;

/// What rounding to single precision may hide, as a share of all numbers that go in: `16 u`.
const HIDDEN: f64 = 1.0 / (1 << 20) as f64;

/// The largest numbers whose sums single precision has.
const LARGEST: f64 = 1e30;

/// A half-space in some frame, in double precision.
#[derive(Debug, Clone, Copy)]
pub(super) struct Half {
    pub normal: Vec3,
    pub offset: f64,
    /// What it and the frame are off. Units.
    pub doubt: f64,
}

impl Half {
    /// Seen from a part; `reach` is how far its points are from its origin.
    #[inline(always)]
    pub fn new(plane: &WidePlane, place: &Placement, reach: f64) -> Self {
        let shift = dot(plane.normal, place.position);
        let normal = turn_back(&place.rotation, plane.normal);
        let doubt = Half::doubt(plane, place.position, reach);
        Half { normal, offset: plane.offset - shift, doubt }
    }

    /// Seen from the world; no box is further out than `reach`.
    #[inline(always)]
    pub fn of_world(plane: &WidePlane, reach: f64) -> Self {
        let &WidePlane { normal, offset, .. } = plane;
        Half { normal, offset, doubt: Half::doubt(plane, [0.0; 3], reach) }
    }

    /// What it is off, seen from a part that is there.
    #[inline(always)]
    pub fn doubt(plane: &WidePlane, position: Vec3, reach: f64) -> f64 {
        (plane.offset.abs() + 2.0 * length(position) + reach) * SHARE
    }

    /// Whether it may share a point with a box along its frame.
    #[inline(always)]
    pub fn meets(&self, of: (Vec3, Vec3)) -> bool {
        self.lowest(of) <= self.offset + self.doubt
    }

    /// How high the lowest corner of such a box is.
    #[inline(always)]
    pub fn lowest(&self, (center, half): (Vec3, Vec3)) -> f64 {
        let along = |i: usize| half[i] * self.normal[i].abs();
        dot(self.normal, center) - (along(0) + along(1) + along(2))
    }
}

/// How far apart a region with that doubt and a box may be where they are said to meet; `size` is
/// half the diagonal, and the radius of a round region.
#[inline(always)]
pub(super) fn pad<T: Scalar>(doubt: f64, size: f64) -> f64 {
    doubt + T::LEAF_SLACK * size
}

/// Characters, 64 by 64: a bit for each that may be met, and for each that is surely in.
pub(super) type Marked = [u64; 2];

/// A bit for each of some boxes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Told {
    /// May be met.
    pub met: u64,
    /// Surely in, all of it.
    pub whole: u64,
    /// Its middle surely is, and that of the box of a part that it is around.
    pub middle: u64,
}

/// A half-space in single precision, put to boxes of the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    normal: [f32; 3],
    /// What is higher is surely out.
    out: f32,
    /// What is not higher is surely in.
    within: f32,
    /// Whether single precision has numbers for all this.
    fits: bool,
}

impl Cut {
    /// For boxes no further out than that, as [`out`](crate::broad_phase::out) has it. What is
    /// surely out is so by twice the doubt of the half-space, seen from the world.
    pub fn new(world: &Half, out: f32) -> Self {
        let size = f64::from(out) + world.offset.abs();
        let pad = size * HIDDEN + f64::from(f32::MIN_POSITIVE);
        Cut {
            normal: world.normal.map(|x| x as f32),
            out: f32::at_least(world.offset + 2.0 * world.doubt + pad),
            within: f32::at_most(world.offset - pad),
            fits: size < LARGEST,
        }
    }

    /// A bit for each part of a character, at most 64; of one that is wholly in, for all that are
    /// there.
    #[inline(always)]
    pub fn of_parts<L: Floats>(
        &self,
        token: L::Token,
        (blocks, len): (&[Aabb16], usize),
        whole: bool,
    ) -> Told {
        let mut told = Told::default();
        for (index, block) in blocks.iter().take(4).enumerate() {
            let (first, len) = (index * BLOCK, (len - index * BLOCK).min(BLOCK));
            if whole {
                told.whole |= there::<L>(token, block, len) << first;
            } else {
                let Told { met, whole, middle } = self.tell::<L>(token, block, len);
                told.met |= met << first;
                told.whole |= whole << first;
                told.middle |= middle << first;
            }
        }
        let all = filled(len);
        match whole {
            true => {
                Told { met: told.whole & all, whole: told.whole & all, middle: told.whole & all }
            }
            false => Told { met: told.met & all, ..told },
        }
    }

    /// Of the first boxes of a block, and perhaps of more.
    #[inline(always)]
    fn tell<L: Floats>(&self, token: L::Token, block: &Aabb16, len: usize) -> Told {
        if !self.fits {
            return Told { met: filled(BLOCK), ..Told::default() };
        }
        let n = self.normal;
        let ends = [near(n[0], 0), near(n[1], 1), near(n[2], 2)];
        let (out, within) = (L::splat(token, self.out), L::splat(token, self.within));
        let (mut told, mut lane) = (Told::default(), 0);
        while lane < len {
            let (mut low, mut high) = (L::splat(token, 0.0), L::splat(token, 0.0));
            for i in 0..3 {
                let (along, [near, far]) = (L::splat(token, n[i]), ends[i]);
                low = low + along * L::load(token, &block[near][lane..]);
                high = high + along * L::load(token, &block[far][lane..]);
            }
            // Three quarters of the way: a box is around that of its part by some at each side, and
            // the middles are no further apart than three eighths of that.
            let past = L::splat(token, 0.25) * low + L::splat(token, 0.75) * high;
            // Nothing is higher than it ends.
            let met = L::both(low.within(out), low.within(high));
            told.met |= u64::from(L::bits(met)) << lane;
            told.whole |= u64::from(L::bits(L::both(met, high.within(within)))) << lane;
            told.middle |= u64::from(L::bits(L::both(met, past.within(within)))) << lane;
            lane += L::LEN;
        }
        told
    }
}

/// A half-space put to characters.
pub(super) struct Marking<'k> {
    cut: &'k Cut,
    marked: &'k mut [Marked],
    /// A bit for each box of the node looked at last that is surely in.
    whole: u64,
}

impl<'k> Marking<'k> {
    pub fn new(cut: &'k Cut, marked: &'k mut [Marked]) -> Self {
        Marking { cut, marked, whole: 0 }
    }
}

impl Sought for Marking<'_> {
    #[inline(always)]
    fn met<L: Floats>(&mut self, token: L::Token, node: &CharacterNode) -> u64 {
        let Told { met, whole, .. } = self.cut.tell::<L>(token, &node.boxes[0], node.len);
        self.whole = whole;
        met & filled(node.len)
    }

    #[inline(always)]
    fn take(&mut self, place: u32, lane: usize) {
        let [met, all] = &mut self.marked[place as usize / 64];
        *met |= 1 << (place % 64);
        *all |= (self.whole >> lane & 1) << (place % 64);
    }
}

/// Which rows of a block have the ends that lie deepest and highest along a coordinate.
#[inline(always)]
fn near(normal: f32, i: usize) -> [usize; 2] {
    if normal > 0.0 { [i, i + 3] } else { [i + 3, i] }
}

/// A bit for each of the first boxes of a block that holds something.
#[inline(always)]
fn there<L: Floats>(token: L::Token, block: &Aabb16, len: usize) -> u64 {
    let (mut bits, mut lane) = (0, 0);
    while lane < len {
        let low = L::load(token, &block[0][lane..]);
        bits |= u64::from(L::bits(low.within(L::load(token, &block[3][lane..])))) << lane;
        lane += L::LEN;
    }
    bits
}
