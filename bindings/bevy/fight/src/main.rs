//! The fight as a program: `cargo run -p fight` prints the touching parts, frame by frame; `cargo
//! run -p fight --features window` shows them: up and down choose the depth of the boxes, the space
//! bar stops the time.

#[cfg(feature = "window")]
mod window;

use std::process::ExitCode;

#[cfg(not(feature = "window"))]
fn main() -> ExitCode {
    match run(120) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("fight: {trouble}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(feature = "window")]
fn main() -> ExitCode {
    window::run()
}

/// Runs frames and prints their hits.
#[cfg(not(feature = "window"))]
fn run(frames: usize) -> Result<(), String> {
    use bevy_boxwood::{Boxwood, PartOf, TouchEnded, TouchPhase, Touched};

    let mut app = fight::headless::app(fight::FightPlugin);
    fight::headless::wait(&mut app)?;
    for frame in 0..frames {
        app.update();
        let world = app.world_mut();
        let touched: Vec<Touched> =
            world.resource_mut::<bevy::ecs::message::Messages<Touched>>().drain().collect();
        let ended: Vec<TouchEnded> =
            world.resource_mut::<bevy::ecs::message::Messages<TouchEnded>>().drain().collect();
        let boxwood = world.resource::<Boxwood>();
        let name = |character, part| boxwood.part_name(PartOf { character, part }).to_owned();
        for hit in touched {
            let [a, b] = [name(hit.a, hit.parts[0]), name(hit.b, hit.parts[1])];
            let phase = if hit.phase == TouchPhase::Begin { "begins" } else { "stays" };
            println!("{frame:4} {phase} {a} on {b}, {:.3} m deep at {:.2}", hit.depth, hit.point);
        }
        for end in ended {
            println!(
                "{frame:4} ends {} on {}",
                name(end.a, end.parts[0]),
                name(end.b, end.parts[1])
            );
        }
    }
    Ok(())
}
