//! Errors and cost of each depth, tolerance and budget, in hard poses and in real motion: tables
//! and plots.

mod ablation;
mod arguments;
mod facing_pairs;
mod files;
mod measure;
mod measured_character;
mod output;
mod plot;
mod plots;
mod reframe;
mod table;
mod tuning;
mod volumes;

use std::io::{self, Write};
use std::process::ExitCode;

use boxwood::ObbTree;
use boxwood::accuracy::Case;
use shared::{any_file, command_line, fighter, progress_bar as bar};

use arguments::{Arguments, HELP};
use measure::{Row, row, settings};
use measured_character::Subject;
use output::Results;

fn main() -> ExitCode {
    command_line::exit("depth_vs_accuracy", run(std::env::args().skip(1), &mut io::stdout().lock()))
}

fn run(words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), String> {
    let arguments = Arguments::read(words)?;
    if arguments.help {
        return writeln!(terminal, "{HELP}").map_err(|error| error.to_string());
    }
    if let Some(folder) = &arguments.out {
        // The folder is created before minutes of work: a bad path fails at once.
        let said = |error| format!("--out {}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(said)?;
    }
    for subject in Subject::all(&arguments)? {
        let results = study(&subject, &arguments)?;
        results.print(&subject, terminal).map_err(|error| error.to_string())?;
        if let Some(folder) = &arguments.out {
            results.save(&subject, folder)?;
        }
        tuning::propose(&subject, &arguments, terminal)?;
    }
    Ok(())
}

fn study(subject: &Subject, arguments: &Arguments) -> Result<Results, String> {
    let trees: Vec<&ObbTree> = subject.trees().into_iter().map(|(_, tree)| tree).collect();
    eprintln!("{}: {} parts; making hard poses", subject.name, trees.len());
    let hard = subject.hard(arguments.cases)?;
    eprintln!("{}: two of it meet in {}", subject.name, subject.clip_names());
    let clip: Vec<Case<'_, f32>> =
        subject.meetings()?.cases.into_iter().map(|(_, case)| case).collect();
    let rows = |cases: &[Case<'_, f32>], of: &str| -> Result<Vec<Row>, String> {
        let settings = settings(&trees, subject.size);
        let count = settings.len();
        let mut rows = Vec::new();
        for (index, (label, accuracy)) in settings.into_iter().enumerate() {
            eprint!("\r{of}: {} of {count}: {label:<14}", index + 1);
            rows.push(row(&label, accuracy, cases, &trees)?);
        }
        eprintln!();
        Ok(rows)
    };
    Ok(Results {
        hard: rows(&hard, "hard poses")?,
        clip: rows(&clip, "clip")?,
        ablations: ablation::ablations(&trees, &hard)?,
        volumes: volumes::rows(&hard),
    })
}
