//! Jacobians of mechanisms: derivatives of points of links by the actuator values.

use nalgebra::{Point3, Vector3};

use super::kinematics::unit_axis;
use super::link::JointKind;
use super::mechanism::Mechanism;
use crate::error::Error;
use crate::num::linear::{Vec3, cross, rotate, scale, sub};
use crate::num::{Scalar, check_coordinates};
use crate::shape::{Placement, Pose, check_poses};

impl Mechanism {
    /// Computes the Jacobian of a point that moves with a link: its derivative by each actuator
    /// value, at a configuration whose poses, of [`Mechanism::poses`] or moved as a whole, are
    /// given. The point and the derivatives are in the frame of the poses; a derivative is a length
    /// for each radian or for each length of a slide. Values are not limited: at a limit it is the
    /// derivative as if there were none. The storage of `jacobian` is reused.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is one pose for each link, [`Error::IndexOutOfRange`] for
    /// the link; [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for the poses and
    /// the point. `jacobian` is unchanged then.
    ///
    /// ```
    /// use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
    /// use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    ///
    /// let joint = JointKind::Revolute { axis: Vector3::z(), mimic: Mimic::direct(0) };
    /// let arm = Link { name: "arm".into(), parent: None, origin: Isometry3::identity(), joint };
    /// let turn = Actuator { name: "turn".into(), limits: None };
    /// let robot = Mechanism::new(vec![arm], vec![turn])?;
    /// let (mut poses, mut jacobian) = (Vec::new(), Vec::new());
    /// robot.poses(&[0.0_f64], &mut poses)?;
    /// // The tip, 2 from the axis, moves by 2 for each radian.
    /// robot.point_jacobian(&poses, 0, Point3::new(2.0, 0.0, 0.0), &mut jacobian)?;
    /// assert_eq!(jacobian, [Vector3::new(0.0, 2.0, 0.0)]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn point_jacobian<T: Scalar>(
        &self,
        poses: &[Pose<T>],
        link: usize,
        point: Point3<T>,
        jacobian: &mut Vec<Vector3<T>>,
    ) -> Result<(), Error> {
        self.check_link_poses(poses)?;
        if link >= self.links().len() {
            let (target, len) = (link, self.links().len());
            return Err(Error::IndexOutOfRange { field: "link", index: 0, target, len });
        }
        check_coordinates(point.coords.as_slice(), "point", 0)?;
        jacobian.clear();
        jacobian.resize(self.actuators().len(), Vector3::zeros());
        let point = point.coords.map(|x| x.wide()).into();
        self.visit_derivatives(poses, link, point, None, |at, by| {
            // A sum of products, rounded to the number type once a joint.
            jacobian[at] += Vector3::from(by.map(T::nearest));
        });
        Ok(())
    }

    /// Visits the joints that move a link: index of the actuator, and the derivative of a point of
    /// the link by its value. An actuator that several joints follow is visited for each. Joints of
    /// the ancestor, and of those that it moves with, are left out.
    pub(crate) fn visit_derivatives<T: Scalar>(
        &self,
        poses: &[Pose<T>],
        link: usize,
        point: Vec3,
        ancestor: Option<usize>,
        mut visit: impl FnMut(usize, Vec3),
    ) {
        let mut next = Some(link);
        while let Some(at) = next
            && next != ancestor
        {
            let link = &self.links()[at];
            next = link.parent;
            let (JointKind::Revolute { axis, mimic } | JointKind::Prismatic { axis, mimic }) =
                link.joint
            else {
                continue;
            };
            // A joint leaves its own axis where it is.
            let Placement { rotation, position } = Placement::new(&poses[at]);
            let axis = rotate(&rotation, unit_axis(axis.into()));
            let derivative = match link.joint {
                JointKind::Revolute { .. } => cross(axis, sub(point, position)),
                _ => axis,
            };
            visit(mimic.actuator, scale(derivative, mimic.multiplier));
        }
    }

    /// Returns the last link that moves both, or is one of the two; `None` of links without one.
    pub(crate) fn common_ancestor(&self, mut a: usize, mut b: usize) -> Option<usize> {
        // Parents have lesser indices.
        while a != b {
            let later = if a > b { &mut a } else { &mut b };
            *later = self.links()[*later].parent?;
        }
        Some(a)
    }

    /// Rejects a wrong number of poses, and invalid poses.
    pub(crate) fn check_link_poses<T: Scalar>(&self, poses: &[Pose<T>]) -> Result<(), Error> {
        let (expected, found) = (self.links().len(), poses.len());
        if expected != found {
            return Err(Error::WrongCount { field: "poses", expected, found });
        }
        check_poses(poses, "pose")
    }
}
