//! The level, the walkers, and how they walk.

use std::f32::consts::TAU;
use std::sync::Arc;

use boxwood::brush::{BodyId, WalkScratch, Walker, WalkerState};
use boxwood::load::Level;
use boxwood::nalgebra::Vector3;
use boxwood::{
    Buffers, Build, CharacterKey, ClosestParts, CollisionGroups, Error, Hits, Model, RayCast,
    RayHits, Scene, Spawn, UprightCylinder,
};
use shared::random::Random;

pub const CROWD: usize = 500;
/// Groups of parts: those of walkers, those of the level.
pub const BODY: u64 = 1;
pub const WORLD: u64 = 2;
/// Height of a walker's centre above the floor [m].
pub const HALF: f32 = 0.9;

/// Somebody in the level: a character of the scene, and a cylinder that walks.
pub struct Person {
    pub key: CharacterKey,
    pub at: WalkerState<f32>,
    turn: f32,
}

impl Person {
    pub fn turn(&self) -> f32 {
        self.turn
    }

    pub fn ahead(&self) -> Vector3<f32> {
        Vector3::new(self.turn.sin(), 0.0, self.turn.cos())
    }
}

/// Walks everybody: the cylinder, the memory of its casts, and random turns.
pub struct Walk {
    walker: Walker<f32>,
    scratch: WalkScratch,
    random: Random,
}

impl Walk {
    /// Walks a length ahead, and turns where less than half of it is free.
    pub fn step(&mut self, level: &Level, person: &mut Person, length: f32) -> Result<(), Error> {
        let before = person.at.position();
        let way = person.ahead() * length - Vector3::y() * 0.1; // with the fall of a frame
        self.walker.walk(&level.world, &mut person.at, way, &mut self.scratch)?;
        if (person.at.position() - before).norm() < 0.5 * length {
            person.turn = self.random.between(0.0, TAU.into()) as f32;
        }
        Ok(())
    }
}

/// The scene, everybody, and the memory of the queries.
pub struct Game {
    pub scene: Scene,
    pub walk: Walk,
    pub crowd: Vec<Person>,
    pub buffers: Buffers,
    pub hits: Hits,
    pub rays: Vec<RayCast>,
    pub ray_hits: RayHits,
    pub closest: ClosestParts,
}

impl Game {
    /// Inserts the level and everybody, scattered from the starts of the level.
    pub fn new(level: &Level, model: &Arc<Model>) -> Result<Self, Error> {
        let (mut scene, mut crowd) = (Scene::new(), Vec::new());
        let group = |memberships| CollisionGroups { memberships, ..CollisionGroups::ALL };
        // A character at rest, inserted first: it is placed once.
        let world = level.world.model(BodyId::STATIC, &Build::level())?;
        let world = scene.insert(&world, Spawn::default().at_rest(true))?;
        scene.set_all_groups(world, group(WORLD))?;
        let walker = Walker::new(UprightCylinder::new(0.4, HALF)?).step(0.45);
        let mut walk = Walk { walker, scratch: WalkScratch::new(), random: Random(7) };
        let feet: Vec<_> = level.spawns().filter_map(|start| start.feet).collect();
        for index in 0..CROWD {
            let feet =
                feet.get(index % feet.len().max(1)).ok_or(Error::Empty { field: "starts" })?;
            let at = walk.walker.stand_at_feet(&level.world, feet.cast(), &mut walk.scratch)?;
            let turn = walk.random.between(0.0, TAU.into()) as f32;
            let key = scene.insert(model, Spawn::default().order(1 + index as u64))?;
            scene.set_all_groups(key, group(BODY))?;
            let mut person = Person { key, at, turn };
            for _ in 0..60 + 2 * index {
                walk.step(level, &mut person, 0.08)?;
            }
            crowd.push(person);
        }
        let (buffers, hits, ray_hits) = (Buffers::new(), Hits::new(), RayHits::new());
        let (rays, closest) = (Vec::new(), ClosestParts::new());
        Ok(Game { scene, walk, crowd, buffers, hits, rays, ray_hits, closest })
    }
}
