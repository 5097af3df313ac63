//! Answers of pair queries, and the scratch they are worked out in.

use std::ops::Deref;

use nalgebra::{Point3, Vector3};

use super::CharacterKey;
use super::candidates::Kept;
use super::distance::RankedParts;
use super::order::Spare;
use super::separation::SeparationScratch;
use crate::broad_phase::{BlockOverlaps, CharacterPairs};
use crate::model::PartId;
use crate::num::Scalar;
use crate::pair::Contact;
use crate::sat::prefilter::PrefilterQueue;
use crate::tree::{Counts, NodeId, NodePair, TreeScratch, Waiting};

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

/// The answers of a pair query: kept from tick to tick, no query allocates after the first few.
///
/// After [`contacts`](super::Snapshot::contacts) it is a slice of [`Hit`]s, after
/// [`pairs`](super::Snapshot::pairs) see [`Hits::pairs`]. Sorted by order of the character, part,
/// node of `a`, then of `b`.
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
/// now.contacts(&PairQuery::all(), &mut hits)?; // where: the slice
/// for hit in &hits {
///     println!("{} deep at {}", hit.depth, hit.point);
/// }
/// now.pairs(&PairQuery::all(), &mut hits)?; // who: its pairs; the slice is empty then
/// assert_eq!((hits.len(), hits.pairs().len()), (0, 1));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Hits<T: Scalar> {
    pub(super) hits: Vec<Hit<T>>,
    pub(super) pairs: Vec<(NodeRef, NodeRef)>,
    pub(super) work: QueryScratch<T>,
}

/// The scratch memory of pair queries: kept from tick to tick, no query allocates after the first
/// few. Holds no answers.
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
/// let mut scratch = boxwood::QueryScratch::new(); // one a thread
/// assert!(now.intersects(&PairQuery::all(), &mut scratch)?);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct QueryScratch<T: Scalar> {
    pub(super) tree: TreeScratch,
    pub(super) stack: Vec<u32>,
    pub(super) near: Vec<BlockOverlaps>,
    pub(super) near_itself: Vec<(PartId, PartId)>,
    /// Places of characters near one.
    pub(super) near_one: Vec<u32>,
    /// Those near each other within a margin.
    pub(super) near_all: CharacterPairs,
    pub(super) queue: PrefilterQueue,
    pub(super) candidates: Vec<Kept>,
    pub(super) touches: Vec<NodePair>,
    /// Pairs of parts, and how far apart their boxes are.
    pub(super) ranked: Vec<RankedParts>,
    pub(super) separation: SeparationScratch,
    /// The contacts of two parts.
    pub(super) of_parts: Vec<Contact<T>>,
    pub(super) found: Vec<Found>,
    /// What sorting these takes, and sorting candidates.
    pub(super) spare: Spare<Found>,
    pub(super) spare_candidates: Spare<Kept>,
    pub(super) contacts: Vec<Contact<T>>,
    /// Contacts on their way behind those, and of two parts.
    pub(super) waiting: [Waiting; 2],
    /// What other threads write on.
    #[cfg(feature = "rayon")]
    pub(super) workers: Vec<QueryScratch<T>>,
}

impl<T: Scalar> QueryScratch<T> {
    /// Empty scratch memory.
    pub fn new() -> Self {
        QueryScratch::default()
    }

    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.contacts.clear();
        self.candidates.clear();
        self.queue.clear();
        self.waiting.iter_mut().for_each(Waiting::clear);
        self.tree.counts = Counts::default();
    }

    /// Takes what another has found behind what was found here.
    #[cfg(feature = "rayon")]
    pub(super) fn add(&mut self, other: &Self) {
        let before = self.contacts.len() as u32;
        let found = other.found.iter().map(|f| Found { contact: f.contact + before, ..*f });
        self.found.extend(found);
        self.contacts.extend_from_slice(&other.contacts);
        self.tree.counts += other.tree.counts;
    }
}

/// A pair of boxes on its way into an answer: small, because it is sorted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Character (by order), part, node; of both.
    pub key: [u32; 6],
    /// Its place among the contacts, if these were asked for.
    pub contact: u32,
}

impl<T: Scalar> Hits<T> {
    /// No answers yet.
    pub fn new() -> Self {
        Hits { hits: Vec::new(), pairs: Vec::new(), work: QueryScratch::default() }
    }

    /// The scratch memory of these answers, for queries that return theirs: intersection, distance.
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
    /// if now.intersects(&PairQuery::all(), hits.scratch())? {
    ///     now.contacts(&PairQuery::all(), &mut hits)?;
    /// }
    /// assert_eq!(hits.len(), 1);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scratch(&mut self) -> &mut QueryScratch<T> {
        &mut self.work
    }

    /// The hit whose boxes overlap deepest, the first of equally deep ones; see [`Hit`] for what
    /// depth says of bodies.
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
    /// now.contacts(&PairQuery::all(), &mut hits)?;
    /// let hit = hits.deepest().expect("they touch");
    /// assert!((hit.depth - 0.1).abs() < 1e-6);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn deepest(&self) -> Option<&Hit<T>> {
        self.hits
            .iter()
            .reduce(|deepest, hit| if hit.depth > deepest.depth { hit } else { deepest })
    }

    /// The pairs that touch, after [`pairs`](super::Snapshot::pairs).
    pub fn pairs(&self) -> &[(NodeRef, NodeRef)] {
        &self.pairs
    }

    pub(super) fn clear(&mut self) {
        self.hits.clear();
        self.pairs.clear();
        self.work.clear();
    }
}

impl<T: Scalar> Deref for Hits<T> {
    type Target = [Hit<T>];
    fn deref(&self) -> &[Hit<T>] {
        &self.hits
    }
}

impl<'a, T: Scalar> IntoIterator for &'a Hits<T> {
    type Item = &'a Hit<T>;
    type IntoIter = std::slice::Iter<'a, Hit<T>>;
    fn into_iter(self) -> Self::IntoIter {
        self.hits.iter()
    }
}
