//! SAT prefilter of wide nodes: up to eight boxes of one part against up to eight of another.
//!
//! All boxes of a part are aligned with its frame, so the rotation and offset between the two parts
//! are computed once for all 64 pairs. All in single precision; undecided pairs are passed on to
//! the deciding test.
//!
//! # Error bounds
//! Let `u = 2^-24` as in [`sat`](super), and `S` the sum of the half extents of both root boxes and
//! of the offset between their centres, coordinates summed. Boxes are stored relative to the centre
//! of their root, rounded outward, so no number exceeds `S`. Each entry of rotation and offset is
//! rounded from double precision, with a relative error of `u`. Then the error of a centre seen
//! from either part is less than `10 u S`, that of a distance along a face normal less than `26 u
//! S`, and that of a radius less than `12 u S`: the error of any separation on a face axis is less
//! than `64 u S`, and on an edge axis less than that times `k = |R_i1j| + |R_i2j|`, since every
//! term has a factor no larger than `sqrt(1 - R_ij^2) <= k`. The root centres themselves are taken
//! in double precision, with an error of `2^-46` of the parts' radii.
//!
//! *Separated*: a separation above [`RelativeFrame::pad`], `128 u S` and `2^-40` of the radii: more
//! than the error and the slack of the test, `32 u` of the boxes' sizes, together. *Overlapping*:
//! every face axis overlaps by `pad`, every edge axis by `k pad`. Where edges are parallel that is
//! nothing, and the slack of the deciding test covers the rest, so an edge axis may lack up to
//! [`EDGE_SLACK`] of the sizes.

use super::{BoxPair, RelativeRotation, SatMasks};
use crate::num::linear::{
    Mat3, Vec3, absolute_values, add, coordinate_sum, dot, rotate_back, sub, transposed,
};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::{load, splat, splat_entry};
use crate::num::{Scalar, SimdLevel};

/// Number of boxes of a wide node.
pub(crate) const WIDTH: usize = 8;

/// Separation that proves boxes disjoint, as a share of sizes and distance: `128 u`.
const SEPARATION_PAD: f64 = 1.0 / (1 << 17) as f64;

/// Further separation, as a share of the parts' radii about their origins.
const RADIUS_PAD: f64 = 1.0 / (1u64 << 40) as f64;

/// Overlap that an edge axis of boxes stored in single precision may lack: `4 u` of the sizes, an
/// eighth of the slack of the deciding test.
const EDGE_SLACK: f32 = 1.0 / (1 << 22) as f32;

/// Sizes between which products neither underflow nor overflow [length units].
const SIZE_RANGE: std::ops::Range<f64> = 1e-25..1e30;

/// Aligned boxes of a part, as structure of arrays: centres, relative to the centre of the root,
/// and half extents [length units].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct EightBoxes {
    pub(super) center: [[f32; WIDTH]; 3],
    pub(super) half: [[f32; WIDTH]; 3],
}

impl EightBoxes {
    /// Sets the box of a lane, given its corners relative to the centre of the root. Rounds
    /// outward.
    pub fn set(&mut self, place: usize, min: Vec3, max: Vec3) {
        for i in 0..3 {
            let center = (0.5 * (min[i] + max[i])) as f32;
            let middle = f64::from(center);
            let half = f32::at_least((max[i] - middle).max(middle - min[i]));
            (self.center[i][place], self.half[i][place]) = (center, half);
        }
    }

    /// Copies the box of a lane of other boxes.
    pub fn copy_lane(&mut self, place: usize, other: &EightBoxes, from: usize) {
        for i in 0..3 {
            self.center[i][place] = other.center[i][from];
            self.half[i][place] = other.half[i][from];
        }
    }

    /// Returns lower and upper ends of the boxes from `lane` on, rounded once more.
    #[inline(always)]
    pub fn bounds<L: Floats>(&self, token: L::Token, lane: usize) -> [Vec3<L>; 2] {
        let center = load::<L, WIDTH>(token, &self.center, lane);
        let half = load::<L, WIDTH>(token, &self.half, lane);
        [sub(center, half), add(center, half)]
    }
}

/// Rotation and offset between two parts, in single precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RelativeFrame {
    /// Column `j` is axis `j` of the second in the frame of the first.
    pub(super) rotation: [[f32; 3]; 3],
    /// Vector from the centre of the first root to that of the second, in the frame of the first.
    pub(super) offset: [f32; 3],
    /// Separation that proves boxes disjoint [length units].
    pub(crate) pad: f32,
    /// Share of the sizes that an edge axis may lack for an overlap.
    edge_slack: f32,
    /// Margin added to every side of the boxes of the second. If it is positive, no pair counts as
    /// overlapping [length units].
    pub(super) margin: f32,
}

impl RelativeFrame {
    /// Creates a frame, or `None` where nothing can be decided. `size` is the sum of the half
    /// extents of both roots, coordinates summed; `reach` the sum of the parts' radii about their
    /// origins; only boxes further apart than `margin` count as separated [length units].
    pub fn new<T: Scalar>(
        rotation: &Mat3,
        offset: Vec3,
        [size, reach]: [f64; 2],
        margin: f64,
    ) -> Option<Self> {
        let [x, y, z] = offset.map(f64::abs);
        let size = size + (x + y + z) + 3.0 * margin;
        let pad = SEPARATION_PAD * size + RADIUS_PAD * reach;
        // The pad must exceed what the deciding test allows beyond the margin.
        let pad = if margin > 0.0 { 4.0 * pad } else { pad };
        (SIZE_RANGE.contains(&size) && SIZE_RANGE.contains(&pad)).then(|| RelativeFrame {
            rotation: rotation.map(|column| column.map(|x| x as f32)),
            offset: offset.map(|x| x as f32),
            pad: pad as f32,
            edge_slack: if T::IS_SINGLE { EDGE_SLACK } else { 0.0 },
            margin: f32::at_least(margin),
        })
    }
}

/// Returns the bits of `row` in each of the given rows.
#[inline(always)]
pub(crate) fn row_masks(rows: u8, row: u8) -> u64 {
    // A byte for each row, which has bit `i` of `rows` alone; then 1 in each byte that is not 0.
    let alone = (u64::from(rows) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let ones = ((alone + 0x7f7f_7f7f_7f7f_7f7f) | alone) >> 7 & 0x0101_0101_0101_0101;
    ones * u64::from(row)
}

/// Tests the first `counts` boxes of two wide nodes by the six face normals; with `thorough` by all
/// 15 axes, and only then is any pair found overlapping. The masks have a row of [`WIDTH`] bits for
/// each box of the first, one bit for each box of the second, the first lowest; missing boxes count
/// as separated. Writes the largest separation along the face normals to `separations`, row by row.
pub(crate) fn masks(
    simd: SimdLevel,
    frame: &RelativeFrame,
    [a, b]: [&EightBoxes; 2],
    counts: [usize; 2],
    thorough: bool,
    separations: &mut [f32; WIDTH * WIDTH],
) -> SatMasks {
    simd.run_eight(EightBoxesKernel { frame, a, b, counts, thorough, separations })
}

struct EightBoxesKernel<'a> {
    frame: &'a RelativeFrame,
    a: &'a EightBoxes,
    b: &'a EightBoxes,
    counts: [usize; 2],
    thorough: bool,
    separations: &'a mut [f32; WIDTH * WIDTH],
}

/// One box per lane, along the axes of one part: centres and projected radii.
pub(super) struct ProjectedBoxes<L> {
    pub center: Vec3<L>,
    pub radius: Vec3<L>,
}

/// Rotation and offset between two parts, in every lane.
pub(super) struct Projection<L> {
    /// Column `j` is axis `j` of the second in the frame of the first.
    pub columns: Mat3<L>,
    rows: Mat3<L>,
    /// Offset in the frames of the first and of the second.
    offsets: [Vec3<L>; 2],
}

impl<L: Floats> Projection<L> {
    #[inline(always)]
    pub fn new(token: L::Token, frame: &RelativeFrame) -> Self {
        let columns = splat_rotation::<L>(token, frame);
        let offset = splat::<L>(token, &frame.offset);
        let offsets = [offset, rotate_back(&columns, offset)];
        Projection { columns, rows: transposed(&columns), offsets }
    }

    /// Projects boxes of the second on the axes of the first and on those of the second, given
    /// their centres and half extents.
    #[inline(always)]
    pub fn of_second(&self, center: Vec3<L>, half: Vec3<L>) -> [ProjectedBoxes<L>; 2] {
        let on_first = ProjectedBoxes {
            center: add(rotate_back(&self.rows, center), self.offsets[0]),
            radius: projected_radii(&self.rows, half),
        };
        [on_first, ProjectedBoxes { center: add(center, self.offsets[1]), radius: half }]
    }
}

/// Up to eight boxes of the first along the axes of the second.
pub(super) struct ProjectedRows {
    pub center: [[f32; WIDTH]; 3],
    pub radius: [[f32; WIDTH]; 3],
}

impl FloatKernel for EightBoxesKernel<'_> {
    type Output = SatMasks;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> SatMasks {
        if self.counts[1] == 1 && !self.thorough {
            return self.against_single::<L>(token);
        }
        let EightBoxesKernel { frame, a, b, counts, thorough, separations } = self;
        let (mut near, mut overlap) = (0, 0);
        let projection = Projection::<L>::new(token, frame);
        let columns = projection.columns;
        let along_second = project_on_second::<L>(token, a, &columns);
        let (pad, by) = (L::splat(token, frame.pad), L::splat(token, frame.margin));
        let mut lane = 0;
        while lane < counts[1] {
            let half = enlarged(load::<L, WIDTH>(token, &b.half, lane), by);
            let center = load::<L, WIDTH>(token, &b.center, lane);
            let [on_first, on_second] = projection.of_second(center, half);
            for place in 0..counts[0] {
                let t = sub(on_first.center, splat_entry(token, &a.center, place));
                let half_a = splat_entry::<L, WIDTH>(token, &a.half, place);
                let faces = max_separation(t, half_a, on_first.radius).high(max_separation(
                    sub(on_second.center, splat_entry(token, &along_second.center, place)),
                    splat_entry(token, &along_second.radius, place),
                    on_second.radius,
                ));
                faces.store(&mut separations[place * WIDTH + lane..]);
                let mut apart = faces.above(pad);
                if thorough && L::bits(apart).count_ones() < L::LEN as u32 {
                    let rotation = RelativeRotation::new(columns);
                    let pair = BoxPair { rotation, t, a: half_a, b: half };
                    let edges = max_padded_edge_separation::<L>(&pair, (faces, pad));
                    apart = L::either(apart, edges.above(L::splat(token, 2.5) * pad));
                    let sizes = coordinate_sum(half_a) + coordinate_sum(half);
                    let lacking = L::splat(token, frame.edge_slack) * sizes;
                    let sure =
                        L::both(edges.at_most(lacking), faces.at_most(L::splat(token, -1.0) * pad));
                    overlap |= u64::from(L::bits(sure)) << (place * WIDTH + lane);
                }
                near |= u64::from(!L::bits(apart) & L::ALL) << (place * WIDTH + lane);
            }
            lane += L::LEN;
        }
        let filled = row_masks(u8::MAX, u8::MAX >> (WIDTH - counts[1]));
        let overlapping = if frame.margin > 0.0 { 0 } else { overlap & filled };
        SatMasks { apart: !(near & filled), overlapping }
    }
}

impl EightBoxesKernel<'_> {
    /// Tests by the face normals where the second has one box: boxes of the first across lanes,
    /// with the same arithmetic as the general loop.
    #[inline(always)]
    fn against_single<L: Floats>(self, token: L::Token) -> SatMasks {
        let EightBoxesKernel { frame, a, b, counts, separations, .. } = self;
        let projection = Projection::<L>::new(token, frame);
        let columns = projection.columns;
        let by = L::splat(token, frame.margin);
        let half = enlarged(splat_entry::<L, WIDTH>(token, &b.half, 0), by);
        let center = splat_entry::<L, WIDTH>(token, &b.center, 0);
        let projected = projection.of_second(center, half);
        let (mut near, mut lane, mut most) = (0, 0, [0.0; WIDTH]);
        while lane < counts[0] {
            let faces = separations_from_single(token, (a, lane), &columns, &projected);
            faces.store(&mut most[lane..]);
            let apart = faces.above(L::splat(token, frame.pad));
            near |= (!L::bits(apart) & L::ALL) << lane;
            lane += L::LEN;
        }
        for (place, &most) in most[..counts[0]].iter().enumerate() {
            separations[place * WIDTH] = most;
        }
        let near = near as u8 & u8::MAX >> (WIDTH - counts[0]);
        SatMasks { apart: !row_masks(near, 1), overlapping: 0 }
    }
}

/// Tests eight boxes against a single one, the second, with half extents `half` about its part's
/// centre, by the six face normals. Returns a mask of those not separated.
pub(crate) fn near_mask(
    simd: SimdLevel,
    frame: &RelativeFrame,
    boxes: &EightBoxes,
    half: &[f32; 3],
) -> u8 {
    simd.run_eight(NearMaskKernel { frame, boxes, half })
}

/// Kernel of [`near_mask`].
struct NearMaskKernel<'a> {
    frame: &'a RelativeFrame,
    boxes: &'a EightBoxes,
    half: &'a [f32; 3],
}

impl FloatKernel for NearMaskKernel<'_> {
    type Output = u8;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u8 {
        let NearMaskKernel { frame, boxes, half } = self;
        let projection = Projection::<L>::new(token, frame);
        let zero = L::splat(token, 0.0);
        let projected = projection.of_second([zero; 3], splat::<L>(token, half));
        let pad = L::splat(token, frame.pad);
        let (mut near, mut lane) = (0, 0);
        while lane < WIDTH {
            let columns = &projection.columns;
            let faces = separations_from_single(token, (boxes, lane), columns, &projected);
            near |= (!L::bits(faces.above(pad)) & L::ALL) << lane;
            lane += L::LEN;
        }
        near as u8
    }
}

/// Returns the largest separation along the face normals of boxes of the first, from a lane on, and
/// the single box of the second, which is given along the axes of both.
#[inline(always)]
fn separations_from_single<L: Floats>(
    token: L::Token,
    (a, lane): (&EightBoxes, usize),
    columns: &Mat3<L>,
    [on_first, on_second]: &[ProjectedBoxes<L>; 2],
) -> L {
    let center = load::<L, WIDTH>(token, &a.center, lane);
    let half = load::<L, WIDTH>(token, &a.half, lane);
    max_separation(sub(on_first.center, center), half, on_first.radius).high(max_separation(
        sub(on_second.center, rotate_back(columns, center)),
        projected_radii(columns, half),
        on_second.radius,
    ))
}

#[inline(always)]
pub(super) fn enlarged<L: Floats>(half: Vec3<L>, by: L) -> Vec3<L> {
    [half[0] + by, half[1] + by, half[2] + by]
}

#[inline(always)]
pub(super) fn splat_rotation<L: Floats>(token: L::Token, frame: &RelativeFrame) -> Mat3<L> {
    let [x, y, z] = &frame.rotation;
    [splat(token, x), splat(token, y), splat(token, z)]
}

/// Projects the boxes of the first on the axes of the second, once for all boxes of the second.
#[inline(always)]
pub(super) fn project_on_second<L: Floats>(
    token: L::Token,
    a: &EightBoxes,
    columns: &Mat3<L>,
) -> ProjectedRows {
    let mut rows = ProjectedRows { center: [[0.0; WIDTH]; 3], radius: [[0.0; WIDTH]; 3] };
    let mut lane = 0;
    while lane < WIDTH {
        let center = rotate_back(columns, load::<L, WIDTH>(token, &a.center, lane));
        let reach = projected_radii(columns, load::<L, WIDTH>(token, &a.half, lane));
        for j in 0..3 {
            center[j].store(&mut rows.center[j][lane..]);
            reach[j].store(&mut rows.radius[j][lane..]);
        }
        lane += L::LEN;
    }
    rows
}

#[inline(always)]
pub(super) fn projected_radii<L: Floats>(rows: &Mat3<L>, half: Vec3<L>) -> Vec3<L> {
    [
        dot(absolute_values(rows[0]), half),
        dot(absolute_values(rows[1]), half),
        dot(absolute_values(rows[2]), half),
    ]
}

#[inline(always)]
fn max_separation<L: Floats>(t: Vec3<L>, a: Vec3<L>, b: Vec3<L>) -> L {
    let most = (t[0].abs() - (a[0] + b[0])).high(t[1].abs() - (a[1] + b[1]));
    most.high(t[2].abs() - (a[2] + b[2]))
}

/// Returns the larger of `most` and the separations along nine edge axes, each plus its share of
/// the pad.
#[inline(always)]
fn max_padded_edge_separation<L: Floats>(pair: &BoxPair<L>, (mut most, pad): (L, L)) -> L {
    for i in 0..3 {
        for j in 0..3 {
            let column = &pair.rotation.absolute[j];
            let share = pad * (column[(i + 1) % 3] + column[(i + 2) % 3]);
            most = most.high(pair.separation_on_edges(i, j) + share);
        }
    }
    most
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;

    fn boxes(chance: &mut SplitMix64) -> EightBoxes {
        let mut boxes = EightBoxes::default();
        for place in 0..WIDTH {
            let (center, half) = (chance.point(1.0), [0; 3].map(|_| chance.decade(-2.0, 0.0)));
            boxes.set(place, sub(center, half), add(center, half));
        }
        boxes
    }

    pub fn one_box_is_told_as_the_first_of_two() {
        let (mut chance, mut near, mut all) = (SplitMix64(3), 0, 0);
        for case in 0..4_000 {
            let (rotation, offset) = (chance.rotation(), chance.point(1.0));
            let margin = [0.0, chance.decade(-3.0, 0.0)][case % 2];
            let frame = RelativeFrame::new::<f32>(&rotation, offset, [24.0, 24.0], margin);
            let (frame, count) = (frame.expect("sizes"), 1 + chance.below(WIDTH));
            let [a, b] = [boxes(&mut chance), boxes(&mut chance)];
            for simd in SimdLevel::all() {
                let told = |of_second: usize| {
                    let mut excess = [0.0; WIDTH * WIDTH];
                    let counts = [count, of_second];
                    let masks = masks(simd, &frame, [&a, &b], counts, false, &mut excess);
                    let first =
                        |i: usize| (masks.apart >> (i * WIDTH) & 1, excess[i * WIDTH].to_bits());
                    ((0..count).map(first).collect::<Vec<_>>(), masks)
                };
                let (alone, masks) = told(1);
                assert_eq!(alone, told(2).0, "{simd}");
                // Missing boxes count as separated.
                assert_eq!(!masks.apart & !row_masks(u8::MAX >> (WIDTH - count), 1), 0, "{simd}");
                assert_eq!(masks.overlapping, 0);
                near += alone.iter().filter(|(apart, _)| *apart == 0).count();
                all += count;
            }
        }
        assert!(near > all / 50 && near < all / 2, "{near} of {all}");
    }
}
