//! The builder of models.

use std::collections::HashMap;
use std::sync::Arc;

#[cfg(feature = "urdf")]
use super::PairTable;
use super::part_defaults::PartDefaults;
use super::tested_pairs::TestedPairs;
use super::{CollisionGroups, Model, Part, PartId, RootBoxes};
use crate::broad_phase::{MASK_BITS, spatial_order};
use crate::error::Error;
use crate::model::pair_rules::{PairRules, fingerprint, set_margins};
use crate::num::Scalar;
use crate::shape::{Placement, Pose, check_poses};
use crate::tree::{Build, BuildProgress, Geometry, ObbTree, Watch, WatchedBuild, unwatched};

/// Collects the parts of a model. Mistakes are reported by [`build`](ModelBuilder::build).
///
/// ```
/// use boxwood::{Build, Geometry, Model};
///
/// let model = Model::builder()
///     .part("root", None, Geometry::None) // a joint without geometry
///     .part("hand", Some("root"), Geometry::None)
///     .user(7)
///     .build(&Build::default())?;
/// assert_eq!(model.parts()[1].user(), 7);
///
/// // Mistakes come out at the end.
/// let wrong = Model::builder().part("hand", Some("arm"), Geometry::None);
/// assert!(wrong.build(&Build::default()).is_err());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ModelBuilder<T: Scalar> {
    parts: Vec<PartDraft<T>>,
    hops: usize,
    ignored: Vec<(String, String)>,
    tested: Vec<(String, String)>,
    /// More ignored pairs, by index.
    #[cfg(feature = "urdf")]
    table: Option<PairTable>,
    margin: f64,
    margins: Vec<(String, String, f64)>,
}

#[derive(Debug, Clone)]
struct PartDraft<T: Scalar> {
    name: String,
    parent: Option<String>,
    geometry: Geometry<T>,
    bind: Pose<T>,
    groups: CollisionGroups,
    user: u64,
}

impl<T: Scalar> Model<T> {
    /// Starts a model.
    pub fn builder() -> ModelBuilder<T> {
        ModelBuilder::new()
    }
}

impl<T: Scalar> ModelBuilder<T> {
    pub(super) fn new() -> Self {
        ModelBuilder {
            parts: Vec::new(),
            hops: 1,
            ignored: Vec::new(),
            tested: Vec::new(),
            #[cfg(feature = "urdf")]
            table: None,
            margin: 0.0,
            margins: Vec::new(),
        }
    }

    /// Adds a part, after its parent; its geometry is in its own frame. Names are unique.
    pub fn part(
        mut self,
        name: impl Into<String>,
        parent: Option<&str>,
        geometry: Geometry<T>,
    ) -> Self {
        let (name, parent) = (name.into(), parent.map(str::to_owned));
        let (bind, groups, user) = (Pose::identity(), CollisionGroups::ALL, 0);
        self.parts.push(PartDraft { name, parent, geometry, bind, groups, user });
        self
    }

    /// Sets the bind pose of the part added last, part to model; the identity by default. It groups
    /// parts that are close together, and is the pose of new characters.
    pub fn bind(mut self, pose: Pose<T>) -> Self {
        if let Some(part) = self.parts.last_mut() {
            part.bind = pose;
        }
        self
    }

    /// Sets the collision groups of the part added last, for tests with other characters and its
    /// own. All by default.
    pub fn groups(mut self, groups: CollisionGroups) -> Self {
        if let Some(part) = self.parts.last_mut() {
            part.groups = groups;
        }
        self
    }

    /// Sets the caller's number of the part added last, returned by [`Part::user`].
    pub fn user(mut self, user: u64) -> Self {
        if let Some(part) = self.parts.last_mut() {
            part.user = user;
        }
        self
    }

    /// Ignores pairs of parts within `hops` steps of each other in the hierarchy, within a
    /// character; parts without geometry do not count as steps. By default 1: a part and its parent
    /// overlap at the joint.
    pub fn ignore_neighbours(mut self, hops: usize) -> Self {
        self.hops = hops;
        self
    }

    /// Ignores the pair of parts `a` and `b`, in either order, within a character.
    pub fn ignore(mut self, a: impl Into<String>, b: impl Into<String>) -> Self {
        self.ignored.push((a.into(), b.into()));
        self
    }

    /// Tests the parts `a` and `b` against each other, in either order, within a character, even
    /// neighbours, and whatever their [groups](Self::groups). Pairs that are
    /// [ignored](Self::ignore) by name are not tested.
    ///
    /// ```
    /// use boxwood::{Build, CollisionGroups, Geometry, Model};
    ///
    /// let model = Model::builder()
    ///     .part("palm", None, Geometry::None)
    ///     .part("thumb", Some("palm"), Geometry::None)
    ///     .groups(CollisionGroups::NONE)
    ///     .test("palm", "thumb")
    ///     .build(&Build::default())?;
    /// assert!(!model.ignores(model.part("thumb")?, model.part("palm")?));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn test(mut self, a: impl Into<String>, b: impl Into<String>) -> Self {
        self.tested.push((a.into(), b.into()));
        self
    }

    /// Ignores the pairs of a table by index, in place of [neighbours](Self::ignore_neighbours).
    /// The table must have as many indices as the finished model has parts.
    #[cfg(feature = "urdf")]
    pub(crate) fn ignore_table(mut self, table: PairTable) -> Self {
        (self.hops, self.table) = (0, Some(table));
        self
    }

    /// Sets the distance up to which two parts of a character count as touching, unless
    /// [`ModelBuilder::margin_between`] sets another. World units; 0 by default.
    ///
    /// Used by [`Model::self_intersects`], [`Model::self_pairs`] and
    /// [`PairQuery::within`](crate::PairQuery::within), which may ask for more, never for less.
    pub fn margin(mut self, margin: impl Into<f64>) -> Self {
        self.margin = margin.into();
        self
    }

    /// Sets the margin of parts `a` and `b`, in either order, in place of the margin of all parts;
    /// the last call for a pair counts. World units.
    ///
    /// ```
    /// use boxwood::{Build, Geometry, Model};
    ///
    /// let model = Model::builder()
    ///     .part("hand", None, Geometry::None)
    ///     .part("cup", None, Geometry::None)
    ///     .part("table", None, Geometry::None)
    ///     .margin(0.01)
    ///     .margin_between("hand", "cup", 0.0)
    ///     .build(&Build::default())?;
    /// let part = |name| model.part(name);
    /// assert_eq!(model.margin(part("cup")?, part("hand")?), 0.0);
    /// assert_eq!(model.margin(part("cup")?, part("table")?), 0.01);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn margin_between(
        mut self,
        a: impl Into<String>,
        b: impl Into<String>,
        margin: impl Into<f64>,
    ) -> Self {
        self.margins.push((a.into(), b.into(), margin.into()));
        self
    }

    /// Builds the trees.
    ///
    /// [`Error::Empty`] without a part, [`Error::DuplicateName`], [`Error::UnknownName`] for a
    /// parent that is not added before its child or a part of a pair that does not exist,
    /// [`Error::BadQuery`] for a part that is to be tested against itself, [`Error::NotFinite`] and
    /// [`Error::Negative`] for a margin, and the errors of a part's pose or geometry, in
    /// [`Error::Part`].
    pub fn build(self, build: &Build) -> Result<Arc<Model<T>>, Error> {
        self.build_watched(build, &mut unwatched)
    }

    /// Builds the trees, and reports progress.
    ///
    /// # Errors
    /// The errors of [`build`](ModelBuilder::build), and [`Error::Cancelled`].
    pub fn build_watched(
        self,
        build: &Build,
        watch: &mut Watch<'_>,
    ) -> Result<Arc<Model<T>>, Error> {
        if self.parts.is_empty() {
            return Err(Error::Empty { field: "model" });
        }
        let primitives = self.parts.iter().map(|draft| draft.geometry.len()).sum();
        let mut progress = WatchedBuild::new(watch, primitives)?;
        let mut ids: HashMap<String, PartId> = HashMap::new();
        let mut parts = Vec::with_capacity(self.parts.len());
        for draft in self.parts {
            let parent =
                draft.parent.as_deref().map(|name| find_part(&ids, "parent", name)).transpose()?;
            if ids.insert(draft.name.clone(), PartId::new(parts.len())).is_some() {
                return Err(Error::DuplicateName { kind: "part", name: draft.name });
            }
            let id = PartId::new(parts.len());
            parts.push(finish_part(draft, (id, parent), build, &mut progress)?);
        }
        let mut rules = PairRules::new(&parts, self.hops);
        #[cfg(feature = "urdf")]
        if let Some(table) = &self.table {
            rules.ignored_mut().insert_all(table);
        }
        for (a, b) in &self.tested {
            if a == b {
                return Err(TESTED_WITH_ITSELF);
            }
            rules.test(&parts, find_part(&ids, "part", a)?, find_part(&ids, "part", b)?);
        }
        for (a, b) in &self.ignored {
            rules.ignore(find_part(&ids, "part", a)?, find_part(&ids, "part", b)?);
        }
        let margins = self.margins.iter().map(|(a, b, margin)| {
            Ok(((find_part(&ids, "part", a)?, find_part(&ids, "part", b)?), *margin))
        });
        set_margins(&mut rules, self.margin, margins)?;
        Ok(finish_model(parts, rules))
    }
}

/// A part that is to be tested against itself.
pub(super) const TESTED_WITH_ITSELF: Error =
    Error::BadQuery { reason: "a part cannot be tested against itself" };

/// Returns the model of these parts, with everything derived from them.
pub(super) fn finish_model<T: Scalar>(parts: Vec<Part<T>>, rules: PairRules) -> Arc<Model<T>> {
    let fingerprint = fingerprint(&parts, &rules);
    // Boxes around blocks prune more if neighbours share a block.
    let order = if parts.len() > MASK_BITS { part_order(&parts) } else { Vec::new() };
    let tested_pairs = TestedPairs::new(&rules, parts.len(), &order);
    let roots = RootBoxes::new(&parts, &order);
    let defaults = Arc::new(PartDefaults::new(&parts));
    let parts = parts.into();
    Arc::new(Model { parts, rules, tested_pairs, roots, order, fingerprint, defaults })
}

/// Returns the parts in an order in which neighbours in the bind pose are adjacent.
fn part_order<T: Scalar>(parts: &[Part<T>]) -> Vec<u32> {
    spatial_order(parts.iter().map(|part| {
        let middle = part.tree().map_or([0.0; 3], |tree| tree.root_box().0);
        Placement::new(&part.bind).point(middle).map(|x| x as f32)
    }))
}

fn find_part(
    ids: &HashMap<String, PartId>,
    kind: &'static str,
    name: &str,
) -> Result<PartId, Error> {
    ids.get(name).copied().ok_or_else(|| {
        let mut known: Vec<(PartId, &str)> = ids.iter().map(|(name, id)| (*id, &**name)).collect();
        known.sort_unstable();
        Error::unknown_name(kind, name, known.into_iter().map(|(_, name)| name))
    })
}

fn finish_part<T: Scalar>(
    draft: PartDraft<T>,
    (id, parent): (PartId, Option<PartId>),
    build: &Build,
    progress: &mut dyn BuildProgress,
) -> Result<Part<T>, Error> {
    let PartDraft { name, geometry, bind, groups, user, .. } = draft;
    check_poses(&[bind], "bind pose").map_err(|error| error.in_part(&name))?;
    let tree = match geometry {
        Geometry::None => None,
        some => {
            Some(ObbTree::build_reporting(some, build, progress).map_err(|error| match error {
                Error::Cancelled => error,
                other => other.in_part(&name),
            })?)
        }
    };
    Ok(Part { id, name, parent, bind, tree, groups, user })
}
