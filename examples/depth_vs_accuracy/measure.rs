//! Accuracy samples with query times.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use boxwood::accuracy::{Case, Sample, measure, volume_ratio};
use boxwood::tree::{NodePair, TreePair, TreeScratch};
use boxwood::{Accuracy, ObbTree};

/// Least time of measuring each setting.
const TIMED: Duration = Duration::from_millis(40);

/// One setting over one set of cases.
pub struct Row {
    pub label: String,
    pub sample: Sample,
    /// Time of an intersection test of two parts, including their placement [ns].
    pub yes_or_no: f64,
    /// Time of all contacts of two parts, including their placement [ns].
    pub contacts: f64,
    /// Volume of the boxes over volume of the part, mean of the parts; only for depths.
    pub volume: Option<f64>,
}

/// Settings of the table: depths down to that of the deepest tree, tolerances, budgets, exact.
pub fn settings(trees: &[&ObbTree], size: f64) -> Vec<(String, Accuracy)> {
    let deepest = trees.iter().map(|tree| tree.depth()).max().unwrap_or(0);
    let depths = (0..=deepest).map(|depth| (format!("depth {depth}"), Accuracy::Depth(depth)));
    let tolerances = [5.0, 3.0, 2.0, 1.0, 0.5, 0.2, 0.1]
        .map(|share| (format!("within {share} %"), Accuracy::Within(share / 100.0 * size)));
    let budgets = [10, 100, 1_000].map(|n| (format!("budget {n}"), Accuracy::Budget(n)));
    let exact = [("exact".to_owned(), Accuracy::Exact)];
    depths.chain(tolerances).chain(budgets).chain(exact).collect()
}

pub fn row(
    label: &str,
    accuracy: Accuracy,
    cases: &[Case<'_, f32>],
    trees: &[&ObbTree],
) -> Result<Row, String> {
    let sample = measure(cases, accuracy).map_err(|error| error.to_string())?;
    let volume = match accuracy {
        Accuracy::Depth(depth) => {
            let ratios = trees.iter().map(|tree| volume_ratio(tree, depth));
            Some(ratios.sum::<f64>() / trees.len() as f64)
        }
        _ => None,
    };
    let mut scratch = TreeScratch::default();
    let yes_or_no = nanoseconds(cases, |pair| pair.intersects(accuracy, &mut scratch).is_ok())?;
    let contacts = nanoseconds(cases, |pair| {
        let look = |touch: NodePair| {
            black_box(pair.contact(touch.a, touch.b));
            ControlFlow::Continue(())
        };
        pair.visit(accuracy, &mut scratch, look).is_ok()
    })?;
    Ok(Row { label: label.to_owned(), sample, yes_or_no, contacts, volume })
}

/// Mean time of all cases in the fastest of several rounds, because noise only adds [ns].
fn nanoseconds(
    cases: &[Case<'_, f32>],
    mut ask: impl FnMut(&TreePair<'_, f32>) -> bool,
) -> Result<f64, String> {
    let (mut best, begin) = (Duration::MAX, Instant::now());
    while begin.elapsed() < TIMED {
        let start = Instant::now();
        for case in cases {
            let pair = case.pair().map_err(|error| error.to_string())?;
            black_box(ask(&pair));
        }
        best = best.min(start.elapsed());
    }
    Ok(best.as_nanos() as f64 / cases.len().max(1) as f64)
}
