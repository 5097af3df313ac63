//! Tables as CSV: every number with six digits, lengths in units of the file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use boxwood::accuracy::{Sample, Spread};

use crate::ablation::Ablation;
use crate::measure::Row;

const COUNTS: &str = "cases,touching,reported,misses,false_positives";
const SPREADS: [&str; 9] = [
    "point_off",
    "clamped_off",
    "point_off_over_part",
    "clamped_off_over_part",
    "depth_off",
    "slack",
    "box_tests",
    "hull_tests",
    "primitive_tests",
];

/// Writes every setting over every set of cases.
pub fn samples(path: &Path, tables: &[(&str, &[Row])]) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let spreads = head(&SPREADS);
    writeln!(
        file,
        "cases_of,setting,{COUNTS}{spreads},boxes_over_volume,ns_yes_or_no,ns_contacts"
    )?;
    for (of, rows) in tables {
        for row in *rows {
            write!(file, "{of},{}", row.label)?;
            sample(&mut file, &row.sample)?;
            let volume = row.volume.map_or_else(String::new, |volume| format!("{volume:.6e}"));
            writeln!(file, ",{volume},{:.1},{:.1}", row.yes_or_no, row.contacts)?;
        }
    }
    file.flush()
}

/// Writes every set of build options, by depth and exactly.
pub fn ablations(path: &Path, ablations: &[Ablation]) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(
        file,
        "build,setting,{COUNTS},slack_mean,slack_worst,box_tests_mean,hull_tests_mean,primitive_tests_mean,\
         surface_over_default,build_ms"
    )?;
    for way in ablations {
        let depths = way.depths.iter().enumerate().map(|(i, s)| (format!("depth {i}"), s));
        for (setting, s) in depths.chain([("exact".to_owned(), &way.exact)]) {
            write!(file, "{},{setting}", way.way.name.replace(',', ";"))?;
            counts(&mut file, s)?;
            let means =
                [s.slack.mean, s.slack.worst, s.tests.mean, s.hulls.mean, s.primitives.mean];
            means.iter().try_for_each(|x| write!(file, ",{x:.6e}"))?;
            writeln!(file, ",{:.4},{:.2}", way.surface, way.build)?;
        }
    }
    file.flush()
}

fn head(names: &[&str]) -> String {
    let four = |name: &&str| format!(",{name}_mean,{name}_median,{name}_90,{name}_worst");
    names.iter().map(four).collect()
}

fn counts(file: &mut dyn Write, s: &Sample) -> io::Result<()> {
    let counts = [s.cases, s.touching, s.reported, s.misses, s.false_positives];
    counts.iter().try_for_each(|n| write!(file, ",{n}"))
}

fn sample(file: &mut dyn Write, s: &Sample) -> io::Result<()> {
    counts(file, s)?;
    let spreads: [&Spread; SPREADS.len()] = [
        &s.point_error,
        &s.clamped_error,
        &s.point_share,
        &s.clamped_share,
        &s.depth_error,
        &s.slack,
        &s.tests,
        &s.hulls,
        &s.primitives,
    ];
    for of in spreads {
        for x in [of.mean, of.median, of.ninety, of.worst] {
            write!(file, ",{x:.6e}")?;
        }
    }
    Ok(())
}
