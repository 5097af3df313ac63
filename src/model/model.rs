//! The model: parts with their trees and the rules that exclude pairs.

use std::ops::Index;
use std::sync::Arc;

use super::pair_rules::{PairRules, fingerprint, set_margins};
use super::part_defaults::PartDefaults;
use super::tested_pairs::TestedPairs;
use super::{MarginRequest, PartId};
use crate::broad_phase::part_at_slot;
use crate::error::Error;
use crate::model::{Part, RootBoxes};
use crate::num::Scalar;
use crate::shape::Pose;
use crate::tree::ObbTree;

/// The immutable data that all characters of one kind share: parts, their trees, and the pairs that
/// are never tested.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Build, Geometry, Model, Obb};
///
/// let bone = Obb::from_pose(&Isometry3::translation(0.0, 0.15, 0.0), Vector3::repeat(0.15))?;
/// let model = Model::builder()
///     .part("upper_arm", None, Geometry::Boxes(vec![bone]))
///     .part("forearm", Some("upper_arm"), Geometry::Boxes(vec![bone]))
///     .bind(Isometry3::translation(0.0, 0.3, 0.0)) // part to model
///     .ignore_neighbours(1) // a forearm always touches its upper arm
///     .build(&Build::default())?;
/// let (upper, lower) = (model.part("upper_arm")?, model.part("forearm")?);
/// assert_eq!(model.parts()[lower.index()].parent(), Some(upper));
/// assert!(model.ignores(upper, lower));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Model<T: Scalar> {
    /// Shared with copies that differ only in rules.
    pub(super) parts: Arc<[Part<T>]>,
    pub(super) rules: PairRules,
    /// The pairs that the rules do not ignore.
    pub(super) tested_pairs: TestedPairs,
    /// The root boxes in single precision; `None` if the parts are too large or too small.
    pub(super) roots: Option<RootBoxes>,
    /// Part at each slot of the world boxes, which are stored in blocks: neighbours in the bind
    /// pose share a block. Empty for few parts, where slots are parts.
    pub(super) order: Vec<u32>,
    pub(super) fingerprint: u64,
    /// State of new characters, shared with copies that differ only in rules.
    pub(super) defaults: Arc<PartDefaults<T>>,
}

impl<T: Scalar> Model<T> {
    /// The parts, parents before children.
    pub fn parts(&self) -> &[Part<T>] {
        &self.parts
    }

    /// The number of parts, those without geometry included; at least one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// The part of that name.
    ///
    /// # Errors
    /// [`Error::UnknownName`].
    pub fn part(&self, name: &str) -> Result<PartId, Error> {
        let found = self.parts.iter().position(|part| part.name == name);
        let unknown = || Error::unknown_name("part", name, self.part_names());
        found.map(PartId::new).ok_or_else(unknown)
    }

    /// Returns the names of all parts, in order.
    pub(in crate::model) fn part_names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.name.as_str())
    }

    /// Returns `true` if the two parts are never tested against each other within one character.
    /// Always `true` for a part and itself.
    pub fn ignores(&self, a: PartId, b: PartId) -> bool {
        self.rules.ignores(a, b)
    }

    /// Returns `true` if the two parts are tested against each other within one character with the
    /// [groups](crate::CollisionGroups) of the model: they are not [ignored](Self::ignores), and
    /// their groups interact or [do not count](super::ModelBuilder::test).
    pub fn tests(&self, a: PartId, b: PartId) -> bool {
        !self.ignores(a, b) && self.groups_interact((a, b))
    }

    /// The distance up to which the two parts count as touching within one character: 0 unless set
    /// by the [builder](super::ModelBuilder::margin) or [`Model::with_margins`]. World units.
    pub fn margin(&self, a: PartId, b: PartId) -> f64 {
        self.rules.margin((a, b), MarginRequest { margin: 0.0, use_model_margins: true })
    }

    /// Copies the model with other margins: one for every two parts, then those of some pairs by
    /// name, like [`ModelBuilder::margin_between`](super::ModelBuilder::margin_between). World
    /// units.
    ///
    /// # Errors
    /// [`Error::UnknownName`]; [`Error::NotFinite`] and [`Error::Negative`] for a margin, by index:
    /// 0 is the margin of every two parts.
    ///
    /// ```
    /// # use boxwood::{Build, Geometry, Model};
    /// # let parts = Model::builder().part("hand", None, Geometry::None);
    /// # let robot = parts.part("cup", None, Geometry::None).build(&Build::default())?;
    /// let careful = robot.with_margins(0.01, &[("hand", "cup", 0.0)])?;
    /// assert_eq!(careful.margin(careful.part("hand")?, careful.part("cup")?), 0.0);
    /// assert!(robot.with_margins(-0.01, &[]).is_err());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn with_margins(
        &self,
        margin: impl Into<f64>,
        of_pairs: &[(&str, &str, f64)],
    ) -> Result<Arc<Self>, Error> {
        self.copied_with_margins(margin.into(), of_pairs)
    }

    fn copied_with_margins(
        &self,
        margin: f64,
        of_pairs: &[(&str, &str, f64)],
    ) -> Result<Arc<Self>, Error> {
        let mut model = self.clone();
        let of_pairs =
            of_pairs.iter().map(|&(a, b, margin)| Ok(((self.part(a)?, self.part(b)?), margin)));
        set_margins(&mut model.rules, margin, of_pairs)?;
        model.fingerprint = fingerprint(&model.parts, &model.rules);
        Ok(Arc::new(model))
    }

    /// The bind pose of every part, part to model.
    pub fn bind_poses(&self) -> Vec<Pose<T>> {
        self.defaults.bind.clone()
    }

    /// Copies the model with every tree [cut off](crate::tree::ObbTree::cut_off) at a depth of its
    /// own, as [`accuracy::tune`](crate::accuracy::tune()) proposes them: one depth per part, any
    /// for parts without geometry.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is one depth for every part.
    pub fn cut_off(&self, depths: &[u8]) -> Result<Arc<Self>, Error> {
        if depths.len() != self.parts.len() {
            let (expected, found) = (self.parts.len(), depths.len());
            return Err(Error::WrongCount { field: "depths", expected, found });
        }
        let cut = |(part, &depth): (&Part<T>, &u8)| {
            let tree = part.tree.clone().map(|tree| tree.cut_off(depth));
            Part { tree, name: part.name.clone(), ..*part }
        };
        let mut model = self.clone();
        model.parts = self.parts.iter().zip(depths).map(cut).collect();
        model.roots = RootBoxes::new(&model.parts, &model.order);
        model.fingerprint = fingerprint(&model.parts, &model.rules);
        Ok(Arc::new(model))
    }

    /// Copies the model with every tree [completed](crate::tree::ObbTree::complete): a model built
    /// with [`Build::level`](crate::tree::Build::level) becomes that of the default build, bit for
    /// bit. The calling thread does all work.
    ///
    /// ```
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::{Build, Geometry, Mesh, Model};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let sides = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let solid = Geometry::Solid(Mesh::new(corners.map(Point3::from).to_vec(), sides)?);
    /// let parts = || Model::builder().part("rock", None, solid.clone());
    /// let at_once = parts().build(&Build::level())?;
    /// let thread = std::thread::spawn({
    ///     let model = at_once.clone();
    ///     move || model.complete()
    /// });
    /// // Here the program queries `at_once`, until the other is ready.
    /// let complete = thread.join().expect("completed");
    /// assert_eq!(complete.fingerprint(), parts().build(&Build::new())?.fingerprint());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn complete(&self) -> Arc<Self> {
        let complete = |part: &Part<T>| {
            let tree = part.tree.as_ref().map(|tree| tree.complete());
            Part { tree, name: part.name.clone(), ..*part }
        };
        let mut model = self.clone();
        model.parts = self.parts.iter().map(complete).collect();
        model.roots = RootBoxes::new(&model.parts, &model.order);
        model.fingerprint = fingerprint(&model.parts, &model.rules);
        Arc::new(model)
    }

    /// A hash of names, geometry, rules and groups, equal on all machines.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The state of parts of a new character.
    #[inline]
    pub(crate) fn defaults(&self) -> &PartDefaults<T> {
        &self.defaults
    }

    /// The margin of two parts of one character for a query's request.
    #[inline]
    pub(crate) fn requested_margin(&self, pair: (PartId, PartId), asked: MarginRequest) -> f64 {
        self.rules.margin(pair, asked)
    }

    /// The largest margin of two parts of one character.
    #[inline]
    pub(crate) fn max_margin(&self, asked: MarginRequest) -> f64 {
        self.rules.max_margin_for(asked)
    }

    pub(crate) fn roots(&self) -> Option<&RootBoxes> {
        self.roots.as_ref()
    }

    /// The part at each slot of world boxes; see [`part_at_slot`].
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Mask of 64 slots, from `word * 64` on: those after `slot` whose part is tested against the
    /// part at `slot`.
    #[inline]
    pub(crate) fn tested_later_mask(&self, slot: usize, word: usize) -> u64 {
        self.tested_pairs.later_mask(slot, word)
    }

    /// The part whose world box is at that slot.
    #[inline]
    pub(crate) fn part_at(&self, slot: usize) -> PartId {
        PartId::new(part_at_slot(&self.order, slot))
    }

    pub(crate) fn check_part(&self, part: PartId) -> Result<(), Error> {
        match part.index() < self.parts.len() {
            true => Ok(()),
            false => Err(Error::IndexOutOfRange {
                field: "part",
                index: 0,
                target: part.index(),
                len: self.parts.len(),
            }),
        }
    }
}

/// The part of an id of this model.
///
/// # Panics
/// If the model has no such part, like indexing a slice.
///
/// ```
/// # boxwood::fixture_model!(cube, model);
/// let part = model.part("cube")?;
/// assert_eq!(model[part].name(), "cube");
/// # Ok::<(), boxwood::Error>(())
/// ```
impl<T: Scalar> Index<PartId> for Model<T> {
    type Output = Part<T>;

    #[track_caller]
    fn index(&self, part: PartId) -> &Part<T> {
        &self.parts[part.index()]
    }
}

impl<T: Scalar> Model<T> {
    /// The heap memory of the model in bytes: trees, geometry, names and rules, without spare
    /// capacity of vectors. All characters of the model share it.
    pub fn bytes(&self) -> usize {
        let part = |part: &Part<T>| part.name.len() + part.tree.as_ref().map_or(0, ObbTree::bytes);
        let held: usize = self.parts.iter().map(part).sum();
        let roots = self.roots.as_ref().map_or(0, RootBoxes::bytes);
        let rules = self.rules.words().count() * size_of::<u64>() + self.tested_pairs.bytes();
        // The shared list of parts begins with two counters.
        let parts = 2 * size_of::<usize>() + size_of_val(&self.parts[..]);
        held + roots + rules + parts + size_of_val(&self.order[..])
    }
}
