//! The command `boxwood bake`: writes a character or a robot with its trees built to a file.

use std::fs;
use std::io::Write;
use std::path::Path;

use boxwood::load::Loader;

use crate::any_file;
use crate::arguments::BakeFile;
use crate::bar;
use crate::file_facts::{fingerprint, words};
use crate::refusal::{Refusal, complain};
use crate::report::{self, Baked};
use crate::robots::{check_described_flags, check_urdf_flags, with_srdf};

/// Loads the character or the robot and writes it.
pub fn run(asked: &BakeFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let (file, output) = (&asked.file, &asked.output);
    check_apart(file, output)?;
    check_urdf_flags(file, &[(asked.srdf.is_some(), "--srdf")])?;
    check_described_flags(file, &[(asked.reading.visual, "--visual")])?;
    let bar = bar::bar();
    let loader = Loader::new().allow_empty(asked.reading.allow_empty).progress(&bar);
    let loader = with_srdf(loader, asked.srdf.as_deref());
    let wishes = asked.reading.wishes();
    let refused = |error: boxwood::Error| format!("{}: {error}", file.display());
    let (bytes, baked) = match any_file::is_robot(file) {
        true => {
            let robot = any_file::robot(file, &loader, wishes)?;
            let bytes = robot.bake().map_err(refused)?;
            let baked = Baked {
                kind: "robot",
                actuators: Some(robot.mechanism.actuators().len()),
                warnings: words(&robot.warnings),
                ..baked(asked, &robot.model)
            };
            (bytes, baked)
        }
        false => {
            let loaded = any_file::load_with(file, &loader, wishes)?;
            let bytes = loaded.bake().map_err(refused)?;
            let (clips, warnings) = (loaded.clips.len(), words(&loaded.warnings));
            (bytes, Baked { clips, warnings, ..baked(asked, &loaded.model) })
        }
    };
    fs::write(output, &bytes).map_err(Refusal::file(output))?;
    let baked = Baked { bytes: bytes.len(), ..baked };
    if json {
        return report::line(&baked, out);
    }
    baked.warnings.iter().for_each(|warning| complain(warning));
    let Baked { output, bytes, parts, clips, fingerprint, actuators, .. } = &baked;
    let moved = match actuators {
        Some(actuators) => format!("{actuators} actuators"),
        None => format!("{clips} clips"),
    };
    let told = format!("{bytes} bytes, {parts} parts, {moved}, fingerprint {fingerprint}");
    Ok(writeln!(out, "{output}: {told}")?)
}

/// Returns the answer for a character without clips.
fn baked(asked: &BakeFile, model: &boxwood::Model) -> Baked {
    Baked {
        file: report::name(&asked.file),
        output: report::name(&asked.output),
        bytes: 0,
        parts: model.len(),
        clips: 0,
        fingerprint: fingerprint(model),
        warnings: Vec::new(),
        kind: "character",
        actuators: None,
    }
}

/// Refuses to write over the file that is read.
pub fn check_apart(file: &Path, output: &Path) -> Result<(), Refusal> {
    let same = file.canonicalize().ok().zip(output.canonicalize().ok());
    match same.is_some_and(|(file, output)| file == output) {
        true => Err(Refusal::Usage(format!(
            "{}: the output would overwrite this input",
            file.display()
        ))),
        false => Ok(()),
    }
}
