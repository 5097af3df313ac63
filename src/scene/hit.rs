//! Hits: two nodes of parts, and their contact.

use nalgebra::{Point3, Vector3};

use super::CharacterKey;
use crate::model::PartId;
use crate::num::Scalar;
use crate::pair::Contact;
use crate::tree::NodeId;

/// A reference to a node: a box of a part of a character.
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
/// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
/// # let model = parts.build(&Build::default())?;
/// # let mut scene = Scene::new();
/// # let red = scene.insert(&model, Spawn::default())?;
/// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
/// # let mut buffers = Buffers::new();
/// # let now = scene.snapshot(&mut buffers);
/// let mut hits = boxwood::Hits::new();
/// now.pairs(&PairQuery::all(), &mut hits)?;
/// let (a, _) = hits.pairs()[0];
/// assert_eq!(scene.part(a.character, a.part)?.name(), "cube");
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeRef {
    /// Whose.
    pub character: CharacterKey,
    /// Which part.
    pub part: PartId,
    /// Which node of the part's tree; the root where the answer is about the part as a whole, or a
    /// ray starts inside it.
    pub node: NodeId,
}

/// A contact of two boxes in the world: which, where, how deep.
///
/// # Whose normal and depth
/// `normal` and `depth` are those of the two *boxes* `a.node` and `b.node`, not of the bodies they
/// are part of: moving `b` by `depth` along `normal` parts these two boxes, and perhaps no others.
/// Near the root a box stands in for its part. At the leaves of a skin it is a flat box about a
/// single triangle, and how deep two of them overlap says nothing about the bodies: two cubes of
/// size 1 that are 0.3 deep in each other give 0.433 where a face is two triangles and 0.072 where
/// it is 128, both along a diagonal, and the normal may lead from the second body to the first.
/// [`Accuracy::Exact`](crate::Accuracy::Exact) and [`Accuracy::Within`](crate::Accuracy::Within)
/// make it surer *who* touches, not which way out is.
///
/// To push bodies apart, until they have an answer of their own, ask twice: who touches, at the
/// accuracy that takes; then those parts again ([`PairQuery::parts`](super::PairQuery::parts)) with
/// [`Accuracy::Depth(0)`](crate::Accuracy::Depth) and [`Detail::Parts`](super::Detail::Parts). That
/// is the contact of the boxes around two whole parts: its depth along its normal is enough to part
/// the two parts, exactly the least where these are boxes, and more than the least where they do
/// not fill their boxes. How far apart bodies are that do not touch says
/// [`Snapshot::distance`](super::Snapshot::distance).
///
/// For sparks and sounds there is a steadier point than `point`: the centroid of the curve in which
/// the surfaces of the two parts cross, by
/// [`Snapshot::intersection_curve`](super::Snapshot::intersection_curve).
///
/// ```
/// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
/// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
/// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
/// # let model = parts.build(&Build::default())?;
/// # let mut scene = Scene::new();
/// # let red = scene.insert(&model, Spawn::default())?;
/// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
/// # let mut buffers = Buffers::new();
/// # let now = scene.snapshot(&mut buffers);
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
    /// The first.
    pub a: NodeRef,
    /// The second.
    pub b: NodeRef,
    /// Between the centres of the boxes, dividing their segment in the ratio of the diagonals.
    /// World.
    pub point: Point3<T>,
    /// No point of the boxes' overlap is further from `point`. World units.
    pub point_error: T,
    /// Unit, from the box of `a` to that of `b`: where these overlap least. World. Not the bodies':
    /// see above.
    pub normal: Vector3<T>,
    /// How far to move `b` along `normal` until the two boxes only touch. World units, never
    /// negative. Not the bodies': see above.
    pub depth: T,
    /// The geometry of `a` and `b` is no further apart than this. World units. Zero where
    /// primitives or an inside decided.
    pub slack: T,
}

impl<T: Scalar> Hit<T> {
    pub(super) fn new(a: NodeRef, b: NodeRef, contact: Contact<T>) -> Self {
        let Contact { point, point_error, normal, depth, slack } = contact;
        Hit { a, b, point, point_error, normal, depth, slack }
    }

    /// The same hit with the two swapped.
    pub fn reversed(&self) -> Self {
        Hit { a: self.b, b: self.a, normal: -self.normal, ..*self }
    }
}
