//! Casts of a point, a ball, a capsule or a box against one placed tree: the first contact of the
//! motion.
//!
//! The search is that of [passages](super::passage), with a single leaf for the second body. Shapes
//! without radius use the [slabs of all axes](crate::sat::primitive_slabs) against triangles and
//! boxes; shapes with a radius use [supporting planes](crate::pair::rounded::passage); other
//! convex primitives use the cast of [two convex bodies](crate::pair::convex).

use nalgebra::Vector3;

use super::first_contact::{FirstContactSearch, ShiftContact, TranslationPair};
use super::path::Path;
use crate::error::Error;
use crate::num::linear::{
    IDENTITY, Mat3, Vec3, add, axes_along, dot, length, orthonormalised, rotate, rotate_back,
    scale, sub,
};
use crate::num::vectors::FloatRecord;
use crate::num::{Scalar, check_coordinates, precompiled};
use crate::pair::convex::{ConvexPair, RoundedPoints, Support};
use crate::pair::rounded::passage::{ConvexCore, RoundedContact, RoundedPair};
use crate::pair::rounded::slack_box::SlackBox;
use crate::pair::{CastHit, rounded_vector};
use crate::sat::box_slabs::ShiftedFrame;
use crate::sat::eight_boxes::RelativeFrame;
use crate::sat::oriented_batch::record_of_box;
use crate::sat::primitive_slabs::{BoxOrTriangle, FirstContactFace, ShiftFrame};
use crate::shape::{Placement, Pose, QueryShape, WideObb, nearest_point, wide_point};
use crate::tree::pair::primitive_test::StoredPrimitive;
use crate::tree::pair::wide_pair::WidePair;
use crate::tree::store::wide_bvh::{WideChild, WideNode};
use crate::tree::{NodeId, ObbTree, TreeScratch};

/// Pad of half extents for rounding, as a share of the size.
const EXTENT_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Error of closest points at a shift, as a share of the size.
const CLOSEST_POINTS_ERROR: f64 = 1.0 / (1u64 << 42) as f64;

/// Error of boxes with rounded axes, as a share of the slack of the 15 axes: `12 u` of the size
/// where that is `32 u`. See [`margin`](crate::tree::pair::margin).
const STORED_AXES_ERROR: f64 = 0.375;

/// Core of a shape. [world frame]
#[derive(Debug, Clone, Copy)]
enum CastCore {
    Point(Vec3),
    Segment([Vec3; 2]),
    Solid(WideObb),
}

/// A core with a radius, and a box around both. [world frame]
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovingShape {
    core: CastCore,
    radius: f64,
    center: Vec3,
    /// Orthonormal axes of the box.
    axes: Mat3,
    half: Vec3,
}

/// First contact of a shape with a tree.
#[derive(Debug, Clone, Copy)]
struct ShapeContact {
    node: NodeId,
    /// Contact point on the tree. [world frame]
    point: Vec3,
    /// Unit normal out of the tree [world frame]; `None` if there is no direction.
    normal: Option<Vec3>,
    /// Upper bound on the distance of the two at the contact. [world units]
    slack: f64,
}

precompiled! {
    fn shape_cast<'a, T>(
        tree: &'a ObbTree<T>,
        shape: &'a QueryShape<T>,
        displacement: Vector3<T>,
        scratch: &'a mut TreeScratch,
    ) -> Result<Option<CastHit<T, 3, Option<u32>>>, Error> {
        tree.shape_cast_checked(shape, displacement, scratch)
    }
}

impl<T: Scalar> ObbTree<T> {
    /// Casts a shape at one part: computes the first primitive that a point, a ball, a capsule or a
    /// box touches while it moves by `displacement`, without rotation, both in the frame of the
    /// part. `None` if it touches nothing on the way. Parts of any geometry; exact up to rounding,
    /// triangle by triangle.
    ///
    /// [`CastHit::target`] is the index of the primitive, the first of those touched at equal times
    /// after the start; `None` for a start inside a solid mesh, which has time 0. The rest is that
    /// of [`Snapshot::shape_cast`](crate::scene::Snapshot::shape_cast) at a character of this part
    /// alone, without a pose: the time is a share of the displacement and never late, touching
    /// counts, the normal points out of the part, towards the shape.
    ///
    /// For a part with a pose, transform the shape by the inverse of the pose, and rotate the
    /// displacement. Allocates nothing once `scratch` is warm.
    ///
    /// # Errors
    /// [`Error::BadQuery`] for a half-space or a frustum; [`Error::NotFinite`],
    /// [`Error::OutOfRange`] for a coordinate of the shape or of the displacement.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Build, Capsule, Geometry, Mesh, ObbTree, Segment, tree::TreeScratch};
    ///
    /// let corners = [[0.0, -9.0, -9.0], [0.0, 9.0, -9.0], [0.0, 0.0, 9.0]];
    /// let wall = Mesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2]])?;
    /// let house = ObbTree::build(Geometry::Surface(wall), &Build::default())?;
    /// let spine = Segment::new(Point3::new(3.0, 0.0, 0.0), Point3::new(3.0, 0.0, 1.0))?;
    /// let (body, way) = (Capsule::new(spine, 1.0)?, Vector3::new(-4.0, 0.0, 0.0));
    /// let hit = house.shape_cast(body, way, &mut TreeScratch::default())?.expect("in the way");
    /// assert!((hit.time_of_impact - 0.5).abs() < 1e-6 && hit.normal == Vector3::x());
    /// assert_eq!(hit.target, Some(0)); // the only triangle
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn shape_cast(
        &self,
        shape: impl Into<QueryShape<T>>,
        displacement: Vector3<T>,
        scratch: &mut TreeScratch,
    ) -> Result<Option<CastHit<T, 3, Option<u32>>>, Error> {
        shape_cast(self, &shape.into(), displacement, scratch)
    }

    fn shape_cast_checked(
        &self,
        shape: &QueryShape<T>,
        displacement: Vector3<T>,
        scratch: &mut TreeScratch,
    ) -> Result<Option<CastHit<T, 3, Option<u32>>>, Error> {
        let Some((moving, path)) = MovingShape::on_path(shape, displacement)? else {
            return Ok(None);
        };
        let here = Placement { rotation: IDENTITY, position: [0.0; 3] };
        let cast = ShapeCastQuery::new(self, here, &moving, path.direction, 0.0);
        let touch = cast.first_contact_or_inside(&Pose::identity(), path.length, scratch);
        Ok(touch.and_then(|touch| {
            let target = (!touch.is_inside()).then_some(touch.primitives[0]);
            Some(cast.hit(&path, &touch)?.with_target(target))
        }))
    }
}

impl MovingShape {
    /// Checks the shape and the displacement of a cast; `None` if the shape is empty.
    pub fn on_path<T: Scalar>(
        shape: &QueryShape<T>,
        displacement: Vector3<T>,
    ) -> Result<Option<(Self, Path)>, Error> {
        shape.check()?;
        check_coordinates(displacement.as_slice(), "displacement", 0)?;
        let (core, radius) = match shape {
            QueryShape::Point(p) => (CastCore::Point(wide_point(*p)), 0.0),
            QueryShape::Sphere(ball) => {
                (CastCore::Point(wide_point(ball.center())), ball.radius().wide())
            }
            QueryShape::Capsule(capsule) => {
                (CastCore::Segment(capsule.segment().wide()), capsule.radius().wide())
            }
            QueryShape::Aabb(bounds) if bounds.is_empty() => return Ok(None),
            QueryShape::Aabb(bounds) => {
                let corners = [bounds.min, bounds.max].map(wide_point);
                (CastCore::Solid(WideObb::aligned(corners)), 0.0)
            }
            QueryShape::Obb(solid) => (CastCore::Solid(solid.wide()), 0.0),
            QueryShape::HalfSpace(_) | QueryShape::Frustum(_) => {
                return Err(Error::BadQuery { reason: "half-spaces and frusta cannot be cast" });
            }
        };
        Ok(Some((MovingShape::new(core, radius), Path::new(displacement))))
    }

    fn new(core: CastCore, radius: f64) -> Self {
        let (center, axes, half) = match core {
            CastCore::Point(p) => (p, IDENTITY, [0.0; 3]),
            CastCore::Segment([p, q]) => {
                let along = scale(sub(q, p), 0.5);
                let axes = axes_along(along);
                (add(p, along), axes, rotate_back(&axes, along).map(f64::abs))
            }
            CastCore::Solid(WideObb { center, axes: stored, half_extents }) => {
                let axes = orthonormalised(&stored);
                let half = [0, 1, 2].map(|i| {
                    let [x, y, z] = stored.map(|axis| dot(axis, axes[i]).abs());
                    x * half_extents[0] + y * half_extents[1] + z * half_extents[2]
                });
                (center, axes, half)
            }
        };
        let size = half[0] + half[1] + half[2] + length(center) + radius;
        let half = half.map(|x| x + radius + EXTENT_ERROR * size);
        MovingShape { core, radius, center, axes, half }
    }

    /// Returns the axis-aligned box around the shape. [world frame]
    pub fn bounds(&self) -> WideObb {
        let half_extents = [0, 1, 2].map(|i| {
            let [x, y, z] = self.axes.map(|axis| axis[i].abs());
            x * self.half[0] + y * self.half[1] + z * self.half[2]
        });
        WideObb { center: self.center, axes: IDENTITY, half_extents }
    }

    /// Returns a point of the core as stored.
    pub fn point(&self) -> Vec3 {
        match self.core {
            CastCore::Point(p) | CastCore::Segment([p, _]) => p,
            CastCore::Solid(solid) => solid.center,
        }
    }

    /// Returns the core in the frame of a part.
    fn core_in_part(&self, placement: &Placement) -> CastCore {
        let seen = |p: Vec3| rotate_back(&placement.rotation, sub(p, placement.position));
        match self.core {
            CastCore::Point(p) => CastCore::Point(seen(p)),
            CastCore::Segment(ends) => CastCore::Segment(ends.map(seen)),
            CastCore::Solid(solid) => {
                let axes = solid.axes.map(|axis| rotate_back(&placement.rotation, axis));
                CastCore::Solid(WideObb { center: seen(solid.center), axes, ..solid })
            }
        }
    }
}

/// Contact of a shape with a primitive, in the frame of the tree: a point of the primitive, the
/// normal out of it, and an upper bound on the distance.
struct PrimitiveContact {
    on_a: Vec3,
    normal: Option<Vec3>,
    slack: f64,
}

impl PrimitiveContact {
    fn new(on_a: Vec3, normal: Option<Vec3>, slack: f64) -> Self {
        PrimitiveContact { on_a, normal, slack }
    }
}

/// A placed tree, and a shape to be cast along a direction.
pub(crate) struct ShapeCastQuery<'a, T: Scalar> {
    tree: &'a ObbTree<T>,
    placement: Placement,
    shape: &'a MovingShape,
    boxes: Option<ShiftedFrame>,
    /// Box around the shape, in its own axes, as a node.
    leaf: WideNode<T>,
    /// Box around the shape, as an entry of the oriented tests.
    record: [FloatRecord; 1],
    kernel: CastKernel,
    /// Core in the frame of the tree.
    core: CastCore,
    direction: Vec3,
    /// Error of closest points. [world units]
    error: f64,
    /// Least shift of the cast.
    from: f64,
}

/// Kernel for triangles and boxes, in the frame of the tree. A pair's first core is filled in per
/// primitive.
// Not boxed: one lives per part and query, and boxing would allocate.
#[allow(clippy::large_enum_variant)]
enum CastKernel {
    Sharp(BoxOrTriangle, ShiftFrame, RoundedPair),
    Rounded(RoundedPair),
}

impl<'a, T: Scalar> ShapeCastQuery<'a, T> {
    /// Creates a cast. `way`: direction in the world, length near 1; `from`: least shift.
    pub fn new(
        tree: &'a ObbTree<T>,
        placement: Placement,
        shape: &'a MovingShape,
        way: Vec3,
        from: f64,
    ) -> Self {
        let direction = rotate_back(&placement.rotation, way);
        let offset = rotate_back(&placement.rotation, sub(shape.center, placement.position));
        let axes = shape.axes.map(|axis| rotate_back(&placement.rotation, axis));
        let spread = shape.half[0] + shape.half[1] + shape.half[2];
        let size = tree.radius_about_origin + length(offset) + spread;
        let bvh = &tree.wide_bvh;
        let between = sub(offset, bvh.center);
        let boxes =
            RelativeFrame::new::<T>(&axes, between, [bvh.half_extent_sum + spread, size], 0.0);
        let other = rotate_back(&axes, direction);
        let core = shape.core_in_part(&placement);
        let cores = [ConvexCore::Point([0.0; 3]), core.convex_core::<T>()];
        let pair = RoundedPair { cores, radius: shape.radius, direction, size };
        let kernel = match shape.radius > 0.0 {
            true => CastKernel::Rounded(pair),
            false => {
                let frame = ShiftFrame::new(direction, &IDENTITY, [0.0; 3], size);
                CastKernel::Sharp(BoxOrTriangle::Obb(core.as_box()), frame, pair)
            }
        };
        let made = matches!(shape.core, CastCore::Solid(_)) || tree.geometry().mesh().is_none();
        let axes_error = if made {
            STORED_AXES_ERROR * T::LEAF_SLACK * (spread + tree.radius_about_origin)
        } else {
            0.0
        };
        let error = CLOSEST_POINTS_ERROR * size + axes_error;
        let boxes = boxes.map(|frame| ShiftedFrame::new(frame, [direction, other]));
        let leaf = WideNode::single_leaf(shape.half);
        let center = [0.0; 3];
        let record = [record_of_box(&WideObb { center, axes: IDENTITY, half_extents: shape.half })];
        ShapeCastQuery {
            tree,
            placement,
            shape,
            boxes,
            leaf,
            record,
            kernel,
            core,
            direction,
            error,
            from,
        }
    }

    /// Finds the contact of the least shift from `from` up to `to`; `None` if there is none. The
    /// shift is a lower bound on the true one.
    pub fn first_contact(&self, to: f64, scratch: &mut TreeScratch) -> Option<ShiftContact> {
        let TreeScratch { passage, counts, simd, .. } = scratch;
        let mut search = FirstContactSearch {
            simd: *simd,
            from: self.from,
            to,
            stop_at: self.from,
            witnesses: &[],
            incumbent: None,
            counts,
            scratch: passage,
        };
        search.run(self);
        search.incumbent
    }

    /// Like [`first_contact`](Self::first_contact), but a start inside the tree's solid mesh is a
    /// contact too. `pose`: that of the placement.
    pub fn first_contact_or_inside(
        &self,
        pose: &Pose<T>,
        to: f64,
        scratch: &mut TreeScratch,
    ) -> Option<ShiftContact> {
        let touch = self.first_contact(to, scratch);
        let touches_at_start = touch.is_some_and(|touch| touch.shift <= 0.0);
        match !touches_at_start && self.contains(pose, self.shape.point(), scratch) {
            true => Some(ShiftContact::CONTAINMENT),
            false => touch,
        }
    }

    /// Returns `true` if the tree is a solid mesh and contains a point of the world. `pose`: that
    /// of the placement.
    fn contains(&self, pose: &Pose<T>, point: Vec3, scratch: &mut TreeScratch) -> bool {
        self.tree.contains_point(pose, &self.placement, point, &mut scratch.path)
    }

    /// Returns the shift of the last contact up to the end of a path, rounded up; infinite if the
    /// two touch at the end. The query is that of the way back, from the negated length on.
    /// `first`: shift of the first contact of the way; `pose`: that of the placement.
    pub fn last_contact(
        &self,
        pose: &Pose<T>,
        path: &Path,
        first: f64,
        scratch: &mut TreeScratch,
    ) -> f64 {
        let last = self.first_contact(-first, scratch).map(|touch| -touch.shift);
        let end = add(self.shape.point(), scale(path.direction, path.length));
        match last {
            Some(last) if last < path.length && !self.contains(pose, end, scratch) => last,
            _ => f64::INFINITY,
        }
    }

    /// Converts a contact on a path to a hit of a leaf; `None` if the two do not touch. The time of
    /// leaving is infinite.
    pub fn hit(&self, path: &Path, touch: &ShiftContact) -> Option<CastHit<T, 3, NodeId>> {
        let contact = match touch.is_inside() {
            true => ShapeContact {
                node: NodeId::ROOT,
                point: self.shape.point(),
                normal: None,
                slack: 0.0,
            },
            false => self.contact(touch)?,
        };
        let share = if touch.shift > 0.0 { touch.shift / path.length } else { 0.0 };
        let time = T::at_most(share * (1.0 - f64::EPSILON));
        let early = touch.shift - time.wide() * path.length;
        let early = if early > 0.0 { early } else { 0.0 };
        Some(CastHit {
            target: contact.node,
            time_of_impact: time,
            time_of_leaving: T::nearest(f64::INFINITY),
            point: nearest_point(contact.point),
            normal: rounded_vector(contact.normal.unwrap_or(path.reversed_direction())),
            started_inside: touch.shift <= 0.0,
            slack: T::at_least(contact.slack + early),
        })
    }

    /// Computes the contact of a shape with a primitive; `None` if they do not touch.
    fn contact(&self, touch: &ShiftContact) -> Option<ShapeContact> {
        let stored = StoredPrimitive::from_geometry(self.tree.geometry(), touch.primitives[0]);
        let (hit, body): (_, &dyn Support) = match &stored {
            StoredPrimitive::Flat(first) => (self.flat_contact(first, touch.shift)?, first),
            StoredPrimitive::Round(body) => (self.convex_contact(*body, touch.shift)?, *body),
        };
        let normal = hit.normal.unwrap_or_else(|| self.separating_direction(body, touch.shift));
        let unit = |v: Vec3| {
            let size = length(v);
            (size > 0.0).then(|| scale(rotate(&self.placement.rotation, v), 1.0 / size))
        };
        Some(ShapeContact {
            node: NodeId::new(touch.nodes[0] as usize),
            point: self.placement.point(hit.on_a),
            normal: unit(normal),
            slack: hit.slack + self.error,
        })
    }

    /// Returns the direction in which the shape leaves a primitive that it overlaps at a shift:
    /// that of least overlap; of two opposite ones that against the motion.
    fn separating_direction(&self, body: &dyn Support, shift: f64) -> Vec3 {
        let (normal, depth) = self.axes_along(body, shift, |pair| pair.least_overlap());
        let is_backward = depth > 0.0 || dot(normal, self.direction) <= 0.0;
        if is_backward { normal } else { scale(normal, -1.0) }
    }

    /// Computes the contact with a triangle or a box at a shift.
    fn flat_contact(&self, first: &BoxOrTriangle, shift: f64) -> Option<PrimitiveContact> {
        let met =
            |touch: RoundedContact| PrimitiveContact::new(touch.on_a, touch.normal, touch.gap);
        match &self.kernel {
            CastKernel::Sharp(solid, frame, pair) => {
                // Primitives that overlap before the first shift have no contact face.
                let face = FirstContactFace::find([first, solid], frame);
                let face = face.filter(|face| face.shift * frame.unit >= shift);
                let normal = face.map(|face| frame.normal(face.axis));
                Some(PrimitiveContact {
                    normal,
                    ..met(pair.with_first_core(convex_core::<T>(first)).at(shift))
                })
            }
            CastKernel::Rounded(pair) => pair
                .with_first_core(convex_core::<T>(first))
                .first_contact(self.from..=f64::INFINITY)
                .map(met),
        }
    }

    /// Computes the contact with another convex primitive at a shift.
    fn convex_contact(&self, body: &dyn Support, shift: f64) -> Option<PrimitiveContact> {
        let (_, axis) =
            self.axes_along(body, 0.0, |pair| pair.first_shift(self.direction, self.from))?;
        let normal = (axis != [0.0; 3]).then(|| scale(axis, -1.0));
        let (near, gap) = self
            .axes_along(body, shift, |pair| (pair.closest_points().0, pair.distance_upper_bound()));
        Some(PrimitiveContact::new(near.on_a, normal, gap))
    }

    /// Calls `query` with the pair of a convex primitive of the tree and the shape at a shift.
    fn axes_along<A>(
        &self,
        body: &dyn Support,
        shift: f64,
        query: impl FnOnce(&ConvexPair<'_>) -> A,
    ) -> A {
        let (offset, radius) = (scale(self.direction, shift), self.shape.radius);
        let with = |shape: &dyn Support| {
            let bodies = [body, shape];
            query(&ConvexPair { bodies, rotation: IDENTITY, offset, error: 0.5 * self.error })
        };
        match &self.core {
            CastCore::Point(p) => with(&RoundedPoints { points: &[*p], radius }),
            CastCore::Segment(ends) => with(&RoundedPoints { points: ends, radius }),
            CastCore::Solid(solid) => with(&BoxOrTriangle::Obb(*solid)),
        }
    }
}

impl CastCore {
    fn convex_core<T: Scalar>(&self) -> ConvexCore {
        match self {
            CastCore::Point(p) => ConvexCore::Point(*p),
            CastCore::Segment(ends) => ConvexCore::Segment(*ends),
            CastCore::Solid(solid) => convex_core::<T>(&BoxOrTriangle::Obb(*solid)),
        }
    }

    /// Converts the core to a box, flat where it has no extent.
    fn as_box(&self) -> WideObb {
        match *self {
            CastCore::Point(center) => WideObb { center, axes: IDENTITY, half_extents: [0.0; 3] },
            CastCore::Segment([p, q]) => {
                let along = scale(sub(q, p), 0.5);
                let axes = [along, [0.0; 3], [0.0; 3]];
                WideObb { center: add(p, along), axes, half_extents: [1.0, 0.0, 0.0] }
            }
            CastCore::Solid(solid) => solid,
        }
    }
}

fn convex_core<T: Scalar>(primitive: &BoxOrTriangle) -> ConvexCore {
    match primitive {
        BoxOrTriangle::Triangle(corners) => ConvexCore::Triangle(*corners),
        BoxOrTriangle::Obb(solid) => ConvexCore::Solid(SlackBox::from_wide(solid, T::LEAF_SLACK)),
    }
}

impl<T: Scalar> WidePair<T> for ShapeCastQuery<'_, T> {
    fn oriented_records(&self) -> [&[FloatRecord]; 2] {
        [&self.tree.wide_bvh.oriented_boxes, &self.record]
    }

    fn wide_children(&self, [a, _]: [u32; 2]) -> [&WideChild; 2] {
        [self.tree.wide_bvh.child(a), &WideChild::SINGLE_LEAF]
    }

    fn child_node(&self, side: usize, child: &WideChild) -> &WideNode<T> {
        if side == 0 { self.tree.wide_bvh.child_wide_node(child) } else { &self.leaf }
    }

    fn single_child_node(&self, side: usize, number: u32) -> Option<&WideNode<T>> {
        match side {
            0 => (number == 0).then(|| self.tree.wide_bvh.wide_node(0)),
            _ => Some(&self.leaf),
        }
    }

    fn new_single_child_node(&self, _: usize, child: &WideChild, number: u32) -> WideNode<T> {
        let node = &self.tree.nodes[child.node as usize];
        self.tree.wide_bvh.single_child((node, T::zero()), number, child.depth)
    }
}

impl<T: Scalar> TranslationPair<T> for ShapeCastQuery<'_, T> {
    fn shifted_frame(&self) -> Option<&ShiftedFrame> {
        self.boxes.as_ref()
    }

    fn wide_pair(&self) -> &impl WidePair<T> {
        self
    }

    fn visit_leaf_pairs(&self, visit: &mut dyn FnMut([u32; 2])) {
        let nodes = &self.tree.nodes;
        let leaves = (0..nodes.len()).filter(|&id| nodes[id].first_child == 0);
        leaves.for_each(|leaf| visit([leaf as u32, 0]));
    }

    fn test_leaves(&self, [leaf, _]: [u32; 2], search: &mut FirstContactSearch<'_>) {
        for &index in self.tree.primitives(NodeId::new(leaf as usize)) {
            let stored = StoredPrimitive::from_geometry(self.tree.geometry(), index);
            match (&self.kernel, stored) {
                (_, StoredPrimitive::Round(body)) => {
                    search.counts.primitives += 1;
                    let first = self.axes_along(body, 0.0, |pair| {
                        pair.first_shift(self.direction, search.from)
                    });
                    if let Some((shift, _)) = first {
                        search.update_incumbent([shift, f64::INFINITY], [leaf, 0, index, 0]);
                    }
                }
                (CastKernel::Sharp(solid, frame, _), StoredPrimitive::Flat(first)) => {
                    search.push_pair([&first, solid], [leaf, 0, index, 0], frame);
                }
                (CastKernel::Rounded(pair), StoredPrimitive::Flat(first)) => {
                    search.counts.primitives += 1;
                    let pair = pair.with_first_core(convex_core::<T>(&first));
                    if let Some(touch) = pair.first_contact(search.from..=search.to) {
                        search.update_incumbent([touch.shift, f64::INFINITY], [leaf, 0, index, 0]);
                    }
                }
            }
        }
    }

    fn flush(&self, search: &mut FirstContactSearch<'_>) {
        if let CastKernel::Sharp(_, frame, _) = &self.kernel {
            search.test_pairs(frame);
        }
    }
}
