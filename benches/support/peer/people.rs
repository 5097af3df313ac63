//! The people of a crowd in parry3d: 20 parts each, boxes or trees of boxes; and a linear scan of
//! their parts by world boxes.

use boxwood::nalgebra::{Isometry3, Vector3};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::{Pose, Vector};
pub use parry3d::partitioning::BvhWorkspace;
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{Ray, RayCast, ShapeCastOptions, cast_shapes, distance, intersection_test};
use parry3d::shape::{Ball, Compound, Shape, SharedShape, SupportMap};

use super::super::crowd::Body;
use super::super::people::{PARTS, leaves, parts};
use super::solids::cuboid;

/// The parts of a person: boxes, or trees.
pub fn bodies(body: Body) -> Vec<SharedShape> {
    let solid = |(index, (_, half)): (usize, (_, Vector3<f32>))| {
        if body == Body::Box {
            return SharedShape::new(cuboid(half));
        }
        let leaf =
            |(pose, half): (Isometry3<f32>, _)| (pose.into(), SharedShape::new(cuboid(half)));
        SharedShape::new(Compound::new(leaves(half, index as u64).into_iter().map(leaf).collect()))
    };
    parts().into_iter().enumerate().map(solid).collect()
}

/// Pairs of parts of a person, the lower index first.
pub type Pairs = Vec<[usize; 2]>;

#[derive(Clone, Copy)]
pub struct Person<'a> {
    pub poses: &'a [Pose],
    pub bodies: &'a [SharedShape],
}

/// All people of a crowd.
pub fn everyone<'a>(poses: &'a [Pose], bodies: &'a [SharedShape]) -> Vec<Person<'a>> {
    poses.chunks_exact(PARTS).map(|poses| Person { poses, bodies }).collect()
}

impl Person<'_> {
    pub fn bounds(&self) -> [Aabb; PARTS] {
        std::array::from_fn(|part| self.bodies[part].compute_aabb(&self.poses[part]))
    }

    pub fn touch(&self, [a, b]: [usize; 2]) -> bool {
        let (p, q) = (&self.bodies[a], &self.bodies[b]);
        let answer = intersection_test(&self.poses[a], &**p, &self.poses[b], &**q);
        answer.expect("supported").intersecting
    }

    /// Touching pairs of parts.
    pub fn pairs<'s>(
        &'s self,
        bounds: &'s [Aabb],
        asked: &'s Pairs,
    ) -> impl Iterator<Item = [usize; 2]> + 's {
        let near = |&&[a, b]: &&[usize; 2]| bounds[a].intersects(&bounds[b]);
        asked.iter().filter(near).copied().filter(|&pair| self.touch(pair))
    }

    /// Distance of the closest two parts.
    pub fn clearance(&self, asked: &Pairs, ranked: &mut Vec<(f32, [usize; 2])>) -> f32 {
        let bounds = self.bounds();
        let gap = |[a, b]: [usize; 2]| {
            let [a, b] = [&bounds[a], &bounds[b]];
            (a.mins - b.maxs).max(b.mins - a.maxs).max(Vector::ZERO).length()
        };
        ranked.clear();
        ranked.extend(asked.iter().map(|&pair| (gap(pair), pair)));
        ranked.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        let mut least = f32::MAX;
        for &(gap, [a, b]) in ranked.iter() {
            if gap > least || least == 0.0 {
                break;
            }
            let (p, q) = (&self.bodies[a], &self.bodies[b]);
            let apart = distance(&self.poses[a], &**p, &self.poses[b], &**q);
            least = least.min(apart.expect("supported").distance);
        }
        least
    }

    /// Number of touching pairs, found with a tree over the world boxes.
    pub fn pairs_by_tree(&self, left_out: &[bool], workspace: &mut BvhWorkspace) -> usize {
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &self.bounds());
        let mut count = 0;
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            let [a, b] = [a.min(b) as usize, a.max(b) as usize];
            count += usize::from(!left_out[a * PARTS + b] && self.touch([a, b]));
        });
        count
    }
}

/// Splits the pairs of parts into those that touch in more than `most` people, and the others.
pub fn divided(people: &[Person], most: usize) -> (Pairs, Pairs) {
    let often = |pair: &[usize; 2]| people.iter().filter(|p| p.touch(*pair)).count() > most;
    let all = (0..PARTS).flat_map(|a| (a + 1..PARTS).map(move |b| [a, b]));
    all.partition(often)
}

/// Height of the corner of a box that is deepest in a half-space: half-spaces have no AABB.
pub fn lowest(up: Vector, mins: Vector, maxs: Vector) -> f32 {
    let end = |up: f32, min: f32, max: f32| up * if up > 0.0 { min } else { max };
    end(up.x, mins.x, maxs.x) + end(up.y, mins.y, maxs.y) + end(up.z, mins.z, maxs.z)
}

/// All people in the peer, and the world boxes of their parts.
pub struct LinearScan<'a> {
    pub people: Vec<Person<'a>>,
    pub bounds: Vec<[Aabb; PARTS]>,
}

impl<'a> LinearScan<'a> {
    pub fn new(people: Vec<Person<'a>>) -> Self {
        LinearScan { bounds: people.iter().map(Person::bounds).collect(), people }
    }

    /// Parts of a person that pass the test, among those whose world boxes pass theirs.
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

    /// The parts that contain a point.
    pub fn at(&self, person: usize, point: Vector) -> impl Iterator<Item = usize> {
        self.met(
            person,
            move |near| near.contains_local_point(point),
            move |pose, part| part.contains_point(pose, point),
        )
    }

    /// Parts that overlap a ball.
    pub fn by(&self, person: usize, middle: Vector, ball: Ball) -> impl Iterator<Item = usize> {
        let at = Pose::from_translation(middle);
        let around = ball.aabb(&at);
        let touches = move |pose: &Pose, part: &SharedShape| {
            intersection_test(pose, &**part, &at, &ball).is_ok_and(|answer| answer.intersecting)
        };
        self.met(person, move |near| near.intersects(&around), touches)
    }

    /// The parts that overlap a query shape.
    pub fn within<'s>(
        &'s self,
        person: usize,
        (at, region): (&'s Pose, &'s dyn Shape),
    ) -> impl Iterator<Item = usize> + 's {
        let around = region.compute_aabb(at);
        let touches = move |pose: &Pose, part: &SharedShape| {
            intersection_test(pose, &**part, at, region).is_ok_and(|answer| answer.intersecting)
        };
        self.met(person, move |near| near.intersects(&around), touches)
    }

    /// Parts, boxes, that extend below a height along `up`.
    pub fn below(&self, person: usize, up: Vector, offset: f32) -> impl Iterator<Item = usize> {
        let holds = move |pose: &Pose, part: &SharedShape| {
            let solid = part.as_cuboid().expect("a box");
            solid.support_point_toward(pose, -up).dot(up) <= offset
        };
        self.met(person, move |near| lowest(up, near.mins, near.maxs) <= offset, holds)
    }

    /// Time of impact of a ray at a person.
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

    /// Time of impact of a ball that moves along a ray by the ray's length, with a person.
    pub fn first_met(&self, person: usize, ray: &Ray, ball: Ball) -> Option<f32> {
        let (Person { poses, bodies }, mut first) = (self.people[person], 1.0);
        let (at, mut hit) = (Pose::from_translation(ray.origin), None);
        for part in 0..PARTS {
            let near = self.bounds[person][part].loosened(ball.radius);
            if near.cast_local_ray(ray, first, true).is_none() {
                continue;
            }
            let options = ShapeCastOptions::with_max_time_of_impact(first);
            let (pose, body) = (&poses[part], &*bodies[part]);
            let met = cast_shapes(&at, ray.dir, &ball, pose, Vector::ZERO, body, options);
            if let Some(met) = met.expect("supported") {
                (first, hit) = (met.time_of_impact, Some(met.time_of_impact));
            }
        }
        hit
    }

    /// The parts that a ray hits.
    pub fn hit(&self, person: usize, ray: &Ray) -> impl Iterator<Item = usize> {
        self.met(
            person,
            |near| near.cast_local_ray(ray, f32::MAX, true).is_some(),
            |pose, part| part.cast_ray(pose, ray, f32::MAX, true).is_some(),
        )
    }

    /// Builds a tree over each person's parts.
    pub fn trees(&self) -> Vec<Bvh> {
        let tree = |of: &[Aabb; PARTS]| Bvh::from_leaves(BvhBuildStrategy::Binned, of);
        self.bounds.iter().map(tree).collect()
    }

    /// Builds a tree over all parts of all people.
    pub fn tree(&self) -> Bvh {
        let leaves: Vec<Aabb> = self.bounds.iter().flatten().copied().collect();
        Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves)
    }

    /// Number of parts that contain a point, by the person's tree.
    pub fn at_by_tree(&self, tree: &Bvh, person: usize, at: Vector) -> usize {
        let Person { poses, bodies } = self.people[person];
        let holds = |&part: &u32| bodies[part as usize].contains_point(&poses[part as usize], at);
        tree.intersect_aabb(&Aabb::new(at, at)).filter(holds).count()
    }

    /// Number of touching pairs of parts of one person and any other, by a tree over all parts.
    pub fn against_everyone(&self, tree: &Bvh, person: usize) -> usize {
        let Person { poses, bodies } = self.people[person];
        let of = |part: usize| {
            let touches = |&leaf: &u32| {
                let (other, theirs) = (leaf as usize / PARTS, leaf as usize % PARTS);
                let at = &self.people[other].poses[theirs];
                other != person
                    && intersection_test(&poses[part], &*bodies[part], at, &*bodies[theirs])
                        .is_ok_and(|answer| answer.intersecting)
            };
            tree.intersect_aabb(&self.bounds[person][part]).filter(touches).count()
        };
        (0..PARTS).map(of).sum()
    }
}
