//! Triangles of convex shapes, for drawing alone: queries use the shapes themselves.

use std::f32::consts::{FRAC_PI_2, TAU};

use boxwood::ConvexShape;
use boxwood::nalgebra::{Matrix3, Point3, UnitQuaternion, Vector3};

use crate::wire;

/// Numbers of facets around an axis, and from an end of a ball to its equator.
const AROUND: usize = 28;
const RINGS: usize = 7;

/// Returns the vertices of a shape's triangles, nine numbers each, facing outward.
pub(crate) fn triangles(shape: &ConvexShape) -> Vec<f32> {
    let along = |axis: Vector3<f32>, radius: f32| {
        let turn = UnitQuaternion::rotation_between(&Vector3::z(), &axis);
        let turn =
            turn.unwrap_or_else(|| UnitQuaternion::from_euler_angles(2.0 * FRAC_PI_2, 0., 0.));
        turn.to_rotation_matrix().into_inner() * radius
    };
    match shape {
        ConvexShape::Box(block) => wire::box_triangles(block),
        ConvexShape::Sphere(ball) => {
            turned(&ball_profile(0.0), &(Matrix3::identity() * ball.radius()), ball.center())
        }
        ConvexShape::Ellipsoid(shape) => {
            let frame = shape.axes() * Matrix3::from_diagonal(&shape.radii());
            turned(&ball_profile(0.0), &frame, shape.center())
        }
        ConvexShape::Capsule(capsule) => {
            let (segment, radius) = (capsule.segment(), capsule.radius());
            let (middle, axis) = (segment.a() + segment.direction() / 2.0, segment.direction());
            let radius = radius.max(f32::MIN_POSITIVE);
            turned(&ball_profile(axis.norm() / 2.0 / radius), &along(axis, radius), middle)
        }
        ConvexShape::Cylinder(drum) => {
            let half = drum.half_height() / drum.radius();
            let profile = [[0.0, -half], [1.0, -half], [1.0, half], [0.0, half]];
            turned(&profile, &along(drum.axis().into_inner(), drum.radius()), drum.center())
        }
        ConvexShape::Hull(hull) => {
            let corner = |index: &u32| hull.corners()[*index as usize];
            hull.triangles().iter().flatten().flat_map(|at| numbers(corner(at))).collect()
        }
        ConvexShape::Triangle(triangle) => {
            triangle.corners().into_iter().flat_map(numbers).collect()
        }
        _ => Vec::new(),
    }
}

/// Half circle from the lowest to the highest point of a ball of radius 1, split at its equator by
/// a straight piece of twice `half`: radius and height of each ring.
fn ball_profile(half: f32) -> Vec<[f32; 2]> {
    let ring = |index: usize| (FRAC_PI_2 * index as f32 / RINGS as f32).sin_cos();
    let lower = (0..=RINGS).map(|index| {
        let (radius, height) = ring(index);
        [radius, -height - half]
    });
    let upper = (0..=RINGS).rev().map(|index| {
        let (radius, height) = ring(index);
        [radius, height + half]
    });
    lower.chain(upper).collect()
}

/// Turns a profile about the Z axis, and transforms the vertices.
fn turned(profile: &[[f32; 2]], frame: &Matrix3<f32>, center: Point3<f32>) -> Vec<f32> {
    let at = |[radius, height]: [f32; 2], step: usize| {
        let (sin, cos) = (TAU * (step % AROUND) as f32 / AROUND as f32).sin_cos();
        center + frame * Vector3::new(radius * cos, radius * sin, height)
    };
    let mut out = Vec::new();
    for rings in profile.windows(2) {
        let [low, high] = [rings[0], rings[1]];
        for step in 0..AROUND {
            let quad = [at(low, step), at(low, step + 1), at(high, step + 1), at(high, step)];
            // A ring of no radius is a point: one of the two triangles is empty.
            for (corners, is_empty) in [([0, 1, 2], low[0] == 0.0), ([0, 2, 3], high[0] == 0.0)] {
                if !is_empty {
                    out.extend(corners.into_iter().flat_map(|corner| numbers(quad[corner])));
                }
            }
        }
    }
    out
}

fn numbers(point: Point3<f32>) -> [f32; 3] {
    [point.x, point.y, point.z]
}
