//! Two boxes that rotate in space about their own axes, and their projection from the front right.

use boxwood::f64::{Obb, Pose};
use boxwood::nalgebra::{Translation3, UnitQuaternion, Vector3};
use boxwood::{Error, draw};

pub fn boxes(tick: u32) -> Result<[Obb; 2], Error> {
    let turned = |x: f64, about: Vector3<f64>, degrees: u32, half: [f64; 3]| {
        let angle = f64::from(degrees).to_radians();
        let turn = UnitQuaternion::new(about.normalize() * angle);
        Obb::from_pose(&Pose::from_parts(Translation3::new(x, 0.0, 0.0), turn), half.into())
    };
    let first = turned(-42.0, Vector3::new(0.2, 1.0, 0.3), 30 + 2 * tick, [60.0, 14.0, 22.0])?;
    let second = turned(42.0, Vector3::new(-0.3, 0.2, 1.0), 40 + 4 * tick, [52.0, 20.0, 16.0])?;
    Ok([first, second])
}

/// Edges in an orthographic projection.
pub fn edges(of: &Obb) -> Vec<[[f64; 2]; 2]> {
    let right = Vector3::new(0.9, 0.0, -0.4).normalize();
    let down = right.cross(&Vector3::new(0.4, 0.35, 0.9)).normalize();
    let seen = |p: [f64; 3]| [right, down].map(|axis| axis.dot(&Vector3::from(p)));
    let mut edges = Vec::new();
    draw::obb(of, |from, to| edges.push([seen(from), seen(to)]));
    edges
}
