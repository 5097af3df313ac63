//! Speed of boxwood beside parry3d 0.31, and obvhs 0.4 for rays. All do the same work in this one
//! program, built the same way. The result is one table, as text and as JSON; README and docs quote
//! it.
//!
//! Every row gives the number of answers of both in the first rounds; if more than one in a
//! thousand differs, the row has no ratio.
//!
//! Data, new to branch predictors and caches: of pairs of boxes 131,072 a row, 4,096 a round, read
//! in order and larger than the second-level cache for both; of crowds new poses in every frame;
//! meshes at 128 relative poses, 8 a round; 4,096 new rays or boxes a round; a new mesh for every
//! build; what the modules of other benches say that are listed here. All libraries get the same
//! data round by round, in turn. The ratio is the median of the ratios of the rounds, so a temporary
//! slowdown of the machine has little effect.

#[path = "../support/mod.rs"]
mod support;

mod alternating;
mod boxes;
mod crowd;
mod meshes;
mod one_part;
mod rays;
mod table;

// BenchGroups that criterion times in benches of their own.
#[path = "../crowd/distances.rs"]
mod distances;
#[path = "../queries/nearest.rs"]
#[allow(dead_code)] // the closest part alone has a peer
mod nearest;
#[path = "../queries/new_frames.rs"]
mod new_frames;
#[path = "../crowd/self_collision.rs"]
mod self_collision;
#[path = "../queries/single_character.rs"]
#[allow(dead_code)] // its sizes alone
mod single_character;
#[path = "../world/people.rs"]
mod world;

use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use alternating::Effort;
use support::asked::Asked;
use support::rings::RINGS;
use table::{Machine, Row, Table};

const HELP: &str = "\
speed: boxwood beside parry3d 0.31 and obvhs 0.4 on the same work, in one thread

cargo measure speed -- [--quick] [--json FILE] [WORD]...

  --quick      few rounds: to see that it works
  --json FILE  writes the table as JSON, too
  WORD         only sections that have it in their name: pairs, crowds, boxes, trees, rings, rays,
               frame, closest, distances, self, world, part, threads, build
  --help       says this

With --features rayon it measures two threads beside one, too. Times are medians of rounds, the libraries in turn on the
same data, which is new in every round: of one pair, one frame or one build. 'ratio' is the median of the peer's time over ours,
round by round; there is none where more than one answer in a thousand differs. A frame of people goes from the poses of all parts
(20 each, half a metre apart) to all pairs of parts of different people that touch.";

fn main() -> ExitCode {
    match run(std::env::args().skip(1), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("speed: {trouble}");
            ExitCode::from(2)
        }
    }
}

fn run(words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), String> {
    let asked = Asked::read(words)?;
    let said = |error: io::Error| error.to_string();
    if asked.help {
        return writeln!(terminal, "{HELP}").map_err(said);
    }
    let (effort, machine) = (Effort::new(asked.quick), Machine::here());
    // The file is created before the work, which takes minutes: a bad path fails at once.
    let file = asked.json.as_ref().map(|name| (name, File::create(name)));
    let file = match file {
        Some((name, Err(error))) => return Err(format!("{name}: {error}")),
        Some((name, Ok(file))) => Some((name, file)),
        None => None,
    };
    let rows = alone(|| rows(&asked, effort));
    table::print(terminal, &machine, &rows).map_err(said)?;
    let Some((name, mut file)) = file else { return Ok(()) };
    let text = table::json(&machine, effort.counted, &rows);
    writeln!(file, "{text:#}").map_err(|error| format!("{name}: {error}"))
}

/// Runs the work in one thread, whatever the features.
fn alone<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "rayon")]
    if let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        return pool.install(work);
    }
    work()
}

fn rows(asked: &Asked, effort: Effort) -> Vec<Row> {
    let mut rows = Vec::new();
    if asked.wants("pairs of boxes") {
        rows.extend(boxes::rows(effort));
    }
    for people in [10, 100, 1_000, 10_000] {
        if asked.wants(&format!("crowds of {people} people of 20 boxes")) {
            rows.extend(crowd::boxes(effort, people));
        }
    }
    for people in [10, 100, 1_000] {
        if asked.wants(&format!("crowds of {people} people of 20 trees")) {
            rows.extend(crowd::leaves(effort, people));
        }
    }
    for ring in RINGS {
        if asked.wants(&format!("rings of {} triangles", ring.triangles())) {
            rows.extend(meshes::pair(effort, ring));
        }
    }
    let mut table = Table { effort, rows };
    for place in [rays::Place::Torus, rays::Place::Ground] {
        if asked.wants("rays and boxes at 200000 triangles") {
            rays::rows(&mut table, place);
        }
    }
    if asked.wants("volumes and rays in a new frame") {
        new_frames::new_frames(&mut table);
    }
    if asked.wants("closest part to a point") {
        nearest::points(&mut table, 500);
    }
    if asked.wants("distances of two people") {
        distances::distances(&mut table);
    }
    if asked.wants("self-collision") {
        self_collision::pairs(&mut table);
        self_collision::clearances(&mut table);
    }
    if asked.wants("static world") {
        world::world(&mut table);
    }
    if asked.wants("several boxes in one part") {
        one_part::rows(&mut table);
    }
    let mut rows = table.rows;
    #[cfg(feature = "rayon")]
    for people in [1_000, 10_000] {
        if asked.wants(&format!("two threads, {people} people")) {
            rows.extend(crowd::threads(effort, people));
        }
    }
    if asked.wants("build of 12, 5000 and 200000 triangles") {
        let [coarsest, .., finest] = RINGS;
        rows.extend(meshes::builds(effort, &[finest, coarsest]));
    }
    rows
}
