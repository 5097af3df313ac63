//! A robot against itself: random joint values within their limits, and which of its links then touch.

mod arguments;
mod arm;
#[path = "../bar/mod.rs"]
mod bar;
mod report;
mod sample;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::time::Instant;

use boxwood::load::{self, Robot, RobotOptions};

use arguments::{Arguments, HELP};
use report::{describe, outcome};

fn main() -> ExitCode {
    match run(std::env::args().skip(1), &mut BufWriter::new(io::stdout().lock())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("self_collision: {trouble}");
            ExitCode::from(2)
        }
    }
}

fn run(words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), String> {
    let arguments = Arguments::read(words)?;
    if arguments.help {
        return writeln!(terminal, "{HELP}").map_err(|error| error.to_string());
    }
    let start = Instant::now();
    let robot = robot(&arguments)?;
    eprintln!("loaded and built in  {:>12.1} ms", 1e3 * start.elapsed().as_secs_f64());
    for warning in &robot.warnings {
        eprintln!("self_collision: {warning}");
    }
    let samples = sample::samples(&robot, &arguments);
    let samples = samples.map_err(|error| error.to_string())?;
    let print = |terminal: &mut dyn Write| -> io::Result<()> {
        describe(&robot, terminal)?;
        outcome(&robot, &samples, terminal)?;
        terminal.flush()
    };
    print(terminal).map_err(|error| error.to_string())?;
    let rate = |seconds: f64| arguments.samples as f64 / seconds.max(1e-9);
    eprintln!("poses of all links   {:>12.0} a second", rate(samples.posing));
    eprintln!(
        "yes or no            {:>12.0} samples a second, posing included",
        rate(samples.asking)
    );
    eprintln!(
        "which pairs          {:>12.0} samples a second, posing included",
        rate(samples.pairing)
    );
    Ok(())
}

fn robot(arguments: &Arguments) -> Result<Robot<f32>, String> {
    let Some(file) = &arguments.robot else {
        return arm::arm().map_err(|error| error.to_string());
    };
    let options = RobotOptions {
        solid: !arguments.surfaces,
        neighbours: arguments.neighbours,
        srdf: arguments.srdf.clone(),
        ..RobotOptions::default()
    };
    load::urdf_watched(file, &options, &mut bar::bar()).map_err(|error| error.to_string())
}
