//! Collisions and cost of the same samples at every accuracy.

use std::io::{self, Write};
use std::time::Instant;

use boxwood::tree::Counts;
use boxwood::{Accuracy, Error, Model, SelfQuery, SelfQueryScratch};

use super::{Poses, each_pose};

const DEPTHS: [u8; 7] = [0, 1, 2, 3, 4, 6, 8];
/// Tested tolerances [units of the model].
const TOLERANCES: [f64; 6] = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1];
/// Number of time measurements, of which the least counts.
const ROUNDS: usize = 3;

/// Results of all samples at one accuracy.
pub struct Row {
    pub accuracy: Accuracy,
    pub colliding: usize,
    pub counts: Counts,
}

/// Tests every sample at every accuracy and prints a row for each; times go to the error stream.
pub fn print(
    model: &Model,
    poses: &mut dyn Poses,
    margin: f64,
    terminal: &mut dyn Write,
) -> Result<(), String> {
    let rows = rows(model, poses, margin).map_err(|error| error.to_string())?;
    let samples = poses.count().max(1);
    table(&rows, samples, terminal).map_err(|error| error.to_string())?;
    for (row, seconds) in rows.iter().zip(times(model, poses, (&rows, margin))?) {
        eprintln!("{:<14}{:>9.3} us", name(row.accuracy), 1e6 * seconds / samples as f64);
    }
    Ok(())
}

fn accuracies() -> impl Iterator<Item = Accuracy> {
    let depths = DEPTHS.into_iter().chain([u8::MAX]).map(Accuracy::Depth);
    depths.chain(TOLERANCES.into_iter().map(Accuracy::Within)).chain([Accuracy::Exact])
}

/// Computes the results at every accuracy.
pub fn rows(model: &Model, poses: &mut dyn Poses, margin: f64) -> Result<Vec<Row>, Error> {
    let mut scratch = SelfQueryScratch::default();
    let mut rows = Vec::new();
    for accuracy in accuracies() {
        let query = SelfQuery::new(accuracy).margin(margin);
        let mut row = Row { accuracy, colliding: 0, counts: Counts::default() };
        each_pose(poses, |poses| {
            row.colliding += usize::from(model.self_intersects(poses, query, &mut scratch)?);
            row.counts += *scratch.counts();
            Ok(())
        })?;
        rows.push(row);
    }
    Ok(rows)
}

/// Time of all samples at the accuracy of each row, without posing [s].
fn times(
    model: &Model,
    poses: &mut dyn Poses,
    (rows, margin): (&[Row], f64),
) -> Result<Vec<f64>, String> {
    let mut all = Vec::new();
    for index in 0..poses.count() {
        all.extend_from_slice(poses.at(index).map_err(|error| error.to_string())?);
    }
    let mut scratch = SelfQueryScratch::default();
    let mut time = |row: &Row| {
        let query = SelfQuery::new(row.accuracy).margin(margin);
        let mut least = f64::INFINITY;
        for _ in 0..ROUNDS {
            let (start, mut again) = (Instant::now(), 0);
            for poses in all.chunks_exact(model.parts().len()) {
                again += usize::from(model.self_intersects(poses, query, &mut scratch)?);
            }
            least = least.min(start.elapsed().as_secs_f64());
            assert_eq!(again, row.colliding, "the same poses, the same answers");
        }
        Ok(least)
    };
    let times: Result<Vec<f64>, Error> = rows.iter().map(&mut time).collect();
    times.map_err(|error| error.to_string())
}

/// Prints a row an accuracy.
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

/// Name of an accuracy.
pub fn name(accuracy: Accuracy) -> String {
    match accuracy {
        Accuracy::Depth(u8::MAX) => "leaves".to_owned(),
        Accuracy::Depth(depth) => format!("depth {depth}"),
        Accuracy::Within(length) => format!("within {length}"),
        _ => "exact".to_owned(),
    }
}
