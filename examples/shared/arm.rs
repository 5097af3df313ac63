//! An arm with a gripper, made without a file: boxes on a chain of joints. Metres, Z up.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use boxwood::load::Robot;
use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use boxwood::{Build, Error, Geometry, Model, Obb};

/// One link: its name, its parent, origin and kind of its joint, and its box by centre and half
/// extents.
struct Piece {
    name: &'static str,
    parent: Option<usize>,
    at: [f64; 3],
    joint: JointKind,
    center: [f32; 3],
    half: [f32; 3],
}

fn turn(axis: Vector3<f64>, actuator: usize) -> JointKind {
    JointKind::Revolute { axis, mimic: Mimic::direct(actuator) }
}

/// Joint of a finger; the two fingers share an actuator.
fn finger(side: f64) -> JointKind {
    JointKind::Prismatic { axis: Vector3::y() * side, mimic: Mimic::direct(5) }
}

fn pieces() -> Vec<Piece> {
    let (y, z) = (Vector3::y(), Vector3::z());
    let piece =
        |name, parent, at, joint, center, half| Piece { name, parent, at, joint, center, half };
    vec![
        piece("base", None, [0.0; 3], JointKind::Fixed, [0.0, 0.0, 0.05], [0.2, 0.2, 0.05]),
        piece("turret", Some(0), [0.0, 0.0, 0.1], turn(z, 0), [0.0, 0.0, 0.1], [0.1, 0.1, 0.1]),
        piece(
            "upper arm",
            Some(1),
            [0.0, 0.0, 0.2],
            turn(y, 1),
            [0.0, 0.0, 0.2],
            [0.06, 0.06, 0.22],
        ),
        piece("forearm", Some(2), [0.0, 0.0, 0.4], turn(y, 2), [0.0, 0.0, 0.18], [0.05, 0.05, 0.2]),
        piece("wrist", Some(3), [0.0, 0.0, 0.36], turn(y, 3), [0.0, 0.0, 0.05], [0.04, 0.04, 0.06]),
        piece("palm", Some(4), [0.0, 0.0, 0.11], turn(z, 4), [0.0, 0.0, 0.02], [0.03, 0.1, 0.02]),
        piece(
            "left finger",
            Some(5),
            [0.0, 0.0, 0.04],
            finger(1.0),
            [0.0, 0.01, 0.05],
            [0.02, 0.01, 0.05],
        ),
        piece(
            "right finger",
            Some(5),
            [0.0, 0.0, 0.04],
            finger(-1.0),
            [0.0, -0.01, 0.05],
            [0.02, 0.01, 0.05],
        ),
    ]
}

fn actuators() -> Vec<Actuator> {
    let actuator = |name: &str, reach| Actuator { name: name.to_owned(), limits: Some(reach) };
    vec![
        actuator("pan", [-3.0, 3.0]),
        actuator("shoulder", [-FRAC_PI_2, FRAC_PI_2]),
        actuator("elbow", [-2.6, 2.6]),
        actuator("wrist", [-2.0, 2.0]),
        actuator("roll", [-3.0, 3.0]),
        actuator("grip", [0.001, 0.08]),
    ]
}

/// Robot like those of `load::urdf`, made in code.
pub fn arm() -> Result<Robot<f32>, Error> {
    let pieces = pieces();
    let link = |piece: &Piece| Link {
        name: piece.name.to_owned(),
        parent: piece.parent,
        origin: Isometry3::translation(piece.at[0], piece.at[1], piece.at[2]),
        joint: piece.joint,
    };
    let mechanism = Mechanism::new(pieces.iter().map(link).collect(), actuators())?;
    let mut poses = Vec::new();
    mechanism.poses_unlimited(&mechanism.rest(), &mut poses)?;
    let mut builder = Model::builder();
    for (piece, pose) in pieces.iter().zip(poses) {
        let solid = Obb::new(Point3::from(piece.center), Matrix3::identity(), piece.half.into())?;
        let parent = piece.parent.map(|parent| pieces[parent].name);
        builder = builder.part(piece.name, parent, Geometry::Boxes(vec![solid])).bind(pose.cast());
    }
    let model = builder.build(&Build::default())?;
    Ok(Robot::new(model, Arc::new(mechanism)))
}
