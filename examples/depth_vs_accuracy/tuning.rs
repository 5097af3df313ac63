//! The depth each part needs.

use std::io::Write;

use boxwood::ObbTree;
use boxwood::accuracy::{Target, tune};

use crate::arguments::Arguments;
use crate::subject::Subject;

pub fn propose(
    subject: &Subject,
    arguments: &Arguments,
    terminal: &mut dyn Write,
) -> Result<(), String> {
    let targets = arguments.tune.map(Target::Slack).into_iter();
    for target in targets.chain(arguments.tune_tests.map(Target::Tests)) {
        propose_one(subject, target, terminal)?;
    }
    Ok(())
}

fn propose_one(subject: &Subject, target: Target, terminal: &mut dyn Write) -> Result<(), String> {
    let (of, trees): (Vec<_>, Vec<&ObbTree>) = subject.trees().into_iter().unzip();
    let clip = subject.clip()?;
    let place = |part| of.iter().position(|&other| other == part).unwrap_or_default();
    let cases: Vec<_> = clip.iter().map(|(parts, case)| (parts.map(place), case)).collect();
    let tuning = tune(&trees, &cases, target).map_err(|error| error.to_string())?;
    let said = |error: std::io::Error| error.to_string();
    let frames = format!("{} pairs of parts of clip '{}'", cases.len(), subject.clip);
    writeln!(
        terminal,
        "\n{}: depths for {target:?} (lengths in units of the file), over {frames}: {}",
        subject.name,
        if tuning.met { "met" } else { "NOT met" }
    )
    .map_err(said)?;
    for (part, found) in of.iter().zip(&tuning.parts) {
        let name = subject.loaded.model.parts()[part.index()].name();
        writeln!(
            terminal,
            "  {name:<24} depth {:>2}, boxes within {:.5}",
            found.depth, found.bound
        )
        .map_err(said)?;
    }
    writeln!(terminal, "  trade-off: slack of the two loosest parts, box tests of all pairs")
        .map_err(said)?;
    let every = tuning.steps.len().div_ceil(12).max(1);
    let last = tuning.steps.len() - 1;
    for (index, (slack, tests)) in tuning.steps.iter().enumerate() {
        if index % every == 0 || index == last {
            writeln!(terminal, "  {slack:>10.5} {tests:>10}").map_err(said)?;
        }
    }
    Ok(())
}
