//! Copies of a model with other ignored pairs; parts and trees are shared.

use std::collections::HashMap;
use std::sync::Arc;

use super::builder::TESTED_WITH_ITSELF;
use super::tested_pairs::TestedPairs;
use super::{Model, PartId};
use crate::error::Error;
use crate::model::pair_rules::{PairRules, fingerprint};
use crate::num::Scalar;

impl<T: Scalar> Model<T> {
    /// Copies the model with more ignored pairs, by name: within a character, the two parts of a
    /// pair are not tested against each other. Parts and trees are shared with this model.
    ///
    /// # Errors
    /// [`Error::UnknownName`].
    ///
    /// ```
    /// # use boxwood::{Build, Geometry, Model};
    /// # let parts = Model::builder().part("base", None, Geometry::None);
    /// # let parts = parts.part("arm", Some("base"), Geometry::None);
    /// # let parts = parts.part("cable", Some("arm"), Geometry::None).ignore_neighbours(0);
    /// # let robot = parts.build(&Build::default())?;
    /// let (base, cable) = (robot.part("base")?, robot.part("cable")?);
    /// let quiet = robot.with_ignored(&[("cable", "base")])?;
    /// assert!(quiet.ignores(base, cable) && !robot.ignores(base, cable));
    /// assert!(robot.with_ignored(&[("cable", "bas")]).is_err()); // no part is called so
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn with_ignored(&self, pairs: &[(&str, &str)]) -> Result<Arc<Self>, Error> {
        self.with_rules(pairs, PairRules::ignore)
    }

    /// Copies the model with fewer ignored pairs, by name: within a character, the two parts of a
    /// pair are tested against each other, even neighbours, and parts whose
    /// [groups](crate::CollisionGroups) do not interact. Parts and trees are shared with this
    /// model.
    ///
    /// # Errors
    /// [`Error::UnknownName`], and [`Error::BadQuery`] for a part with itself.
    ///
    /// ```
    /// # use boxwood::{Build, Geometry, Model};
    /// # let parts = Model::builder().part("base", None, Geometry::None);
    /// # let robot = parts.part("arm", Some("base"), Geometry::None).build(&Build::default())?;
    /// let (base, arm) = (robot.part("base")?, robot.part("arm")?);
    /// let strict = robot.with_tested(&[("base", "arm")])?;
    /// assert!(robot.ignores(base, arm) && !strict.ignores(base, arm));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn with_tested(&self, pairs: &[(&str, &str)]) -> Result<Arc<Self>, Error> {
        if pairs.iter().any(|(a, b)| a == b) {
            return Err(TESTED_WITH_ITSELF);
        }
        self.with_rules(pairs, |rules, a, b| rules.test(&self.parts, a, b))
    }

    fn with_rules(
        &self,
        pairs: &[(&str, &str)],
        mut change: impl FnMut(&mut PairRules, PartId, PartId),
    ) -> Result<Arc<Self>, Error> {
        let ids: HashMap<&str, PartId> =
            self.parts.iter().map(|part| (part.name.as_str(), part.id)).collect();
        let part = |name: &str| {
            let found = ids.get(name).copied();
            found.ok_or_else(|| Error::unknown_name("part", name, self.part_names()))
        };
        let mut model = self.clone();
        for &(a, b) in pairs {
            change(&mut model.rules, part(a)?, part(b)?);
        }
        model.tested_pairs = TestedPairs::new(&model.rules, model.parts.len(), &model.order);
        model.fingerprint = fingerprint(&model.parts, &model.rules);
        Ok(Arc::new(model))
    }
}
