//! Bounds by corners: the distance of a box's farthest corner from one of its primitives, which
//! bounds the distance of the box. One box for each SIMD lane.

use std::iter::StepBy;
use std::ops::Range;

use super::prepared::{PreparedPrimitive, PreparedTriangle};
use crate::error::Error;
use crate::num::linear::{Vec3, add, pack, rotate, rotate_back, scale, sub};
use crate::num::simd::{DoubleKernel, Doubles, MAX_DOUBLES};
use crate::num::{Scalar, SimdLevel};
use crate::shape::{WideObb, wide_point};
use crate::tree::build::boxes::NodeSizeKey;
use crate::tree::node::OrderedNodes;
use crate::tree::{Geometry, Node};

/// Number of primitives from which the best is chosen, by their centroids. More: closer bounds of
/// large nodes, in proportion to the time.
const MAX_SAMPLES: usize = 16;

/// Number of primitives in a window. Boxes are processed in windows of primitives, by their first
/// one, in the order of the leaves: neighbours in that order are neighbours in the mesh.
const WINDOW_PRIMITIVES: usize = 4096;

/// Returns for each node that is `wanted` an upper bound on the distance of the corners of its
/// oriented box from the nearest of its primitives, up to rounding of the box's axes; zero for
/// others. Calls `done` after each window with the number of primitives processed.
///
/// # Errors
/// The errors of `done`.
pub(super) fn corner_bounds<T: Scalar>(
    geometry: &Geometry<T>,
    OrderedNodes { nodes, order }: OrderedNodes<'_, T>,
    simd: SimdLevel,
    wanted: &impl Fn(&Node<T>) -> bool,
    done: &mut impl FnMut(usize) -> Result<(), Error>,
) -> Result<Vec<f64>, Error> {
    let mut windows = vec![Vec::new(); order.len() / WINDOW_PRIMITIVES + 1];
    for (node, index) in nodes.iter().zip(0..).filter(|(node, _)| wanted(node)) {
        let samples = node.primitive_range().len().min(MAX_SAMPLES);
        windows[node.primitive_range().start / WINDOW_PRIMITIVES]
            .push(NodeSizeKey::new(samples, index));
    }
    let mut bounds = vec![0.0; nodes.len()];
    for (sorted, first) in windows.iter_mut().zip((0..).step_by(WINDOW_PRIMITIVES)) {
        // Boxes with equal numbers of samples share a batch.
        sorted.sort_unstable();
        let window = order[first..].iter().take(WINDOW_PRIMITIVES);
        let centroids: Vec<Vec3> = window.map(|&index| centroid(geometry, index)).collect();
        let centroids = Centroids { geometry, order, first, centroids };
        simd.run_doubles(CornerBoundKernel { centroids, nodes, sorted, bounds: &mut bounds });
        done(order.len().min(first + WINDOW_PRIMITIVES))?;
    }
    Ok(bounds)
}

/// Returns a point of a primitive, up to rounding.
fn centroid<T: Scalar>(geometry: &Geometry<T>, index: u32) -> Vec3 {
    match geometry {
        Geometry::None => [0.0; 3],
        Geometry::Surface(mesh) | Geometry::Solid(mesh) => {
            let [a, b, c] = mesh.triangle(index as usize).corners;
            scale(add(add(a, b), c), 1.0 / 3.0)
        }
        Geometry::Boxes(boxes) => wide_point(boxes[index as usize].center()),
        Geometry::Convex(_) => geometry.primitive_point(index),
    }
}

/// Primitives in the order of the leaves, and the centroids of a window of them.
struct Centroids<'a, T: Scalar> {
    geometry: &'a Geometry<T>,
    order: &'a [u32],
    first: usize,
    centroids: Vec<Vec3>,
}

impl<T: Scalar> Centroids<'_, T> {
    /// Returns the centroid of the primitive at an index that is not before the window.
    fn centroid(&self, index: usize) -> Vec3 {
        match self.centroids.get(index - self.first) {
            Some(&point) => point,
            None => centroid(self.geometry, self.order[index]),
        }
    }
}

/// Sampled centroids, interleaved over several boxes.
type Samples = [[[f64; MAX_DOUBLES]; 3]; MAX_SAMPLES];

/// Returns the indices of a node's sampled primitives.
#[inline(always)]
fn sample_indices<T: Scalar>(node: &Node<T>) -> StepBy<Range<usize>> {
    node.primitive_range().step_by(node.primitive_range().len().div_ceil(MAX_SAMPLES))
}

/// Kernel that bounds boxes by corners.
struct CornerBoundKernel<'a, T: Scalar> {
    centroids: Centroids<'a, T>,
    nodes: &'a [Node<T>],
    /// Boxes sorted by number of samples.
    sorted: &'a [NodeSizeKey],
    bounds: &'a mut [f64],
}

impl<T: Scalar> DoubleKernel for CornerBoundKernel<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) {
        // Outside the loop, so that it is not zeroed for each group.
        let mut samples = [[[0.0; MAX_DOUBLES]; 3]; MAX_SAMPLES];
        for row in self.sorted.chunks(D::LEN) {
            // Unused lanes repeat the first box.
            let mut batch = [&self.nodes[row[0].index()]; MAX_DOUBLES];
            for (node, key) in batch.iter_mut().zip(row) {
                *node = &self.nodes[key.index()];
            }
            let wide = load_boxes::<D, T>(token, &batch);
            let most = self.gather_samples(&mut samples, &batch[..D::LEN]);
            let (squared, choice) = nearest_samples(token, &samples[..most], &wide);
            let nearest = self.chosen_primitives(choice, &batch);
            let (mut least, mut farthest) = ([0.0; MAX_DOUBLES], [0.0; MAX_DOUBLES]);
            squared.sqrt().store(&mut least);
            self.farthest_corners(token, &nearest, &wide).store(&mut farthest);
            for (lane, alike) in row.iter().enumerate() {
                let farthest = match farthest[lane] {
                    known if known >= 0.0 => known,
                    _ => self.farthest_corner(nearest[lane], batch[lane]),
                };
                self.bounds[alike.index()] = least[lane].min(farthest);
            }
        }
    }
}

impl<T: Scalar> CornerBoundKernel<'_, T> {
    /// Interleaves the sampled centroids of each box; returns their number.
    #[inline(always)]
    fn gather_samples(&self, samples: &mut Samples, nodes: &[&Node<T>]) -> usize {
        let mut most = 0;
        for node in nodes {
            most = most.max(sample_indices(node).len());
        }
        for (lane, node) in nodes.iter().enumerate() {
            // Shorter lists repeat their last sample, which is never nearer than itself.
            let mut point = [0.0; 3];
            let mut indices = sample_indices(node);
            for row in &mut samples[..most] {
                if let Some(index) = indices.next() {
                    point = self.centroids.centroid(index);
                }
                (row[0][lane], row[1][lane], row[2][lane]) = (point[0], point[1], point[2]);
            }
        }
        most
    }

    /// Returns the primitives of the chosen samples.
    #[inline(always)]
    fn chosen_primitives<D: Doubles>(
        &self,
        choice: D,
        nodes: &[&Node<T>; MAX_DOUBLES],
    ) -> [u32; MAX_DOUBLES] {
        let (mut choices, mut chosen) = ([0.0; MAX_DOUBLES], [0; MAX_DOUBLES]);
        choice.store(&mut choices);
        for ((index, node), choice) in chosen.iter_mut().zip(nodes).zip(choices) {
            let range = node.primitive_range();
            let position = range.start + choice as usize * range.len().div_ceil(MAX_SAMPLES);
            *index = self.centroids.order[position];
        }
        chosen
    }

    /// Returns the distance of the farthest corner of each box from its triangle; negative for
    /// triangles without area.
    #[inline(always)]
    fn farthest_corners<D: Doubles>(
        &self,
        token: D::Token,
        nearest: &[u32; MAX_DOUBLES],
        wide: &WideObb<D>,
    ) -> D {
        let Some(mesh) = self.centroids.geometry.mesh() else { return D::splat(token, -1.0) };
        let mut corners = [[[0.0; 3]; MAX_DOUBLES]; 3];
        for (lane, &index) in nearest[..D::LEN].iter().enumerate() {
            let triangle = mesh.triangle(index as usize);
            for (row, corner) in corners.iter_mut().zip(triangle.corners) {
                row[lane] = corner;
            }
        }
        let [a, b, c] = &corners;
        let triangle = [pack(token, a), pack(token, b), pack(token, c)];
        let (sound, spanned) = PreparedTriangle::<D>::new(token, triangle);
        let mut farthest = D::splat(token, 0.0);
        for corner in 0..8 {
            let mut along = wide.half_extents;
            for (axis, half) in along.iter_mut().enumerate() {
                *half = if corner >> axis & 1 == 1 { *half } else { -*half };
            }
            let corner = add(wide.center, rotate(&wide.axes, along));
            farthest = farthest.greater(spanned.distances(token, corner));
        }
        D::choose(sound, farthest, D::splat(token, -1.0))
    }

    /// Returns the distance of the farthest corner from a primitive of any kind.
    fn farthest_corner(&self, index: u32, node: &Node<T>) -> f64 {
        let target = PreparedPrimitive::from_geometry(self.centroids.geometry, index);
        let distance = |corner: &Vec3| target.map_or(f64::INFINITY, |t| t.distance(*corner));
        node.oriented.wide().corners().iter().map(distance).fold(0.0, f64::max)
    }
}

/// Returns the least squared distance from a sampled point of each box to the box's farthest
/// corner, and the index of that sample, the first of equal ones.
#[inline(always)]
fn nearest_samples<D: Doubles>(
    token: D::Token,
    samples: &[[[f64; MAX_DOUBLES]; 3]],
    wide: &WideObb<D>,
) -> (D, D) {
    let (mut least, mut choice) = (D::splat(token, f64::INFINITY), D::splat(token, 0.0));
    for (sample, [x, y, z]) in samples.iter().enumerate() {
        let point = [D::load(token, x), D::load(token, y), D::load(token, z)];
        let along = rotate_back(&wide.axes, sub(point, wide.center));
        let mut squared = D::splat(token, 0.0);
        for (half, along) in wide.half_extents.into_iter().zip(along) {
            let far = half + along.abs();
            squared = squared + far * far;
        }
        let less = least.above(squared);
        least = D::choose(less, squared, least);
        choice = D::choose(less, D::splat(token, sample as f64), choice);
    }
    (least, choice)
}

/// Loads the oriented boxes, one for each lane.
#[inline(always)]
fn load_boxes<D: Doubles, T: Scalar>(
    token: D::Token,
    nodes: &[&Node<T>; MAX_DOUBLES],
) -> WideObb<D> {
    let mut rows = [[[0.0; 3]; MAX_DOUBLES]; 5];
    for (lane, node) in nodes[..D::LEN].iter().enumerate() {
        let WideObb { center, axes: [x, y, z], half_extents } = node.oriented.wide();
        for (row, vector) in rows.iter_mut().zip([center, x, y, z, half_extents]) {
            row[lane] = vector;
        }
    }
    let [center, x, y, z, half] = &rows;
    WideObb {
        center: pack(token, center),
        axes: [pack(token, x), pack(token, y), pack(token, z)],
        half_extents: pack(token, half),
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::Point3;

    use super::*;
    use crate::shape::Mesh;
    use crate::tree::{Build, ObbTree};

    pub fn every_level_finds_the_same_bounds() {
        let at = |i: u32| (i.wrapping_mul(2654435761) >> 12) as f32 / (1 << 20) as f32;
        let vertices = (0..3000).map(|i| Point3::new(at(3 * i), at(3 * i + 1), at(3 * i + 2)));
        // Every fifth triangle is a needle.
        let faces = (0..9000).map(|i| {
            [i % 3000, (i * 7 + 1) % 3000, (i * if i % 5 == 0 { 7 } else { 11 } + 1) % 3000]
        });
        let mesh = Mesh::new(vertices.collect(), faces.collect()).expect("a mesh");
        let tree = ObbTree::build(Geometry::Surface(mesh), &Build::fast()).expect("a tree");
        let found = |simd| {
            let mut done = 0;
            let mut done = |primitives| {
                assert!(std::mem::replace(&mut done, primitives) < primitives);
                Ok(())
            };
            let found =
                corner_bounds(&tree.geometry, tree.ordered_nodes(), simd, &|_| true, &mut done);
            found.expect("nobody stops it")
        };
        let plain = found(SimdLevel::PLAIN);
        for simd in SimdLevel::all() {
            assert_eq!(found(simd), plain, "{simd}");
        }
        // Expected: one box, one sample and one corner at a time.
        for (node, &bound) in tree.nodes.iter().zip(&plain) {
            let (wide, own) = (node.oriented.wide(), &tree.order[node.primitive_range()]);
            let far = |p: Vec3| {
                let along = rotate_back(&wide.axes, sub(p, wide.center));
                let far = |i: usize| wide.half_extents[i] + along[i].abs();
                far(0) * far(0) + far(1) * far(1) + far(2) * far(2)
            };
            let samples = own.iter().step_by(own.len().div_ceil(MAX_SAMPLES));
            let samples = samples.map(|&index| (far(centroid(&tree.geometry, index)), index));
            let (least, index) =
                samples.reduce(|a, b| if b.0 < a.0 { b } else { a }).expect("some");
            let target =
                PreparedPrimitive::from_geometry(&tree.geometry, index).expect("a triangle");
            let corners = wide.corners().map(|corner| target.distance(corner));
            assert_eq!(bound, least.sqrt().min(corners.into_iter().fold(0.0, f64::max)));
        }
    }
}
