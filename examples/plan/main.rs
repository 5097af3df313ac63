//! A robot plans its way between posts: RRT-Connect, whose edges are proved free by `EdgeChecker`.

mod arguments;
mod picture;
mod planner;

use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use boxwood::load::{Loader, Robot};
use boxwood::robot::{Edge, EdgeChecker};
use boxwood::{Buffers, Error};
use shared::posts::{self, Posts};
use shared::{any_file, arm, command_line, progress_bar};

use arguments::{Arguments, HELP};
use planner::{Plan, Planner};

fn main() -> ExitCode {
    command_line::exit("plan", run(std::env::args().skip(1)))
}

fn run(words: impl Iterator<Item = String>) -> Result<(), String> {
    let arguments = Arguments::read(words)?;
    if arguments.help {
        println!("{HELP}");
        return Ok(());
    }
    let robot = robot(&arguments)?;
    let posts = Posts::around(&robot).map_err(|error| error.to_string())?;
    let plan = plan(&robot, &posts, &arguments).map_err(|error| error.to_string())?;
    let plan = plan.map_err(str::to_owned)?;
    if let Some(file) = &arguments.svg {
        let drawn = picture::draw(&robot, &posts, &plan).map_err(|error| error.to_string())?;
        fs::write(file, drawn).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

fn robot(arguments: &Arguments) -> Result<Robot<f32>, String> {
    let Some(file) = &arguments.robot else {
        return arm::arm().map_err(|error| error.to_string());
    };
    let bar = progress_bar::bar();
    let loader = Loader::new().progress(&bar);
    let loader = match &arguments.srdf {
        Some(srdf) => loader.srdf(srdf),
        None => loader,
    };
    let robot = loader.urdf(file).map_err(|error| error.to_string())?;
    robot.warnings.iter().for_each(|warning| eprintln!("plan: {warning}"));
    any_file::check_parts(file, &robot.model)?;
    Ok(robot)
}

/// Plans and prints; returns the reason if no way is found.
fn plan(
    robot: &Robot<f32>,
    posts: &Posts,
    arguments: &Arguments,
) -> Result<Result<Plan, &'static str>, Error> {
    let scene = posts.scene()?;
    let mut buffers = Buffers::new();
    let world = scene.snapshot(&mut buffers);
    let checker = EdgeChecker::new(&robot.mechanism, &robot.model)?
        .world(&world)?
        .margin(arguments.margin)
        .tolerance(1e-3 * posts.reach);
    let mut planner = Planner::new(robot, &checker, arguments.seed);
    let Some(ends) = planner.far_ends(posts)? else {
        return Ok(Err("no free configuration reaches beyond the posts on both sides"));
    };
    println!(
        "{} joints, {} posts at {:.2} of the reach of {:.2}",
        robot.mechanism.actuators().len(),
        posts.centers.len(),
        posts::DISTANCE,
        posts.reach
    );

    let start = Instant::now();
    let found = planner.connect(ends, arguments.samples)?;
    eprintln!("planned in {:.1} ms", 1e3 * start.elapsed().as_secs_f64());
    println!("edges of the search      {}", planner.tally);
    let Some(found) = found else {
        return Ok(Err("no way found within the number of samples"));
    };
    println!("way found                {} edges, {:.2} long", found.edges(), found.length());

    planner.tally = Default::default();
    let start = Instant::now();
    let plan = planner.shorten(found, arguments.shortcuts)?;
    eprintln!("shortened in {:.1} ms", 1e3 * start.elapsed().as_secs_f64());
    println!("edges of the shortcuts   {}", planner.tally);
    println!("way shortened            {} edges, {:.2} long", plan.edges(), plan.length());

    let path = checker.check_path(&plan.rows, &mut planner.scratch)?;
    match path.edge {
        Edge::Free { clearance_at_least } => {
            println!("proof of the whole way   free, {clearance_at_least:.4} clear at least");
        }
        // Halves of an edge are rounded: closer than that to the tolerance they may be undecided.
        other => println!("edge {} of the way        {other:?}", path.index),
    }
    Ok(Ok(plan))
}
