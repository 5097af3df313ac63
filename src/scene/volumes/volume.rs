//! Traits of a query volume: [`Volume`] in the world, tested against 16 world AABBs at a time in
//! single precision, and [`LocalVolume`] in the frame of one part, tested against its tree in
//! double precision.
//!
//! A query is resolved to its types once, in [`dispatch`](super::dispatch); the one
//! [traversal](super::traverse) is compiled for each. A new kind implements `BlockTest`, `Volume`
//! and `LocalRegion` in one file, and takes a line there; only rays implement [`LocalVolume`]
//! directly.
//!
//! # Error bound
//! Transforming into the frame of a part changes each coordinate by less than `80 e` of the
//! distance and the part's radius about its origin (third item of
//! [`tolerance`](crate::num::tolerance)). Every test in that frame is padded by `512 e`, and tests
//! against oriented boxes also by the slack of their axes, so nothing that shares a point is
//! missed. The tests in single precision reject no box that these tests would accept.

use super::collect::QueryAnswer;
use super::wide_ray::WideRay;
use super::wide_region::WideRegion;
use crate::broad_phase::{Aabb16, AabbF32, BLOCK, RayEntries, prefix_mask};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Mat3, Vec3, dot, sub};
use crate::num::simd::{FloatKernel, Floats, Lanes};
use crate::pair::convex::{ConvexPair, Support};
use crate::pair::rounded::triangle_exact::TriangleCorners;
use crate::shape::{Aabb, Obb, Placement, WideObb, wide_point};
use crate::tree::{Geometry, Node, NodeId, ObbTree};

/// Bound on the error of a volume in the frame of a part, as a share of the input distances and
/// sizes: `512 e`. No unit.
pub(super) const FRAME_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Bound on the distance at which a volume and a convex primitive count as overlapping, in errors
/// of the frame. No unit.
///
/// [`ConvexPair`] allows for the error of the frame twice, and its yes is off by up to `2^-42` of
/// sizes and coordinates, four times [`FRAME_ERROR`]; the frame itself is off by a sixth. The rest
/// makes it `2^-40`, as for two primitives. With the error of the frame alone, balls that are apart
/// by more than the stated slack are reported.
const CONVEX_ERRORS: f64 = 16.0;

/// The identity: the world as a frame.
pub(super) const WORLD_FRAME: Placement = Placement { rotation: IDENTITY, position: [0.0; 3] };

/// A block, and the number of its boxes; they occupy the first lanes.
pub(super) type BlockBoxes<'b> = (&'b Aabb16, usize);

/// Masks over the boxes of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockHits {
    /// Boxes that may share a point with the volume; a superset of those that do.
    pub hit: u32,
    /// Boxes that certainly lie inside the volume; a subset of those that do.
    pub inside: u32,
}

/// A query volume that is tested against blocks of world AABBs.
pub(super) trait BlockTest {
    /// Tests the boxes in single precision. Bits beyond the number of boxes are undefined. Writes
    /// the distances of the boxes along a ray.
    fn test_block<L: Floats>(
        &self,
        token: L::Token,
        boxes: BlockBoxes,
        near: &mut RayEntries,
    ) -> BlockHits;
}

/// Masks over up to 64 boxes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BoxHits {
    /// Like [`BlockHits::hit`]; zero beyond the number of boxes.
    pub hit: u64,
    /// Like [`BlockHits::inside`]; undefined beyond the number of boxes.
    pub inside: u64,
}

/// The test of a volume against the first boxes of some blocks: the part of a traversal that is
/// compiled for every SIMD level.
pub(super) struct BoxTestKernel<'b, V> {
    pub volume: &'b V,
    pub blocks: &'b [Aabb16],
    pub len: usize,
    /// Distances of the boxes along a ray, by block.
    pub begins: &'b mut [RayEntries],
}

impl<V: BlockTest> FloatKernel for BoxTestKernel<'_, V> {
    type Output = BoxHits;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> BoxHits {
        let (mut hits, mut first) = (BoxHits::default(), 0);
        for (block, begins) in self.blocks.iter().zip(self.begins) {
            let of = self.volume.test_block::<L>(token, (block, self.len - first), begins);
            hits.hit |= u64::from(of.hit) << first;
            hits.inside |= u64::from(of.inside) << first;
            first += BLOCK;
        }
        hits.hit &= prefix_mask(self.len);
        hits
    }
}

/// A query volume in the world.
pub(super) trait Volume<T: Scalar>: BlockTest + Sized {
    /// The answers of a query with it.
    type Answer: QueryAnswer<T>;
    /// The volume in the frame of a part.
    type Local<'p>: LocalVolume<T, Details = <Self::Answer as QueryAnswer<T>>::Details>
    where
        Self: 'p;

    /// `true` if hits are visited the nearest first; otherwise in the order of answers.
    const NEAREST_FIRST: bool = false;
    /// `true` if the world AABB of a character is [tested](Volume::may_overlap) before its parts.
    const TESTS_CHARACTERS: bool = false;
    /// `true` if the world AABB of a part is [tested](Volume::may_overlap) before its tree.
    const TESTS_PARTS: bool = false;
    /// `true` if parts of one box are [tested](Volume::overlaps_unrotated) without their rotation.
    const TESTS_UNROTATED: bool = false;

    /// Returns the volume of a query, for world AABBs with coordinate sums of at most `out`; `None`
    /// for an empty volume. With `any`, where one hit suffices, no box is classified as inside: it
    /// would cost more than it saves.
    fn new(query: &<Self::Answer as QueryAnswer<T>>::Query, out: f32, any: bool) -> Option<Self>;

    /// Returns `true` if the volume may overlap a world AABB, in double precision.
    fn may_overlap(&self, _bounds: &Aabb<T, 3>) -> bool {
        true
    }

    /// Transforms the volume into the frame of a part.
    fn in_part_frame<'p>(&'p self, placement: &'p Placement, tree: &ObbTree<T>) -> Self::Local<'p>;

    /// Returns the error of [`Volume::in_part_frame`], for volumes that classify boxes as
    /// [inside](BlockHits::inside), given the position of the part, its placement, which costs more
    /// to compute, and its radius about its origin [length units].
    fn frame_error(
        &self,
        _position: Vec3,
        _placement: impl FnOnce() -> Placement,
        _reach: f64,
    ) -> f64 {
        f64::INFINITY
    }

    /// Returns `true` if the volume certainly overlaps a box along the frame of a part at that
    /// position, given by centre and half extents, however the part is rotated.
    /// [`LocalVolume::test_only_box`] then returns a hit.
    fn overlaps_unrotated(&self, _position: Vec3, _only: [Vec3; 2]) -> bool {
        false
    }

    /// Returns a point of the volume as stored, to test whether the volume lies inside a solid
    /// part; `None` for an unbounded volume, which never does.
    fn sample_point(&self) -> Option<Vec3>;

    /// Returns the start of a ray.
    fn ray_start(&self) -> Option<Vec3> {
        None
    }

    /// Shortens a ray to this length.
    fn shorten_to(&mut self, _t: f64) {}

    /// Returns `true` if a box that begins at `near` lies beyond the end of the ray.
    fn ends_before(&self, _near: f32) -> bool {
        false
    }
}

/// A query volume in the frame of a part.
pub(super) trait LocalVolume<T: Scalar> {
    /// The details of a hit.
    type Details: Copy + Default;
    /// The result of a successful test of a node's aligned box.
    type Entry: Copy;

    /// `true` if nodes are visited the nearest first; otherwise in stack order.
    const NEAREST_FIRST: bool = false;
    /// `true` if anything is tested, and so counted.
    const TESTED: bool = true;

    /// Bounds the distance of volume and geometry where a box of that radius is hit [length units].
    fn pad(&self, radius: f64) -> f64;

    /// Like [`LocalVolume::pad`], where a primitive of the box is hit; `is_convex` for
    /// [`Primitive::Convex`].
    fn primitive_pad(&self, radius: f64, _is_convex: bool) -> f64 {
        self.pad(radius)
    }

    /// Tests the aligned box of a node; with `both`, which is set for rays only, the oriented box
    /// too.
    fn enter_node(&self, node: &Node<T>, both: bool) -> Option<Self::Entry>;

    /// Returns a ray in the form that tests wide nodes of a tree; `None` for other volumes.
    fn wide_ray(&self, _tree: &ObbTree<T>) -> Option<WideRay> {
        None
    }

    /// Returns a box around a region in the form that tests wide nodes of a tree; `None` for rays
    /// and other volumes.
    fn wide_region(&self, _tree: &ObbTree<T>) -> Option<WideRegion> {
        None
    }

    /// Returns the distance of the entry along a ray.
    fn entry_distance(&self, _entry: Self::Entry) -> f64 {
        0.0
    }

    /// Returns the error of distances along a ray [length units].
    fn distance_error(&self) -> f64 {
        0.0
    }

    /// Tests both boxes of a node; `radius` is that of the oriented one. `entry` is the result of
    /// [`LocalVolume::enter_node`], if still available.
    fn test_node_boxes(
        &self,
        node: (&ObbTree<T>, NodeId),
        radius: f64,
        entry: Option<Self::Entry>,
    ) -> Option<Self::Details>;

    /// Tests the only box of a part, aligned with the frame: centre and half extents. Without the
    /// slack for oriented boxes, because nothing was rotated. Not called for rays.
    fn test_only_box(&self, only: [Vec3; 2]) -> Option<Self::Details>;

    /// Tests a primitive.
    fn test_primitive(&self, primitive: Primitive<'_, T>) -> Option<Self::Details>;

    /// Tests a triangle of a leaf. The flag is `true` if the boxes of the leaf are surely hit, too.
    fn test_triangle(&self, corners: &TriangleCorners) -> Option<(Self::Details, bool)> {
        Some((self.test_primitive(Primitive::Triangle(*corners))?, false))
    }

    /// Returns the distance of a hit along a ray.
    fn hit_distance(&self, _met: Self::Details) -> f64 {
        0.0
    }
}

/// A primitive in the frame of its part.
#[derive(Clone, Copy)]
pub(super) enum Primitive<'g, T: Scalar> {
    Box(&'g Obb<T>),
    Triangle(TriangleCorners),
    Convex(&'g dyn Support),
}

impl<'g, T: Scalar> Primitive<'g, T> {
    /// Returns the primitive of that index.
    pub fn at_index(geometry: &'g Geometry<T>, index: usize) -> Option<Self> {
        Some(match geometry {
            Geometry::Boxes(boxes) => Primitive::Box(&boxes[index]),
            Geometry::Convex(shapes) => Primitive::Convex(shapes[index].body()),
            _ => Primitive::Triangle(geometry.mesh()?.triangle(index).corners),
        })
    }
}

/// A convex volume in the frame of a part: any but a ray. Its hits have no details.
pub(super) trait LocalRegion {
    /// Returns a bound on the error of the volume and the frame [length units].
    fn error(&self) -> f64;

    /// Returns the radius of a round volume; otherwise 0 [length units].
    fn radius(&self) -> f64 {
        0.0
    }

    /// Returns a box that contains the volume; `None` if it would be no smaller than most nodes.
    fn containing_box(&self) -> Option<WideObb> {
        None
    }

    /// Returns `true` if the volume may share a point with a box along the frame: centre and half
    /// extents. Without the slack for oriented boxes, because nothing was rotated.
    fn overlaps_box(&self, only: [Vec3; 2]) -> bool;

    /// Like [`LocalRegion::overlaps_box`], for the only box of a part.
    #[inline(always)]
    fn overlaps_only_box(&self, only: [Vec3; 2]) -> bool {
        self.overlaps_box(only)
    }

    /// Like [`LocalRegion::overlaps_box`], for an aligned box given by its ends.
    #[inline(always)]
    fn overlaps_aabb<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> bool {
        let (center, half) = bounds.wide();
        self.overlaps_box([center, half])
    }

    /// Returns `true` if the volume may share a point with an oriented box; `slack` is that of its
    /// axes, for its radius and the volume's [length units].
    fn overlaps_obb(&self, solid: &WideObb, slack: f64) -> bool;

    /// Returns `true` if the volume may share a point with a triangle.
    fn overlaps_triangle(&self, corners: &TriangleCorners) -> bool;

    /// Returns `true` if the volume may share a point with another convex primitive.
    fn overlaps_convex(&self, body: &dyn Support) -> bool;

    /// Returns a bound on the distance of another convex primitive that
    /// [overlaps](LocalRegion::overlaps_convex) [length units].
    fn convex_error(&self) -> f64 {
        CONVEX_ERRORS * self.error()
    }
}

impl<T: Scalar, R: LocalRegion> LocalVolume<T> for R {
    type Details = ();
    /// `true` if the oriented box is axis-aligned and inside the aligned one: then it alone
    /// decides.
    type Entry = bool;

    #[inline(always)]
    fn pad(&self, radius: f64) -> f64 {
        pad::<T>(self.error(), radius + self.radius())
    }

    fn primitive_pad(&self, radius: f64, is_convex: bool) -> f64 {
        let error = if is_convex { self.convex_error() } else { self.error() };
        pad::<T>(error, radius + self.radius())
    }

    #[inline(always)]
    fn wide_region(&self, tree: &ObbTree<T>) -> Option<WideRegion> {
        WideRegion::new(tree, &self.containing_box()?, self.error())
    }

    #[inline(always)]
    fn enter_node(&self, node: &Node<T>, _: bool) -> Option<bool> {
        let oriented_is_aligned = oriented_is_aligned(node);
        (oriented_is_aligned || self.overlaps_aabb(node.aligned())).then_some(oriented_is_aligned)
    }

    #[inline(always)]
    fn test_node_boxes(
        &self,
        (tree, id): (&ObbTree<T>, NodeId),
        radius: f64,
        oriented_is_aligned: Option<bool>,
    ) -> Option<()> {
        let solid = tree.node(id).oriented().wide();
        let met = match oriented_is_aligned {
            Some(true) => self.overlaps_box([solid.center, solid.half_extents]),
            _ => self.overlaps_obb(&solid, T::LEAF_SLACK * (radius + self.radius())),
        };
        met.then_some(())
    }

    #[inline(always)]
    fn test_only_box(&self, only: [Vec3; 2]) -> Option<()> {
        self.overlaps_only_box(only).then_some(())
    }

    #[inline(always)]
    fn test_primitive(&self, primitive: Primitive<'_, T>) -> Option<()> {
        let met = match primitive {
            Primitive::Box(solid) => {
                let solid = solid.wide();
                self.overlaps_obb(&solid, T::LEAF_SLACK * (solid.radius() + self.radius()))
            }
            Primitive::Triangle(corners) => self.overlaps_triangle(&corners),
            Primitive::Convex(body) => self.overlaps_convex(body),
        };
        met.then_some(())
    }
}

/// Returns `true` if a convex primitive may share a point with a body; `rotation` is that of the
/// body's frame.
pub(super) fn may_overlap_convex(bodies: [&dyn Support; 2], rotation: Mat3, error: f64) -> bool {
    ConvexPair { bodies, rotation, offset: [0.0; 3], error }.touches(0.0)
}

/// A volume that hits all of a part: one that contains it, or overlaps its only box and counts
/// (`TESTED`) as tested.
pub(super) struct WholePart<M, const TESTED: bool> {
    /// The error from [`Volume::frame_error`].
    pub error: f64,
    /// The details of every hit.
    pub details: M,
}

impl<T: Scalar, M: Copy + Default, const TESTED: bool> LocalVolume<T> for WholePart<M, TESTED> {
    type Details = M;
    type Entry = ();

    const TESTED: bool = TESTED;

    #[inline(always)]
    fn pad(&self, radius: f64) -> f64 {
        pad::<T>(self.error, radius)
    }

    #[inline(always)]
    fn enter_node(&self, _: &Node<T>, _: bool) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn test_node_boxes(&self, _: (&ObbTree<T>, NodeId), _: f64, _: Option<()>) -> Option<M> {
        Some(self.details)
    }

    #[inline(always)]
    fn test_only_box(&self, _: [Vec3; 2]) -> Option<M> {
        Some(self.details)
    }

    fn test_primitive(&self, _: Primitive<'_, T>) -> Option<M> {
        Some(self.details)
    }
}

/// Bounds the distance of a volume with that error and a box that overlap by the tests; `size` is
/// half the diagonal plus the radius of a round volume [length units].
#[inline(always)]
fn pad<T: Scalar>(error: f64, size: f64) -> f64 {
    error + T::LEAF_SLACK * size
}

/// Returns `true` if the oriented box of a leaf is axis-aligned and inside the aligned one, so that
/// a volume that overlaps it overlaps both.
#[inline(always)]
fn oriented_is_aligned<T: Scalar>(node: &Node<T>) -> bool {
    if node.children().is_some() {
        return false;
    }
    let solid = node.oriented().wide();
    let (low, high) = (wide_point(node.aligned().min), wide_point(node.aligned().max));
    let (center, half) = (solid.center, solid.half_extents);
    let held = |i: usize| center[i] - half[i] >= low[i] && center[i] + half[i] <= high[i];
    solid.axes == IDENTITY && held(0) && held(1) && held(2)
}

/// Returns the distance of the furthest corner from a point.
#[inline(always)]
pub(super) fn max_corner_distance(corners: &[Vec3], from: Vec3) -> f64 {
    let mut most = 0.0;
    for &corner in corners {
        let to = sub(corner, from);
        let square = dot(to, to);
        most = if square > most { square } else { most };
    }
    most.sqrt()
}

/// Returns the least and the greatest coordinates of points.
#[inline(always)]
pub(super) fn point_bounds(points: &[Vec3]) -> [Vec3; 2] {
    let [mut low, mut high] = [points[0]; 2];
    for point in points {
        for i in 0..3 {
            low[i] = low[i].low(point[i]);
            high[i] = high[i].high(point[i]);
        }
    }
    [low, high]
}

/// Returns an AABB in single precision of the points within a distance of a box given by its ends.
#[inline(always)]
pub(super) fn grown_aabb([mut low, mut high]: [Vec3; 2], radius: f64) -> AabbF32 {
    for i in 0..3 {
        low[i] -= radius + low[i].abs() * f64::EPSILON;
        high[i] += radius + high[i].abs() * f64::EPSILON;
    }
    AabbF32::from_corners([low, high])
}
