//! Signed distance of two parts of a model, and its gradient by the joints of a mechanism.

use nalgebra::{Point3, Unit, Vector3};

use super::PartId;
use crate::error::Error;
use crate::motion::Mechanism;
use crate::num::Scalar;
use crate::num::linear::{Vec3, dot};
use crate::shape::{Pose, wide_point};
use crate::tree::NodeId;

/// A node of the tree of a part.
///
/// ```
/// use boxwood::model::PartNode;
/// use boxwood::{NodeId, PartId};
///
/// let root = PartNode { part: PartId::new(3), node: NodeId::ROOT };
/// assert_eq!(root.part.index(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartNode {
    /// The part.
    pub part: PartId,
    /// The node of the part's tree.
    pub node: NodeId,
}

/// Signed distance of two parts of a model, with the points between which it is measured.
///
/// See [`Model::self_distances`](crate::Model::self_distances) for an example.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PartDistance<T: Scalar> {
    /// The part of lower index, and the node of its tree that has `on_a`.
    pub a: PartNode,
    /// The other part, and the node of its tree that has `on_b`.
    pub b: PartNode,
    /// Distance of the parts; where they share a point, minus the [depth](crate::tree::Separation)
    /// of their separation in any direction, zero or less. [world units]
    pub distance: T,
    /// Error bound of a positive distance: the parts are no further apart than `distance + slack`.
    /// Zero where they share a point, as a separation is certainly long enough.
    pub slack: T,
    /// Unit direction from the first to the second, in which the second moves for the distance to
    /// grow; `None` where rounding leaves no direction, between parts a rounding error apart.
    /// [world frame]
    pub normal: Option<Unit<Vector3<T>>>,
    /// Closest point of the first; where they share a point, that which separates last. [world
    /// frame]
    pub on_a: Point3<T>,
    /// Closest point of the second; where they share a point, that which separates last, before the
    /// move. [world frame]
    pub on_b: Point3<T>,
}

impl<T: Scalar> PartDistance<T> {
    /// Computes the gradient of the distance: its derivative by each actuator value of a mechanism
    /// whose link `i` moves part `i`, as in a loaded robot. `poses` are those of the distance. By
    /// each radian, or each length of a slide; zero for joints that move both parts.
    ///
    /// The distance of parts that are apart has it wherever it has a derivative; where the closest
    /// points jump, as along an edge parallel to a face, it is that of the points given here. For
    /// parts that overlap it is an estimate: the derivative along the normal of the two points
    /// given here. It is that of the depth unless more than two points stop the way out, which
    /// happens for a hundredth of random boxes and more often for other shapes. Without a normal
    /// there is none: returns `false`, and all entries are zero.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is one pose for each link, [`Error::IndexOutOfRange`] for
    /// a part without a link; [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for
    /// the poses. `gradient` is unchanged then.
    ///
    /// ```
    /// use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Build, Geometry, Model, Obb, SelfQueryScratch};
    ///
    /// let slide = JointKind::Prismatic { axis: Vector3::x(), mimic: Mimic::direct(0) };
    /// let link = |name: &str, joint| Link {
    ///     name: name.into(),
    ///     parent: None,
    ///     origin: Isometry3::identity(),
    ///     joint,
    /// };
    /// let links = vec![link("a", JointKind::Fixed), link("b", slide)];
    /// let robot = Mechanism::new(links, vec![Actuator { name: "x".into(), limits: None }])?;
    /// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// let block = || Geometry::Boxes(vec![cube]);
    /// let parts = Model::builder().part("a", None, block()).part("b", None, block());
    /// let model = parts.build(&Build::default())?;
    ///
    /// let (mut poses, mut gradient) = (Vec::new(), Vec::new());
    /// let mut scratch = SelfQueryScratch::default();
    /// robot.poses(&[3.0_f32], &mut poses)?;
    /// let apart = model.self_distances(&poses, f64::INFINITY, &mut scratch)?[0];
    /// assert!(apart.gradient(&robot, &poses, &mut gradient)?);
    /// assert_eq!((apart.distance, gradient[0]), (2.0, 1.0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn gradient(
        &self,
        mechanism: &Mechanism,
        poses: &[Pose<T>],
        gradient: &mut Vec<T>,
    ) -> Result<bool, Error> {
        mechanism.check_link_poses(poses)?;
        let len = mechanism.links().len();
        for part in [self.a.part, self.b.part] {
            if part.index() >= len {
                let target = part.index();
                return Err(Error::IndexOutOfRange { field: "link", index: 0, target, len });
            }
        }
        gradient.clear();
        gradient.resize(mechanism.actuators().len(), T::zero());
        let Some(normal) = self.normal else { return Ok(false) };
        let normal: Vec3 = normal.map(|x| x.wide()).into();
        let common = mechanism.common_ancestor(self.a.part.index(), self.b.part.index());
        for (part, point, sign) in [(self.a.part, self.on_a, -1.0), (self.b.part, self.on_b, 1.0)] {
            let (link, point) = (part.index(), wide_point(point));
            mechanism.visit_derivatives(poses, link, point, common, |actuator, by| {
                gradient[actuator] += T::nearest(sign * dot(normal, by));
            });
        }
        Ok(true)
    }
}
