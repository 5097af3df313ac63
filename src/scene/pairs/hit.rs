//! Hits: two parts that touch, and their contact.

use nalgebra::{Point3, Vector3};

use crate::model::PartId;
use crate::num::Scalar;
use crate::pair::Contact;
use crate::scene::CharacterKey;
use crate::scene::filter::normal_hint::NormalHint;
use crate::tree::NodeId;

/// A reference to a node: a box of a part of a character.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
/// let mut hits = boxwood::Hits::new();
/// now.pairs(&PairQuery::all(), &mut hits)?;
/// let (a, _) = hits.pairs()[0];
/// assert_eq!(scene.part(a.character, a.part)?.name(), "cube");
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeRef {
    /// The character.
    pub character: CharacterKey,
    /// The part of the character.
    pub part: PartId,
    /// The node of the part's tree; the root if the answer is about the whole part, or a ray starts
    /// inside it.
    pub node: NodeId,
}

/// The contact of two parts in the world: position, normal and depth.
///
/// # Whose normal and depth
/// `measured` says whose. If it is `true` they are those of the two **bodies**, the geometry of the
/// parts, computed exactly whatever the accuracy of the query:
///
/// | the bodies | `point` | `normal` and `depth` |
/// |---|---|---|
/// | share a point | the centroid of their [intersection curve]; without one, the middle of the two points that separate last; for two single boxes, the point between their centres that divides their segment in the ratio of the diagonals | their [separation]: moving `b` by `depth` along `normal` separates them; one inside the other comes out of the solid |
/// | are disjoint, and reported because the accuracy is coarse or the query has a margin | the middle of their closest points | the direction of these points; `depth` is minus their distance |
///
/// If `measured` is `false`, they are those of the two **boxes** `a.node` and `b.node`, because the
/// query asks for boxes by its [detail](crate::scene::PairQuery::detail), or because its
/// [budget](crate::Accuracy::Budget) was spent before the two were measured. Near the root a box
/// represents its part. At the leaves of a skin it is a flat box around a single triangle, and the
/// depth of two such boxes says nothing about the bodies: two cubes of size 1 that are 0.3 deep in
/// each other give 0.433 where a face is two triangles and 0.072 where it is 128, both along a
/// diagonal.
///
/// It is one point, for a spark, a sound, a knockback or a push. For resting contact a physics
/// engine wants several points, a manifold, which boxwood does not compute. Characters of many
/// parts separate by [`Snapshot::separation`](crate::scene::Snapshot::separation), which takes all
/// their parts into account.
///
/// [intersection curve]: crate::scene::Snapshot::intersection_curve
/// [separation]: crate::tree::TreePair::separation
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
/// let mut hits = boxwood::Hits::new();
/// now.contacts(&PairQuery::between(red, blue), &mut hits)?;
/// let hit = hits[0];
/// // Blue moved this far along the normal only touches red.
/// assert!((hit.normal * hit.depth - Vector3::new(0.1, 0.0, 0.0)).norm() < 1e-6);
/// assert_eq!(hit.reversed().normal, -hit.normal);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Hit<T: Scalar> {
    /// The first part; the node is the root if the hit is measured.
    pub a: NodeRef,
    /// The second part; the node is the root if the hit is measured.
    pub b: NodeRef,
    /// `true` if point, normal and depth are those of the two bodies; `false` if they are those of
    /// the boxes `a.node` and `b.node`.
    pub measured: bool,
    /// Position of the contact [world frame]; of two boxes, the point between their centres that
    /// divides their segment in the ratio of the diagonals.
    pub point: Point3<T>,
    /// Upper bound on the distance of `point` from any point that the two bodies, or boxes, share
    /// [world units].
    pub point_error: T,
    /// Unit vector from `a` to `b`. [world frame]
    pub normal: Vector3<T>,
    /// Translation of `b` along `normal` until the two only touch; negative for bodies that are
    /// disjoint: minus their distance, at most `slack` and the margin of the query together. [world
    /// units]
    pub depth: T,
    /// Upper bound on the distance of the two bodies beyond the margin of the query [world units].
    /// Zero if they share a point and are measured; primitives that are no triangles or boxes have
    /// their proved error instead. Of boxes: the least of the bounds of the two nodes and of their
    /// ancestors at equal depths; zero if an inside test decided.
    ///
    /// Never greater than [`Report::slack`](crate::Report::slack). That of boxes may rise with
    /// depth when another pair of nodes becomes the deepest of two parts; that of the report never
    /// does.
    pub slack: T,
}

impl<T: Scalar> Hit<T> {
    pub(in crate::scene) fn new([a, b]: [NodeRef; 2], contact: Contact<T>, measured: bool) -> Self {
        let Contact { point, point_error, normal, depth, slack } = contact;
        Hit { a, b, measured, point, point_error, normal, depth, slack }
    }

    /// Returns the hit with `a` and `b` swapped.
    pub fn reversed(&self) -> Self {
        Hit { a: self.b, b: self.a, normal: -self.normal, ..*self }
    }

    /// Returns the direction to prefer for these two parts in the next tick.
    pub fn hint(&self) -> NormalHint {
        let [a, b] = [self.a, self.b].map(|node| (node.character, node.part));
        NormalHint { a, b, normal: self.normal.map(T::wide) }
    }
}
