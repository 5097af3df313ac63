//! Hits: two nodes that touch, and the contact of their boxes.

use nalgebra::{Point3, Vector3};

use crate::model::PartId;
use crate::num::Scalar;
use crate::pair::Contact;
use crate::scene::CharacterKey;
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

/// The contact of two boxes in the world: which boxes, position, normal and depth.
///
/// # Whose normal and depth
/// `normal` and `depth` are those of the two *boxes* `a.node` and `b.node`, not of the bodies they
/// are part of: moving `b` by `depth` along `normal` separates these two boxes, and perhaps no
/// others. Near the root a box represents its part. At the leaves of a skin it is a flat box around
/// a single triangle, and the depth of two such boxes says nothing about the bodies: two cubes of
/// size 1 that are 0.3 deep in each other give 0.433 where a face is two triangles and 0.072 where
/// it is 128, both along a diagonal, and the normal may lead from the second body to the first.
/// [`Accuracy::Exact`](crate::Accuracy::Exact) and [`Accuracy::Within`](crate::Accuracy::Within)
/// make it surer *which* parts touch, not in which direction they separate.
///
/// To push bodies apart, [`Snapshot::separation`](crate::scene::Snapshot::separation) computes a
/// translation of whole characters. A cheaper estimate takes two queries: which parts touch, at the
/// accuracy needed; then those parts again ([`PairQuery::parts`](crate::scene::PairQuery::parts))
/// with [`Accuracy::Depth(0)`](crate::Accuracy::Depth) and
/// [`Detail::Parts`](crate::scene::Detail::Parts). The second gives the contact of the boxes around
/// two whole parts: its depth along its normal is enough to separate the two parts, exactly the
/// least where the parts are boxes, and more than the least where they do not fill their boxes. The
/// distance of bodies that do not touch is
/// [`Snapshot::distance`](crate::scene::Snapshot::distance).
///
/// For sparks and sounds, the centroid of
/// [`Snapshot::intersection_curve`](crate::scene::Snapshot::intersection_curve) is a steadier
/// position than `point`.
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
pub struct Hit<T: Scalar> {
    /// The node of the first part.
    pub a: NodeRef,
    /// The node of the second part.
    pub b: NodeRef,
    /// Point between the centres of the boxes, dividing their segment in the ratio of the diagonals
    /// [world frame].
    pub point: Point3<T>,
    /// Upper bound on the distance of `point` from any point of the boxes' overlap [world units].
    pub point_error: T,
    /// Unit vector from the box of `a` to that of `b`, along which these overlap least [world
    /// frame]. Not that of the bodies: see [`Hit`].
    pub normal: Vector3<T>,
    /// Translation of `b` along `normal` until the two boxes only touch, never negative [world
    /// units]. Not that of the bodies: see [`Hit`].
    pub depth: T,
    /// Upper bound on the distance of the geometries of the two *parts* [world units]: the least of
    /// the bounds of the two nodes and of their ancestors at equal depths. Zero if an inside test
    /// decided, or primitives that are triangles or boxes; for other primitives their proved error.
    ///
    /// Never greater than [`Report::slack`](crate::Report::slack). It may rise with depth when
    /// another pair of nodes becomes the deepest of two parts; that of the report never does.
    pub slack: T,
}

impl<T: Scalar> Hit<T> {
    pub(in crate::scene) fn new(a: NodeRef, b: NodeRef, contact: Contact<T>) -> Self {
        let Contact { point, point_error, normal, depth, slack } = contact;
        Hit { a, b, point, point_error, normal, depth, slack }
    }

    /// Returns the hit with `a` and `b` swapped.
    pub fn reversed(&self) -> Self {
        Hit { a: self.b, b: self.a, normal: -self.normal, ..*self }
    }
}
