//! Gaps of box pairs: lower bounds on the distance of the boxes of two wide nodes, all 64 pairs at
//! once, and of the oriented boxes of 16 pairs.
//!
//! Along three axes at right angles two boxes are apart by three separations; the root of the sum
//! of the squares of the positive ones is a lower bound on their distance. The axes are those of
//! the first part and those of the second, or those of either oriented box: the greater bound
//! counts. Where no axis separates the boxes, the bound is the greatest separation, which is
//! negative: so boxes that overlap deeply come first.
//!
//! # Error bounds
//! Let `u` and `S` be those of [`eight_boxes`](super::eight_boxes). The error of a separation is
//! less than `64 u S`, with oriented boxes `120 u S`, as in
//! [`oriented_pairs`](super::oriented_pairs). That of the root of three squares is at most the root
//! of three times as large, and its rounding less than `8 u S`: together less than the `384 u S` of
//! [`GAP_PADS`], which also covers by what contents may protrude from oriented boxes.

use super::BoxPair;
use super::eight_boxes::{
    EightBoxes, Projection, RelativeFrame, WIDTH, project_on_second, row_masks, splat_rotation,
};
use super::oriented_batch::{OrientedBatch, QUEUE_LEN};
use crate::num::SimdLevel;
use crate::num::linear::{Vec3, sub};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::{load, splat, splat_entry};

/// Pads of a [`RelativeFrame`] that are subtracted from each bound.
const GAP_PADS: f32 = 3.0;

/// Largest pad at which no square overflows [length units].
const MAX_PAD: f32 = 1e12;

impl RelativeFrame {
    /// Returns `true` if gaps can be computed: no square of a size overflows.
    pub fn has_gaps(&self) -> bool {
        self.pad <= MAX_PAD
    }
}

/// Computation for the first `counts` boxes of two wide nodes.
pub(crate) struct BoxGaps<'a> {
    pub frame: &'a RelativeFrame,
    pub boxes: [&'a EightBoxes; 2],
    pub counts: [usize; 2],
    /// Greatest distance that matters [length units].
    pub limit: f32,
    /// Output, row by row: a lower bound on the distance of each pair [length units].
    pub lower_bounds: &'a mut [f32; WIDTH * WIDTH],
}

impl BoxGaps<'_> {
    /// Returns the pairs that may be within the limit: for each box of the first a row of
    /// [`WIDTH`] bits, one for each box of the second, the first lowest.
    pub fn near_mask(self, simd: SimdLevel) -> u64 {
        simd.run_eight(self)
    }
}

impl FloatKernel for BoxGaps<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let BoxGaps { frame, boxes: [a, b], counts, limit, lower_bounds } = self;
        let mut near = 0;
        let projection = Projection::<L>::new(token, frame);
        let along_second = project_on_second::<L>(token, a, &projection.columns);
        let pad = L::splat(token, GAP_PADS * frame.pad);
        let limit = L::splat(token, limit);
        let mut lane = 0;
        while lane < counts[1] {
            let half = load::<L, WIDTH>(token, &b.half, lane);
            let center = load::<L, WIDTH>(token, &b.center, lane);
            let [on_first, on_second] = projection.of_second(center, half);
            for place in 0..counts[0] {
                let of_first = separations(
                    sub(on_first.center, splat_entry(token, &a.center, place)),
                    splat_entry::<L, WIDTH>(token, &a.half, place),
                    on_first.radius,
                );
                let of_second = separations(
                    sub(on_second.center, splat_entry(token, &along_second.center, place)),
                    splat_entry::<L, WIDTH>(token, &along_second.radius, place),
                    on_second.radius,
                );
                let bound = lower_bound(token, [of_first, of_second]) - pad;
                bound.store(&mut lower_bounds[place * WIDTH + lane..]);
                near |= u64::from(L::bits(bound.at_most(limit)) & L::ALL) << (place * WIDTH + lane);
            }
            lane += L::LEN;
        }
        near & row_masks(u8::MAX, u8::MAX >> (WIDTH - counts[1]))
    }
}

/// Computation for pairs of oriented boxes.
pub(crate) struct OrientedGaps<'a> {
    pub batch: OrientedBatch<'a>,
    /// Output: a lower bound on the distance of each pair [length units].
    pub lower_bounds: &'a mut [f32; QUEUE_LEN],
}

impl OrientedGaps<'_> {
    /// Computes the bounds.
    pub fn run(self, simd: SimdLevel) {
        simd.run(self);
    }
}

impl FloatKernel for OrientedGaps<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let OrientedGaps { batch, lower_bounds } = self;
        let OrientedBatch { frame, len, .. } = batch;
        let columns = splat_rotation::<L>(token, frame);
        let offset = splat(token, &frame.offset);
        let pad = L::splat(token, GAP_PADS * frame.pad);
        let mut at = 0;
        while at < len {
            let boxes = batch.load::<L>(token, 0, at);
            let others = batch.load::<L>(token, 1, at);
            let pair = BoxPair::from_frames(&boxes, &others, &columns, offset);
            let bound = lower_bound(token, pair.face_separations()) - pad;
            bound.store(&mut lower_bounds[at..]);
            at += L::LEN;
        }
    }
}

/// Returns the separations of two boxes along three axes.
#[inline(always)]
fn separations<L: Floats>(t: Vec3<L>, a: Vec3<L>, b: Vec3<L>) -> Vec3<L> {
    [t[0].abs() - (a[0] + b[0]), t[1].abs() - (a[1] + b[1]), t[2].abs() - (a[2] + b[2])]
}

/// Returns the greater distance by two sets of separations along axes at right angles; without a
/// positive one the greatest.
#[inline(always)]
fn lower_bound<L: Floats>(token: L::Token, [x, y]: [Vec3<L>; 2]) -> L {
    let zero = L::splat(token, 0.0);
    let most = x[0].high(x[1]).high(x[2]).high(y[0].high(y[1]).high(y[2]));
    let root = squared_gap(zero, x).high(squared_gap(zero, y)).sqrt();
    L::choose(most.above(zero), root, most)
}

#[inline(always)]
fn squared_gap<L: Floats>(zero: L, x: Vec3<L>) -> L {
    let [x, y, z] = [x[0].high(zero), x[1].high(zero), x[2].high(zero)];
    x * x + y * y + z * z
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::{IDENTITY, add, length, rotate, rotate_back};
    use crate::num::set_bits;
    use crate::sat::oriented_batch::record_of_box;
    use crate::shape::WideObb;

    /// Returns the distance of two boxes in one frame, never less than the true one, by projections
    /// of a point onto either in turn.
    fn distance(first: &WideObb, second: &WideObb) -> f64 {
        let nearest = |solid: &WideObb, p: Vec3| {
            let along = rotate_back(&solid.axes, sub(p, solid.center));
            let clamped =
                [0, 1, 2].map(|i| along[i].clamp(-solid.half_extents[i], solid.half_extents[i]));
            add(solid.center, rotate(&solid.axes, clamped))
        };
        let mut p = first.center;
        for _ in 0..400 {
            p = nearest(first, nearest(second, p));
        }
        length(sub(p, nearest(second, p)))
    }

    pub fn bounds_are_never_greater_than_the_distance_and_often_close() {
        let (mut chance, mut close, mut apart) = (SplitMix64(5), 0, 0);
        for _ in 0..600 {
            let (rotation, offset) = (chance.rotation(), chance.point(3.0));
            let mut solids = [[(); WIDTH]; 2].map(|row| {
                row.map(|()| {
                    let half_extents = [0; 3].map(|_| chance.decade(-2.0, 0.0));
                    WideObb { center: chance.point(1.0), axes: IDENTITY, half_extents }
                })
            });
            let boxes = [0, 1].map(|side| {
                let mut boxes = EightBoxes::default();
                for (place, solid) in solids[side].iter().enumerate() {
                    let (center, half) = (solid.center, solid.half_extents);
                    boxes.set(place, sub(center, half), add(center, half));
                }
                boxes
            });
            let counts = [1 + chance.below(WIDTH), 1 + chance.below(WIDTH)];
            let frame = RelativeFrame::new::<f32>(&rotation, offset, [24.0, 24.0], 0.0);
            let (frame, limit) = (frame.expect("sizes"), chance.between(0.0, 4.0) as f32);
            let mut answers = SimdLevel::all().into_iter().map(|simd| {
                let mut bounds = [0.0; WIDTH * WIDTH];
                let boxes = [&boxes[0], &boxes[1]];
                let to = &mut bounds;
                let gaps = BoxGaps { frame: &frame, boxes, counts, limit, lower_bounds: to };
                let mask = gaps.near_mask(simd);
                let told = (0..counts[0]).map(|row| bounds[row * WIDTH..][..counts[1]].to_vec());
                (mask, told.collect::<Vec<_>>())
            });
            let (mask, bounds) = answers.next().expect("at least plain code");
            assert!(answers.all(|other| other == (mask, bounds.clone())), "levels differ");
            assert!(set_bits(mask).all(|bit| bit / WIDTH < counts[0] && bit % WIDTH < counts[1]));
            // Seen from the first part.
            solids[1] = solids[1].map(|solid| solid.moved(&rotation, offset));
            for (row, bounds) in bounds.iter().enumerate() {
                for (place, &bound) in bounds.iter().enumerate() {
                    let pair = [&solids[0][row], &solids[1][place]];
                    let distance = distance(pair[0], pair[1]);
                    assert!(f64::from(bound) <= distance, "{bound} {distance}: {pair:?}");
                    let is_near = mask >> (row * WIDTH + place) & 1 == 1;
                    assert_eq!(is_near, bound <= limit);
                    apart += usize::from(distance > 0.1);
                    close += usize::from(distance > 0.1 && f64::from(bound) > 0.8 * distance);
                }
            }
        }
        println!("{close} of {apart} bounds are above 0.8 of the distance");
        assert!(apart > 5_000 && close * 2 > apart);
    }

    pub fn bounds_of_oriented_boxes_are_never_greater_than_the_distance() {
        let (mut chance, mut close, mut apart) = (SplitMix64(6), 0, 0);
        for _ in 0..600 {
            let (rotation, offset) = (chance.rotation(), chance.point(3.0));
            let solids = [[(); QUEUE_LEN]; 2].map(|row| {
                row.map(|()| {
                    let half_extents = [0; 3].map(|_| chance.decade(-3.0, 0.0));
                    WideObb { center: chance.point(1.0), axes: chance.rotation(), half_extents }
                })
            });
            let records = solids.map(|row| row.map(|solid| record_of_box(&solid)));
            let frame = RelativeFrame::new::<f32>(&rotation, offset, [24.0, 24.0], 0.0);
            let (frame, len) = (frame.expect("sizes"), 1 + chance.below(QUEUE_LEN));
            let pairs = &[std::array::from_fn(|i| i as u32); 2];
            let mut answers = SimdLevel::all().into_iter().map(|simd| {
                let mut bounds = [0.0; QUEUE_LEN];
                let records = [&records[0][..], &records[1][..]];
                let to = &mut bounds;
                let batch = OrientedBatch { frame: &frame, records, pairs, len };
                OrientedGaps { batch, lower_bounds: to }.run(simd);
                bounds[..len].to_vec()
            });
            let bounds = answers.next().expect("at least plain code");
            assert!(answers.all(|other| other == bounds), "levels differ");
            for (place, &bound) in bounds.iter().enumerate() {
                let pair = [solids[0][place], solids[1][place].moved(&rotation, offset)];
                let (bound, distance) = (f64::from(bound), distance(&pair[0], &pair[1]));
                assert!(bound <= distance, "{bound} {distance}: {pair:?}");
                apart += usize::from(distance > 0.1);
                close += usize::from(distance > 0.1 && bound > 0.8 * distance);
            }
        }
        println!("{close} of {apart} bounds are above 0.8 of the distance");
        assert!(apart > 2_000 && close * 2 > apart);
    }
}
