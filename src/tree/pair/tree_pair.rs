//! A pair of placed trees: the tests that decide whether two of their nodes touch.

use super::ordered_pair::{OrderedPair, PlacedTree};
use super::tree_slack::part_slack;
use crate::error::Error;
use crate::hull::HullPair;
use crate::num::linear::{Mat3, Vec3, add, length, relative_axes, rotate, rotate_back, sub};
use crate::num::{Scalar, SimdLevel};
use crate::pair::Contact;
use crate::pair::boxes::box_contact::BoxContact;
use crate::sat::{BoxPair, RelativeRotation};
use crate::shape::RelativePose;
use crate::shape::{Placement, Pose, WideObb, check_poses};
use crate::tree::store::hulls::NodeHull;
use crate::tree::store::wide_bvh::WideBvh;
use crate::tree::{Accuracy, Counts, DecidedBy, Node, NodeId, NodePair, ObbTree};

/// A pair of trees, each with its pose. Answers name nodes in the order in which the trees were
/// given. The arithmetic runs in a canonical order fixed by the data, so swapping the trees swaps
/// the answers, bit for bit.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::tree::{TreePair, TreeScratch};
/// use boxwood::{Accuracy, Build, Geometry, Obb, ObbTree};
///
/// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
/// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.9, 0.0, 0.0));
/// let pair = TreePair::new(&tree, &here, &tree, &there)?;
/// assert!(pair.intersects(Accuracy::Exact, &mut TreeScratch::default())?);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct TreePair<'a, T: Scalar> {
    ordered_pair: OrderedPair<'a, T>,
    placements: [Placement; 2],
    /// Rotation and offset of the second part's frame in that of the first.
    rotation: RelativeRotation,
    offset: Vec3,
    /// Radii of the parts about their origins and the margin, for the error of box tests.
    pub(in crate::tree) size_pad: f64,
    /// Parts no further apart than this count as touching. [world units]
    pub(in crate::tree) margin: f64,
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Creates a pair of two trees, each moved to the world by its pose.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for pose 0 or 1.
    ///
    /// ```
    /// # boxwood::fixture_tree!(cube, tree);
    /// use boxwood::tree::TreePair;
    ///
    /// let (here, mut there) = (Isometry3::identity(), Isometry3::translation(0.9, 0.0, 0.0));
    /// assert!(TreePair::new(&tree, &here, &tree, &there).is_ok()); // one tree in two places
    /// there.translation.x = f32::NAN;
    /// assert!(TreePair::new(&tree, &here, &tree, &there).is_err());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn new(
        a: &'a ObbTree<T>,
        pose_a: &Pose<T>,
        b: &'a ObbTree<T>,
        pose_b: &Pose<T>,
    ) -> Result<Self, Error> {
        check_poses(&[*pose_a, *pose_b], "pose")?;
        let placed = |tree: &'a ObbTree<T>, pose: &Pose<T>| PlacedTree {
            tree,
            pose: *pose,
            tie_break: (tree.fingerprint, 0, 0),
        };
        Ok(Self::from_ordered(OrderedPair::new(placed(a, pose_a), placed(b, pose_b))))
    }

    pub(crate) fn from_ordered(ordered_pair: OrderedPair<'a, T>) -> Self {
        let placements = [ordered_pair.first.placement(), ordered_pair.second.placement()];
        let [placement, other] = &placements;
        TreePair {
            rotation: RelativeRotation::new(relative_axes(&placement.rotation, &other.rotation)),
            offset: rotate_back(&placement.rotation, sub(other.position, placement.position)),
            size_pad: ordered_pair.size_pad(),
            margin: 0.0,
            ordered_pair,
            placements,
        }
    }

    /// Returns `true` if two nodes count as touching: no test separates them or any two of their
    /// ancestors at equal depths. The tests are the 15 axes of their part-aligned boxes, the 15
    /// axes of their oriented boxes and, where both have a convex hull, the directions that GJK
    /// tries. Where the tree of the shallower node ends, that node stands in for its missing
    /// descendants.
    ///
    /// # Panics
    /// If an id is out of range.
    ///
    /// ```
    /// # boxwood::fixture_tree!(cube, tree);
    /// use boxwood::{NodeId, tree::TreePair};
    ///
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.9, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// assert!(pair.touches(NodeId::ROOT, NodeId::ROOT));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn touches(&self, a: NodeId, b: NodeId) -> bool {
        let (first, second) = self.ordered_pair.canonical_ids(a, b);
        self.chain_overlaps((first.0, second.0), SimdLevel::best())
    }

    /// Computes the contact of the oriented boxes of two nodes that touch, in the world.
    /// Meaningless for nodes that do not touch. Normal and depth are those of the two boxes: those
    /// of leaves say nothing about the bodies; a translation by those of the two roots separates
    /// the trees entirely.
    ///
    /// # Panics
    /// If an id is out of range.
    ///
    /// ```
    /// # boxwood::fixture_tree!(cube, tree);
    /// use boxwood::{NodeId, tree::TreePair};
    ///
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.9, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// let contact = pair.contact(NodeId::ROOT, NodeId::ROOT);
    /// assert_eq!(contact.normal, Vector3::x()); // from the first to the second
    /// assert!((contact.depth - 0.1).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn contact(&self, a: NodeId, b: NodeId) -> Contact<T> {
        let (first, second, swapped) = self.ordered_pair.canonical_nodes(a, b);
        let (box_a, box_b) = (first.oriented.wide(), second.oriented.wide());
        let slack = self.leaf_error(&box_a, &box_b);
        let excess = first.bound.wide() + second.bound.wide();
        let (world_a, world_b) =
            (box_a.placed(&self.placements[0]), box_b.placed(&self.placements[1]));
        let pair = self.box_pair(&box_a, &box_b);
        let mut contact = BoxContact::new::<T>((), &pair, [&world_a, &world_b], [slack, excess]);
        let ancestors = self.ordered_pair.ancestor_slack(a, b, SimdLevel::best(), None);
        contact.slack = contact.slack.min(ancestors);
        let contact = contact.rounded();
        if swapped { contact.reversed() } else { contact }
    }

    /// Returns a slack of the two parts if they are reported at that accuracy, from the trees
    /// alone.
    pub(crate) fn part_slack(&self, accuracy: Accuracy) -> T {
        part_slack(
            [self.ordered_pair.first.tree, self.ordered_pair.second.tree],
            accuracy,
            self.margin,
        )
    }

    fn aligned_separated(&self, first: &Node<T>, second: &Node<T>) -> bool {
        let (t, a, b) = self.aligned_boxes(first, second);
        let slack = T::LEAF_SLACK * (length(a) + length(b) + self.size_pad);
        self.rotation.apart(t, a, b, slack)
            && (self.margin == 0.0 || self.aligned_boxes_exceed_margin([first, second], slack))
    }

    /// Returns `true` if nothing below the two nodes can touch. Uses the sum of the half extents
    /// instead of the half diagonal: never less, and no square root.
    pub(in crate::tree) fn is_pruned(&self, first: &Node<T>, second: &Node<T>) -> bool {
        let (t, a, b) = self.aligned_boxes(first, second);
        let size = (a[0] + a[1] + a[2]) + (b[0] + b[1] + b[2]);
        let slack = T::INNER_SLACK * (size + self.size_pad);
        self.rotation.is_separated_by_faces(t, a, b, slack + self.margin)
    }

    /// Returns the part-aligned boxes in the frame of the first part: offset of the centres, half
    /// extents.
    pub(in crate::tree) fn aligned_boxes(
        &self,
        first: &Node<T>,
        second: &Node<T>,
    ) -> (Vec3, Vec3, Vec3) {
        let ((center_a, a), (center_b, b)) = (first.aligned.wide(), second.aligned.wide());
        let t = sub(add(rotate(&self.rotation.columns, center_b), self.offset), center_a);
        (t, a, b)
    }

    pub(in crate::tree) fn oriented_separated(&self, first: &Node<T>, second: &Node<T>) -> bool {
        let (a, b) = (first.oriented.wide(), second.oriented.wide());
        let slack = self.leaf_error(&a, &b);
        self.box_pair(&a, &b).apart(slack)
            && (self.margin == 0.0 || self.oriented_boxes_exceed_margin([&a, &b], slack))
    }

    fn box_pair(&self, first: &WideObb, second: &WideObb) -> BoxPair {
        BoxPair::from_frames(first, second, &self.rotation.columns, self.offset)
    }

    pub(in crate::tree) fn leaf_error(&self, a: &WideObb, b: &WideObb) -> f64 {
        T::LEAF_SLACK * (a.radius() + b.radius() + self.size_pad)
    }

    /// Returns an upper bound on the distance of the geometry of the two parts, given two nodes
    /// that touch: the least of the nodes and their ancestors at equal depths. So that of two nodes
    /// is never greater than that of their ancestors; other nodes of the same trees may have a
    /// greater one at any depth.
    ///
    /// Zero if an inside test decided, or primitives that are triangles or boxes; for other
    /// primitives their proved error. With a [margin](TreePair::margin) it is the distance beyond
    /// the margin, and for all primitives their rounding error. [world units]
    pub fn slack(&self, touch: NodePair) -> T {
        match touch.by {
            DecidedBy::Boxes => {
                let (first, second) = self.ordered_pair.canonical_ids(touch.a, touch.b);
                T::at_least(self.least_slack((first.0, second.0), SimdLevel::best()))
            }
            DecidedBy::Primitives => self.primitive_slack(),
            DecidedBy::Inside => T::zero(),
        }
    }

    pub(in crate::tree) fn node_slack(&self, first: &Node<T>, second: &Node<T>) -> f64 {
        let (a, b) = (first.oriented.wide(), second.oriented.wide());
        let (pair, slack) = (self.box_pair(&a, &b), self.leaf_error(&a, &b));
        let gap = match self.margin > 0.0 && pair.apart(slack) {
            true => self.oriented_distance([&a, &b], slack),
            false => pair.max_gap(slack, a.radius() + b.radius()),
        };
        self.beyond_margin(first.bound.wide() + second.bound.wide() + gap)
    }

    /// Returns the slack of the boxes of two nodes, in canonical order.
    pub(in crate::tree) fn boxes_slack(&self, a: u32, b: u32) -> f64 {
        let (first, second) = self.canonical_nodes(a, b);
        T::at_least(self.node_slack(first, second)).wide()
    }

    /// Returns `true` if the boxes of two nodes overlap; ignores ancestors. Canonical order; counts
    /// its tests.
    pub(in crate::tree) fn boxes_overlap(&self, a: u32, b: u32, counts: &mut Counts) -> bool {
        let (first, second) = self.canonical_nodes(a, b);
        !self.aligned_separated(first, second) && self.oriented_overlap(a, b, counts)
    }

    /// Returns `true` if the oriented boxes of two nodes overlap; counts its test.
    pub(in crate::tree) fn oriented_overlap(&self, a: u32, b: u32, counts: &mut Counts) -> bool {
        let (first, second) = self.canonical_nodes(a, b);
        counts.oriented += 1;
        !self.oriented_separated(first, second)
    }

    /// Returns a node of each tree, in canonical order.
    pub(in crate::tree) fn nodes(&self, a: u32, b: u32) -> (&'a Node<T>, &'a Node<T>) {
        (
            &self.ordered_pair.first.tree.nodes[a as usize],
            &self.ordered_pair.second.tree.nodes[b as usize],
        )
    }

    fn placed_tree(&self, which: usize) -> &PlacedTree<'a, T> {
        if which == 0 { &self.ordered_pair.first } else { &self.ordered_pair.second }
    }

    /// Returns a node of the first tree (0) or the second (1).
    pub(in crate::tree) fn node_at(&self, which: usize, id: u32) -> &'a Node<T> {
        let placed = self.placed_tree(which);
        &placed.tree.nodes[id as usize]
    }

    /// Iterates over the leaves of the first tree (0) or the second (1).
    pub(in crate::tree) fn leaves(
        &self,
        which: usize,
    ) -> impl Iterator<Item = u32> + Clone + use<'a, T> {
        let placed = self.placed_tree(which);
        let nodes = &placed.tree.nodes;
        (0..nodes.len()).filter(|&id| nodes[id].first_child == 0).map(|id| id as u32)
    }

    pub(in crate::tree) fn bvhs(&self) -> [&'a WideBvh<T>; 2] {
        [&self.ordered_pair.first.tree.wide_bvh, &self.ordered_pair.second.tree.wide_bvh]
    }

    /// Returns the second part's frame in that of the first: rotation, offset.
    pub(in crate::tree) fn second_in_first(&self) -> (&Mat3, Vec3) {
        (&self.rotation.columns, self.offset)
    }

    /// Returns the placements of both parts in the world, in canonical order.
    pub(crate) fn placements(&self) -> &[Placement; 2] {
        &self.placements
    }

    /// Returns two nodes in canonical order. Two equal trees in one pose have no order, so the
    /// lesser index comes first.
    pub(in crate::tree) fn canonical_nodes(&self, a: u32, b: u32) -> (&'a Node<T>, &'a Node<T>) {
        let (a, b) = self.canonical_indices(a, b);
        self.nodes(a, b)
    }

    fn canonical_indices(&self, a: u32, b: u32) -> (u32, u32) {
        if self.ordered_pair.tied && b < a { (b, a) } else { (a, b) }
    }

    /// Returns `true` if one of the parts has an inside that is no primitive.
    pub(in crate::tree) fn has_inside(&self) -> bool {
        [&self.ordered_pair.first, &self.ordered_pair.second]
            .iter()
            .any(|placed| placed.tree.enclosure().is_some())
    }

    /// Returns, for each tree, the number of first nodes that may have a convex hull.
    pub(in crate::tree) fn hull_counts(&self) -> [u32; 2] {
        [&self.ordered_pair.first, &self.ordered_pair.second].map(|placed| placed.tree.hulls.len())
    }

    /// Returns a node of the first tree (0) or the second (1) with the least bound of its boxes and
    /// its hull.
    pub(in crate::tree) fn node_with_bound(&self, which: usize, id: u32) -> (&'a Node<T>, T) {
        let (placed, node) = (self.placed_tree(which), self.node_at(which, id));
        (node, placed.tree.hulls.least_bound(id as usize, node))
    }

    /// Returns the convex hulls of two nodes, if both have one; in canonical order.
    pub(in crate::tree) fn hull_pair(&self, a: u32, b: u32) -> Option<[&'a NodeHull; 2]> {
        let (a, b) = self.canonical_indices(a, b);
        Some([
            self.ordered_pair.first.tree.hulls.hull(a)?,
            self.ordered_pair.second.tree.hulls.hull(b)?,
        ])
    }

    /// Returns an upper bound on the distance of two hulls; `None` if they are separated. [world
    /// units]
    pub(in crate::tree) fn hull_pair_distance(
        &self,
        hulls: [&NodeHull; 2],
        simd: SimdLevel,
    ) -> Option<f64> {
        self.hulls_in_first(hulls, |unit| self.hull_pad(unit)).distance_bound(simd)
    }

    /// Returns `true` if `accepts` an axis along which two hulls have a gap of more than `distance`
    /// [world units]. It is called with such axes, of any length, in the frame of the first part,
    /// and with what the gap exceeds the distance by.
    pub(in crate::tree) fn hulls_have_axis(
        &self,
        hulls: [&NodeHull; 2],
        distance: f64,
        simd: SimdLevel,
        accepts: impl FnMut(Vec3, f64) -> bool,
    ) -> bool {
        let pad = |unit| distance + 4.0 * T::LEAF_SLACK * (unit + self.size_pad);
        self.hulls_in_first(hulls, pad).search(simd, accepts).is_none()
    }

    /// Returns two hulls in the frame of the first part, with a pad for the sum of their units.
    fn hulls_in_first<'h>(
        &'h self,
        [x, y]: [&'h NodeHull; 2],
        pad: impl FnOnce(f64) -> f64,
    ) -> HullPair<'h> {
        let rotation = &self.rotation.columns;
        let offset = sub(add(rotate(rotation, y.corners.center), self.offset), x.corners.center);
        let pads = x.pad + y.pad + pad(x.corners.unit + y.corners.unit);
        let error = T::LEAF_SLACK * self.size_pad;
        HullPair { corners: [&x.corners, &y.corners], rotation, offset, pads, error }
    }

    /// Converts two nodes in canonical order to a hit in the order given by the caller.
    pub(in crate::tree) fn node_pair(&self, a: u32, b: u32, by: DecidedBy) -> NodePair {
        let (a, b) = if self.ordered_pair.swapped { (b, a) } else { (a, b) };
        NodePair { a: NodeId(a), b: NodeId(b), by }
    }

    /// Iterates over all pairs of primitives of two nodes, in canonical order.
    pub(in crate::tree) fn primitive_pairs(
        &self,
        a: u32,
        b: u32,
    ) -> impl Iterator<Item = (u32, u32)> + 'a {
        let first = self.ordered_pair.first.tree.primitives(NodeId(a));
        let second = self.ordered_pair.second.tree.primitives(NodeId(b));
        first.iter().flat_map(move |&i| second.iter().map(move |&j| (i, j)))
    }

    pub(crate) fn ordered_pair(&self) -> &OrderedPair<'a, T> {
        &self.ordered_pair
    }

    pub(in crate::tree) fn relation(&self) -> RelativePose {
        RelativePose::new(
            self.rotation.columns,
            self.offset,
            self.ordered_pair.radii_about_origins(),
        )
    }
}
