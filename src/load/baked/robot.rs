//! Baked robots: the record of a model, and of the mechanism that moves its parts.

use std::sync::Arc;

use nalgebra::{Isometry3, Vector3};
use serde::{Deserialize, Serialize};

use super::header::{self, ROBOT};
use super::number::{Number, NumberQuad, NumberTriple, quad, rotation, triple, vector};
use super::record::ModelRecord;
use crate::error::Error;
use crate::load::options::Options;
use crate::load::source::{FileSource, report_all_read};
use crate::load::{Robot, Warning, Watch};
use crate::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use crate::num::{Scalar, precompiled};

#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct RobotRecord<T: Scalar> {
    model: ModelRecord<T>,
    links: Vec<LinkRecord>,
    actuators: Vec<(String, Option<[f64; 2]>)>,
    warnings: Vec<Warning>,
}

#[derive(Serialize, Deserialize)]
struct LinkRecord {
    name: String,
    parent: Option<u32>,
    position: NumberTriple<f64>,
    rotation: NumberQuad<f64>,
    joint: JointKindRecord,
}

#[derive(Serialize, Deserialize)]
enum JointKindRecord {
    Fixed,
    Revolute(AxisRecord),
    Prismatic(AxisRecord),
}

#[derive(Serialize, Deserialize)]
struct AxisRecord {
    axis: NumberTriple<f64>,
    actuator: u32,
    multiplier: Number<f64>,
    offset: Number<f64>,
}

impl<T: Scalar> Robot<T> {
    /// Serializes the robot for [`baked_robot`](crate::load::baked_robot()): model, mechanism and
    /// warnings. Another process or machine then needs none of the robot's files.
    ///
    /// # Errors
    /// [`Error::WrongCount`] unless there is one part for every link, [`Error::UnknownName`] for a
    /// part without the name of its link.
    ///
    /// ```
    /// let text = r#"<robot name="box"><link name="base"><collision><geometry>
    ///     <box size="1 1 1"/></geometry></collision></link></robot>"#;
    /// let robot = boxwood::Loader::new().urdf_bytes(text.as_bytes())?;
    /// let again = boxwood::Loader::new().baked_robot_bytes(&robot.bake()?)?;
    /// assert_eq!((again.model, again.mechanism), (robot.model, robot.mechanism));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn bake(&self) -> Result<Vec<u8>, Error> {
        write_baked_robot(self)
    }

    /// Rejects a robot unless part `i` has the name of link `i`.
    fn check_links(&self) -> Result<(), Error> {
        let (parts, links) = (self.model.parts(), self.mechanism.links());
        if parts.len() != links.len() {
            let (expected, found) = (links.len(), parts.len());
            return Err(Error::WrongCount { field: "parts", expected, found });
        }
        match parts.iter().zip(links).find(|(part, link)| part.name() != link.name) {
            Some((part, link)) => {
                let only = std::iter::once(link.name.as_str());
                Err(Error::unknown_name("link of that index", part.name(), only))
            }
            None => Ok(()),
        }
    }
}

precompiled! {
    fn write_baked_robot<'a, T>(robot: &'a Robot<T>) -> Result<Vec<u8>, Error> {
        bake_robot(robot)
    }
}

fn bake_robot<T: Scalar>(robot: &Robot<T>) -> Result<Vec<u8>, Error> {
    robot.check_links()?;
    header::with_header::<T>(&ROBOT, &RobotRecord::from_robot(robot))
}

precompiled! {
    /// Reads a baked robot.
    pub(in crate::load) fn read_baked_robot<'a, T>(
        source: &'a FileSource<'a>,
        _options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Robot<T>, Error> {
        read(source, watch)
    }
}

fn read<T: Scalar>(source: &FileSource<'_>, watch: &mut Watch<'_>) -> Result<Robot<T>, Error> {
    let robot = || {
        let record: RobotRecord<T> = header::read_record::<T, _>(&ROBOT, &source.bytes()?)
            .map_err(|trouble| format!("not a baked robot: {trouble}"))?;
        record.robot().map_err(|error| format!("not a baked robot: {error}"))
    };
    let robot = robot().map_err(|trouble: String| source.error(&trouble))?;
    report_all_read(watch)?;
    Ok(robot)
}

impl<T: Scalar> RobotRecord<T> {
    fn from_robot(robot: &Robot<T>) -> Self {
        let actuator = |actuator: &Actuator| (actuator.name.clone(), actuator.limits);
        RobotRecord {
            model: ModelRecord::from_model(&robot.model),
            links: robot.mechanism.links().iter().map(LinkRecord::from_link).collect(),
            actuators: robot.mechanism.actuators().iter().map(actuator).collect(),
            warnings: robot.warnings.clone(),
        }
    }

    /// # Errors
    /// The errors of a record that does not describe a robot.
    fn robot(self) -> Result<Robot<T>, Error> {
        let model = self.model.model()?;
        let links = self.links.into_iter().map(LinkRecord::link).collect();
        let actuator = |(name, limits)| Actuator { name, limits };
        let mechanism = Mechanism::new(links, self.actuators.into_iter().map(actuator).collect())?;
        let robot = Robot { model, mechanism: Arc::new(mechanism), warnings: self.warnings };
        robot.check_links()?;
        Ok(robot)
    }
}

impl LinkRecord {
    fn from_link(link: &Link) -> Self {
        LinkRecord {
            name: link.name.clone(),
            parent: link.parent.map(|parent| parent as u32),
            position: triple(&link.origin.translation.vector),
            rotation: quad(&link.origin.rotation),
            joint: match &link.joint {
                JointKind::Fixed => JointKindRecord::Fixed,
                JointKind::Revolute { axis, mimic } => {
                    JointKindRecord::Revolute(AxisRecord::from_axis(axis, mimic))
                }
                JointKind::Prismatic { axis, mimic } => {
                    JointKindRecord::Prismatic(AxisRecord::from_axis(axis, mimic))
                }
            },
        }
    }

    fn link(self) -> Link {
        let origin = Isometry3::from_parts(vector(&self.position).into(), rotation(&self.rotation));
        let joint = match self.joint {
            JointKindRecord::Fixed => JointKind::Fixed,
            JointKindRecord::Revolute(along) => {
                let (axis, mimic) = along.parts();
                JointKind::Revolute { axis, mimic }
            }
            JointKindRecord::Prismatic(along) => {
                let (axis, mimic) = along.parts();
                JointKind::Prismatic { axis, mimic }
            }
        };
        Link { name: self.name, parent: self.parent.map(|parent| parent as usize), origin, joint }
    }
}

impl AxisRecord {
    fn from_axis(axis: &Vector3<f64>, mimic: &Mimic) -> Self {
        AxisRecord {
            axis: triple(axis),
            actuator: mimic.actuator as u32,
            multiplier: Number(mimic.multiplier),
            offset: Number(mimic.offset),
        }
    }

    fn parts(&self) -> (Vector3<f64>, Mimic) {
        let (Number(multiplier), Number(offset)) = (self.multiplier, self.offset);
        let mimic = Mimic { actuator: self.actuator as usize, multiplier, offset };
        (vector(&self.axis), mimic)
    }
}
