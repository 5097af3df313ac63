//! Curve in which the surfaces of two trees intersect: length, centroid, vector area.

use std::ops::ControlFlow;

use nalgebra::{Point3, Vector3};

use super::wide::{CutPair, TraversalGoal, TraversalOptions};
use crate::num::linear::{Vec3, add, cross, length, rotate, scale, sub};
use crate::num::{Scalar, SimdLevel, precompiled, set_bits};
use crate::pair::rounded::crossing::{TriangleCrossing, crossing};
use crate::pair::rounded::crossing_batch::{PAIRS, TrianglePairs};
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::pair::rounded_vector;
use crate::shape::{Mesh, RelativePose, nearest_point};
use crate::tree::pair::primitive_test::PrimitiveTest;
use crate::tree::pair::scratch::PairCrossing;
use crate::tree::{Accuracy, Counts, Geometry, TreePair, TreeScratch};

/// The curve in which the surfaces of two parts intersect, summed up: the union of the segments in
/// which a triangle of one crosses a triangle of the other. World frame, for placed trees.
///
/// Its centroid is a good position for a spark, a sound or a mark: it does not depend on how finely
/// the surfaces are triangulated, and moves less from frame to frame than the [point of a
/// hit](crate::scene::Hit::point), which belongs to the deepest two boxes.
///
/// Coplanar triangles have no curve and add nothing. An edge that lies in a triangle of the other
/// part counts half for each of its two triangles. "Lies in" allows for rounding in double
/// precision (some 2^-40 of the distance of the parts from their origins, more for slivers).
/// Surfaces that coincide less exactly, as after rounding to `f32`, cross wherever rounding has
/// moved them.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Point3};
/// use boxwood::tree::{TreePair, TreeScratch};
/// use boxwood::{Build, Geometry, Mesh, ObbTree};
///
/// // A square floor, and a triangle that stands in it from x = 1 to x = 3.
/// let flat = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [8.0, 8.0, 0.0], [0.0, 8.0, 0.0]];
/// let floor = Mesh::new(flat.map(Point3::from).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let upright = [[0.0, 1.0, -1.0], [4.0, 1.0, -1.0], [2.0, 1.0, 1.0]];
/// let blade = Mesh::new(upright.map(Point3::from).to_vec(), vec![[0, 1, 2]])?;
/// let [floor, blade] =
///     [floor, blade].map(|mesh| ObbTree::build(Geometry::Surface(mesh), &Build::default()));
/// let (floor, blade, here) = (floor?, blade?, Isometry3::identity());
///
/// let pair = TreePair::new(&floor, &here, &blade, &here)?;
/// let curve = pair.intersection_curve(&mut TreeScratch::default()).expect("they cross");
/// assert!((curve.length - 2.0).abs() < 1e-6);
/// assert!((curve.centroid - Point3::new(2.0, 1.0, 0.0)).norm() < 1e-6);
/// assert!(curve.vector_area.norm() < 1e-6); // a straight piece goes around nothing
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct IntersectionCurve<T: Scalar> {
    /// Total length of the segments [world units], above zero.
    pub length: T,
    /// Centroid of the segments, weighted by length [world frame]. Usually not a point of a curve
    /// that bends.
    pub centroid: Point3<T>,
    /// Vector area of the curve, from the first part to the second: the sum of `p x q / 2` over the
    /// segments from `p` to `q`, relative to the centroid. [world units squared]
    ///
    /// For two closed surfaces it is the gradient of the common volume: moving the second by a
    /// short `s` reduces that volume by `s . vector_area`. Its direction is a smooth function of
    /// the poses and suits pushing the second part, but is not the shortest way out; it is small
    /// beside the square of the length where a blade pierces the part and leaves it on the other
    /// side. For open surfaces it measures the area the curve encloses and says nothing about
    /// volumes. Infinite where `T` cannot represent it.
    ///
    /// Source: the divergence theorem for the flux of a constant field through the surface of the
    /// common volume, and Stokes' theorem for the part of it inside the other.
    pub vector_area: Vector3<T>,
}

impl<T: Scalar> IntersectionCurve<T> {
    /// Returns the same curve with the two parts swapped.
    pub fn reversed(&self) -> Self {
        IntersectionCurve { vector_area: -self.vector_area, ..*self }
    }
}

precompiled! {
    fn intersection_curve<'a, T>(
        pair: &'a TreePair<'a, T>,
        scratch: &'a mut TreeScratch,
    ) -> Option<IntersectionCurve<T>> {
        pair.curve_precompiled(scratch)
    }
}

impl<T: Scalar> TreePair<'_, T> {
    /// Computes the curve in which the surfaces of the two trees intersect; `None` if no two
    /// triangles cross in more than a point.
    ///
    /// It is also `None` where surfaces touch in points only, where one solid is wholly inside the
    /// other, and where either part is made of boxes, which have no triangles. For solids that
    /// touch face on face it is the outline of the shared area, at half its length.
    ///
    /// Visits all pairs of triangles that share a point, where [`intersects`](TreePair::intersects)
    /// stops at the first. Swapped trees give the [reversed](IntersectionCurve::reversed) curve,
    /// bit for bit.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Point3};
    /// use boxwood::tree::{TreePair, TreeScratch};
    /// use boxwood::{Build, Geometry, Mesh, ObbTree};
    ///
    /// // A tetrahedron, and the same again with its corner at the middle of the first.
    /// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
    /// let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let mesh = Mesh::new(corners.map(Point3::from).to_vec(), sides)?;
    /// let tree = ObbTree::build(Geometry::Solid(mesh), &Build::default())?;
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(1.0, 1.0, 1.0));
    ///
    /// let mut scratch = TreeScratch::default();
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// let curve = pair.intersection_curve(&mut scratch).expect("they cross");
    /// // Around the slanted face of the first: a triangle with the corners (2, 1, 1), ...
    /// assert!((curve.length - 18.0_f32.sqrt()).abs() < 1e-5);
    /// assert!((curve.centroid - Point3::new(4.0, 4.0, 4.0) / 3.0).norm() < 1e-5);
    /// assert!((curve.vector_area.x - 0.5).abs() < 1e-5); // out of the first: push along (1, 1, 1)
    ///
    /// let far = Isometry3::translation(2.0, 2.0, 2.0);
    /// let apart = TreePair::new(&tree, &here, &tree, &far)?;
    /// assert_eq!(apart.intersection_curve(&mut scratch), None);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn intersection_curve(&self, scratch: &mut TreeScratch) -> Option<IntersectionCurve<T>> {
        intersection_curve(self, scratch)
    }

    fn curve_precompiled(&self, scratch: &mut TreeScratch) -> Option<IntersectionCurve<T>> {
        self.curve_and_lists(scratch).0
    }

    /// Computes the curve; the flag is `true` if the scratch memory then has the
    /// [lists](TreePair::place_lists) of both meshes.
    pub(in crate::tree) fn curve_and_lists(
        &self,
        scratch: &mut TreeScratch,
    ) -> (Option<IntersectionCurve<T>>, bool) {
        let mut found = std::mem::take(&mut scratch.crossings);
        found.clear();
        let are_placed = self.collect_crossings(scratch, &mut found);
        // Sorted: the order of traversal depends on the SIMD level.
        sort_by_triangles(&mut found);
        let curve = self.sum_crossings(&found);
        scratch.crossings = found;
        (curve, are_placed)
    }

    /// Collects the segments in which triangles cross, in the frame of the first part. Returns
    /// `true` if the meshes were searched as lists.
    fn collect_crossings(&self, scratch: &mut TreeScratch, found: &mut Vec<PairCrossing>) -> bool {
        let meshes = self.geometries().map(Geometry::mesh);
        let [Some(first), Some(second)] = meshes else { return false };
        let mut exactly = None;
        let mut search = CrossingSearch {
            meshes: [first, second],
            relation: self.relation(),
            simd: scratch.simd,
            // Meshes have one limit for all nodes.
            limit: self.primitive_distance_limit((0, 0)),
            candidates: TriangleQueue::default(),
            crossing: TriangleQueue::default(),
            primitive_test: PrimitiveTest::new(self, &mut exactly),
            found,
        };
        let are_placed =
            !scratch.one_at_a_time && self.place_lists(&mut scratch.mesh_lists, scratch.simd);
        if are_placed {
            let TreeScratch { mesh_lists, counts, simd, .. } = scratch;
            let [first, second] = self.listed_primitives();
            mesh_lists.visit_near(*simd, counts, |[a, b]| search.push((first[a], second[b])));
        } else {
            scratch.clear_pair_cache();
            let mut at_cut = |reached: CutPair, _: &mut TreeScratch| {
                let (a, b) = reached.nodes;
                self.primitive_pairs(a, b).for_each(|pair| search.push(pair));
                ControlFlow::Continue(())
            };
            let options = TraversalOptions { accuracy: Accuracy::Exact, goal: TraversalGoal::All };
            let _ = match scratch.one_at_a_time {
                true => self.traverse_pairwise(options, [(0, 0); 2], scratch, &mut at_cut),
                false => self.traverse_wide(options, scratch, at_cut),
            };
        }
        search.finish(&mut scratch.counts);
        are_placed
    }

    fn sum_crossings(&self, found: &[PairCrossing]) -> Option<IntersectionCurve<T>> {
        let (mut total, mut moment) = (0.0, [0.0; 3]);
        for (_, TriangleCrossing { ends: [p, q], weight }) in found {
            let share = weight * length(sub(*q, *p));
            total += share;
            moment = add(moment, scale(add(*p, *q), 0.5 * share));
        }
        // A segment may be too short for a double.
        if total == 0.0 {
            return None;
        }
        let centroid = moment.map(|x| x / total);
        let placement = &self.placements()[0];
        let curve = IntersectionCurve {
            length: T::nearest(total),
            centroid: nearest_point(placement.point(centroid)),
            vector_area: rounded_vector(rotate(
                &placement.rotation,
                self.vector_area_around(found, centroid),
            )),
        };
        Some(if self.ordered_pair().swapped { curve.reversed() } else { curve })
    }

    /// Returns the vector area around a point. Zero for two equal trees in one pose, whose segments
    /// cancel in pairs.
    fn vector_area_around(&self, found: &[PairCrossing], center: Vec3) -> Vec3 {
        if self.ordered_pair().tied {
            return [0.0; 3];
        }
        found.iter().fold([0.0; 3], |area, (_, TriangleCrossing { ends: [p, q], weight })| {
            let fan = cross(sub(*p, center), sub(*q, center));
            add(area, scale(fan, 0.5 * weight))
        })
    }
}

/// Search for the segments in which triangles of two meshes cross, several pairs at once.
struct CrossingSearch<'s, 'a, T: Scalar> {
    meshes: [&'a Mesh<T>; 2],
    relation: RelativePose,
    simd: SimdLevel,
    /// Distance at which pairs still count as touching, for a pair of trees with a margin.
    limit: Option<f64>,
    /// Pairs to be tested by their planes.
    candidates: TriangleQueue,
    /// Pairs that seem to cross, to be tested for a common point.
    crossing: TriangleQueue,
    primitive_test: PrimitiveTest<'s, T>,
    found: &'s mut Vec<PairCrossing>,
}

/// Queue of pairs of triangles, with their indices in canonical order.
#[derive(Default)]
struct TriangleQueue {
    pairs: TrianglePairs,
    indices: [(u32, u32); PAIRS],
}

impl TriangleQueue {
    #[inline(always)]
    fn push(&mut self, (i, j): (u32, u32), corners: [&TriangleCorners; 2]) {
        self.indices[self.pairs.len() % PAIRS] = (i, j);
        self.pairs.push(corners);
    }
}

impl<T: Scalar> CrossingSearch<'_, '_, T> {
    #[inline(always)]
    fn corners(&self, (i, j): (u32, u32)) -> [TriangleCorners; 2] {
        let [first, second] = self.meshes;
        [first.triangle(i as usize).corners, second.triangle(j as usize).corners]
    }

    /// Queues a pair of triangles, in canonical order.
    #[inline(always)]
    fn push(&mut self, pair: (u32, u32)) {
        let [a, b] = self.corners(pair);
        self.candidates.push(pair, [&a, &b]);
        if self.candidates.pairs.is_full() {
            self.test_candidates();
        }
    }

    /// Tests the queued pairs by their planes, and queues those that seem to cross.
    fn test_candidates(&mut self) {
        let mask = self.candidates.pairs.crossing_mask(&self.relation, self.simd);
        self.primitive_test.count_pairs(self.candidates.pairs.len() as u64);
        self.candidates.pairs.clear();
        for lane in set_bits(mask.into()) {
            let pair = self.candidates.indices[lane % PAIRS];
            let [a, b] = self.corners(pair);
            self.crossing.push(pair, [&a, &b]);
            if self.crossing.pairs.is_full() {
                self.test_crossing();
            }
        }
    }

    /// Tests the pairs that seem to cross for a common point, and stores their segments.
    fn test_crossing(&mut self) {
        let crossings = self.crossing.pairs.crossings(&self.relation, self.simd);
        let len = self.crossing.pairs.len();
        self.crossing.pairs.clear();
        for lane in 0..len {
            let (i, j) = self.crossing.indices[lane % PAIRS];
            let is = |bits: u32| bits >> lane & 1 == 1;
            if is(crossings.touching) {
                if is(crossings.segments) {
                    let segment = TriangleCrossing { ends: crossings.ends(lane), weight: 1.0 };
                    self.found.push(((i, j), segment));
                }
                continue;
            }
            let touches = match self.limit {
                Some(limit) => self.primitive_test.touches_within(i, j, Some(limit)),
                None => is(crossings.undecided) && self.primitive_test.touches_exactly(i, j),
            };
            if touches {
                let [a, b] = self.corners((i, j));
                let b = b.map(|p| self.relation.to_first(p));
                let segment = crossing(&a, &b, self.relation.error);
                self.found.extend(segment.map(|segment| ((i, j), segment)));
            }
        }
    }

    /// Tests what is left in the queues.
    fn finish(&mut self, counts: &mut Counts) {
        self.test_candidates();
        self.test_crossing();
        self.primitive_test.count_into(counts);
    }
}

/// Sorts the crossings by the indices of their triangles.
fn sort_by_triangles(found: &mut [PairCrossing]) {
    found.sort_unstable_by_key(|&(triangles, _)| triangles);
}
