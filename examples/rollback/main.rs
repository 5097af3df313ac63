//! A shooter with rollback: 64 players who run and shoot; every tick is saved, the last eight are
//! restored and played again, and their digests must be equal.
//!
//! [`Game::tick`] plays a tick; [`Saved`] has the game's own values and the poses.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::process::ExitCode;

use boxwood::motion::Clip;
use boxwood::nalgebra::{Isometry3, Point3, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, Error, HitMode, Loaded, Pose, QueryFilter, Ray, RayCast,
    RayHits, Scene, Spawn, load,
};
use shared::frame_times::FrameTimes;
use shared::{command_line, fighter};

const HELP: &str = "\
rollback: 64 players run and shoot; the last eight ticks are restored and played again, with equal digests

cargo example rollback -- [FILE]

  FILE         a character with clips, .glb or .gltf, as every player, with its clip 'walk' or its first; without: the fighter of the
               examples
  --help, -h   this

The lines are the same on every run. Times go to the error stream.";

const PLAYERS: usize = 64;
const TICKS: usize = 120;
/// Number of ticks that are saved.
const SAVED: usize = 8;
/// Number of ticks between two rollbacks.
const EVERY: usize = 10;

fn main() -> ExitCode {
    command_line::with_file("rollback", HELP, play)
}

fn play(file: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let loaded = file.map_or_else(|| Ok(fighter::fighter()), load::gltf)?;
    let named = loaded.clips.iter().find(|clip| clip.name() == "walk");
    let clip = named.or(loaded.clips.iter().next()).ok_or("the file has no clip")?;
    let (mut game, mut times, mut again) = (Game::new(&loaded)?, FrameTimes::new(), 0);
    let mut history: VecDeque<(Saved, u64)> = VecDeque::new();
    for tick in 1..=TICKS {
        times.restart();
        let saved = game.save()?;
        times.step("save");
        let digest = game.tick(clip)?;
        times.step("tick");
        history.push_back((saved, digest));
        if history.len() > SAVED {
            history.pop_front();
        }
        if tick % EVERY == 0 {
            times.restart();
            game.restore(&history[0].0)?;
            for (_, digest) in &history {
                assert_eq!(game.tick(clip)?, *digest, "the same poses give the same bits");
                again += 1;
            }
            times.step("rollback of 8 ticks");
            let health: u32 = game.state.health.iter().sum();
            println!("tick {tick:>3}: health {health:>5}, digest {digest:016x}");
        }
    }
    println!("{again} ticks played again, with the same digests");
    Ok(times.print(&mut io::stderr())?)
}

/// The game's own values: the library knows none of them.
#[derive(Clone)]
struct State {
    tick: usize,
    health: Vec<u32>,
    at: Vec<Point3<f32>>,
}

/// Saved tick: the values, and the poses of all players, 28 bytes a part.
type Saved = (State, Vec<Pose>);

struct Game {
    state: State,
    scene: Scene,
    keys: Vec<CharacterKey>,
    buffers: Buffers,
    rays: Vec<RayCast>,
    hits: RayHits,
}

impl Game {
    fn new(loaded: &Loaded) -> Result<Self, Error> {
        let mut scene = Scene::new();
        // The user number of a character is the index of its player.
        let spawn = |i| Spawn::default().order(i).user(i);
        let keys = (0..PLAYERS as u64).map(|i| scene.insert(&loaded.model, spawn(i)));
        let keys = keys.collect::<Result<_, _>>()?;
        let place = |i: usize| Point3::new((i % 8) as f32 * 2.0, 0.0, (i / 8) as f32 * 2.0);
        let at = (0..PLAYERS).map(place).collect();
        let state = State { tick: 0, health: vec![100; PLAYERS], at };
        let (buffers, rays, hits) = (Buffers::new(), Vec::new(), RayHits::new());
        Ok(Game { state, scene, keys, buffers, rays, hits })
    }

    /// Plays a tick: everybody runs a step and shoots ahead. Returns a digest of all hits.
    fn tick(&mut self, clip: &Clip<f32>) -> Result<u64, Error> {
        let State { tick, health, at } = &mut self.state;
        self.rays.clear();
        for (i, (&key, at)) in self.keys.iter().zip(at).enumerate() {
            let root = Isometry3::new(at.coords, Vector3::y() * (0.05 * *tick as f32 + i as f32));
            let ahead = root * Vector3::z();
            *at += ahead * 0.02;
            let time = (*tick + 3 * i) as f32 / 60.0;
            let joints = clip.sample_looped(time, &mut self.buffers.joints)?;
            self.scene.set_joints(key, &root, joints)?;
            let eye = *at + Vector3::y() * 1.4;
            let ray = Ray::through(eye, eye + ahead)?.expect("two points");
            self.rays.push(RayCast::new(ray, 50.0)?.excluding(key)); // nobody shoots himself
        }
        let now = self.scene.snapshot(&mut self.buffers);
        let exact = QueryFilter::all().accuracy(Accuracy::Exact);
        now.ray_cast_batch(&self.rays, HitMode::Closest, &exact, &mut self.hits)?;
        let mut digest = DefaultHasher::new(); // a digest to be stored should be one of your own
        for shot in 0..self.rays.len() {
            let Some(hit) = self.hits.of(shot).first() else { continue };
            let who = self.scene.user(hit.target.character)? as usize;
            health[who] = health[who].saturating_sub(1);
            (shot, who, health[who], hit.target.part, hit.distance.to_bits()).hash(&mut digest);
        }
        *tick += 1;
        Ok(digest.finish())
    }

    fn save(&self) -> Result<Saved, Error> {
        let poses = self.keys.iter().map(|&key| self.scene.poses(key));
        Ok((self.state.clone(), poses.collect::<Result<Vec<_>, _>>()?.concat()))
    }

    fn restore(&mut self, (state, poses): &Saved) -> Result<(), Error> {
        self.state = state.clone();
        for (&key, poses) in self.keys.iter().zip(poses.chunks(poses.len() / PLAYERS)) {
            self.scene.set_parts(key, poses)?;
        }
        Ok(())
    }
}
