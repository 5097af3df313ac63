//! A robot of five links that grips and carries, and its surroundings, all generated.

use std::sync::Arc;

use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{Build, Capsule, ConvexShape, Error, Geometry, Model, Obb, Segment};

/// Box with a centre and half extents [m].
fn block(middle: [f32; 3], half: [f32; 3]) -> Result<ConvexShape, Error> {
    let [x, y, z] = middle;
    Ok(Obb::from_pose(&Isometry3::translation(x, y, z), half.into())?.into())
}

/// Model of the links, each with its shape, parents first.
pub fn robot() -> Result<Arc<Model>, Error> {
    let column = Segment::new(Point3::new(0.0, 0.0, 0.1), Point3::new(0.0, 0.0, 0.8))?;
    let finger = || block([0.62, 0.0, -0.08], [0.01, 0.01, 0.06]);
    let links: [(&str, Option<&str>, ConvexShape); 6] = [
        ("foot", None, block([0.0, 0.0, 0.05], [0.1, 0.1, 0.05])?),
        ("column", Some("foot"), Capsule::new(column, 0.04)?.into()),
        ("slide", Some("column"), block([0.0; 3], [0.06, 0.06, 0.05])?),
        ("arm", Some("slide"), block([0.35, 0.0, 0.0], [0.29, 0.03, 0.02])?),
        ("left_finger", Some("arm"), finger()?),
        ("right_finger", Some("arm"), finger()?),
    ];
    let add = |builder: boxwood::model::ModelBuilder<f32>, (name, parent, shape)| {
        builder.part(name, parent, Geometry::Convex(vec![shape]))
    };
    links.into_iter().fold(Model::builder(), add).build(&Build::default())
}

/// Joints of the links. The slide goes up and down, the arm rotates about the column, the fingers
/// open and close.
pub fn mechanism() -> Result<Mechanism, Error> {
    let link = |name: &str, parent, joint| Link {
        name: name.to_owned(),
        parent,
        origin: Isometry3::identity(),
        joint,
    };
    let (up, aside) = (Vector3::z(), Vector3::y());
    let grip = Mimic::direct(2);
    let lift = JointKind::Prismatic { axis: up, mimic: Mimic::direct(0) };
    let turn = JointKind::Revolute { axis: up, mimic: Mimic::direct(1) };
    let other = Mimic { multiplier: -1.0, ..grip };
    let links = vec![
        link("foot", None, JointKind::Fixed),
        link("column", Some(0), JointKind::Fixed),
        link("slide", Some(1), lift),
        link("arm", Some(2), turn),
        link("left_finger", Some(3), JointKind::Prismatic { axis: aside, mimic: grip }),
        link("right_finger", Some(3), JointKind::Prismatic { axis: aside, mimic: other }),
    ];
    let limits = [("lift", [0.1, 0.75]), ("turn", [-3.0, 3.0]), ("grip", [0.03, 0.1])];
    let actuator =
        |(name, limits): (&str, [f64; 2])| Actuator { name: name.to_owned(), limits: Some(limits) };
    Mechanism::new(links, limits.map(actuator).to_vec())
}

/// Model of one named part.
pub fn thing(name: &str, shape: ConvexShape) -> Result<Arc<Model>, Error> {
    Model::builder().part(name, None, Geometry::Convex(vec![shape])).build(&Build::default())
}

/// Table under the robot.
pub fn table() -> Result<Arc<Model>, Error> {
    thing("table", block([0.0, 0.0, -0.05], [1.0, 1.0, 0.05])?)
}

/// Post that is an obstacle.
pub fn post() -> Result<Arc<Model>, Error> {
    thing("post", block([0.438, 0.438, 0.126], [0.03, 0.03, 0.124])?)
}
