//! The command `boxwood picture`: the boxes of a character or a robot as an SVG file, without a
//! browser.

use std::fs;
use std::io::Write;
use std::sync::Arc;

use boxwood::load::Loader;
use boxwood::motion::{Joints, Mechanism};
use boxwood::{Model, Pose, UpAxis};

use crate::any_file::{self, Wishes};
use crate::arguments::{PictureFile, PictureUp};
use crate::bake::check_apart;
use crate::bar;
use crate::box_picture::{self, Scenery};
use crate::file_facts::words;
use crate::refusal::{Refusal, complain};
use crate::report::{self, Pictured};
use crate::robots::check_described_flags;

/// A posed model.
struct Posed {
    model: Arc<Model>,
    poses: Vec<Pose>,
    /// Name of the clip; `None` for the rest pose and for robots.
    clip: Option<String>,
    up: UpAxis,
    warnings: Vec<String>,
}

/// Draws the file.
pub fn run(asked: &PictureFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let (file, output) = (asked.file.as_path(), asked.output.as_path());
    check_apart(file, output)?;
    let posed = posed(asked)?;
    any_file::check_parts(file, &posed.model)?;
    let up = match asked.up {
        Some(PictureUp::Y) => UpAxis::Y,
        Some(PictureUp::Z) => UpAxis::Z,
        None => posed.up,
    };
    let scenery = Scenery { up, eye: asked.eye, depth: asked.depth, title: title(asked, &posed) };
    let drawn = box_picture::draw(&posed.model, &posed.poses, &scenery)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    fs::write(output, &drawn.svg).map_err(Refusal::file(output))?;
    let pictured = Pictured {
        file: report::name(file),
        output: report::name(output),
        bytes: drawn.svg.len(),
        clip: posed.clip,
        time: asked.time.filter(|_| asked.clip.is_some()),
        depth: asked.depth,
        boxes: drawn.boxes,
        warnings: posed.warnings,
    };
    if json {
        return report::line(&pictured, out);
    }
    pictured.warnings.iter().for_each(|warning| complain(warning));
    let Pictured { output, bytes, depth, boxes, .. } = &pictured;
    Ok(writeln!(out, "{output}: {bytes} bytes, {boxes} boxes at depth {depth}")?)
}

/// Loads the file, and poses it.
fn posed(asked: &PictureFile) -> Result<Posed, Refusal> {
    let file = asked.file.as_path();
    let is_robot = any_file::is_robot(file);
    check_described_flags(file, &[(asked.reading.visual, "--visual")])?;
    let wrong = [
        (asked.clip.is_some() && is_robot, "--clip requires a character; a robot has --values"),
        (asked.values.is_some() && !is_robot, "--values requires a robot; a character has --clip"),
    ];
    if let Some((_, why)) = wrong.iter().find(|(is, _)| *is) {
        return Err(Refusal::Usage((*why).to_owned()));
    }
    let bar = bar::bar();
    let loader = Loader::new().allow_empty(asked.reading.allow_empty).progress(&bar);
    let wishes = asked.reading.wishes();
    match is_robot {
        true => of_robot(asked, &loader, wishes),
        false => of_character(asked, &loader, wishes),
    }
}

fn of_robot(asked: &PictureFile, loader: &Loader<'_>, wishes: Wishes) -> Result<Posed, Refusal> {
    let robot = any_file::robot(&asked.file, loader, wishes)?;
    let (mechanism, mut poses) = (&robot.mechanism, Vec::new());
    let values = values(mechanism, asked.values.as_deref().unwrap_or_default());
    let values = values.map_err(|why| Refusal::Usage(format!("--values: {why}")))?;
    let posed = mechanism.poses(&values, &mut poses);
    posed.map_err(|error| Refusal::Usage(format!("--values: {error}")))?;
    let warnings = words(&robot.warnings);
    Ok(Posed { model: robot.model, poses, clip: None, up: UpAxis::Z, warnings })
}

fn of_character(
    asked: &PictureFile,
    loader: &Loader<'_>,
    wishes: Wishes,
) -> Result<Posed, Refusal> {
    let file = asked.file.as_path();
    let loaded = any_file::load_with(file, loader, wishes)?;
    let (mut poses, mut clip) = (loaded.model.bind_poses(), None);
    if let Some(name) = &asked.clip {
        let refused = |why: String| format!("{}: {why}", file.display());
        let found = any_file::clip_as(&loaded, Some(name), wishes).map_err(refused)?;
        let (time, mut joints) = (asked.time.unwrap_or(0.0), Joints::new());
        let sampled = found.sample(time, &mut joints);
        poses = sampled.map_err(|error| refused(error.to_string()))?.to_vec();
        clip = Some(found.name().to_owned());
    }
    let warnings = words(&loaded.warnings);
    Ok(Posed { model: loaded.model, poses, clip, up: UpAxis::Y, warnings })
}

/// Returns a value for each actuator: a list of them in their order, or of some by name (`elbow=1`)
/// and the rest values of the others.
fn values(mechanism: &Mechanism, text: &str) -> Result<Vec<f32>, String> {
    let mut values: Vec<f32> = mechanism.rest().iter().map(|&value| value as f32).collect();
    let words: Vec<&str> = text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    let number = |word: &str| {
        let value: Option<f32> = word.trim().parse().ok().filter(|value: &f32| value.is_finite());
        value.ok_or_else(|| format!("'{word}' is not a finite number"))
    };
    if words.iter().any(|word| word.contains('=')) {
        for word in words {
            let (name, value) = word.split_once('=').ok_or_else(|| {
                format!("'{word}' has no name: either all values have one, or none")
            })?;
            let index = mechanism.actuator(name.trim()).map_err(|error| error.to_string())?;
            values[index] = number(value)?;
        }
        return Ok(values);
    }
    if !words.is_empty() {
        values = words.iter().map(|word| number(word)).collect::<Result<_, _>>()?;
    }
    Ok(values)
}

/// Returns the line of text above the picture.
fn title(asked: &PictureFile, posed: &Posed) -> String {
    let name = asked.file.file_name().unwrap_or_default().to_string_lossy();
    let pose = match (&posed.clip, &asked.values) {
        (Some(clip), _) => format!(", {clip} at {} s", asked.time.unwrap_or(0.0)),
        (None, Some(_)) => String::new(),
        (None, None) => ", at rest".to_owned(),
    };
    let name = if name == "-" { "standard input".into() } else { name };
    format!("{name}{pose}: boxes at depth {} of the trees", asked.depth)
}
