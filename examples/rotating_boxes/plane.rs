//! Two rectangles that rotate in place, one twice as fast as the other.

use boxwood::Error;
use boxwood::f64::Obb2;
use boxwood::nalgebra::{Point2, Vector2};

/// Returns the two rectangles after `tick` ticks: 30 x 140 from 30 degrees, 2 a tick; 40 x 110 from
/// 40 degrees, 1 a tick.
pub fn rectangles(tick: u32) -> Result<[Obb2; 2], Error> {
    let turned = |center: [f64; 2], size: [f64; 2], degrees: u32| {
        let half = Vector2::from(size) / 2.0;
        Obb2::from_angle(Point2::from(center), f64::from(degrees).to_radians(), half)
    };
    let first = turned([100.0, 150.0], [30.0, 140.0], 30 + 2 * tick)?;
    let second = turned([100.0, 70.0], [40.0, 110.0], 40 + tick)?;
    Ok([first, second])
}

pub fn touch(a: &Obb2, b: &Obb2) -> bool {
    a.intersects(b)
}

/// Largest separation over all directions; negative if no direction separates.
pub fn gap(a: &Obb2, b: &Obb2) -> f64 {
    let sideways = |v: Vector2<f64>| Vector2::new(-v.y, v.x);
    let axes = [a.axis(), sideways(a.axis()), b.axis(), sideways(b.axis())];
    let between = |axis: Vector2<f64>| {
        let reach = |of: &Obb2| {
            let from = |corner: Point2<f64>| axis.dot(&(corner - of.center()));
            of.corners().into_iter().map(from).fold(0.0, f64::max)
        };
        axis.dot(&(b.center() - a.center())).abs() - reach(a) - reach(b)
    };
    axes.into_iter().map(between).fold(f64::NEG_INFINITY, f64::max)
}
