//! What a character is asked on its own, and half-spaces at a crowd, beside parry3d in f32 on the same data: people of 20 boxes, and for
//! the parts of one person also of 20 trees of 64 boxes.
//!
//! Self-collision leaves out the pairs of parts that touch in more than half of all people, as is done for robots: joints. Here it starts
//! from poses alone, and theirs tests the world boxes of all other pairs first, or walks a tree over them built for the question; in a
//! scene, both have the world boxes already. A half-space has no box: theirs goes down its tree by the corner of
//! each node that lies deepest, and asks for the deepest point of a part.
//!
//! Counts of both are printed before the times; all are told for all people at once.

use boxwood::model::Scratch;
use boxwood::nalgebra::{Point3, Unit, Vector3};
use boxwood::scene::Answers;
use boxwood::{Accuracy, Buffers, Hits, Inside, Plane, Query, Region, Targets, Wanted};
use criterion::{Criterion, criterion_group, criterion_main};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::math::{Pose, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhNode, BvhWorkspace};
use parry3d::query::{distance, intersection_test};
use parry3d::shape::{Cuboid, SupportMap};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "support/characters.rs"]
mod characters;
#[path = "support/counted.rs"]
mod counted;
#[path = "support/half_space.rs"]
mod half_space;
#[allow(dead_code)]
#[path = "../tests/support/people.rs"]
mod people;
#[path = "support/persons.rs"]
mod persons;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use characters::{model, scene};
use counted::beside;
use half_space::lowest;
use people::{PARTS, crowd, parts, seed};
use persons::{Person, bodies, cuboid, everyone};
use random::Random;

const PEOPLE: usize = 1_000;
/// Metres between people.
const SPACING: f64 = 1.0;
/// Questions asked together.
const QUESTIONS: usize = 256;
/// Metres.
const CLOSE: f32 = 0.01;

/// Pairs of parts of a person, the lesser first.
type Pairs = Vec<[usize; 2]>;

fn all_pairs() -> Pairs {
    (0..PARTS).flat_map(|a| (a + 1..PARTS).map(move |b| [a, b])).collect()
}

impl Person<'_> {
    fn touch(&self, [a, b]: [usize; 2]) -> bool {
        let (p, q) = (&self.bodies[a], &self.bodies[b]);
        let answer = intersection_test(&self.poses[a], &**p, &self.poses[b], &**q);
        answer.expect("supported").intersecting
    }

    fn pairs<'s>(
        &'s self,
        bounds: &'s [Aabb],
        asked: &'s Pairs,
    ) -> impl Iterator<Item = [usize; 2]> + 's {
        let near = |&&[a, b]: &&[usize; 2]| bounds[a].intersects(&bounds[b]);
        asked.iter().filter(near).copied().filter(|&pair| self.touch(pair))
    }

    /// How far apart the closest two parts are.
    fn clearance(&self, asked: &Pairs, ranked: &mut Vec<(f32, [usize; 2])>) -> f32 {
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

    /// How many pairs touch, found by a tree over the world boxes.
    fn pairs_by_tree(&self, left_out: &[bool], workspace: &mut BvhWorkspace) -> usize {
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &self.bounds());
        let mut count = 0;
        tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
            let [a, b] = [a.min(b) as usize, a.max(b) as usize];
            count += usize::from(!left_out[a * PARTS + b] && self.touch([a, b]));
        });
        count
    }
}

/// The pairs of parts that touch in more than so many people, and the others.
fn divided(people: &[Person], most: usize) -> (Pairs, Pairs) {
    let often = |pair: &[usize; 2]| people.iter().filter(|p| p.touch(*pair)).count() > most;
    all_pairs().into_iter().partition(often)
}

/// How near a person comes to itself, from poses: parts that touch in more than a tenth of all people are left out. Theirs puts the pairs of world
/// boxes in order first, too. What is counted are people whose parts are closer than a centimetre.
fn clearances(criterion: &mut Criterion) {
    let poses = crowd(PEOPLE, SPACING, seed(PEOPLE));
    let theirs: Vec<Pose> = poses.iter().map(|&pose| pose.into()).collect();
    for (name, trees) in [("boxes", false), ("trees of 64", true)] {
        let bodies = bodies(trees);
        let people = everyone(&theirs, &bodies);
        let (left_out, asked) = divided(&people, PEOPLE / 10);
        let (model, mut scratch) = (model(trees, &left_out), Scratch::default());
        let mut mine = || {
            let mut clearance = |poses: &[_]| {
                let found =
                    model.self_distance(poses, Accuracy::Exact, f64::INFINITY, &mut scratch);
                found.expect("sound poses").expect("two parts").apart.distance
            };
            poses.chunks_exact(PARTS).filter(|poses| clearance(poses) < CLOSE).count()
        };
        let mut ranked = Vec::new();
        let mut other =
            || people.iter().filter(|p| p.clearance(&asked, &mut ranked) < CLOSE).count();
        beside(
            criterion,
            &format!("{name}: self_distance"),
            PEOPLE,
            [("boxwood", &mut mine), ("parry3d", &mut other)],
        );
    }
}

/// A person against itself, from poses; and in a scene.
fn selves(criterion: &mut Criterion) {
    let poses = crowd(PEOPLE, SPACING, seed(PEOPLE));
    let theirs: Vec<Pose> = poses.iter().map(|&pose| pose.into()).collect();
    for (name, trees) in [("boxes", false), ("trees of 64", true)] {
        let bodies = bodies(trees);
        let people = everyone(&theirs, &bodies);
        let (left_out, asked) = divided(&people, PEOPLE / 2);
        let mut spared = vec![false; PARTS * PARTS];
        left_out.iter().for_each(|&[a, b]| spared[a * PARTS + b] = true);
        let (model, mut scratch) = (model(trees, &left_out), Scratch::default());
        let each = || poses.chunks_exact(PARTS);
        let exact = Accuracy::Exact;

        let mut any = || {
            let mut touches = |poses: &&[_]| model.self_intersects(poses, exact, &mut scratch);
            each().filter(|poses| touches(poses).expect("sound poses")).count()
        };
        let mut other = || {
            let touches = |p: &&Person| p.pairs(&p.bounds(), &asked).next().is_some();
            people.iter().filter(touches).count()
        };
        println!("{name}: {} pairs are left out", left_out.len());
        beside(
            criterion,
            &format!("{name}: self_intersects"),
            PEOPLE,
            [("boxwood", &mut any), ("parry3d", &mut other)],
        );

        let mut pairs = || {
            let of = |poses| model.self_pairs(poses, exact, &mut scratch).expect("sound").len();
            each().map(of).sum::<usize>()
        };
        let mut other =
            || people.iter().map(|p| p.pairs(&p.bounds(), &asked).count()).sum::<usize>();
        let mut space = BvhWorkspace::default();
        let mut by_tree =
            || people.iter().map(|p| p.pairs_by_tree(&spared, &mut space)).sum::<usize>();
        beside(
            criterion,
            &format!("{name}: self_pairs"),
            PEOPLE,
            [("boxwood", &mut pairs), ("parry3d", &mut other), ("parry3d, a tree", &mut by_tree)],
        );

        let (scene, mut buffers, mut hits) = (scene(&model, &poses), Buffers::new(), Hits::new());
        let now = scene.snapshot(&mut buffers);
        let queries: Vec<Query> =
            now.characters().map(|key| Query::within(key).accuracy(exact)).collect();
        let mut pairs = || {
            let of = |query| {
                now.pairs(query, &mut hits).expect("sound keys");
                hits.pairs().len()
            };
            queries.iter().map(of).sum::<usize>()
        };
        let bounds: Vec<_> = people.iter().map(Person::bounds).collect();
        let mut other = || {
            let placed = people.iter().zip(&bounds);
            placed.map(|(p, bounds)| p.pairs(bounds, &asked).count()).sum::<usize>()
        };
        beside(
            criterion,
            &format!("{name}: self pairs in a scene"),
            PEOPLE,
            [("boxwood", &mut pairs), ("parry3d", &mut other)],
        );
    }
}

/// Half-spaces that hold a few people, or about half of them.
fn half_spaces(criterion: &mut Criterion) {
    let poses = crowd(PEOPLE, SPACING, seed(PEOPLE));
    let scene = scene(&model(false, &[]), &poses);
    let (mut buffers, all) = (Buffers::new(), Targets::all());
    let now = scene.snapshot(&mut buffers);
    let cuboids: Vec<Cuboid> = parts().iter().map(|&(_, half)| cuboid(half)).collect();
    let solids: Vec<(Pose, Cuboid)> =
        poses.iter().map(|&pose| pose.into()).zip(cuboids.iter().cycle().copied()).collect();
    let bounds: Vec<Aabb> = solids.iter().map(|(pose, solid)| solid.aabb(pose)).collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &bounds);
    let side = (PEOPLE as f64).sqrt() * SPACING;
    for (name, share) in [("a few", 0.48), ("half", 0.0)] {
        let mut random = Random(7);
        let planes: Vec<Plane> = (0..QUESTIONS)
            .map(|_| {
                let up = Vector3::from(random.direction()).cast::<f32>();
                let middle = Vector3::new(0.5 * side, 0.9, 0.5 * side).cast::<f32>();
                let reach = (up.x.abs() + up.z.abs()) * (share * side) as f32;
                let at = Point3::from(middle - up * (reach + up.y.abs() * share as f32));
                Plane::through(at, Unit::new_normalize(up)).expect("a plane")
            })
            .collect();
        let regions: Vec<Region> = planes.iter().map(|&plane| plane.into()).collect();
        let mut inside: Inside = Answers::default();
        let mut mine = || {
            now.regions(&regions, Wanted::All, &all, &mut inside).expect("sound regions");
            inside.len()
        };
        let mut theirs = || {
            let of = |plane: &Plane| {
                let up = plane.normal();
                let (up, offset) = (Vector::new(up.x, up.y, up.z), plane.offset());
                let below = |node: &BvhNode| lowest(up, node.mins(), node.maxs()) <= offset;
                let holds = |&leaf: &u32| {
                    let (pose, solid) = &solids[leaf as usize];
                    solid.support_point_toward(pose, -up).dot(up) <= offset
                };
                tree.leaves(below).filter(holds).count()
            };
            planes.iter().map(of).sum::<usize>()
        };
        beside(
            criterion,
            &format!("half-spaces with {name}"),
            QUESTIONS,
            [("boxwood", &mut mine), ("parry3d", &mut theirs)],
        );
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = half_spaces, selves, clearances
}
criterion_main!(benches);
