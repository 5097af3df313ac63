//! Copies of a model with the parts of another attached to one of its parts.

use std::sync::Arc;

use super::builder::finish_model;
use super::{Model, Part, PartId};
use crate::error::Error;
use crate::motion::RigidMotion;
use crate::num::Scalar;
use crate::shape::Pose;

impl<T: Scalar> Model<T> {
    /// Copies the model with the parts of a body behind its own, by their new names, each a child
    /// of the part `holder`. They are not tested against each other, `holder`, or the parts
    /// `touched`; their margins are those of `holder`. Trees are copied, not built.
    ///
    /// # Errors
    /// [`Error::DuplicateName`].
    pub(crate) fn with_attached(
        &self,
        body: &Model<T>,
        names: &[String],
        holder: PartId,
        pose: &RigidMotion,
        touched: &[PartId],
    ) -> Result<Arc<Self>, Error> {
        let (own, mut parts) = (self.len(), self.parts.to_vec());
        let at = RigidMotion::normalised(self[holder].bind()).times(pose);
        for (index, (part, name)) in body.parts.iter().zip(names).enumerate() {
            if self.parts.iter().any(|own| own.name == *name) {
                return Err(Error::DuplicateName { kind: "part", name: name.clone() });
            }
            let bind: Pose<T> = at.times(&RigidMotion::normalised(part.bind())).pose();
            parts.push(Part {
                id: PartId::new(own + index),
                name: name.clone(),
                parent: Some(holder),
                bind,
                ..part.clone()
            });
        }
        let mut rules = self.rules.with_attached(body.len(), holder);
        for part in (own..parts.len()).map(PartId::new) {
            touched.iter().chain([&holder]).for_each(|&other| rules.ignore(part, other));
        }
        Ok(finish_model(parts, rules))
    }
}
