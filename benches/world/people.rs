//! 100 people who move in a static world, beside parry3d in f32.
//!
//! Data: a ground of 200,000 triangles and 1,000 bodies at rest on it, boxes and balls in turn; no
//! frame of the people repeats. Poses are made outside the clock. The peer queries a tree over the
//! bodies, built once, with the world box of every part of the people; it tests shapes in pairs,
//! and meshes by trees of its own. Both count pairs of a part of a person and a body of the world.

#[path = "peer.rs"]
mod peer;

use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{
    Accuracy, Buffers, Build, CharacterKey, CollisionGroups, Geometry, HeightField, Hits, Mesh,
    Model, Obb, PairQuery, QueryFilter, Ray, RayCast, RayHits, Scene, Spawn, Sphere, UpAxis,
};

use crate::support::crowd::{Body, Frames, model, place};
use crate::support::measure::{BenchGroups, Way, bench_group, clock, trying, way};
use crate::support::random::Random;

const PEOPLE: usize = 100;
/// Spacing of people [m]; the world is ten times as wide.
const SPACING: f64 = 6.0;
const WIDE: f64 = 66.0;
/// Heights along a side of the ground.
const SIDE: usize = 317;
pub const WORLD: u64 = 1;
pub const BODY: u64 = 2;

/// A body of the world.
pub enum Thing {
    Box(Obb),
    Ball(Sphere),
}

/// The ground and bodies that both libraries build their world from.
pub struct Things {
    pub ground: Mesh,
    pub bodies: Vec<Thing>,
}

fn things() -> Things {
    let (mut random, side) = (Random(61), if trying() { 33 } else { SIDE });
    let heights = (0..side * side).map(|_| random.between(-0.1, 0.0) as f32).collect();
    let step = (WIDE / (side - 1) as f64) as f32;
    let field = HeightField::new(side, heights).expect("heights").spacing(step, step);
    let ground = field.expect("sizes").up(UpAxis::Y).surface().expect("in range");
    let one = |index: usize| {
        let at = [random.between(0.0, WIDE), random.between(0.0, 1.8), random.between(0.0, WIDE)];
        let at = Point3::from(at.map(|x| x as f32));
        if index % 2 == 1 {
            let radius = random.between(0.2, 0.6) as f32;
            return Thing::Ball(Sphere::new(at, radius).expect("a ball"));
        }
        let turn = Vector3::from(random.direction().map(|x| x as f32));
        let half = Vector3::from_fn(|_, _| random.between(0.2, 0.8) as f32);
        let pose = Isometry3::new(at.coords, turn);
        Thing::Box(Obb::from_pose(&pose, half).expect("a box"))
    };
    Things { ground, bodies: (0..1000).map(one).collect() }
}

/// The world in a scene, and the people.
struct Ours {
    scene: Scene,
    people: Vec<CharacterKey>,
    buffers: Buffers,
    hits: Hits,
    rays: RayHits,
}

impl Ours {
    fn new(things: &Things) -> Self {
        let (mut scene, build) = (Scene::new(), Build::default());
        let world = CollisionGroups { memberships: WORLD, ..CollisionGroups::ALL };
        let mut add = |geometry: Geometry| {
            let model = Model::builder().part("part", None, geometry).groups(world);
            let model = model.build(&build).expect("a model");
            scene.insert(&model, Spawn::default().at_rest(true)).expect("room");
        };
        add(Geometry::Surface(things.ground.clone()));
        for thing in &things.bodies {
            add(match thing {
                Thing::Box(block) => Geometry::Boxes(vec![*block]),
                Thing::Ball(ball) => Geometry::Convex(vec![(*ball).into()]),
            });
        }
        let person = model(Body::Box, &[]);
        let body = CollisionGroups { memberships: BODY, ..CollisionGroups::ALL };
        let insert = |_| {
            let key = scene.insert(&person, Spawn::default()).expect("room");
            scene.set_all_groups(key, body).expect("a key");
            key
        };
        let people = (0..PEOPLE).map(insert).collect();
        let (buffers, hits, rays) = (Buffers::new(), Hits::new(), RayHits::new());
        Ours { scene, people, buffers, hits, rays }
    }

    fn placed(&mut self, poses: &[Isometry3<f32>]) -> usize {
        place(&mut self.scene, &self.people, poses);
        self.scene.snapshot(&mut self.buffers).characters().count() - self.people.len()
    }

    fn pairs(&mut self, poses: &[Isometry3<f32>]) -> usize {
        place(&mut self.scene, &self.people, poses);
        let now = self.scene.snapshot(&mut self.buffers);
        let query = PairQuery::all().memberships(BODY, WORLD).accuracy(Accuracy::Exact);
        now.pairs(&query, &mut self.hits).expect("a sound question");
        self.hits.pairs().len()
    }

    /// Number of rays, down from the first part of each person, that hit the world.
    fn rays(&mut self, poses: &[Isometry3<f32>], rays: &[RayCast]) -> usize {
        place(&mut self.scene, &self.people, poses);
        let now = self.scene.snapshot(&mut self.buffers);
        let groups = CollisionGroups { memberships: BODY, filter: WORLD };
        let filter = QueryFilter::all().groups(groups).accuracy(Accuracy::Exact);
        let mode = boxwood::HitMode::Closest;
        now.ray_cast_batch(rays, mode, &filter, &mut self.rays).expect("sound rays");
        self.rays.len()
    }
}

fn ours<'a>(things: &Things, ask: impl Fn(&mut Ours, &[Isometry3<f32>]) -> usize + 'a) -> Way<'a> {
    let (mut frames, mut ours) = (Frames::new(PEOPLE, SPACING), Ours::new(things));
    way("boxwood", move || {
        let poses = frames.next();
        clock(|| ask(&mut ours, &poses))
    })
}

fn theirs<'a>(
    things: &Things,
    ask: impl Fn(&mut peer::Peer, &[parry3d::math::Pose]) -> usize + 'a,
) -> Way<'a> {
    let (mut frames, mut peer) = (Frames::new(PEOPLE, SPACING), peer::Peer::new(things));
    way("parry3d", move || {
        let poses = crate::support::peer::frames::poses(&frames.next());
        clock(|| ask(&mut peer, &poses))
    })
}

/// Rays from the first part of each person straight down.
fn down(poses: &[Isometry3<f32>]) -> Vec<RayCast> {
    let first = poses.chunks_exact(crate::support::people::PARTS).map(|person| person[0]);
    let ray = |pose: Isometry3<f32>| Ray::new(pose.translation.vector.into(), -Vector3::y_axis());
    first.map(|pose| ray(pose).expect("a ray").into()).collect()
}

pub fn world(groups: &mut dyn BenchGroups) {
    let things = things();
    let mut row = |what: &str, ways: Vec<Way<'_>>| {
        bench_group(groups, &format!("a world, 100 people: {what}"), PEOPLE, ways)
    };
    row(
        "placed, and nothing asked",
        vec![
            ours(&things, |ours, poses| ours.placed(poses)),
            theirs(&things, |peer, poses| peer.placed(poses)),
        ],
    );
    row(
        "pairs of parts with the world, exactly",
        vec![
            ours(&things, |ours, poses| ours.pairs(poses)),
            theirs(&things, |peer, poses| peer.pairs(poses)),
        ],
    );
    row(
        "a ray down from each",
        vec![
            ours(&things, |ours, poses| ours.rays(poses, &down(poses))),
            theirs(&things, |peer, poses| peer.rays(poses)),
        ],
    );
}
