//! Triangles of two small meshes in groups of eight: the pairs that may share a point, with the
//! second mesh as it is placed or shifted along a direction.
//!
//! For meshes of a few hundred triangles a flat list takes less time than two trees: all numbers of
//! a group are computed at once, in axes that suit the query, and a pair of triangles takes one or
//! two instructions. A group has the box around its triangles in those axes; groups whose boxes
//! overlap are tested triangle by triangle, by their boxes and by the planes of both.
//!
//! # Error bounds
//! Let `u` and `S` be those of [`eight_boxes`](super::eight_boxes), and `r` the sum of the parts'
//! radii about their origins. Corners are relative to the centre of the first root. Reading a
//! corner in single precision and moving it to the centre of its own root costs less than `3 u r`,
//! rotating it to the frame of the first `10 u S`, rotating it to the axes of the query as much
//! again. A projection on a vector no longer than `1 + 4 u` costs `6 u S` more. So two projections
//! on one axis differ from the true ones by less than `60 u S + 12 u r` together. A shift along a
//! direction, none longer than `2 S + r / 2` being tested, moves a projection by its length times
//! the coordinate of the direction, whose error is `6 u`, and the error of axes across the
//! direction is less. The pad of `128 u S + 32 u r` covers all of it.
//!
//! Any vector is a valid axis, however it was rounded, if both triangles are projected on it:
//! normals of needles lose nothing. Degenerate triangles have a normal of zero, which separates
//! nothing.

use nalgebra::Point3;

use super::eight_boxes::{RelativeFrame, WIDTH, splat_rotation};
use crate::num::linear::{Mat3, Vec3, add, cross, dot, rotate, rotate_back, scale, sub};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::{load, splat, splat_entry};
use crate::num::{Scalar, SimdLevel, set_bits};

/// Pad of all comparisons, as a share of the parts' radii about their origins: `32 u`.
const RADIUS_PAD: f32 = 1.0 / (1 << 19) as f32;

/// Least length of a cross product of edges whose square does not underflow [units squared].
const MIN_AREA: f32 = 1e-18;

/// Boxes of eight triangles or groups, as structure of arrays: least and greatest coordinates.
/// Lanes without a group are infinite, so that nothing overlaps them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoxLanes {
    min: [[f32; WIDTH]; 3],
    max: [[f32; WIDTH]; 3],
}

impl BoxLanes {
    const EMPTY: BoxLanes =
        BoxLanes { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };
}

/// Eight triangles, as structure of arrays. Lanes without a triangle repeat another.
#[derive(Debug, Clone, Copy)]
struct TriangleGroup {
    corners: [[[f32; WIDTH]; 3]; 3],
    /// Unit normals; zero for degenerate triangles.
    normals: [[f32; WIDTH]; 3],
    /// Least and greatest projection of each triangle on its own normal.
    levels: [[f32; WIDTH]; 2],
}

const EMPTY_GROUP: TriangleGroup = TriangleGroup {
    corners: [[[0.0; WIDTH]; 3]; 3],
    normals: [[0.0; WIDTH]; 3],
    levels: [[0.0; WIDTH]; 2],
};

/// Triangles of one part in groups of eight.
#[derive(Debug, Clone, Default)]
pub(crate) struct TriangleGroups {
    groups: Vec<TriangleGroup>,
    /// Boxes of the triangles of each group, in the axes of the query.
    boxes: Vec<BoxLanes>,
    /// Boxes of the groups, eight together.
    bounds: Vec<BoxLanes>,
    len: usize,
}

impl TriangleGroups {
    /// Sets the triangles: those at some indices, in the frame of their part.
    pub fn set<T: Scalar>(
        &mut self,
        indices: &[u32],
        triangles: &[[u32; 3]],
        vertices: &[Point3<T>],
    ) {
        self.groups.resize(indices.len().div_ceil(WIDTH), EMPTY_GROUP);
        for (group, eight) in self.groups.iter_mut().zip(indices.chunks(WIDTH)) {
            for lane in 0..WIDTH {
                let index = if lane < eight.len() { eight[lane] } else { eight[0] };
                let triangle = &triangles[index as usize];
                for (rows, &vertex) in group.corners.iter_mut().zip(triangle) {
                    let p = &vertices[vertex as usize];
                    rows[0][lane] = p.x.wide() as f32;
                    rows[1][lane] = p.y.wide() as f32;
                    rows[2][lane] = p.z.wide() as f32;
                }
            }
        }
        self.len = indices.len();
        self.boxes.resize(self.groups.len(), BoxLanes::EMPTY);
        // Emptied: lanes without a group must be empty.
        self.bounds.clear();
        self.bounds.resize(self.groups.len().div_ceil(WIDTH), BoxLanes::EMPTY);
    }

    /// Returns the number of groups.
    pub fn group_count(&self) -> usize {
        self.groups.len()
    }

    /// Returns the number of triangles of a group.
    pub fn group_len(&self, group: usize) -> usize {
        (self.len - group * WIDTH).min(WIDTH)
    }

    /// Returns the least coordinate of a group along an axis of the query.
    pub fn least(&self, group: usize, axis: usize) -> f32 {
        self.bounds[group / WIDTH].min[axis][group % WIDTH]
    }

    /// Returns the greatest coordinate of a group along an axis of the query.
    pub fn greatest(&self, group: usize, axis: usize) -> f32 {
        self.bounds[group / WIDTH].max[axis][group % WIDTH]
    }

    /// Returns the box around all groups.
    fn all_bounds(&self) -> [[f32; 3]; 2] {
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for bounds in &self.bounds {
            for i in 0..3 {
                for lane in 0..WIDTH {
                    let (low, high) = (bounds.min[i][lane], bounds.max[i][lane]);
                    min[i] = if low < min[i] { low } else { min[i] };
                    max[i] = if high > max[i] { high } else { max[i] };
                }
            }
        }
        [min, max]
    }

    /// Moves corners to the frame of the first part, about the centre of its root, and computes
    /// normals. `center`: of the own root. `frame`: that of the second part, `None` for the first.
    pub fn place(&mut self, frame: Option<&RelativeFrame>, center: Vec3, level: SimdLevel) {
        let center = center.map(|x| x as f32);
        level.run_eight(PlaceKernel { groups: &mut self.groups, frame, center });
    }

    /// Computes boxes in the axes of a query: the columns of a rotation.
    pub fn project(&mut self, axes: &[[f32; 3]; 3], level: SimdLevel) {
        let TriangleGroups { groups, boxes, bounds, .. } = self;
        level.run_eight(ProjectKernel { groups, boxes, bounds, axes });
    }
}

struct PlaceKernel<'a> {
    groups: &'a mut [TriangleGroup],
    frame: Option<&'a RelativeFrame>,
    center: [f32; 3],
}

impl FloatKernel for PlaceKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let center = splat::<L>(token, &self.center);
        let mut index = 0;
        while index < self.groups.len() {
            let group = &mut self.groups[index];
            let mut lane = 0;
            while lane < WIDTH {
                let mut corners = [[L::splat(token, 0.0); 3]; 3];
                let mut corner = 0;
                while corner < 3 {
                    let p = sub(load::<L, WIDTH>(token, &group.corners[corner], lane), center);
                    corners[corner] = match self.frame {
                        Some(frame) => {
                            let rotation = splat_rotation::<L>(token, frame);
                            add(rotate(&rotation, p), splat(token, &frame.offset))
                        }
                        None => p,
                    };
                    store(corners[corner], &mut group.corners[corner], lane);
                    corner += 1;
                }
                let [p, q, r] = corners;
                let normal = cross(sub(q, p), sub(r, p));
                let size = dot(normal, normal).sqrt();
                let clear = size.above(L::splat(token, MIN_AREA));
                let reciprocal = L::splat(token, 1.0) / size;
                let factor = L::choose(clear, reciprocal, L::splat(token, 0.0));
                let normal = scale(normal, factor);
                store(normal, &mut group.normals, lane);
                let [low, high] = projections(&corners, normal);
                low.store(&mut group.levels[0][lane..]);
                high.store(&mut group.levels[1][lane..]);
                lane += L::LEN;
            }
            index += 1;
        }
    }
}

struct ProjectKernel<'a> {
    groups: &'a [TriangleGroup],
    boxes: &'a mut [BoxLanes],
    bounds: &'a mut [BoxLanes],
    axes: &'a [[f32; 3]; 3],
}

impl FloatKernel for ProjectKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let [x, y, z] = self.axes;
        let axes: Mat3<L> = [splat(token, x), splat(token, y), splat(token, z)];
        let mut index = 0;
        while index < self.groups.len() {
            let (group, boxes) = (&self.groups[index], &mut self.boxes[index]);
            let (mut low, mut high) =
                ([L::splat(token, f32::INFINITY); 3], [L::splat(token, f32::NEG_INFINITY); 3]);
            let mut lane = 0;
            while lane < WIDTH {
                let p = rotate_back(&axes, load::<L, WIDTH>(token, &group.corners[0], lane));
                let q = rotate_back(&axes, load::<L, WIDTH>(token, &group.corners[1], lane));
                let r = rotate_back(&axes, load::<L, WIDTH>(token, &group.corners[2], lane));
                let mut i = 0;
                while i < 3 {
                    let (min, max) = (p[i].low(q[i]).low(r[i]), p[i].high(q[i]).high(r[i]));
                    min.store(&mut boxes.min[i][lane..]);
                    max.store(&mut boxes.max[i][lane..]);
                    (low[i], high[i]) = (low[i].low(min), high[i].high(max));
                    i += 1;
                }
                lane += L::LEN;
            }
            let (bounds, place) = (&mut self.bounds[index / WIDTH], index % WIDTH);
            let mut i = 0;
            while i < 3 {
                bounds.min[i][place] = least_lane(low[i]);
                bounds.max[i][place] = -least_lane(-high[i]);
                i += 1;
            }
            index += 1;
        }
    }
}

/// Returns the least of at most eight lanes: three times the least of two halves, which
/// interleaving puts side by side.
#[inline(always)]
fn least_lane<L: Floats>(mut lanes: L) -> f32 {
    let mut count = L::LEN;
    while count > 1 {
        let (one, other) = lanes.zip(lanes);
        lanes = one.low(other);
        count /= 2;
    }
    let mut least = [0.0; WIDTH];
    lanes.store(&mut least);
    least[0]
}

#[inline(always)]
fn store<L: Floats>(v: Vec3<L>, rows: &mut [[f32; WIDTH]; 3], lane: usize) {
    v[0].store(&mut rows[0][lane..]);
    v[1].store(&mut rows[1][lane..]);
    v[2].store(&mut rows[2][lane..]);
}

/// Returns the least and the greatest projection of three points on an axis.
#[inline(always)]
fn projections<L: Floats>(points: &[Vec3<L>; 3], axis: Vec3<L>) -> [L; 2] {
    let (p, q, r) = (dot(axis, points[0]), dot(axis, points[1]), dot(axis, points[2]));
    [p.low(q).low(r), p.high(q).high(r)]
}

/// Triangles of two parts in groups, placed relative to each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupPairs<'a> {
    pub sides: [&'a TriangleGroups; 2],
    /// Pad of all comparisons [length units].
    pub pad: f32,
    /// Direction along which the second is shifted, in the frame of the first, and the greatest
    /// shift that matters. The third axis of the query is that direction. `None` for parts as they
    /// are placed.
    pub shift: Option<([f32; 3], f32)>,
}

/// Returns the pad of all comparisons. `radii`: sum of the parts' radii about their origins.
pub(crate) fn group_pad(frame: &RelativeFrame, radii: f64) -> f32 {
    frame.pad + RADIUS_PAD * radii as f32
}

impl GroupPairs<'_> {
    /// Calls `visit` with all pairs of groups whose boxes overlap. `near`: scratch memory, an entry
    /// for eight groups of the second.
    pub fn visit_groups(
        &self,
        (near, level): (&mut [u8], SimdLevel),
        mut visit: impl FnMut([usize; 2]),
    ) {
        let [first, second] = self.sides;
        let [min, max] = second.all_bounds();
        let (pad, to) = (self.pad, self.latest());
        for group in 0..first.group_count() {
            let (boxes, lane) = (&first.bounds[group / WIDTH], group % WIDTH);
            let is_beside = (0..3).any(|i| {
                let below = if i == 2 { to.unwrap_or(0.0) } else { 0.0 };
                let is_above = boxes.min[i][lane] - pad > max[i] + below;
                is_above || (i < 2 || to.is_none()) && min[i] > boxes.max[i][lane] + pad
            });
            if is_beside {
                continue;
            }
            let others = &second.bounds[..];
            level.run_eight(GroupKernel { boxes, lane, others, pad, to, near });
            for (index, &bits) in near.iter().enumerate() {
                set_bits(bits.into()).for_each(|b| visit([group, index * WIDTH + b]));
            }
        }
    }

    /// Returns the number of tests that [`visit_groups`](Self::visit_groups) counts as: one for
    /// each group.
    pub fn group_tests(&self) -> u64 {
        (self.sides[0].group_count() + self.sides[1].group_count()) as u64
    }

    /// Returns the pairs of triangles of two groups that may touch: for each triangle of the first
    /// a row of [`WIDTH`] bits, one for each triangle of the second, the first lowest.
    pub fn near_triangles(&self, groups: [usize; 2], level: SimdLevel) -> u64 {
        let [rows, columns] = [0, 1].map(|side| self.sides[side].group_len(groups[side]));
        let near = level.run_eight(TriangleKernel { pairs: self, groups, rows });
        near & (u64::MAX / 255 * u64::from(u8::MAX >> (WIDTH - columns)))
    }

    /// Returns the greatest shift that matters, if there is a shift.
    fn latest(&self) -> Option<f32> {
        self.shift.map(|(_, to)| to)
    }
}

struct GroupKernel<'a> {
    boxes: &'a BoxLanes,
    lane: usize,
    others: &'a [BoxLanes],
    pad: f32,
    to: Option<f32>,
    near: &'a mut [u8],
}

impl FloatKernel for GroupKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let GroupKernel { boxes, lane: row, others, pad, to, near } = self;
        let mut index = 0;
        while index < others.len() {
            let (mut bits, mut lane) = (0, 0);
            while lane < WIDTH {
                let some = EnlargedBoxes::<L>::load(token, (&others[index], lane), (pad, to));
                bits |= (L::bits(some.overlap(token, boxes, row)) as u8) << lane;
                lane += L::LEN;
            }
            near[index] = bits;
            index += 1;
        }
    }
}

/// One box a lane, enlarged by the pad and, along the axis of a shift, by all shifts.
struct EnlargedBoxes<L> {
    min: Vec3<L>,
    max: Vec3<L>,
}

impl<L: Floats> EnlargedBoxes<L> {
    /// Loads boxes of the second from a lane on. `to`: greatest shift along the third axis.
    #[inline(always)]
    fn load(
        token: L::Token,
        (boxes, lane): (&BoxLanes, usize),
        (pad, to): (f32, Option<f32>),
    ) -> Self {
        let pad = L::splat(token, pad);
        let min = load::<L, WIDTH>(token, &boxes.min, lane);
        let max = load::<L, WIDTH>(token, &boxes.max, lane);
        let [low, high] = match to {
            Some(to) => [L::splat(token, f32::NEG_INFINITY), max[2] + L::splat(token, to) + pad],
            None => [min[2] - pad, max[2] + pad],
        };
        EnlargedBoxes {
            min: [min[0] - pad, min[1] - pad, low],
            max: [max[0] + pad, max[1] + pad, high],
        }
    }

    /// Returns the lanes whose boxes may overlap one box of the first.
    #[inline(always)]
    fn overlap(&self, token: L::Token, boxes: &BoxLanes, lane: usize) -> L::Mask {
        let min = splat_entry::<L, WIDTH>(token, &boxes.min, lane);
        let max = splat_entry::<L, WIDTH>(token, &boxes.max, lane);
        let x = L::both(min[0].within(self.max[0]), self.min[0].within(max[0]));
        let y = L::both(min[1].within(self.max[1]), self.min[1].within(max[1]));
        let z = L::both(min[2].within(self.max[2]), self.min[2].within(max[2]));
        L::both(L::both(x, y), z)
    }
}

struct TriangleKernel<'a> {
    pairs: &'a GroupPairs<'a>,
    groups: [usize; 2],
    rows: usize,
}

impl FloatKernel for TriangleKernel<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let TriangleKernel { pairs, groups: [a, b], rows } = self;
        let [first, second] = pairs.sides;
        let (group, boxes) = (&first.groups[a], &first.boxes[a]);
        let (other, others) = (&second.groups[b], &second.boxes[b]);
        let (mut near, mut lane) = (0, 0);
        while lane < WIDTH {
            let reach = (pairs.pad, pairs.latest());
            let some = EnlargedBoxes::<L>::load(token, (others, lane), reach);
            let mut row = 0;
            while row < rows {
                let place = row % WIDTH;
                let bits = L::bits(some.overlap(token, boxes, place));
                if bits != 0 {
                    let apart = planes_separate::<L>(token, (group, place), (other, lane), pairs);
                    near |= u64::from(bits & !L::bits(apart)) << (place * WIDTH + lane);
                }
                row += 1;
            }
            lane += L::LEN;
        }
        near
    }
}

/// Returns the lanes in which the normal of one of two triangles separates them, at all shifts
/// that matter.
#[inline(always)]
fn planes_separate<L: Floats>(
    token: L::Token,
    (one, place): (&TriangleGroup, usize),
    (other, lane): (&TriangleGroup, usize),
    pairs: &GroupPairs<'_>,
) -> L::Mask {
    let pad = L::splat(token, pairs.pad);
    let a = [
        splat_entry::<L, WIDTH>(token, &one.corners[0], place),
        splat_entry::<L, WIDTH>(token, &one.corners[1], place),
        splat_entry::<L, WIDTH>(token, &one.corners[2], place),
    ];
    let b = [
        load::<L, WIDTH>(token, &other.corners[0], lane),
        load::<L, WIDTH>(token, &other.corners[1], lane),
        load::<L, WIDTH>(token, &other.corners[2], lane),
    ];
    let normal_a = splat_entry::<L, WIDTH>(token, &one.normals, place);
    let normal_b = load::<L, WIDTH>(token, &other.normals, lane);
    let levels_a = [L::splat(token, one.levels[0][place]), L::splat(token, one.levels[1][place])];
    let levels_b =
        [L::load(token, &other.levels[0][lane..]), L::load(token, &other.levels[1][lane..])];
    let one =
        axis_separates::<L>(token, normal_a, (levels_a, projections(&b, normal_a)), pad, pairs);
    let two =
        axis_separates::<L>(token, normal_b, (projections(&a, normal_b), levels_b), pad, pairs);
    L::either(one, two)
}

/// Returns the lanes in which an axis separates two intervals, that of the first and that of the
/// second, at all shifts that matter.
#[inline(always)]
fn axis_separates<L: Floats>(
    token: L::Token,
    axis: Vec3<L>,
    (first, second): ([L; 2], [L; 2]),
    pad: L,
    pairs: &GroupPairs<'_>,
) -> L::Mask {
    match &pairs.shift {
        None => {
            let below = first[0].above(second[1] + pad);
            L::either(below, second[0].above(first[1] + pad))
        }
        Some((direction, to)) => {
            // The second moves up along the axis, or down.
            let (zero, along) = (L::splat(token, 0.0), dot(axis, splat(token, direction)));
            let shift = along * L::splat(token, *to);
            let up = L::both(along.above(zero), first[0].above(second[1] + shift + pad));
            let down = L::both(zero.above(along), (second[0] + shift).above(first[1] + pad));
            L::either(up, down)
        }
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::linear::{IDENTITY, length, perpendicular_axes};
    use crate::num::random::SplitMix64;
    use crate::sat::primitive_slabs::{BoxOrTriangle, FirstContactFace, ShiftFrame};

    /// Two meshes without common corners, the second with its pose in the frame of the first.
    struct Soups {
        corners: [Vec<[Vec3; 3]>; 2],
        rotation: Mat3,
        offset: Vec3,
        sides: [TriangleGroups; 2],
        pad: f32,
    }

    impl Soups {
        fn new(chance: &mut SplitMix64, level: SimdLevel) -> Self {
            let middles = [chance.point(0.3), chance.point(0.3)];
            let soup = |chance: &mut SplitMix64, middle: Vec3| -> Vec<[Vec3; 3]> {
                let count = 1 + chance.below(90);
                let size = chance.decade(-2.0, 0.0);
                let one = |_| {
                    let near = add(middle, chance.point(1.0));
                    [0; 3].map(|_| add(near, chance.point(size)).map(|x| f64::from(x as f32)))
                };
                (0..count).map(one).collect()
            };
            let corners = middles.map(|middle| soup(chance, middle));
            let (rotation, offset) = (chance.rotation(), chance.point(1.0));
            let mut soups = Soups {
                corners,
                rotation,
                offset,
                sides: [TriangleGroups::default(), TriangleGroups::default()],
                pad: 0.0,
            };
            soups.place(middles, level);
            soups
        }

        fn place(&mut self, centers: [Vec3; 2], level: SimdLevel) {
            let Soups { corners, rotation, offset, sides, pad } = self;
            let middle = add(rotate(rotation, centers[1]), *offset);
            let between = sub(middle, centers[0]);
            let frame = RelativeFrame::new::<f32>(rotation, between, [12.0, 12.0], 0.0);
            let frame = frame.expect("sizes about 1");
            *pad = group_pad(&frame, 12.0);
            for side in 0..2 {
                let points = corners[side].as_flattened();
                let vertices: Vec<_> =
                    points.iter().map(|p| Point3::from(p.map(|x| x as f32))).collect();
                let triangles: Vec<_> =
                    (0..corners[side].len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
                let all: Vec<u32> = (0..triangles.len() as u32).collect();
                sides[side].set(&all, &triangles, &vertices);
                sides[side].place((side == 1).then_some(&frame), centers[side], level);
            }
        }

        /// Returns the pairs that the groups let through, in order.
        fn near(
            &mut self,
            axes: &Mat3,
            shift: Option<([f32; 3], f32)>,
            level: SimdLevel,
        ) -> Vec<[usize; 2]> {
            let axes = axes.map(|axis| axis.map(|x| x as f32));
            self.sides.iter_mut().for_each(|side| side.project(&axes, level));
            let sides = self.sides.each_ref();
            let pairs = GroupPairs { sides, pad: self.pad, shift };
            let mut found = Vec::new();
            let mut near = vec![0; sides[1].group_count().div_ceil(WIDTH)];
            pairs.visit_groups((&mut near, level), |[a, b]| {
                let bits = set_bits(pairs.near_triangles([a, b], level));
                found.extend(bits.map(|bit| [a * WIDTH + bit / WIDTH, b * WIDTH + bit % WIDTH]));
            });
            found
        }

        /// Returns the first shift along a direction at which two triangles touch.
        fn first_shift(&self, [i, j]: [usize; 2], direction: Vec3) -> Option<f64> {
            let frame = ShiftFrame::new(direction, (&self.rotation, self.offset), 12.0);
            let pair = [self.corners[0][i], self.corners[1][j]].map(BoxOrTriangle::Triangle);
            let face = FirstContactFace::find([&pair[0], &pair[1]], &frame);
            face.map(|face| face.shift * frame.unit)
        }
    }

    /// Checks that no pair that touches in the range is left out, that few others are let through,
    /// and that all levels let through the same.
    pub fn nothing_that_touches_is_left_out_and_every_level_says_the_same() {
        let mut chance = SplitMix64(17);
        let (mut all, mut touching, mut let_through) = ([0; 2], [0; 2], [0; 2]);
        for case in 0..160 {
            let mut soups = Soups::new(&mut chance, SimdLevel::best());
            let direction = if case % 5 == 0 { IDENTITY[case % 3] } else { chance.unit() };
            let direction = scale(direction, 1.0 / length(direction));
            let [x, y] = perpendicular_axes(direction);
            let to = if case % 4 == 0 { 20.0 } else { chance.between(-2.0, 2.0) };
            let shift = Some((direction.map(|x| x as f32), to as f32));
            let axes = [x, y, direction];
            let moved = soups.near(&axes, shift, SimdLevel::best());
            let placed = soups.near(&IDENTITY, None, SimdLevel::best());
            let pairs: Vec<_> = (0..soups.corners[0].len())
                .flat_map(|i| (0..soups.corners[1].len()).map(move |j| [i, j]))
                .collect();
            for pair in pairs {
                let first = soups.first_shift(pair, direction);
                // The last shift against the direction is the first along it.
                let last = soups.first_shift(pair, scale(direction, -1.0)).map(|shift| -shift);
                let now = first.is_some_and(|x| x <= 0.0) && last.is_some_and(|x| x >= 0.0);
                let early = first.is_some_and(|x| x <= f64::from(to as f32));
                for (kind, found, touches) in [(0, &placed, now), (1, &moved, early)] {
                    let is_near = found.contains(&pair);
                    assert!(is_near || !touches, "{case} {kind}: {pair:?} {first:?} {last:?} {to}");
                    all[kind] += 1;
                    touching[kind] += usize::from(touches);
                    let_through[kind] += usize::from(is_near);
                }
            }
            for level in SimdLevel::all() {
                let corners = soups.corners.clone();
                let centers = [[0.1, 0.0, -0.2], [0.0, 0.3, 0.1]];
                soups.place(centers, SimdLevel::PLAIN);
                let plain = [
                    soups.near(&axes, shift, SimdLevel::PLAIN),
                    soups.near(&IDENTITY, None, SimdLevel::PLAIN),
                ];
                soups.place(centers, level);
                let other = [soups.near(&axes, shift, level), soups.near(&IDENTITY, None, level)];
                assert!(plain == other && corners == soups.corners, "{level}");
            }
        }
        println!("{all:?} pairs, {touching:?} touch, {let_through:?} let through");
        assert!(touching[0] > 200 && touching[1] > 2_000, "{touching:?}");
        for kind in 0..2 {
            assert!(let_through[kind] < 4 * touching[kind], "{let_through:?} {touching:?}");
        }
    }

    /// Checks that needles and points are let through where their boxes overlap.
    pub fn degenerate_triangles_are_let_through() {
        let vertices = [[0.0_f32; 3], [1.0, 0.0, 0.0], [0.5, 0.0, 0.0]].map(Point3::from);
        let mut sides = [TriangleGroups::default(), TriangleGroups::default()];
        let frame = RelativeFrame::new::<f32>(&IDENTITY, [0.0; 3], [2.0, 2.0], 0.0).expect("sizes");
        for level in SimdLevel::all() {
            for (side, list) in sides.iter_mut().enumerate() {
                list.set(&[0, 1], &[[0, 1, 2], [2, 2, 2]], &vertices);
                list.place((side == 1).then_some(&frame), [0.0; 3], level);
                list.project(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], level);
            }
            let sides = sides.each_ref();
            for shift in [None, Some(([0.0, 0.0, 1.0], 0.0))] {
                let pairs = GroupPairs { sides, pad: group_pad(&frame, 2.0), shift };
                assert_eq!(pairs.near_triangles([0, 0], level), 0x303, "{level}");
            }
        }
    }
}
