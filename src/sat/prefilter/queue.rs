//! Prefilter of many pairs of boxes, one pair per lane of `f32`, by kernel 1.

use super::pads::{
    BATCH, CENTER_ERROR, EXTENT_PAD, MIN_RELATIVE_SIZE, MIN_SIZE, ORIGIN_ERROR, OVERLAP_PAD_F64,
    POSED_PAD, SEPARATION_PAD,
};
use crate::num::linear::{Mat3, Vec3, absolute_values, add, coordinate_sum, rotate, sub};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::{FloatRecord, gather, rotation, vector_at};
use crate::num::{Scalar, SimdLevel};
use crate::sat::{BoxPair, SatMasks};
use crate::shape::{Obb, Pose};

/// Box in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PrefilterBox {
    center: Vec3,
    /// All but the centre.
    record: FloatRecord,
}

impl PrefilterBox {
    /// `share` is what the slack of the test depends on besides the half extents. `far` is the
    /// distance from the world's origin, which bounds the rounding of `center`. All in units.
    #[inline]
    pub fn new(center: Vec3, axes: &Mat3, half: Vec3, [share, far]: [f64; 2]) -> Self {
        let size = half[0] + half[1] + half[2];
        let tells = size >= MIN_SIZE && size >= far * MIN_RELATIVE_SIZE;
        let size = if tells { size + share } else { f64::NAN };
        let [x, y, z] = axes.map(|axis| axis.map(|x| x as f32));
        let half = half.map(|h| h as f32);
        PrefilterBox { center, record: record_from_axes([x, y, z], half, size as f32) }
    }
}

/// Packs a box into a record: space for an offset, the axes, the half extents, and the size. The
/// size is the sum of the half extents and what else the slack depends on; it is NaN or infinite
/// where single precision decides nothing. [`PairLanes::from_axes`] reads the record.
#[inline(always)]
fn record_from_axes([x, y, z]: [[f32; 3]; 3], half: [f32; 3], size: f32) -> FloatRecord {
    let ([a, b, c], [d, e, f], [g, h, i], [j, k, l]) = (x, y, z, half);
    [0.0, 0.0, 0.0, a, b, c, d, e, f, g, h, i, j, k, l, size]
}

/// Packs a stored box. Its centre is stored, not computed, so its distance from the origin adds no
/// error.
#[inline(always)]
fn record_of_obb<T: Scalar>(solid: &Obb<T>) -> FloatRecord {
    let (axes, half) = (solid.axes(), solid.half_extents());
    let single = |x: T| x.wide() as f32;
    let [x, y, z] = [0, 1, 2].map(|j| [0, 1, 2].map(|i| single(axes[(i, j)])));
    let half = [single(half.x), single(half.y), single(half.z)];
    let size = half[0] + half[1] + half[2];
    record_from_axes([x, y, z], half, if size >= MIN_SIZE as f32 { size } else { f32::NAN })
}

/// Aligned box of a part, as a record without offset and quaternion. [`PairLanes::from_posed`]
/// reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PartBox(FloatRecord);

/// Indices of the half extents and of the size in either record.
const HALF_EXTENTS_INDEX: usize = 12;
const SIZE_INDEX: usize = 15;

/// Index of the quaternion in the record of a posed box.
const QUATERNION_INDEX: usize = 4;

impl PartBox {
    /// Box that stays undecided in every test.
    pub const UNDECIDED: Self = PartBox([f32::INFINITY; 16]);

    /// Creates a box from its centre and its half extents. `size` is the sum of the half extents
    /// and what else the slack depends on; infinite if the box must stay undecided.
    pub fn new([c, d, e]: [f32; 3], [i, j, k]: [f32; 3], size: f32) -> Self {
        PartBox([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, c, d, e, 0.0, i, j, k, size])
    }

    /// Returns the centre and the half extents.
    #[inline]
    pub fn center_and_half(&self) -> [Vec3; 2] {
        let [_, _, _, _, _, _, _, _, c, d, e, _, i, j, k, _] = self.0;
        [[c, d, e], [i, j, k]].map(|v| v.map(f64::from))
    }
}

/// Aligned box of a part, and the part's pose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PosedBox<'a, T: Scalar> {
    pub aligned_box: &'a PartBox,
    pub pose: &'a Pose<T>,
}

impl<T: Scalar> PosedBox<'_, T> {
    #[inline]
    fn write_record(&self, record: &mut FloatRecord) {
        let q = &self.pose.rotation.coords;
        *record = self.aligned_box.0;
        record[QUATERNION_INDEX..QUATERNION_INDEX + 4]
            .copy_from_slice(&[q.x, q.y, q.z, q.w].map(|x| x.wide() as f32));
    }

    #[inline]
    fn position(&self) -> Vec3 {
        let p = &self.pose.translation.vector;
        [p.x.wide(), p.y.wide(), p.z.wide()]
    }
}

/// Queue of up to [`BATCH`] pairs, all of one kind.
#[derive(Debug, Clone)]
pub(crate) struct PrefilterQueue {
    /// First boxes; each record begins with the offset to the second box, or to its part.
    first: [FloatRecord; BATCH],
    second: [FloatRecord; BATCH],
    len: usize,
    /// Bits of the pairs with a margin, which never count as overlapping.
    margin_mask: u64,
}

impl Default for PrefilterQueue {
    fn default() -> Self {
        PrefilterQueue {
            first: [[0.0; 16]; BATCH],
            second: [[0.0; 16]; BATCH],
            len: 0,
            margin_mask: 0,
        }
    }
}

impl PrefilterQueue {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the queue is full.
    pub fn is_full(&self) -> bool {
        self.len == BATCH
    }

    pub fn clear(&mut self) {
        (self.len, self.margin_mask) = (0, 0);
    }

    /// Adds a pair of boxes in the world. Only boxes further apart than the margin count as
    /// separated.
    ///
    /// # Panics
    /// If there are [`BATCH`] already.
    #[inline]
    pub fn push(&mut self, a: &PrefilterBox, b: &PrefilterBox, margin: f64) {
        let (first, second) = (&mut self.first[self.len], &mut self.second[self.len]);
        (*first, *second) = (a.record, b.record);
        first[..3].copy_from_slice(&sub(b.center, a.center).map(|x| x as f32));
        self.finish_push(margin);
    }

    /// Like [`PrefilterQueue::push`], for aligned boxes of parts.
    ///
    /// # Panics
    /// Panics like [`PrefilterQueue::push`].
    #[inline]
    pub fn push_posed<T: Scalar>(&mut self, a: &PosedBox<'_, T>, b: &PosedBox<'_, T>, margin: f64) {
        let (first, second) = (&mut self.first[self.len], &mut self.second[self.len]);
        a.write_record(first);
        b.write_record(second);
        first[..3].copy_from_slice(&sub(b.position(), a.position()).map(|x| x as f32));
        self.finish_push(margin);
    }

    /// Counts the pair written last, its second box enlarged by the margin.
    #[inline]
    fn finish_push(&mut self, margin: f64) {
        if margin > 0.0 {
            self.add_margin(f32::at_least(margin));
        }
        self.len += 1;
    }

    #[inline(never)]
    fn add_margin(&mut self, by: f32) {
        let [x, y, z, size] = &mut self.second[self.len][HALF_EXTENTS_INDEX..] else { return };
        (*x, *y, *z) = (*x + by, *y + by, *z + by);
        // Thrice the slack: with a margin the deciding test allows more.
        *size = 3.0 * (*size + by);
        self.first[self.len][SIZE_INDEX] *= 3.0;
        self.margin_mask |= 1 << self.len;
    }

    /// Tests all pairs and clears the queue; for boxes stored in `T` or placed in double precision.
    pub fn masks<T: Scalar>(&mut self, simd: SimdLevel) -> SatMasks {
        self.run(simd, PrefilterPads::for_stored::<T>(), false)
    }

    /// Tests up to [`BATCH`] pairs of stored boxes.
    ///
    /// # Panics
    /// If there are more.
    pub fn masks_of_stored<T: Scalar>(
        &mut self,
        simd: SimdLevel,
        pairs: &[(&Obb<T>, &Obb<T>)],
    ) -> SatMasks {
        let masks = simd.run(StoredQueueKernel { queue: self, pairs });
        self.clear();
        masks
    }

    /// Like [`PrefilterQueue::masks`], for posed boxes.
    pub fn masks_posed(&mut self, simd: SimdLevel) -> SatMasks {
        self.run(
            simd,
            PrefilterPads { separation: POSED_PAD, extents: 0.0, overlap: POSED_PAD },
            true,
        )
    }

    fn run(&mut self, simd: SimdLevel, pads: PrefilterPads, posed: bool) -> SatMasks {
        let mut masks = simd.run(QueueKernel { queue: self, pads, posed });
        masks.overlapping &= !self.margin_mask;
        self.clear();
        masks
    }
}

/// Pads of the test, as shares of sizes and distance.
#[derive(Clone, Copy)]
struct PrefilterPads {
    separation: f32,
    extents: f32,
    overlap: f32,
}

impl PrefilterPads {
    fn for_stored<T: Scalar>() -> Self {
        PrefilterPads {
            separation: SEPARATION_PAD,
            extents: EXTENT_PAD,
            overlap: if T::IS_SINGLE { 0.0 } else { OVERLAP_PAD_F64 },
        }
    }
}

struct QueueKernel<'a> {
    queue: &'a PrefilterQueue,
    pads: PrefilterPads,
    posed: bool,
}

impl FloatKernel for QueueKernel<'_> {
    type Output = SatMasks;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> SatMasks {
        let QueueKernel { queue: PrefilterQueue { first, second, len, .. }, pads, posed } = self;
        let mut masks = SatMasks::default();
        let mut at = 0;
        while at < *len {
            let columns = [gather::<L>(token, &first[at..]), gather::<L>(token, &second[at..])];
            let pairs = match posed {
                true => PairLanes::from_posed(token, columns),
                false => PairLanes::record_from_axes(token, columns),
            };
            let [apart, overlap] = pairs.test(token, pads);
            masks.apart |= u64::from(apart) << at;
            masks.overlapping |= u64::from(overlap) << at;
            at += L::LEN;
        }
        masks.masked_by(if *len == 0 { 0 } else { u64::MAX >> (BATCH - len) })
    }
}

struct StoredQueueKernel<'q, 'p, 'a, T: Scalar> {
    queue: &'q mut PrefilterQueue,
    pairs: &'p [(&'a Obb<T>, &'a Obb<T>)],
}

impl<T: Scalar> FloatKernel for StoredQueueKernel<'_, '_, '_, T> {
    type Output = SatMasks;

    /// Copies all pairs before it loads the first: a load right after the stores it depends on
    /// would stall.
    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> SatMasks {
        let StoredQueueKernel { queue, pairs } = self;
        queue.len = pairs.len();
        for (i, (a, b)) in pairs.iter().enumerate() {
            let (first, second) = (&mut queue.first[i], &mut queue.second[i]);
            (*first, *second) = (record_of_obb(a), record_of_obb(b));
            let (from, to) = (a.center(), b.center());
            // Subtracted in the stored type: either way it is rounded once.
            first[0] = (to.x - from.x).wide() as f32;
            first[1] = (to.y - from.y).wide() as f32;
            first[2] = (to.z - from.z).wide() as f32;
        }
        QueueKernel { queue, pads: PrefilterPads::for_stored::<T>(), posed: false }.run::<L>(token)
    }
}

struct PairLanes<L> {
    axes: [Mat3<L>; 2],
    half: [Vec3<L>; 2],
    size: L,
    /// Vectors from the centres of the first to those of the second.
    offset: Vec3<L>,
    /// Upper bound on the error of the offset [length units].
    offset_error: L,
}

impl<L: Floats> PairLanes<L> {
    #[inline(always)]
    fn record_from_axes(token: L::Token, [a, b]: [[L; 16]; 2]) -> Self {
        PairLanes {
            axes: [
                [vector_at(&a, 3), vector_at(&a, 6), vector_at(&a, 9)],
                [vector_at(&b, 3), vector_at(&b, 6), vector_at(&b, 9)],
            ],
            half: [vector_at(&a, 12), vector_at(&b, 12)],
            size: a[15] + b[15],
            offset: vector_at(&a, 0),
            offset_error: L::splat(token, 0.0),
        }
    }

    #[inline(always)]
    fn from_posed(token: L::Token, [a, b]: [[L; 16]; 2]) -> Self {
        let axes = [rotation_of_record(token, &a), rotation_of_record(token, &b)];
        let between = vector_at(&a, 0);
        let centers = [vector_at(&a, 8), vector_at(&b, 8)];
        let from = rotate(&axes[0], centers[0]);
        let to = rotate(&axes[1], centers[1]);
        let out = coordinate_sum(absolute_values(centers[0]))
            + coordinate_sum(absolute_values(centers[1]));
        PairLanes {
            axes,
            half: [vector_at(&a, 12), vector_at(&b, 12)],
            size: a[15] + b[15],
            offset: sub(add(between, to), from),
            offset_error: L::splat(token, CENTER_ERROR) * out
                + L::splat(token, ORIGIN_ERROR) * coordinate_sum(absolute_values(between)),
        }
    }

    /// Returns bits of the separated pairs, and of the overlapping ones.
    #[inline(always)]
    fn test(&self, token: L::Token, margins: PrefilterPads) -> [u32; 2] {
        let PairLanes { axes: [a, b], half, size, offset, offset_error } = *self;
        let mut pair = BoxPair::from_axes([&a, &b], offset, half);
        let far =
            L::splat(token, margins.separation) * (size + coordinate_sum(absolute_values(offset)));
        let doubt = offset_error + offset_error;
        let far = far + L::splat(token, 3.0) * doubt;
        let less = L::splat(token, margins.extents) * size + doubt;
        pair.a = [pair.a[0] - less, pair.a[1] - less, pair.a[2] - less];
        let faces = pair.max_face_separation();
        let apart = L::bits(faces.above(far));
        if apart.count_ones() == L::LEN as u32 {
            return [apart, 0];
        }
        let most = pair.max_separation_with_edges(faces);
        // A NaN in the size is in neither mask. A NaN elsewhere may be lost in `high`, but only
        // together with one in the size.
        let overlap = most.at_most(L::splat(token, -margins.overlap) * size);
        let overlap = L::both(overlap, size.at_most(L::splat(token, f32::MAX)));
        [L::bits(most.above(far)), L::bits(overlap)]
    }
}

#[inline(always)]
fn rotation_of_record<L: Floats>(token: L::Token, columns: &[L; 16]) -> Mat3<L> {
    let [x, y, z] = vector_at(columns, QUATERNION_INDEX);
    rotation(token, [x, y, z, columns[QUATERNION_INDEX + 3]])
}
