//! A frame of a crowd: 500 walkers in a level, with rays, nearest neighbours and explosions.
//!
//! The frame is [`Game::frame`]. The recipe "Crowd" of the guide gives the reason of each setting.

mod first_guess;
mod walkers;

use std::io;
use std::process::ExitCode;

use boxwood::load::{self, Level, MapOptions};
use boxwood::motion::Clip;
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{
    Accuracy, CollisionGroups, Error, HitMode, PairQuery, QueryFilter, Ray, RayCast, UpAxis,
};
use shared::frame_times::FrameTimes;
use shared::{command_line, fighter};
use walkers::{BODY, CROWD, Game, HALF, WORLD, centre};

const HELP: &str = "\
crowd: 500 walkers in a level: a frame with rays, nearest neighbours and explosions, step by step

cargo example crowd -- [FILE [--first-guess]]

  FILE           a level, .map, a unit of which is 1/32 m; without: that of walk_brushes
  --first-guess  also times queries that find the same and take longer: exact ones, one by one, contacts
  --help, -h     this

The lines are the same on every run. Times go to the error stream.";

const FRAMES: usize = 60;
const EXPLOSIONS: usize = 5;
/// Distance of a frame [m].
const STEP: f32 = 1.5 / 60.0;

fn main() -> ExitCode {
    command_line::with_file_and_flag("crowd", HELP, Some("--first-guess"), run)
}

fn run(file: Option<&str>, first_guess: bool) -> Result<(), Box<dyn std::error::Error>> {
    let options = MapOptions::quake().scale(1.0 / 32.0).up(UpAxis::Y); // as the fighter's file
    let level = match file {
        Some(file) => load::map(file, &options)?,
        None => load::map_bytes(include_bytes!("../walk_brushes/level.map"), &options)?,
    };
    let loaded = fighter::fighter();
    let (clip, mut times) = (loaded.clips.get("walk")?, FrameTimes::new());
    let mut game = Game::new(&level, &loaded.model)?;
    let (mut sums, before) = ([0; 5], game.overlaps());
    for frame in 0..FRAMES {
        let counts = game.frame(frame, &level, clip, &mut times)?;
        if frame % 10 == 0 && first_guess {
            game.guess(frame, &mut times)?;
        }
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let names = ["pairs of walkers", "in the level", "rays that hit", "neighbours", "shielded"];
    println!("{CROWD} walkers, means of {FRAMES} frames:");
    for (name, sum) in names.into_iter().zip(sums) {
        println!("  {name:<18} {:7.1}", sum as f32 / FRAMES as f32);
    }
    println!("  {:<18} {before} before, {} after", "walkers inside", game.overlaps());
    Ok(times.print(&mut io::stderr())?)
}

impl Game {
    /// Plays a frame; returns the numbers of what it found.
    fn frame(
        &mut self,
        frame: usize,
        level: &Level,
        clip: &Clip<f32>,
        times: &mut FrameTimes,
    ) -> Result<[usize; 5], Error> {
        times.restart();
        self.walk(level, STEP)?;
        times.step("walk among each other");
        for (index, person) in self.people.iter().enumerate() {
            let time = frame as f32 / 60.0 + 0.1 * index as f32;
            let joints = clip.sample_looped(time, &mut self.buffers.joints)?;
            let feet = centre(&self.walkers, index) - Vector3::y() * HALF;
            let root = Isometry3::new(feet.coords, Vector3::y() * person.turn);
            self.scene.set_joints(person.key, &root, joints)?;
        }
        times.step("poses");
        let now = self.scene.snapshot(&mut self.buffers);
        times.step("snapshot");
        // Bumps: all pairs in one query, to 5 cm. No contacts, as no point is needed.
        let near = PairQuery::all().memberships(BODY, BODY).accuracy(Accuracy::Within(0.05));
        now.pairs(&near, &mut self.hits)?;
        let bumps = self.hits.pairs().len();
        times.step("pairs of walkers");
        let near = PairQuery::all().memberships(BODY, WORLD).accuracy(Accuracy::Depth(2));
        now.pairs(&near, &mut self.hits)?;
        let touching = self.hits.pairs().len();
        times.step("pairs with the level");
        // Everybody looks ahead: all rays in one call, each without its own character.
        self.rays.clear();
        for (index, person) in self.people.iter().enumerate() {
            let eye = centre(&self.walkers, index) + Vector3::y() * 0.7;
            let ray = Ray::through(eye, eye + person.ahead())?.expect("two points");
            self.rays.push(RayCast::new(ray, 50.0)?.excluding(person.key));
        }
        let exact = QueryFilter::all().accuracy(Accuracy::Exact);
        now.ray_cast_batch(&self.rays, HitMode::Closest, &exact, &mut self.ray_hits)?;
        let seen = self.ray_hits.len();
        times.step("rays");
        let bodies = CollisionGroups { filter: BODY, ..CollisionGroups::ALL };
        let bodies = QueryFilter::all().groups(bodies).accuracy(Accuracy::Depth(2));
        let mut neighbours = 0;
        for (index, person) in self.people.iter().enumerate() {
            let others = bodies.clone().excluding(&[person.key]);
            let near =
                now.closest_part(centre(&self.walkers, index), 3.0, &others, &mut self.closest)?;
            neighbours += usize::from(near.is_some());
        }
        times.step("nearest neighbours");
        // An answer a character, not a part; then all rays that tell who is shielded in one call.
        let mut shielded = 0;
        for index in 0..EXPLOSIONS {
            let centre = centre(&self.walkers, (7 * frame + 97 * index) % CROWD);
            now.closest_characters(centre, 5.0, &bodies, &mut self.closest)?;
            self.rays.clear();
            for near in &*self.closest {
                let Some(ray) = Ray::through(centre, near.on_a)? else { continue };
                let ray = RayCast::new(ray, near.distance)?.excluding(near.a.character);
                self.rays.push(ray);
            }
            now.ray_cast_batch(&self.rays, HitMode::Any, &exact, &mut self.ray_hits)?;
            shielded += self.ray_hits.len();
        }
        times.step("explosions");
        Ok([bumps, touching, seen, neighbours, shielded])
    }
}
