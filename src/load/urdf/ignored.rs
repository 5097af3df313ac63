//! Copies of a robot with other ignored pairs.

use super::Robot;
use crate::error::Error;
use crate::num::Scalar;

impl<T: Scalar> Robot<T> {
    /// Copies the robot with more ignored pairs of links, by name: see
    /// [`Model::with_ignored`](crate::Model::with_ignored). Trees are shared with this robot.
    ///
    /// # Errors
    /// [`Error::UnknownName`].
    ///
    /// ```
    /// let text = r#"<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/>
    ///     </geometry></collision></link><link name="b"/><link name="c"/>
    ///     <joint name="ab" type="continuous"><parent link="a"/><child link="b"/></joint>
    ///     <joint name="bc" type="continuous"><parent link="b"/><child link="c"/></joint>
    /// </robot>"#;
    /// let robot = boxwood::Loader::new().urdf_bytes(text.as_bytes())?;
    /// let quiet = robot.with_ignored(&[("b", "c")])?;
    /// assert!(quiet.model.ignores(quiet.model.part("c")?, quiet.model.part("b")?));
    /// assert!(robot.with_ignored(&[("b", "d")]).is_err());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn with_ignored(&self, pairs: &[(&str, &str)]) -> Result<Self, Error> {
        Ok(Robot { model: self.model.with_ignored(pairs)?, ..self.clone() })
    }

    /// Copies the robot with fewer ignored pairs of links, by name: see
    /// [`Model::with_tested`](crate::Model::with_tested). Trees are shared with this robot.
    ///
    /// Parent and child usually overlap at their joint, and links of one rigid piece always touch
    /// or never do.
    ///
    /// # Errors
    /// [`Error::UnknownName`], and [`Error::BadQuery`] for a link with itself.
    pub fn with_tested(&self, pairs: &[(&str, &str)]) -> Result<Self, Error> {
        Ok(Robot { model: self.model.with_tested(pairs)?, ..self.clone() })
    }
}
