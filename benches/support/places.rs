//! Where questions are asked, and rays from there in both libraries.

use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::{Beam, Ray};
use parry3d::math::Vector;
use parry3d::query;

use crate::people::PARTS;
use crate::random::Random;

/// A place, and a direction.
pub type Place = (Point3<f32>, Vector3<f32>);

/// Over the ground of a crowd that is `side` metres wide, up to two metres high.
pub fn over_ground(count: usize, side: f64) -> Vec<Place> {
    let mut random = Random(5);
    let mut place = |_| {
        let at = [random.between(0.0, side), random.between(0.0, 2.0), random.between(0.0, side)];
        (Point3::from(at).cast(), Vector3::from(random.direction()).cast())
    };
    (0..count).map(&mut place).collect()
}

/// About a part of each person, of every second in the middle of it.
pub fn about_people(poses: &[Isometry3<f32>]) -> Vec<Place> {
    let mut random = Random(11);
    let place = |(index, poses): (usize, &[Isometry3<f32>])| {
        let aside = Vector3::from(random.direction()) * 0.3 * (index % 2) as f64;
        Point3::from(poses[random.below(PARTS)].translation.vector + aside.cast())
    };
    let places: Vec<_> = poses.chunks_exact(PARTS).enumerate().map(place).collect();
    let mut random = Random(12);
    places.into_iter().map(|at| (at, Vector3::from(random.direction()).cast())).collect()
}

/// The same rays in both libraries, from so many metres off.
pub fn rays(places: &[Place], off: f32) -> (Vec<Beam>, Vec<query::Ray>) {
    let both = |&(at, way): &Place| {
        let way = Unit::new_normalize(way);
        let from = at - way.into_inner() * off;
        let theirs = query::Ray::new(vector(from), Vector::new(way.x, way.y, way.z));
        (Beam::from(Ray::new(from, way).expect("a ray")), theirs)
    };
    places.iter().map(both).unzip()
}

pub fn vector(p: Point3<f32>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}
