//! The command `boxwood inspect`: contents of files, as text or JSON.

use std::io::Write;
use std::path::Path;

use boxwood::Model;
use boxwood::load::{ElementClass, Loaded, Loader, Robot, elements};

use crate::any_file::{self, ending, standard_input};
use crate::arguments::InspectFiles;
use crate::bar;
use crate::figures::{self, Figures, SkinFigures};
use crate::file_facts::{fingerprint, size, warnings, words};
use crate::inspect_level;
use crate::refusal::{Refusal, complain};
use crate::report::{self, ActuatorLimits, ClipLength, Inspected, Refused, SkinCoverage};

/// Prints every file in turn, and continues after one that is refused.
pub fn run(asked: &InspectFiles, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let mut refused = false;
    for file in &asked.files {
        let told = match ending(file).as_str() {
            "map" => inspect_level::tell(file, json, out),
            _ => inspected(file, asked).and_then(|found| match json {
                true => report::line(&found, out),
                false => Ok(text(&found, out)?),
            }),
        };
        match told {
            Err(Refusal::File(why)) => {
                // Flushed first: both streams may be one terminal.
                out.flush()?;
                complain(&why);
                refused = true;
                if json {
                    report::line(&Refused { file: report::name(file), error: why }, out)?;
                }
            }
            other => other?,
        }
    }
    if refused { Err(Refusal::Told) } else { Ok(()) }
}

fn inspected(file: &Path, asked: &InspectFiles) -> Result<Inspected, Refusal> {
    let file_bytes = size(file)?;
    // Levels have been inspected.
    any_file::check_ending(file, &any_file::endings_with_levels())?;
    let bar = bar::bar();
    let loader = Loader::new().keep_skin(asked.skin).allow_empty(asked.reading.allow_empty);
    let loader = loader.progress(&bar);
    let wishes = asked.reading.wishes();
    let found = match any_file::is_robot(file) {
        true => of_robot(file, file_bytes, &any_file::robot(file, &loader, wishes)?),
        false => of_character(file, file_bytes, &any_file::load_with(file, &loader, wishes)?)?,
    };
    Ok(Inspected { harmless: asked.all.then(|| harmless(file)).transpose()?, ..found })
}

/// Lists what a file contains and is left out without a warning; empty for other formats.
fn harmless(file: &Path) -> Result<Vec<String>, Refusal> {
    if !["glb", "gltf", "urdf", "xml"].contains(&ending(file).as_str()) {
        return Ok(Vec::new());
    }
    if standard_input::is_named(file) {
        return Err(Refusal::Usage("--all does not read standard input".to_owned()));
    }
    let found = elements(file).map_err(|error| error.to_string())?;
    let harmless = found.iter().filter(|element| element.class == ElementClass::Harmless);
    Ok(harmless.map(ToString::to_string).collect())
}

fn of_robot(file: &Path, file_bytes: u64, robot: &Robot<f32>) -> Inspected {
    let actuators = robot
        .mechanism
        .actuators()
        .iter()
        .map(|actuator| ActuatorLimits { name: actuator.name.clone(), limits: actuator.limits });
    Inspected {
        kind: "robot",
        actuators: actuators.collect(),
        warnings: words(&robot.warnings),
        ..of_model((file, file_bytes), &robot.model)
    }
}

fn of_character(file: &Path, file_bytes: u64, loaded: &Loaded<f32>) -> Result<Inspected, Refusal> {
    let skin = figures::skin(loaded);
    let skin = skin.map_err(|error| format!("{}: {error}", file.display()))?;
    let clips = loaded.clips.iter();
    let clips =
        clips.map(|clip| ClipLength { name: clip.name().to_owned(), duration: clip.duration() });
    Ok(Inspected {
        clips: clips.collect(),
        skin: skin.map(skin_coverage),
        warnings: words(&loaded.warnings),
        ..of_model((file, file_bytes), &loaded.model)
    })
}

fn skin_coverage(of: SkinFigures) -> SkinCoverage {
    let SkinFigures { outside, farthest, parts_outside, parts_farthest } = of;
    SkinCoverage { outside, farthest, parts_outside, parts_farthest }
}

fn of_model((file, file_bytes): (&Path, u64), model: &Model) -> Inspected {
    let figures = Figures::of(model);
    Inspected {
        file: report::name(file),
        kind: "character",
        file_bytes,
        parts: figures.parts,
        parts_with_geometry: figures.with_geometry,
        solids: figures.solids,
        triangles: figures.triangles,
        boxes: figures.boxes,
        nodes: figures.nodes,
        model_bytes: figures.bytes,
        fingerprint: fingerprint(model),
        clips: Vec::new(),
        actuators: Vec::new(),
        skin: None,
        warnings: Vec::new(),
        harmless: None,
    }
}

fn text(of: &Inspected, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}: {}, {} bytes", of.file, of.kind, of.file_bytes)?;
    writeln!(
        out,
        "  parts        {:>10}, {} of them with geometry",
        of.parts, of.parts_with_geometry
    )?;
    writeln!(out, "  solids       {:>10}", of.solids)?;
    writeln!(out, "  triangles    {:>10}", of.triangles)?;
    writeln!(out, "  boxes given  {:>10}", of.boxes)?;
    writeln!(out, "  nodes        {:>10} of all trees", of.nodes)?;
    writeln!(out, "  memory       {:>10} bytes", of.model_bytes)?;
    writeln!(out, "  fingerprint  {}", of.fingerprint)?;
    for (index, clip) in of.clips.iter().enumerate() {
        let head = if index == 0 { "clips" } else { "" };
        writeln!(out, "  {head:<12} {:>8.3} s  {}", clip.duration, clip.name)?;
    }
    for (index, actuator) in of.actuators.iter().enumerate() {
        let head = if index == 0 { "actuators" } else { "" };
        let limits = match actuator.limits {
            Some([least, most]) => format!("{least:.4} to {most:.4}"),
            None => "no limits".to_owned(),
        };
        writeln!(out, "  {head:<12} {}: {limits}", actuator.name)?;
    }
    if let Some(skin) = &of.skin {
        let [outside, farthest] = [skin.outside, skin.farthest].map(|share| 100.0 * share);
        writeln!(
            out,
            "  skin         {outside:.2} % of its corners outside eight boxes a part, by at most \
             {farthest:.2} % of the size"
        )?;
        let [outside, farthest] =
            [skin.parts_outside, skin.parts_farthest].map(|share| 100.0 * share);
        writeln!(
            out,
            "               {outside:.2} % of the parts outside the skin, by at most {farthest:.2} % \
             of the size"
        )?;
    }
    warnings(&of.warnings, out)?;
    if let Some(harmless) = &of.harmless {
        writeln!(out, "  harmless     {:>10} kinds, left out without a warning", harmless.len())?;
        harmless.iter().try_for_each(|kind| writeln!(out, "    {kind}"))?;
    }
    Ok(())
}
