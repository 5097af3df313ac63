//! A melee frame: two fighters play clips, step at each other as far as the way is free, hit, and
//! are pushed apart.
//!
//! The whole frame is [`Melee::tick`]: pose, cast, contacts, push.

use std::f32::consts::PI;
use std::io::{self, Write};
use std::process::ExitCode;

use boxwood::motion::Clip;
use boxwood::nalgebra::{Isometry3, Translation3, Unit, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, Error, Hits, Loaded, NormalHint, PairQuery, PartId, Pose,
    Push, Scene, Spawn, load,
};
use shared::frame_times::FrameTimes;
use shared::{command_line, fighter};

const HELP: &str = "\
melee: two fighters step at each other, hit and are pushed apart; a line for each pair of parts that begins to touch

cargo example melee -- [FILE]

  FILE         a character with clips, .glb or .gltf, that fights itself with its first clip and its second; without: the fighter
               of the examples with a jab and a guard
  --help, -h   this

The lines are the same on every run. Times go to the error stream.";

const FRAMES: usize = 300;
/// Distance that each steps towards the other in a frame, if the way is free [m].
const STEP: f32 = 0.012;

fn main() -> ExitCode {
    command_line::with_file("melee", HELP, fight)
}

fn fight(file: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let loaded = match file {
        Some(file) => load::gltf(file)?,
        None => fighter::fighter(),
    };
    let names = match file {
        None => ["jab", "guard"],
        Some(_) => [0, 1].map(|index| loaded.clips.iter().nth(index).map_or("", Clip::name)),
    };
    let clips = [loaded.clips.get(names[0])?, loaded.clips.get(names[1])?];
    let mut melee = Melee::new(&loaded)?;
    let (mut times, mut out) = (FrameTimes::new(), io::stdout().lock());
    let mut touching: Vec<(PartId, PartId)> = Vec::new(); // of the frame before
    for frame in 0..FRAMES {
        let pushed = melee.tick(frame, clips, &mut times)?;
        for hit in melee.hits.iter().filter(|hit| !touching.contains(&(hit.a.part, hit.b.part))) {
            let [a, b] = [hit.a, hit.b].map(|node| melee.scene.part(node.character, node.part));
            let (with, on, [x, y, z]) = (a?.name(), b?.name(), hit.point.coords.into());
            let deep = hit.depth * 1000.0;
            writeln!(
                out,
                "{frame:>3}  {with:<16} on {on:<16} {deep:6.1} mm at {x:6.3} {y:6.3} {z:6.3}"
            )?;
        }
        touching.clear();
        touching.extend(melee.hits.iter().map(|hit| (hit.a.part, hit.b.part)));
        if pushed > 0.0 {
            writeln!(out, "{frame:>3}  pushed apart by {:.1} mm", pushed * 1000.0)?;
        }
    }
    Ok(times.print(&mut io::stderr())?)
}

/// The scene, and what the game remembers from frame to frame: the library stores none of it.
struct Melee {
    scene: Scene,
    keys: [CharacterKey; 2],
    at: [Pose; 2],
    /// Normals of the last frame's hits, which the next ones keep to.
    hints: Vec<NormalHint>,
    /// Direction of the last push.
    pushed: Option<Unit<Vector3<f32>>>,
    buffers: Buffers,
    hits: Hits,
}

impl Melee {
    fn new(loaded: &Loaded) -> Result<Self, Error> {
        let mut scene = Scene::new();
        let facing = Vector3::y() * PI; // blue looks back at red
        let at = [Isometry3::identity(), Isometry3::new(Vector3::z() * 1.6, facing)];
        let keys = [
            scene.insert(&loaded.model, Spawn::at(at[0]))?,
            scene.insert(&loaded.model, Spawn::at(at[1]))?,
        ];
        let (hints, buffers, hits) = (Vec::new(), Buffers::new(), Hits::new());
        Ok(Melee { scene, keys, at, hints, pushed: None, buffers, hits })
    }

    /// Plays a frame; returns the length by which the two are pushed apart [m].
    fn tick(
        &mut self,
        frame: usize,
        clips: [&Clip<f32>; 2],
        times: &mut FrameTimes,
    ) -> Result<f32, Error> {
        let [red, blue] = self.keys;
        let both = PairQuery::between(red, blue);
        times.restart();
        for (clip, (&key, at)) in clips.into_iter().zip(self.keys.iter().zip(&self.at)) {
            let joints = clip.sample_looped(frame as f32 / 60.0, &mut self.buffers.joints)?;
            self.scene.set_joints(key, at, joints)?;
        }
        times.step("poses");
        // A step of red towards blue, as far as the way is free of touching.
        let now = self.scene.snapshot(&mut self.buffers);
        let way = Vector3::z() * STEP;
        let met = now.cast(&both, way, self.hits.scratch())?;
        let share = met.map_or(1.0, |met| met.shift / STEP).min(1.0);
        self.at[0] = Translation3::from(way * share) * self.at[0];
        self.scene.set_root(red, &self.at[0])?;
        times.step("cast of a step");
        let now = self.scene.snapshot(&mut self.buffers);
        times.step("snapshot");
        let touching = both.accuracy(Accuracy::Exact); // no pair that is merely near
        now.contacts(&touching.hints(&self.hints), &mut self.hits)?;
        self.hints.clear();
        self.hints.extend(self.hits.iter().map(|hit| hit.hint()));
        times.step("contacts");
        // Half of the way each, along the ground; a little more, because poses are rounded.
        let push = Push::across(Vector3::y_axis()).near(self.pushed);
        let both = PairQuery::between(red, blue);
        let way = now.separation(&both, &push, self.hits.scratch())?;
        self.pushed = way.as_ref().map(|way| way.normal);
        let Some(way) = way else { return Ok(0.0) };
        let half = way.normal.into_inner() * (0.5 * way.depth + 1e-5);
        self.at = [Translation3::from(-half) * self.at[0], Translation3::from(half) * self.at[1]];
        self.scene.set_root(red, &self.at[0])?;
        self.scene.set_root(blue, &self.at[1])?;
        times.step("push apart");
        Ok(way.depth)
    }
}
