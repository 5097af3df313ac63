//! Fitting of oriented boxes to nodes, several nodes at a time.

use std::ops::Range;

use super::group::{GatheredCorners, NodeGroup};
use super::primitives::Primitives;
use super::{Fit, measure};
use crate::fit::{AxisBounds, BoxFrame, Covariance, refined_axes, smaller_box};
use crate::num::linear::{Mat3, Vec3, choose_matrix, pack, splat, unpack};
use crate::num::simd::{DoubleKernel, Doubles, MAX_DOUBLES};
use crate::num::{Scalar, SimdLevel};
use crate::shape::{Aabb, Obb, WideObb, triangle_frame, wide_matrix};
use crate::tree::{Geometry, Node};

/// Largest number of primitives of a node that also tries a box along its first primitive.
const MAX_OWN_FRAME_PRIMITIVES: usize = 4;

/// Fits the boxes of nodes; its buffers are reused.
pub(super) struct BoxFitter<'a, T: Scalar, const N: usize> {
    geometry: &'a Geometry<T>,
    fit: Fit,
    simd: SimdLevel,
    gathered: [GatheredCorners<N>; 2],
    /// Nodes sorted by number of primitives.
    sorted: Vec<NodeSizeKey>,
}

impl<'a, T: Scalar, const N: usize> BoxFitter<'a, T, N> {
    pub fn new(geometry: &'a Geometry<T>, fit: Fit) -> Self {
        let gathered = [GatheredCorners::new(), GatheredCorners::new()];
        BoxFitter { geometry, fit, simd: SimdLevel::best(), gathered, sorted: Vec::new() }
    }

    /// `true` if SIMD lanes are used: triangles are many, but hand-made boxes are few and are
    /// fitted one node at a time.
    const USES_LANES: bool = N == 3;

    pub fn fit<S: Scalar>(&mut self, primitives: &Primitives<S, N>, nodes: &mut [Node<T>]) {
        self.sorted.clear();
        let size_key =
            |(node, at): (&Node<T>, u32)| NodeSizeKey::new(node.primitive_range().len(), at);
        self.sorted.extend(nodes.iter().zip(0..).map(size_key));
        self.sorted.sort_unstable();
        let fitting = FitKernel {
            geometry: self.geometry,
            primitives,
            fit: self.fit,
            gathered: &mut self.gathered,
            sorted: &self.sorted,
            nodes: &mut *nodes,
        };
        match Self::USES_LANES {
            true => self.simd.run_doubles(fitting),
            false => fitting.run::<f64>(()),
        }
        if self.fit == Fit::Refined {
            nodes.iter_mut().for_each(|node| refine_box(primitives, node));
        }
        if self.geometry.mesh().is_none() {
            nodes.iter_mut().for_each(|node| fit_own_boxes(self.geometry, &primitives.index, node));
        }
    }
}

/// Rotates the box of a node while that reduces it.
fn refine_box<T: Scalar, S: Scalar, const N: usize>(
    primitives: &Primitives<S, N>,
    node: &mut Node<T>,
) {
    // The best box of one triangle is already the smallest.
    if node.end - node.start > 1 {
        let points: Vec<Vec3> =
            node.primitive_range().flat_map(|position| primitives.at(position)).collect();
        let axes = refined_axes(&wide_matrix(&node.oriented.axes()), &points);
        let rotated: Obb<T> = box_along(primitives, node.primitive_range(), &axes);
        node.oriented = smaller_box(&node.oriented.wide(), &rotated.wide()).narrow();
    }
}

/// Fits the boxes of a node along the part's axes and along `axes`; see [`fit_own_boxes`].
pub(super) fn fit_along<T: Scalar, S: Scalar, const N: usize>(
    geometry: &Geometry<T>,
    primitives: &Primitives<S, N>,
    axes: &Mat3,
    node: &mut Node<T>,
) {
    let plain = measure::ends::<f64, S, N>((), &primitives.slice(node.primitive_range()), None);
    node.aligned = plain.to_aabb();
    node.oriented = box_along(primitives, node.primitive_range(), axes);
    if geometry.mesh().is_none() {
        fit_own_boxes(geometry, &primitives.index, node);
    }
}

/// Returns the box of one range along `axes`.
fn box_along<T: Scalar, S: Scalar, const N: usize>(
    primitives: &Primitives<S, N>,
    range: Range<usize>,
    axes: &Mat3,
) -> Obb<T> {
    let frame = BoxFrame::new::<T>((), axes);
    let ends = |frame| measure::ends::<f64, S, N>((), &primitives.slice(range.clone()), frame);
    frame.rounded_box(&ends(None), &ends(Some(&frame)))
}

/// Replaces the rounded boxes of a node of hand-made boxes or convex shapes: its bounds are exact,
/// and the oriented box of a single primitive is that of the node.
fn fit_own_boxes<T: Scalar>(geometry: &Geometry<T>, order: &[u32], node: &mut Node<T>) {
    let own = &order[node.primitive_range()];
    let merged = |sum: Aabb<T, 3>, &index: &u32| sum.merged(&geometry.aabb(index));
    node.aligned = own.iter().fold(Aabb::empty(), merged);
    if let [only] = own {
        node.oriented = geometry.own_box(*only).unwrap_or(node.oriented);
    }
}

/// Kernel that fits the boxes of nodes.
struct FitKernel<'a, T: Scalar, S, const N: usize> {
    geometry: &'a Geometry<T>,
    primitives: &'a Primitives<S, N>,
    fit: Fit,
    gathered: &'a mut [GatheredCorners<N>; 2],
    sorted: &'a [NodeSizeKey],
    nodes: &'a mut [Node<T>],
}

impl<T: Scalar, S: Scalar, const N: usize> DoubleKernel for FitKernel<'_, T, S, N> {
    type Output = ();

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let FitKernel { geometry, primitives, fit, gathered, sorted, nodes } = self;
        for sorted in sorted.chunks(2 * D::LEN) {
            let pair = sorted.split_at(sorted.len().min(D::LEN));
            let [first, second] = &mut *gathered;
            let groups = [
                NodeGroup::new::<D>(primitives, first, primitive_ranges(nodes, pair.0)),
                NodeGroup::new::<D>(primitives, second, primitive_ranges(nodes, pair.1)),
            ];
            let mut plain = [AxisBounds::<D>::no_points(token); 2];
            let mut spreads = [Covariance::new(token, splat(token, [0.0; 3])); 2];
            for side in 0..2 {
                if !groups[side].is_empty() {
                    plain[side] = groups[side].ends(token, None);
                    spreads[side] = groups[side].covariance(token);
                }
            }
            let spreads = match pair.1.is_empty() {
                true => [spreads[0].axes(token); 2],
                false => Covariance::axes_of_two(token, [&spreads[0], &spreads[1]]),
            };
            for (side, keys) in [pair.0, pair.1].into_iter().enumerate() {
                if !keys.is_empty() {
                    let fitting =
                        GroupFit { geometry, group: &groups[side], aligned_ends: &plain[side] };
                    let best = fitting.best_boxes(token, fit, &spreads[side]);
                    store_boxes(keys, &plain[side], &best, nodes);
                }
            }
        }
    }
}

/// Returns the primitive ranges of some nodes; unused lanes repeat the first node.
#[inline(always)]
fn primitive_ranges<T: Scalar>(
    nodes: &[Node<T>],
    keys: &[NodeSizeKey],
) -> [[usize; 2]; MAX_DOUBLES] {
    let mut ranges = [[0; 2]; MAX_DOUBLES];
    if let Some(&first) = keys.first() {
        for (lane, range) in ranges.iter_mut().enumerate() {
            let node = &nodes[keys.get(lane).unwrap_or(&first).index()];
            *range = [node.start as usize, node.end as usize];
        }
    }
    ranges
}

/// Group of nodes with its extents along the part's axes.
struct GroupFit<'a, T: Scalar, D, S, const N: usize> {
    geometry: &'a Geometry<T>,
    group: &'a NodeGroup<'a, S, N>,
    /// Extents of the corners along the axes of the part.
    aligned_ends: &'a AxisBounds<D>,
}

impl<T: Scalar, D: Doubles, S: Scalar, const N: usize> GroupFit<'_, T, D, S, N> {
    /// Returns the best box of each node, given the principal axes of each.
    #[inline(always)]
    fn best_boxes(&self, token: D::Token, fit: Fit, spread: &Mat3<D>) -> WideObb<D> {
        let aligned = BoxFrame::axis_aligned(token).bounding_box::<T>(
            token,
            self.aligned_ends,
            self.aligned_ends,
        );
        if fit == Fit::Aligned {
            return aligned;
        }
        let rotated = self.boxes_along(token, spread);
        if fit == Fit::Spread {
            return rotated;
        }
        let best = smaller_box(&aligned, &rotated);
        let few = self
            .group
            .primitive_counts::<D>(token)
            .at_most(D::splat(token, MAX_OWN_FRAME_PRIMITIVES as f64));
        if !D::any(few) {
            return best;
        }
        let (sound, own) = self.own_frame(token);
        let axes = choose_matrix(D::both(few, sound), &own, spread);
        smaller_box(&best, &self.boxes_along(token, &axes))
    }

    #[inline(always)]
    fn boxes_along(&self, token: D::Token, axes: &Mat3<D>) -> WideObb<D> {
        let frame = BoxFrame::new::<T>(token, axes);
        frame.bounding_box::<T>(token, self.aligned_ends, &self.group.ends(token, Some(&frame)))
    }

    /// Returns a frame fitted to the first primitive of each node, and a mask of those that have
    /// one.
    #[inline(always)]
    fn own_frame(&self, token: D::Token) -> (D::Mask, Mat3<D>) {
        if let [a, b, c] = self.group.corners::<D>(token, 0)[..] {
            return triangle_frame(token, [a, b, c]);
        }
        let mut axes = [[[0.0; 3]; MAX_DOUBLES]; 3];
        for (lane, index) in self.group.first_primitives().into_iter().enumerate() {
            if let Some(own) = self.geometry.own_box(index) {
                let wide = own.wide();
                (0..3).for_each(|axis| axes[axis][lane] = wide.axes[axis]);
            }
        }
        let [x, y, z] = &axes;
        let axes = [pack(token, x), pack(token, y), pack(token, z)];
        (D::splat(token, 1.0).above(D::splat(token, 0.0)), axes)
    }
}

#[inline(always)]
fn store_boxes<D: Doubles, T: Scalar>(
    keys: &[NodeSizeKey],
    plain: &AxisBounds<D>,
    best: &WideObb<D>,
    nodes: &mut [Node<T>],
) {
    let (low, high) = (unpack(plain.low), unpack(plain.high));
    let [x, y, z] = [unpack(best.axes[0]), unpack(best.axes[1]), unpack(best.axes[2])];
    let (center, half) = (unpack(best.center), unpack(best.half_extents));
    for (lane, key) in keys.iter().enumerate() {
        let axes = [x[lane], y[lane], z[lane]];
        let wide = WideObb { center: center[lane], axes, half_extents: half[lane] };
        let node = &mut nodes[key.index()];
        node.aligned = AxisBounds { low: low[lane], high: high[lane] }.to_aabb();
        node.oriented = wide.narrow();
    }
}

/// Size and index of a node packed in one integer, which sorts faster than a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tree) struct NodeSizeKey(u64);

impl NodeSizeKey {
    pub fn new(size: usize, index: u32) -> Self {
        NodeSizeKey((size as u64) << 32 | u64::from(index))
    }

    /// Returns the index of the node.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as u32 as usize
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::shape::{Mesh, nearest_point};

    /// Random triangles, every third without an area.
    fn soup(count: usize) -> Mesh<f32> {
        let mut chance = SplitMix64(3);
        let vertices = (0..3 * count).map(|_| nearest_point(chance.point(1.0))).collect();
        let corner = |i: usize, k: usize| (3 * i + [k / 2, k, k][i % 3]) as u32;
        Mesh::new(vertices, (0..count).map(|i| [0, 1, 2].map(|k| corner(i, k))).collect())
            .expect("a mesh")
    }

    /// Nodes of many sizes that share primitives.
    fn nodes(count: usize) -> Vec<Node<f32>> {
        let sizes = (1..60).chain([100, 777, 1025, count]);
        sizes
            .flat_map(|size| [0, count / 2].map(|from| (from, count.min(from + size))))
            .map(|(from, to)| Node::leaf(from..to))
            .collect()
    }

    pub fn every_level_finds_the_same_boxes() {
        let geometry = Geometry::Surface(soup(3000));
        let primitives = Primitives::triangles(geometry.mesh().expect("a mesh"));
        for fit in [Fit::Aligned, Fit::Spread, Fit::Best, Fit::Refined] {
            let at = |simd: SimdLevel| {
                let mut nodes = nodes(3000);
                let mut boxes = BoxFitter { simd, ..BoxFitter::new(&geometry, fit) };
                boxes.fit(&primitives, &mut nodes);
                nodes
            };
            let plain = at(SimdLevel::PLAIN);
            for simd in SimdLevel::all() {
                for (a, b) in plain.iter().zip(&at(simd)) {
                    assert_eq!(a, b, "{simd} {fit:?} {:?}", a.primitive_range());
                    assert!(a.oriented.bits().eq(b.oriented.bits()), "{simd} {fit:?}");
                }
            }
        }
    }
}
