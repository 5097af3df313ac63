//! A tool: reads characters, robots and levels, and prints what is in them and what touches itself.

use std::io::{self, Write};
use std::process::ExitCode;

use boxwood::load::{self, MapOptions};
use boxwood::motion::Joints;
use boxwood::{Accuracy, Loaded, Model, PartId, SelfQueryScratch};
use shared::frame_times::FrameTimes;
use shared::random::Random;
use shared::{command_line, fighter};

const HELP: &str = "\
report: what is in files, and which parts of a character or links of a robot touch each other

cargo example report -- [FILE]..

  FILE         characters (.glb, .gltf), robots (.urdf, .xml of MJCF) and levels (.map); without: the fighter of the examples
  --help, -h   this

The lines are the same on every run. Times go to the error stream. `boxwood inspect` and `boxwood check` do more.";

/// Number of random configurations of a robot.
const SAMPLES: usize = 1000;

fn main() -> ExitCode {
    command_line::exit("report", run(std::env::args().skip(1)))
}

fn run(words: impl Iterator<Item = String>) -> Result<(), Box<dyn std::error::Error>> {
    let (words, mut out): (Vec<String>, _) = (words.collect(), io::stdout().lock());
    if words.iter().any(|word| command_line::is_help(word)) {
        return Ok(writeln!(out, "{HELP}")?);
    }
    if let Some(flag) = words.iter().find(|word| word.starts_with('-')) {
        return Err(command_line::unknown(flag).into());
    }
    let mut times = FrameTimes::new();
    if words.is_empty() {
        let loaded = fighter::fighter();
        times.step("load");
        character("fighter", &loaded, &mut out)?;
        times.step("check");
    }
    for file in &words {
        match file.rsplit('.').next() {
            Some("map") => {
                let level = load::map(file, &MapOptions::quake().scale(1.0 / 32.0))?;
                times.step("load");
                let (brushes, starts) = (level.world.len(), level.spawns().count());
                writeln!(out, "{file}: {brushes} brushes, {starts} starts")?;
            }
            Some(end @ ("urdf" | "xml")) => {
                let robot = if end == "urdf" { load::urdf(file)? } else { load::mjcf(file)? };
                times.step("load");
                contents(file, &robot.model, &mut out)?;
                let (mut random, mut values, mut poses) =
                    (Random(1), Vec::<f32>::new(), Vec::new());
                let mut touching = Touching::default();
                for _ in 0..SAMPLES {
                    robot.mechanism.sample_values(|| random.between(0.0, 1.0), &mut values);
                    robot.mechanism.poses(&values, &mut poses)?;
                    touching.add(&robot.model, &poses)?;
                }
                touching.print("random configurations", &robot.model, &mut out)?;
            }
            _ => {
                let loaded = load::gltf(file)?;
                times.step("load");
                character(file, &loaded, &mut out)?;
            }
        }
        times.step("check");
    }
    Ok(times.print(&mut io::stderr())?)
}

/// Prints a character: its parts, its clips, and the parts that touch each other in them.
fn character(
    name: &str,
    loaded: &Loaded,
    out: &mut dyn Write,
) -> Result<(), Box<dyn std::error::Error>> {
    contents(name, &loaded.model, out)?;
    let mut joints = Joints::new();
    for clip in &loaded.clips {
        let mut touching = Touching::default();
        for frame in 0..=(clip.duration() * 30.0) as usize {
            touching.add(&loaded.model, clip.sample(frame as f32 / 30.0, &mut joints)?)?;
        }
        let label = format!("frames of '{}', {:.2} s", clip.name(), clip.duration());
        touching.print(&label, &loaded.model, out)?;
    }
    Ok(loaded.warnings.iter().try_for_each(|warning| writeln!(out, "  warning: {warning}"))?)
}

/// Prints the numbers of parts, solids, primitives and nodes, and the memory.
fn contents(name: &str, model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let trees = || model.parts().iter().filter_map(|part| part.tree());
    let solids = trees().filter(|tree| tree.geometry().is_solid()).count();
    let primitives: usize = trees().map(|tree| tree.geometry().len()).sum();
    let nodes: usize = trees().map(|tree| tree.len()).sum();
    writeln!(
        out,
        "{name}: {} parts, {} with geometry, {solids} of them solid; {primitives} primitives, \
         {nodes} nodes, {} KB",
        model.len(),
        trees().count(),
        model.bytes() / 1024
    )
}

/// Pairs of parts that touch each other, and the number of poses in which they do.
#[derive(Default)]
struct Touching {
    poses: usize,
    with: usize,
    pairs: Vec<((PartId, PartId), usize)>,
    scratch: SelfQueryScratch,
}

impl Touching {
    fn add(&mut self, model: &Model, poses: &[boxwood::Pose]) -> Result<(), boxwood::Error> {
        let found = model.self_pairs(poses, Accuracy::Exact, &mut self.scratch)?;
        self.poses += 1;
        self.with += usize::from(!found.is_empty());
        for &pair in found {
            match self.pairs.iter_mut().find(|(known, _)| *known == pair) {
                Some((_, count)) => *count += 1,
                None => self.pairs.push((pair, 1)),
            }
        }
        Ok(())
    }

    fn print(mut self, label: &str, model: &Model, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "  {} of {} {label} have parts that touch each other",
            self.with, self.poses
        )?;
        self.pairs.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
        for &((a, b), count) in self.pairs.iter().take(3) {
            let [a, b] = [a, b].map(|part| model.parts()[part.index()].name());
            writeln!(out, "    {count:>5}  {a} and {b}")?;
        }
        Ok(())
    }
}
