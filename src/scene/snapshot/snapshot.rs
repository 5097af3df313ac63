//! Snapshots: one moment of a scene.

use super::buffers::Buffers;
use super::buffers::update;
use super::entry::CharacterEntry;
use crate::broad_phase::l1_radius;
use crate::error::Error;
use crate::model::{MarginRequest, PartId, PlacedPart};
use crate::narrow_phase::{Candidate, LeafBoxes, PlacedTrees};
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::scene::filter::normal_hint::PreferredNormal;
use crate::scene::pairs::hit::NodeRef;
use crate::scene::state::character::Character;
use crate::scene::{CharacterKey, Scene};
use crate::shape::{Aabb, Obb, Placement, Pose, wide_point};
use crate::tree::{NodeId, ObbTree, OrderedPair, PlacedTree, TreePair};

/// One moment of a scene, with the world AABBs of all parts. Queries take `&self`; threads may
/// share it.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
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
    pub(in crate::scene) scene: &'a Scene<T>,
    pub(in crate::scene) buffers: &'a Buffers<T>,
}

impl<T: Scalar> Scene<T> {
    /// Computes the world AABBs of all parts and returns the snapshot that queries take.
    ///
    /// `buffers` only save work and allocations. A character that has not changed since the last
    /// snapshot with the same buffers is not placed again, so a static world is placed once. After
    /// an insertion or removal this applies to the characters before it in the order of answers.
    ///
    /// The broad phase and the tree over the characters are computed by the first query that needs
    /// them. For a snapshot that outlives the borrow of scene and buffers, see
    /// [`OwnedSnapshot`](crate::scene::OwnedSnapshot).
    ///
    /// ```
    /// # boxwood::fixture_scene!(model, scene, red, blue at 0.9);
    /// use boxwood::{Buffers, Hits};
    ///
    /// let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    /// for step in 0..3 {
    ///     scene.set_root(blue, &Isometry3::translation(0.5 * step as f32, 0.0, 0.0))?;
    ///     let now = scene.snapshot(&mut buffers); // one a frame, after the poses are set
    ///     now.pairs(&PairQuery::between(red, blue), &mut hits)?;
    ///     assert_eq!(hits.pairs().len(), 1); // at a distance of 1, too: touching counts
    /// }
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn snapshot<'a>(&'a self, buffers: &'a mut Buffers<T>) -> Snapshot<'a, T> {
        update(buffers, self);
        Snapshot::new(self, buffers)
    }
}

impl<'a, T: Scalar> Snapshot<'a, T> {
    pub(in crate::scene) fn new(scene: &'a Scene<T>, buffers: &'a Buffers<T>) -> Self {
        Snapshot { scene, buffers }
    }

    /// Returns the scene of the snapshot.
    pub fn scene(&self) -> &'a Scene<T> {
        self.scene
    }

    /// Returns the characters, in the order of answers.
    pub fn characters(&self) -> impl Iterator<Item = CharacterKey> + Clone + use<'a, T> {
        let (now, places) = (*self, 0..self.buffers.entries.len() as u32);
        places.map(move |index| now.key_at(index))
    }

    /// Returns the world AABB of a part; empty if the part has no geometry or is switched off.
    ///
    /// It bounds the part's box - that of the root of its tree, along the axes of the part - after
    /// the pose has turned that box. It contains the geometry, and is wider than the smallest AABB
    /// of the geometry where the part is rotated: up to 1.7 times as wide as a ball.
    /// [`Snapshot::node_obb`] turns along with the part.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// let cube = model.part("cube")?;
    /// let bounds = now.part_aabb(red, cube)?;
    /// assert!(bounds.max.x >= 0.5 && bounds.max.x < 0.5001); // rounded outward
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn part_aabb(&self, key: CharacterKey, part: PartId) -> Result<Aabb<T, 3>, Error> {
        let (index, character) = self.find_character(key)?;
        character.model.check_part(part)?;
        Ok(self.parts(index)[part.index()].bounds)
    }

    /// Returns the world AABB of a character: the union of [those of its
    /// parts](Snapshot::part_aabb).
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn character_aabb(&self, key: CharacterKey) -> Result<Aabb<T, 3>, Error> {
        let (index, _) = self.find_character(key)?;
        let parts = self.parts(index).iter();
        Ok(parts.fold(Aabb::empty(), |all, part| all.merged(&part.bounds)))
    }

    /// Returns the oriented box of a node in the world, rounded to `T`.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`], [`Error::Empty`] for
    /// a part without geometry.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// use boxwood::{NodeId, NodeRef};
    ///
    /// let root = NodeRef { character: blue, part: model.part("cube")?, node: NodeId::ROOT };
    /// assert_eq!(now.node_obb(root)?.center(), Point3::new(0.9, 0.0, 0.0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn node_obb(&self, node_ref: NodeRef) -> Result<Obb<T>, Error> {
        let (_, character) = self.find_character(node_ref.character)?;
        character.model.check_part(node_ref.part)?;
        let part = &character.model.parts()[node_ref.part.index()];
        let tree = part.tree().ok_or(Error::Empty { field: "part" })?;
        let (target, len) = (node_ref.node.index(), tree.len());
        if target >= len {
            return Err(Error::IndexOutOfRange { field: "node", index: 0, target, len });
        }
        tree.node(node_ref.node).oriented().transformed(&character.poses[node_ref.part.index()])
    }

    pub(in crate::scene) fn find_character(
        &self,
        key: CharacterKey,
    ) -> Result<(u32, &'a Character<T>), Error> {
        let character = self.scene.character(key)?;
        Ok((self.buffers.indices[key.slot], character))
    }

    /// Returns the entry and the character of an index.
    pub(in crate::scene) fn character(
        &self,
        index: u32,
    ) -> (&'a CharacterEntry<T>, &'a Character<T>) {
        let entry = &self.buffers.entries[index as usize];
        (entry, &self.scene.characters[entry.slot])
    }

    /// Returns the largest sum of absolute coordinates of the AABBs of all characters, or of one.
    #[inline(always)]
    pub(in crate::scene) fn max_coordinate_sum(&self, one: Option<u32>) -> f32 {
        let Some(index) = one else { return self.buffers.character_bvhs().l1_radius() };
        let bounds = &self.buffers.entries[index as usize].bounds;
        l1_radius([wide_point(bounds.min), wide_point(bounds.max)])
    }

    /// Returns the transforms of a character's parts; computes them on first use.
    pub(in crate::scene) fn parts(&self, index: u32) -> &'a [PlacedPart<T>] {
        let Buffers { part_transforms, entries, .. } = self.buffers;
        part_transforms.get(self.scene, entries, index)
    }

    /// Like [`Snapshot::parts`], for a query that needs few parts: `None` if computing all does not
    /// pay yet.
    #[inline]
    pub(in crate::scene) fn parts_if_worth(&self, index: u32) -> Option<&'a [PlacedPart<T>]> {
        let Buffers { part_transforms, entries, .. } = self.buffers;
        part_transforms.get_if_worth(self.scene, entries, index)
    }

    /// Returns the transform of a part.
    #[inline]
    pub(in crate::scene) fn placement(&self, index: u32, part: usize) -> Placement {
        let pose = &self.character(index).1.poses[part];
        PlacedPart::placement(self.buffers.part_transforms.placed(index), part, pose)
    }

    /// Returns the placed trees of two parts.
    pub(in crate::scene) fn tree_pair(&self, candidate: &Candidate) -> TreePair<'a, T> {
        TreePair::from_ordered(OrderedPair::new(
            self.placed_tree(candidate.a),
            self.placed_tree(candidate.b),
        ))
    }

    /// Returns the placed tree of a part.
    #[inline]
    pub(in crate::scene) fn placed_tree(&self, (place, part): (u32, PartId)) -> PlacedTree<'a, T> {
        let (entry, character) = self.character(place);
        character.model.placed_tree(part, &character.poses[part.index()], entry.order)
    }

    /// Returns the key of the character of an index.
    pub(in crate::scene) fn key_at(&self, index: u32) -> CharacterKey {
        CharacterKey { slot: self.buffers.entries[index as usize].slot, scene: self.scene.id }
    }

    /// Returns the node of a character's index, a part and a node number.
    pub(in crate::scene) fn node_ref(&self, [place, part, node]: [u32; 3]) -> NodeRef {
        let (part, node) = (PartId::new(part as usize), NodeId::new(node as usize));
        NodeRef { character: self.key_at(place), part, node }
    }

    pub(in crate::scene) fn node_refs(&self, [a, b, c, d, e, f]: [u32; 6]) -> (NodeRef, NodeRef) {
        (self.node_ref([a, b, c]), self.node_ref([d, e, f]))
    }
}

/// The placed trees of a snapshot, for the narrow phase.
#[derive(Clone, Copy)]
pub(in crate::scene) struct SnapshotTrees<'a, 'w, T: Scalar> {
    pub now: Snapshot<'a, T>,
    pub margin: MarginRequest,
    pub hints: &'w [PreferredNormal],
}

impl<'a, T: Scalar> PlacedTrees<'a, T> for SnapshotTrees<'a, '_, T> {
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
        self.now.placed_tree(part)
    }

    fn leaf_boxes(&self, (place, part): (u32, PartId)) -> LeafBoxes<'a> {
        self.now.character(place).1.model.leaf_boxes(part)
    }

    #[inline]
    fn margin(&self, Candidate { a, b }: &Candidate) -> f64 {
        match a.0 == b.0 {
            true => self.now.character(a.0).1.model.requested_margin((a.1, b.1), self.margin),
            false => self.margin.margin,
        }
    }

    #[inline]
    fn preferred_normal(&self, candidate: &Candidate) -> Option<Vec3> {
        PreferredNormal::find(self.hints, candidate)
    }
}
