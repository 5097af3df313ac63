//! What comes out: tables, files, plots.

use std::io::{self, Write};
use std::path::Path;

use boxwood::Accuracy;
use plotters::prelude::SeriesLabelPosition;

use crate::ablation::Ablation;
use crate::measure::Row;
use crate::plot::Plot;
use crate::subject::Subject;
use crate::table::{self, falsely};

/// Everything measured of one character.
pub struct Results {
    pub hard: Vec<Row>,
    pub clip: Vec<Row>,
    pub ablations: Vec<Ablation>,
}

impl Results {
    pub fn print(&self, subject: &Subject, terminal: &mut dyn Write) -> io::Result<()> {
        let title = format!("{}, hard poses (0.9 to 1.1 of where touching ends)", subject.name);
        table::print(terminal, &title, &self.hard, subject.size)?;
        let title = format!("{}, two of it in clip '{}'", subject.name, subject.clip);
        table::print(terminal, &title, &self.clip, subject.size)?;
        writeln!(
            terminal,
            "\n{}, hard poses, built in other ways: false positives in % (box tests a query)",
            subject.name
        )?;
        for way in &self.ablations {
            write!(terminal, "{:<24}", way.name)?;
            for (depth, falsely, tests) in way.by_depth.iter().filter(|d| d.0 <= 10) {
                write!(terminal, "  {depth:>2}: {falsely:>5.1} ({tests:>4.0})")?;
            }
            writeln!(
                terminal,
                "  exact: {:>5.0} tests  surface {:.2}",
                way.exact_tests, way.surface
            )?;
        }
        Ok(())
    }

    pub fn save(&self, subject: &Subject, folder: &Path) -> Result<(), String> {
        let said = |error: io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(said)?;
        let file = |name: &str| folder.join(format!("{}_{name}", subject.name));
        let tables = [("hard".to_owned(), self.hard.as_slice()), ("clip".to_owned(), &self.clip)];
        table::save(&file("samples.csv"), &tables).map_err(said)?;
        self.save_ablations(&file("ablations.csv")).map_err(said)?;
        self.falsely(subject).save(&file("false_positives.svg"))?;
        self.tolerances(subject).save(&file("tolerances.svg"))?;
        self.lengths(subject).save(&file("lengths.svg"))?;
        self.costs(subject).save(&file("costs.svg"))?;
        self.builds(subject).save(&file("ablations.svg"))
    }

    fn save_ablations(&self, path: &Path) -> io::Result<()> {
        let mut file = io::BufWriter::new(std::fs::File::create(path)?);
        writeln!(
            file,
            "build,depth,false_positives_percent,box_tests_mean,exact_box_tests_mean,surface_over_default"
        )?;
        for way in &self.ablations {
            for (depth, falsely, tests) in &way.by_depth {
                let name = way.name.replace(',', ";");
                writeln!(
                    file,
                    "{name},{depth},{falsely:.3},{tests:.1},{:.1},{:.4}",
                    way.exact_tests, way.surface
                )?;
            }
        }
        file.flush()
    }

    fn falsely(&self, subject: &Subject) -> Plot<'_> {
        let line = |rows: &[Row]| by_depth(rows, falsely);
        let apart =
            |rows: &[Row]| rows.first().map_or(0, |row| row.sample.cases - row.sample.touching);
        Plot {
            title: format!("{}: reported although apart (exact: none; missed: none)", subject.name),
            x: "depth of the cut",
            y: "false positives, % of the cases apart",
            log: [false, false],
            legend: SeriesLabelPosition::UpperRight,
            lines: vec![
                (format!("hard poses (n = {})", apart(&self.hard)), line(&self.hard)),
                (format!("clip '{}' (n = {})", subject.clip, apart(&self.clip)), line(&self.clip)),
            ],
        }
    }

    fn tolerances(&self, subject: &Subject) -> Plot<'_> {
        let line = |rows: &[Row]| -> Vec<(f64, f64)> {
            let tolerance = |row: &Row| match row.sample.accuracy {
                Accuracy::Within(t) => Some((100.0 * t / subject.size, falsely(row))),
                _ => None,
            };
            rows.iter().filter_map(tolerance).collect()
        };
        Plot {
            title: format!(
                "{}: reported although apart, by tolerance (missed: none)",
                subject.name
            ),
            x: "tolerance, % of the character's size",
            y: "false positives, % of the cases apart",
            log: [true, false],
            legend: SeriesLabelPosition::UpperLeft,
            lines: vec![
                ("hard poses".to_owned(), line(&self.hard)),
                (format!("clip '{}'", subject.clip), line(&self.clip)),
            ],
        }
    }

    fn lengths(&self, subject: &Subject) -> Plot<'_> {
        let line = |of: fn(&Row) -> f64| by_depth(&self.hard, |row| 100.0 * of(row) / subject.size);
        Plot {
            title: format!("{}, hard poses: how far off answers are", subject.name),
            x: "depth of the cut",
            y: "length, % of the character's size",
            log: [false, false],
            legend: SeriesLabelPosition::UpperRight,
            lines: vec![
                ("slack stated, worst".to_owned(), line(|row| row.sample.slack.worst)),
                ("slack stated, mean".to_owned(), line(|row| row.sample.slack.mean)),
                (
                    "point (diagonal ratio), median".to_owned(),
                    line(|row| row.sample.point_error.median),
                ),
                (
                    "point (clamped centres), median".to_owned(),
                    line(|row| row.sample.clamped_error.median),
                ),
            ],
        }
    }

    fn costs(&self, subject: &Subject) -> Plot<'_> {
        Plot {
            title: format!("{}, hard poses: what a yes or no about two parts costs", subject.name),
            x: "depth of the cut",
            y: "mean a query",
            log: [false, true],
            legend: SeriesLabelPosition::UpperLeft,
            lines: vec![
                ("box tests".to_owned(), by_depth(&self.hard, |row| row.sample.tests.mean)),
                ("nanoseconds".to_owned(), by_depth(&self.hard, |row| row.nanoseconds)),
            ],
        }
    }

    fn builds(&self, subject: &Subject) -> Plot<'_> {
        let line = |way: &Ablation| {
            let points = way.by_depth.iter().map(|&(_, falsely, tests)| (tests, falsely));
            (way.name.to_owned(), points.collect())
        };
        Plot {
            title: format!("{}, hard poses: builds, depth 0 to 16", subject.name),
            x: "box tests a query, mean",
            y: "false positives, % of the cases apart",
            log: [true, false],
            legend: SeriesLabelPosition::LowerLeft,
            lines: self.ablations.iter().take(8).map(line).collect(),
        }
    }
}

fn by_depth(rows: &[Row], of: impl Fn(&Row) -> f64) -> Vec<(f64, f64)> {
    let depth = |row: &Row| match row.sample.accuracy {
        Accuracy::Depth(depth) => Some((f64::from(depth), of(row))),
        _ => None,
    };
    rows.iter().filter_map(depth).collect()
}
