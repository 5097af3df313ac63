//! The command `boxwood check --write-srdf`: the pairs that need no test, as an SRDF file.
//!
//! Adjacent pairs overlap where they are joined, and pairs that touch in every sample carry no
//! information. Pairs that touch in no sample may touch elsewhere: samples prove nothing, so these
//! are left out. `boxwood matrix` proves them.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use boxwood::{Model, PartId};

use crate::any_file::standard_input;
use crate::arguments::CheckFile;
use crate::drawing::xml_text::escaped;
use crate::refusal::Refusal;
use crate::report::{self, PartPair, WrittenSrdf};
use crate::samples::Samples;

type Pair = (PartId, PartId);

/// Pairs of links with geometry, by the reason for their line in the file; each list in the order
/// of the links.
#[derive(Debug, Default)]
struct Sorted {
    /// Pairs in one rigid piece, or in parent and child piece.
    adjacent: Vec<Pair>,
    /// Pairs that the input SRDF file disables.
    given: Vec<Pair>,
    /// Adjacent pairs that the input SRDF file enables.
    enabled: Vec<Pair>,
    /// Pairs that touch in every sample.
    always: Vec<Pair>,
    /// Tested pairs that touch in no sample.
    never: Vec<Pair>,
}

impl Sorted {
    /// Sorts the pairs of a model; `bare` is the model without an SRDF file.
    fn of(bare: &Model, model: &Model, found: &Samples) -> Self {
        let mut sorted = Sorted::default();
        let parts = model.parts().iter().filter(|part| part.tree().is_some());
        let parts: Vec<PartId> = parts.map(|part| part.id()).collect();
        for (index, &a) in parts.iter().enumerate() {
            for &b in &parts[index + 1..] {
                let touching = found.pairs.get(&(a, b)).copied().unwrap_or(0);
                let is_adjacent = bare.ignores(a, b);
                if model.ignores(a, b) {
                    let list = if is_adjacent { &mut sorted.adjacent } else { &mut sorted.given };
                    list.push((a, b));
                    continue;
                }
                if touching > 0 && touching == found.count {
                    sorted.always.push((a, b));
                    continue;
                }
                if touching == 0 {
                    sorted.never.push((a, b));
                }
                if is_adjacent {
                    sorted.enabled.push((a, b));
                }
            }
        }
        sorted
    }
}

/// Checks the output before sampling: its folder must exist, and it must not overwrite an input
/// file, because an SRDF file contains more than pairs.
pub fn check_output(asked: &CheckFile, output: &Path) -> Result<(), Refusal> {
    if asked.samples == Some(0) {
        return Err(Refusal::Usage("--write-srdf needs at least one sample".to_owned()));
    }
    check_srdf_output((&asked.file, asked.srdf.as_deref()), output)
}

/// Refuses an output in no folder, or in the place of an input.
pub fn check_srdf_output(
    (file, srdf): (&Path, Option<&Path>),
    output: &Path,
) -> Result<(), Refusal> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(Refusal::File(format!("{}: its folder does not exist", output.display())));
    }
    crate::bake::check_apart(file, output)?;
    srdf.map_or(Ok(()), |srdf| crate::bake::check_apart(srdf, output))
}

/// Writes the file; returns its pairs, and those that touch in no sample.
pub fn write(
    asked: &CheckFile,
    output: &Path,
    [bare, model]: [&Model; 2],
    (found, seed): (&Samples, u64),
) -> Result<WrittenSrdf, Refusal> {
    let sorted = Sorted::of(bare, model, found);
    let text = text(asked, model, &sorted, (found.count, seed));
    fs::write(output, text).map_err(Refusal::file(output))?;
    let name = |part: PartId| model.parts()[part.index()].name().to_owned();
    Ok(WrittenSrdf {
        output: report::name(output),
        adjacent: sorted.adjacent.len(),
        given: sorted.given.len(),
        enabled: sorted.enabled.len(),
        always: sorted.always.len(),
        never: sorted.never.iter().map(|&(a, b)| PartPair { a: name(a), b: name(b) }).collect(),
    })
}

/// Returns the text of the SRDF file. Reasons are those of MoveIt, with the number of samples where
/// that matters.
fn text(asked: &CheckFile, model: &Model, sorted: &Sorted, (count, seed): (usize, u64)) -> String {
    let name = |part: PartId| escaped(model.parts()[part.index()].name());
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let file = asked.file.file_name().unwrap_or_default().to_string_lossy();
    let file = file.replace(char::is_control, " ").replace('-', "\u{2010}");
    let _ = writeln!(
        text,
        "<!-- Written by `boxwood check` from {file}: {count} random configurations, seed {seed}.\n     \
         Adjacent: links that fixed joints join, and neighbours by one joint.\n     \
         Always: touching in every sample.\n     \
         Pairs that were never seen to touch are tested. -->"
    );
    let _ = writeln!(text, "<robot name=\"{}\">", escaped(&robot_name(&asked.file)));
    for &(a, b) in &sorted.enabled {
        let (a, b) = (name(a), name(b));
        let _ = writeln!(text, "  <enable_collisions link1=\"{a}\" link2=\"{b}\"/>");
    }
    let always = format!("Always ({count} samples)");
    for (pairs, reason) in
        [(&sorted.adjacent[..], "Adjacent"), (&sorted.always, &always), (&sorted.given, "User")]
    {
        for &(a, b) in pairs {
            let (a, b) = (name(a), name(b));
            let _ = writeln!(
                text,
                "  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/>"
            );
        }
    }
    text + "</robot>\n"
}

/// Name of the robot in its URDF file, which the SRDF file must repeat; otherwise the file's name.
pub fn robot_name(urdf: &Path) -> String {
    let named = || {
        let text = String::from_utf8(standard_input::bytes(urdf).ok()?.into_owned()).ok()?;
        let document = roxmltree::Document::parse(text.trim_start_matches('\u{feff}')).ok()?;
        document.root_element().attribute("name").map(str::to_owned)
    };
    named().unwrap_or_else(|| urdf.file_stem().unwrap_or_default().to_string_lossy().into_owned())
}

/// Prints the pairs by class, and each pair that touches in no sample.
pub fn tell(written: &WrittenSrdf, samples: usize, out: &mut dyn Write) -> io::Result<()> {
    let WrittenSrdf { output, adjacent, given, enabled, always, never } = written;
    writeln!(out, "adjacent             {adjacent:>12} pairs")?;
    writeln!(out, "touching always      {always:>12} pairs")?;
    if given + enabled > 0 {
        writeln!(out, "given by --srdf      {given:>12} pairs, {enabled} enabled")?;
    }
    writeln!(
        out,
        "never seen to touch  {:>12} pairs in {samples} samples, no proof: not written (see \
         `boxwood matrix`)",
        never.len()
    )?;
    for PartPair { a, b } in never {
        writeln!(out, "  {a} - {b}")?;
    }
    writeln!(out, "{output}: {} pairs disabled", written.disabled())
}
