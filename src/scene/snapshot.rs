//! Snapshots: one moment of a scene, and its pair queries.

use super::boxes::Entry;
use super::candidates::Candidate;
use super::order;
use super::precompiled::{AnyTouching, PairsOf};
use super::query::Who;
use super::search::{Goal, Search};
use super::{
    Buffers, Character, CharacterKey, Hit, Hits, NodeRef, PairQuery, QueryScratch, Report, Scene,
};
use crate::error::Error;
use crate::model::{AskedMargin, PartId, Placed};
use crate::num::Scalar;
use crate::shape::{Aabb, Obb};
use crate::tree::{NodeId, Seats, TreePair};

/// One moment of a scene, with the world AABBs of all parts. Queries take `&self`; threads may
/// share it.
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

    /// Whether any two parts that the query is about touch, or are within its
    /// [margin](PairQuery::margin). May stop at the first; computes no point.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part,
    /// [`Error::NotFinite`] and [`Error::Negative`] for a tolerance or a margin.
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
    /// let mut scratch = boxwood::QueryScratch::new();
    /// assert!(now.intersects(&PairQuery::between(red, blue), &mut scratch)?);
    /// assert!(!now.intersects(&PairQuery::all().excluding(&[red]), &mut scratch)?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn intersects(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        T::precompiled(AnyTouching(query), (*self, scratch))
    }

    /// Finds the pairs that touch, parts or boxes by [`PairQuery::detail`], and puts them into
    /// [`Hits::pairs`]. Computes no point.
    ///
    /// # Errors
    /// As [`Snapshot::intersects`]; then there are no answers.
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
    /// for (a, b) in hits.pairs() {
    ///     assert_eq!((a.character, b.character), (red, blue));
    /// }
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn pairs(&self, query: &PairQuery<'_>, hits: &mut Hits<T>) -> Result<Report<T>, Error> {
        T::precompiled(PairsOf { query, goal: Goal::Pairs }, (*self, hits))
    }

    /// Finds the contacts of the pairs that touch, and puts them into `hits`. Normal and depth are
    /// those of boxes, not of bodies: see [`Hit`].
    ///
    /// # Errors
    /// As [`Snapshot::intersects`], and [`Error::BadQuery`] for a margin; then there are no answers.
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
    /// // Two unit cubes, 0.9 apart along x: they share a slab 0.1 thick.
    /// let mut hits = boxwood::Hits::new();
    /// let report = now.contacts(&PairQuery::between(red, blue), &mut hits)?;
    /// let hit = &hits[0];
    /// assert_eq!(hit.normal, Vector3::x()); // from red to blue
    /// assert!((hit.depth - 0.1).abs() < 1e-6);
    /// assert!((hit.point.x - 0.45).abs() < 1e-6);
    /// assert!(hit.slack <= report.slack && report.slack < 1e-4);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn contacts(&self, query: &PairQuery<'_>, hits: &mut Hits<T>) -> Result<Report<T>, Error> {
        T::precompiled(PairsOf { query, goal: Goal::Contacts }, (*self, hits))
    }

    /// The scene of the snapshot.
    pub fn scene(&self) -> &'a Scene<T> {
        self.scene
    }

    /// The characters, in the order of answers.
    pub fn characters(&self) -> impl Iterator<Item = CharacterKey> + Clone + use<'a, T> {
        let (now, places) = (*self, 0..self.buffers.entries.len() as u32);
        places.map(move |place| now.key(place))
    }

    /// The world AABB of a part; empty if it has no geometry or is switched off.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
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

    /// The world AABB of a character: the union of those of its parts.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn character_aabb(&self, key: CharacterKey) -> Result<Aabb<T, 3>, Error> {
        let (place, _) = self.entry(key)?;
        let parts = self.parts(place).iter();
        Ok(parts.fold(Aabb::empty(), |all, part| all.merged(&part.bounds)))
    }

    /// The oriented box of a node in the world, rounded to `T`.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`], [`Error::Empty`] for
    /// a part without geometry.
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

    /// The character at that place among the entries.
    pub(super) fn character(&self, place: u32) -> (&'a Entry<T>, &'a Character<T>) {
        let entry = &self.buffers.entries[place as usize];
        (entry, &self.scene.characters[entry.slot])
    }

    /// The parts of the character at that place among the entries.
    pub(super) fn parts(&self, place: u32) -> &'a [Placed<T>] {
        let Buffers { places, entries, .. } = self.buffers;
        places.get(self.scene, entries, place)
    }

    /// The trees of two parts, where they are.
    pub(super) fn tree_pair(&self, candidate: &Candidate) -> TreePair<'a, T> {
        TreePair::between(self.seats(candidate))
    }

    /// The margin of two parts, as a query asks for it.
    pub(super) fn margin(&self, Candidate { a, b }: &Candidate, asked: AskedMargin) -> f64 {
        match a.0 == b.0 {
            true => self.character(a.0).1.model.asked_margin((a.1, b.1), asked),
            false => asked.least,
        }
    }

    pub(super) fn seats(&self, candidate: &Candidate) -> Seats<'a, T> {
        let seat = |(place, part): (u32, PartId)| {
            let (entry, character) = self.character(place);
            let pose = &character.poses[part.index()];
            character.model.seat(part, pose, entry.order)
        };
        Seats::new(seat(candidate.a), seat(candidate.b))
    }

    /// Of the character at that place among the entries.
    pub(super) fn key(&self, place: u32) -> CharacterKey {
        CharacterKey { slot: self.buffers.entries[place as usize].slot, scene: self.scene.id }
    }

    /// Of a character's place, a part, a node.
    pub(super) fn node_ref(&self, [place, part, node]: [u32; 3]) -> NodeRef {
        let (part, node) = (PartId::new(part as usize), NodeId::new(node as usize));
        NodeRef { character: self.key(place), part, node }
    }

    pub(super) fn node_refs(&self, [a, b, c, d, e, f]: [u32; 6]) -> (NodeRef, NodeRef) {
        (self.node_ref([a, b, c]), self.node_ref([d, e, f]))
    }

    /// Looks for what the query is about, sorts what was found and sums it up.
    pub(super) fn touching(
        &self,
        query: &PairQuery<'_>,
        hits: &mut Hits<T>,
        goal: Goal,
    ) -> Result<Report<T>, Error> {
        hits.clear();
        let Hits { hits, pairs, work } = hits;
        let (slack, met) = self.find(query, work, goal)?;
        order::answers(&mut work.found, &mut work.spare);
        let found = work.found.iter();
        match goal {
            Goal::Any => {}
            Goal::Pairs => pairs.extend(found.map(|found| {
                let (a, b) = self.node_refs(found.key);
                if self.swaps(query, found.key) { (b, a) } else { (a, b) }
            })),
            Goal::Contacts => hits.extend(found.map(|found| {
                let (a, b) = self.node_refs(found.key);
                let hit = Hit::new(a, b, work.contacts[found.contact as usize]);
                if self.swaps(query, found.key) { hit.reversed() } else { hit }
            })),
        }
        Ok(Report { slack, met, counts: work.tree.counts })
    }

    /// Whether the answer about these parts names the second first.
    #[inline]
    pub(super) fn swaps(&self, query: &PairQuery<'_>, [a, i, _, b, j, _]: [u32; 6]) -> bool {
        let groups = |place, part: u32| self.character(place).1.groups[part as usize];
        query.attacker_first && query.swaps([groups(a, i), groups(b, j)])
    }

    pub(super) fn any_touching(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        scratch.clear();
        self.find(query, scratch, Goal::Any)?;
        let any = !scratch.found.is_empty();
        scratch.found.clear();
        Ok(any)
    }

    /// Fills `found`; the slack of all, and whether the accuracy was met.
    fn find(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
        goal: Goal,
    ) -> Result<(T, bool), Error> {
        query.overlap_accuracy().check()?;
        query.check_margin(goal == Goal::Contacts)?;
        query.check(self.scene)?;
        let mut search = Search::new(*self, query, goal, scratch);
        self.run(query.who, &mut search)?;
        Ok((search.slack, search.met))
    }

    fn run(&self, who: Who, search: &mut Search<'_, T>) -> Result<(), Error> {
        match who {
            Who::All => {
                if search.all() {
                    return Ok(());
                }
            }
            Who::Between(a, b) => {
                let (a, b) = (self.entry(a)?.0, self.entry(b)?.0);
                let _ = search.near(a, b);
            }
            Who::Of(a) => {
                let _ = search.against_all(self.entry(a)?.0);
            }
            Who::Within(a) => {
                let _ = search.within(self.entry(a)?.0);
            }
        }
        search.finish();
        Ok(())
    }
}
