//! Tables: aligned for the terminal, with all digits for a file.

use std::io::{self, Write};
use std::path::Path;

use crate::measure::Row;

/// Lengths as percentages of `size`.
pub fn print(terminal: &mut dyn Write, title: &str, rows: &[Row], size: f64) -> io::Result<()> {
    let Some(first) = rows.first() else { return Ok(()) };
    let (cases, touching) = (first.sample.cases, first.sample.touching);
    writeln!(
        terminal,
        "\n{title}: {cases} cases, {touching} touch. Lengths in % of {size:.3} units, the size at rest."
    )?;
    writeln!(
        terminal,
        "{:<13} {:>6} {:>7} {:>13} {:>13} {:>13} {:>13} {:>7} {:>7} {:>6} {:>7}",
        "",
        "misses",
        "false",
        "point",
        "clamped",
        "depth",
        "slack",
        "boxes/",
        "box",
        "prim.",
        "ns a"
    )?;
    writeln!(
        terminal,
        "{:<13} {:>6} {:>7} {:>13} {:>13} {:>13} {:>13} {:>7} {:>7} {:>6} {:>7}",
        "",
        "",
        "%",
        "median  90 %",
        "median  90 %",
        "median  90 %",
        "mean  worst",
        "volume",
        "tests",
        "tests",
        "query"
    )?;
    for row in rows {
        let sample = &row.sample;
        let length = |x: f64| 100.0 * x / size;
        let two = |a: f64, b: f64| format!("{:>6.2} {:>6.2}", length(a), length(b));
        writeln!(
            terminal,
            "{:<13} {:>6} {:>7.1} {:>13} {:>13} {:>13} {:>13} {:>7} {:>7.0} {:>6.0} {:>7.0}",
            row.label,
            sample.misses,
            falsely(row),
            two(sample.point_error.median, sample.point_error.ninety),
            two(sample.clamped_error.median, sample.clamped_error.ninety),
            two(sample.depth_error.median, sample.depth_error.ninety),
            two(sample.slack.mean, sample.slack.worst),
            row.volume.map_or_else(String::new, |volume| format!("{volume:.2}")),
            sample.tests.mean,
            sample.primitives.mean,
            row.nanoseconds
        )?;
    }
    Ok(())
}

/// Of the cases that do not touch, how many were reported. Percent.
pub fn falsely(row: &Row) -> f64 {
    let apart = row.sample.cases - row.sample.touching;
    100.0 * row.sample.false_positives as f64 / apart.max(1) as f64
}

/// Lengths in units of the file.
pub fn save(path: &Path, tables: &[(String, &[Row])]) -> io::Result<()> {
    let mut file = io::BufWriter::new(std::fs::File::create(path)?);
    writeln!(
        file,
        "cases_of,setting,cases,touching,reported,misses,false_positives,point_median,point_90,clamped_median,clamped_90,\
         depth_error_median,depth_error_90,slack_mean,slack_worst,boxes_over_volume,box_tests_mean,primitive_tests_mean,ns_a_query"
    )?;
    for (of, rows) in tables {
        for row in *rows {
            let s = &row.sample;
            let counts = [s.cases, s.touching, s.reported, s.misses, s.false_positives];
            let lengths = [
                s.point_error.median,
                s.point_error.ninety,
                s.clamped_error.median,
                s.clamped_error.ninety,
                s.depth_error.median,
                s.depth_error.ninety,
                s.slack.mean,
                s.slack.worst,
                row.volume.unwrap_or(f64::NAN),
                s.tests.mean,
                s.primitives.mean,
                row.nanoseconds,
            ];
            write!(file, "{of},{}", row.label)?;
            counts.iter().try_for_each(|n| write!(file, ",{n}"))?;
            lengths.iter().try_for_each(|x| write!(file, ",{x:.6e}"))?;
            writeln!(file)?;
        }
    }
    file.flush()
}
