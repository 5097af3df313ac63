//! The people of a crowd in parry3d, each looked through part by part, with the world boxes of the parts at hand.

use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::{Pose, Vector};
use parry3d::query::{Ray, RayCast, intersection_test};
use parry3d::shape::{Ball, SharedShape, SupportMap};

use crate::half_space::lowest;
use crate::people::PARTS;
use crate::persons::Person;
use crate::regions::Placed;

/// Everyone in the other library, and the world boxes of their parts.
pub struct Apiece<'a> {
    pub people: Vec<Person<'a>>,
    pub bounds: Vec<[Aabb; PARTS]>,
}

impl<'a> Apiece<'a> {
    pub fn new(people: Vec<Person<'a>>) -> Self {
        Apiece { bounds: people.iter().map(Person::bounds).collect(), people }
    }

    /// The parts of a person that are met, of those whose world boxes may be.
    pub fn met(
        &self,
        person: usize,
        near: impl Fn(&Aabb) -> bool,
        met: impl Fn(&Pose, &SharedShape) -> bool,
    ) -> impl Iterator<Item = usize> {
        let Person { poses, bodies } = self.people[person];
        let may = move |&part: &usize| near(&self.bounds[person][part]);
        (0..PARTS).filter(may).filter(move |&part| met(&poses[part], &bodies[part]))
    }

    /// The parts that a point is in.
    pub fn at(&self, person: usize, point: Vector) -> impl Iterator<Item = usize> {
        self.met(
            person,
            move |near| near.contains_local_point(point),
            move |pose, part| part.contains_point(pose, point),
        )
    }

    /// The parts that a ball touches.
    pub fn by(&self, person: usize, middle: Vector, ball: Ball) -> impl Iterator<Item = usize> {
        let at = Pose::from_translation(middle);
        let around = ball.aabb(&at);
        let touches = move |pose: &Pose, part: &SharedShape| {
            intersection_test(pose, &**part, &at, &ball).is_ok_and(|answer| answer.intersecting)
        };
        self.met(person, move |near| near.intersects(&around), touches)
    }

    /// The parts that touch a region.
    pub fn within(&self, person: usize, (at, region): &Placed) -> impl Iterator<Item = usize> {
        let around = region.compute_aabb(at);
        let touches = move |pose: &Pose, part: &SharedShape| {
            intersection_test(pose, &**part, at, region.as_ref())
                .is_ok_and(|answer| answer.intersecting)
        };
        self.met(person, move |near| near.intersects(&around), touches)
    }

    /// The parts that have something no higher along `up`: boxes.
    pub fn below(&self, person: usize, up: Vector, offset: f32) -> impl Iterator<Item = usize> {
        let holds = move |pose: &Pose, part: &SharedShape| {
            let solid = part.as_cuboid().expect("a box");
            solid.support_point_toward(pose, -up).dot(up) <= offset
        };
        self.met(person, move |near| lowest(up, near.mins, near.maxs) <= offset, holds)
    }

    /// How far along a ray a person is hit.
    pub fn first_hit(&self, person: usize, ray: &Ray) -> Option<f32> {
        let (Person { poses, bodies }, mut first) = (self.people[person], f32::MAX);
        for part in 0..PARTS {
            let near = self.bounds[person][part].cast_local_ray(ray, first, true).is_some();
            let hit =
                near.then(|| bodies[part].cast_ray_and_get_normal(&poses[part], ray, first, true));
            first = hit.flatten().map_or(first, |hit| hit.time_of_impact);
        }
        (first < f32::MAX).then_some(first)
    }

    /// The parts that a ray hits.
    pub fn hit(&self, person: usize, ray: &Ray) -> impl Iterator<Item = usize> {
        self.met(
            person,
            |near| near.cast_local_ray(ray, f32::MAX, true).is_some(),
            |pose, part| part.cast_ray(pose, ray, f32::MAX, true).is_some(),
        )
    }
}
