//! Copies of a robot with a body attached to a link: what a gripper holds.

use std::sync::Arc;

use super::Robot;
use crate::error::Error;
use crate::model::Model;
use crate::motion::{JointKind, Link, Mechanism, RigidMotion};
use crate::num::Scalar;
use crate::shape::{Pose, check_poses};

impl<T: Scalar> Robot<T> {
    /// Copies the robot with a body attached to a link, as one that a gripper holds: every part of
    /// the body becomes a link behind the robot's own, fixed to that link. A body of one part gets
    /// the name, the parts of others `name/part`. `pose` places the body, in the bind pose of its
    /// model, in the frame of the link.
    ///
    /// All queries treat the new links like the others: [`CollisionBatch`](crate::CollisionBatch),
    /// [`EdgeChecker`](crate::robot::EdgeChecker), distances. They are tested against all links but
    /// the one that holds them and `touch_links`, with its margins; a gripper's fingers belong to
    /// `touch_links`. To let go, use the robot without the body. Trees are copied, not built.
    ///
    /// # Errors
    /// [`Error::UnknownName`] for a link, [`Error::DuplicateName`]; [`Error::NotFinite`],
    /// [`Error::OutOfRange`] and [`Error::NotUnit`] for the pose.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Accuracy, Build, Geometry, Model, Obb, SelfQueryScratch};
    ///
    /// let text = r#"<robot name="r">
    ///   <link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
    ///   <link name="arm"/><link name="hand"><collision><geometry><sphere radius="0.1"/>
    ///   </geometry></collision></link>
    ///   <joint name="lift" type="prismatic"><parent link="base"/><child link="arm"/>
    ///     <axis xyz="0 0 1"/><limit lower="0" upper="2" effort="1" velocity="1"/></joint>
    ///   <joint name="turn" type="continuous"><parent link="arm"/><child link="hand"/></joint>
    /// </robot>"#;
    /// let robot = boxwood::Loader::new().urdf_bytes(text.as_bytes())?;
    /// let stick = Obb::from_pose(&Isometry3::identity(), Vector3::new(0.1, 0.1, 0.5))?;
    /// let stick = Model::builder().part("stick", None, Geometry::Boxes(vec![stick]));
    /// let stick = stick.build(&Build::default())?;
    ///
    /// let below = Isometry3::translation(0.0, 0.0, -0.5); // it hangs from the hand
    /// let holding = robot.with_attached("stick", &stick, "hand", &below, &[])?;
    /// let (mut poses, mut scratch) = (Vec::new(), SelfQueryScratch::default());
    /// let mut touches_base = |lift: f32| {
    ///     holding.mechanism.poses(&[lift, 0.0], &mut poses)?;
    ///     holding.model.self_intersects(&poses, Accuracy::Exact, &mut scratch)
    /// };
    /// assert!(touches_base(1.4)? && !touches_base(1.6)?); // the base ends at 0.5
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn with_attached(
        &self,
        name: &str,
        body: &Model<T>,
        link: &str,
        pose: &Pose<T>,
        touch_links: &[&str],
    ) -> Result<Self, Error> {
        check_poses(std::slice::from_ref(pose), "pose")?;
        let pose = RigidMotion::normalised(pose);
        let (holder, mechanism) = (self.model.part(link)?, &self.mechanism);
        let touched: Result<Vec<_>, _> =
            touch_links.iter().map(|link| self.model.part(link)).collect();
        let names: Vec<String> = match body.parts() {
            [_] => vec![name.to_owned()],
            parts => parts.iter().map(|part| format!("{name}/{}", part.name())).collect(),
        };
        let model = self.model.with_attached(body, &names, holder, &pose, &touched?)?;
        let more = body.parts().iter().zip(names).map(|(part, name)| Link {
            name,
            parent: Some(holder.index()),
            origin: pose.times(&RigidMotion::normalised(part.bind())).pose(),
            joint: JointKind::Fixed,
        });
        let links = mechanism.links().iter().cloned().chain(more).collect();
        let mechanism = Arc::new(Mechanism::new(links, mechanism.actuators().to_vec())?);
        Ok(Robot { model, mechanism, warnings: self.warnings.clone() })
    }
}
