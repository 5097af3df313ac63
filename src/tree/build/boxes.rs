//! Fitting of oriented boxes to nodes, several nodes at a time.

use std::ops::Range;

use super::Fit;
use super::group::{Gathered, NodeGroup};
use super::measure;
use super::primitives::Primitives;
use crate::fit::{Covariance, Ends, Frame, refined, smaller};
use crate::num::linear::{Mat3, Vec3, choose_matrix, pack, splat, unpack};
use crate::num::simd::{DoubleKernel, Doubles, MOST};
use crate::num::{Scalar, SimdLevel};
use crate::shape::{Aabb, Obb, WideObb, triangle_frame, wide_matrix};
use crate::tree::alike::Alike;
use crate::tree::{Geometry, Node};

/// Largest number of primitives of a node that also tries a box along its first primitive.
const FEW: usize = 4;

/// Fits the boxes of nodes; its buffers are reused.
pub(super) struct BoxFitter<'a, T: Scalar, const N: usize> {
    geometry: &'a Geometry<T>,
    fit: Fit,
    level: SimdLevel,
    gathered: Box<[Gathered<N>; 2]>,
    /// Nodes sorted by number of primitives.
    sorted: Vec<Alike>,
}

impl<'a, T: Scalar, const N: usize> BoxFitter<'a, T, N> {
    pub fn new(geometry: &'a Geometry<T>, fit: Fit) -> Self {
        let gathered = Box::new([Gathered::new(), Gathered::new()]);
        BoxFitter { geometry, fit, level: SimdLevel::best(), gathered, sorted: Vec::new() }
    }

    /// `true` if SIMD lanes are used: triangles are many, but hand-made boxes are few and are
    /// fitted one node at a time.
    const MANY: bool = N == 3;

    pub fn fit<S: Scalar>(&mut self, primitives: &Primitives<S, N>, nodes: &mut [Node<T>]) {
        self.sorted.clear();
        let alike = |(node, at): (&Node<T>, u32)| Alike::new(node.range().len(), at);
        self.sorted.extend(nodes.iter().zip(0..).map(alike));
        self.sorted.sort_unstable();
        let fitting = FitNodes {
            geometry: self.geometry,
            primitives,
            fit: self.fit,
            gathered: &mut self.gathered,
            sorted: &self.sorted,
            nodes: &mut *nodes,
        };
        match Self::MANY {
            true => self.level.run_doubles(fitting),
            false => fitting.run::<f64>(()),
        }
        if self.fit == Fit::Refined {
            nodes.iter_mut().for_each(|node| refine(primitives, node));
        }
        if self.geometry.mesh().is_none() {
            nodes.iter_mut().for_each(|node| fit_own(self.geometry, &primitives.index, node));
        }
    }
}

/// Rotates the box of a node while that reduces it.
fn refine<T: Scalar, S: Scalar, const N: usize>(primitives: &Primitives<S, N>, node: &mut Node<T>) {
    // The best box of one triangle is already the smallest.
    if node.last - node.first > 1 {
        let points: Vec<Vec3> = node.range().flat_map(|place| primitives.at(place)).collect();
        let axes = refined(&wide_matrix(&node.oriented.axes()), &points);
        let turned: Obb<T> = along(primitives, node.range(), &axes);
        node.oriented = smaller(&node.oriented.wide(), &turned.wide()).narrow();
    }
}

/// Fits the boxes of a node along the part's axes and along `axes`; see [`fit_own_boxes`].
pub(super) fn fit_along<T: Scalar, S: Scalar, const N: usize>(
    geometry: &Geometry<T>,
    primitives: &Primitives<S, N>,
    axes: &Mat3,
    node: &mut Node<T>,
) {
    let plain = measure::ends::<f64, S, N>((), &primitives.slice(node.range()), None);
    node.aligned = plain.aligned();
    node.oriented = along(primitives, node.range(), axes);
    if geometry.mesh().is_none() {
        fit_own(geometry, &primitives.index, node);
    }
}

/// Returns the box of one range along `axes`.
fn along<T: Scalar, S: Scalar, const N: usize>(
    primitives: &Primitives<S, N>,
    range: Range<usize>,
    axes: &Mat3,
) -> Obb<T> {
    let frame = Frame::new::<T>((), axes);
    let ends = |frame| measure::ends::<f64, S, N>((), &primitives.slice(range.clone()), frame);
    frame.box_around(&ends(None), &ends(Some(&frame)))
}

/// Replaces the rounded boxes of a node of hand-made boxes or convex shapes: its bounds are exact,
/// and the oriented box of a single primitive is that of the node.
fn fit_own<T: Scalar>(geometry: &Geometry<T>, order: &[u32], node: &mut Node<T>) {
    let own = &order[node.range()];
    let merged = |sum: Aabb<T, 3>, &index: &u32| sum.merged(&geometry.aabb(index));
    node.aligned = own.iter().fold(Aabb::empty(), merged);
    if let [only] = own {
        node.oriented = geometry.own_box(*only).unwrap_or(node.oriented);
    }
}

/// Kernel that fits the boxes of nodes.
struct FitNodes<'a, T: Scalar, S, const N: usize> {
    geometry: &'a Geometry<T>,
    primitives: &'a Primitives<S, N>,
    fit: Fit,
    gathered: &'a mut [Gathered<N>; 2],
    sorted: &'a [Alike],
    nodes: &'a mut [Node<T>],
}

impl<T: Scalar, S: Scalar, const N: usize> DoubleKernel for FitNodes<'_, T, S, N> {
    type Output = ();

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        let FitNodes { geometry, primitives, fit, gathered, sorted, nodes } = self;
        for sorted in sorted.chunks(2 * D::LEN) {
            let pair = sorted.split_at(sorted.len().min(D::LEN));
            let [first, second] = &mut *gathered;
            let groups = [
                NodeGroup::new::<D>(primitives, first, ranges(nodes, pair.0)),
                NodeGroup::new::<D>(primitives, second, ranges(nodes, pair.1)),
            ];
            let mut plain = [Ends::<D>::none(token); 2];
            let mut spreads = [Covariance::new(token, splat(token, [0.0; 3])); 2];
            for side in 0..2 {
                if !groups[side].is_empty() {
                    plain[side] = groups[side].ends(token, None);
                    spreads[side] = groups[side].spread(token);
                }
            }
            let spreads = Covariance::axes_of_two(token, [&spreads[0], &spreads[1]]);
            for (side, places) in [pair.0, pair.1].into_iter().enumerate() {
                if !places.is_empty() {
                    let fitting = GroupFit { geometry, group: &groups[side], plain: &plain[side] };
                    let best = fitting.best(token, fit, &spreads[side]);
                    store(places, &plain[side], &best, nodes);
                }
            }
        }
    }
}

/// Returns the primitive ranges of some nodes; unused lanes repeat the first node.
#[inline(always)]
fn ranges<T: Scalar>(nodes: &[Node<T>], places: &[Alike]) -> [[usize; 2]; MOST] {
    let mut ranges = [[0; 2]; MOST];
    if let Some(&first) = places.first() {
        for (lane, range) in ranges.iter_mut().enumerate() {
            let node = &nodes[places.get(lane).unwrap_or(&first).place()];
            *range = [node.first as usize, node.last as usize];
        }
    }
    ranges
}

/// Group of nodes with its extents along the part's axes.
struct GroupFit<'a, T: Scalar, D, S, const N: usize> {
    geometry: &'a Geometry<T>,
    group: &'a NodeGroup<'a, S, N>,
    /// Extents of the corners along the axes of the part.
    plain: &'a Ends<D>,
}

impl<T: Scalar, D: Doubles, S: Scalar, const N: usize> GroupFit<'_, T, D, S, N> {
    /// Returns the best box of each node, given the principal axes of each.
    #[inline(always)]
    fn best(&self, token: D::Token, fit: Fit, spread: &Mat3<D>) -> WideObb<D> {
        let aligned = Frame::axis_aligned(token).around::<T>(token, self.plain, self.plain);
        if fit == Fit::Aligned {
            return aligned;
        }
        let turned = self.around(token, spread);
        if fit == Fit::Spread {
            return turned;
        }
        let best = smaller(&aligned, &turned);
        let few = self.group.lens::<D>(token).within(D::splat(token, FEW as f64));
        if !D::any(few) {
            return best;
        }
        let (sound, own) = self.own_frame(token);
        let axes = choose_matrix(D::both(few, sound), &own, spread);
        smaller(&best, &self.around(token, &axes))
    }

    #[inline(always)]
    fn around(&self, token: D::Token, axes: &Mat3<D>) -> WideObb<D> {
        let frame = Frame::new::<T>(token, axes);
        frame.around::<T>(token, self.plain, &self.group.ends(token, Some(&frame)))
    }

    /// Returns a frame fitted to the first primitive of each node, and a mask of those that have
    /// one.
    #[inline(always)]
    fn own_frame(&self, token: D::Token) -> (D::Mask, Mat3<D>) {
        if let [a, b, c] = self.group.corners::<D>(token, 0)[..] {
            return triangle_frame(token, [a, b, c]);
        }
        let mut axes = [[[0.0; 3]; MOST]; 3];
        for (lane, index) in self.group.firsts().into_iter().enumerate() {
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
fn store<D: Doubles, T: Scalar>(
    places: &[Alike],
    plain: &Ends<D>,
    best: &WideObb<D>,
    nodes: &mut [Node<T>],
) {
    let (low, high) = (unpack(plain.low), unpack(plain.high));
    let [x, y, z] = [unpack(best.axes[0]), unpack(best.axes[1]), unpack(best.axes[2])];
    let (center, half) = (unpack(best.center), unpack(best.half_extents));
    for (lane, alike) in places.iter().enumerate() {
        let axes = [x[lane], y[lane], z[lane]];
        let wide = WideObb { center: center[lane], axes, half_extents: half[lane] };
        let node = &mut nodes[alike.place()];
        node.aligned = Ends { low: low[lane], high: high[lane] }.aligned();
        node.oriented = wide.narrow();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::chance::Chance;
    use crate::shape::{Mesh, nearest_point};

    /// Random triangles, every third without an area.
    fn soup(count: usize) -> Mesh<f32> {
        let mut chance = Chance(3);
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

    #[test]
    fn every_level_finds_the_same_boxes() {
        let geometry = Geometry::Surface(soup(3000));
        let primitives = Primitives::triangles(geometry.mesh().expect("a mesh"));
        for fit in [Fit::Aligned, Fit::Spread, Fit::Best, Fit::Refined] {
            let at = |level: SimdLevel| {
                let mut nodes = nodes(3000);
                let mut boxes = BoxFitter { level, ..BoxFitter::new(&geometry, fit) };
                boxes.fit(&primitives, &mut nodes);
                nodes
            };
            let plain = at(SimdLevel::PLAIN);
            for level in SimdLevel::all() {
                for (a, b) in plain.iter().zip(&at(level)) {
                    assert_eq!(a, b, "{level} {fit:?} {:?}", a.range());
                    assert!(a.oriented.bits().eq(b.oriented.bits()), "{level} {fit:?}");
                }
            }
        }
    }
}
