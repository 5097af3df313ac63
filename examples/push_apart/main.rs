//! Two characters pushed apart: lengths and directions, for parts and for whole characters.
//!
//! `cargo example push_apart`

mod arguments;
mod figures;
mod picture;
mod search;

use std::error::Error;
use std::f32::consts::PI;
use std::io::Write;
use std::process::ExitCode;

use arguments::{Arguments, HELP};
use boxwood::load::Loader;
use boxwood::motion::{Clip, Joints};
use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Buffers, CharacterKey, Pose, Scene, Spawn};
use figures::Figures;
use picture::Picture;
use shared::{any_file, command_line, fighter, progress_bar as bar};

const RATE: f32 = 60.0;

fn main() -> ExitCode {
    let words = std::env::args().skip(1);
    let run = |asked: Arguments| match asked.help {
        true => Ok(writeln!(std::io::stdout(), "{HELP}")?),
        false => push(&asked),
    };
    command_line::exit("push_apart", Arguments::read(words).map_err(Into::into).and_then(run))
}

/// Two characters face to face, each in a clip of its own.
struct Duel<'c> {
    scene: Scene,
    keys: [CharacterKey; 2],
    clips: [&'c Clip<f32>; 2],
    places: [Pose; 2],
    joints: Joints<f32>,
}

impl Duel<'_> {
    fn show(&mut self, time: f32) -> Result<(), boxwood::Error> {
        for ((key, clip), at) in self.keys.iter().zip(self.clips).zip(&self.places) {
            let poses = clip.sample_looped(time, &mut self.joints)?;
            self.scene.set_joints(*key, at, poses)?;
        }
        Ok(())
    }
}

fn push(asked: &Arguments) -> Result<(), Box<dyn Error>> {
    let loaded = match &asked.model {
        Some(file) => any_file::load(file, &Loader::new().progress(&bar::bar()))?,
        None => fighter::fighter(),
    };
    let default = |name: &'static str| (asked.model.is_none()).then_some(name);
    let clip = any_file::clip(&loaded, asked.clip.as_deref().or(default("kick")))?;
    let against = any_file::clip(&loaded, asked.against.as_deref().or(default("guard")))?;
    let mut scene = Scene::new();
    let keys = [(); 2].map(|()| scene.insert(&loaded.model, Spawn::default()));
    let [red, blue] = keys;
    let there = Vector3::new(0.0, 0.0, asked.distance);
    let mut duel = Duel {
        scene,
        keys: [red?, blue?],
        places: [Pose::identity(), Isometry3::new(there, Vector3::new(0.0, PI, 0.0))],
        clips: [&clip, &against],
        joints: Joints::new(),
    };
    let mut picture = Picture::default();
    let (mut buffers, mut figures) = (Buffers::new(), Figures::new(&loaded.model, asked));
    let frames = (clip.duration().max(against.duration()) * RATE) as usize;
    for frame in 0..=frames {
        duel.show(frame as f32 / RATE)?;
        let now = duel.scene.snapshot(&mut buffers);
        let way = figures.frame(&now, duel.keys)?;
        if let Some(way) = way.filter(|way| asked.svg.is_some() && picture.is_longer(way)) {
            picture.take(&now, duel.keys, frame, way)?;
        }
    }
    if let Some(file) = &asked.svg {
        std::fs::write(file, picture.draw(&loaded.model))?;
    }
    let mut out = std::io::stdout().lock();
    figures.print(&mut out)?;
    figures.print_times(&mut std::io::stderr().lock())?;
    Ok(())
}
