//! The command `boxwood check`: touching parts of one robot or character.

use std::io::Write;

use boxwood::load::{Loader, Warning};
use boxwood::motion::Clip;
use boxwood::tree::Counts;
use boxwood::{Model, PartId};

use crate::any_file;
use crate::arguments::CheckFile;
use crate::bar;
use crate::figures::Figures;
use crate::refusal::{Refusal, complain};
use crate::report::{self, Checked, DialRow, TouchingPair};
use crate::robots::{check_described_flags, check_unbaked_flags, check_urdf_flags};
use crate::samples::configurations::Configurations;
use crate::samples::frames::Frames;
use crate::samples::report as told;
use crate::samples::{Poses, dial, pairs};
use crate::write_srdf;

/// The tested samples of one robot or clip.
struct Tried<'m> {
    model: &'m Model,
    actuators: Option<usize>,
    seed: Option<u64>,
    clip: Option<&'m str>,
    /// Model without an SRDF file, if the pairs of a robot are to be written.
    bare: Option<&'m Model>,
}

/// Tests a robot at random joint values, or a character in its clips.
pub fn run(asked: &CheckFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    words_of_its_kind(asked)?;
    let bar = bar::bar();
    let loader = Loader::new().solid(!asked.surfaces).allow_empty(asked.reading.allow_empty);
    let mut loader = loader.progress(&bar);
    if let Some(hops) = asked.neighbours {
        loader = loader.ignore_neighbours(hops);
    }
    match any_file::is_robot(&asked.file) {
        true => of_robot(asked, &loader, json, out),
        false => of_character(asked, &loader, json, out),
    }
}

/// Refuses flags that do not apply to the file.
fn words_of_its_kind(asked: &CheckFile) -> Result<(), Refusal> {
    let srdf = [(asked.srdf.is_some(), "--srdf"), (asked.write_srdf.is_some(), "--write-srdf")];
    check_urdf_flags(&asked.file, &srdf)?;
    check_described_flags(&asked.file, &[(asked.reading.visual, "--visual")])?;
    let of_loading = [(asked.neighbours.is_some(), "--neighbours"), (asked.surfaces, "--surfaces")];
    check_unbaked_flags(&asked.file, &of_loading)?;
    let robot = any_file::is_robot(&asked.file);
    let wrong = [
        (asked.samples.is_some() && !robot, "--samples requires a robot; a character has frames"),
        (asked.seed.is_some() && !robot, "--seed requires a robot; a character has frames"),
        (asked.clip.is_some() && robot, "--clip requires a character; a robot has joint values"),
    ];
    let found = wrong.iter().find(|(is, _)| *is);
    found.map_or(Ok(()), |(_, why)| Err(Refusal::Usage((*why).to_owned())))
}

fn of_robot(
    asked: &CheckFile,
    loader: &Loader<'_>,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Refusal> {
    if let Some(output) = &asked.write_srdf {
        write_srdf::check_output(asked, output)?;
    }
    let load = |loader: &Loader<'_>| any_file::robot(&asked.file, loader, asked.reading.wishes());
    let bare = asked.write_srdf.as_ref().map(|_| load(loader)).transpose()?;
    let robot = match (&asked.srdf, &bare) {
        (Some(srdf), _) => load(&loader.clone().srdf(srdf))?,
        (None, Some(bare)) => bare.clone(),
        (None, None) => load(loader)?,
    };
    warn(&robot.warnings);
    if !asked.reading.allow_empty {
        any_file::check_parts(&asked.file, &robot.model)?;
    }
    let (count, seed) = (asked.samples.unwrap_or(10_000), asked.seed.unwrap_or(1));
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let actuators = Some(robot.mechanism.actuators().len());
    if !json {
        told::describe(&robot.model, actuators, out)?;
    }
    let bare = bare.as_ref().map(|bare| &*bare.model);
    let tried = Tried { model: &robot.model, actuators, seed: Some(seed), clip: None, bare };
    let mut poses = Configurations::new(&robot.mechanism, count, seed);
    try_all(asked, &tried, &mut poses, json, out)
}

fn of_character(
    asked: &CheckFile,
    loader: &Loader<'_>,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Refusal> {
    let wishes = asked.reading.wishes();
    let loaded = any_file::load_with(&asked.file, loader, wishes)?;
    warn(&loaded.warnings);
    if let Some(hint) = any_file::motion::hint(&asked.file, &loaded, wishes.scale) {
        complain(&format!("{hint} (--scale)"));
    }
    any_file::check_parts(&asked.file, &loaded.model)?;
    let clips: Vec<Clip<f32>> = match &asked.clip {
        Some(name) => any_file::clips_as(&loaded, name, wishes)
            .map_err(|error| format!("{}: {error}", asked.file.display()))?,
        None => loaded.clips.iter().cloned().collect(),
    };
    if !json {
        told::describe(&loaded.model, None, out)?;
    }
    for clip in &clips {
        if !json {
            writeln!(out, "clip {}", clip.name())?;
        }
        let (model, clip_name) = (&*loaded.model, Some(clip.name()));
        let tried = Tried { model, actuators: None, seed: None, clip: clip_name, bare: None };
        try_all(asked, &tried, &mut Frames::new(clip), json, out)?;
    }
    Ok(())
}

fn warn(warnings: &[Warning]) {
    warnings.iter().for_each(|warning| complain(&warning.to_string()));
}

fn try_all(
    asked: &CheckFile,
    tried: &Tried<'_>,
    poses: &mut dyn Poses,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Refusal> {
    let refused = |error: boxwood::Error| format!("{}: {error}", asked.file.display());
    if asked.dial {
        let rows = dial::rows(tried.model, poses, asked.margin).map_err(refused)?;
        return match json {
            true => rows
                .iter()
                .try_for_each(|row| report::line(&dial_row(asked, tried, poses.count(), row), out)),
            false => Ok(dial::table(&rows, poses.count().max(1), out)?),
        };
    }
    let found = pairs(tried.model, poses, asked.query()).map_err(refused)?;
    let srdf = match (&asked.write_srdf, tried.bare) {
        (Some(output), Some(bare)) => {
            let (models, seed) = ([bare, tried.model], tried.seed.unwrap_or_default());
            Some(write_srdf::write(asked, output, models, (&found, seed))?)
        }
        _ => None,
    };
    if !json {
        told::outcome(tried.model, &found, out)?;
        let tell = |srdf| write_srdf::tell(srdf, found.count, out);
        return Ok(srdf.as_ref().map_or(Ok(()), tell)?);
    }
    let figures = Figures::of(tried.model);
    let [pairs_tested, pairs_possible] = told::pairs_tested(tried.model);
    let name = |part: PartId| tried.model.parts()[part.index()].name().to_owned();
    let pairs = found.by_frequency().into_iter();
    let pairs = pairs.map(|((a, b), samples)| TouchingPair { a: name(a), b: name(b), samples });
    let checked = Checked {
        file: report::name(&asked.file),
        clip: tried.clip.map(str::to_owned),
        accuracy: dial::name(asked.accuracy()),
        margin: asked.margin,
        seed: tried.seed,
        parts: figures.parts,
        parts_with_geometry: figures.with_geometry,
        actuators: tried.actuators,
        pairs_tested,
        pairs_possible,
        samples: found.count,
        colliding: found.colliding,
        pairs: pairs.collect(),
        srdf,
    };
    report::line(&checked, out)
}

fn dial_row(asked: &CheckFile, tried: &Tried<'_>, samples: usize, row: &dial::Row) -> DialRow {
    let Counts { hulls, primitives, .. } = row.counts;
    DialRow {
        file: report::name(&asked.file),
        clip: tried.clip.map(str::to_owned),
        accuracy: dial::name(row.accuracy),
        margin: asked.margin,
        samples,
        colliding: row.colliding,
        box_tests: row.counts.tests(),
        hull_tests: hulls,
        primitive_tests: primitives,
    }
}
