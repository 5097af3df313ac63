//! Self-collision of a robot or a character: touching pairs of parts, at random joint values or in
//! the frames of clips; or their rate at each accuracy, and its cost.

mod arguments;

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use boxwood::Model;
use boxwood::load::{Loaded, Loader, Robot, Warning};
use boxwood::motion::Clip;
use shared::{any_file, arm, command_line, progress_bar as bar, samples};

use any_file::Wishes;
use arguments::{Arguments, HELP};
use samples::configurations::Configurations;
use samples::frames::Frames;
use samples::{Poses, Samples, dial, report, samples};

fn main() -> ExitCode {
    let mut terminal = BufWriter::new(io::stdout().lock());
    command_line::exit("self_collision", run(std::env::args().skip(1), &mut terminal))
}

fn run(words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), String> {
    let arguments = Arguments::read(words)?;
    if arguments.help {
        return writeln!(terminal, "{HELP}").map_err(|error| error.to_string());
    }
    match &arguments.model {
        Some(_) => of_character(&arguments, terminal),
        None => of_robot(&arguments, terminal),
    }
}

/// Tests a robot at random joint values.
fn of_robot(arguments: &Arguments, terminal: &mut dyn Write) -> Result<(), String> {
    let start = Instant::now();
    let robot = robot(arguments)?;
    loaded(start, &robot.warnings);
    if let Some(file) = &arguments.robot {
        any_file::check_parts(file, &robot.model)?;
    }
    let said = |error: io::Error| error.to_string();
    report::describe(&robot.model, Some(robot.mechanism.actuators().len()), terminal)
        .map_err(said)?;
    let mut configurations =
        Configurations::new(&robot.mechanism, arguments.samples, arguments.seed);
    try_all(&robot.model, &mut configurations, arguments, terminal)
}

/// Tests a character in every frame of its clips.
fn of_character(arguments: &Arguments, terminal: &mut dyn Write) -> Result<(), String> {
    let start = Instant::now();
    let file = arguments.model.as_deref().ok_or("--model is missing")?;
    let wishes = Wishes { scale: arguments.scale, ..Wishes::default() };
    let character = character(file, arguments.surfaces, wishes)?;
    loaded(start, &character.warnings);
    if let Some(hint) = any_file::motion::hint(file, &character, wishes.scale) {
        eprintln!("self_collision: {hint} (--scale)");
    }
    any_file::check_parts(file, &character.model)?;
    let said = |error: io::Error| error.to_string();
    report::describe(&character.model, None, terminal).map_err(said)?;
    let clips: Vec<Clip<f32>> = match &arguments.clip {
        Some(name) => vec![any_file::clip_as(&character, Some(name), wishes)?],
        None => character.clips.iter().cloned().collect(),
    };
    for clip in &clips {
        writeln!(terminal, "clip {}", clip.name()).map_err(said)?;
        try_all(&character.model, &mut Frames::new(clip), arguments, terminal)?;
    }
    Ok(())
}

fn try_all(
    model: &Model,
    poses: &mut dyn Poses,
    arguments: &Arguments,
    terminal: &mut dyn Write,
) -> Result<(), String> {
    if arguments.dial {
        return dial::print(model, poses, arguments.margin, terminal);
    }
    let found = samples(model, poses, arguments.query()).map_err(|error| error.to_string())?;
    let printed = report::outcome(model, &found, terminal).and_then(|()| terminal.flush());
    printed.map_err(|error| error.to_string())?;
    rates(&found);
    Ok(())
}

fn loaded(start: Instant, warnings: &[Warning]) {
    eprintln!("loaded and built in  {:>12.1} ms", 1e3 * start.elapsed().as_secs_f64());
    for warning in warnings {
        eprintln!("self_collision: {warning}");
    }
}

fn rates(found: &Samples) {
    let rate = |seconds: f64| found.count as f64 / seconds.max(1e-9);
    eprintln!("poses of all parts   {:>12.0} a second", rate(found.posing));
    eprintln!(
        "yes or no            {:>12.0} samples a second, posing included",
        rate(found.asking)
    );
    eprintln!(
        "which pairs          {:>12.0} samples a second, posing included",
        rate(found.pairing)
    );
}

fn robot(arguments: &Arguments) -> Result<Robot<f32>, String> {
    let Some(file) = &arguments.robot else {
        return arm::arm().map_err(|error| error.to_string());
    };
    let bar = bar::bar();
    let loader = Loader::new()
        .solid(!arguments.surfaces)
        .ignore_neighbours(arguments.neighbours)
        .link_shapes(any_file::link_shapes(arguments.visual))
        .progress(&bar);
    let loader = match &arguments.srdf {
        Some(srdf) => loader.srdf(srdf),
        None => loader,
    };
    loader.urdf(file).map_err(|error| error.to_string())
}

fn character(file: &Path, surfaces: bool, wishes: Wishes) -> Result<Loaded<f32>, String> {
    any_file::load_with(file, &Loader::new().solid(!surfaces).progress(&bar::bar()), wishes)
}
