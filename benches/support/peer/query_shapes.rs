//! Query shapes with an AABB, in both libraries: those of a kind are equal up to their pose.

use boxwood::nalgebra::{Isometry3, UnitQuaternion, Vector3};
use boxwood::{Aabb, Capsule, Frustum, Obb, QueryShape, Segment, Sphere};
use parry3d::math::{Pose, Vector};
use parry3d::shape::{Ball, ConvexPolyhedron, Shape};

use super::super::query_places::Place;
use super::solids::{cuboid, point};

/// Query shapes of one kind.
pub struct Kind {
    pub name: &'static str,
    pub mine: Vec<QueryShape>,
    /// The shape in the peer, and the poses of all.
    pub shape: Box<dyn Shape>,
    pub poses: Vec<Pose>,
}

impl Kind {
    fn new(
        (name, shape): (&'static str, impl Shape),
        places: &[Place],
        pose: impl Fn(&Place) -> Isometry3<f32>,
        mine: impl Fn(&Isometry3<f32>) -> QueryShape,
    ) -> Self {
        let poses: Vec<Isometry3<f32>> = places.iter().map(pose).collect();
        let mine = poses.iter().map(mine).collect();
        let poses = poses.into_iter().map(Pose::from).collect();
        Kind { name, mine, shape: Box::new(shape), poses }
    }
}

/// Balls of a radius at the positions.
pub fn balls(places: &[Place], radius: f32) -> Kind {
    let ball = |pose: &Isometry3<f32>| {
        Sphere::new(pose.translation.vector.into(), radius).expect("a ball").into()
    };
    Kind::new(("balls", Ball::new(radius)), places, |(at, _)| Isometry3::from(at.coords), ball)
}

/// Balls, capsules, boxes and frusta at the positions, about `size` metres.
pub fn kinds(places: &[Place], size: f32) -> [Kind; 5] {
    let half = Vector3::new(0.3, 0.5, 0.2) * size;
    let still = |(at, _): &Place| Isometry3::from(at.coords);
    let along = |&(at, way): &Place| {
        let turn = UnitQuaternion::rotation_between(&Vector3::z(), &way);
        Isometry3::from_parts(at.coords.into(), turn.unwrap_or_default())
    };
    let turned = |&(at, way): &Place| Isometry3::new(at.coords, way.normalize() * 2.0);
    let eye = |pose: &Isometry3<f32>| {
        let range = [0.1 * size, 2.0 * size];
        Frustum::of_eye(pose, [0.3, 0.2], range).expect("a frustum")
    };
    let hull = eye(&Isometry3::identity()).corners().map(point);
    let hull = ConvexPolyhedron::from_convex_hull(&hull).expect("a hull");
    let capsule = parry3d::shape::Capsule::new(Vector::ZERO, Vector::Z * size, 0.2 * size);
    [
        balls(places, 0.5 * size),
        Kind::new(("capsules", capsule), places, along, |pose| {
            let (a, b) = (
                pose * nalgebra::Point3::origin(),
                pose * (nalgebra::Point3::from(Vector3::z() * size)),
            );
            let core = Segment::new(a, b).expect("ends");
            Capsule::new(core, 0.2 * size).expect("a capsule").into()
        }),
        Kind::new(("aligned boxes", cuboid(half)), places, still, |pose| {
            let at = nalgebra::Point3::from(pose.translation.vector);
            Aabb::new(at - half, at + half).into()
        }),
        Kind::new(("oriented boxes", cuboid(half)), places, turned, |pose| {
            Obb::from_pose(pose, half).expect("a box").into()
        }),
        Kind::new(("frusta", hull), places, turned, |pose| eye(pose).into()),
    ]
}
