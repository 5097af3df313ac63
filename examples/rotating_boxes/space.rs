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
    let mut edges = Vec::new();
    draw::obb(of, |from, to| edges.push([from, to].map(projected)));
    edges
}

/// Projected outline of a square between two disjoint boxes, across the axis that separates them;
/// none if they touch.
pub fn separating_square([a, b]: &[Obb; 2]) -> Vec<[[f64; 2]; 2]> {
    let Some(axis) = a.separating_axis(b) else { return Vec::new() };
    let normal = axis.direction;
    let [far, near] = [a.support(normal), b.support(-normal)];
    // In the middle of the gap, at the height of the middle of both centres.
    let across = 0.5 * (far.coords.dot(&normal) + near.coords.dot(&normal));
    let middle = 0.5 * (a.center().coords + b.center().coords);
    let middle = middle + normal * (across - middle.dot(&normal));
    let side = normal.cross(&Vector3::y()).normalize() * 60.0;
    let other = normal.cross(&side);
    let corners = [side + other, other - side, -side - other, side - other];
    (0..4)
        .map(|i| [corners[i], corners[(i + 1) % 4]].map(|p| projected((middle + p).into())))
        .collect()
}

fn projected(p: [f64; 3]) -> [f64; 2] {
    let right = Vector3::new(0.9, 0.0, -0.4).normalize();
    let down = right.cross(&Vector3::new(0.4, 0.35, 0.9)).normalize();
    [right, down].map(|axis| axis.dot(&Vector3::from(p)))
}
