//! The command `boxwood bake`: writes a character with its trees built to a file.

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

/// Loads the character and writes it.
pub fn run(asked: &BakeFile, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let (file, output) = (&asked.file, &asked.output);
    check_apart(file, output)?;
    let bar = bar::bar();
    let loader = Loader::new().allow_empty(asked.reading.allow_empty).progress(&bar);
    let loaded = any_file::load_with(file, &loader, asked.reading.wishes())?;
    let bytes = loaded.bake().map_err(|error| format!("{}: {error}", file.display()))?;
    fs::write(output, &bytes).map_err(Refusal::file(output))?;
    let baked = Baked {
        file: report::name(file),
        output: report::name(output),
        bytes: bytes.len(),
        parts: loaded.model.len(),
        clips: loaded.clips.len(),
        fingerprint: fingerprint(&loaded.model),
        warnings: words(&loaded.warnings),
    };
    if json {
        return report::line(&baked, out);
    }
    baked.warnings.iter().for_each(|warning| complain(warning));
    let Baked { output, bytes, parts, clips, fingerprint, .. } = &baked;
    let told = format!("{bytes} bytes, {parts} parts, {clips} clips, fingerprint {fingerprint}");
    Ok(writeln!(out, "{output}: {told}")?)
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
