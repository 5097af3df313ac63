//! A Panda beside its table: checks if any two of its links are within a centimetre, or any link
//! within three of the world; and the same check without margins.
//!
//! Data: the robot's own meshes and SRDF, from the folder that `BOXWOOD_DATA` names; a table with a
//! shelf and a crate, and a post, as a part each or all in one. A new random configuration each
//! time, posed outside the clock. The robot is also tested against itself alone, exactly, by its
//! meshes and by the cylinders and balls of its other file.

use std::path::Path;

use boxwood::load::{Loader, Robot};
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{
    Accuracy, Buffers, Build, CharacterKey, CollisionGroups, Geometry, Model, Obb, PairQuery, Pose,
    QueryScratch, Scene, SelfQueryScratch, Spawn,
};
use criterion::Criterion;

use super::people::{BODY, WORLD};
use crate::support::measure::{Way, bench_group, clock, way};
use crate::support::random::Random;
use crate::support::robots::{data, next_poses};

/// Configurations of a round.
const ROUND: usize = 500;

/// Centres and half extents [m], z up; the robot is at the origin.
const BLOCKS: [([f32; 3], [f32; 3]); 5] = [
    ([0.65, 0.0, -0.05], [0.4, 0.6, 0.05]),
    ([0.6, 0.45, 0.25], [0.15, 0.02, 0.25]),
    ([0.6, 0.45, 0.5], [0.15, 0.2, 0.01]),
    ([-0.5, -0.4, 0.6], [0.05, 0.05, 0.6]),
    ([0.45, -0.35, 0.1], [0.08, 0.08, 0.1]),
];

struct Cell {
    robot: Robot<f32>,
    scene: Scene,
    key: CharacterKey,
    buffers: Buffers,
    scratch: QueryScratch,
    random: Random,
}

fn robot(data: &Path, file: &str) -> Robot<f32> {
    let panda = data.join("robots/panda");
    let loader = Loader::new().srdf(panda.join("srdf/panda.srdf"));
    loader.urdf(panda.join("urdf").join(file)).expect("a robot")
}

impl Cell {
    /// Creates the cell; each part of the world has `blocks_a_part` blocks.
    fn new(data: &Path, blocks_a_part: usize) -> Self {
        let robot = robot(data, "panda.urdf");
        let (mut scene, build) = (Scene::new(), Build::default());
        let world = CollisionGroups { memberships: WORLD, ..CollisionGroups::ALL };
        let block = |&(at, half): &([f32; 3], [f32; 3])| {
            let pose = Isometry3::from(Vector3::from(at));
            Obb::from_pose(&pose, Vector3::from(half)).expect("a box")
        };
        let parts = BLOCKS.chunks(blocks_a_part).zip(0..);
        let blocks = parts.fold(Model::builder(), |all, (of_part, number)| {
            let boxes = Geometry::Boxes(of_part.iter().map(block).collect());
            all.part(format!("blocks {number}"), None, boxes).groups(world)
        });
        let blocks = blocks.build(&build).expect("a model");
        scene.insert(&blocks, Spawn::default().at_rest(true)).expect("room");
        let key = scene.insert(&robot.model, Spawn::default()).expect("room");
        let body = CollisionGroups { memberships: BODY, ..CollisionGroups::ALL };
        scene.set_all_groups(key, body).expect("a key");
        let (buffers, scratch) = (Buffers::new(), QueryScratch::new());
        Cell { robot, scene, key, buffers, scratch, random: Random(71) }
    }

    fn is_near(&mut self, poses: &[Pose], [own, world]: [f64; 2]) -> bool {
        self.scene.set_parts(self.key, poses).expect("poses");
        let now = self.scene.snapshot(&mut self.buffers);
        let exactly = |query: PairQuery<'static>| query.accuracy(Accuracy::Exact);
        let own = exactly(PairQuery::within(self.key)).margin(own);
        let world = exactly(PairQuery::all()).memberships(BODY, WORLD).margin(world);
        let mut ask = |query| now.intersects(&query, &mut self.scratch).expect("a question");
        ask(own) || ask(world)
    }
}

/// Times checks; counts those with parts closer than a margin.
pub fn margins(criterion: &mut Criterion) {
    let Some(data) = data("the robot and its margins") else { return };
    let near = [0.01, 0.03];
    let ways: Vec<Way<'_>> = [
        ("1 cm from itself, 3 cm from the world", near, 1),
        ("the same, all blocks in one part", near, BLOCKS.len()),
        ("touching", [0.0; 2], 1),
    ]
    .into_iter()
    .map(|(name, margins, blocks_a_part)| {
        let mut cell = Cell::new(&data, blocks_a_part);
        way(name, move || {
            let poses = next_poses(&cell.robot, &mut cell.random, ROUND);
            clock(|| poses.iter().filter(|poses| cell.is_near(poses, margins)).count())
        })
    })
    .collect();
    bench_group(criterion, "a robot in its cell: is anything too near", ROUND, ways);
}

/// Times configurations of the robot alone; counts those that touch themselves.
pub fn alone(criterion: &mut Criterion) {
    let Some(data) = data("the robot against itself") else { return };
    let files = [("meshes", "panda.urdf"), ("primitives", "panda_collision.urdf")];
    let ways: Vec<Way<'_>> = files
        .into_iter()
        .map(|(name, file)| {
            let (robot, mut random) = (robot(&data, file), Random(72));
            let mut scratch = SelfQueryScratch::default();
            way(name, move || {
                let poses = next_poses(&robot, &mut random, ROUND);
                let mut touches = |poses: &&Vec<Pose>| {
                    let model = &robot.model;
                    model.self_intersects(poses, Accuracy::Exact, &mut scratch).expect("poses")
                };
                clock(|| poses.iter().filter(&mut touches).count())
            })
        })
        .collect();
    bench_group(criterion, "a robot against itself", ROUND, ways);
}
