//! A pair of placed trees: the tests that decide whether two of their nodes touch.

use super::hulls::NodeHull;
use super::seats::{Seat, Seats};
use super::slack::part_slack;
use super::wide_bvh::WideBvh;
use super::{Accuracy, Counts, DecidedBy, Node, NodeId, NodePair, ObbTree};
use crate::error::Error;
use crate::hull::HullPair;
use crate::num::linear::{Mat3, Vec3, add, length, relative, sub, turn, turn_back};
use crate::num::{Scalar, SimdLevel};
use crate::pair::Contact;
use crate::pair::box_contact::BoxContact;
use crate::sat::{BoxPair, RelativeRotation};
use crate::shape::Relation;
use crate::shape::{Placement, Pose, WideObb, check_poses};

/// A pair of trees, each with its pose. Answers name nodes in the order the trees were given in;
/// the arithmetic runs in an order fixed by the data, so that swapping the trees swaps the answers,
/// bit for bit.
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
    seats: Seats<'a, T>,
    places: [Placement; 2],
    /// The second's frame seen from the first.
    rotation: RelativeRotation,
    offset: Vec3,
    /// What the reach of the parts and the margin add to the size of boxes, for the slack.
    pub(super) reach: f64,
    /// What is no further apart than this counts as touching. World units.
    pub(super) margin: f64,
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Two trees, each moved to the world by its pose.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] naming pose 0 or 1.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Build, Geometry, Obb, ObbTree};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
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
        let seat = |tree: &'a ObbTree<T>, pose: &Pose<T>| Seat {
            tree,
            pose: *pose,
            rank: (tree.fingerprint, 0, 0),
        };
        Ok(Self::between(Seats::new(seat(a, pose_a), seat(b, pose_b))))
    }

    pub(crate) fn between(seats: Seats<'a, T>) -> Self {
        let places = [seats.first.placement(), seats.second.placement()];
        let [place, other] = &places;
        TreePair {
            rotation: RelativeRotation::new(relative(&place.rotation, &other.rotation)),
            offset: turn_back(&place.rotation, sub(other.position, place.position)),
            reach: seats.reach(),
            margin: 0.0,
            seats,
            places,
        }
    }

    /// Whether two nodes count as touching: neither they nor any two ancestors of theirs at equal
    /// depth are told apart by the 15 axes of their part-aligned boxes, those of their oriented
    /// boxes or, where both have a convex hull, a direction that GJK tries. Above the deeper node the shallower stands for its missing descendants.
    ///
    /// # Panics
    /// If a tree has no such node.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Build, Geometry, Obb, ObbTree};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
    /// use boxwood::{NodeId, tree::TreePair};
    ///
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.9, 0.0, 0.0));
    /// let pair = TreePair::new(&tree, &here, &tree, &there)?;
    /// assert!(pair.touches(NodeId::ROOT, NodeId::ROOT));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn touches(&self, a: NodeId, b: NodeId) -> bool {
        let (first, second) = self.seats.in_order(a, b);
        self.all_touch((first.0, second.0))
    }

    /// Where two nodes that touch do so, by their oriented boxes, in the world. For nodes that do
    /// not touch the answer means nothing. Normal and depth are those of the two boxes: of leaves
    /// they say nothing about the bodies; those of the two roots are enough to part all that the
    /// trees hold.
    ///
    /// # Panics
    /// If a tree has no such node.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Build, Geometry, Obb, ObbTree};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let tree = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default())?;
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
        let (first, second, swapped) = self.seats.canonical(a, b);
        let (box_a, box_b) = (first.oriented.wide(), second.oriented.wide());
        let slack = self.leaf_slack(&box_a, &box_b);
        let excess = first.bound.wide() + second.bound.wide();
        let (world_a, world_b) = (box_a.placed(&self.places[0]), box_b.placed(&self.places[1]));
        let pair = self.box_pair(&box_a, &box_b);
        let mut contact = BoxContact::new::<T>((), &pair, [&world_a, &world_b], [slack, excess]);
        contact.slack = contact.slack.min(self.seats.slack_above(a, b, None));
        let contact = contact.rounded();
        if swapped { contact.reversed() } else { contact }
    }

    /// A slack that holds for everything that touches at that accuracy, without looking at it. With
    /// a budget it depends on what is left open: see [`TreePair::slack`].
    pub(crate) fn part_slack(&self, accuracy: Accuracy) -> T {
        part_slack([self.seats.first.tree, self.seats.second.tree], accuracy, self.margin)
    }

    fn aligned_apart(&self, first: &Node<T>, second: &Node<T>) -> bool {
        let (t, a, b) = self.aligned(first, second);
        let slack = T::LEAF_SLACK * (length(a) + length(b) + self.reach);
        self.rotation.apart(t, a, b, slack)
            && (self.margin == 0.0 || self.aligned_beyond([first, second], slack))
    }

    /// Whether nothing below the two nodes can touch. The sum of the half extents stands in for the
    /// half diagonal: never less, and no root to take.
    pub(super) fn culled(&self, first: &Node<T>, second: &Node<T>) -> bool {
        let (t, a, b) = self.aligned(first, second);
        let size = (a[0] + a[1] + a[2]) + (b[0] + b[1] + b[2]);
        let slack = T::INNER_SLACK * (size + self.reach);
        self.rotation.apart_by_faces(t, a, b, slack + self.margin)
    }

    /// The part-aligned boxes seen from the first part: offset of the centres, half extents.
    pub(super) fn aligned(&self, first: &Node<T>, second: &Node<T>) -> (Vec3, Vec3, Vec3) {
        let ((center_a, a), (center_b, b)) = (first.aligned.wide(), second.aligned.wide());
        let t = sub(add(turn(&self.rotation.columns, center_b), self.offset), center_a);
        (t, a, b)
    }

    pub(super) fn oriented_apart(&self, first: &Node<T>, second: &Node<T>) -> bool {
        let (a, b) = (first.oriented.wide(), second.oriented.wide());
        let slack = self.leaf_slack(&a, &b);
        self.box_pair(&a, &b).apart(slack)
            && (self.margin == 0.0 || self.oriented_beyond([&a, &b], slack))
    }

    fn box_pair(&self, first: &WideObb, second: &WideObb) -> BoxPair {
        BoxPair::across(first, second, &self.rotation.columns, self.offset)
    }

    pub(super) fn leaf_slack(&self, a: &WideObb, b: &WideObb) -> f64 {
        T::LEAF_SLACK * (a.radius() + b.radius() + self.reach)
    }

    /// How far apart the geometry of the two parts can be where two nodes touch: the least bound of
    /// these and of their ancestors at equal depths, so never more than at a lesser depth. Zero
    /// where primitives or the inside decided. With a [margin](TreePair::margin), how much further
    /// apart than that; of primitives then what they are rounded by. World units.
    pub fn slack(&self, touch: NodePair) -> T {
        match touch.by {
            DecidedBy::Boxes => {
                let (first, second) = self.seats.in_order(touch.a, touch.b);
                T::at_least(self.least_slack((first.0, second.0)))
            }
            DecidedBy::Primitives => self.slack_of_primitives(),
            DecidedBy::Inside => T::zero(),
        }
    }

    pub(super) fn slack_of(&self, first: &Node<T>, second: &Node<T>) -> f64 {
        let (a, b) = (first.oriented.wide(), second.oriented.wide());
        let (pair, slack) = (self.box_pair(&a, &b), self.leaf_slack(&a, &b));
        let gap = match self.margin > 0.0 && pair.apart(slack) {
            true => self.oriented_distance([&a, &b], slack),
            false => pair.gap(slack, a.radius() + b.radius()),
        };
        self.excess(first.bound.wide() + second.bound.wide() + gap)
    }

    /// The slack that the boxes of two nodes allow, in the order of the arithmetic.
    pub(super) fn boxes_slack(&self, a: u32, b: u32) -> f64 {
        let (first, second) = self.ordered(a, b);
        T::at_least(self.slack_of(first, second)).wide()
    }

    /// Whether the boxes of two nodes touch, whatever those of their ancestors do; in the order of
    /// the arithmetic, and counted.
    pub(super) fn boxes_touch(&self, a: u32, b: u32, counts: &mut Counts) -> bool {
        let (first, second) = self.ordered(a, b);
        !self.aligned_apart(first, second) && self.oriented_touch(a, b, counts)
    }

    /// The same of their oriented boxes alone.
    pub(super) fn oriented_touch(&self, a: u32, b: u32, counts: &mut Counts) -> bool {
        let (first, second) = self.ordered(a, b);
        counts.oriented += 1;
        !self.oriented_apart(first, second)
    }

    /// A node of the tree that comes first in the order of the arithmetic, and one of the other.
    pub(super) fn nodes(&self, a: u32, b: u32) -> (&'a Node<T>, &'a Node<T>) {
        (&self.seats.first.tree.nodes[a as usize], &self.seats.second.tree.nodes[b as usize])
    }

    fn seat(&self, which: usize) -> &Seat<'a, T> {
        if which == 0 { &self.seats.first } else { &self.seats.second }
    }

    /// A node of the first tree (0) or the second.
    pub(super) fn node_of(&self, which: usize, id: u32) -> &'a Node<T> {
        let seat = self.seat(which);
        &seat.tree.nodes[id as usize]
    }

    /// The leaves of the first tree (0) or the second.
    pub(super) fn leaves(&self, which: usize) -> impl Iterator<Item = u32> + Clone + use<'a, T> {
        let seat = self.seat(which);
        let nodes = &seat.tree.nodes;
        (0..nodes.len()).filter(|&id| nodes[id].child == 0).map(|id| id as u32)
    }

    pub(super) fn bvhs(&self) -> [&'a WideBvh<T>; 2] {
        [&self.seats.first.tree.wide_bvh, &self.seats.second.tree.wide_bvh]
    }

    /// The second's frame seen from the first: rotation, offset.
    pub(super) fn frame(&self) -> (&Mat3, Vec3) {
        (&self.rotation.columns, self.offset)
    }

    /// Where the first part is in the world, and the second.
    pub(crate) fn places(&self) -> &[Placement; 2] {
        &self.places
    }

    /// The same as the arithmetic takes them: two equal trees in one pose have no order, so the
    /// lesser number goes first.
    pub(super) fn ordered(&self, a: u32, b: u32) -> (&'a Node<T>, &'a Node<T>) {
        let (a, b) = self.in_order(a, b);
        self.nodes(a, b)
    }

    fn in_order(&self, a: u32, b: u32) -> (u32, u32) {
        if self.seats.tied && b < a { (b, a) } else { (a, b) }
    }

    /// Whether one of the parts has an inside that is no primitive.
    pub(super) fn has_inside(&self) -> bool {
        [&self.seats.first, &self.seats.second].iter().any(|seat| seat.tree.enclosure().is_some())
    }

    /// How many of the first nodes of either tree may have a convex hull.
    pub(super) fn hulls(&self) -> [u32; 2] {
        [&self.seats.first, &self.seats.second].map(|seat| seat.tree.hulls.len())
    }

    /// A node of the first tree (0) or the second, and the least bound of its boxes and its hull.
    pub(super) fn bounded(&self, which: usize, id: u32) -> (&'a Node<T>, T) {
        let (seat, node) = (self.seat(which), self.node_of(which, id));
        (node, seat.tree.hulls.least_bound(id as usize, node))
    }

    /// The convex hulls of two nodes, if both have one; in the order of the arithmetic.
    pub(super) fn hull_pair(&self, a: u32, b: u32) -> Option<[&'a NodeHull; 2]> {
        let (a, b) = self.in_order(a, b);
        Some([self.seats.first.tree.hulls.of(a)?, self.seats.second.tree.hulls.of(b)?])
    }

    /// How far apart they are at most; `None` if they are told apart.
    pub(super) fn hulls_gap(&self, [x, y]: [&NodeHull; 2], level: SimdLevel) -> Option<f64> {
        let rotation = &self.rotation.columns;
        let offset = sub(add(turn(rotation, y.corners.center), self.offset), x.corners.center);
        let unit = x.corners.unit + y.corners.unit;
        let (pads, doubt) = (x.pad + y.pad + self.hull_pad(unit), T::LEAF_SLACK * self.reach);
        let corners = [&x.corners, &y.corners];
        HullPair { corners, rotation, offset, pads, doubt }.gap(level)
    }

    /// Two nodes in the order of the arithmetic, as an answer.
    pub(super) fn touch(&self, a: u32, b: u32, by: DecidedBy) -> NodePair {
        let (a, b) = if self.seats.swapped { (b, a) } else { (a, b) };
        NodePair { a: NodeId(a), b: NodeId(b), by }
    }

    /// Every primitive of a node with every one of another, in the order of the arithmetic.
    pub(super) fn primitive_pairs(&self, a: u32, b: u32) -> impl Iterator<Item = (u32, u32)> + 'a {
        let first = self.seats.first.tree.primitives(NodeId(a));
        let second = self.seats.second.tree.primitives(NodeId(b));
        first.iter().flat_map(move |&i| second.iter().map(move |&j| (i, j)))
    }

    pub(crate) fn seats(&self) -> &Seats<'a, T> {
        &self.seats
    }

    pub(super) fn relation(&self) -> Relation {
        Relation::new(self.rotation.columns, self.offset, self.seats.reaches())
    }
}
