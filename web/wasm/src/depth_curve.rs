//! Measurement of every depth against the exact answer, on hard poses of a character's parts, a few
//! at a time.

use std::sync::Arc;

use boxwood::accuracy::{hard_cases, measure};
use boxwood::{Accuracy, Buffers, Error, Model, ObbTree, Scene, Spawn};
use wasm_bindgen::prelude::*;

use crate::Character;

/// Number of hard poses of two parts before the next two, and seed of the first: as in the example
/// `depth_vs_accuracy`, so that the results converge to its table.
const EACH: usize = 12;
const SEED: u64 = 1_000;

/// Tolerances [percent of the character's size].
const TOLERANCES: [f64; 4] = [5.0, 2.0, 1.0, 0.5];

const WIDTH: usize = 10;

/// Measurements so far.
#[wasm_bindgen]
pub struct DepthCurve {
    model: Arc<Model>,
    rows: Vec<Row>,
    /// Number of measured pairs of parts.
    taken: usize,
}

/// Results of one accuracy over all cases so far.
#[derive(Debug, Clone)]
struct Row {
    accuracy: Accuracy,
    cases: usize,
    touching: usize,
    false_positives: usize,
    misses: usize,
    /// Sums over the cases: box tests, hull tests, primitive pairs.
    tests: [f64; 3],
    /// Sum of the slack of reported cases, and their number.
    slack: f64,
    reported: usize,
}

#[wasm_bindgen]
impl DepthCurve {
    /// Creates a curve without measurements.
    ///
    /// # Errors
    /// None for a character that was loaded.
    #[wasm_bindgen(constructor)]
    pub fn new(character: &Character) -> Result<DepthCurve, JsError> {
        let model = Arc::clone(&character.loaded.model);
        let size = size(&model)?;
        let depths = (0..=character.deepest()).map(Accuracy::Depth);
        let tolerances = TOLERANCES.map(|share| Accuracy::Within(share / 100.0 * size));
        let all = depths.chain(tolerances).chain([Accuracy::Exact]);
        Ok(DepthCurve { model, rows: all.map(Row::new).collect(), taken: 0 })
    }

    /// Measures the next twelve poses at every accuracy.
    ///
    /// # Errors
    /// The errors for poses out of range, if the character is.
    pub fn measure_next(&mut self) -> Result<(), JsError> {
        Ok(self.take()?)
    }

    /// Returns ten numbers an accuracy: its kind and value (0 a depth, 1 a tolerance in percent of
    /// the character's size, 2 exact), cases, touching cases, false positives, misses, and the
    /// means over queries of box tests, hull tests, primitive pairs and slack.
    pub fn rows(&self) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(WIDTH * self.rows.len());
        for row in &self.rows {
            numbers.extend(row.numbers());
        }
        let first = self.rows.iter().position(|row| matches!(row.accuracy, Accuracy::Within(_)));
        for (index, share) in TOLERANCES.iter().enumerate() {
            if let Some(first) = first {
                numbers[WIDTH * (first + index) + 1] = *share;
            }
        }
        numbers
    }
}

impl DepthCurve {
    fn take(&mut self) -> Result<(), Error> {
        let model = Arc::clone(&self.model);
        let trees: Vec<&ObbTree> = model.parts().iter().filter_map(|part| part.tree()).collect();
        let index = self.taken;
        // Two strides mix the order of the pairs.
        let pair = [index * 7, index * 11 + index / trees.len() + 3];
        let pair = pair.map(|i| trees[i % trees.len()]);
        let cases = hard_cases(pair, EACH, SEED + index as u64)?;
        for row in &mut self.rows {
            let sample = measure(&cases, row.accuracy)?;
            row.cases += sample.cases;
            row.touching += sample.touching;
            row.false_positives += sample.false_positives;
            row.misses += sample.misses;
            row.reported += sample.slack.count;
            row.slack += sample.slack.mean * sample.slack.count as f64;
            let spreads = [sample.tests, sample.hulls, sample.primitives];
            for (sum, spread) in row.tests.iter_mut().zip(spreads) {
                *sum += spread.mean * spread.count as f64;
            }
        }
        self.taken += 1;
        Ok(())
    }
}

impl Row {
    fn new(accuracy: Accuracy) -> Row {
        let (cases, touching, false_positives, misses) = (0, 0, 0, 0);
        let (tests, slack, reported) = ([0.0; 3], 0.0, 0);
        Row { accuracy, cases, touching, false_positives, misses, tests, slack, reported }
    }

    fn numbers(&self) -> [f64; WIDTH] {
        let [kind, value] = match self.accuracy {
            Accuracy::Depth(depth) => [0.0, f64::from(depth)],
            Accuracy::Within(tolerance) => [1.0, tolerance],
            _ => [2.0, 0.0],
        };
        let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
        let [boxes, hulls, primitives] = self.tests.map(|sum| mean(sum, self.cases));
        let [cases, touching, wrong, missed] =
            [self.cases, self.touching, self.false_positives, self.misses].map(|x| x as f64);
        let slack = mean(self.slack, self.reported);
        [kind, value, cases, touching, wrong, missed, boxes, hulls, primitives, slack]
    }
}

/// Largest extent of the model at rest.
fn size(model: &Arc<Model>) -> Result<f64, Error> {
    let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
    let key = scene.insert(model, Spawn::default())?;
    let bounds = scene.snapshot(&mut buffers).character_aabb(key)?;
    Ok(f64::from(bounds.sizes().max()))
}
