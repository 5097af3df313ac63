//! The same samples at every accuracy: how many collide, and at what cost.

use std::io::{self, Write};
use std::time::Instant;

use boxwood::tree::Counts;
use boxwood::{Accuracy, Error, Model, SelfQuery, SelfQueryScratch};

use super::Poses;

const DEPTHS: [u8; 7] = [0, 1, 2, 3, 4, 6, 8];
/// In the units of the model.
const TOLERANCES: [f64; 6] = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1];
/// How often everything is timed; the least counts.
const ROUNDS: usize = 3;

/// One accuracy: results of all samples.
pub struct Row {
    pub accuracy: Accuracy,
    pub colliding: usize,
    pub counts: Counts,
    pub seconds: f64,
}

/// Asks for a yes or no at every accuracy and prints a row for each; times go to the error stream.
pub fn print(
    model: &Model,
    poses: &mut dyn Poses,
    margin: f64,
    terminal: &mut dyn Write,
) -> Result<(), String> {
    let rows = rows(model, poses, margin).map_err(|error| error.to_string())?;
    let samples = poses.count().max(1);
    table(&rows, samples, terminal).map_err(|error| error.to_string())?;
    for row in &rows {
        eprintln!("{:<14}{:>9.3} us", name(row.accuracy), 1e6 * row.seconds / samples as f64);
    }
    Ok(())
}

fn accuracies() -> impl Iterator<Item = Accuracy> {
    let depths = DEPTHS.into_iter().chain([u8::MAX]).map(Accuracy::Depth);
    depths.chain(TOLERANCES.into_iter().map(Accuracy::Within)).chain([Accuracy::Exact])
}

/// The results at every accuracy.
pub fn rows(model: &Model, poses: &mut dyn Poses, margin: f64) -> Result<Vec<Row>, Error> {
    let mut all = Vec::new();
    for index in 0..poses.count() {
        all.extend_from_slice(poses.at(index)?);
    }
    let parts = model.parts().len();
    let row = |accuracy| row(model, all.chunks_exact(parts), (accuracy, margin));
    accuracies().map(row).collect()
}

fn row<'p>(
    model: &Model,
    samples: impl Iterator<Item = &'p [boxwood::Pose]> + Clone,
    (accuracy, margin): (Accuracy, f64),
) -> Result<Row, Error> {
    let query = SelfQuery::new(accuracy).margin(margin);
    let mut scratch = SelfQueryScratch::default();
    let mut row = Row { accuracy, colliding: 0, counts: Counts::default(), seconds: f64::INFINITY };
    for poses in samples.clone() {
        row.colliding += usize::from(model.self_intersects(poses, query, &mut scratch)?);
        row.counts += *scratch.counts();
    }
    for _ in 0..ROUNDS {
        let (start, mut again) = (Instant::now(), 0);
        for poses in samples.clone() {
            again += usize::from(model.self_intersects(poses, query, &mut scratch)?);
        }
        row.seconds = row.seconds.min(start.elapsed().as_secs_f64());
        assert_eq!(again, row.colliding, "the same poses, the same answers");
    }
    Ok(row)
}

/// A row an accuracy.
pub fn table(rows: &[Row], samples: usize, terminal: &mut dyn Write) -> io::Result<()> {
    let mean = |count: u64| count as f64 / samples as f64;
    writeln!(terminal, "of {samples} samples, a yes or no each; tests: mean of a sample")?;
    let head = ["accuracy", "colliding", "box tests", "hull tests", "primitives"];
    writeln!(
        terminal,
        "{:<14}{:>10}{:>11}{:>12}{:>12}",
        head[0], head[1], head[2], head[3], head[4]
    )?;
    for row in rows {
        let Counts { hulls, primitives, .. } = row.counts;
        writeln!(
            terminal,
            "{:<14}{:>10}{:>11.2}{:>12.2}{:>12.2}",
            name(row.accuracy),
            row.colliding,
            mean(row.counts.tests()),
            mean(hulls),
            mean(primitives)
        )?;
    }
    Ok(())
}

/// What an accuracy is called.
pub fn name(accuracy: Accuracy) -> String {
    match accuracy {
        Accuracy::Depth(u8::MAX) => "leaves".to_owned(),
        Accuracy::Depth(depth) => format!("depth {depth}"),
        Accuracy::Within(length) => format!("within {length}"),
        _ => "exact".to_owned(),
    }
}
