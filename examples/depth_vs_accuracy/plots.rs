//! The list of plots.

use std::path::PathBuf;

use boxwood::Accuracy;

use crate::ablation::{Ablation, Varied};
use crate::measure::Row;
use crate::measured_character::{SEED, Subject};
use crate::output::Results;
use crate::plot::{Axis, Line, Plot};
use crate::table::falsely;

const APART: &str = "false positives, % of the cases apart";

/// First depth at which build options are drawn: above it they are almost equal.
const FIRST_DEPTH: usize = 3;

pub struct Plots<'a> {
    pub subject: &'a Subject,
    pub results: &'a Results,
}

impl Plots<'_> {
    pub fn save(&self, file: impl Fn(&str) -> PathBuf) -> Result<(), String> {
        self.mistakes().save(&file("mistakes.svg"))?;
        self.tolerances().save(&file("tolerances.svg"))?;
        self.lengths().save(&file("lengths.svg"))?;
        Plot::save_below(&self.costs(), &file("costs.svg"))?;
        self.hulls().save(&file("hulls.svg"))?;
        self.builds(Varied::Split, "split rules").save(&file("splits.svg"))?;
        self.builds(Varied::Fit, "box fits and part frames").save(&file("fits.svg"))
    }

    fn mistakes(&self) -> Plot {
        let (hard, clip) = (&self.results.hard, &self.results.clip);
        let missed: usize = hard.iter().chain(clip).map(|row| row.sample.misses).sum();
        Plot {
            title: self.title("and clips: what is reported though apart"),
            note: format!("{}; missed: {missed}", self.both()),
            x: Axis::linear("depth of the cut"),
            y: Axis::linear(APART),
            lines: vec![
                Line::new("hard poses", by_depth(hard, |r| falsely(&r.sample))),
                Line::new("clips", by_depth(clip, |r| falsely(&r.sample))),
            ],
        }
    }

    fn tolerances(&self) -> Plot {
        let size = self.subject.size;
        let line = |rows: &[Row]| -> Vec<(f64, f64)> {
            let tolerance = |row: &Row| match row.sample.accuracy {
                Accuracy::Within(t) => Some((100.0 * t / size, falsely(&row.sample))),
                _ => None,
            };
            rows.iter().filter_map(tolerance).collect()
        };
        Plot {
            title: self.title("and clips: what is reported though apart, by tolerance"),
            note: self.both(),
            x: Axis::log("tolerance, % of the character's size"),
            y: Axis::linear(APART),
            lines: vec![
                Line::new("hard poses", line(&self.results.hard)),
                Line::new("clips", line(&self.results.clip)),
            ],
        }
    }

    fn lengths(&self) -> Plot {
        let size = self.subject.size;
        let line = |name: &str, of: fn(&Row) -> f64| {
            Line::new(name, by_depth(&self.results.hard, |row| 100.0 * of(row) / size))
        };
        Plot {
            title: self.title("how far off answers are"),
            note: self.hard(),
            x: Axis::linear("depth of the cut"),
            y: Axis::linear("length, % of the character's size"),
            lines: vec![
                line("slack stated, worst", |row| row.sample.slack.worst),
                line("slack stated, mean", |row| row.sample.slack.mean),
                line("point (diagonal ratio) off, median", |row| row.sample.point_error.median),
                line("point (clamped centres) off, median", |row| row.sample.clamped_error.median),
                line("depth less the true way out, median", |row| row.sample.depth_error.median),
            ],
        }
    }

    /// Times above, numbers of tests below: an axis has one unit.
    fn costs(&self) -> [Plot; 2] {
        let rows = &self.results.hard;
        let micros = |of: fn(&Row) -> f64| by_depth(rows, move |row| of(row) / 1000.0);
        let times = Plot {
            title: self.title("what two parts cost"),
            note: "times on one machine".to_owned(),
            x: Axis::linear("depth of the cut"),
            y: Axis::log("mean time, us a query"),
            lines: vec![
                Line::new("all contacts", micros(|row| row.contacts)),
                Line::new("yes or no", micros(|row| row.yes_or_no)),
            ],
        };
        let tests = Plot {
            title: "the same: tests of boxes, and of convex hulls".to_owned(),
            note: self.hard(),
            x: Axis::linear("depth of the cut"),
            y: Axis::log("mean number, tests a query"),
            lines: vec![
                Line::new("box tests, yes or no", by_depth(rows, |row| row.sample.tests.mean)),
                Line::new("hull tests, yes or no", by_depth(rows, |row| row.sample.hulls.mean)),
            ],
        };
        [times, tests]
    }

    fn hulls(&self) -> Plot {
        let drawn = |a: &&Ablation| matches!(a.way.of, Varied::Hulls | Varied::Default);
        let line = |way: &Ablation| {
            let name = match way.way.of {
                Varied::Default => "hulls of four levels",
                _ => way.way.name,
            };
            let depths = way.depths.iter().enumerate();
            Line::new(name, depths.map(|(depth, s)| (depth as f64, falsely(s))).collect())
        };
        Plot {
            title: self.title("boxes alone, and with convex hulls of the first levels"),
            note: self.hard(),
            x: Axis::linear("depth of the cut"),
            y: Axis::linear(APART),
            lines: self.results.ablations.iter().filter(drawn).map(line).collect(),
        }
    }

    fn builds(&self, of: Varied, what: &str) -> Plot {
        let drawn = |a: &&Ablation| a.way.of == of || a.way.of == Varied::Default;
        let ways: Vec<&Ablation> = self.results.ablations.iter().filter(drawn).collect();
        let missed: usize = ways.iter().flat_map(|way| &way.depths).map(|s| s.misses).sum();
        let line = |way: &&Ablation| {
            let shown = way.depths.iter().skip(FIRST_DEPTH);
            Line::new(way.way.name, shown.map(|s| (s.tests.mean, falsely(s))).collect())
        };
        let last = ways.first().map_or(0, |way| way.depths.len().saturating_sub(1));
        Plot {
            title: self.title(what),
            note: format!(
                "{}; points: depth {FIRST_DEPTH} to {last}; missed: {missed}",
                self.hard()
            ),
            x: Axis::log("box tests a yes or no, mean"),
            y: Axis::linear(APART),
            lines: ways.iter().map(line).collect(),
        }
    }

    /// Title that marks the share of errors as that of hard poses, which differs from that of play.
    fn title(&self, what: &str) -> String {
        let joint = if what.starts_with("and ") { " " } else { ": " };
        format!("{}, poses chosen to be hard{joint}{what}", self.subject.name)
    }

    fn hard(&self) -> String {
        let (all, apart) = count(&self.results.hard);
        format!("{all} hard poses (0.9 to 1.1 of where touching ends; {apart} apart), seed {SEED}")
    }

    fn both(&self) -> String {
        let (all, apart) = count(&self.results.clip);
        let names = self.subject.clip_names();
        format!("{}; {all} pairs of parts near in {names} ({apart} apart)", self.hard())
    }
}

/// Number of cases, and of those that do not touch.
fn count(rows: &[Row]) -> (usize, usize) {
    rows.first().map_or((0, 0), |row| (row.sample.cases, row.sample.cases - row.sample.touching))
}

fn depth(row: &Row) -> Option<f64> {
    match row.sample.accuracy {
        Accuracy::Depth(depth) => Some(f64::from(depth)),
        _ => None,
    }
}

fn by_depth(rows: &[Row], of: impl Fn(&Row) -> f64) -> Vec<(f64, f64)> {
    rows.iter().filter_map(|row| Some((depth(row)?, of(row)))).collect()
}
