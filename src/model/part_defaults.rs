//! State of the parts of a new character.

use super::{CollisionGroups, Part};
use crate::num::Scalar;
use crate::shape::{Pose, are_composable};

/// Poses and groups of parts, side by side: inserting a character reads these and no part.
#[derive(Debug, PartialEq)]
pub(crate) struct PartDefaults<T: Scalar> {
    /// The bind poses.
    pub(crate) bind: Vec<Pose<T>>,
    /// `true` if the bind poses pass [`are_composable`] with any root that does.
    pub(crate) is_composable: bool,
    pub(crate) groups: Vec<CollisionGroups>,
    /// The groups of all parts together.
    pub(crate) joint_groups: CollisionGroups,
    /// Number of parts whose groups differ from [`CollisionGroups::ALL`].
    pub(crate) grouped: usize,
}

impl<T: Scalar> PartDefaults<T> {
    pub(super) fn new(parts: &[Part<T>]) -> Self {
        let bind: Vec<Pose<T>> = parts.iter().map(|part| part.bind).collect();
        let groups: Vec<CollisionGroups> = parts.iter().map(Part::groups).collect();
        PartDefaults {
            is_composable: are_composable(&Pose::identity(), &bind),
            bind,
            joint_groups: CollisionGroups::joint(&groups),
            grouped: groups.iter().filter(|&&groups| groups != CollisionGroups::ALL).count(),
            groups,
        }
    }
}
