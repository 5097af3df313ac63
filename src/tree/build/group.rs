//! Groups of nodes that are fitted together, one in each SIMD lane. Small nodes are interleaved
//! primitive by primitive; large ones are measured one after another, and only the results are
//! interleaved.

use super::measure::{self, add_primitive};
use super::primitives::{Primitives, centroid};
use crate::fit::{AxisBounds, BoxFrame, Covariance};
use crate::num::Scalar;
use crate::num::linear::{Vec3, pack};
use crate::num::simd::{Doubles, MAX_DOUBLES};

/// Largest number of primitives of a small node: measured alone it would leave more lanes unused
/// than padding does.
const MAX_INTERLEAVED: usize = 16;

/// Corners of small nodes, interleaved: the first primitive of each, then the second, and so on.
/// Grows to the size of the largest small node: clearing room for more takes a fifth of the build
/// of a part of 12 triangles.
#[derive(Debug)]
pub(super) struct GatheredCorners<const N: usize> {
    corners: Vec<[[[f64; MAX_DOUBLES]; 3]; N]>,
    weight: [[f64; MAX_DOUBLES]; MAX_INTERLEAVED],
}

impl<const N: usize> GatheredCorners<N> {
    pub fn new() -> Self {
        GatheredCorners { corners: Vec::new(), weight: [[0.0; MAX_DOUBLES]; MAX_INTERLEAVED] }
    }

    /// Interleaves the first `most` primitives of nodes. Shorter nodes are padded with their first
    /// one, at weight zero.
    #[inline(always)]
    fn gather<D: Doubles, S: Scalar>(
        &mut self,
        primitives: &Primitives<S, N>,
        ranges: &[[usize; 2]; MAX_DOUBLES],
        count: usize,
    ) {
        if self.corners.len() < count {
            self.corners.resize(count, [[[0.0; MAX_DOUBLES]; 3]; N]);
        }
        for (lane, &[start, end]) in ranges[..D::LEN].iter().enumerate() {
            // Padding lanes repeat the first, which is stored in all of them at once.
            if lane > 0 && ranges[lane] == ranges[0] {
                break;
            }
            let set = |row: &mut [f64; MAX_DOUBLES], value: f64| match lane {
                0 => row[..D::LEN].fill(value),
                _ => row[lane] = value,
            };
            let own_count = count.min(end - start);
            let rows = primitives.slice(start..start + own_count);
            for (corner, rows) in rows.corners.iter().enumerate() {
                for (axis, row) in rows.iter().enumerate() {
                    for (slot, value) in self.corners[..own_count].iter_mut().zip(*row) {
                        set(&mut slot[corner][axis], value.wide());
                    }
                    for slot in &mut self.corners[own_count..count] {
                        set(&mut slot[corner][axis], row[0].wide());
                    }
                }
            }
            for (slot, &surface) in self.weight[..own_count].iter_mut().zip(rows.surface) {
                set(slot, if N == 3 { surface } else { 1.0 });
            }
            for slot in &mut self.weight[own_count..count] {
                set(slot, 0.0);
            }
        }
    }
}

/// Returns `true` if the nodes are interleaved: several, all of them small.
#[inline(always)]
fn is_small<D: Doubles>(ranges: &[[usize; 2]; MAX_DOUBLES]) -> bool {
    D::LEN > 1 && ranges[1] != ranges[0] && max_primitives::<D>(ranges) <= MAX_INTERLEAVED
}

/// Returns the largest number of primitives of a node.
#[inline(always)]
fn max_primitives<D: Doubles>(ranges: &[[usize; 2]; MAX_DOUBLES]) -> usize {
    let mut most = 0;
    for [start, end] in &ranges[..D::LEN] {
        most = most.max(end - start);
    }
    most
}

/// Group of nodes, one for each lane.
pub(super) struct NodeGroup<'a, S, const N: usize> {
    primitives: &'a Primitives<S, N>,
    gathered: &'a GatheredCorners<N>,
    /// Primitive range of each node. Unused lanes repeat the first.
    ranges: [[usize; 2]; MAX_DOUBLES],
}

impl<'a, S: Scalar, const N: usize> NodeGroup<'a, S, N> {
    /// Gathers the primitives of a group, if there are any.
    #[inline(always)]
    pub fn new<D: Doubles>(
        primitives: &'a Primitives<S, N>,
        gathered: &'a mut GatheredCorners<N>,
        ranges: [[usize; 2]; MAX_DOUBLES],
    ) -> Self {
        let most = if is_small::<D>(&ranges) { max_primitives::<D>(&ranges) } else { 1 };
        if ranges[0][1] > ranges[0][0] {
            gathered.gather::<D, S>(primitives, &ranges, most);
        }
        NodeGroup { primitives, gathered, ranges }
    }

    pub fn is_empty(&self) -> bool {
        self.primitive_count(0) == 0
    }

    #[inline(always)]
    pub fn first_primitives(&self) -> [u32; MAX_DOUBLES] {
        let mut firsts = [0; MAX_DOUBLES];
        for (first, [start, _]) in firsts.iter_mut().zip(self.ranges) {
            *first = self.primitives.index[start];
        }
        firsts
    }

    /// Returns `true` if a lane is unused and repeats the first node: no two nodes of a group have
    /// equal primitives.
    fn is_padding_lane(&self, lane: usize) -> bool {
        lane > 0 && self.ranges[lane] == self.ranges[0]
    }

    fn primitive_count(&self, lane: usize) -> usize {
        self.ranges[lane][1] - self.ranges[lane][0]
    }

    #[inline(always)]
    pub fn primitive_counts<D: Doubles>(&self, token: D::Token) -> D {
        let mut lens = [0.0; MAX_DOUBLES];
        for (lane, len) in lens.iter_mut().enumerate() {
            *len = self.primitive_count(lane) as f64;
        }
        D::load(token, &lens)
    }

    /// Returns the corners of the primitives at one index, one for each lane.
    #[inline(always)]
    pub fn corners<D: Doubles>(&self, token: D::Token, index: usize) -> [Vec3<D>; N] {
        let mut corners = [[D::splat(token, 0.0); 3]; N];
        for (corner, rows) in corners.iter_mut().zip(&self.gathered.corners[index]) {
            for (x, row) in corner.iter_mut().zip(rows) {
                *x = D::load(token, row);
            }
        }
        corners
    }

    /// Returns the extents of each node's corners along its frame, or along the axes of the part.
    #[inline(always)]
    pub fn ends<D: Doubles>(&self, token: D::Token, frame: Option<&BoxFrame<D>>) -> AxisBounds<D> {
        if !is_small::<D>(&self.ranges) {
            return self.large_ends(token, frame);
        }
        let mut ends = AxisBounds::no_points(token);
        for index in 0..max_primitives::<D>(&self.ranges) {
            for corner in self.corners::<D>(token, index) {
                match frame {
                    Some(frame) => ends.add(frame.coordinates(corner)),
                    None => ends.add(corner),
                }
            }
        }
        ends
    }

    #[inline(always)]
    fn large_ends<D: Doubles>(
        &self,
        token: D::Token,
        frame: Option<&BoxFrame<D>>,
    ) -> AxisBounds<D> {
        let mut all = [AxisBounds::EMPTY; MAX_DOUBLES];
        let mut frames = [BoxFrame::axis_aligned(()); MAX_DOUBLES];
        if let Some(frame) = frame {
            frames = frame.unpack();
        }
        for (lane, ends) in all[..D::LEN].iter_mut().enumerate() {
            if self.is_padding_lane(lane) {
                continue;
            }
            let [start, end] = self.ranges[lane];
            let rows = self.primitives.slice(start..end);
            let frame = frame.is_some().then_some(&frames[lane]);
            *ends = match end - start < D::LEN {
                true => measure::ends::<f64, S, N>((), &rows, frame),
                false => measure::ends::<D, S, N>(token, &rows, frame),
            };
        }
        AxisBounds::pack(token, &all)
    }

    /// Returns the moments of each node's geometry, for its principal axes.
    #[inline(always)]
    pub fn covariance<D: Doubles>(&self, token: D::Token) -> Covariance<D> {
        if !is_small::<D>(&self.ranges) {
            return self.large_covariance(token);
        }
        let mut spread = Covariance::new(token, centroid(token, self.corners::<D>(token, 0)));
        for index in 0..max_primitives::<D>(&self.ranges) {
            let corners = self.corners(token, index);
            let weight = D::load(token, &self.gathered.weight[index]);
            add_primitive(token, &mut spread, &corners, weight);
        }
        spread
    }

    #[inline(always)]
    fn large_covariance<D: Doubles>(&self, token: D::Token) -> Covariance<D> {
        let (mut about, mut moments) = ([[0.0; 3]; MAX_DOUBLES], [[0.0; MAX_DOUBLES]; 10]);
        for lane in 0..D::LEN {
            if self.is_padding_lane(lane) {
                continue;
            }
            let [start, end] = self.ranges[lane];
            let one = measure::covariance::<D, S, N>(token, &self.primitives.slice(start..end));
            about[lane] = one.origin;
            for (row, moment) in moments.iter_mut().zip(one.moments) {
                row[lane] = moment;
            }
        }
        let mut spread = Covariance::new(token, pack(token, &about));
        for (moment, row) in spread.moments.iter_mut().zip(&moments) {
            *moment = D::load(token, row);
        }
        spread
    }
}
