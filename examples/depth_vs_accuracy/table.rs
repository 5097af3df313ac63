//! Tables for the terminal, with aligned columns.

use std::io::{self, Write};

use boxwood::accuracy::{Sample, Spread};

use crate::ablation::Ablation;
use crate::measure::Row;
use crate::volumes::VolumeRow;

const HEAD: [[&str; 13]; 3] = [
    [
        "",
        "missed",
        "false",
        "point off",
        "clamped",
        "point",
        "depth off",
        "slack",
        "boxes/",
        "box",
        "hull",
        "prim.",
        "ns, yes",
    ],
    ["", "", "pos.", "", "point off", "off", "", "", "volume", "tests", "tests", "tests", "or no"],
    [
        "",
        "of touch.",
        "% apart",
        "median  90 %",
        "median  90 %",
        "% part",
        "median  90 %",
        "mean  worst",
        "",
        "",
        "",
        "",
        "  all",
    ],
];
const WIDTH: [usize; 13] = [13, 9, 7, 13, 13, 6, 13, 13, 6, 6, 6, 6, 15];

/// Legend of the columns.
pub const LEGEND: &str = "
missed: of the cases that touch (exactly), not reported. false positives: of the cases that do not touch, reported.
point off: from the point of the deepest contact (diagonal ratio), or from the clamped centres, to the middle of the true
intersection; '% part': its median over the diagonal of the smaller part's box. depth off: the deepest contact's depth less the true
way out along its normal. slack: as stated, the least of a case. boxes/volume: of all boxes of a cut over the solid part, mean over the parts;
under 1 where boxes line the skin only. tests: for a yes or no, mean. ns: mean a pair of parts, for a yes or no / for all contacts.";

/// Prints one table: lengths as percentages of `size`.
pub fn print(terminal: &mut dyn Write, rows: &[Row], size: f64) -> io::Result<()> {
    for line in HEAD {
        line_of(terminal, line.map(str::to_owned))?;
    }
    for row in rows {
        let sample = &row.sample;
        let length = |x: f64| format!("{:.2}", 100.0 * x / size);
        let two = |a: f64, b: f64| format!("{:>6} {:>6}", length(a), length(b));
        let off = |of: &Spread| two(of.median, of.ninety);
        let cells = [
            row.label.clone(),
            format!("{} of {}", sample.misses, sample.touching),
            format!("{:.1}", falsely(sample)),
            off(&sample.point_error),
            off(&sample.clamped_error),
            format!("{:.1}", 100.0 * sample.point_share.median),
            off(&sample.depth_error),
            two(sample.slack.mean, sample.slack.worst),
            row.volume.map_or_else(String::new, |volume| format!("{volume:.2}")),
            format!("{:.0}", sample.tests.mean),
            format!("{:.1}", sample.hulls.mean),
            format!("{:.0}", sample.primitives.mean),
            format!("{:.0} {:>7.0}", row.yes_or_no, row.contacts),
        ];
        line_of(terminal, cells)?;
    }
    Ok(())
}

fn line_of(terminal: &mut dyn Write, cells: [String; 13]) -> io::Result<()> {
    write!(terminal, "{:<width$}", cells[0], width = WIDTH[0])?;
    for (cell, width) in cells.iter().zip(WIDTH).skip(1) {
        write!(terminal, " {cell:>width$}")?;
    }
    writeln!(terminal)
}

/// Depths to print side by side.
const DEPTHS: [usize; 6] = [2, 4, 6, 8, 10, 16];

/// Prints every set of build options.
pub fn print_ablations(terminal: &mut dyn Write, ablations: &[Ablation]) -> io::Result<()> {
    write!(terminal, "{:<26}", "")?;
    for depth in DEPTHS {
        write!(terminal, "  {:>13}", format!("depth {depth}"))?;
    }
    writeln!(terminal, "  {:>6} {:>7} {:>7} {:>8}", "exact", "missed", "surface", "build ms")?;
    for ablation in ablations {
        write!(terminal, "{:<26}", ablation.way.name)?;
        for sample in DEPTHS.map(|depth| &ablation.depths[depth]) {
            let tests = format!("({:.0})", sample.tests.mean);
            write!(terminal, "  {:>6.1} {tests:>6}", falsely(sample))?;
        }
        let missed: usize = ablation.depths.iter().map(|sample| sample.misses).sum();
        writeln!(
            terminal,
            "  {:>6.0} {missed:>7} {:>7.2} {:>8.1}",
            ablation.exact.tests.mean, ablation.surface, ablation.build
        )?;
    }
    Ok(())
}

/// Prints other volumes, below the sets of build options.
pub fn print_volumes(terminal: &mut dyn Write, volumes: &[VolumeRow]) -> io::Result<()> {
    for VolumeRow { name, depths, missed } in volumes {
        write!(terminal, "{name:<26}")?;
        for (share, tests) in DEPTHS.map(|depth| depths[depth]) {
            write!(terminal, "  {share:>6.1} {:>6}", format!("({tests:.0})"))?;
        }
        writeln!(terminal, "  {:>6} {missed:>7}", "")?;
    }
    Ok(())
}

/// False positives: reported share of the cases that do not touch. Percent.
pub fn falsely(sample: &Sample) -> f64 {
    let apart = sample.cases - sample.touching;
    100.0 * sample.false_positives as f64 / apart.max(1) as f64
}
