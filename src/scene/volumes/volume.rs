//! What every kind of query volume answers, in two traits: [`Volume`] against world boxes, 16 at a
//! time in single precision, and [`LocalVolume`] against the tree of one part, in the part's frame
//! and in double precision.
//!
//! A kind is resolved to its types once, at the top, in [`batch`](super::batch); the one
//! [traversal](super::traverse) is compiled for each. A new kind is a file with both traits and a
//! line there.
//!
//! # What is certain
//! Seen from a part each coordinate is off by less than `80 e` of the distance and the part's reach
//! (third item of [`tolerance`](crate::num::tolerance)). Every test in the frame of a part is
//! passed with `512 e` to spare, and against oriented boxes with the slack of their axes: so
//! nothing that shares a point is left out. Single precision leaves out no box that would be met
//! there.

use super::collect::Answer;
use super::wide_ray::WideRay;
use crate::broad_phase::{Aabb16, AabbF32, BLOCK, RayEntries, filled};
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Mat3, Vec3, dot, sub};
use crate::num::simd::{FloatKernel, Floats, Lanes};
use crate::pair::convex::{ConvexPair, Support};
use crate::pair::triangles::Corners;
use crate::shape::{Aabb, Obb, Placement, WideObb, wide_point};
use crate::tree::{Geometry, Node, NodeId, ObbTree};

/// What a volume is off in the frame of a part, as a share of the distances and sizes that go in:
/// half a unit in the last place, 512 times. No unit.
pub(super) const SHARE: f64 = 1.0 / (1u64 << 44) as f64;

/// The world as a frame.
pub(super) const WORLD: Placement = Placement { rotation: IDENTITY, position: [0.0; 3] };

/// A block, and how many of its boxes are there: they stand first.
pub(super) type BlockBoxes<'b> = (&'b Aabb16, usize);

/// A bit for each box of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockHits {
    /// May share a point with the volume; never too few.
    pub met: u32,
    /// Surely lie in the volume as a whole; never too many.
    pub inside: u32,
}

/// A query volume against the world boxes of a block.
pub(super) trait BlockTest {
    /// Tests the boxes in single precision. Bits of what is not there mean nothing. Writes where
    /// they begin if it is a ray.
    fn test_block<L: Floats>(
        &self,
        token: L::Token,
        boxes: BlockBoxes,
        near: &mut RayEntries,
    ) -> BlockHits;
}

/// A bit for each of up to 64 boxes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BoxHits {
    /// As [`BlockHits::met`], of boxes that are there.
    pub met: u64,
    /// As [`BlockHits::inside`]; of boxes that are not there it means nothing.
    pub inside: u64,
}

/// A volume against the first boxes of some blocks: what of a traversal is compiled for every SIMD
/// level.
pub(super) struct TestBoxes<'b, V> {
    pub volume: &'b V,
    pub blocks: &'b [Aabb16],
    pub len: usize,
    /// Where the boxes begin along a ray, by block.
    pub begins: &'b mut [RayEntries],
}

impl<V: BlockTest> FloatKernel for TestBoxes<'_, V> {
    type Output = BoxHits;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> BoxHits {
        let (mut hits, mut first) = (BoxHits::default(), 0);
        for (block, begins) in self.blocks.iter().zip(self.begins) {
            let of = self.volume.test_block::<L>(token, (block, self.len - first), begins);
            hits.met |= u64::from(of.met) << first;
            hits.inside |= u64::from(of.inside) << first;
            first += BLOCK;
        }
        hits.met &= filled(self.len);
        hits
    }
}

/// A query volume in the world.
pub(super) trait Volume<T: Scalar>: BlockTest + Sized {
    /// What a query with it is answered by.
    type Answer: Answer<T>;
    /// The volume in the frame of a part.
    type Local<'p>: LocalVolume<T, Met = <Self::Answer as Answer<T>>::Met>
    where
        Self: 'p;

    /// Whether what it meets is visited the nearest first; otherwise in the order of answers.
    const NEAREST_FIRST: bool = false;
    /// Whether the world box of a character is [tested](Volume::may_meet) before its parts.
    const TESTS_CHARACTERS: bool = false;
    /// Whether that of a part is before its tree.
    const TESTS_PARTS: bool = false;

    /// The volume of a query, for world boxes no further out than `out`; `None` for what holds
    /// nothing. Where `any` hit will do, to tell what lies inside costs more than it saves.
    fn new(query: &<Self::Answer as Answer<T>>::Query, out: f32, any: bool) -> Option<Self>;

    /// Whether it may meet a world box, in double precision.
    fn may_meet(&self, _bounds: &Aabb<T, 3>) -> bool {
        true
    }

    /// The volume in the frame of a part.
    fn in_part<'p>(&'p self, place: &'p Placement, tree: &ObbTree<T>) -> Self::Local<'p>;

    /// What it is off in the frame of a part, as [`Volume::in_part`] has it; asked of volumes that
    /// tell boxes [inside](BlockHits::inside). `reach` is how far the part's points are from its
    /// origin. Units.
    fn doubt(&self, _place: &Placement, _reach: f64) -> f64 {
        f64::INFINITY
    }

    /// A point of it as stored, for the question whether all of it lies inside a solid part; `None`
    /// for what has no end, which never does.
    fn point(&self) -> Option<Vec3>;

    /// Where a ray starts.
    fn start(&self) -> Option<Vec3> {
        None
    }

    /// From now on a ray ends there.
    fn end_at(&mut self, _t: f64) {}

    /// Whether what begins there lies beyond the end of a ray.
    fn ends_before(&self, _near: f32) -> bool {
        false
    }
}

/// A query volume in the frame of a part.
pub(super) trait LocalVolume<T: Scalar> {
    /// Where it meets something.
    type Met: Copy + Default;
    /// What is known of a node whose aligned box it meets.
    type Entry: Copy;

    /// Whether nodes are visited the nearest first; otherwise in the order of a stack.
    const NEAREST_FIRST: bool = false;
    /// Whether anything is tested, and so counted.
    const TESTED: bool = true;

    /// How far apart volume and geometry may be where a box of that radius is met. Units.
    fn pad(&self, radius: f64) -> f64;

    /// The same where a primitive of the box is met.
    fn primitive_pad(&self, radius: f64) -> f64 {
        self.pad(radius)
    }

    /// Whether it may meet what is in a node, by the aligned box; for `both`, which rays alone are
    /// asked, by the oriented box too.
    fn enters(&self, node: &Node<T>, both: bool) -> Option<Self::Entry>;

    /// A ray as seen from the wide nodes of a tree.
    fn in_wide_nodes(&self, _tree: &ObbTree<T>) -> Option<WideRay> {
        None
    }

    /// How far along a ray the entry is.
    fn time(&self, _entry: Self::Entry) -> f64 {
        0.0
    }

    /// What a ray is off. Units.
    fn time_pad(&self) -> f64 {
        0.0
    }

    /// Where it meets both boxes of a node, whose oriented one has that radius. `entry` is what
    /// [`LocalVolume::enters`] said, unless it is no longer at hand.
    fn meets_boxes(
        &self,
        node: (&ObbTree<T>, NodeId),
        radius: f64,
        entry: Option<Self::Entry>,
    ) -> Option<Self::Met>;

    /// Where it meets the only box of a part, which stands along the frame: centre and half
    /// extents. Nothing of it was turned, so nothing is to spare for that. Not asked of rays.
    fn meets_upright(&self, only: [Vec3; 2]) -> Option<Self::Met>;

    /// Where it meets a primitive.
    fn meets_primitive(&self, primitive: Primitive<'_, T>) -> Option<Self::Met>;

    /// How far along a ray what is met lies.
    fn met_at(&self, _met: Self::Met) -> f64 {
        0.0
    }
}

/// A primitive in the frame of its part.
#[derive(Clone, Copy)]
pub(super) enum Primitive<'g, T: Scalar> {
    Box(&'g Obb<T>),
    Triangle(Corners),
    Convex(&'g dyn Support),
}

impl<'g, T: Scalar> Primitive<'g, T> {
    /// The primitive of that index.
    pub fn of(geometry: &'g Geometry<T>, index: usize) -> Option<Self> {
        Some(match geometry {
            Geometry::Boxes(boxes) => Primitive::Box(&boxes[index]),
            Geometry::Convex(shapes) => Primitive::Convex(shapes[index].body()),
            _ => Primitive::Triangle(geometry.mesh()?.triangle(index).corners),
        })
    }
}

/// A convex volume in the frame of a part: any but a ray. What it meets has no place.
pub(super) trait LocalRegion {
    /// What it and the frame are off. Units.
    fn doubt(&self) -> f64;

    /// The radius of a round one. Units.
    fn radius(&self) -> f64 {
        0.0
    }

    /// Whether it may share a point with a box along the frame: centre and half extents. Nothing of
    /// it was turned, so nothing is to spare for that.
    fn meets_along(&self, only: [Vec3; 2]) -> bool;

    /// The same of a box that is all there is of a part.
    #[inline(always)]
    fn meets_only(&self, only: [Vec3; 2]) -> bool {
        self.meets_along(only)
    }

    /// The same of an aligned box given by its ends.
    #[inline(always)]
    fn meets_aligned<T: Scalar>(&self, bounds: &Aabb<T, 3>) -> bool {
        let (center, half) = bounds.wide();
        self.meets_along([center, half])
    }

    /// Whether it may share a point with an oriented box; `slack` is what its axes are off, grown
    /// by the radius. Units.
    fn meets_oriented(&self, solid: &WideObb, slack: f64) -> bool;

    /// Whether it may share a point with a triangle.
    fn meets_triangle(&self, corners: &Corners) -> bool;

    /// Whether it may share a point with another convex primitive.
    fn meets_convex(&self, body: &dyn Support) -> bool;
}

impl<T: Scalar, R: LocalRegion> LocalVolume<T> for R {
    type Met = ();
    /// Whether the oriented box lies along the aligned one and in it: then that box alone decides.
    type Entry = bool;

    #[inline(always)]
    fn pad(&self, radius: f64) -> f64 {
        pad::<T>(self.doubt(), radius + self.radius())
    }

    #[inline(always)]
    fn enters(&self, node: &Node<T>, _: bool) -> Option<bool> {
        let upright = is_upright(node);
        (upright || self.meets_aligned(node.aligned())).then_some(upright)
    }

    #[inline(always)]
    fn meets_boxes(
        &self,
        (tree, id): (&ObbTree<T>, NodeId),
        radius: f64,
        upright: Option<bool>,
    ) -> Option<()> {
        let solid = tree.node(id).oriented().wide();
        let met = match upright {
            Some(true) => self.meets_along([solid.center, solid.half_extents]),
            _ => self.meets_oriented(&solid, T::LEAF_SLACK * (radius + self.radius())),
        };
        met.then_some(())
    }

    #[inline(always)]
    fn meets_upright(&self, only: [Vec3; 2]) -> Option<()> {
        self.meets_only(only).then_some(())
    }

    #[inline(always)]
    fn meets_primitive(&self, primitive: Primitive<'_, T>) -> Option<()> {
        let met = match primitive {
            Primitive::Box(solid) => {
                let solid = solid.wide();
                self.meets_oriented(&solid, T::LEAF_SLACK * (solid.radius() + self.radius()))
            }
            Primitive::Triangle(corners) => self.meets_triangle(&corners),
            Primitive::Convex(body) => self.meets_convex(body),
        };
        met.then_some(())
    }
}

/// Whether a convex primitive may share a point with a body of the same frame, but for `rotation`:
/// that of the body's frame.
pub(super) fn convex_meet(bodies: [&dyn Support; 2], rotation: Mat3, doubt: f64) -> bool {
    ConvexPair { bodies, rotation, offset: [0.0; 3], doubt }.touches(0.0)
}

/// A volume that holds the whole of a part: all of the part is met, untested.
pub(super) struct WholePart<M> {
    /// As [`Volume::doubt`].
    pub doubt: f64,
    /// What is said to be met.
    pub met: M,
}

impl<T: Scalar, M: Copy + Default> LocalVolume<T> for WholePart<M> {
    type Met = M;
    type Entry = ();

    const TESTED: bool = false;

    #[inline(always)]
    fn pad(&self, radius: f64) -> f64 {
        pad::<T>(self.doubt, radius)
    }

    #[inline(always)]
    fn enters(&self, _: &Node<T>, _: bool) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn meets_boxes(&self, _: (&ObbTree<T>, NodeId), _: f64, _: Option<()>) -> Option<M> {
        Some(self.met)
    }

    #[inline(always)]
    fn meets_upright(&self, _: [Vec3; 2]) -> Option<M> {
        Some(self.met)
    }

    fn meets_primitive(&self, _: Primitive<'_, T>) -> Option<M> {
        Some(self.met)
    }
}

/// How far apart a volume with that doubt and a box may be where they are said to meet; `size` is
/// half the diagonal, and the radius of a round volume. Units.
#[inline(always)]
fn pad<T: Scalar>(doubt: f64, size: f64) -> f64 {
    doubt + T::LEAF_SLACK * size
}

/// Whether the oriented box of a leaf lies along the aligned one and in it: then what meets it
/// meets both.
#[inline(always)]
fn is_upright<T: Scalar>(node: &Node<T>) -> bool {
    if node.children().is_some() {
        return false;
    }
    let solid = node.oriented().wide();
    let (low, high) = (wide_point(node.aligned().min), wide_point(node.aligned().max));
    let (center, half) = (solid.center, solid.half_extents);
    let held = |i: usize| center[i] - half[i] >= low[i] && center[i] + half[i] <= high[i];
    solid.axes == IDENTITY && held(0) && held(1) && held(2)
}

/// How far the furthest corner is from there.
#[inline(always)]
pub(super) fn farthest(corners: &[Vec3], from: Vec3) -> f64 {
    let mut most = 0.0;
    for &corner in corners {
        let to = sub(corner, from);
        let square = dot(to, to);
        most = if square > most { square } else { most };
    }
    most.sqrt()
}

/// The least and the greatest coordinates of points.
#[inline(always)]
pub(super) fn ends_of(points: &[Vec3]) -> [Vec3; 2] {
    let [mut low, mut high] = [points[0]; 2];
    for point in points {
        for i in 0..3 {
            low[i] = low[i].low(point[i]);
            high[i] = high[i].high(point[i]);
        }
    }
    [low, high]
}

/// A box in single precision around all that is so far from what lies between those ends.
#[inline(always)]
pub(super) fn grown([mut low, mut high]: [Vec3; 2], reach: f64) -> AabbF32 {
    for i in 0..3 {
        low[i] -= reach + low[i].abs() * f64::EPSILON;
        high[i] += reach + high[i].abs() * f64::EPSILON;
    }
    AabbF32::outward([low, high])
}
