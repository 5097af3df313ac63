//! Positions and directions of queries.

use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::{QueryShape, Ray, RayCast};

use super::people::PARTS;
use super::random::Random;

pub type Place = (Point3<f32>, Vector3<f32>);

/// Positions over the ground of a crowd that is `side` metres wide, up to two metres high.
pub fn over_ground(count: usize, side: f64) -> Vec<Place> {
    let mut random = Random(5);
    let mut place = |_| {
        let at = [random.between(0.0, side), random.between(0.0, 2.0), random.between(0.0, side)];
        (Point3::from(at).cast(), Vector3::from(random.direction()).cast())
    };
    (0..count).map(&mut place).collect()
}

/// Positions about a part of each person, for every second person in the middle of the part: for
/// all people once, then for all of them again. Each seed gives other positions.
pub fn about_people(poses: &[Isometry3<f32>], times: usize, seed: u64) -> Vec<Place> {
    let mut random = Random(seed);
    let mut place = |(index, poses): (usize, &[Isometry3<f32>])| {
        let aside = Vector3::from(random.direction()) * 0.3 * (index % 2) as f64;
        let at = poses[random.below(PARTS)].translation.vector + aside.cast();
        (Point3::from(at), Vector3::from(random.direction()).cast())
    };
    let everyone = poses.chunks_exact(PARTS).enumerate();
    (0..times).flat_map(|_| everyone.clone()).map(&mut place).collect()
}

/// Positions about parts of each person, `many` in a row: for all people once, then for all of them
/// again.
pub fn many_about_people(poses: &[Isometry3<f32>], many: usize, times: usize) -> Vec<Place> {
    let mut random = Random(13);
    let mut place = |poses: &[Isometry3<f32>]| {
        let aside = Vector3::from(random.direction()) * random.between(0.0, 0.3);
        let at = poses[random.below(PARTS)].translation.vector + aside.cast();
        (Point3::from(at), Vector3::from(random.direction()).cast())
    };
    let everyone = (0..times).flat_map(|_| poses.chunks_exact(PARTS));
    everyone.flat_map(|poses| std::iter::repeat_n(poses, many)).map(&mut place).collect()
}

pub fn middles(poses: &[Isometry3<f32>], count: usize) -> Vec<Place> {
    let mut random = Random(17);
    let mut place = |_| {
        let at = poses[random.below(poses.len())].translation.vector;
        (Point3::from(at), Vector3::from(random.direction()).cast())
    };
    (0..count).map(&mut place).collect()
}

/// Rays towards the positions, from `off` metres away.
pub fn rays(places: &[Place], off: f32) -> Vec<Ray> {
    let ray = |&(at, way): &Place| {
        let way = Unit::new_normalize(way);
        Ray::new(at - way.into_inner() * off, way).expect("a ray")
    };
    places.iter().map(ray).collect()
}

pub fn casts(rays: &[Ray]) -> Vec<RayCast> {
    rays.iter().map(|&ray| ray.into()).collect()
}

pub fn points(places: &[Place]) -> Vec<QueryShape> {
    places.iter().map(|place| place.0.into()).collect()
}
