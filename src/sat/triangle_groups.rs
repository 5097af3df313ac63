//! Triangles of a small mesh in groups of eight, with boxes in the axes of a query: boxes of
//! triangles, of groups, and of blocks of eight groups. [`group_pairs`](super::group_pairs) tests
//! two meshes.
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
use crate::num::vectors::{lane_maxima, least_lane, load, splat};
use crate::num::{Scalar, SimdLevel};

/// Pad of all comparisons, as a share of the parts' radii about their origins: `32 u`.
const RADIUS_PAD: f32 = 1.0 / (1 << 19) as f32;

/// Least length of a cross product of edges whose square does not underflow [units squared].
const MIN_AREA: f32 = 1e-18;

/// Boxes of eight triangles or groups, as structure of arrays: least and greatest coordinates.
/// Lanes without a group are infinite, so that nothing overlaps them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BoxLanes {
    pub(super) min: [[f32; WIDTH]; 3],
    pub(super) max: [[f32; WIDTH]; 3],
}

impl BoxLanes {
    const EMPTY: BoxLanes =
        BoxLanes { min: [[f32::INFINITY; WIDTH]; 3], max: [[f32::NEG_INFINITY; WIDTH]; 3] };

    /// Sets the box of one lane to the box around those of other lanes.
    #[inline(always)]
    fn set<L: Floats>(&mut self, place: usize, low: Vec3<L>, high: Vec3<L>) {
        let mut i = 0;
        while i < 3 {
            self.min[i][place] = least_lane(low[i]);
            self.max[i][place] = -least_lane(-high[i]);
            i += 1;
        }
    }
}

/// Eight triangles, as structure of arrays. Lanes without a triangle repeat another.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleGroup {
    pub corners: [[[f32; WIDTH]; 3]; 3],
    /// Unit normals; zero for degenerate triangles.
    pub normals: [[f32; WIDTH]; 3],
    /// Least and greatest projection of each triangle on its own normal.
    pub levels: [[f32; WIDTH]; 2],
}

const EMPTY_GROUP: TriangleGroup = TriangleGroup {
    corners: [[[0.0; WIDTH]; 3]; 3],
    normals: [[0.0; WIDTH]; 3],
    levels: [[0.0; WIDTH]; 2],
};

/// Triangles of one part in groups of eight.
#[derive(Debug, Clone, Default)]
pub(crate) struct TriangleGroups {
    /// The first are those of the part; the others are memory that is kept.
    pub(super) groups: Vec<TriangleGroup>,
    group_count: usize,
    /// Boxes of the triangles of each group, in the axes of the query.
    pub(super) boxes: Vec<BoxLanes>,
    /// Boxes of the groups, eight together: a block.
    pub(super) bounds: Vec<BoxLanes>,
    /// Boxes of the blocks, eight together.
    pub(super) block_bounds: Vec<BoxLanes>,
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
        self.group_count = indices.len().div_ceil(WIDTH);
        if self.groups.len() < self.group_count {
            self.groups.resize(self.group_count, EMPTY_GROUP);
            self.boxes.resize(self.group_count, BoxLanes::EMPTY);
        }
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
        // Emptied: lanes without a group must be empty.
        self.bounds.clear();
        self.bounds.resize(self.group_count.div_ceil(WIDTH), BoxLanes::EMPTY);
        self.block_bounds.clear();
        self.block_bounds.resize(self.bounds.len().div_ceil(WIDTH), BoxLanes::EMPTY);
    }

    /// Returns the number of groups.
    pub fn group_count(&self) -> usize {
        self.group_count
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
    pub(super) fn all_bounds(&self) -> [[f32; 3]; 2] {
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for bounds in &self.block_bounds {
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
    pub fn place_corners(&mut self, frame: Option<&RelativeFrame>, center: Vec3, simd: SimdLevel) {
        let center = center.map(|x| x as f32);
        let groups = &mut self.groups[..self.group_count];
        simd.run_eight(PlaceKernel { groups, frame, center });
    }

    /// Computes boxes in the axes of a query: the columns of a rotation.
    pub fn project(&mut self, axes: &[[f32; 3]; 3], simd: SimdLevel) {
        let TriangleGroups { groups, group_count, boxes, bounds, block_bounds, .. } = self;
        let (groups, boxes) = (&groups[..*group_count], &mut boxes[..*group_count]);
        simd.run_eight(ProjectKernel { groups, boxes, bounds, block_bounds, axes });
    }
}

/// Returns the pad of all comparisons. `radii`: sum of the parts' radii about their origins.
pub(crate) fn group_pad(frame: &RelativeFrame, radii: f64) -> f32 {
    frame.pad + RADIUS_PAD * radii as f32
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
    block_bounds: &'a mut [BoxLanes],
    axes: &'a [[f32; 3]; 3],
}

impl FloatKernel for ProjectKernel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) {
        let [x, y, z] = self.axes;
        let axes: Mat3<L> = [splat(token, x), splat(token, y), splat(token, z)];
        // Greatest coordinates of eight groups, negated and not, lane by lane.
        let lowest = L::splat(token, f32::NEG_INFINITY);
        let mut highs = [[lowest; WIDTH]; 6];
        let mut index = 0;
        while index < self.groups.len() {
            let (group, boxes) = (&self.groups[index], &mut self.boxes[index]);
            let place = index % WIDTH;
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
            let mut i = 0;
            while i < 3 {
                (highs[i][place], highs[3 + i][place]) = (-low[i], high[i]);
                i += 1;
            }
            index += 1;
            if place + 1 == WIDTH || index == self.groups.len() {
                let bounds = &mut self.bounds[(index - 1) / WIDTH];
                let mut i = 0;
                while i < 3 {
                    bounds.min[i] = lane_maxima(highs[i]);
                    bounds.max[i] = lane_maxima(highs[3 + i]);
                    let mut lane = 0;
                    while lane < WIDTH {
                        bounds.min[i][lane] = -bounds.min[i][lane];
                        lane += 1;
                    }
                    i += 1;
                }
                highs = [[lowest; WIDTH]; 6];
            }
        }
        index = 0;
        while index < self.bounds.len() {
            let bounds = &self.bounds[index];
            let mut low = load::<L, WIDTH>(token, &bounds.min, 0);
            let mut high = load::<L, WIDTH>(token, &bounds.max, 0);
            let mut lane = L::LEN;
            while lane < WIDTH {
                let min = load::<L, WIDTH>(token, &bounds.min, lane);
                let max = load::<L, WIDTH>(token, &bounds.max, lane);
                low = [low[0].low(min[0]), low[1].low(min[1]), low[2].low(min[2])];
                high = [high[0].high(max[0]), high[1].high(max[1]), high[2].high(max[2])];
                lane += L::LEN;
            }
            self.block_bounds[index / WIDTH].set(index % WIDTH, low, high);
            index += 1;
        }
    }
}

#[inline(always)]
fn store<L: Floats>(v: Vec3<L>, rows: &mut [[f32; WIDTH]; 3], lane: usize) {
    v[0].store(&mut rows[0][lane..]);
    v[1].store(&mut rows[1][lane..]);
    v[2].store(&mut rows[2][lane..]);
}

/// Returns the least and the greatest projection of three points on an axis.
#[inline(always)]
pub(super) fn projections<L: Floats>(points: &[Vec3<L>; 3], axis: Vec3<L>) -> [L; 2] {
    let (p, q, r) = (dot(axis, points[0]), dot(axis, points[1]), dot(axis, points[2]));
    [p.low(q).low(r), p.high(q).high(r)]
}
