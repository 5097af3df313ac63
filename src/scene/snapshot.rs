//! Snapshots: one moment of a scene.

use super::boxes::Buffers;
use super::entry::Entry;
use super::hit::NodeRef;
use super::{Character, CharacterKey, Scene};
use crate::broad_phase::l1_radius;
use crate::error::Error;
use crate::model::{AskedMargin, PartId, Placed};
use crate::narrow_phase::{Candidate, PlacedTrees};
use crate::num::Scalar;
use crate::shape::{Aabb, Obb, Placement, Pose, wide_point};
use crate::tree::{NodeId, ObbTree, OrderedPair, PlacedTree, TreePair};

/// One moment of a scene, with the world AABBs of all parts. Queries take `&self`; threads may
/// share it.
///
/// ```
/// # boxwood::fixture_snapshot!(scene, red, blue at 0.9, buffers, now);
/// // Two unit cubes, 0.9 apart along x.
/// let other = now; // a snapshot is two references: copy it, share it with threads
/// assert_eq!(other.characters().collect::<Vec<_>>(), [red, blue]);
/// let mut hits = boxwood::Hits::new();
/// now.contacts(&PairQuery::all(), &mut hits)?;
/// assert_eq!((hits[0].a.character, hits[0].b.character), (red, blue));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Snapshot<'a, T: Scalar> {
    pub(super) scene: &'a Scene<T>,
    pub(super) buffers: &'a Buffers<T>,
}

impl<'a, T: Scalar> Snapshot<'a, T> {
    pub(super) fn new(scene: &'a Scene<T>, buffers: &'a Buffers<T>) -> Self {
        Snapshot { scene, buffers }
    }

    /// Returns the scene of the snapshot.
    pub fn scene(&self) -> &'a Scene<T> {
        self.scene
    }

    /// Returns the characters, in the order of answers.
    pub fn characters(&self) -> impl Iterator<Item = CharacterKey> + Clone + use<'a, T> {
        let (now, places) = (*self, 0..self.buffers.entries.len() as u32);
        places.map(move |place| now.key(place))
    }

    /// Returns the world AABB of a part; empty if the part has no geometry or is switched off.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(scene, red, blue at 0.9, buffers, now);
    /// let cube = model.part("cube")?;
    /// let bounds = now.part_aabb(red, cube)?;
    /// assert!(bounds.max.x >= 0.5 && bounds.max.x < 0.5001); // rounded outward
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn part_aabb(&self, key: CharacterKey, part: PartId) -> Result<Aabb<T, 3>, Error> {
        let (place, character) = self.entry(key)?;
        character.model.check_part(part)?;
        Ok(self.parts(place)[part.index()].bounds)
    }

    /// Returns the world AABB of a character: the union of those of its parts.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn character_aabb(&self, key: CharacterKey) -> Result<Aabb<T, 3>, Error> {
        let (place, _) = self.entry(key)?;
        let parts = self.parts(place).iter();
        Ok(parts.fold(Aabb::empty(), |all, part| all.merged(&part.bounds)))
    }

    /// Returns the oriented box of a node in the world, rounded to `T`.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`], [`Error::Empty`] for
    /// a part without geometry.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{NodeId, NodeRef};
    ///
    /// let root = NodeRef { character: blue, part: model.part("cube")?, node: NodeId::ROOT };
    /// assert_eq!(now.node_obb(root)?.center(), Point3::new(0.9, 0.0, 0.0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn node_obb(&self, site: NodeRef) -> Result<Obb<T>, Error> {
        let (_, character) = self.entry(site.character)?;
        character.model.check_part(site.part)?;
        let part = &character.model.parts()[site.part.index()];
        let tree = part.tree().ok_or(Error::Empty { field: "part" })?;
        let (target, len) = (site.node.index(), tree.len());
        if target >= len {
            return Err(Error::IndexOutOfRange { field: "node", index: 0, target, len });
        }
        tree.node(site.node).oriented().transformed(&character.poses[site.part.index()])
    }

    pub(super) fn entry(&self, key: CharacterKey) -> Result<(u32, &'a Character<T>), Error> {
        let character = self.scene.character(key)?;
        Ok((self.buffers.index[key.slot], character))
    }

    /// Returns the entry and the character of an index.
    pub(super) fn character(&self, place: u32) -> (&'a Entry<T>, &'a Character<T>) {
        let entry = &self.buffers.entries[place as usize];
        (entry, &self.scene.characters[entry.slot])
    }

    /// Returns the largest sum of absolute coordinates of the AABBs of all characters, or of one.
    #[inline(always)]
    pub(super) fn extent(&self, one: Option<u32>) -> f32 {
        let Some(place) = one else { return self.buffers.crowd().l1_radius() };
        let bounds = &self.buffers.entries[place as usize].bounds;
        l1_radius([wide_point(bounds.min), wide_point(bounds.max)])
    }

    /// Returns the transforms of a character's parts; computes them on first use.
    pub(super) fn parts(&self, place: u32) -> &'a [Placed<T>] {
        let Buffers { places, entries, .. } = self.buffers;
        places.get(self.scene, entries, place)
    }

    /// Like [`Snapshot::parts`], for a query that needs few parts: `None` if computing all does not
    /// pay yet.
    #[inline]
    pub(super) fn parts_if_worth(&self, place: u32) -> Option<&'a [Placed<T>]> {
        let Buffers { places, entries, .. } = self.buffers;
        places.get_if_worth(self.scene, entries, place)
    }

    /// Returns the transform of a part.
    #[inline]
    pub(super) fn placement(&self, place: u32, part: usize) -> Placement {
        let pose = &self.character(place).1.poses[part];
        Placed::placement(self.buffers.places.placed(place), part, pose)
    }

    /// Returns the placed trees of two parts.
    pub(super) fn tree_pair(&self, candidate: &Candidate) -> TreePair<'a, T> {
        TreePair::from_ordered(OrderedPair::new(self.seat(candidate.a), self.seat(candidate.b)))
    }

    /// Returns the placed tree of a part.
    #[inline]
    pub(super) fn seat(&self, (place, part): (u32, PartId)) -> PlacedTree<'a, T> {
        let (entry, character) = self.character(place);
        character.model.seat(part, &character.poses[part.index()], entry.order)
    }

    /// Returns the key of the character of an index.
    pub(super) fn key(&self, place: u32) -> CharacterKey {
        CharacterKey { slot: self.buffers.entries[place as usize].slot, scene: self.scene.id }
    }

    /// Returns the node of a character's index, a part and a node number.
    pub(super) fn node_ref(&self, [place, part, node]: [u32; 3]) -> NodeRef {
        let (part, node) = (PartId::new(part as usize), NodeId::new(node as usize));
        NodeRef { character: self.key(place), part, node }
    }

    pub(super) fn node_refs(&self, [a, b, c, d, e, f]: [u32; 6]) -> (NodeRef, NodeRef) {
        (self.node_ref([a, b, c]), self.node_ref([d, e, f]))
    }
}

/// The placed trees of a snapshot, for the narrow phase.
#[derive(Clone, Copy)]
pub(super) struct SnapshotTrees<'a, T: Scalar> {
    pub now: Snapshot<'a, T>,
    pub margin: AskedMargin,
}

impl<'a, T: Scalar> PlacedTrees<'a, T> for SnapshotTrees<'a, T> {
    #[inline]
    fn tree(&self, (place, part): (u32, PartId)) -> &'a ObbTree<T> {
        self.now.character(place).1.model.tree(part)
    }

    #[inline]
    fn pose(&self, (place, part): (u32, PartId)) -> &'a Pose<T> {
        &self.now.character(place).1.poses[part.index()]
    }

    #[inline]
    fn placed_tree(&self, part: (u32, PartId)) -> PlacedTree<'a, T> {
        self.now.seat(part)
    }

    #[inline]
    fn margin(&self, Candidate { a, b }: &Candidate) -> f64 {
        match a.0 == b.0 {
            true => self.now.character(a.0).1.model.asked_margin((a.1, b.1), self.margin),
            false => self.margin.least,
        }
    }
}
