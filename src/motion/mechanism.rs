//! Mechanisms: links joined by revolute and prismatic joints, the kinematic tree of a robot.

use std::collections::HashSet;
use std::f64::consts::PI;

use super::kinematics::Kinematics;
use super::lane_kinematics::LaneKinematics;
use super::link::Link;
use crate::error::Error;
use crate::num::{Scalar, check_coordinates};
use crate::shape::Pose;

/// One input value of a mechanism.
///
/// ```
/// use boxwood::motion::Actuator;
///
/// let elbow = Actuator { name: "elbow".into(), limits: Some([0.0, 2.6]) }; // radians
/// let wheel = Actuator { name: "wheel".into(), limits: None };
/// assert_ne!(elbow, wheel);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Actuator {
    /// The name, unique in its mechanism.
    pub name: String,
    /// The least and the greatest value, radians or lengths; `None` if every value is allowed.
    pub limits: Option<[f64; 2]>,
}

/// A kinematic tree: links, parents before children, moved by a list of actuator values. Immutable.
///
/// ```
/// use boxwood::motion::{Actuator, JointKind, Mimic, Link, Mechanism};
/// use boxwood::nalgebra::{Isometry3, Vector3};
///
/// let origin = Isometry3::identity();
/// let base = Link { name: "base".into(), parent: None, origin, joint: JointKind::Fixed };
/// let joint = JointKind::Revolute { axis: Vector3::z(), mimic: Mimic::direct(0) };
/// let origin = Isometry3::translation(0.0, 0.0, 0.5);
/// let arm = Link { name: "arm".into(), parent: Some(0), origin, joint };
/// let shoulder = Actuator { name: "shoulder".into(), limits: Some([-1.0, 1.0]) };
/// let robot = Mechanism::new(vec![base, arm], vec![shoulder])?;
///
/// let mut poses = Vec::new();
/// robot.poses(&[0.5_f32], &mut poses)?;
/// assert!((poses[1].rotation.angle() - 0.5).abs() < 1e-6);
/// assert!(robot.poses(&[1.5_f32], &mut poses).is_err());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mechanism {
    links: Vec<Link>,
    actuators: Vec<Actuator>,
    kinematics: Kinematics,
}

impl Mechanism {
    /// Creates a mechanism of at least one link. Several roots are allowed, and actuators that no
    /// joint follows.
    ///
    /// # Errors
    /// [`Error::Empty`] without a link; [`Error::DuplicateName`]. In [`Error::Part`] naming the
    /// link or the actuator: [`Error::OutOfOrder`] for a parent after its child and for limits in
    /// descending order, [`Error::IndexOutOfRange`] for a mimic rule without its actuator,
    /// [`Error::NotFinite`], [`Error::OutOfRange`] and [`Error::NotUnit`] for origins, axes, mimic
    /// rules and limits.
    pub fn new(links: Vec<Link>, actuators: Vec<Actuator>) -> Result<Self, Error> {
        if links.is_empty() {
            return Err(Error::Empty { field: "mechanism" });
        }
        check_names("link", links.iter().map(|link| link.name.as_str()))?;
        check_names("actuator", actuators.iter().map(|actuator| actuator.name.as_str()))?;
        for (index, link) in links.iter().enumerate() {
            link.check(index, actuators.len()).map_err(|error| error.in_part(&link.name))?;
        }
        for (index, actuator) in actuators.iter().enumerate() {
            actuator.check(index).map_err(|error| error.in_part(&actuator.name))?;
        }
        let kinematics = Kinematics::new(&links);
        Ok(Mechanism { links, actuators, kinematics })
    }

    /// The links, parents first.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The actuators: [`Mechanism::poses`] expects one value for each, in this order.
    pub fn actuators(&self) -> &[Actuator] {
        &self.actuators
    }

    /// The index of the actuator of that name, and of its value.
    ///
    /// # Errors
    /// [`Error::UnknownName`].
    pub fn actuator(&self, name: &str) -> Result<usize, Error> {
        let found = self.actuators.iter().position(|own| own.name == name);
        let names = self.actuators.iter().map(|own| own.name.as_str());
        found.ok_or_else(|| Error::unknown_name("actuator", name, names))
    }

    /// Samples values within the limits, one an actuator, from a source of numbers in `0.0..1.0`:
    /// for sampling planners and tests. Uniform if the source is; between `-pi` and `pi` for an
    /// actuator without limits.
    ///
    /// ```
    /// # use boxwood::motion::{Actuator, JointKind, Link, Mechanism};
    /// # use boxwood::nalgebra::Isometry3;
    /// # let (origin, joint) = (Isometry3::identity(), JointKind::Fixed);
    /// # let base = Link { name: "base".into(), parent: None, origin, joint };
    /// # let lift = Actuator { name: "lift".into(), limits: Some([0.5, 1.5]) };
    /// # let robot = Mechanism::new(vec![base], vec![lift])?;
    /// let mut values: Vec<f32> = Vec::new();
    /// robot.sample_values(|| 0.25, &mut values);
    /// assert_eq!(values, [0.75]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn sample_values<T: Scalar>(&self, mut uniform: impl FnMut() -> f64, values: &mut Vec<T>) {
        values.clear();
        values.extend(self.actuators.iter().map(|actuator| {
            let [least, most] = actuator.limits.unwrap_or([-PI, PI]);
            T::nearest((least + (most - least) * uniform()).clamp(least, most))
        }));
    }

    /// The index of the link of that name.
    pub fn find(&self, link: &str) -> Option<usize> {
        self.links.iter().position(|own| own.name == link)
    }

    /// Rest values: for every actuator zero, or the limit nearest to zero.
    ///
    /// ```
    /// use boxwood::motion::{Actuator, JointKind, Link, Mechanism};
    /// use boxwood::nalgebra::Isometry3;
    ///
    /// let (origin, joint) = (Isometry3::identity(), JointKind::Fixed);
    /// let base = Link { name: "base".into(), parent: None, origin, joint };
    /// let knee = Actuator { name: "knee".into(), limits: Some([0.5, 2.0]) };
    /// let leg = Mechanism::new(vec![base], vec![knee])?;
    /// assert_eq!((leg.rest(), leg.actuator("knee")?), (vec![0.5], 0)); // nearest to zero
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn rest(&self) -> Vec<f64> {
        let near = |actuator: &Actuator| {
            actuator.limits.map_or(0.0, |[least, most]| 0.0_f64.clamp(least, most))
        };
        self.actuators.iter().map(near).collect()
    }

    /// Forward kinematics: the pose of every link, link to model, from one value per actuator.
    /// Computed in double precision along the whole chain, and rounded once to the number type of
    /// `poses`, whose storage is reused.
    ///
    /// A mimic joint has no limits of its own; those of its actuator apply.
    ///
    /// # Errors
    /// [`Error::WrongCount`]; [`Error::NotFinite`] and [`Error::OutOfRange`] in an [`Error::Part`]
    /// that names the actuator, and [`Error::BeyondLimits`], which names it too; `poses` is
    /// unchanged then.
    pub fn poses<T: Scalar>(&self, values: &[T], poses: &mut Vec<Pose<T>>) -> Result<(), Error> {
        self.check_configuration(values)?;
        self.kinematics.pose(values, poses);
        Ok(())
    }

    /// Rejects values that [`Mechanism::poses`] does not accept.
    #[inline]
    pub(crate) fn check_configuration<T: Scalar>(&self, values: &[T]) -> Result<(), Error> {
        let mut all = self.actuators.iter().zip(values);
        let accepted = all.all(|(actuator, &value)| actuator.accepts(value));
        // Finds the error only on the failing path.
        if !accepted || self.actuators.len() != values.len() {
            self.check_values(values)?;
            let mut all = self.actuators.iter().zip(values);
            all.try_for_each(|(actuator, &value)| actuator.check_value(value))?;
        }
        Ok(())
    }

    /// Forward kinematics of values that are known to be valid.
    #[inline]
    pub(crate) fn poses_unchecked<T: Scalar>(&self, values: &[T], poses: &mut Vec<Pose<T>>) {
        self.kinematics.pose(values, poses);
    }

    /// Forward kinematics without limits: for calibration, or for the pose at zero if the limits
    /// exclude it.
    ///
    /// # Errors
    /// The errors of [`Mechanism::poses`], without [`Error::BeyondLimits`].
    pub fn poses_unlimited<T: Scalar>(
        &self,
        values: &[T],
        poses: &mut Vec<Pose<T>>,
    ) -> Result<(), Error> {
        self.check_values(values)?;
        self.kinematics.pose(values, poses);
        Ok(())
    }

    /// Returns the least and the greatest value of each actuator that [`Mechanism::poses`] accepts.
    pub(crate) fn accepted_ranges<T: Scalar>(&self) -> Vec<[T; 2]> {
        let limit = T::at_most(T::MAX_COORDINATE);
        let range = |actuator: &Actuator| {
            let [least, most] = actuator.limits.map_or([-limit, limit], |own| own.map(T::nearest));
            [if least < -limit { -limit } else { least }, if most > limit { limit } else { most }]
        };
        self.actuators.iter().map(range).collect()
    }

    /// Returns the kinematics of many rows side by side; `None` for mechanisms too large for it.
    pub(crate) fn lane_kinematics(&self) -> Option<LaneKinematics> {
        let limits: Vec<_> = self.actuators.iter().map(|actuator| actuator.limits).collect();
        LaneKinematics::new(&self.kinematics, &limits)
    }

    fn check_values<T: Scalar>(&self, values: &[T]) -> Result<(), Error> {
        let (expected, found) = (self.actuators.len(), values.len());
        if expected != found {
            return Err(Error::WrongCount { field: "actuator values", expected, found });
        }
        let mut numbered = self.actuators.iter().zip(values).enumerate();
        numbered.try_for_each(|(index, (actuator, &value))| {
            let checked = check_coordinates(&[value], "actuator value", index);
            checked.map_err(|error| error.in_part(&actuator.name))
        })
    }
}

impl Actuator {
    fn check(&self, index: usize) -> Result<(), Error> {
        let Some([least, most]) = self.limits else { return Ok(()) };
        check_coordinates(&[least, most], "limits of actuator", index)?;
        if least > most {
            return Err(Error::OutOfOrder { field: "limits of actuator", index });
        }
        Ok(())
    }

    /// Returns `true` for a value that [`Mechanism::poses`] accepts.
    #[inline]
    fn accepts<T: Scalar>(&self, value: T) -> bool {
        let is_within = match self.limits {
            Some([least, most]) => value >= T::nearest(least) && value <= T::nearest(most),
            None => true,
        };
        is_within && value.wide().abs() <= T::MAX_COORDINATE
    }

    fn check_value<T: Scalar>(&self, value: T) -> Result<(), Error> {
        match self.limits {
            // Compared in the precision of the value, so that the limits themselves are always
            // allowed.
            Some([least, most]) if value < T::nearest(least) || value > T::nearest(most) => {
                let actuator = self.name.clone();
                Err(Error::BeyondLimits { actuator, value: value.wide(), least, most })
            }
            _ => Ok(()),
        }
    }
}

fn check_names<'a>(kind: &'static str, names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut known = HashSet::new();
    match names.into_iter().find(|name| !known.insert(*name)) {
        Some(twice) => Err(Error::DuplicateName { kind, name: twice.to_owned() }),
        None => Ok(()),
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::{Isometry3, UnitQuaternion, Vector3};

    use super::*;
    use crate::motion::{JointKind, Mimic};

    fn link(name: &str, parent: Option<usize>, joint: JointKind) -> Link {
        Link { name: name.to_owned(), parent, origin: Isometry3::identity(), joint }
    }

    fn turn_by(actuator: usize) -> JointKind {
        JointKind::Revolute { axis: Vector3::x(), mimic: Mimic::direct(actuator) }
    }

    fn actuator(name: &str, limits: Option<[f64; 2]>) -> Actuator {
        Actuator { name: name.to_owned(), limits }
    }

    pub fn refuses_what_is_no_tree_or_no_number() {
        let make = |links, actuators| Mechanism::new(links, actuators).map(|_| ());
        let one = || vec![actuator("d", Some([-1.0, 1.0]))];
        assert_eq!(make(vec![], one()), Err(Error::Empty { field: "mechanism" }));
        let late = vec![link("a", Some(1), JointKind::Fixed), link("b", None, JointKind::Fixed)];
        let expected = Error::OutOfOrder { field: "link", index: 0 }.in_part("a");
        assert_eq!(make(late, one()), Err(expected));
        let twice = vec![link("a", None, JointKind::Fixed), link("a", None, JointKind::Fixed)];
        let expected = Error::DuplicateName { kind: "link", name: "a".into() };
        assert_eq!(make(twice, one()), Err(expected));
        let far = Error::IndexOutOfRange { field: "mimic of link", index: 0, target: 1, len: 1 };
        assert_eq!(make(vec![link("a", None, turn_by(1))], one()), Err(far.in_part("a")));
        let long =
            JointKind::Prismatic { axis: Vector3::new(3.0, 0.0, 4.0), mimic: Mimic::direct(0) };
        let expected = Error::NotUnit { field: "axis of link", index: 0, length: 5.0 };
        assert_eq!(make(vec![link("a", None, long)], one()), Err(expected.in_part("a")));
        let nan = Mimic { offset: f64::NAN, ..Mimic::direct(0) };
        let nan = JointKind::Revolute { axis: Vector3::x(), mimic: nan };
        let expected = Error::NotFinite { field: "mimic of link", index: 0 };
        assert_eq!(make(vec![link("a", None, nan)], one()), Err(expected.in_part("a")));
        let turned = vec![actuator("d", Some([1.0, -1.0]))];
        let expected = Error::OutOfOrder { field: "limits of actuator", index: 0 };
        let links = vec![link("a", None, turn_by(0))];
        assert_eq!(make(links.clone(), turned), Err(expected.in_part("d")));
        assert_eq!(make(links, one()), Ok(()));
    }

    pub fn limits_are_within_in_either_precision() {
        let limits = [-0.1, 0.7];
        let links = vec![link("a", None, turn_by(0))];
        let robot = Mechanism::new(links, vec![actuator("d", Some(limits))]).expect("a robot");
        let (mut poses, mut single) = (Vec::new(), Vec::new());
        for limit in limits {
            assert_eq!(robot.poses(&[limit], &mut poses), Ok(()));
            assert_eq!(robot.poses(&[limit as f32], &mut single), Ok(()));
        }
        assert!(robot.poses(&[0.7_f64.next_up()], &mut poses).is_err());
        assert!(robot.poses(&[0.7_f32.next_up()], &mut single).is_err());
    }

    pub fn long_chains_keep_unit_rotations_and_their_storage() {
        let links = (0..3000_usize).map(|i| link(&i.to_string(), i.checked_sub(1), turn_by(0)));
        let robot = Mechanism::new(links.collect(), vec![actuator("d", None)]).expect("a chain");
        let mut poses: Vec<Pose<f32>> = Vec::new();
        robot.poses(&[0.3], &mut poses).expect("fine");
        let first = poses.as_ptr();
        robot.poses(&[0.001], &mut poses).expect("fine");
        assert_eq!(poses.as_ptr(), first);
        // All rotations are about one axis: the angles add up.
        let expected = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), 3.0_f32);
        assert!(poses[2999].rotation.angle_to(&expected) < 1e-3);
        assert!((poses[2999].rotation.coords.norm() - 1.0).abs() < 1e-6);
    }
}
