//! Regions with a box around them, in both libraries.

use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{Aabb, Capsule, Frustum, Obb, Region, Segment, Sphere};
use parry3d::math::{Pose, Vector};
use parry3d::shape::{Ball, ConvexPolyhedron, Cuboid, Shape};

use crate::places::{Place, vector};

/// A region in the other library.
pub type Placed = (Pose, Box<dyn Shape>);

/// Regions of one kind.
pub struct Kind {
    pub name: &'static str,
    pub mine: Vec<Region>,
    pub theirs: Vec<Placed>,
}

type Both<'a> = &'a dyn Fn(Point3<f32>, Vector3<f32>) -> (Region, Placed);

/// Balls, capsules, boxes and frusta at the places, about `size` metres.
pub fn kinds(places: &[Place], size: f32) -> [Kind; 5] {
    let still = || Pose::from(Isometry3::<f32>::identity());
    let of = |name, one: Both| {
        let (mine, theirs) = places.iter().map(|&(at, way)| one(at, way.normalize())).unzip();
        Kind { name, mine, theirs }
    };
    let half = Vector3::new(0.3, 0.5, 0.2) * size;
    let other = || Box::new(Cuboid::new(Vector::new(half.x, half.y, half.z)));
    [
        of("balls", &|at, _| {
            let ball = Sphere::new(at, 0.5 * size).expect("a ball");
            let place = Isometry3::translation(at.x, at.y, at.z);
            (ball.into(), (place.into(), Box::new(Ball::new(0.5 * size))))
        }),
        of("capsules", &|at, way| {
            let end = at + way * size;
            let body = Capsule::new(Segment::new(at, end).expect("ends"), 0.2 * size);
            let other = parry3d::shape::Capsule::new(vector(at), vector(end), 0.2 * size);
            (body.expect("a capsule").into(), (still(), Box::new(other)))
        }),
        of("aligned boxes", &|at, _| {
            let place = Isometry3::translation(at.x, at.y, at.z);
            (Aabb::new(at - half, at + half).into(), (place.into(), other()))
        }),
        of("oriented boxes", &|at, way| {
            let pose = Isometry3::new(at.coords, way);
            let solid = Obb::from_pose(&pose, half).expect("a box");
            (solid.into(), (pose.into(), other()))
        }),
        of("frusta", &|at, way| {
            let eye = Isometry3::new(at.coords, way * 2.0);
            let range = [0.1 * size, 2.0 * size];
            let frustum = Frustum::of_eye(&eye, [0.3, 0.2], range).expect("a frustum");
            let points = frustum.corners().map(vector);
            let hull = ConvexPolyhedron::from_convex_hull(&points).expect("a hull");
            (frustum.into(), (still(), Box::new(hull)))
        }),
    ]
}
