//! The level, the walkers, and how they walk.

use std::f32::consts::TAU;
use std::sync::Arc;

use boxwood::brush::{BodyId, WalkScratch, Walker, WalkerCrowd};
use boxwood::load::Level;
use boxwood::nalgebra::{Point3, Vector3};
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
/// Radius of a walker [m].
const RADIUS: f32 = 0.25;
/// Largest number of frames for which a walker waits for a free start.
const PATIENCE: usize = 60;
/// Number of frames from the last start to the first that is measured.
const SCATTERING: usize = 60;

/// Somebody in the level: a character of the scene, and the direction in which it walks. Its cylinder
/// is the walker of its index.
pub struct Person {
    pub key: CharacterKey,
    pub turn: f32,
}

impl Person {
    pub fn ahead(&self) -> Vector3<f32> {
        Vector3::new(self.turn.sin(), 0.0, self.turn.cos())
    }

    /// Returns the displacement of a frame, with its fall.
    fn way(&self, length: f32) -> Vector3<f32> {
        self.ahead() * length - Vector3::y() * 0.1
    }

    /// Turns at random after a frame in which less than half of the way was free.
    fn turn_if_blocked(&mut self, moved: Vector3<f32>, length: f32, random: &mut Random) {
        if moved.norm() < 0.5 * length {
            self.turn = random.between(0.0, TAU.into()) as f32;
        }
    }
}

/// The scene, everybody, and the memory of the queries.
pub struct Game {
    pub scene: Scene,
    pub people: Vec<Person>,
    /// The cylinders of the people, which block each other.
    pub walkers: WalkerCrowd<f32>,
    random: Random,
    pub buffers: Buffers,
    pub hits: Hits,
    pub rays: Vec<RayCast>,
    pub ray_hits: RayHits,
    pub closest: ClosestParts,
}

impl Game {
    /// Inserts the level and everybody: each at a start of the level, as soon as those before have
    /// left it.
    pub fn new(level: &Level, model: &Arc<Model>) -> Result<Self, Error> {
        let mut scene = Scene::new();
        let group = |memberships| CollisionGroups { memberships, ..CollisionGroups::ALL };
        // A character at rest, inserted first: it is placed once.
        let world = level.world.model(BodyId::STATIC, &Build::level())?;
        let world = scene.insert(&world, Spawn::default().at_rest(true))?;
        scene.set_all_groups(world, group(WORLD))?;
        let (buffers, hits, ray_hits) = (Buffers::new(), Hits::new(), RayHits::new());
        let (rays, closest) = (Vec::new(), ClosestParts::new());
        let (people, walkers, random) = (Vec::new(), WalkerCrowd::new(), Random(7));
        let mut game =
            Game { scene, people, walkers, random, buffers, hits, rays, ray_hits, closest };
        let walker = Walker::new(UprightCylinder::new(RADIUS, HALF)?).step(0.45);
        let mut scratch = WalkScratch::new();
        let feet: Vec<_> = level.spawns().filter_map(|start| start.feet).collect();
        for index in 0..CROWD {
            let feet =
                feet.get(index % feet.len().max(1)).ok_or(Error::Empty { field: "starts" })?;
            let at = walker.stand_at_feet(&level.world, feet.cast(), &mut scratch)?;
            let mut waited = 0;
            while waited < PATIENCE && game.is_taken(at.position()) {
                game.walk(level, 0.2)?;
                waited += 1;
            }
            let key = game.scene.insert(model, Spawn::default().order(1 + index as u64))?;
            game.scene.set_all_groups(key, group(BODY))?;
            game.walkers.insert(index as u64, walker, at)?;
            let turn = game.random.between(0.0, TAU.into()) as f32;
            game.people.push(Person { key, turn });
        }
        for _ in 0..SCATTERING {
            game.walk(level, 0.2)?;
        }
        Ok(game)
    }

    /// Walks everybody a length ahead, each blocked by the level and by all others.
    pub fn walk(&mut self, level: &Level, length: f32) -> Result<(), Error> {
        let people = &self.people;
        self.walkers.walk(&level.world, |one| people[one.order as usize].way(length))?;
        for (person, walker) in self.people.iter_mut().zip(self.walkers.walkers()) {
            person.turn_if_blocked(walker.report.moved, length, &mut self.random);
        }
        Ok(())
    }

    /// Returns `true` if a walker at a place would be inside another.
    fn is_taken(&self, at: Point3<f32>) -> bool {
        self.walkers.walkers().iter().any(|one| are_inside(one.state.position(), at))
    }

    /// Returns the number of pairs of walkers that are inside each other.
    pub fn overlaps(&self) -> usize {
        let places: Vec<_> = (0..CROWD).map(|index| centre(&self.walkers, index)).collect();
        let pairs = places
            .iter()
            .enumerate()
            .map(|(index, &a)| places[index + 1..].iter().filter(|&&b| are_inside(a, b)).count());
        pairs.sum()
    }
}

/// Returns `true` if two cylinders with these centres overlap.
fn are_inside(a: Point3<f32>, b: Point3<f32>) -> bool {
    let between = b - a;
    between.xz().norm() < 2.0 * RADIUS && between.y.abs() < 2.0 * HALF
}

/// Returns the centre of the cylinder of a person.
pub fn centre(walkers: &WalkerCrowd<f32>, person: usize) -> Point3<f32> {
    walkers.walkers()[person].state.position()
}
