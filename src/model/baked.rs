//! Assembly of models from trees that are already built.

use std::collections::HashSet;
use std::sync::Arc;

use super::{CollisionGroups, Model, Part, PartId, builder};
use crate::error::Error;
use crate::model::pair_rules::PairRules;
use crate::num::Scalar;
use crate::shape::{Pose, check_poses};
use crate::tree::ObbTree;

/// A part as it is stored.
pub(crate) struct StoredPart<T: Scalar> {
    pub name: String,
    pub parent: Option<usize>,
    pub bind: Pose<T>,
    pub tree: Option<ObbTree<T>>,
    pub groups: CollisionGroups,
    pub user: u64,
}

impl<T: Scalar> Model<T> {
    /// The words of the table of ignored pairs, a bit per pair, then those of the margins and of
    /// the pairs whose groups do not count, if there are any.
    pub(crate) fn rule_words(&self) -> Vec<u64> {
        self.rules.words().collect()
    }

    /// Assembles a model.
    ///
    /// # Errors
    /// The errors of parts, and of a table of ignored pairs, that do not form a model.
    pub(crate) fn assembled(
        stored: Vec<StoredPart<T>>,
        ignored: Vec<u64>,
    ) -> Result<Arc<Self>, Error> {
        if stored.is_empty() {
            return Err(Error::Empty { field: "model" });
        }
        let mut names = HashSet::new();
        let mut parts = Vec::with_capacity(stored.len());
        for (index, stored) in stored.into_iter().enumerate() {
            let StoredPart { name, parent, bind, tree, groups, user } = stored;
            if parent.is_some_and(|parent| parent >= index) {
                return Err(Error::OutOfOrder { field: "part", index }.in_part(&name));
            }
            if !names.insert(name.clone()) {
                return Err(Error::DuplicateName { kind: "part", name });
            }
            check_poses(&[bind], "bind pose").map_err(|error| error.in_part(&name))?;
            let parent = parent.map(PartId::new);
            parts.push(Part {
                id: PartId::new(parts.len()),
                name,
                parent,
                bind,
                tree,
                groups,
                user,
            });
        }
        let rules = PairRules::from_words(parts.len(), ignored);
        let rules =
            rules.ok_or(Error::BadQuery { reason: "the table of ignored pairs is invalid" })?;
        Ok(builder::finish_model(parts, rules))
    }
}
