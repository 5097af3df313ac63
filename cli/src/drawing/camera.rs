//! Orthographic camera of a panel.

use boxwood::Aabb;
use boxwood::nalgebra::{Point3, Vector3};

/// An orthographic camera that shows a panel of the picture.
pub struct Camera {
    /// Axes of the picture, to the right and up, and the axis away from the eye.
    pub right: Vector3<f32>,
    pub up: Vector3<f32>,
    pub toward: Vector3<f32>,
    /// Scale [pixels per unit].
    pub scale: f32,
    /// World point in the centre of the panel.
    middle: Point3<f32>,
    /// Centre of the panel [pixels].
    at: [f32; 2],
}

impl Camera {
    /// Creates a camera that looks along `toward`, not along `up`, so that `bounds` fit into the
    /// panel `[x, y, width, height]`.
    pub fn new(
        [toward, up]: [Vector3<f32>; 2],
        bounds: &Aabb,
        [x, y, width, height]: [f32; 4],
    ) -> Self {
        let toward = toward.normalize();
        let right = toward.cross(&up).normalize();
        let up = right.cross(&toward);
        let middle = bounds.center().unwrap_or_else(Point3::origin);
        let reach = |axis: &Vector3<f32>| {
            let along = bounds.corners().map(|corner| (corner - middle).dot(axis).abs());
            along.into_iter().fold(1e-6, f32::max)
        };
        let scale = (width / 2.0 / reach(&right)).min(height / 2.0 / reach(&up));
        Camera { right, up, toward, scale, middle, at: [x + width / 2.0, y + height / 2.0] }
    }

    /// Projects a point of the world to the picture.
    pub fn project(&self, point: Point3<f32>) -> [f32; 2] {
        let from = (point - self.middle) * self.scale;
        [self.at[0] + from.dot(&self.right), self.at[1] - from.dot(&self.up)]
    }
}
