//! Depth that each part needs.

use std::io::{self, Write};

use boxwood::accuracy::{Target, Tuning, tune};
use boxwood::{ObbTree, PartId};

use crate::arguments::Arguments;
use crate::measured_character::Subject;

/// Number of printed lines of the trade-off.
const LINES: usize = 14;

/// Prints all requested proposals.
pub fn propose(
    subject: &Subject,
    arguments: &Arguments,
    terminal: &mut dyn Write,
) -> Result<(), String> {
    if let Some(most) = arguments.tune {
        let aim = format!("slack of at most {most} units");
        propose_one(subject, &aim, |_| Target::Slack(most), terminal)?;
    }
    if let Some(most) = arguments.tune_tests {
        let aim = format!("at most {most} tests of boxes a frame, on average");
        let target = |frames| Target::Tests(most.saturating_mul(frames));
        propose_one(subject, &aim, target, terminal)?;
    }
    Ok(())
}

fn propose_one(
    subject: &Subject,
    aim: &str,
    target: impl Fn(u64) -> Target,
    terminal: &mut dyn Write,
) -> Result<(), String> {
    eprintln!("{}: tuning for {aim}", subject.name);
    let (of, trees): (Vec<PartId>, Vec<&ObbTree>) = subject.trees().into_iter().unzip();
    let meetings = subject.meetings()?;
    let place = |part| of.iter().position(|&other| other == part).unwrap_or_default();
    let cases: Vec<_> = meetings.cases.iter().map(|(p, case)| (p.map(place), case)).collect();
    let target = target(meetings.frames as u64);
    let tuning = tune(&trees, &cases, target).map_err(|error| error.to_string())?;
    let met = match tuning.met {
        true => "met",
        false => {
            "NOT met: the leaves are looser, and only Accuracy::Within or Exact ask what is in them"
        }
    };
    let over = format!("{} frames of {}", meetings.frames, subject.clip_names());
    writeln!(terminal, "\n{}: depths for {aim}, over {over}: {met}", subject.name)
        .and_then(|()| print_parts(subject, &of, &tuning, terminal))
        .and_then(|()| print_steps(&tuning, meetings.frames, terminal))
        .map_err(|error| error.to_string())
}

fn print_parts(
    subject: &Subject,
    of: &[PartId],
    tuning: &Tuning,
    terminal: &mut dyn Write,
) -> io::Result<()> {
    writeln!(terminal, "  part                     depth  of  boxes within, units")?;
    for (part, found) in of.iter().zip(&tuning.parts) {
        let part = &subject.loaded.model.parts()[part.index()];
        let deepest = part.tree().map_or(0, ObbTree::depth);
        let (name, depth, bound) = (part.name(), found.depth, found.bound);
        writeln!(terminal, "  {name:<24} {depth:>5}  {deepest:>2}  {bound:>19.5}")?;
    }
    Ok(())
}

/// Prints some of the steps, at even intervals, including the last.
fn print_steps(tuning: &Tuning, frames: usize, terminal: &mut dyn Write) -> io::Result<()> {
    writeln!(terminal, "  trade-off: the loosest part goes deeper, to where it is closer")?;
    writeln!(terminal, "   step  slack promised  slack met, worst  tests a frame")?;
    let last = tuning.steps.len() - 1;
    let shown = last.clamp(1, LINES - 1);
    let mut before = None;
    for line in 0..=shown {
        let index = (line * last).div_ceil(shown);
        if before.replace(index) == Some(index) {
            continue;
        }
        let step = &tuning.steps[index];
        let tests = step.tests as f64 / frames as f64;
        writeln!(
            terminal,
            "  {index:>5}  {:>14.5}  {:>16.5}  {tests:>13.1}",
            step.slack, step.reported
        )?;
    }
    Ok(())
}
