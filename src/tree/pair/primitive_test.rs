//! Exact tests of primitive pairs.

use super::ordered_pair::OrderedPair;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, matrix_product, sub};
use crate::pair::ConvexShape;
use crate::pair::convex::{ConvexPair, Support};
use crate::pair::rounded::cores::{ClosestOnCores, CorePair, CoreShape};
use crate::pair::rounded::slack_box::SlackBox;
use crate::pair::rounded::triangle_exact;
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::sat::box_triangle::box_overlaps_triangle;
use crate::sat::exact_boxes::{ExactBody, boxes_overlap};
use crate::sat::primitive_slabs::BoxOrTriangle;
use crate::shape::{ExactRelativePose, RelativePose};
use crate::shape::{Mesh, Pose, WideObb};
use crate::tree::{Counts, Geometry, TreePair};

/// Number of pairs that are deferred before they are decided: finding as many takes about as long
/// as deciding one.
const MAX_DEFERRED: usize = 64;

/// Exact test of the primitives of two placed parts.
pub(in crate::tree) struct PrimitiveTest<'a, T: Scalar> {
    parts: [(&'a Geometry<T>, Pose<T>); 2],
    relation: RelativePose,
    /// Sum of the radii of both parts about their origins, for the error of the test.
    size_pad: f64,
    /// Built at first use. Borrowed: it is large, and stays where the caller has allocated it.
    exact_relation: &'a mut Option<ExactRelativePose>,
    /// Pairs that need exact arithmetic, if any pair that touches will do.
    deferred: Option<Vec<[u32; 2]>>,
    /// Number of pairs tested, and number of those that needed exact arithmetic.
    test_count: u64,
    exact_count: u64,
}

impl<'a, T: Scalar> PrimitiveTest<'a, T> {
    pub fn new(
        pair: &'a TreePair<'_, T>,
        exact_relation: &'a mut Option<ExactRelativePose>,
    ) -> Self {
        let OrderedPair { first, second, .. } = pair.ordered_pair();
        PrimitiveTest {
            parts: [(first.tree.geometry(), first.pose), (second.tree.geometry(), second.pose)],
            relation: pair.relation(),
            size_pad: pair.ordered_pair().size_pad(),
            exact_relation,
            deferred: None,
            test_count: 0,
            exact_count: 0,
        }
    }

    /// Defers exact arithmetic, for a query that asks whether any pair touches: an undecided pair
    /// counts as apart until [`decide_deferred`](Self::decide_deferred). Parts that touch in faces
    /// of one plane have many such pairs, and most of them cross elsewhere too, where double
    /// precision decides. `pairs` is memory for them.
    pub fn deferring_exact_tests(mut self, mut pairs: Vec<[u32; 2]>) -> Self {
        pairs.clear();
        self.deferred = Some(pairs);
        self
    }

    /// Returns `true` if one of the deferred pairs touches, and forgets them.
    pub fn decide_deferred(&mut self) -> bool {
        let Some(mut pairs) = self.deferred.take() else { return false };
        let touches = pairs.iter().any(|&[a, b]| self.touches_exactly(a, b));
        pairs.clear();
        self.deferred = Some(pairs);
        touches
    }

    /// Returns the memory of the deferred pairs.
    pub fn into_deferred(self) -> Vec<[u32; 2]> {
        self.deferred.unwrap_or_default()
    }

    /// Shifts the second part, in the frame of the first. Only closest points respect the shift.
    pub fn with_shift(mut self, shift: Vec3) -> Self {
        self.relation.offset = add(self.relation.offset, shift);
        self
    }

    /// Counts pairs that the caller has tested.
    pub fn count_pairs(&mut self, count: u64) {
        self.test_count += count;
    }

    pub fn count_into(&self, counts: &mut Counts) {
        counts.primitives += self.test_count;
        counts.exact += self.exact_count;
    }

    /// Returns `true` if primitive `a` of the first part and `b` of the second, in canonical order,
    /// share a point.
    pub fn touches(&mut self, a: u32, b: u32) -> bool {
        self.test_count += 1;
        self.touches_exactly(a, b)
    }

    /// Like [`touches`](Self::touches), for a pair that is counted already. With deferred pairs it
    /// is also `true` if one of those touches.
    pub fn touches_exactly(&mut self, a: u32, b: u32) -> bool {
        let stored = self.stored_pair(a, b);
        let Some(primitives) = stored.as_flat() else {
            return stored.convex_pair(&self.relation).touches(0.0);
        };
        if let Some(verdict) = self.decide_approximately(primitives) {
            return verdict;
        }
        if let Some(pairs) = &mut self.deferred {
            pairs.push([a, b]);
            return pairs.len() == MAX_DEFERRED && self.decide_deferred();
        }
        self.exact_count += 1;
        self.decide_exactly(primitives)
    }

    /// Returns `true` if primitive `a` of the first part and `b` of the second share a point or,
    /// with a limit, if their rounded distance is at most that.
    pub fn touches_within(&mut self, a: u32, b: u32, limit: Option<f64>) -> bool {
        let Some(limit) = limit else { return self.touches(a, b) };
        let stored = self.stored_pair(a, b);
        if stored.as_flat().is_none() {
            self.test_count += 1;
            return stored.convex_pair(&self.relation).touches(limit);
        }
        let (near, surely_apart) = self.closest_points(a, b);
        near.squared <= limit * limit || !surely_apart && self.touches_exactly(a, b)
    }

    /// Computes the closest points of primitive `a` of the first part and `b` of the second, in the
    /// frame of the first. The flag is `true` if they are disjoint beyond all error.
    pub fn closest_points(&mut self, a: u32, b: u32) -> (ClosestOnCores, bool) {
        self.test_count += 1;
        let error = self.relation.error;
        let solid = |solid: &WideObb| SlackBox::from_wide(solid, T::LEAF_SLACK);
        let seen = |corners: &TriangleCorners| corners.map(|p| self.relation.to_first(p));
        let moved = |b: &WideObb| solid(&b.moved(&self.relation.rotation, self.relation.offset));
        let stored = self.stored_pair(a, b);
        let Some(primitives) = stored.as_flat() else {
            return stored.convex_pair(&self.relation).closest_points();
        };
        match primitives {
            [BoxOrTriangle::Triangle(a), BoxOrTriangle::Triangle(b)] => {
                closest_points_and_separation(a, &seen(b), error)
            }
            [BoxOrTriangle::Obb(a), BoxOrTriangle::Obb(b)] => {
                let near = solid(a).closest(&moved(b));
                // Axes that are not quite orthogonal can change the distance by four times the
                // error.
                let certain_distance = 16.0 * self.box_error(a, b) + 64.0 * error;
                (near, near.squared > certain_distance * certain_distance)
            }
            [BoxOrTriangle::Triangle(a), BoxOrTriangle::Obb(b)] => {
                closest_points_and_separation(a, &moved(b), error)
            }
            [BoxOrTriangle::Obb(a), BoxOrTriangle::Triangle(b)] => {
                let (near, surely) = closest_points_and_separation(&seen(b), &solid(a), error);
                (near.reversed(), surely)
            }
        }
    }

    /// Returns a point of a primitive of the first part.
    pub fn point_of_first(&self, a: u32) -> Vec3 {
        self.parts[0].0.primitive_point(a)
    }

    fn stored_pair(&self, a: u32, b: u32) -> StoredPair<'a> {
        StoredPair::from_geometries([(self.parts[0].0, a), (self.parts[1].0, b)])
    }

    fn decide_approximately(&self, primitives: [&BoxOrTriangle; 2]) -> Option<bool> {
        match primitives {
            [BoxOrTriangle::Triangle(a), BoxOrTriangle::Triangle(b)] => {
                triangle_exact::overlap_by_signs(
                    a,
                    &b.map(|p| self.relation.to_first(p)),
                    &self.relation,
                )
            }
            [BoxOrTriangle::Obb(a), BoxOrTriangle::Obb(b)] => {
                boxes_overlap(a, b, &self.relation, self.box_error(a, b))
            }
            [BoxOrTriangle::Obb(a), BoxOrTriangle::Triangle(b)] => {
                self.box_triangle(a, &b.map(|p| self.relation.to_first(p)))
            }
            [BoxOrTriangle::Triangle(a), BoxOrTriangle::Obb(b)] => {
                let axes = matrix_product(&self.relation.rotation, &b.axes);
                let seen = WideObb { center: self.relation.to_first(b.center), axes, ..*b };
                self.box_triangle(&seen, a)
            }
        }
    }

    /// Returns the error of the test of two boxes.
    fn box_error(&self, a: &WideObb, b: &WideObb) -> f64 {
        T::LEAF_SLACK * (a.radius() + b.radius() + self.size_pad)
    }

    fn box_triangle(&self, solid: &WideObb, triangle: &TriangleCorners) -> Option<bool> {
        let size = triangle.iter().map(|&p| length(sub(p, solid.center))).fold(0.0, f64::max);
        let slack = T::LEAF_SLACK * (solid.radius() + size + self.size_pad);
        box_overlaps_triangle(solid, triangle, slack)
    }

    /// Decides in exact arithmetic. Not inlined: exact numbers need so much stack that reserving it
    /// would cost more than all other tests.
    #[cold]
    #[inline(never)]
    fn decide_exactly(&mut self, primitives: [&BoxOrTriangle; 2]) -> bool {
        let [(_, first), (_, second)] = &self.parts;
        if first == second && share_corner(primitives) {
            return true;
        }
        let exactly =
            &*self.exact_relation.get_or_insert_with(|| ExactRelativePose::new(first, second));
        if let [BoxOrTriangle::Triangle(a), BoxOrTriangle::Triangle(b)] = primitives {
            let (a, b) = (a.map(|p| exactly.first_point(p)), b.map(|p| exactly.second_point(p)));
            return triangle_exact::overlap_exactly(&a, &b);
        }
        let first = match primitives[0] {
            BoxOrTriangle::Triangle(a) => {
                ExactBody::from_triangle(a.map(|p| exactly.first_point(p)))
            }
            BoxOrTriangle::Obb(a) => {
                let axes = a.axes.map(|axis| exactly.first_direction(axis));
                ExactBody::from_box(&exactly.first_point(a.center), axes, a.half_extents)
            }
        };
        let second = match primitives[1] {
            BoxOrTriangle::Triangle(b) => {
                ExactBody::from_triangle(b.map(|p| exactly.second_point(p)))
            }
            BoxOrTriangle::Obb(b) => {
                let axes = b.axes.map(|axis| exactly.second_direction(axis));
                ExactBody::from_box(&exactly.second_point(b.center), axes, b.half_extents)
            }
        };
        first.overlaps(&second)
    }
}

/// Returns `true` if two triangles share a corner as stored: nearly all touching triangles of two
/// copies of one part in one pose do.
fn share_corner(primitives: [&BoxOrTriangle; 2]) -> bool {
    match primitives {
        [BoxOrTriangle::Triangle(a), BoxOrTriangle::Triangle(b)] => a.iter().any(|p| b.contains(p)),
        _ => false,
    }
}

/// Computes the closest points of two shapes whose coordinates have an error of at most `error`.
fn closest_points_and_separation<A: CoreShape + CorePair<B>, B: CoreShape>(
    a: &A,
    b: &B,
    error: f64,
) -> (ClosestOnCores, bool) {
    let near = a.closest(b);
    let is_clear = near.squared > (64.0 * error) * (64.0 * error);
    (near, is_clear && a.is_surely_disjoint(b, &near))
}

/// A primitive in the frame of its part: a triangle or a box, which are decided exactly, or another
/// convex body.
pub(in crate::tree) enum StoredPrimitive<'a> {
    Flat(BoxOrTriangle),
    Round(&'a dyn Support),
}

impl<'a> StoredPrimitive<'a> {
    #[inline]
    pub fn from_geometry<T: Scalar>(geometry: &'a Geometry<T>, index: u32) -> Self {
        let triangle =
            |mesh: &Mesh<T>| BoxOrTriangle::Triangle(mesh.triangle(index as usize).corners);
        StoredPrimitive::Flat(match geometry {
            Geometry::Surface(mesh) | Geometry::Solid(mesh) => triangle(mesh),
            Geometry::Boxes(boxes) => BoxOrTriangle::Obb(boxes[index as usize].wide()),
            Geometry::Convex(shapes) => match &shapes[index as usize] {
                ConvexShape::Box(solid) => BoxOrTriangle::Obb(solid.wide()),
                ConvexShape::Triangle(triangle) => BoxOrTriangle::Triangle(triangle.wide().corners),
                round => return StoredPrimitive::Round(round.body()),
            },
            Geometry::None => BoxOrTriangle::Triangle([[f64::NAN; 3]; 3]),
        })
    }

    fn body(&self) -> &dyn Support {
        match self {
            StoredPrimitive::Flat(primitive) => primitive,
            StoredPrimitive::Round(body) => *body,
        }
    }
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Returns a primitive of the first part and one of the second, in canonical order.
    pub(in crate::tree) fn stored_pair(&self, [a, b]: [u32; 2]) -> StoredPair<'a> {
        let [first, second] = self.geometries();
        StoredPair::from_geometries([(first, a), (second, b)])
    }

    /// Returns the geometry of the first part and of the second, in canonical order.
    pub(in crate::tree) fn geometries(&self) -> [&'a Geometry<T>; 2] {
        let ordered = self.ordered_pair();
        [ordered.first.tree.geometry(), ordered.second.tree.geometry()]
    }
}

/// Two primitives, each in the frame of its part.
pub(in crate::tree) struct StoredPair<'a>([StoredPrimitive<'a>; 2]);

impl<'a> StoredPair<'a> {
    /// Reads a primitive of each of two geometries.
    #[inline]
    pub fn from_geometries<T: Scalar>(
        [(first, a), (second, b)]: [(&'a Geometry<T>, u32); 2],
    ) -> Self {
        StoredPair([
            StoredPrimitive::from_geometry(first, a),
            StoredPrimitive::from_geometry(second, b),
        ])
    }

    /// Returns the two primitives if both are triangles or boxes.
    #[inline]
    pub fn as_flat(&self) -> Option<[&BoxOrTriangle; 2]> {
        match &self.0 {
            [StoredPrimitive::Flat(a), StoredPrimitive::Flat(b)] => Some([a, b]),
            _ => None,
        }
    }

    /// Returns the first shift of the second along a direction, at least `from`, at which the two
    /// touch, and the axis from the second to the first: see [`ConvexPair::first_shift`].
    pub fn first_shift<T: Scalar>(
        &self,
        pair: &TreePair<'_, T>,
        direction: Vec3,
        from: f64,
    ) -> Option<(f64, Vec3)> {
        self.convex_pair(&pair.relation()).first_shift(direction, from)
    }

    /// Returns the two as convex bodies, the second in the frame of the first.
    pub fn convex_pair(&self, relation: &RelativePose) -> ConvexPair<'_> {
        let RelativePose { rotation, offset, error } = *relation;
        ConvexPair { bodies: [self.0[0].body(), self.0[1].body()], rotation, offset, error }
    }
}
