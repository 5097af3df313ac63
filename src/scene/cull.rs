//! Which characters a region or a ray may meet: their boxes compared side by side, in single precision, never too few.

use super::rows::{BLOCK, Block, Single, overlaps};
use crate::num::Level;
use crate::num::lanes::{Kernel, Lanes};
use crate::num::linear::{Vec3, add, length, scale};
use crate::shape::{Aabb, nearest_point};

/// What rounding to single precision may hide, as a share of all numbers that go in: `64 u`, four times what the sums are off.
const HIDDEN: f64 = 1.0 / (1 << 18) as f64;

/// Adds to `found` the places of the boxes that share a point with the one.
pub(super) fn in_box(level: Level, blocks: &[Block], bounds: [Vec3; 2], found: &mut Vec<u32>) {
    let [min, max] = bounds.map(nearest_point::<f64>);
    level.run(InBox { one: Single::new(&Aabb::new(min, max)), blocks, found });
}

/// Adds to `found` the places of the boxes that a segment may meet: `length` units along `way` from a point. `far`: no coordinate of a box
/// is larger.
pub(super) fn on_segment(
    level: Level,
    blocks: &[Block],
    (from, way, end): (Vec3, Vec3, f64),
    far: f64,
    found: &mut Vec<u32>,
) {
    let half = scale(way, 0.5 * end);
    let mid = add(from, half);
    let hidden = HIDDEN * (length(mid) + length(half) + far);
    let [x, y, z] = half.map(f64::abs);
    level.run(OnSegment {
        mid: mid.map(|x| x as f32),
        half: half.map(|x| x as f32),
        pad: hidden as f32,
        pads: [y + z, z + x, x + y].map(|sum| (hidden * sum) as f32),
        blocks,
        found,
    });
}

struct InBox<'a> {
    one: Single,
    blocks: &'a [Block],
    found: &'a mut Vec<u32>,
}

impl Kernel for InBox<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) {
        for (index, block) in self.blocks.iter().enumerate() {
            push(self.found, index, overlaps::<L>(token, self.one, block));
        }
    }
}

/// Separating axes of a segment and boxes: the faces' normals, and their cross products with the segment. Source: Ericson, Real-Time
/// Collision Detection (2005), 5.3.3.
struct OnSegment<'a> {
    mid: [f32; 3],
    half: [f32; 3],
    pad: f32,
    pads: [f32; 3],
    blocks: &'a [Block],
    found: &'a mut Vec<u32>,
}

impl Kernel for OnSegment<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) {
        let OnSegment { mid, half, pad, pads, blocks, found } = self;
        for (index, block) in blocks.iter().enumerate() {
            let mut bits = 0;
            let mut lane = 0;
            while lane < BLOCK {
                let mut apart = 0;
                let (mut t, mut e) = ([L::splat(token, pad); 3], [L::splat(token, 0.5); 3]);
                for i in 0..3 {
                    let low = L::load(token, &block[i][lane..]) * L::splat(token, 0.5);
                    let high = L::load(token, &block[i + 3][lane..]) * L::splat(token, 0.5);
                    (t[i], e[i]) = (low + high - L::splat(token, mid[i]), high - low);
                    let reach = e[i] + L::splat(token, half[i].abs() + pad);
                    apart |= L::bits(t[i].abs().above(reach));
                }
                for (i, pad) in pads.into_iter().enumerate() {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    let (hj, hk) = (L::splat(token, half[j]), L::splat(token, half[k]));
                    let distance = (hj * t[k] - hk * t[j]).abs();
                    let reach = e[j] * hk.abs() + e[k] * hj.abs() + L::splat(token, pad);
                    apart |= L::bits(distance.above(reach));
                }
                // What is not a number is not apart, but for what fills up the last block.
                let filled = L::bits(e[0].within(L::splat(token, f32::INFINITY)));
                bits |= (filled & !apart) << lane;
                lane += L::LEN;
            }
            push(found, index, bits);
        }
    }
}

#[inline(always)]
fn push(found: &mut Vec<u32>, block: usize, mut bits: u32) {
    while bits != 0 {
        found.push((block * BLOCK) as u32 + bits.trailing_zeros());
        bits &= bits - 1;
    }
}
