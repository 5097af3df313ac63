//! One rigid part of a model.

use super::{CollisionGroups, PartId};
use crate::num::Scalar;
use crate::shape::Pose;
use crate::tree::ObbTree;

/// One rigid part of a character.
///
/// ```
/// # boxwood::fixture_model!(cube, model);
/// for part in model.parts() {
///     println!("{}: {}, {} boxes", part.id(), part.name(), part.tree().map_or(0, |t| t.len()));
/// }
/// assert_eq!(model.parts()[0].name(), "cube");
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Part<T: Scalar> {
    pub(super) id: PartId,
    pub(super) name: String,
    pub(super) parent: Option<PartId>,
    pub(super) bind: Pose<T>,
    pub(super) tree: Option<ObbTree<T>>,
    pub(super) groups: CollisionGroups,
    pub(super) user: u64,
}

impl<T: Scalar> Part<T> {
    /// The id of the part: its index in the model.
    pub fn id(&self) -> PartId {
        self.id
    }

    /// The name, unique in the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The parent part.
    pub fn parent(&self) -> Option<PartId> {
        self.parent
    }

    /// The bind pose, part to model: the pose in which the model was made.
    pub fn bind(&self) -> &Pose<T> {
        &self.bind
    }

    /// The part's tree of boxes; `None` for a joint without geometry.
    pub fn tree(&self) -> Option<&ObbTree<T>> {
        self.tree.as_ref()
    }

    /// The part's collision groups, unless [`Scene::set_groups`](crate::scene::Scene::set_groups)
    /// replaces them for a character.
    pub fn groups(&self) -> CollisionGroups {
        self.groups
    }

    /// The caller's number, for instance an id. 0 by default; no query depends on it.
    pub fn user(&self) -> u64 {
        self.user
    }
}
