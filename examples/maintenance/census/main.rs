//! Table in Markdown about files and folders: size of the model, memory, times, and coverage of the
//! skin.
//!
//! ```text
//! cargo example census -- FILE|FOLDER...
//! ```
//! A line a character or robot: parts with geometry, triangles, boxes given by hand, nodes of all
//! trees, memory of the model, milliseconds to read the file and to build the trees (and to load
//! the baked file). For skins: the share of vertices outside eight boxes a part over five moments
//! of every clip, with the farthest distance as a share of the character's size; and the same of
//! the area of the parts, caps included, outside the skin. Meshes that belong to robots are counted
//! with them.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use boxwood::load::{Loaded, Loader, Progress, Stage};
use shared::{any_file, command_line, figures, progress_bar as bar};

use figures::{Figures, SkinFigures};

const HELP: &str = "\
census: files and folders in numbers, a line a character or robot, as a table in Markdown

cargo example census -- [FILE|FOLDER]...

  FILE          .glb, .gltf, .obj, .stl, .urdf, .xml (MJCF), .bvh, .amc (with .asf) or .baked
  FOLDER        all such files below it; what can not be read is named on the error stream and left out
  without one   the fighter of the examples
  --help, -h    this; a file whose name begins with a dash is ./-NAME

Columns: parts with geometry of all; triangles; boxes given by hand; nodes of all trees; memory of the model; milliseconds to
read the file, to build the trees, and to load the same once it is baked; of skins the share of corners outside eight boxes
a part over five moments of every clip, and the farthest of them as a share of the character's size; and of the area of
the parts' triangles, caps included, the share outside the skin, and the farthest point of it.";

const HEAD: &str = "\
| file | parts | triangles | boxes | nodes | memory, KiB | read, ms | built, ms | baked, ms | skin outside parts | farthest | parts outside skin | farthest |
|---|---|---|---|---|---|---|---|---|---|---|---|---|";

fn main() -> ExitCode {
    command_line::exit("census", run(std::env::args_os().skip(1).map(PathBuf::from).collect()))
}

/// Prints the table of the named files; of the fighter of the examples when none is named.
fn run(mut named: Vec<PathBuf>) -> Result<(), String> {
    let words: Vec<String> = named.iter().map(|name| name.to_string_lossy().into()).collect();
    if words.iter().any(|word| command_line::is_help(word)) {
        println!("{HELP}");
        return Ok(());
    }
    if let Some(word) = words.iter().find(|word| word.starts_with('-')) {
        return Err(command_line::unknown(word));
    }
    if named.is_empty() {
        named.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("fighter/fighter.glb"));
    }
    println!("{HEAD}");
    for path in named {
        if !path.is_dir() {
            println!("{}", row(&path)?);
            continue;
        }
        let mut files = Vec::new();
        below(&path, &mut files)?;
        for file in files {
            match row(&file) {
                Ok(row) => println!("{row}"),
                // Some `.xml` files are no robots.
                Err(trouble) => eprintln!("census: {trouble}"),
            }
        }
    }
    Ok(())
}

/// Appends the files below a folder that are characters of their own, by name.
fn below(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let said = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(said)?;
    let entries = entries.map(|entry| entry.map(|entry| entry.path()).map_err(said));
    let mut entries: Vec<PathBuf> = entries.collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            // Visual and collision meshes of a robot are no characters.
            let beside = ["srdf", "urdf"].map(|name| folder.join(name).is_dir());
            if !(path.ends_with("meshes") && beside.contains(&true)) {
                below(&path, files)?;
            }
        } else if any_file::ENDINGS.contains(&any_file::ending(&path).as_str()) {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns the figures of a file; each time is the least of three.
fn row(file: &Path) -> Result<String, String> {
    let (loaded, mut times) = timed(file)?;
    for _ in 1..3 {
        let (_, again) = timed(file)?;
        times = [0, 1, 2].map(|kind| times[kind].min(again[kind]));
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let times = times.map(|time| format!("{:.1}", 1e3 * time.as_secs_f64())).join(" | ");
    Ok(format!("| {name} | {} | {times} | {} |", counts(&loaded), skin(&loaded)?))
}

/// Loads a character, with the times to read the file, to build the trees, and to load it baked.
fn timed(file: &Path) -> Result<(Loaded<f32>, [Duration; 3]), String> {
    let (bar, start) = (bar::bar(), Instant::now());
    let read: Cell<Option<Duration>> = Cell::new(None);
    let progress = |now: Progress| -> ControlFlow<()> {
        if now.stage == Stage::Building {
            read.set(read.get().or_else(|| Some(start.elapsed())));
        }
        bar(now)
    };
    let loader = Loader::new().keep_skin(true).progress(&progress);
    let loaded = any_file::load_with(file, &loader, any_file::Wishes::default())?;
    let all = start.elapsed();
    let read = read.get().unwrap_or(all);
    let again = baked(&loaded)?;
    Ok((loaded, [read, all - read, again]))
}

/// Returns the time to load the character baked.
fn baked(loaded: &Loaded<f32>) -> Result<Duration, String> {
    let bytes = loaded.bake().map_err(|error| error.to_string())?;
    let start = Instant::now();
    let again: Loaded<f32> =
        Loader::new().baked_bytes(&bytes).map_err(|error| error.to_string())?;
    let time = start.elapsed();
    assert_eq!(again.model.fingerprint(), loaded.model.fingerprint());
    Ok(time)
}

fn counts(loaded: &Loaded<f32>) -> String {
    let Figures { parts, with_geometry, triangles, boxes, nodes, bytes, .. } =
        Figures::of(&loaded.model);
    let memory = bytes.div_ceil(1024);
    format!("{with_geometry} of {parts} | {triangles} | {boxes} | {nodes} | {memory}")
}

/// Coverage of the bent skin, in both directions.
fn skin(loaded: &Loaded<f32>) -> Result<String, String> {
    let found = figures::skin(loaded).map_err(|error| error.to_string())?;
    let Some(found) = found else { return Ok("no skin | - | - | -".to_owned()) };
    let SkinFigures { outside, farthest, parts_outside, parts_farthest } = found;
    let columns = [outside, farthest, parts_outside, parts_farthest];
    Ok(columns.map(|share| format!("{:.2} %", 100.0 * share)).join(" | "))
}
