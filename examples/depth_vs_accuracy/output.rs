//! Output: tables, files, plots.

use std::io::{self, Write};
use std::path::Path;

use crate::ablation::Ablation;
use crate::measure::Row;
use crate::measured_character::{SEED, Subject};
use crate::plots::Plots;
use crate::volumes::VolumeRow;
use crate::{files, table};

/// All measurements of one character.
pub struct Results {
    pub hard: Vec<Row>,
    pub clip: Vec<Row>,
    pub ablations: Vec<Ablation>,
    pub volumes: Vec<VolumeRow>,
}

impl Results {
    pub fn print(&self, subject: &Subject, terminal: &mut dyn Write) -> io::Result<()> {
        let (name, size) = (&subject.name, subject.size);
        let cases =
            |rows: &[Row]| rows.first().map_or((0, 0), |r| (r.sample.cases, r.sample.touching));
        let (all, touching) = cases(&self.hard);
        writeln!(
            terminal,
            "\n{name}, HARD poses: parts turned at random, 0.9 to 1.1 of where touching ends, seed {SEED}: {all} cases, \
             {touching} touch.\nLengths in % of {size:.3} units, the character's size at rest."
        )?;
        table::print(terminal, &self.hard, size)?;
        let (all, touching) = cases(&self.clip);
        writeln!(
            terminal,
            "\n{name}, two of it in {}: parts whose world boxes overlap: {all} cases, {touching} touch.",
            subject.clip_names()
        )?;
        table::print(terminal, &self.clip, size)?;
        writeln!(terminal, "{}", table::LEGEND)?;
        writeln!(
            terminal,
            "\n{name}, the hard poses, built in other ways: false positives in % of the cases apart (box tests a yes or no)"
        )?;
        table::print_ablations(terminal, &self.ablations)?;
        table::print_volumes(terminal, &self.volumes)
    }

    /// Writes CSV and SVG, named after the character, to an existing folder.
    pub fn save(&self, subject: &Subject, folder: &Path) -> Result<(), String> {
        let said = |error: io::Error| format!("--out {}: {error}", folder.display());
        let file = |name: &str| folder.join(format!("{}_{name}", subject.name));
        let tables = [("hard", self.hard.as_slice()), ("clip", &self.clip)];
        files::samples(&file("samples.csv"), &tables).map_err(said)?;
        files::ablations(&file("ablations.csv"), &self.ablations).map_err(said)?;
        Plots { subject, results: self }.save(file)
    }
}
