//! How fast boxwood is beside parry3d 0.31, both doing the same work in this one program, built the same way.
//!
//! Every row says how many answers both gave; where those differ there is no ratio.

#[allow(dead_code)]
#[path = "../../tests/support/block.rs"]
mod block;
mod boxes;
mod builds;
mod clock;
mod crowd;
#[allow(dead_code)]
mod frames;
mod meshes;
#[path = "../../tests/support/parry.rs"]
#[allow(dead_code)]
mod parry;
#[allow(dead_code)]
mod peer_frames;
mod people;
#[allow(dead_code)]
#[path = "../../tests/support/random.rs"]
mod random;
mod table;
mod tori;
mod triangles;
#[path = "../../tests/support/turned.rs"]
mod turned;

use std::io::{self, Write};
use std::process::ExitCode;

use table::Row;

const HELP: &str = "\
speed: boxwood beside parry3d 0.31 on the same work, in one thread

cargo run --release --example speed [--features rayon: two threads beside one, too]

Times are medians of repeated runs, both libraries by turns: of one pair, one frame or one build. 'ratio' is the peer's
time over ours; there is none where the counts of answers differ. A frame of people goes from the poses of all parts (20
each, half a metre apart) to all pairs of parts of different people that touch.";

fn main() -> ExitCode {
    match run(std::env::args().skip(1), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("speed: {trouble}");
            ExitCode::from(2)
        }
    }
}

fn run(mut words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), String> {
    let said = |error: io::Error| error.to_string();
    match words.next().as_deref() {
        None => table::print(terminal, &alone(rows)?).map_err(said),
        Some("--help" | "-h") => writeln!(terminal, "{HELP}").map_err(said),
        Some(word) => Err(format!("unknown flag '{word}'; --help says what this is")),
    }
}

/// In one thread, whatever the features.
fn alone<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "rayon")]
    if let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        return pool.install(work);
    }
    work()
}

fn rows() -> Result<Vec<Row>, String> {
    let said = |error: boxwood::Error| error.to_string();
    eprintln!("pairs of boxes");
    let mut rows = boxes::rows();
    for people in [10, 100, 1_000, 10_000] {
        eprintln!("{people} people of 20 boxes");
        rows.extend(crowd::boxes(people).map_err(said)?);
    }
    for people in [10, 100, 1_000] {
        eprintln!("{people} people of 20 trees");
        rows.extend(crowd::leaves(people).map_err(said)?);
    }
    for ring in tori::RINGS {
        eprintln!("rings of {} triangles", ring.triangles());
        rows.extend(meshes::pair(ring)?);
    }
    #[cfg(feature = "rayon")]
    for people in [1_000, 10_000] {
        eprintln!("{people} people, two threads");
        rows.extend(crowd::threads(people).map_err(said)?);
    }
    let [.., finest] = tori::RINGS;
    eprintln!("trees of {} triangles", finest.triangles());
    rows.push(meshes::build(finest)?);
    Ok(rows)
}
