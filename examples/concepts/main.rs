//! Pictures of concepts: boxes by depth, a cut, slack, the broad phase, and a skin that is cut into
//! parts.
//!
//! `cargo example concepts -- [FILE] [--out DIR]`; `docs/concepts.md` shows
//! the files. All numbers in them are computed here.

mod broad_phase;
mod canvas;
mod cuts;
mod depths;
mod skins;
mod slack;

use std::path::Path;
use std::process::ExitCode;

use shared::{command_line as flags, fighter};

const HELP: &str = "\
concepts: pictures of what the words mean: boxes by depth, a cut, slack, the broad phase, a skin cut into parts

cargo example concepts -- [FILE] [FLAGS]

  --out DIR    writes concept_depth.svg, concept_cut.svg, concept_slack.svg, concept_broad_phase.svg and
               concept_skin.svg there; without: only the numbers in them
  FILE, --skin FILE
               the skinned character of concept_skin.svg, a .glb or .gltf file with clips; without: the fighter
  --help, -h   this";

/// Output folder, and file of the skin.
#[derive(Default)]
struct Arguments {
    out: Option<String>,
    skin: Option<String>,
    help: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut read = Arguments::default();
    let mut words = std::env::args().skip(1);
    while let Some(flag) = words.next() {
        match flag.as_str() {
            "--out" => read.out = Some(words.next().ok_or("--out needs a value")?),
            "--skin" => read.skin = Some(words.next().ok_or("--skin needs a value")?),
            word if flags::is_help(word) => read.help = true,
            file if !file.starts_with('-') => read.skin = Some(file.to_owned()),
            _ => return Err(flags::unknown(&flag)),
        }
    }
    Ok(read)
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let Arguments { out, skin, help } = arguments()?;
    if help {
        println!("{HELP}");
        return Ok(());
    }
    let skin = skins::page(skin.as_deref())?;
    for page in [depths::page()?, cuts::page()?, slack::page()?, broad_phase::page()?, skin] {
        page.numbers.iter().for_each(|line| println!("{}: {line}", page.name));
        if let Some(folder) = &out {
            std::fs::create_dir_all(folder)?;
            let file = Path::new(folder).join(format!("concept_{}.svg", page.name));
            std::fs::write(file, page.picture)?;
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    flags::exit("concepts", run())
}
