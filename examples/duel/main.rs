//! Two characters fight. For every frame: touching parts, points and depths; an effect at each
//! point; both pushed apart along the ground. At the end: the blows.
//!
//! The loop of the game is [`play_fight`]: pose, snapshot, query, response, output.

pub(crate) mod arguments;
pub(crate) mod caption;
pub(crate) mod dump;
pub(crate) mod output;
pub(crate) mod picture;
pub(crate) mod script;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use boxwood::{Accuracy, Buffers, Hits};
use shared::{command_line as flags, fight};

use arguments::{Arguments, HELP};
use fight::cast::Fighter;
use fight::play::{self, Fight, FightRecord, Summary};
use fight::story;
use fight::trouble::Trouble;
use output::Outputs;

fn main() -> ExitCode {
    flags::exit("duel", run(std::env::args().skip(1), &mut BufWriter::new(io::stdout().lock())))
}

fn run(words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), Trouble> {
    let arguments = Arguments::read(words).map_err(Trouble::Flags)?;
    if arguments.help {
        return writeln!(terminal, "{HELP}").map_err(Trouble::Terminal);
    }
    // Load: two models with a tree for every part, skeletons, clips.
    let cast = script::cast(&arguments).map_err(Trouble::Cast)?;
    for note in Fighter::all_notes(&cast) {
        eprintln!("duel: {note}");
    }
    let mut outputs = Outputs::open(&arguments)?;
    let summary = play_fight(&arguments, &cast, &mut outputs, terminal)?;
    outputs.close()?;
    story::ending(arguments.details, &cast, &summary, terminal).map_err(Trouble::Terminal)?;
    // Times differ from run to run, so they go to the error stream.
    story::timings(&arguments.rules, &summary.times, &mut io::stderr()).map_err(Trouble::Terminal)
}

/// Plays the whole fight.
pub(crate) fn play_fight(
    arguments: &Arguments,
    cast: &[Fighter; 2],
    outputs: &mut Outputs,
    terminal: &mut dyn Write,
) -> Result<Summary, Trouble> {
    let rules = &arguments.rules;
    let start = script::start(arguments, cast).map_err(Trouble::Cast)?;
    story::header((rules, arguments.details), cast, &start, terminal).map_err(Trouble::Terminal)?;
    // Memory of all queries: once it has grown, a frame allocates nothing.
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let mut fight = Fight::new(rules, cast, start, &mut buffers)?;
    // Red against blue, contacts of bodies: `PairQuery::between(red, blue).accuracy(Accuracy::Exact)`.
    let query = rules.query(fight.keys);
    let mut record = FightRecord::new(rules.frames);
    for number in 0..rules.frames {
        let mut lap = play::laps();
        // Pose: sample both clips, set the joints, where the pushes have moved the two.
        fight.pose(cast, number, &mut buffers)?;
        let posed = lap();
        // Snapshot: this moment of the scene, with a world box for every part.
        let now = fight.scene.snapshot(&mut buffers);
        let placed = lap();
        // Query: which parts touch, where, along which normal and how deep.
        let report = now.contacts(&query, &mut hits)?;
        record.add_query([posed, placed, lap()], &report, &hits);
        // Response: an effect at the deepest hit, and the translation that separates the bodies.
        play::mark(&mut fight.sparks, &now, &mut hits)?;
        let push = fight.apart(&now, &mut hits)?;
        // Print: a line a hit, JSON, a picture.
        let frame = record.frame(number, cast, (&fight, now), &hits, push.as_ref())?;
        outputs.show(&frame, terminal)?;
        if let Some(level) = &mut fight.arena {
            level.see(&now, fight.keys, Accuracy::Depth(rules.depth))?;
        }
        // Half of the translation each, before the next frame.
        fight.respond(push.as_ref());
    }
    Ok(record.into_summary(fight.arena))
}
