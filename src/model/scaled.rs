//! Models scaled by one positive factor: large and small characters of one kind.

use std::sync::Arc;

use super::{Model, Part, builder};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::scaling::{check_factor, scale_checked};
use crate::shape::Pose;
use crate::tree::check_margin;

impl<T: Scalar> Model<T> {
    /// Returns the model with all lengths times `factor`: geometry, bind poses and
    /// [margins](Model::margin). Names, parts, nodes of trees, ignored pairs, groups and numbers
    /// are equal; the [fingerprint](Model::fingerprint) differs. Giants share one scaled model; a
    /// factor of a thousandth converts millimetres to metres.
    ///
    /// Trees are [scaled](crate::tree::ObbTree::scaled), not built: every box is fitted to the
    /// scaled geometry and every bound is proved for it, so all promises hold. Each length is
    /// rounded once. A power of two changes only exponents: twice as large and twice as far away,
    /// all answers are equal, times two.
    ///
    /// Poses of joints are in the scaled model's units, too:
    /// [`pose::scale`](crate::shape::pose::scale) converts those that a clip or a mechanism
    /// computes for the original.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::NotPositive`] for the factor; [`Error::OutOfRange`] for a
    /// length that would overflow, in [`Error::Part`] naming the part.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Build, Geometry, Model, Obb, Scene, Spawn};
    ///
    /// let bone = Obb::from_pose(&Isometry3::translation(0.0, 0.5, 0.0), Vector3::repeat(0.5))?;
    /// let person = Model::builder()
    ///     .part("body", None, Geometry::Boxes(vec![bone]))
    ///     .bind(Isometry3::translation(0.0, 1.0, 0.0))
    ///     .build(&Build::default())?;
    /// let giant = person.scaled(3.0)?;
    /// let mut scene = Scene::new();
    /// let (large, small) = (Spawn::default(), Spawn::at(Isometry3::translation(4.0, 0.0, 0.0)));
    /// let key = scene.insert(&giant, large)?;
    /// scene.insert(&person, small)?;
    /// assert_eq!(scene.poses(key)?[0].translation.y, 3.0);
    /// assert!(person.scaled(0.0).is_err());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn scaled(&self, factor: impl Into<f64>) -> Result<Arc<Self>, Error> {
        self.scaled_by(factor.into())
    }

    fn scaled_by(&self, factor: f64) -> Result<Arc<Self>, Error> {
        check_factor(factor)?;
        let part =
            |part: &Part<T>| scaled_part(part, factor).map_err(|error| error.in_part(&part.name));
        let parts = self.parts.iter().map(part).collect::<Result<_, _>>()?;
        let rules = self.rules.clone().scaled(factor);
        check_margin(rules.max_margin(), 0)?;
        Ok(builder::finish_model(parts, rules))
    }
}

fn scaled_part<T: Scalar>(part: &Part<T>, factor: f64) -> Result<Part<T>, Error> {
    let tree = part.tree.as_ref().map(|tree| tree.scaled(factor)).transpose()?;
    let Part { id, parent, groups, user, .. } = *part;
    let at = scale_checked(part.bind.translation.into(), factor, "bind pose", 0)?;
    let bind = Pose::from_parts(at.into(), part.bind.rotation);
    Ok(Part { id, name: part.name.clone(), parent, bind, tree, groups, user })
}
