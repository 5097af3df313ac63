//! Facts of a file that several commands print: size, warnings, fingerprint.

use std::io::Write;
use std::path::Path;

use boxwood::Model;
use boxwood::load::Warning;

use crate::any_file::standard_input;
use crate::refusal::Refusal;

/// Returns the size of a file [bytes].
pub fn size(file: &Path) -> Result<u64, Refusal> {
    if standard_input::is_named(file) {
        return Ok(standard_input::bytes(file)?.len() as u64);
    }
    Ok(std::fs::metadata(file).map_err(Refusal::file(file))?.len())
}

/// Warnings of the library as texts.
pub fn words(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(ToString::to_string).collect()
}

/// Fingerprint as text.
pub fn fingerprint(model: &Model) -> String {
    format!("{:016x}", model.fingerprint())
}

/// Prints the warnings, each on a line.
pub fn warnings(warnings: &[String], out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "  warnings     {:>10}", warnings.len())?;
    warnings.iter().try_for_each(|warning| writeln!(out, "    {warning}"))
}
