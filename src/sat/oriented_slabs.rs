//! Slabs of oriented box pairs: the shifts along a direction at which oriented boxes of two parts
//! may touch.
//!
//! Like [`box_slabs`](super::box_slabs), but pair by pair and with all 15 axes, for pairs that the
//! aligned boxes do not separate: an oriented box fits a single triangle far more closely, and a
//! test here takes less time than a test of the triangles.
//!
//! # Error bounds
//! Let `u` and `S` be those of [`oriented_pairs`](super::oriented_pairs). Along an axis no
//! separation is off by more than `120 u S`. A coordinate of the direction along an axis is off by
//! less than `10 u`, and clamping adds `2 u`, which moves a box by `12 u S`; quotients lose `3 u`
//! of the dividend, which is at most `11 S`. The pad of `256 u S` covers all of it, before the
//! division. Where edges are parallel, their axis is so short that the pad alone makes the interval
//! as long as any shift.

use super::BoxPair;
use super::box_slabs::{MIN_DIRECTION, slab_of_axis};
use super::eight_boxes::splat_rotation;
use super::oriented_batch::{OrientedBatch, QUEUE_LEN};
use crate::num::SimdLevel;
use crate::num::linear::rotate_back;
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::splat;

/// Test of pairs of oriented boxes, the second shifted along a direction.
pub(crate) struct OrientedSlabs<'a> {
    pub batch: OrientedBatch<'a>,
    /// Direction in the frame of the first.
    pub direction: &'a [f32; 3],
    /// Range of shifts that matters [length units].
    pub range: [f32; 2],
    /// Output: a lower bound on the first shift at which each pair touches [length units].
    pub least_shifts: &'a mut [f32; QUEUE_LEN],
}

impl OrientedSlabs<'_> {
    /// Returns a bit for each pair that may touch at a shift in the range.
    pub fn touching_mask(self, simd: SimdLevel) -> u64 {
        simd.run(self)
    }
}

impl FloatKernel for OrientedSlabs<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let OrientedSlabs { batch, direction, range, least_shifts } = self;
        let OrientedBatch { frame, len, .. } = batch;
        let mut touching = 0;
        let columns = splat_rotation::<L>(token, frame);
        let (offset, direction) = (splat(token, &frame.offset), splat(token, direction));
        let pad = L::splat(token, 2.0 * frame.pad);
        let [from, to] = [L::splat(token, range[0]), L::splat(token, range[1])];
        let mut at = 0;
        while at < len {
            let boxes = batch.load::<L>(token, 0, at);
            let others = batch.load::<L>(token, 1, at);
            let pair = BoxPair::from_frames(&boxes, &others, &columns, offset);
            let (rotation, sizes) = (&pair.rotation, [pair.a, pair.b]);
            let along = rotate_back(&boxes.axes, direction);
            let mut span = OrientedSpan::unbounded(token, (pad, to));
            for i in 0..3 {
                span.narrow(token, pair.t[i], rotation.radius_on_first_face(i, sizes), along[i]);
                let reach = rotation.radius_on_second_face(i, sizes);
                let distance = rotation.distance_on_second_face(i, pair.t);
                span.narrow(token, distance, reach, rotation.distance_on_second_face(i, along));
                for j in 0..3 {
                    let reach = rotation.radius_on_edges([i, j], sizes);
                    let distance = rotation.distance_on_edges([i, j], pair.t);
                    span.test_late(
                        token,
                        distance,
                        reach,
                        rotation.distance_on_edges([i, j], along),
                    );
                }
            }
            let OrientedSpan { enter, leave, late, .. } = span;
            enter.store(&mut least_shifts[at..]);
            let some = L::both(enter.at_most(leave), enter.at_most(to));
            let near = L::bits(L::both(some, from.at_most(leave))) & !L::bits(late);
            touching |= u64::from(near) << at;
            at += L::LEN;
        }
        touching & (u64::MAX >> (64 - len))
    }
}

/// Shifts in the slabs of all axes so far.
struct OrientedSpan<L: Floats> {
    enter: L,
    leave: L,
    /// Lanes in which an axis is entered beyond `to`.
    late: L::Mask,
    to: L,
    /// Pad added to projected radii [length units].
    pad: L,
}

impl<L: Floats> OrientedSpan<L> {
    #[inline(always)]
    fn unbounded(token: L::Token, (pad, to): (L, L)) -> Self {
        let (zero, most) = (L::splat(token, 0.0), L::splat(token, f32::INFINITY));
        OrientedSpan { enter: zero - most, leave: most, late: zero.above(zero), to, pad }
    }

    /// Narrows the span to the slab of an axis, given the distance of the centres, the radius of
    /// the boxes and the direction along it.
    #[inline(always)]
    fn narrow(&mut self, token: L::Token, distance: L, reach: L, along: L) {
        let (zero, least) = (L::splat(token, 0.0), L::splat(token, MIN_DIRECTION));
        let clamped = L::choose(zero.above(along), zero - least, least);
        let along = L::choose(along.abs().above(least), along, clamped);
        let reciprocal = L::splat(token, 1.0) / along;
        let (enter, leave) = slab_of_axis(zero - distance, reach + self.pad, reciprocal);
        (self.enter, self.leave) = (self.enter.high(enter), self.leave.low(leave));
    }

    /// Tests only if the slab of an axis is entered beyond `to`. Cheaper than
    /// [`OrientedSpan::narrow`]: no division, and edge axes gain little from one.
    #[inline(always)]
    fn test_late(&mut self, token: L::Token, distance: L, reach: L, along: L) {
        let zero = L::splat(token, 0.0);
        let ahead = L::choose(along.above(zero), zero - distance, distance);
        let late = (ahead - reach - self.pad).above(self.to * along.abs());
        self.late = L::either(self.late, late);
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::{IDENTITY, Mat3, Vec3, add, cross, dot, length, scale, sub};
    use crate::num::vectors::FloatRecord;
    use crate::sat::box_slabs::ShiftedFrame;
    use crate::sat::eight_boxes::RelativeFrame;
    use crate::sat::oriented_batch::record_of_box;
    use crate::shape::WideObb;

    /// Returns the first and last shift at which two boxes touch, the second shifted along a
    /// direction: computed from their corners along every axis.
    fn span([a, b]: [&WideObb; 2], direction: Vec3) -> [f64; 2] {
        let edges = a.axes.map(|x| b.axes.map(|y| cross(x, y)));
        let mut span = [f64::NEG_INFINITY, f64::INFINITY];
        for axis in a.axes.iter().chain(&b.axes).chain(edges.as_flattened()) {
            let ends = |solid: &WideObb| {
                let along = (0..8).map(|corner| {
                    let side = |i: usize| f64::from(2 * (corner >> i & 1) - 1);
                    let out =
                        [0, 1, 2].map(|i| scale(solid.axes[i], side(i) * solid.half_extents[i]));
                    dot(*axis, add(add(solid.center, out[0]), add(out[1], out[2])))
                });
                along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
                    [low.min(x), high.max(x)]
                })
            };
            let ([low_a, high_a], [low_b, high_b]) = (ends(a), ends(b));
            let (along, size) = (dot(*axis, direction), dot(*axis, *axis).sqrt());
            if size < 1e-6 {
                continue;
            }
            if along.abs() < 1e-13 * size {
                if low_a > high_b || low_b > high_a {
                    return [f64::INFINITY, f64::NEG_INFINITY];
                }
                continue;
            }
            let [x, y] = [(low_a - high_b) / along, (high_a - low_b) / along];
            span = [span[0].max(x.min(y)), span[1].min(x.max(y))];
        }
        span
    }

    /// Returns a direction, sometimes along or across an axis of a box.
    fn direction(chance: &mut SplitMix64, axes: &Mat3) -> Vec3 {
        match chance.below(4) {
            0 => axes[chance.below(3)],
            1 => cross(axes[chance.below(3)], chance.unit()),
            _ => chance.unit(),
        }
    }

    /// Pairs about two centres, the second of each seen from a rotated frame.
    struct SlabTestPairs {
        pairs: [[WideObb; 2]; QUEUE_LEN],
        records: [[FloatRecord; QUEUE_LEN]; 2],
        frame: ShiftedFrame,
        way: Vec3,
        /// Shift at which the boxes nearly touch.
        shift: f64,
    }

    impl SlabTestPairs {
        fn new(chance: &mut SplitMix64) -> Self {
            let (rotation, middles) = (chance.rotation(), [chance.point(2.0), chance.point(2.0)]);
            let near =
                [(); QUEUE_LEN].map(|()| chance.hard_boxes::<f32>(1.0, 0.0).map(|b| b.wide()));
            let way = direction(chance, &near[0][0].axes);
            let (way, shift) = (scale(way, 1.0 / length(way)), chance.between(-2.0, 2.0));
            let away = |b: WideObb| WideObb { center: add(b.center, scale(way, -shift)), ..b };
            let pairs = near.map(|[a, b]| [a, away(b)]);
            let seen = |solid: &WideObb, middle: Vec3, frame: &Mat3| {
                let center = rotate_back(frame, sub(solid.center, middle));
                let axes = solid.axes.map(|axis| rotate_back(frame, axis));
                record_of_box(&WideObb { center, axes, ..*solid })
            };
            let records = [
                pairs.map(|[a, _]| seen(&a, middles[0], &IDENTITY)),
                pairs.map(|[_, b]| seen(&b, middles[1], &rotation)),
            ];
            let offset = sub(middles[1], middles[0]);
            let frame = RelativeFrame::new::<f32>(&rotation, offset, [30.0, 30.0], 0.0);
            let directions = [way, rotate_back(&rotation, way)];
            let frame = ShiftedFrame::new(frame.expect("sizes about 1"), directions);
            SlabTestPairs { pairs, records, frame, way, shift }
        }

        /// Returns the answer, after checking that every instruction set gives it.
        fn touching(&self, range: [f32; 2]) -> (u64, [f32; QUEUE_LEN]) {
            let records = [&self.records[0][..], &self.records[1][..]];
            let pairs = &[std::array::from_fn(|i| i as u32); 2];
            let ShiftedFrame { frame, direction, .. } = &self.frame;
            let batch = OrientedBatch { frame, records, pairs, len: QUEUE_LEN };
            let mut answers = SimdLevel::all().into_iter().map(|simd| {
                let mut least = [0.0; QUEUE_LEN];
                let to = &mut least;
                let slabs = OrientedSlabs { batch, direction, range, least_shifts: to };
                (slabs.touching_mask(simd), least)
            });
            let first = answers.next().expect("at least plain code");
            assert!(answers.all(|other| other == first), "instruction sets differ");
            first
        }
    }

    pub fn nothing_that_touches_is_left_out_and_little_else_is_let_through() {
        let mut chance = SplitMix64(3);
        // Touching pairs; pairs that miss by more than rounding, and how many of these are
        // separated.
        let (mut touching, mut missing, mut told) = (0, 0, 0);
        for _ in 0..4_000 {
            let all = SlabTestPairs::new(&mut chance);
            let ends = [f64::INFINITY, all.shift, chance.between(-2.0, 2.0)];
            let starts = [f64::NEG_INFINITY, -1.0];
            let range = [starts[chance.below(2)], ends[chance.below(3)]].map(|x| x as f32);
            let ((bits, least), [from, to]) = (all.touching(range), range.map(f64::from));
            for (place, [a, b]) in all.pairs.iter().enumerate() {
                let [enter, leave] = span([a, b], all.way);
                let is_told = bits >> place & 1 == 0;
                if enter <= leave && enter <= to && leave >= from {
                    touching += 1;
                    assert!(!is_told, "{a:?} {b:?} by {:?}: {enter} to {leave}", all.way);
                    assert!(f64::from(least[place]) <= enter, "{} for {enter}", least[place]);
                } else if enter > leave + 0.02 || enter > to + 0.02 || leave < from - 0.02 {
                    missing += 1;
                    told += usize::from(is_told);
                }
            }
        }
        println!("{touching} touch, {missing} miss, {told} of them told");
        assert!(touching > 10_000 && missing > 10_000 && told * 10 > missing * 9);
    }
}
